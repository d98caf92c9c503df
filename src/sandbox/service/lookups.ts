// The reference records beside the five families, which can only be read: clients, categories, the team, projects and
// tasks (vendor facts: reference records). Same envelope, same pages; what no document has is not served.

import { categories } from '../../resources/categories.ts';
import { clients } from '../../resources/clients.ts';
import { projects } from '../../resources/projects.ts';
import { tasks } from '../../resources/tasks.ts';
import { team } from '../../resources/team.ts';
import { selectClient } from '../records/clients.ts';
import {
  progress,
  roleId,
  selectCategory,
  selectProject,
  selectTask,
  selectTeamMember,
  taskStatuses,
} from '../records/reference-records.ts';
import { type Listing, listReply } from './lists.ts';
import { found, ok, type Reply, type SandboxService } from './service.ts';
import type { Values } from './values.ts';

interface Lookup {
  /** What one is called, and all. */
  readonly names: readonly [singular: string, plural: string];
  readonly listing: Listing;
  /** Gives a record as JSON by its id. */
  readonly select: string;
}

/** Search in a table that keeps no text for it. */
const searchIn = (column: string): string => `instr(lower(${column}), ?) > 0`;

const taskStatusWord = `status = CASE ? ${taskStatuses.map(({ word }, index) => `WHEN ${index + 1} THEN '${word}'`).join(' ')} END`;

/** By the last part of the path. */
export const lookups = {
  clients: {
    names: ['Client', 'Clients'],
    listing: {
      table: 'clients',
      filters: clients.filters,
      where: { status: 'status = ?', category_id: 'category_id = ?' },
      sort: { client_company_name: 'company_name', client_status: 'status', client_created: 'created', client_updated: 'updated' },
      order: 'desc',
    },
    select: selectClient,
  },
  categories: {
    names: ['Category', 'Categories'],
    listing: {
      table: 'categories',
      filters: categories.filters,
      where: { type: 'type = ?', visibility: "'everyone' = ?", search: searchIn('name') },
      sort: { category_name: 'name', category_type: 'type', category_created: 'id' },
      order: 'desc',
    },
    select: selectCategory,
  },
  team: {
    names: ['Team member', 'Team members'],
    listing: {
      table: 'users',
      always: "type = 'team' AND deleted = 0",
      filters: team.filters,
      where: { status: 'status = ?', role_id: `${roleId} = ?` },
      sort: { first_name: 'first_name', last_name: 'last_name', email: 'email', created: 'created' },
      order: 'desc',
    },
    select: selectTeamMember,
  },
  projects: {
    names: ['Project', 'Projects'],
    listing: {
      table: 'projects',
      filters: projects.filters,
      where: { status: 'status = ?', client_id: 'client_id = ?', category_id: 'NULL = ?', search: searchIn('title') },
      sort: {
        project_title: 'title',
        project_status: 'status',
        project_date_start: 'start',
        project_date_due: 'due',
        project_created: 'start',
        project_progress: progress,
      },
      order: 'desc',
    },
    select: selectProject,
  },
  tasks: {
    names: ['Task', 'Tasks'],
    listing: {
      table: 'tasks',
      filters: tasks.filters,
      where: {
        project_id: 'project_id = ?',
        client_id: 'project_id IN (SELECT id FROM projects WHERE client_id = ?)',
        status: taskStatusWord,
        priority: '1 = ?',
        milestone_id: 'NULL = ?',
        assigned_user_id: 'NULL = ?',
        active_state: "'active' = ?",
        search: searchIn('title'),
      },
      sort: {
        task_title: 'title',
        task_date_due: 'id',
        task_created: '(SELECT start FROM projects WHERE projects.id = tasks.project_id)',
        task_position: 'id',
      },
      order: 'desc',
    },
    select: selectTask,
  },
} satisfies Record<string, Lookup>;

export function listLookup({ store }: SandboxService, name: keyof typeof lookups, query: Values): Reply {
  const { names, listing, select }: Lookup = lookups[name];
  return listReply(store, listing, query, select, `${names[1]} retrieved successfully.`);
}

export function getLookup({ store }: SandboxService, name: keyof typeof lookups, recordId: number): Reply {
  const { names, select }: Lookup = lookups[name];
  return ok(found(store.json(select, recordId), names[0]), `${names[0]} retrieved successfully.`);
}
