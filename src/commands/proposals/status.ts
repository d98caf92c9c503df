// `crm proposals status ID STATUS`: reads first, because a change clears a recorded signature for good.

import { readRecord } from '../../api/read-record.ts';
import { type RecordWrite, writeRecord } from '../../api/write-record.ts';
import { confirmWrite } from '../../ask/confirm.ts';
import { showsAction } from '../../bodies/shown.ts';
import { isKnownSigned, isSigned } from '../../bodies/signed.ts';
import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ConflictError, UnconfirmedError } from '../../errors.ts';
import type { Change } from '../../output/result.ts';
import { proposalStatusChange, proposals } from '../../resources/proposals.ts';
import { dayHeld } from '../../values/days.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { capitalised } from '../../values/wording.ts';
import { actionText, readAction } from '../../verbs/action.ts';
import { eachRecord } from '../../verbs/each-record.ts';
import { askedMember, changesOf, effectOfChange } from '../../verbs/effect.ts';
import { confirmDeed, recordName } from '../../verbs/question.ts';
import { choose } from '../../verbs/selection.ts';
import { actionArguments, actionFlags, actionNeeds } from '../family-flags.ts';

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
  needs: actionNeeds(proposalStatusChange),
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
      let record: unknown;
      const agreeing = selection.kind === 'one' ? signatureAsked(context, id) : leavingSigned(id, isClearing);
      const request = async (): Promise<RecordWrite> => {
        const read = (): Promise<unknown> => readRecord(api, `${proposals.path}/${id}`);
        record = await read();
        while (await agreeing(record)) record = await read();
        return { method: 'PUT', below: proposalStatusChange.path, ...(body === undefined ? {} : { body }) };
      };
      const shows = (after: unknown): boolean | undefined => showsAction(proposals, proposalStatusChange, body, after);
      const { answer, after } = await writeRecord(api, proposals, id, request, shows);
      const asked = askedMember(proposals, 'status', String(body?.get('status')));
      const changes = [...changesOf([asked], record, after), ...signatureCleared(record, after)];
      return { answer, effect: effectOfChange(proposals, id, changes, [after, record]) };
    });
  },
};

/**
 * Asks before a signature is cleared, and remembers which one was agreed to: what was signed since isn't written. Gives whether somebody
 * was asked, so that it has to be read again.
 */
function signatureAsked(context: Context, id: Id): (record: unknown) => Promise<boolean> {
  let agreed: string | undefined;
  return async (record) => {
    const signature = isKnownSigned(record, id) ? JSON.stringify(valueAt(record, 'signed')) : '';
    if (agreed !== undefined && signature !== '' && signature !== agreed)
      throw new ConflictError(
        `Proposal ${id} was signed meanwhile, so its status was not changed: that would clear the signature for good.`,
      );
    const asks = agreed === undefined && signature !== '';
    agreed ??= signature;
    if (!asks) return false;
    await confirmWrite(context, await signedQuestion({ id, record }));
    return !context.flags.yes && !context.flags.dryRun;
  };
}

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

/** Of several proposals a signed one is left out, unless signatures may go. */
const leavingSigned =
  (id: Id, isClearing: boolean) =>
  async (record: unknown): Promise<boolean> => {
    if (isKnownSigned(record, id) && !isClearing) throw leftOut();
    return false;
  };

const leavingOut = (count: number): string => (count === 0 ? '' : `, leaving out ${count} signed ${count === 1 ? 'one' : 'ones'}`);

const leftOut = (): UnconfirmedError =>
  new UnconfirmedError('Signed, so left out: a change of its status clears the signature for good. --clear-signatures includes it.', {
    code: 'proposal_signed',
  });
