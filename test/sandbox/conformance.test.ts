// The embedded CRM against the hand-typed tables in rows/, once over HTTP and once in-process; and the tables themselves:
// they must reach every endpoint of the interface document.

import { describe, expect, it } from 'vitest';
import { inProcess, overHttp, runGroup } from '../support/conformance.ts';
import type { Group } from '../support/conformance-row.ts';
import { groups as contacts } from './rows/contacts.ts';
import { groups as http } from './rows/http.ts';
import { groups as items } from './rows/items.ts';
import { groups as leadActions } from './rows/lead-actions.ts';
import { groups as leads } from './rows/leads.ts';
import { groups as notes } from './rows/notes.ts';
import { groups as proposals } from './rows/proposals.ts';

const groups: Group[] = [...contacts, ...proposals, ...leads, ...leadActions, ...items, ...notes, ...http];

const endpoints = [
  'GET /api/contacts',
  'GET /api/contacts/{id}',
  'POST /api/contacts',
  'PATCH /api/contacts/{id}',
  'DELETE /api/contacts/{id}',
  'PUT /api/contacts/{id}/account-owner',
  'GET /api/proposals',
  'GET /api/proposals/{id}',
  'POST /api/proposals',
  'PATCH /api/proposals/{id}',
  'DELETE /api/proposals/{id}',
  'PUT /api/proposals/{id}/status',
  'PUT /api/proposals/{id}/tags',
  'POST /api/proposals/{id}/clone',
  'GET /api/leads',
  'GET /api/leads/{id}',
  'POST /api/leads',
  'PATCH /api/leads/{id}',
  'DELETE /api/leads/{id}',
  'PUT /api/leads/{id}/status',
  'PUT /api/leads/{id}/assigned',
  'PUT /api/leads/{id}/tags',
  'PUT /api/leads/{id}/archive',
  'PUT /api/leads/{id}/activate',
  'POST /api/leads/{id}/convert',
  'POST /api/leads/{id}/clone',
  'GET /api/leads/{id}/comments',
  'POST /api/leads/{id}/comments',
  'DELETE /api/leads/{id}/comments/{comment_id}',
  'GET /api/items',
  'GET /api/items/{id}',
  'POST /api/items',
  'PATCH /api/items/{id}',
  'DELETE /api/items/{id}',
  'GET /api/notes',
  'GET /api/notes/{id}',
  'POST /api/notes',
  'PATCH /api/notes/{id}',
  'DELETE /api/notes/{id}',
  'PUT /api/notes/{id}/tags',
];

for (const target of [overHttp, inProcess]) {
  describe(target.name, () => {
    for (const group of groups) describe(group.name, () => runGroup(target, group));
  });
}

describe('the conformance tables', () => {
  const rows = groups.flatMap((group) => group.rows);

  it('hold at least 150 rows', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });

  it('name no group twice', () => {
    expect(new Set(groups.map((group) => group.name)).size).toBe(groups.length);
  });

  it('know 40 endpoints', () => {
    expect(new Set(endpoints).size).toBe(40);
  });

  it.each(endpoints)('reach %s with success', (endpoint) => {
    const pattern = new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/ ]+')}$`);
    expect(rows.some((row) => row.status < 300 && pattern.test(`${row.method} ${row.path}`))).toBe(true);
  });
});
