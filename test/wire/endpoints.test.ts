// Every endpoint that is documented has a command: the wire cases, whose requests are checked to the last one, reach them all.

import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { endpointOf, endpoints, referenceEndpoints } from '../support/endpoints.ts';
import { jsonOf, operations, resolved } from '../support/open-api.ts';
import type { WireCase } from '../support/wire-case.ts';

const cases: WireCase[] = [];

// The other files of this folder, read for their cases instead of being run.
vi.mock('../support/wire.ts', () => ({ wireCases: (_title: string, some: WireCase[]) => cases.push(...some) }));

const others = globSync('*.test.ts', { cwd: import.meta.dirname }).filter((name) => name !== basename(import.meta.filename));
for (const name of others) await import(join(import.meta.dirname, name));

/** What the commands send by themselves: `crm api` sends whatever it is told. */
const sent = cases.filter(({ argv }) => !argv.includes('api')).flatMap(({ exchanges }) => exchanges.map(({ request }) => request));

it.each([...endpoints, ...referenceEndpoints])('%s has a command', (endpoint) => {
  expect(
    sent.some((request) => endpointOf(request) === endpoint),
    'no row of test/wire/ sends this request',
  ).toBe(true);
});

it.each(operations.filter(({ requestBody }) => requestBody !== undefined))('$endpoint: each name of the body is sent', (operation) => {
  const requests = sent.filter((request) => endpointOf(request) === operation.endpoint);
  const names = requests.flatMap(({ form = [], json }) => [...form.map(([name]) => name), ...Object.keys(Object(json))]);
  const { properties = {} } = resolved(jsonOf(operation.requestBody ?? {}));
  // One custom field stands for all.
  const wanted = Object.keys(properties).filter((name) => !/_field_([2-9]|\d\d)$/.test(name));
  const missing = wanted.filter((name) => !names.includes(name) && !names.includes(`${name}[]`));
  expect(missing, 'no row of test/wire/ sends these names').toEqual([]);
});

/** Lists that are searched for names (vendor facts: reference records). */
const searched = /^\/api\/(clients|team|categories)$/;

it('nothing else is sent', () => expect(
  sent.filter((request) => endpointOf(request) === undefined && !searched.test(request.path)), 'not in docs/openapi.json'
).toEqual([]));
