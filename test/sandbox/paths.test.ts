// What the embedded CRM serves is what the documents have, no less and no more. Typed by hand from the interface document
// and the vendor facts; of the routes only their methods and paths are looked at.

import { expect, it } from 'vitest';
import { routes } from '../../src/sandbox/http/routes.ts';

const documented = `
GET /api/contacts
GET /api/contacts/{id}
POST /api/contacts
PATCH /api/contacts/{id}
DELETE /api/contacts/{id}
PUT /api/contacts/{id}/account-owner
GET /api/proposals
GET /api/proposals/{id}
POST /api/proposals
PATCH /api/proposals/{id}
DELETE /api/proposals/{id}
PUT /api/proposals/{id}/status
PUT /api/proposals/{id}/tags
POST /api/proposals/{id}/clone
GET /api/leads
GET /api/leads/{id}
POST /api/leads
PATCH /api/leads/{id}
DELETE /api/leads/{id}
PUT /api/leads/{id}/status
PUT /api/leads/{id}/assigned
PUT /api/leads/{id}/tags
PUT /api/leads/{id}/archive
PUT /api/leads/{id}/activate
POST /api/leads/{id}/convert
POST /api/leads/{id}/clone
GET /api/leads/{id}/comments
POST /api/leads/{id}/comments
DELETE /api/leads/{id}/comments/{id}
GET /api/items
GET /api/items/{id}
POST /api/items
PATCH /api/items/{id}
DELETE /api/items/{id}
GET /api/notes
GET /api/notes/{id}
POST /api/notes
PATCH /api/notes/{id}
DELETE /api/notes/{id}
PUT /api/notes/{id}/tags
GET /api/clients
GET /api/clients/{id}
GET /api/team
GET /api/team/{id}
GET /api/categories
GET /api/categories/{id}
GET /api/projects
GET /api/projects/{id}
GET /api/tasks
GET /api/tasks/{id}
GET /api/checklists
`;

it('serves exactly the documented paths', () => {
  const served = routes.map(([method, path]) => `${method} ${path.replace(/:\w+/g, '{id}')}`);
  expect(served.sort()).toEqual(documented.trim().split('\n').sort());
});
