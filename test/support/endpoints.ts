// The 40 endpoints of the interface document and those of the reference records, typed by hand from its tables and from the
// vendor facts.

export const endpoints = [
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

/** What the vendor documents beside them, and an installation may lack. */
export const referenceEndpoints = [
  'GET /api/clients',
  'GET /api/clients/{id}',
  'GET /api/team',
  'GET /api/team/{id}',
  'GET /api/categories',
  'GET /api/categories/{id}',
  'GET /api/projects',
  'GET /api/projects/{id}',
  'GET /api/tasks',
  'GET /api/tasks/{id}',
];

const patterns = [...endpoints, ...referenceEndpoints].map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/ ]+')}$`),
}));

/** Which of them a request without its query goes to; undefined: none. */
export function endpointOf({ method, path }: { readonly method: string; readonly path: string }): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(`${method} ${path}`))?.endpoint;
}
