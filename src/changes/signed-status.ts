// The status of proposals. A change clears a recorded signature for good, so each proposal is read first.

import { ConflictError, UnconfirmedError } from '../base/errors.ts';
import type { ResolvedInput } from '../base/flag.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { capitalised } from '../base/values/text/wording.ts';
import { dayHeld } from '../base/values/time/days.ts';
import { readRecord } from '../client/read-record.ts';
import { isKnownSigned, isSigned } from '../model/bodies/signed.ts';
import type { Difference } from '../model/records/difference.ts';
import { proposalStatusChange, proposals } from '../model/resources/proposals.ts';
import type { Result } from '../output/result.ts';
import { choose } from '../reading/selection.ts';
import { confirmWrite } from '../session/ask/confirm.ts';
import type { Context } from '../session/context.ts';
import { actionChange, actionText, besideTo, readAction, valueTyped } from './action.ts';
import { changeEach } from './change-each.ts';
import type { SignedStatusFlags } from './flags.ts';
import { confirmChange, recordName } from './question.ts';
import type { RecordChange } from './record-change.ts';
import { changesOf, effectOfChange, requestedMember } from './what-changed.ts';

/**
 * Sets the status of a proposal, or of each unsigned proposal of a selection. Throws UnconfirmedError; ConflictError for a proposal that
 * was signed meanwhile.
 */
export async function setStatus(context: Context, input: ResolvedInput<SignedStatusFlags>): Promise<Result> {
  const { selection, body } = readAction(proposals, proposalStatusChange, input);
  const { 'clear-signatures': isClearing = false } = input.flags;
  const chosen = await choose(proposals, context, selection, ['signed']);
  const changing = isClearing ? chosen : chosen.filter(({ record }) => !isSigned(record));
  const signed = chosen.length - changing.length;
  const leavingOut = signed === 0 ? '' : `, leaving out ${signed} signed ${signed === 1 ? 'one' : 'ones'}`;
  const clearing = `, and clear ${chosen.length === 1 ? 'its signature' : 'their signatures'}`;
  const besides = isClearing ? clearing : leavingOut;
  const says = (records: string): string => `${actionText(proposalStatusChange, input, records)}${besides}`;
  const { reads: _, ...plain } = actionChange(proposals, proposalStatusChange, body, valueTyped(input));
  const change: RecordChange = {
    ...plain,
    holds: (record) => plain.holds(record) && !isSigned(record),
    // Keeps the signature, so that an undo can name it: a cleared signature can't be put back.
    valuesIn: (record) => ({ ...Object(plain.valuesIn(record)), ...(isSigned(record) ? { signed: valueAt(record, 'signed') } : {}) }),
    explain: (error) => besideTo(error, proposalStatusChange, input),
    effect: ({ id }, before, after) => {
      const requested = requestedMember(proposals, 'status', String(body?.get('status')));
      return effectOfChange(proposals, id, [...changesOf([requested], before, after), ...signatureCleared(before, after)], [after, before]);
    },
  };
  if (selection.kind === 'one') {
    const read = signatureAsked(context, selection.id);
    return changeEach(proposals, context, { selection, chosen }, { ...change, read });
  }
  const confirmed = await confirmChange(proposals, context, selection, changing, { says, isFinal: isClearing });
  const named = new Map(confirmed.map((one) => [one.id, one]));
  const all = chosen.map((one) => named.get(one.id) ?? one);
  return changeEach(
    proposals,
    context,
    { selection, chosen: all },
    {
      ...change,
      leavesOut: ({ record }) => (isSigned(record) && !isClearing ? leftOut() : undefined),
      write: (record, one) => {
        if (isKnownSigned(record, one.id) && !isClearing) throw leftOut();
        return change.write(record, one);
      },
    },
  );
}

/**
 * Reads a proposal and asks before its signature is cleared. After the question the proposal is read again. Throws ConflictError when the
 * signature is new or another than in the question.
 */
function signatureAsked(context: Context, id: Id): NonNullable<RecordChange['read']> {
  let agreed: string | undefined;
  return async (api, _one, asking = (ask) => ask()) => {
    for (;;) {
      const record = await readRecord(api, `${proposals.path}/${id}`);
      const signature = isKnownSigned(record, id) ? JSON.stringify(valueAt(record, 'signed')) : '';
      const isNew = agreed === undefined;
      agreed ??= signature;
      if (signature === '') return record;
      if (signature !== agreed)
        throw new ConflictError(
          `Proposal ${id} was signed meanwhile, so its status was not changed: a change of the status clears the signature for good.`,
        );
      if (!isNew) return record;
      const named = capitalised(await recordName(proposals, { id, record }));
      const question = `${named} is signed; setting its status clears the signature for good. Go on?`;
      const isAsked = !(context.flags.yes || context.flags.dryRun);
      await (isAsked ? asking(() => confirmWrite(context, question)) : confirmWrite(context, question));
      if (!isAsked) return record;
    }
  };
}

/** The cleared signature, as a difference (interface: Proposal status, "any recorded client acceptance signature is cleared"). */
function signatureCleared(before: unknown, after: unknown): Difference[] {
  if (!isSigned(before) || isSigned(after)) return [];
  const [first = '', last = '', date = ''] = ['first_name', 'last_name', 'date'].map((name) =>
    scalarText(valueAt(before, `signed.${name}`)),
  );
  const signature = [`${first} ${last}`.trim(), dayHeld(date) ?? date].filter((part) => part !== '').join(', ');
  return [{ field: 'signature', old: signature === '' ? 'signed' : signature, new: 'cleared' }];
}

const leftOut = (): UnconfirmedError =>
  new UnconfirmedError('Signed, so left out: a change of its status clears the signature for good. --clear-signatures includes it.', {
    code: 'proposal_signed',
  });
