// Every family of the store. A family of the store is a declaration and two further things: the members that a search reads, and the
// members that a new record begins with.

import { id, reference, text } from '../../model/define.ts';
import { categories as categoryFamily } from '../../model/resources/categories.ts';
import { clients as clientFamily } from '../../model/resources/clients.ts';
import { contacts as contactFamily } from '../../model/resources/contacts.ts';
import { items as itemFamily } from '../../model/resources/items.ts';
import { leadComments, leads as leadFamily } from '../../model/resources/leads.ts';
import { notes as noteFamily } from '../../model/resources/notes.ts';
import { projects as projectFamily } from '../../model/resources/projects.ts';
import { proposals as proposalFamily } from '../../model/resources/proposals.ts';
import { tasks as taskFamily } from '../../model/resources/tasks.ts';
import { team as teamFamily } from '../../model/resources/team.ts';
import { type FamilyTable, familyTable, tablesOf } from './family-table.ts';

/** The id of the administrative user that every new record names as its creator (interface: Authentication, 2). */
export const actingUser = 1;

const person = ['first_name', 'last_name', 'email', 'phone'];
const uses = ['leads', 'proposals', 'items', 'clients'].map((table) => `(SELECT count(*) FROM ${table} WHERE category_id = categories.id)`);

export const categories = familyTable(categoryFamily, { searched: ['name'], shown: `json_set(doc, '$.count', ${uses.join(' + ')})` });
export const team = familyTable(teamFamily, { searched: person });
export const clients = familyTable(clientFamily, { searched: ['company_name'], begins: { status: 'active' }, broad: 'status' });
export const projects = familyTable(projectFamily, { searched: ['title'] });
export const tasks = familyTable(taskFamily, { searched: ['title'] });
/** Contacts and team members are users: no contact has the id of a team member. */
export const contacts = familyTable(contactFamily, {
  searched: person,
  begins: { account_owner: 'no', status: 'active', role: { id: 2, name: 'Client' } },
  broad: 'status',
  idsWith: 'team',
});
export const leads = familyTable(leadFamily, {
  searched: ['title', 'contact.company_name', 'contact.email'],
  begins: { active_state: 'active', converted: { is_converted: false } },
  broad: 'active_state',
});
/** The status filter of proposals takes any text: the interface lists no values for the filter. */
export const proposals = familyTable(
  { ...proposalFamily, filters: proposalFamily.filters.map((one) => (one.wire === 'status' ? { ...one, type: text } : one)) },
  { searched: ['title'], begins: { status: 'draft' } },
);
export const items = familyTable(itemFamily, {
  searched: ['description', 'notes'],
  begins: { type: 'standard', tax_status: 'taxable', creator_id: actingUser },
});
export const notes = familyTable(noteFamily, {
  searched: ['title', 'description'],
  begins: { visibility: 'public', creator_id: actingUser },
  broad: 'visibility',
});

/** Lead comments. A comment keeps the id of its lead. Snapshots have the id, answers leave the id out. */
export const comments = familyTable(
  {
    ...leadComments.records,
    name: leadComments.name,
    record: [...leadComments.records.record, 'lead_id'],
    filters: [{ flag: 'lead', wire: 'lead_id', type: id, read: 'lead_id', help: '' }],
    sort: {},
    defaultOrder: 'asc',
  },
  { searched: [], shown: "json_remove(doc, '$.lead_id')" },
);

/** The checklist items of leads, which are only read and copied (interface: conventions, 6). */
export const checklists = familyTable(
  {
    name: 'checklists',
    singular: 'checklist',
    record: [
      ...['id', 'text', 'status', 'position', 'resource.type', 'resource.id'],
      ...['comments_count', 'dates.created', 'dates.updated'],
    ],
    types: { position: { kind: 'integer' } },
    columns: [],
    filters: [{ flag: 'resource', wire: 'resource', type: reference('lead'), help: '' }],
    sort: { position: 'position' },
    defaultOrder: 'asc',
  },
  { searched: [], begins: { comments_count: 0 } },
);

/** Every family, referred-to families first: a snapshot is loaded in this order. */
export const familyTables: readonly FamilyTable[] = [
  ...[categories, team, clients, projects, tasks, contacts],
  ...[leads, comments, checklists, proposals, items, notes],
];

/**
 * The tables beside the families. `names`: statuses, units and other things without a list, with the name in lower case as `key`.
 * `lead_fields`: custom fields of leads, which a body must send when required. `meta`: the records that the sandbox began with.
 */
const others = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE names (kind TEXT NOT NULL, id INTEGER NOT NULL, key TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID;
CREATE TABLE lead_fields (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, required INTEGER NOT NULL DEFAULT 1) STRICT;
`;

/** The SQL that makes every table and index. */
export const schema = (): string => others + familyTables.map(tablesOf).join(';\n');

/** Marks a SQLite file as a sandbox ("crmS"). */
export const applicationId = 0x63726d53;

/**
 * The format of the file: its tables, and the members of records. A file of another format is refused: an older one is made anew, since a
 * sandbox holds no customer's data, and a newer one stays as it is.
 */
export const format = 1;

/** The format of a file by the number in it. Files of 0.2 have format 1 under another number, a hash. */
export const formatOf = (number: number): number => (number === -940_463_737 ? 1 : number);
