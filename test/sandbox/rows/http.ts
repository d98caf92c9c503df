// What lies beneath the families: keys, unknown paths, wrong methods, and the encodings of bodies. Typed by hand from the
// interface document (and the vendor facts where it is silent), without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { notFound, refused, text } from './shared.ts';

const unauthorized: Pick<Row, 'status' | 'body'> = { status: 401, body: { message: 'Unauthorized. A valid API key is required.' } };
const wrongMethod: Pick<Row, 'status' | 'body'> = { status: 405, body: { message: text } };
const badJson: Pick<Row, 'status' | 'body'> = { status: 400, body: { message: text } };
const form = 'application/x-www-form-urlencoded';
const aLead: Row = {
  name: 'a lead', method: 'POST', path: '/api/leads', json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }, status: 201,
  save: { lead: 'data.id' },
};

const keys: Group = {
  name: 'http: keys',
  rows: [
    { name: 'no key', method: 'GET', path: '/api/contacts', authorization: 'none', ...unauthorized },
    { name: 'a wrong key', method: 'GET', path: '/api/proposals', authorization: 'Bearer wrong-key', ...unauthorized },
    { name: 'another scheme', method: 'GET', path: '/api/items', authorization: 'Basic bWF5YTpzZWNyZXQ=', ...unauthorized },
    { name: 'a scheme without a key', method: 'GET', path: '/api/notes', authorization: 'Bearer', ...unauthorized },
    { name: 'the scheme in small letters, a wrong key', method: 'GET', path: '/api/notes', authorization: 'bearer wrong-key',
      ...unauthorized },
    { name: 'create without a key', method: 'POST', path: '/api/leads', json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 },
      authorization: 'none', ...unauthorized },
    { name: 'an action with a wrong key', method: 'PUT', path: '/api/leads/1/archive', authorization: 'Bearer wrong-key', ...unauthorized },
    { name: 'with the key: nothing was created', method: 'GET', path: '/api/leads', status: 200, at: { data: [], 'meta.total': 0 } },
  ],
};

const paths: Group = {
  name: 'http: paths and methods',
  rows: [
    aLead,
    { name: 'unknown family', method: 'GET', path: '/api/unicorns', ...notFound },
    { name: 'unknown action', method: 'PUT', path: '/api/leads/{lead}/freeze', ...notFound },
    { name: 'lead statuses, which no document has', method: 'GET', path: '/api/leadstatuses', ...notFound },
    { name: 'units, which no document has', method: 'GET', path: '/api/units', ...notFound },
    { name: 'tax rates, which no document has', method: 'GET', path: '/api/taxrates', ...notFound },
    { name: 'outside /api', method: 'GET', path: '/contacts', ...notFound },
    { name: 'an id that is no number', method: 'GET', path: '/api/contacts/abc', ...notFound },
    { name: 'the id zero', method: 'GET', path: '/api/leads/0', ...notFound },
    { name: 'no number for an action', method: 'PUT', path: '/api/leads/first/archive', ...notFound },
    { name: 'no number for a comment', method: 'DELETE', path: '/api/leads/{lead}/comments/last', ...notFound },
    { name: 'DELETE on a list', method: 'DELETE', path: '/api/contacts', ...wrongMethod },
    { name: 'PUT on a list', method: 'PUT', path: '/api/items', ...wrongMethod },
    { name: 'POST on a record', method: 'POST', path: '/api/leads/{lead}', ...wrongMethod },
    { name: 'PUT on a record', method: 'PUT', path: '/api/leads/{lead}', ...wrongMethod },
    { name: 'GET on an action', method: 'GET', path: '/api/leads/{lead}/status', ...wrongMethod },
    { name: 'POST on an action', method: 'POST', path: '/api/leads/{lead}/tags', ...wrongMethod },
    { name: 'PATCH on comments', method: 'PATCH', path: '/api/leads/{lead}/comments', ...wrongMethod },
  ],
};

const bodies: Group = {
  name: 'http: bodies',
  rows: [
    aLead,
    { name: 'JSON cut short', method: 'POST', path: '/api/contacts', raw: { type: 'application/json', body: '{"first_name": "Ada",' },
      ...badJson },
    { name: 'JSON that is none, for an action', method: 'PUT', path: '/api/leads/{lead}/tags',
      raw: { type: 'application/json', body: 'tags[]=a' }, ...badJson },
    { name: 'JSON with a charset, and letters beyond ASCII', method: 'POST', path: '/api/contacts',
      raw: {
        type: 'application/json; charset=utf-8',
        body: '{"first_name": "Åsa", "last_name": "Öberg", "email": "asa@example.com", "clientid": 1, "phone": null}',
      },
      status: 201, body: { data: { name: 'Åsa Öberg' } }, save: { asa: 'data.id' } },
    { name: 'they read back, and null stays null', method: 'GET', path: '/api/contacts/{asa}', status: 200,
      body: { data: { first_name: 'Åsa', last_name: 'Öberg', phone: null } } },
    { name: 'a form with plus signs and percent escapes', method: 'POST', path: '/api/contacts',
      raw: { type: form, body: 'first_name=Mary+Ann&last_name=O%27Neil+%26+S%C3%B8n&email=mary%2Bann%40example.com&clientid=1' },
      status: 201, body: { data: { name: "Mary Ann O'Neil & Søn" } }, save: { mary: 'data.id' } },
    { name: 'they read back', method: 'GET', path: '/api/contacts/{mary}', status: 200,
      body: { data: { first_name: 'Mary Ann', last_name: "O'Neil & Søn", email: 'mary+ann@example.com' } } },
    { name: 'JSON null for a required field', method: 'PUT', path: '/api/leads/{lead}/status', json: { status: null },
      ...refused({ status: ['The status field is required.'] }) },
    { name: 'no body where one is needed', method: 'PUT', path: '/api/leads/{lead}/status',
      ...refused({ status: ['The status field is required.'] }) },
    { name: 'a form array: tags[]', method: 'PUT', path: '/api/leads/{lead}/tags', raw: { type: form, body: 'tags[]=a&tags[]=b' },
      status: 200, at: { 'data.tags': ['a', 'b'] } },
    { name: 'a form array with escaped brackets', method: 'PUT', path: '/api/leads/{lead}/tags',
      raw: { type: form, body: 'tags%5B%5D=c&tags%5B%5D=d+e' }, status: 200, at: { 'data.tags': ['c', 'd e'] } },
    { name: 'a form array with indices: tags[0], tags[1]', method: 'PUT', path: '/api/leads/{lead}/tags',
      raw: { type: form, body: 'tags[0]=f&tags[1]=g' }, status: 200, at: { 'data.tags': ['f', 'g'] } },
    { name: 'a form array of one empty element is no tag', method: 'PUT', path: '/api/leads/{lead}/tags',
      raw: { type: form, body: 'tags[]=' }, ...refused({ 'tags.0': ['The tags.0 field is required.'] }) },
    { name: 'a blank tag among others, and null', method: 'PUT', path: '/api/leads/{lead}/tags', json: { tags: ['a', '  ', null] },
      ...refused({ 'tags.1': ['The tags.1 field is required.'], 'tags.2': ['The tags.2 field is required.'] }) },
    { name: 'the tags are as they were', method: 'GET', path: '/api/leads/{lead}', status: 200, at: { 'data.tags': ['f', 'g'] } },
    { name: 'a form array of one empty element is no team member', method: 'PUT', path: '/api/leads/{lead}/assigned',
      raw: { type: form, body: 'assigned[]=' }, ...refused({ 'assigned.0': ['The assigned.0 field is required.'] }) },
    { name: 'a form array of numbers with indices', method: 'PUT', path: '/api/leads/{lead}/assigned',
      raw: { type: form, body: 'assigned[0]=2&assigned[1]=4' }, status: 200,
      at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }, { id: 4, name: 'Jonas Weber' }] } },
    { name: 'a JSON array of numbers', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: [1, 3] }, status: 200,
      at: { 'data.assigned': [{ id: 1, name: 'Maya Lindqvist' }, { id: 3, name: 'Priya Raman' }] } },
  ],
};

const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const item = '"item_description": "Anvil", "item_rate": 1, "item_categoryid": 6, "item_default_tax": 1, "item_unit": 1';

const depths: Group = {
  name: 'http: nested bodies',
  rows: [
    aLead,
    ...[1_000, 200_000].flatMap((depth): Row[] => [
      { name: `a custom field ${depth} levels deep`, method: 'POST', path: '/api/items',
        raw: { type: 'application/json', body: `{${item}, "item_custom_field_1": ${deep(depth)}}` }, ...badJson },
      { name: `tags ${depth} levels deep`, method: 'PUT', path: '/api/leads/{lead}/tags',
        raw: { type: 'application/json', body: `{"tags": ${deep(depth)}}` }, ...badJson },
      { name: `a whole body ${depth} levels deep, with numbers that a float would change`, method: 'PATCH', path: '/api/leads/{lead}',
        raw: { type: 'application/json', body: deep(depth).replace('1', '1.10') }, ...badJson },
      { name: `a form's text of ${depth} brackets is a text`, method: 'PUT', path: '/api/leads/{lead}/tags',
        form: [['tags[]', deep(depth)]], status: 200, at: { 'data.tags': [deep(depth)] } },
      { name: `a form's name of ${depth} brackets names no field`, method: 'PUT', path: '/api/leads/{lead}/tags',
        form: [[`tags${'[a]'.repeat(depth)}`, 'x']], ...refused({ tags: ['The tags field must be present.'] }) },
    ]),
    { name: 'brackets in a text of JSON are no levels', method: 'PUT', path: '/api/leads/{lead}/tags',
      json: { tags: ['['.repeat(2000), '\\"[[{'] }, status: 200, at: { 'data.tags': ['['.repeat(2000), '\\"[[{'] } },
    { name: 'a custom field a hundred levels deep is taken', method: 'POST', path: '/api/items',
      raw: { type: 'application/json', body: `{${item}, "item_custom_field_1": ${deep(100)}}` }, status: 201 },
    { name: 'and read', method: 'GET', path: '/api/items', status: 200, body: { data: [{ description: 'Anvil' }] } },
  ],
};

export const groups: Group[] = [keys, paths, bodies, depths];
