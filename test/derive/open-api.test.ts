// The OpenAPI document: the committed file, what stands in it against lists typed by hand from the interface document, and its
// examples, which are sent to the embedded CRM. `npm run generate` writes docs/openapi.json again.

import { expect, it } from 'vitest';
import { type Endpoint, endpointsOf, openApi } from '../../src/derive/open-api.ts';
import { samples } from '../../src/derive/samples.ts';
import { referenceFamilies, resources } from '../../src/resources/index.ts';
import { fill } from '../../src/sandbox/create.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { version } from '../../src/version.ts';
import { type Answered, sender } from '../sandbox/service/support.ts';
import { endpoints, referenceEndpoints } from '../support/endpoints.ts';

const families = [...resources, ...referenceFamilies];
const operations = families.flatMap((family) => endpointsOf(family));

/** Sends the sample of an operation to a sandbox of its own. */
async function replayed({ method, path, operation: { operationId } }: Endpoint): Promise<Answered> {
  const { id = 1, childId = 1, body } = samples[operationId] ?? {};
  const store = openStore(':memory:', { mode: 'create' });
  fill(store, true);
  try {
    const query = operationId.startsWith('list') && !path.includes('{') ? '?limit=1' : '';
    return await sender(store)(method.toUpperCase(), path.replace('{id}', String(id)).replace(/\{\w+\}/, String(childId)) + query, body);
  } finally {
    store.close();
  }
}

const answered = new Map<string, Answered>();
for (const one of operations) answered.set(one.operation.operationId, await replayed(one));
const document = openApi(families, version, Object.fromEntries([...answered].map(([name, { body }]) => [name, body])));

it('the committed document is what the declarations say', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});

it('has exactly the documented endpoints', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((one) => `${one.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual([...endpoints, ...referenceEndpoints].sort());
});

it('every sample is of an operation', () => {
  expect(Object.keys(samples).filter((name) => !answered.has(name))).toEqual([]);
});

it.each(operations.map((one) => [one.operation.operationId, one] as const))(
  '%s: the sample is done as described',
  (name, { operation }) => {
    const [status, body] = [answered.get(name)?.status, answered.get(name)?.body];
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(Object.keys(operation.responses)).toContain(String(status));
  },
);
