// Read-only lists beside the five families, for choosing ids: clients, categories, the team, statuses and the like
// (vendor facts: other families). Same envelope, same pages; records are plain rows but for clients.

import { choice, type Filter, text } from '../../resources/define.ts';
import { clientRecord } from '../records/clients.ts';
import type { Store } from '../store/store.ts';
import { type Listing, listReply } from './lists.ts';
import { found, ok, type Reply, type Service } from './service.ts';
import type { Values } from './values.ts';

interface Lookup {
  readonly title: string;
  readonly listing: Listing;
  readonly record: (store: Store, id: number) => string | undefined;
}

const search: Filter = { flag: 'search', wire: 'search', type: text, help: '' };
const categoryType: Filter = { flag: 'type', wire: 'type', type: choice('lead', 'proposal', 'item', 'client'), help: '' };

const byId = (table: string): Listing => ({ table, filters: [], where: {}, sort: {}, order: 'asc' });

/** Records of plain columns. */
const row =
  (sql: string) =>
  (store: Store, id: number): string | undefined => {
    const columns = store.get(sql, id);
    return columns === undefined ? undefined : JSON.stringify(columns);
  };

/** By the last part of the path. */
export const lookups = {
  clients: {
    title: 'Clients',
    listing: { ...byId('clients'), filters: [search], sort: { company_name: 'company_name' } },
    record: clientRecord,
  },
  categories: {
    title: 'Categories',
    listing: { ...byId('categories'), filters: [categoryType], where: { type: 'type = ?' } },
    record: row('SELECT id, name, type FROM categories WHERE id = ?'),
  },
  team: {
    title: 'Team members',
    listing: { ...byId('users'), always: "type = 'team' AND deleted = 0", filters: [search] },
    record: row(`SELECT id, first_name, last_name, first_name || ' ' || last_name AS name, email, phone,
      position AS job_position, status FROM users WHERE id = ?`),
  },
  leadstatuses: {
    title: 'Lead statuses',
    listing: byId('lead_statuses'),
    record: row('SELECT id, title, color FROM lead_statuses WHERE id = ?'),
  },
  units: { title: 'Units', listing: byId('units'), record: row('SELECT id, name FROM units WHERE id = ?') },
  taxrates: { title: 'Tax rates', listing: byId('tax_rates'), record: row('SELECT id, name, rate FROM tax_rates WHERE id = ?') },
  projects: {
    title: 'Projects',
    listing: byId('projects'),
    record: row('SELECT id, title, client_id, status, start, due FROM projects WHERE id = ?'),
  },
  tasks: { title: 'Tasks', listing: byId('tasks'), record: row('SELECT id, title, project_id, status FROM tasks WHERE id = ?') },
} satisfies Record<string, Lookup>;

export function listLookup({ store }: Service, name: keyof typeof lookups, query: Values): Reply {
  const { title, listing, record }: Lookup = lookups[name];
  return listReply(store, listing, query, record, `${title} retrieved successfully.`);
}

export function getClient({ store }: Service, id: number): Reply {
  return ok(found(clientRecord(store, id), 'Client'), 'Client retrieved successfully.');
}
