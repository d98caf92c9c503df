// What the embedded CRM serves is what docs/openapi.json has, no less and no more; of the routes only their methods and paths are looked at.

import { expect, it } from 'vitest';
import { routes } from '../../src/sandbox/http/routes.ts';
import { endpoints, referenceEndpoints } from '../support/endpoints.ts';

/** The vendor facts have it, the document doesn't. */
const undocumented = 'GET /api/checklists';

it('serves exactly the documented paths', () => {
  const served = routes.map(([method, path]) => `${method} ${path.replace(/:\w+/g, '{id}')}`);
  const documented = [...endpoints, ...referenceEndpoints].map((endpoint) => endpoint.replace(/\{\w+\}/g, '{id}'));
  expect(served.sort()).toEqual([...documented, undocumented].sort());
});
