// The rules of proposals (interface: Endpoints, Proposals; Proposal `status`).

import { type Field, text } from '../../resources/define.ts';
import { proposalClone, proposalStatus, proposals } from '../../resources/proposals.ts';
import { type ProposalRow, proposalRow, selectProposal } from '../records/proposals.ts';
import { searchText } from '../records/shared.ts';
import type { SqlValues, Store } from '../store/store.ts';
import { checkExists } from './existing.ts';
import { type Listing, listReply } from './lists.ts';
import { created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { tagsIn } from './sets.ts';
import { type CheckedValues, checkFields, checkNotBefore, checkRequired, columnsOf, isBlank, Problems, type Values } from './values.ts';

export const proposalListing: Listing = {
  table: 'proposals',
  ids: 'proposals_id',
  // The interface has no list of statuses to filter by: any text is taken.
  filters: proposals.filters.map((filter) => (filter.wire === 'status' ? { ...filter, type: text } : filter)),
  where: { status: 'status = ?', client_id: 'client_id = ?', lead_id: 'lead_id = ?', category_id: 'category_id = ?' },
  sort: { doc_title: 'title', doc_status: 'status', doc_date_start: 'date_start', doc_created: 'created' },
  order: 'desc',
};

const columns = {
  doc_title: 'title',
  doc_date_start: 'date_start',
  doc_date_end: 'date_end',
  doc_categoryid: 'category_id',
  doc_body: 'body',
};

/** What `customer_type` may be, and the field that then names the customer (interface: Proposals, create body). */
const customers = {
  client: { wire: 'doc_client_id', noun: 'client', column: 'client_id' },
  lead: { wire: 'doc_lead_id', noun: 'lead', column: 'lead_id' },
} as const;

export function listProposals({ store }: SandboxService, query: Values): Reply {
  return listReply(store, proposalListing, query, selectProposal, 'Proposals retrieved successfully.');
}

export function getProposal({ store }: SandboxService, id: number): Reply {
  return ok(recordOf(store, id), 'Proposal retrieved successfully.');
}

/** Adds a draft and the estimate behind it; without `doc_body` a template seeds the body (interface: Proposals, create body). */
export function createProposal({ store, now }: SandboxService, body: Values): Reply {
  return store.transaction(() => {
    const problems = new Problems();
    const checked = checkedCustomer(store, proposals.fields, body, problems);
    checkExists(store, 'proposal template', checked.proposal_template, 'proposal_template', problems);
    problems.throwIfAny();
    const text = checked.doc_body ?? templateBody(store, checked.proposal_template ?? null);
    const row = { ...columnsOf(checked, columns, 'replace'), ...customerOf(body, checked), body: text };
    const { id, title, status } = existingProposal(store, insertProposal(store, row, now()));
    return created(JSON.stringify({ id, title, status }), 'Proposal created successfully.');
  });
}

/** Changes the required values; end date and body only when they are sent (interface: Proposals, update body). */
export function updateProposal({ store }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const proposal = existingProposal(store, id);
    const problems = new Problems();
    const checked = checkFields(proposals.fields, body, 'update', problems);
    checkExists(store, 'proposal category', checked.doc_categoryid, 'doc_categoryid', problems);
    const end = checked.doc_date_end === undefined ? proposal.date_end : checked.doc_date_end;
    checkNotBefore('doc_date_end', end, 'doc_date_start', checked.doc_date_start, problems);
    problems.throwIfAny();
    const changes = columnsOf(checked, columns, 'keep');
    store.update('proposals', id, { ...changes, ...keysOf(changes) });
    return ok(recordOf(store, id), 'Proposal updated successfully.');
  });
}

export function deleteProposal({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existingProposal(store, id);
    store.remove('proposals', id);
    return deleted(id, 'Proposal deleted successfully.');
  });
}

/** Sets any of the five states and clears a recorded signature, also when the state stays (interface: Proposal `status`). */
export function setProposalStatus({ store }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingProposal(store, id);
    const problems = new Problems();
    const status = checkRequired('status', proposalStatus, body, problems);
    problems.throwIfAny();
    store.update('proposals', id, { status: String(status), signed_date: null, signed_first_name: null, signed_last_name: null });
    return ok(recordOf(store, id), 'Proposal status updated successfully.');
  });
}

export function setProposalTags({ store }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingProposal(store, id);
    store.update('proposals', id, { tags: JSON.stringify(tagsIn(body)) });
    return ok(recordOf(store, id), 'Proposal tags updated successfully.');
  });
}

/** Copies body and tags into a new draft with the values of the clone body (interface: Proposals, clone body). */
export function cloneProposal({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const source = existingProposal(store, id);
    const problems = new Problems();
    const checked = checkedCustomer(store, proposalClone.fields, body, problems);
    problems.throwIfAny();
    const row = { ...columnsOf(checked, columns, 'replace'), ...customerOf(body, checked), body: source.body, tags: source.tags };
    const copy = insertProposal(store, row, now());
    return created(recordOf(store, copy), 'Proposal cloned successfully.');
  });
}

/** Adds a proposal and the estimate record behind it (interface: Proposal `status`, creation). Gives the new id. */
export function insertProposal(store: Store, row: SqlValues, time: string): number {
  const id = store.insert('proposals', { ...row, ...keysOf(row), created: time });
  store.insert('estimates', { proposal_id: id, created: time });
  return id;
}

/** The fields, the category and whom the proposal is for: of the two customers only the one that `customer_type` names. */
function checkedCustomer(store: Store, fields: readonly Field[], body: Values, problems: Problems): CheckedValues {
  const type = customerType(body);
  const unused = Object.values(customers).filter((customer) => customer !== (type && customers[type]));
  const used = fields.filter((field) => unused.every((customer) => customer.wire !== field.wire));
  if (isBlank(body.customer_type)) problems.addRequired('customer_type');
  else if (type === undefined) problems.addInvalid('customer_type');
  const checked = checkFields(used, body, 'create', problems);
  if (type !== undefined) {
    const { wire, noun } = customers[type];
    if (isBlank(body[wire])) problems.addRequired(wire, ` when customer type is ${type}`);
    checkExists(store, noun, checked[wire], wire, problems);
  }
  checkExists(store, 'proposal category', checked.doc_categoryid, 'doc_categoryid', problems);
  return checked;
}

function customerType(body: Values): keyof typeof customers | undefined {
  const type = body.customer_type;
  return type === 'client' || type === 'lead' ? type : undefined;
}

function customerOf(body: Values, checked: CheckedValues): SqlValues {
  const { wire, column } = customers[customerType(body) ?? 'client'];
  return { [column]: checked[wire] ?? null };
}

function templateBody(store: Store, id: string | number | null): string | null {
  return store.get<{ body: string }>('SELECT body FROM proposal_templates WHERE id = ?', id)?.body ?? null;
}

const keysOf = (row: SqlValues): SqlValues => ({ search: searchText(String(row.title)) });

const existingProposal = (store: Store, id: number): ProposalRow => found(proposalRow(store, id), 'Proposal');

const recordOf = (store: Store, id: number): string => found(store.json(selectProposal, id), 'Proposal');
