// The rules of leads, but for conversion and comments (interface: Endpoints, Leads; Lead `active_state`; Lead status).

import { leadClone, leads } from '../../resources/leads.ts';
import { type LeadRow, leadKeys, leadRow, leadStatus, selectLead } from '../records/leads.ts';
import type { SqlValues, Store } from '../store/store.ts';
import { copyChecklist } from './checklists.ts';
import { checkExists, exists } from './existing.ts';
import { type Listing, listReply } from './lists.ts';
import { created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { idsIn, tagsIn } from './sets.ts';
import { checkFields, checkRequired, columnsOf, isBlank, Problems, type Values } from './values.ts';

export const leadListing: Listing = {
  table: 'leads',
  ids: 'leads_id',
  filters: leads.filters,
  where: {
    status: 'status_id = ?',
    category_id: 'category_id = ?',
    source: 'source = ?',
    active_state: 'active_state = ?',
    assigned_user_id: 'id IN (SELECT lead_id FROM lead_assigned WHERE user_id = ?)',
  },
  broad: 'active_state',
  sort: { lead_title: 'title', lead_value: 'value_key', lead_created: 'created', lead_last_contacted: 'last_contacted' },
  order: 'desc',
};

const columns = {
  lead_title: 'title',
  lead_status: 'status_id',
  lead_categoryid: 'category_id',
  lead_firstname: 'first_name',
  lead_lastname: 'last_name',
  lead_email: 'email',
  lead_phone: 'phone',
  lead_job_position: 'job_position',
  lead_company_name: 'company_name',
  lead_website: 'website',
  lead_value: 'value',
  lead_source: 'source',
  lead_last_contacted: 'last_contacted',
  lead_description: 'description',
  lead_street: 'street',
  lead_city: 'city',
  lead_state: 'state',
  lead_zip: 'zip',
  lead_country: 'country',
};

/** What a clone takes over from its source, beside the category and the values that its body may replace. */
const clonedColumns = [
  ...['category_id', 'first_name', 'last_name', 'email', 'phone', 'job_position', 'company_name', 'website', 'value', 'source'],
  ...['last_contacted', 'description', 'street', 'city', 'state', 'zip', 'country', 'tags', 'custom_fields'],
] as const;

export function listLeads({ store }: SandboxService, query: Values): Reply {
  return listReply(store, leadListing, query, selectLead, 'Leads retrieved successfully.');
}

export function getLead({ store }: SandboxService, id: number): Reply {
  return ok(recordOf(store, id), 'Lead retrieved successfully.');
}

export function createLead({ store, now }: SandboxService, body: Values): Reply {
  return store.transaction(() => {
    const row = leadColumns(store, body, 'create');
    const id = insertLead(store, row, now());
    const { title, status_id } = existingLead(store, id);
    return created(JSON.stringify({ id, title, status: leadStatus(store, status_id) }), 'Lead created successfully.');
  });
}

/** Replaces all editable values: what is not sent becomes null (interface: Leads, create body). */
export function updateLead({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    const row = leadColumns(store, body, 'update');
    store.update('leads', id, { ...row, ...keysOf(row), updated: now() });
    return ok(recordOf(store, id), 'Lead updated successfully.');
  });
}

export function deleteLead({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    removeLead(store, id);
    return deleted(id, 'Lead deleted successfully.');
  });
}

export function setLeadStatus({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    const problems = new Problems();
    const status = checkRequired('status', { kind: 'id' }, body, problems);
    checkExists(store, 'lead status', status, 'status', problems);
    problems.throwIfAny();
    store.update('leads', id, { status_id: Number(status), updated: now() });
    return ok(recordOf(store, id), 'Lead status updated successfully.');
  });
}

/** Replaces the assignees by the team members in `assigned` (interface: Leads, assigned body). */
export function setLeadAssigned({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    const userIds = idsIn('assigned', body, (userId) => exists(store, 'team member', userId));
    store.run('DELETE FROM lead_assigned WHERE lead_id = ?', id);
    assignLead(store, id, userIds);
    store.update('leads', id, { updated: now() });
    return ok(recordOf(store, id), 'Lead assignees updated successfully.');
  });
}

export function setLeadTags({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    store.update('leads', id, { tags: JSON.stringify(tagsIn(body)), updated: now() });
    return ok(recordOf(store, id), 'Lead tags updated successfully.');
  });
}

/** Sets `active_state`, from whichever state (interface: Lead `active_state`). */
export function setLeadActiveState({ store, now }: SandboxService, id: number, state: 'active' | 'archived'): Reply {
  return store.transaction(() => {
    existingLead(store, id);
    store.update('leads', id, { active_state: state, updated: now() });
    const message = state === 'archived' ? 'Lead archived successfully.' : 'Lead activated successfully.';
    return ok(recordOf(store, id), message);
  });
}

/**
 * Copies a lead: what the clone body sends replaces the source's values, the rest and the tags are taken over, the checklist
 * with `copy_checklist=on`. Assignees, comments and a conversion are not. There are no files here for `copy_files` to copy.
 */
export function cloneLead({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const source = existingLead(store, id);
    const problems = new Problems();
    const checked = checkFields(leadClone.fields, body, 'create', problems);
    checkExists(store, 'lead status', checked.lead_status, 'lead_status', problems);
    problems.throwIfAny();
    const taken = Object.fromEntries(clonedColumns.map((column) => [column, source[column]]));
    const time = now();
    const copy = insertLead(store, { ...taken, ...columnsOf(checked, columns, 'keep') }, time);
    if (checked.copy_checklist === 'on') copyChecklist(store, id, copy, time);
    return created(recordOf(store, copy), 'Lead cloned successfully.');
  });
}

/** Adds a lead; the columns hold at least title, status_id and category_id. Gives the new id. */
export function insertLead(store: Store, row: SqlValues, time: string): number {
  return store.insert('leads', { created: time, updated: time, ...row, ...keysOf(row) });
}

/** Assigns team members in this order to a lead that has none. */
export function assignLead(store: Store, id: number, userIds: readonly number[]): void {
  userIds.forEach((userId, position) => {
    store.run('INSERT INTO lead_assigned (lead_id, position, user_id) VALUES (?, ?, ?)', id, position, userId);
  });
}

/** Removes a lead with its comments, assignees, proposals and notes. */
export function removeLead(store: Store, id: number): void {
  store.run("DELETE FROM notes WHERE resource_type = 'lead' AND resource_id = ?", id);
  store.remove('leads', id);
}

export function existingLead(store: Store, id: number): LeadRow {
  return found(leadRow(store, id), 'Lead');
}

/** The columns that a body sets: all of them, for what is not sent becomes null. */
function leadColumns(store: Store, body: Values, mode: 'create' | 'update'): SqlValues {
  const problems = new Problems();
  const checked = checkFields(leads.fields, body, mode, problems);
  checkExists(store, 'lead status', checked.lead_status, 'lead_status', problems);
  checkExists(store, 'lead category', checked.lead_categoryid, 'lead_categoryid', problems);
  const custom = customFields(store, body, problems);
  problems.throwIfAny();
  return { ...columnsOf(checked, columns, 'replace'), custom_fields: JSON.stringify(custom) };
}

/**
 * The values sent for custom fields of the lead kind, by name; the required ones must be sent (interface: Leads, create
 * body). They are kept and not shown: the documented record of a lead has no place for them.
 */
function customFields(store: Store, body: Values, problems: Problems): Record<string, unknown> {
  const fields = store.all<{ name: string; required: number }>('SELECT name, required FROM lead_fields ORDER BY id');
  for (const { name, required } of fields) if (required && isBlank(body[name])) problems.addRequired(name);
  return Object.fromEntries(fields.filter(({ name }) => !isBlank(body[name])).map(({ name }) => [name, body[name]]));
}

function keysOf(row: SqlValues): SqlValues {
  const text = (column: string): string | null => (typeof row[column] === 'string' ? row[column] : null);
  return leadKeys({ title: text('title') ?? '', company_name: text('company_name'), email: text('email'), value: text('value') });
}

const recordOf = (store: Store, id: number): string => found(store.json(selectLead, id), 'Lead');
