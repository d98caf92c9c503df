// `crm proposals status ID STATUS`: reads first, because a change clears a recorded signature for good.

import { readRecord } from '../../api/read-record.ts';
import { writeRecord } from '../../api/write-record.ts';
import { confirmWrite } from '../../ask/confirm.ts';
import { isKnownSigned, isSigned } from '../../bodies/signed.ts';
import type { Command } from '../../command.ts';
import { UnconfirmedError } from '../../errors.ts';
import type { Change } from '../../output/result.ts';
import { proposalStatusChange, proposals } from '../../resources/proposals.ts';
import { dayHeld } from '../../values/days.ts';
import { scalarText } from '../../values/json.ts';
import { valueAt } from '../../values/paths.ts';
import { capitalised } from '../../values/wording.ts';
import { actionText, readAction } from '../../verbs/action.ts';
import { eachRecord } from '../../verbs/each-record.ts';
import { askedMember, changesOf, effectOfChange } from '../../verbs/effect.ts';
import { confirmDeed, recordName } from '../../verbs/question.ts';
import { choose } from '../../verbs/selection.ts';
import { actionArguments, actionFlags } from '../family-flags.ts';

export const proposalStatusCommand: Command = {
  path: ['proposals', 'status'],
  summary: proposalStatusChange.summary,
  description:
    'A change clears a recorded signature, which cannot be undone: on a signed proposal it asks, and off a terminal it needs --yes. ' +
    'Of several proposals, signed ones are left out.',
  args: actionArguments(proposals, proposalStatusChange),
  sends: [
    { method: 'GET', path: '/api/proposals/{id}' },
    { method: 'PUT', path: '/api/proposals/{id}/status' },
  ],
  does: 'writes',
  destroysWhen: 'on a signed proposal',
  fails: ['unconfirmed', 'proposal_signed'],
  shows: proposals,
  prints: { json: 'object or array', of: proposals },
  flags: [
    ...actionFlags(proposals, proposalStatusChange),
    { name: 'clear-signatures', help: 'Of several proposals change signed ones, too: asks first', group: 'Change' },
  ],
  examples: ['crm proposals status 5 accepted', 'crm proposals status 5,6 --to revised --dry-run'],
  run: async (context, input) => {
    const { selection, body } = readAction(proposals, proposalStatusChange, input);
    const isClearing = input.flags['clear-signatures'] === true;
    const chosen = await choose(proposals, context, selection, ['signed']);
    const changing = isClearing ? chosen : chosen.filter(({ record }) => !isSigned(record));
    const besides = isClearing ? ', and clear the signatures of those that are signed' : leavingOut(chosen.length - changing.length);
    const says = (records: string): string => `${actionText(proposalStatusChange, input, records)}${besides}`;
    if (selection.kind !== 'one') await confirmDeed(proposals, context, selection, changing, { says, isFinal: isClearing });
    const api = await context.api();
    return eachRecord(proposals, context, selection, chosen, async ({ id, record: chosenRecord }) => {
      if (isSigned(chosenRecord) && !isClearing) throw leftOut();
      const path = `${proposals.path}/${id}`;
      const record = await readRecord(api, path);
      const isSignedNow = isKnownSigned(record, id);
      if (isSignedNow && selection.kind === 'one') await confirmWrite(context, await signedQuestion({ id, record }));
      if (isSignedNow && selection.kind !== 'one' && !isClearing) throw leftOut();
      const { answer, after } = await writeRecord(api, proposals, id, {
        method: 'PUT',
        below: proposalStatusChange.path,
        ...(body === undefined ? {} : { body }),
      });
      const asked = askedMember(proposals, 'status', String(body?.get('status')));
      const changes = [...changesOf([asked], record, after), ...signatureCleared(record, after)];
      return { answer, effect: effectOfChange(proposals, id, changes, [after, record]) };
    });
  },
};

/** What a signature said that is gone (interface: Proposal status, "any recorded client acceptance signature is cleared"). */
function signatureCleared(before: unknown, after: unknown): Change[] {
  if (!isSigned(before) || isSigned(after)) return [];
  const [first = '', last = '', date = ''] = ['first_name', 'last_name', 'date'].map((name) =>
    scalarText(valueAt(before, `signed.${name}`)),
  );
  const from = [`${first} ${last}`.trim(), dayHeld(date) ?? date].filter((part) => part !== '').join(', ');
  return [{ name: 'signature', from: from === '' ? 'signed' : from, to: 'cleared' }];
}

async function signedQuestion(proposal: Parameters<typeof recordName>[1]): Promise<string> {
  return `${capitalised(await recordName(proposals, proposal))} is signed; setting its status clears the signature for good. Go on?`;
}

const leavingOut = (count: number): string => (count === 0 ? '' : `, leaving out ${count} signed ${count === 1 ? 'one' : 'ones'}`);

const leftOut = (): UnconfirmedError =>
  new UnconfirmedError('Signed, so left out: a change of its status clears the signature for good. --clear-signatures includes it.', {
    code: 'proposal_signed',
  });
