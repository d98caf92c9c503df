// Whether the records that a request refers to exist. Each function takes a checked id and ignores an absent one, since the
// field's own check has reported that already.

import type { Store } from '../store/store.ts';
import type { Problems } from './values.ts';

const queries = {
  client: 'SELECT 1 FROM clients WHERE id = ?',
  lead: 'SELECT 1 FROM leads WHERE id = ?',
  project: 'SELECT 1 FROM projects WHERE id = ?',
  task: 'SELECT 1 FROM tasks WHERE id = ?',
  user: 'SELECT 1 FROM users WHERE id = ? AND deleted = 0',
  'team member': "SELECT 1 FROM users WHERE id = ? AND type = 'team' AND deleted = 0",
  'lead status': 'SELECT 1 FROM lead_statuses WHERE id = ?',
  'lead category': "SELECT 1 FROM categories WHERE id = ? AND type = 'lead'",
  'proposal category': "SELECT 1 FROM categories WHERE id = ? AND type = 'proposal'",
  'item category': "SELECT 1 FROM categories WHERE id = ? AND type = 'item'",
  'proposal template': 'SELECT 1 FROM proposal_templates WHERE id = ?',
  'tax rate': 'SELECT 1 FROM tax_rates WHERE id = ?',
  unit: 'SELECT 1 FROM units WHERE id = ?',
} as const;

export type Noun = keyof typeof queries;

export function exists(store: Store, noun: Noun, id: number): boolean {
  return store.get(queries[noun], id) !== undefined;
}

/** Notes `The selected … is invalid.` under `name` when `id` was given and nothing has it. */
export function checkExists(store: Store, noun: Noun, id: unknown, name: string, problems: Problems): void {
  if (typeof id === 'number' && !exists(store, noun, id)) problems.addInvalid(name);
}

/** Notes `… has already been taken.` when a user other than `self` has this email (vendor facts: uniqueness of emails). */
export function checkEmailFree(store: Store, email: unknown, name: string, self: number | null, problems: Problems): void {
  if (typeof email !== 'string') return;
  const holder = store.get<{ id: number }>('SELECT id FROM users WHERE email_key = ?', email.toLowerCase());
  if (holder !== undefined && holder.id !== self) problems.add(name, 'The email has already been taken.');
}
