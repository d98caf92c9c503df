// The calls that only proposals have: clone, and the status, which checks for a signature first.

import { UnconfirmedError } from '../../base/errors.ts';
import type { Id } from '../../base/values/parse.ts';
import { actionBody } from '../../model/bodies/operations.ts';
import { isKnownSigned } from '../../model/bodies/signed.ts';
import { proposalClone, proposalStatusChange, proposals } from '../../model/resources/proposals.ts';
import { plainAction } from '../plain-change.ts';
import type { RecordWrite } from '../write-record.ts';
import { type Caller, callOf } from './call.ts';
import { newestCall, operationCall, writeChange } from './family-calls.ts';

export function proposalCalls(service: Caller) {
  return {
    status: callOf(
      service,
      'client.proposals.status',
      ['id', 'value'],
      (own, { clear_signature: clears }, id: Id, status: unknown) => changeStatus(own, id, status, clears === true),
      ['clear_signature'],
    ),
    clone: operationCall(service, proposals, proposalClone, () => newestCall(proposals), proposals),
  };
}

/** A status change clears a signature for good. */
async function changeStatus(service: Caller, id: Id, status: unknown, clears: boolean): Promise<unknown> {
  const body = actionBody(proposalStatusChange, status, 'status');
  const plain = plainAction(proposals, proposalStatusChange, body);
  const write = (record: unknown): RecordWrite => {
    if (isKnownSigned(record, id) && !clears) {
      throw new UnconfirmedError(`Proposal ${id} is signed; setting its status clears the signature for good. Nothing was sent.`, {
        hint: '{ clear_signature: true } allows it.',
        code: 'proposal_signed',
      });
    }
    return plain.write(record);
  };
  return writeChange(service, proposals, id, { ...plain, write }, { shape: proposals, isRead: true });
}
