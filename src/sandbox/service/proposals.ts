// The rules of proposals (interface: Endpoints, Proposals; Proposal `status`).

import { type Members, valueAt } from '../../base/values/paths.ts';
import type { Field } from '../../model/define.ts';
import { proposals as family, proposalClone, proposalStatus } from '../../model/resources/proposals.ts';
import { proposals } from '../store/families.ts';
import { save, wholeRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { changeReply, existing, putValues, shownRecord, stamped } from './families.ts';
import { created, type Reply, type SandboxService } from './service.ts';
import { checkBody, checkExists, relation, thingWithId } from './things.ts';
import { type CheckedValues, checkNotBefore, checkRequired, FieldProblems, isUnfilled, type WireValues } from './values.ts';

/** The values of `customer_type`, each with the field of the customer's id (interface: Proposals, create body). */
const customers = { client: 'doc_client_id', lead: 'doc_lead_id' } as const;

/** Adds a draft. Without `doc_body` the template's body is taken (interface: Proposals, create body). */
export function createProposal({ store, now }: SandboxService, body: WireValues): Reply {
  return store.transaction(() => {
    const problems = new FieldProblems();
    const checked = checkedCustomer(store, family.fields, body, problems);
    checkExists(store, 'proposal-template', checked.proposal_template, 'proposal_template', problems);
    problems.throwIfAny();
    const template =
      typeof checked.proposal_template === 'number' ? thingWithId(store, 'proposal-template', checked.proposal_template) : undefined;
    const given = { body: checked.doc_body ?? template?.body ?? null };
    const { id, title, status } = addProposal(store, given, checked, now());
    return created(JSON.stringify({ id, title, status }), 'Proposal created successfully.');
  });
}

/** Changes the required values, and end date and body when they are sent (interface: Proposals, update body). */
export const updateProposal = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, proposals, id, 'updated', (record) => {
    const problems = new FieldProblems();
    const checked = checkBody(service.store, family.fields, body, 'update', problems);
    const end = checked.doc_date_end === undefined ? valueAt(record, 'dates.end') : checked.doc_date_end;
    checkNotBefore(['doc_date_end', end], ['doc_date_start', checked.doc_date_start], problems);
    problems.throwIfAny();
    putValues(service.store, proposals, family.fields, checked, record);
  });

/** Sets the status and clears the signature, also when the status stays the same (interface: Proposal `status`). */
export const setProposalStatus = (service: SandboxService, id: number, body: WireValues): Reply =>
  changeReply(service, proposals, id, 'status updated', (record) => {
    const problems = new FieldProblems();
    record.status = checkRequired('status', proposalStatus, body, problems);
    problems.throwIfAny();
    record.signed = { date: null, first_name: null, last_name: null };
  });

/** Makes a draft with the proposal's body and tags, and the values of the clone body (interface: Proposals, clone body). */
export function cloneProposal({ store, now }: SandboxService, id: number, body: WireValues): Reply {
  return store.transaction(() => {
    const { body: content, tags } = existing(store, proposals, id);
    const problems = new FieldProblems();
    const checked = checkedCustomer(store, proposalClone.fields, body, problems);
    problems.throwIfAny();
    const copy = addProposal(store, { body: content, tags }, checked, now());
    return created(shownRecord(store, proposals, copy.id), 'Proposal cloned successfully.');
  });
}

function addProposal(store: Store, given: Members, checked: CheckedValues, time: string) {
  const record = stamped(wholeRecord(proposals, {}), time);
  const { doc_lead_id: lead } = checked;
  putValues(store, proposals, family.fields, checked, record);
  if (typeof lead === 'number') record.lead = relation(family, 'lead', lead, thingWithId(store, 'lead', lead));
  return save(store, proposals, { ...record, ...given });
}

/** The checked fields. `customer_type` names the client or the lead: only the field of the named customer is checked and stored. */
function checkedCustomer(store: Store, fields: readonly Field[], body: WireValues, problems: FieldProblems): CheckedValues {
  const { customer_type: sent } = body;
  const type = sent === 'client' || sent === 'lead' ? sent : undefined;
  const unused: string[] = Object.values(customers).filter((wire) => wire !== (type && customers[type]));
  if (isUnfilled(sent)) problems.addRequired('customer_type');
  else if (type === undefined) problems.addInvalid('customer_type');
  const checked = checkBody(
    store,
    fields.filter(({ wire }) => !unused.includes(wire)),
    body,
    'create',
    problems,
  );
  if (type !== undefined) {
    const wire = customers[type];
    if (isUnfilled(body[wire])) problems.addRequired(wire, ` when customer type is ${type}`);
    if (type === 'lead') checkExists(store, type, checked[wire], wire, problems);
  }
  return checked;
}
