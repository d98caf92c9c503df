// Team members, categories, projects and tasks as they read back (vendor facts: reference records). What the vendor
// documents and this CRM has no use for reads back as empty as it can be.

import { actingUser } from '../service/service.ts';
import { jsonObject, userName } from './shared.ts';

const none = 'NULL';
const noList = "json('[]')";

/** The acting user is the main administrator; everybody else of the team is staff. */
export const roleId = `iif(users.id = ${actingUser}, 1, 3)`;

/** A team member's record as JSON, by its id. */
export const selectTeamMember = `SELECT ${jsonObject({
  id: 'users.id',
  first_name: 'users.first_name',
  last_name: 'users.last_name',
  name: userName('users'),
  email: 'users.email',
  phone: 'users.phone',
  job_position: 'users.position',
  role: { id: roleId, name: `iif(${roleId} = 1, 'Administrator', 'Staff')` },
  status: 'users.status',
  dashboard_access: "'yes'",
  social: {
    facebook: 'users.facebook',
    twitter: 'users.twitter',
    linkedin: 'users.linkedin',
    github: 'users.github',
    dribbble: 'users.dribbble',
  },
  dates: { created: 'users.created', updated: 'users.updated' },
})} AS json FROM users WHERE users.id = ? AND users.type = 'team' AND users.deleted = 0`;

const uses = ['leads', 'proposals', 'items', 'clients'].map((table) => `(SELECT count(*) FROM ${table} WHERE category_id = c.id)`);

/** Categories are there from the beginning: this CRM makes none. */
const opened = "(SELECT min(created) FROM users WHERE type = 'team')";

/** A category's record as JSON, by its id. */
export const selectCategory = `SELECT ${jsonObject({
  id: 'c.id',
  name: 'c.name',
  description: none,
  type: 'c.type',
  visibility: "'everyone'",
  icon: none,
  system_default: "'no'",
  slug: "c.id || '-' || lower(replace(c.name, ' ', '-'))",
  count: uses.join(' + '),
  users_count: '0',
  dates: { created: opened, updated: opened },
})} AS json FROM categories c WHERE c.id = ?`;

/** A project's progress in percent: nothing here measures what lies between. */
export const progress = "iif(projects.status = 'completed', 100, 0)";

/** A project's record as JSON, by its id. */
export const selectProject = `SELECT ${jsonObject({
  id: 'projects.id',
  title: 'projects.title',
  description: none,
  reference: none,
  status: 'projects.status',
  active_state: "'active'",
  progress,
  client: { id: 'c.id', name: 'c.company_name' },
  category: { id: none, name: none },
  dates: {
    start: 'projects.start',
    due: 'projects.due',
    created: "projects.start || 'T09:00:00.000000Z'",
    updated: "projects.start || 'T09:00:00.000000Z'",
  },
  assigned: noList,
  managers: noList,
  tags: noList,
})} AS json FROM projects LEFT JOIN clients c ON c.id = projects.client_id WHERE projects.id = ?`;

/** The statuses of tasks, by the word that is stored. */
export const taskStatuses = [
  { word: 'new', title: 'New', color: '#94a3b8' },
  { word: 'in_progress', title: 'In Progress', color: '#38bdf8' },
  { word: 'awaiting_feedback', title: 'Awaiting Feedback', color: '#f59e0b' },
  { word: 'completed', title: 'Completed', color: '#22c55e' },
] as const;

const statusRows = taskStatuses
  .map(({ word, title, color }, index) => `SELECT ${index + 1} AS id, '${word}' AS word, '${title}' AS title, '${color}' AS color`)
  .join(' UNION ALL ');

/** A task's record as JSON, by its id. */
export const selectTask = `SELECT ${jsonObject({
  id: 't.id',
  title: 't.title',
  description: none,
  status: { id: 's.id', title: 's.title', color: 's.color' },
  priority: { id: '1', title: "'Normal'", color: "'#94a3b8'" },
  active_state: "'active'",
  project: { id: 'p.id', title: 'p.title' },
  client: { id: 'c.id', name: 'c.company_name' },
  dates: { start: none, due: none, created: "p.start || 'T09:00:00.000000Z'", updated: "p.start || 'T09:00:00.000000Z'" },
  assigned: noList,
  tags: noList,
})} AS json FROM tasks t JOIN projects p ON p.id = t.project_id LEFT JOIN clients c ON c.id = p.client_id
  LEFT JOIN (${statusRows}) s ON s.word = t.status WHERE t.id = ?`;
