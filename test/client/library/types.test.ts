// The types of `crm-admin/client` are made from the declarations, and some of its calls are written by hand: both name the same.

import { expect, it } from 'vitest';
import { clientTypes } from '../../../build/client-types.ts';
import { openClient } from '../../../src/client/library/client.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';

const types = clientTypes([...resources, ...referenceFamilies], './types');
const families = [...types.matchAll(/^ {2}readonly (\w+): (\w+Calls);$/gm)].map(([, family = '', calls = '']) => [family, calls] as const);

/** The calls that an interface of the types has, with those of what it extends. */
function typedCalls(name: string): string[] {
  const [, base, body = ''] = new RegExp(`^export interface ${name} extends (\\w+)<[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(types) ?? [];
  const own = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, call = '']) => call);
  return [...own, 'list', 'get', ...(base === 'Writes' ? ['create', 'update', 'delete'] : [])];
}

it.each(families)('%s has the calls of %s', async (family, calls) => {
  const client: Record<string, object> = await openClient({ baseUrl: 'https://crm.example.com', key: 'library-test-key-1234' });
  expect(Object.keys(client[family] ?? {}).sort()).toEqual(typedCalls(calls).sort());
});

it('every family is there', () => expect(families).toHaveLength(resources.length + referenceFamilies.length));

const key: string | undefined = 'library-test-key-1234';

it('options may be undefined, as values of the environment are', async () => {
  const options = { baseUrl: 'https://crm.example.com', key: process.env.NOT_SET ?? key, retries: undefined, fetch: undefined };
  // The compiler judges this, under exactOptionalPropertyTypes.
  expect(await openClient(options)).toHaveProperty('leads');
});
