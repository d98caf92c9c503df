// Records as a service tells them, written into a store with their ids, stamps and relations: the demo data, and snapshots. What a record
// refers to and no list told (statuses, units, tax rates, a client that is gone) is made of what the record says of it.

import { hasSqliteCode } from '../files/sqlite.ts';
import { scalarText } from '../values/json.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import { userKeys } from './records/contacts.ts';
import { taskStatuses } from './records/reference-records.ts';
import { searchText } from './records/shared.ts';
import { insertItem } from './service/items.ts';
import { assignLead, insertLead } from './service/leads.ts';
import { insertNote } from './service/notes.ts';
import { insertProposal } from './service/proposals.ts';
import { actingUser } from './service/service.ts';
import type { SqlValue, SqlValues, Store } from './store/store.ts';

/** The records of a file (`leads` for leads.ndjson), in its order; none where there is no such file. */
export type RecordSource = (name: string) => Iterable<unknown>;

/** What loads each file, in an order in which a record comes after those that it refers to. */
const loaders: Readonly<Record<string, (store: Store, record: unknown) => void>> = {
  names: loadName,
  categories: (store, record) => store.insert('categories', { id: idOf(record), ...columnsAt(record, { type: 'type', name: 'name' }) }),
  team: loadTeamMember,
  clients: loadClient,
  projects: loadProject,
  tasks: loadTask,
  contacts: loadContact,
  leads: loadLead,
  comments: loadComment,
  checklists: loadChecklistItem,
  proposals: loadProposal,
  items: loadItem,
  notes: loadNote,
};

/** Writes the records of a source into a store. Gives those that it can't hold, as messages name them, each with the reason. */
export function loadRecords(store: Store, source: RecordSource): string[] {
  const lost: string[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    for (const record of source(name)) {
      try {
        load(store, record);
      } catch (error) {
        if (!(error instanceof RangeError) && !hasSqliteCode(error, 'constraint')) throw error;
        lost.push(`${name} ${textAt(record, 'id')} (${error.message})`);
      }
    }
  }
  return lost;
}

/** Makes what an embedded CRM can't do without: whom creates are attributed to, and a category for the clients of conversions. */
export function loadNeeded(store: Store): void {
  user(store, { id: actingUser, name: 'Main Administrator' });
  category(store, 'client', undefined);
}

const namesTables: Readonly<Record<string, string>> = {
  'lead-status': 'lead_statuses',
  unit: 'units',
  'tax-rate': 'tax_rates',
  'item-field': 'item_fields',
  'proposal-template': 'proposal_templates',
};

function loadName(store: Store, record: unknown): void {
  const { kind, enabled, ...row } = record as SqlValues & { readonly enabled?: boolean };
  const key = kind === 'unit' ? { name_key: String(row.name).toLowerCase() } : {};
  store.insert(namesTables[String(kind)] ?? '', { ...row, ...key, ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }) });
}

const accountPaths = {
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  phone: 'phone',
  position: 'job_position',
  facebook: 'social.facebook',
  twitter: 'social.twitter',
  linkedin: 'social.linkedin',
  github: 'social.github',
  dribbble: 'social.dribbble',
};

/** A team member or a contact. Several may have no email; where there is one, it is theirs alone. */
function account(record: unknown) {
  const row = columnsAt(record, accountPaths);
  const named = { ...row, first_name: String(row.first_name ?? ''), last_name: String(row.last_name ?? '') };
  const keys = userKeys({ ...named, email: String(row.email ?? ''), phone: textAt(record, 'phone') });
  return {
    id: idOf(record),
    ...named,
    ...keys,
    email_key: row.email === null ? null : (keys.email_key ?? null),
    status: textAt(record, 'status') ?? 'active',
    ...stampsOf(record),
  };
}

function loadTeamMember(store: Store, record: unknown): void {
  store.insert('users', { ...account(record), type: 'team' });
}

/** Nobody can sign in here, so there is no password. */
function loadContact(store: Store, record: unknown): void {
  const owner = textAt(record, 'account_owner') ?? 'no';
  store.insert('users', { ...account(record), type: 'client', client_id: client(store, valueAt(record, 'client')), account_owner: owner });
}

function loadClient(store: Store, record: unknown): void {
  const name = textAt(record, 'company_name') ?? '';
  const days = textAt(record, 'billing.invoice_due_days');
  store.insert('clients', {
    id: idOf(record),
    company_name: name,
    search: searchText(name),
    category_id: category(store, 'client', valueAt(record, 'category')),
    status: textAt(record, 'status') ?? 'active',
    ...columnsAt(record, { description: 'description', phone: 'phone', website: 'website', vat: 'vat' }),
    ...Object.fromEntries(
      ['billing', 'shipping'].flatMap((of) => addressParts.map((part) => [`${of}_${part}`, textAt(record, `${of}.${part}`)])),
    ),
    invoice_due_days: days === null ? null : Number(days),
    tags: tagsOf(record),
    ...stampsOf(record),
  });
}

const addressParts = ['street', 'city', 'state', 'zip', 'country'];

function loadProject(store: Store, record: unknown): void {
  const row = columnsAt(record, { title: 'title', status: 'status', start: 'dates.start', due: 'dates.due' });
  store.insert('projects', { id: idOf(record), ...row, client_id: client(store, valueAt(record, 'client')) });
}

function loadTask(store: Store, record: unknown): void {
  const title = textAt(record, 'status.title');
  const status = taskStatuses.find((one) => one.title === title)?.word ?? 'new';
  store.insert('tasks', {
    id: idOf(record),
    title: textAt(record, 'title'),
    status,
    project_id: project(store, textAt(record, 'project.id'), textAt(record, 'project.title')),
  });
}

const leadPaths = {
  value: 'value',
  source: 'source',
  last_contacted: 'last_contacted',
  description: 'description',
  first_name: 'contact.first_name',
  last_name: 'contact.last_name',
  email: 'contact.email',
  phone: 'contact.phone',
  job_position: 'contact.job_position',
  company_name: 'contact.company_name',
  website: 'contact.website',
  street: 'address.street',
  city: 'address.city',
  state: 'address.state',
  zip: 'address.zip',
  country: 'address.country',
};

function loadLead(store: Store, record: unknown): void {
  const stamps = stampsOf(record);
  const isConverted = valueAt(record, 'converted.is_converted') === true;
  const became = { id: valueAt(record, 'converted.client_id'), name: valueAt(record, 'contact.company_name') };
  const row = {
    id: idOf(record),
    title: textAt(record, 'title') ?? '',
    status_id: leadStatus(store, valueAt(record, 'status')),
    category_id: category(store, 'lead', valueAt(record, 'category')),
    active_state: textAt(record, 'active_state') ?? 'active',
    ...columnsAt(record, leadPaths),
    converted: isConverted ? (textAt(record, 'converted.date') ?? stamps.updated) : null,
    converted_client_id: isConverted ? client(store, became) : null,
    tags: tagsOf(record),
    updated: stamps.updated,
  };
  const id = insertLead(store, row, stamps.created);
  assignLead(
    store,
    id,
    listAt(record, 'assigned').map((one) => user(store, one)),
  );
}

function loadComment(store: Store, record: unknown): void {
  store.insert('lead_comments', {
    id: idOf(record),
    lead_id: Number(textAt(record, 'lead_id')),
    creator_id: user(store, valueAt(record, 'creator')),
    created: textAt(record, 'dates.created') ?? '',
    text: textAt(record, 'text') ?? '',
  });
}

function loadChecklistItem(store: Store, record: unknown): void {
  const row = columnsAt(record, { lead_id: 'resource.id', position: 'position', status: 'status', text: 'text' });
  store.insert('checklist_items', { id: idOf(record), ...row, ...stampsOf(record) });
}

const proposalPaths = {
  status: 'status',
  body: 'body',
  date_start: 'dates.start',
  date_end: 'dates.end',
  published: 'dates.published',
  signed_date: 'signed.date',
  signed_first_name: 'signed.first_name',
  signed_last_name: 'signed.last_name',
};

function loadProposal(store: Store, record: unknown): void {
  const lead = leadNamed(store, valueAt(record, 'lead'));
  const row = {
    id: idOf(record),
    title: textAt(record, 'title') ?? '',
    lead_id: lead,
    client_id: lead === null ? client(store, valueAt(record, 'client')) : null,
    category_id: category(store, 'proposal', valueAt(record, 'category')),
    project_id: project(store, textAt(record, 'project_id'), null),
    ...columnsAt(record, proposalPaths),
    tags: tagsOf(record),
  };
  insertProposal(store, row, stampsOf(record).created);
}

function loadItem(store: Store, record: unknown): void {
  const stamps = stampsOf(record);
  const fields = listAt(record, 'custom_fields').filter((one) => textAt(one, 'value') !== null);
  for (const one of listAt(record, 'custom_fields')) named(store, 'item_fields', one, (name) => ({ name, enabled: 1 }));
  const row = {
    id: idOf(record),
    type: textAt(record, 'type') ?? 'standard',
    tax_status: textAt(record, 'tax_status') ?? 'taxable',
    ...columnsAt(record, { description: 'description', rate: 'rate', notes: 'notes', estimation_notes: 'estimation_notes' }),
    category_id: category(store, 'item', valueAt(record, 'category')),
    unit_id: named(store, 'units', valueAt(record, 'unit'), (name) => ({ name, name_key: name.toLowerCase() })),
    tax_rate_id: named(store, 'tax_rates', valueAt(record, 'default_tax'), (name) => ({ name, rate: '0.00' })),
    creator_id: creator(store, record),
    custom_fields: JSON.stringify(Object.fromEntries(fields.map((one) => [textAt(one, 'id'), valueAt(one, 'value')]))),
    updated: stamps.updated,
  };
  insertItem(store, row, stamps.created);
}

function loadNote(store: Store, record: unknown): void {
  const stamps = stampsOf(record);
  const resource = textAt(record, 'resource.id');
  const row = {
    id: idOf(record),
    ...columnsAt(record, { title: 'title', description: 'description', resource_type: 'resource.type' }),
    visibility: textAt(record, 'visibility') ?? 'public',
    resource_id: resource === null ? null : Number(resource),
    sticky: valueAt(record, 'sticky') === true ? 1 : 0,
    creator_id: creator(store, record),
    tags: tagsOf(record),
    updated: stamps.updated,
  };
  insertNote(store, row, stamps.created);
}

/** The id of what a record refers to, made of the name that the record tells where there is none yet; without an id the first of its kind. */
function named(store: Store, table: string, told: unknown, row: (name: string) => SqlValues, of: SqlValues = {}): number {
  const id = textAt(told, 'id');
  const [where, values] = id === null ? [Object.keys(of).map((name) => `${name} = ?`), Object.values(of)] : [['id = ?'], [Number(id)]];
  const found = store.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${[...where, '1'].join(' AND ')} ORDER BY id LIMIT 1`, ...values);
  if (found !== undefined) return found.id;
  const name = textAt(told, 'name') ?? textAt(told, 'title') ?? textAt(told, 'company_name') ?? (id === null ? 'General' : `No. ${id}`);
  return store.insert(table, { id: id === null ? idOfOwn(store, table) : Number(id), ...of, ...row(name) });
}

/** What no record names has an id that no record will have. */
const idOfOwn = (store: Store, table: string): number =>
  store.get<{ id: number }>(`SELECT max(1000000000, coalesce(max(id), 0) + 1) AS id FROM ${table}`)?.id ?? 1;

const category = (store: Store, type: string, told: unknown): number => named(store, 'categories', told, (name) => ({ name }), { type });

const leadStatus = (store: Store, told: unknown): number =>
  named(store, 'lead_statuses', told, (title) => ({ title, color: textAt(told, 'color') ?? '#94a3b8' }));

/** The client that a record tells; null where it tells none. */
function client(store: Store, told: unknown): number | null {
  if (textAt(told, 'id') === null) return null;
  const row = (name: string): SqlValues => ({
    company_name: name,
    search: searchText(name),
    category_id: category(store, 'client', undefined),
    ...unknownStamps,
  });
  return named(store, 'clients', told, row);
}

/** The lead that a proposal tells, which may be of no snapshot's list. */
function leadNamed(store: Store, told: unknown): number | null {
  const id = textAt(told, 'id');
  if (id === null) return null;
  if (store.get('SELECT 1 FROM leads WHERE id = ?', Number(id)) === undefined) loadLead(store, { id, title: textAt(told, 'name') });
  return Number(id);
}

function project(store: Store, id: string | null, title: string | null): number | null {
  if (id === null) return null;
  return named(store, 'projects', { id, title }, (name) => ({ title: name, status: 'in_progress' }));
}

/** Somebody of the team, as far as a record tells who it is. */
function user(store: Store, told: unknown): number {
  const row = (name: string): SqlValues => {
    const [, first = '', last = ''] = /^(\S*)\s*(.*)$/s.exec(name) ?? [];
    const person = { first_name: first, last_name: last };
    return { ...person, ...userKeys({ ...person, email: '', phone: null }), email_key: null, type: 'team', ...unknownStamps };
  };
  return named(store, 'users', told, row);
}

const creator = (store: Store, record: unknown): number => user(store, { id: valueAt(record, 'creator_id') ?? actingUser });

/** Of what is known by its name alone. */
const unknownStamps = { created: '1970-01-01T00:00:00.000000Z', updated: '1970-01-01T00:00:00.000000Z' };

function stampsOf(record: unknown): { created: string; updated: string } {
  const created = textAt(record, 'dates.created') ?? '';
  return { created, updated: textAt(record, 'dates.updated') ?? created };
}

/** The text of a value, numbers digit for digit; null where there is none. */
function textAt(record: unknown, path: string): string | null {
  const value = valueAt(record, path);
  return value === undefined || value === null ? null : scalarText(value);
}

const columnsAt = <Name extends string>(record: unknown, paths: Readonly<Record<Name, string>>): Record<Name, SqlValue> =>
  Object.fromEntries(Object.entries<string>(paths).map(([column, path]) => [column, textAt(record, path)])) as Record<Name, SqlValue>;

function listAt(record: unknown, path: string): unknown[] {
  const list = valueAt(record, path);
  return Array.isArray(list) ? list.filter(isMembers) : [];
}

function tagsOf(record: unknown): string {
  const tags = valueAt(record, 'tags');
  return JSON.stringify(Array.isArray(tags) ? tags : []);
}

function idOf(record: unknown): number {
  const id = Number(textAt(record, 'id'));
  if (!Number.isSafeInteger(id) || id < 1) throw new RangeError('its id is no whole number that can be kept');
  return id;
}
