// What lies beneath the families: keys, unknown paths, wrong methods, and the encodings of bodies. Typed by hand from the
// interface document (and the vendor facts where it is silent), without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import { created, del, get, group, made, notFound, ok, patch, post, put, raw, refused, text } from './shared.ts';

const unauthorized: Pick<Row, 'status' | 'body'> = { status: 401, body: { message: 'Unauthorized. A valid API key is required.' } };
const wrongMethod: Pick<Row, 'status' | 'body'> = { status: 405, body: { message: text } };
const badJson: Pick<Row, 'status' | 'body'> = { status: 400, body: { message: text } };
const form = 'application/x-www-form-urlencoded';
const aLead = post('a lead', '/api/leads', json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }),
  made('lead'));

const keys = group('http: keys', [
  get('no key', '/api/contacts', { ...unauthorized, authorization: 'none' }),
  get('a wrong key', '/api/proposals', { ...unauthorized, authorization: 'Bearer wrong-key' }),
  get('another scheme', '/api/items', { ...unauthorized, authorization: 'Basic bWF5YTpzZWNyZXQ=' }),
  get('a scheme without a key', '/api/notes', { ...unauthorized, authorization: 'Bearer' }),
  get('the scheme in small letters, a wrong key', '/api/notes', { ...unauthorized, authorization: 'bearer wrong-key' }),
  post('create without a key', '/api/leads', json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }),
    { ...unauthorized, authorization: 'none' }),
  put('an action with a wrong key', '/api/leads/1/archive', {}, { ...unauthorized, authorization: 'Bearer wrong-key' }),
  get('with the key: nothing was created', '/api/leads', ok({}, { at: { data: [], 'meta.total': 0 } })),
]);

const paths = group('http: paths and methods', [
  aLead,
  get('unknown family', '/api/unicorns', notFound),
  put('unknown action', '/api/leads/{lead}/freeze', {}, notFound),
  get('lead statuses, which no document has', '/api/leadstatuses', notFound),
  get('units, which no document has', '/api/units', notFound),
  get('tax rates, which no document has', '/api/taxrates', notFound),
  get('outside /api', '/contacts', notFound),
  get('an id that is no number', '/api/contacts/abc', notFound),
  get('the id zero', '/api/leads/0', notFound),
  put('no number for an action', '/api/leads/first/archive', {}, notFound),
  del('no number for a comment', '/api/leads/{lead}/comments/last', notFound),
  del('DELETE on a list', '/api/contacts', wrongMethod),
  put('PUT on a list', '/api/items', {}, wrongMethod),
  post('POST on a record', '/api/leads/{lead}', {}, wrongMethod),
  put('PUT on a record', '/api/leads/{lead}', {}, wrongMethod),
  get('GET on an action', '/api/leads/{lead}/status', wrongMethod),
  post('POST on an action', '/api/leads/{lead}/tags', {}, wrongMethod),
  patch('PATCH on comments', '/api/leads/{lead}/comments', {}, wrongMethod),
]);

const bodies = group('http: bodies', [
  aLead,
  post('JSON cut short', '/api/contacts', raw('application/json', '{"first_name": "Ada",'), badJson),
  put('JSON that is none, for an action', '/api/leads/{lead}/tags', raw('application/json', 'tags[]=a'), badJson),
  post('JSON with a charset, and letters beyond ASCII', '/api/contacts',
    raw('application/json; charset=utf-8',
      '{"first_name": "Åsa", "last_name": "Öberg", "email": "asa@example.com", "clientid": 1, "phone": null}'),
    created({ data: { name: 'Åsa Öberg' } }, { save: { asa: 'data.id' } })),
  get('they read back, and null stays null', '/api/contacts/{asa}', ok({ data: { first_name: 'Åsa', last_name: 'Öberg', phone: null } })),
  post('a form with plus signs and percent escapes', '/api/contacts',
    raw(form, 'first_name=Mary+Ann&last_name=O%27Neil+%26+S%C3%B8n&email=mary%2Bann%40example.com&clientid=1'),
    created({ data: { name: "Mary Ann O'Neil & Søn" } }, { save: { mary: 'data.id' } })),
  get('they read back', '/api/contacts/{mary}',
    ok({ data: { first_name: 'Mary Ann', last_name: "O'Neil & Søn", email: 'mary+ann@example.com' } })),
  put('JSON null for a required field', '/api/leads/{lead}/status', json({ status: null }),
    refused({ status: ['The status field is required.'] })),
  put('no body where one is needed', '/api/leads/{lead}/status', {}, refused({ status: ['The status field is required.'] })),
  put('a form array: tags[]', '/api/leads/{lead}/tags', raw(form, 'tags[]=a&tags[]=b'), ok({}, { at: { 'data.tags': ['a', 'b'] } })),
  put('a form array with escaped brackets', '/api/leads/{lead}/tags', raw(form, 'tags%5B%5D=c&tags%5B%5D=d+e'),
    ok({}, { at: { 'data.tags': ['c', 'd e'] } })),
  put('a form array with indices: tags[0], tags[1]', '/api/leads/{lead}/tags', raw(form, 'tags[0]=f&tags[1]=g'),
    ok({}, { at: { 'data.tags': ['f', 'g'] } })),
  put('a form array of one empty element is no tag', '/api/leads/{lead}/tags', raw(form, 'tags[]='),
    refused({ 'tags.0': ['The tags.0 field is required.'] })),
  put('a blank tag among others, and null', '/api/leads/{lead}/tags', json({ tags: ['a', '  ', null] }),
    refused({ 'tags.1': ['The tags.1 field is required.'], 'tags.2': ['The tags.2 field is required.'] })),
  get('the tags are as they were', '/api/leads/{lead}', ok({}, { at: { 'data.tags': ['f', 'g'] } })),
  put('a form array of one empty element is no team member', '/api/leads/{lead}/assigned', raw(form, 'assigned[]='),
    refused({ 'assigned.0': ['The assigned.0 field is required.'] })),
  put('a form array of numbers with indices', '/api/leads/{lead}/assigned', raw(form, 'assigned[0]=2&assigned[1]=4'),
    ok({}, { at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }, { id: 4, name: 'Jonas Weber' }] } })),
  put('a JSON array of numbers', '/api/leads/{lead}/assigned', json({ assigned: [1, 3] }),
    ok({}, { at: { 'data.assigned': [{ id: 1, name: 'Maya Lindqvist' }, { id: 3, name: 'Priya Raman' }] } })),
]);

const deep = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const item = '"item_description": "Anvil", "item_rate": 1, "item_categoryid": 6, "item_default_tax": 1, "item_unit": 1';

const depths = group('http: nested bodies', [
  aLead,
  ...[1_000, 200_000].flatMap((depth): Row[] => [post(`a custom field ${depth} levels deep`, '/api/items',
    raw('application/json', `{${item}, "item_custom_field_1": ${deep(depth)}}`), badJson),
    put(`tags ${depth} levels deep`, '/api/leads/{lead}/tags', raw('application/json', `{"tags": ${deep(depth)}}`), badJson),
    patch(`a whole body ${depth} levels deep, with numbers that a float would change`, '/api/leads/{lead}',
      raw('application/json', deep(depth).replace('1', '1.10')), badJson),
    put(`a form's text of ${depth} brackets is a text`, '/api/leads/{lead}/tags', { 'tags[]': deep(depth) },
      ok({}, { at: { 'data.tags': [deep(depth)] } })),
    put(`a form's name of ${depth} brackets names no field`, '/api/leads/{lead}/tags', { [`tags${'[a]'.repeat(depth)}`]: 'x' },
      refused({ tags: ['The tags field must be present.'] }))]),
  put('brackets in a text of JSON are no levels', '/api/leads/{lead}/tags', json({ tags: ['['.repeat(2000), '\\"[[{'] }),
    ok({}, { at: { 'data.tags': ['['.repeat(2000), '\\"[[{'] } })),
  post('a custom field a hundred levels deep is taken', '/api/items',
    raw('application/json', `{${item}, "item_custom_field_1": ${deep(100)}}`), created()),
  get('and read', '/api/items', ok({ data: [{ description: 'Anvil' }] })),
]);

export const groups: Group[] = [keys, paths, bodies, depths];
