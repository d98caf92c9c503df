// The embedded CRM against the hand-typed tables in rows/, in this process (over-http.test.ts takes a sample over HTTP); and the
// tables themselves: they must reach every endpoint that is documented.

import { describe, expect, it } from 'vitest';
import { inProcess, runGroup } from '../support/conformance.ts';
import type { Group } from '../support/conformance-row.ts';
import { endpointOf, endpoints, referenceEndpoints } from '../support/endpoints.ts';
import { groups as contacts } from './rows/contacts.ts';
import { groups as http } from './rows/http.ts';
import { groups as items } from './rows/items.ts';
import { groups as leadActions } from './rows/lead-actions.ts';
import { groups as leads } from './rows/leads.ts';
import { groups as notes } from './rows/notes.ts';
import { groups as proposals } from './rows/proposals.ts';
import { groups as reference } from './rows/reference.ts';

const groups: Group[] = [...contacts, ...proposals, ...leads, ...leadActions, ...items, ...notes, ...reference, ...http];

for (const group of groups) describe(group.name, () => runGroup(inProcess, group));

describe('the conformance tables', () => {
  const rows = groups.flatMap((group) => group.rows);

  it('hold at least 150 rows', () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
  });

  it('name no group twice', () => {
    expect(new Set(groups.map((group) => group.name)).size).toBe(groups.length);
  });

  it.each([...endpoints, ...referenceEndpoints])('reach %s with success', (endpoint) => {
    expect(
      rows.some((row) => row.status < 300 && endpointOf(row) === endpoint),
      'no row of test/sandbox/rows/ has this request with success',
    ).toBe(true);
  });
});
