// Leads: list, get, create, update and delete; the actions are in lead-actions.ts. Typed by hand from the interface
// document (and the vendor facts where it is silent), without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, made, notFound, number, ok, only, patch, post, present, put, refused, refusedOn, text,
} from './shared.ts';

const bare = { lead_title: 'Fleet', lead_status: '1', lead_categoryid: '1' };
const full = { lead_title: 'Fleet renewal', lead_status: '2', lead_categoryid: '3', lead_firstname: 'Ines', lead_lastname: 'Costa',
  lead_email: 'ines@kestrel.example', lead_phone: '555-0110', lead_company_name: 'Kestrel Ltd', lead_job_position: 'Buyer',
  lead_website: 'https://kestrel.example', lead_value: '1250.50', lead_source: 'Fair', lead_last_contacted: '2025-02-03',
  lead_description: 'Twelve vans.', lead_street: '1 Quay', lead_city: 'Porto', lead_state: 'Norte', lead_zip: '4000',
  lead_country: 'Portugal' };
const allMissing = { lead_title: ['The lead title field is required.'], lead_status: ['The lead status field is required.'],
  lead_categoryid: ['The lead categoryid field is required.'] };
const noContact = { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null };
const noAddress = { street: null, city: null, state: null, zip: null, country: null };

const creation = group('leads: create and get', [
  get('an empty list', '/api/leads',
    ok({ message: 'Leads retrieved successfully.', meta: { current_page: 1, per_page: 25, last_page: number } },
      { at: { data: [], 'meta.total': 0 } })),
  post('create with every field', '/api/leads', full,
    created({ data: { id: number, title: 'Fleet renewal', status: present }, message: 'Lead created successfully.' },
      { save: { full: 'data.id' } })),
  get('get has every documented member', '/api/leads/{full}',
    ok({
      data: { id: '{full}', title: 'Fleet renewal', value: '1250.50', status: { id: 2, title: 'Contacted', color: text },
        active_state: 'active', category: { id: 3, name: 'Referral' }, source: 'Fair', last_contacted: '2025-02-03',
        description: 'Twelve vans.',
        contact: { first_name: 'Ines', last_name: 'Costa', email: 'ines@kestrel.example', phone: '555-0110', job_position: 'Buyer',
          company_name: 'Kestrel Ltd', website: 'https://kestrel.example' },
        address: { street: '1 Quay', city: 'Porto', state: 'Norte', zip: '4000', country: 'Portugal' },
        converted: { is_converted: false, client_id: null, date: null }, dates: { created: text, updated: text } },
      message: 'Lead retrieved successfully.' }, { at: { 'data.assigned': [], 'data.tags': [] } })),
  post('create from JSON, with a number for a value, and assignees that create does not take', '/api/leads',
    json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1, lead_value: 2500, assigned: [2] }), made('bare')),
  get('what was not sent reads back as null, and nobody is assigned', '/api/leads/{bare}',
    ok({
      data: { title: 'Fleet', value: '2500.00', status: { id: 1, title: 'New' }, category: { id: 1, name: 'Inbound' }, source: null,
        last_contacted: null, description: null, contact: noContact, address: noAddress } }, { at: { 'data.assigned': [] } })),
  post('create: nothing sent', '/api/leads', json({}), refused(allMissing)),
  post('create: unknown status', '/api/leads', { ...bare, lead_status: '99' },
    refused({ lead_status: ['The selected lead status is invalid.'] })),
  post('create: unknown category', '/api/leads', { ...bare, lead_categoryid: '99' },
    refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] })),
  post('create: a proposal category', '/api/leads', { ...bare, lead_categoryid: '4' },
    refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] })),
  post('create: status that is no number', '/api/leads', { ...bare, lead_status: 'New' }, refusedOn('lead_status')),
  post('create: bad email', '/api/leads', { ...bare, lead_email: 'ines at kestrel' }, refusedOn('lead_email')),
  post('create: value that is no decimal', '/api/leads', { ...bare, lead_value: 'a lot' }, refusedOn('lead_value')),
  post('create: date that is none', '/api/leads', { ...bare, lead_last_contacted: '2025-13-01' }, refusedOn('lead_last_contacted')),
  get('nothing that was refused is in the list', '/api/leads?sort=lead_title',
    ok({ data: [{ id: '{full}', assigned: [], tags: [] }, { id: '{bare}' }] },
      { at: { meta: { current_page: 1, per_page: 25, total: 2, last_page: 1 } } })),
  get('get: unknown id', '/api/leads/999999', notFound),
]);

const updating = group('leads: update', [
  post('a lead', '/api/leads', full, made('lead')),
  put('Tom works on it', '/api/leads/{lead}/assigned', json({ assigned: [2] }), ok()),
  patch('update with every field', '/api/leads/{lead}',
    { ...full, lead_title: 'Fleet II', lead_status: '3', lead_value: '99.90', lead_city: 'Braga' },
    ok({
      data: { id: '{lead}', title: 'Fleet II', value: '99.90', status: { id: 3, title: 'Qualified' }, category: { id: 3 },
        contact: { first_name: 'Ines', company_name: 'Kestrel Ltd' }, address: { street: '1 Quay', city: 'Braga' } },
      message: 'Lead updated successfully.' })),
  patch('update: nothing sent', '/api/leads/{lead}', json({}), refused(allMissing)),
  patch('update: unknown status', '/api/leads/{lead}', { ...bare, lead_status: '99' },
    refused({ lead_status: ['The selected lead status is invalid.'] })),
  patch('update: an item category', '/api/leads/{lead}', { ...bare, lead_categoryid: '7' },
    refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] })),
  get('a refused update changes nothing', '/api/leads/{lead}',
    ok({ data: { title: 'Fleet II', status: { id: 3 }, contact: { email: 'ines@kestrel.example' } } })),
  patch('update with the required fields alone takes the others away', '/api/leads/{lead}', { ...bare, 'assigned[]': '3' },
    ok({
      data: { title: 'Fleet', value: null, status: { id: 1 }, category: { id: 1 }, source: null, last_contacted: null, description: null,
        contact: noContact, address: noAddress } })),
  get('but not the assignment, and sets none', '/api/leads/{lead}',
    ok({ data: { value: null, source: null } }, { at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }] } })),
  patch('update: unknown id', '/api/leads/999999', bare, notFound),
]);

const deletion = group('leads: delete', [
  post('a lead', '/api/leads', bare, made('lead')),
  post('a comment on it', '/api/leads/{lead}/comments', { comment: 'Called.' }, made('comment')),
  post('a proposal to it', '/api/proposals',
    json({ customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 4 }),
    made('proposal')),
  post('a note on it', '/api/notes',
    json({ note_title: 'Fleet', note_description: 'Vans.', noteresource_type: 'lead', noteresource_id: '{lead}' }), made('note')),
  del('delete', '/api/leads/{lead}', ok({ data: { id: '{lead}' }, message: 'Lead deleted successfully.' })),
  get('get it', '/api/leads/{lead}', notFound),
  patch('update it', '/api/leads/{lead}', bare, notFound),
  del('delete it again', '/api/leads/{lead}', notFound),
  get('its comments are gone', '/api/leads/{lead}/comments', notFound),
  del('its comment is gone', '/api/leads/{lead}/comments/{comment}', notFound),
  get('its proposal is gone', '/api/proposals/{proposal}', notFound),
  get('its note is gone', '/api/notes/{note}', notFound),
  get('the list is empty', '/api/leads', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('another one', '/api/leads', bare, created()),
  get('the old id is not used again', '/api/leads/{lead}', notFound),
  del('delete: unknown id', '/api/leads/999999', notFound),
]);

const lists = group('leads: lists', [
  post('Alpha', '/api/leads',
    json({ lead_title: 'Alpha', lead_status: 1, lead_categoryid: 1, lead_value: '900', lead_last_contacted: '2025-03-01',
      lead_source: 'Fair', lead_company_name: 'Kestrel Ltd', lead_email: 'ops@osprey.example' }), made('alpha')),
  post('Bravo', '/api/leads',
    json({ lead_title: 'Bravo', lead_status: 2, lead_categoryid: 2, lead_value: '1000.50', lead_last_contacted: '2025-01-01',
      lead_source: 'Web', lead_company_name: 'Linden GmbH', lead_email: 'hello@maple.example' }), made('bravo')),
  post('Charlie', '/api/leads',
    json({ lead_title: 'Charlie', lead_status: 1, lead_categoryid: 1, lead_value: '25', lead_last_contacted: '2025-02-01',
      lead_source: 'Web' }), made('charlie')),
  put('Tom and Priya work on Bravo', '/api/leads/{bravo}/assigned', json({ assigned: [2, 3] }), ok()),
  get('sort by lead_title: descending is the default', '/api/leads?sort=lead_title', inOrder('charlie', 'bravo', 'alpha')),
  get('sort by lead_title, ascending', '/api/leads?sort=lead_title&order=asc', inOrder('alpha', 'bravo', 'charlie')),
  get('sort by lead_value, ascending, as numbers', '/api/leads?sort=lead_value&order=asc',
    ok({ data: [{ value: '25.00' }, { value: '900.00' }, { value: '1000.50' }] })),
  get('sort by lead_value, descending', '/api/leads?sort=lead_value&order=desc', inOrder('bravo', 'alpha', 'charlie')),
  get('sort by lead_last_contacted, ascending', '/api/leads?sort=lead_last_contacted&order=asc', inOrder('bravo', 'charlie', 'alpha')),
  get('sort by lead_last_contacted, descending', '/api/leads?sort=lead_last_contacted&order=desc', inOrder('alpha', 'charlie', 'bravo')),
  get('unknown sort', '/api/leads?sort=lead_mood', refusedOn('sort')),
  get('unknown order', '/api/leads?order=down', refusedOn('order')),
  get('filter by status', '/api/leads?status=2', only('bravo')),
  get('filter by category', '/api/leads?category_id=1&sort=lead_title', only('charlie', 'alpha')),
  get('filter by source', '/api/leads?source=Web&sort=lead_title', only('charlie', 'bravo')),
  get('filter by source and status', '/api/leads?source=Web&status=1', only('charlie')),
  get('filter by assignee', '/api/leads?assigned_user_id=3',
    ok({ data: [{ id: '{bravo}', assigned: [{ id: 2, name: 'Tom Okafor' }, { id: 3, name: 'Priya Raman' }] }], meta: { total: 1 } })),
  get('filter by an assignee without leads', '/api/leads?assigned_user_id=4', ok({}, { at: { data: [], 'meta.total': 0 } })),
  get('search by title', '/api/leads?search=Charlie', only('charlie')),
  get('search by company', '/api/leads?search=Kestrel', only('alpha')),
  get('search by email', '/api/leads?search=hello@maple', only('bravo')),
  get('second page of two', '/api/leads?sort=lead_title&limit=2&page=2',
    ok({ data: [{ id: '{alpha}' }] }, { at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } })),
  put('archive Alpha', '/api/leads/{alpha}/archive', {}, ok()),
  get('filter: archived', '/api/leads?active_state=archived',
    ok({ data: [{ id: '{alpha}', active_state: 'archived' }], meta: { total: 1 } })),
  get('filter: active', '/api/leads?active_state=active&sort=lead_title&order=asc', only('bravo', 'charlie')),
  post('one more, last', '/api/leads', bare, made('last')),
  get('sort by lead_created, descending: the last one first', '/api/leads?active_state=active&sort=lead_created&order=desc&limit=1',
    inOrder('last')),
  get('sort by lead_created, ascending: the last one last', '/api/leads?active_state=active&sort=lead_created&order=asc&limit=1&page=3',
    inOrder('last')),
]);

/** What a value that is sent as a number of JSON or as a form's text reads back as. */
const valued = (sent: unknown, kept: string, index: number): Row[] => [
  post(`value ${sent} ${index}`, '/api/leads', json({ lead_title: 'Money', lead_status: 1, lead_categoryid: 1, lead_value: sent }),
    created({}, { save: { [`lead${index}`]: 'data.id' } })),
  get(`value ${sent} is kept as ${kept} ${index}`, `/api/leads/{lead${index}}`, ok({}, { at: { 'data.value': kept } })),
];

const money = group('leads: money has two decimals, exactly, half up', [
  ...([[1250, '1250.00'], ['0', '0.00'], ['1250.5', '1250.50'], ['.5', '0.50'], ['7.', '7.00'], ['0012.3', '12.30'], ['0.004', '0.00'],
    ['0.005', '0.01'], ['1.00499999999999999999', '1.00'],
    // A float holds 1.005 as a little less, and would round it down.
    ['1.005', '1.01'], ['99.995', '100.00'], ['12345678901234567890.105', '12345678901234567890.11'], ['-2.5', '-2.50'],
    ['-0.001', '0.00']] as const).flatMap(([sent, kept], index) => valued(sent, kept, index)),
  patch('an update too', '/api/leads/{lead0}', { lead_title: 'Money', lead_status: '1', lead_categoryid: '1', lead_value: '8.125' },
    ok({}, { at: { 'data.value': '8.13' } })),
  post('a clone too', '/api/leads/{lead0}/clone', { lead_title: 'Money', lead_status: '1', lead_value: '3' },
    created({}, { at: { 'data.value': '3.00' } })),
  post('a clone keeps its source', '/api/leads/{lead0}/clone', { lead_title: 'Money', lead_status: '1' },
    created({}, { at: { 'data.value': '8.13' } })),
]);

export const groups: Group[] = [creation, updating, deletion, lists, money];
