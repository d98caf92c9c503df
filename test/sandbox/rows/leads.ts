// Leads: list, get, create, update and delete; the actions are in lead-actions.ts. Typed by hand from the interface
// document (and the vendor facts where it is silent), without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { type Form, having, notFound, number, present, refused, refusedOn, text } from './shared.ts';

const bare: Form = [['lead_title', 'Fleet'], ['lead_status', '1'], ['lead_categoryid', '1']];
const full: Form = [
  ['lead_title', 'Fleet renewal'], ['lead_status', '2'], ['lead_categoryid', '3'], ['lead_firstname', 'Ines'], ['lead_lastname', 'Costa'],
  ['lead_email', 'ines@kestrel.example'], ['lead_phone', '555-0110'], ['lead_company_name', 'Kestrel Ltd'], ['lead_job_position', 'Buyer'],
  ['lead_website', 'https://kestrel.example'], ['lead_value', '1250.50'], ['lead_source', 'Fair'], ['lead_last_contacted', '2025-02-03'],
  ['lead_description', 'Twelve vans.'], ['lead_street', '1 Quay'], ['lead_city', 'Porto'], ['lead_state', 'Norte'], ['lead_zip', '4000'],
  ['lead_country', 'Portugal'],
];
const allMissing = {
  lead_title: ['The lead title field is required.'], lead_status: ['The lead status field is required.'],
  lead_categoryid: ['The lead categoryid field is required.'],
};
const noContact = { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null };
const noAddress = { street: null, city: null, state: null, zip: null, country: null };

const creation: Group = {
  name: 'leads: create and get',
  rows: [
    { name: 'an empty list', method: 'GET', path: '/api/leads', status: 200,
      body: { message: 'Leads retrieved successfully.', meta: { current_page: 1, per_page: 25, last_page: number } },
      at: { data: [], 'meta.total': 0 } },
    { name: 'create with every field', method: 'POST', path: '/api/leads', form: full, status: 201,
      body: { data: { id: number, title: 'Fleet renewal', status: present }, message: 'Lead created successfully.' },
      save: { full: 'data.id' } },
    { name: 'get has every documented member', method: 'GET', path: '/api/leads/{full}', status: 200,
      body: {
        data: {
          id: '{full}', title: 'Fleet renewal', value: '1250.50', status: { id: 2, title: 'Contacted', color: text },
          active_state: 'active', category: { id: 3, name: 'Referral' }, source: 'Fair', last_contacted: '2025-02-03',
          description: 'Twelve vans.',
          contact: {
            first_name: 'Ines', last_name: 'Costa', email: 'ines@kestrel.example', phone: '555-0110', job_position: 'Buyer',
            company_name: 'Kestrel Ltd', website: 'https://kestrel.example',
          },
          address: { street: '1 Quay', city: 'Porto', state: 'Norte', zip: '4000', country: 'Portugal' },
          converted: { is_converted: false, client_id: null, date: null }, dates: { created: text, updated: text },
        },
        message: 'Lead retrieved successfully.',
      },
      at: { 'data.assigned': [], 'data.tags': [] } },
    { name: 'create from JSON, with a number for a value, and assignees that create does not take', method: 'POST', path: '/api/leads',
      json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1, lead_value: 2500, assigned: [2] }, status: 201,
      save: { bare: 'data.id' } },
    { name: 'what was not sent reads back as null, and nobody is assigned', method: 'GET', path: '/api/leads/{bare}', status: 200,
      body: {
        data: {
          title: 'Fleet', value: '2500.00', status: { id: 1, title: 'New' }, category: { id: 1, name: 'Inbound' }, source: null,
          last_contacted: null, description: null, contact: noContact, address: noAddress,
        },
      },
      at: { 'data.assigned': [] } },
    { name: 'create: nothing sent', method: 'POST', path: '/api/leads', json: {}, ...refused(allMissing) },
    { name: 'create: unknown status', method: 'POST', path: '/api/leads', form: having(bare, ['lead_status', '99']),
      ...refused({ lead_status: ['The selected lead status is invalid.'] }) },
    { name: 'create: unknown category', method: 'POST', path: '/api/leads', form: having(bare, ['lead_categoryid', '99']),
      ...refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] }) },
    { name: 'create: a proposal category', method: 'POST', path: '/api/leads', form: having(bare, ['lead_categoryid', '4']),
      ...refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] }) },
    { name: 'create: status that is no number', method: 'POST', path: '/api/leads', form: having(bare, ['lead_status', 'New']),
      ...refusedOn('lead_status') },
    { name: 'create: bad email', method: 'POST', path: '/api/leads', form: [...bare, ['lead_email', 'ines at kestrel']],
      ...refusedOn('lead_email') },
    { name: 'create: value that is no decimal', method: 'POST', path: '/api/leads', form: [...bare, ['lead_value', 'a lot']],
      ...refusedOn('lead_value') },
    { name: 'create: date that is none', method: 'POST', path: '/api/leads', form: [...bare, ['lead_last_contacted', '2025-13-01']],
      ...refusedOn('lead_last_contacted') },
    { name: 'nothing that was refused is in the list', method: 'GET', path: '/api/leads', query: [['sort', 'lead_title']], status: 200,
      body: { data: [{ id: '{full}', assigned: [], tags: [] }, { id: '{bare}' }] },
      at: { meta: { current_page: 1, per_page: 25, total: 2, last_page: 1 } } },
    { name: 'get: unknown id', method: 'GET', path: '/api/leads/999999', ...notFound },
  ],
};

const updating: Group = {
  name: 'leads: update',
  rows: [
    { name: 'a lead', method: 'POST', path: '/api/leads', form: full, status: 201, save: { lead: 'data.id' } },
    { name: 'Tom works on it', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: [2] }, status: 200 },
    { name: 'update with every field', method: 'PATCH', path: '/api/leads/{lead}',
      form: having(full, ['lead_title', 'Fleet II'], ['lead_status', '3'], ['lead_value', '99.90'], ['lead_city', 'Braga']), status: 200,
      body: {
        data: {
          id: '{lead}', title: 'Fleet II', value: '99.90', status: { id: 3, title: 'Qualified' }, category: { id: 3 },
          contact: { first_name: 'Ines', company_name: 'Kestrel Ltd' }, address: { street: '1 Quay', city: 'Braga' },
        },
        message: 'Lead updated successfully.',
      } },
    { name: 'update: nothing sent', method: 'PATCH', path: '/api/leads/{lead}', json: {}, ...refused(allMissing) },
    { name: 'update: unknown status', method: 'PATCH', path: '/api/leads/{lead}', form: having(bare, ['lead_status', '99']),
      ...refused({ lead_status: ['The selected lead status is invalid.'] }) },
    { name: 'update: an item category', method: 'PATCH', path: '/api/leads/{lead}', form: having(bare, ['lead_categoryid', '7']),
      ...refused({ lead_categoryid: ['The selected lead categoryid is invalid.'] }) },
    { name: 'a refused update changes nothing', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { title: 'Fleet II', status: { id: 3 }, contact: { email: 'ines@kestrel.example' } } } },
    { name: 'update with the required fields alone takes the others away', method: 'PATCH', path: '/api/leads/{lead}',
      form: [...bare, ['assigned[]', '3']], status: 200,
      body: {
        data: {
          title: 'Fleet', value: null, status: { id: 1 }, category: { id: 1 }, source: null, last_contacted: null, description: null,
          contact: noContact, address: noAddress,
        },
      } },
    { name: 'but not the assignment, and sets none', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { value: null, source: null } }, at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }] } },
    { name: 'update: unknown id', method: 'PATCH', path: '/api/leads/999999', form: bare, ...notFound },
  ],
};

const deletion: Group = {
  name: 'leads: delete',
  rows: [
    { name: 'a lead', method: 'POST', path: '/api/leads', form: bare, status: 201, save: { lead: 'data.id' } },
    { name: 'a comment on it', method: 'POST', path: '/api/leads/{lead}/comments', form: [['comment', 'Called.']], status: 201,
      save: { comment: 'data.id' } },
    { name: 'a proposal to it', method: 'POST', path: '/api/proposals',
      json: { customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 4 },
      status: 201, save: { proposal: 'data.id' } },
    { name: 'a note on it', method: 'POST', path: '/api/notes',
      json: { note_title: 'Fleet', note_description: 'Vans.', noteresource_type: 'lead', noteresource_id: '{lead}' }, status: 201,
      save: { note: 'data.id' } },
    { name: 'delete', method: 'DELETE', path: '/api/leads/{lead}', status: 200,
      body: { data: { id: '{lead}' }, message: 'Lead deleted successfully.' } },
    { name: 'get it', method: 'GET', path: '/api/leads/{lead}', ...notFound },
    { name: 'update it', method: 'PATCH', path: '/api/leads/{lead}', form: bare, ...notFound },
    { name: 'delete it again', method: 'DELETE', path: '/api/leads/{lead}', ...notFound },
    { name: 'its comments are gone', method: 'GET', path: '/api/leads/{lead}/comments', ...notFound },
    { name: 'its comment is gone', method: 'DELETE', path: '/api/leads/{lead}/comments/{comment}', ...notFound },
    { name: 'its proposal is gone', method: 'GET', path: '/api/proposals/{proposal}', ...notFound },
    { name: 'its note is gone', method: 'GET', path: '/api/notes/{note}', ...notFound },
    { name: 'the list is empty', method: 'GET', path: '/api/leads', status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'another one', method: 'POST', path: '/api/leads', form: bare, status: 201 },
    { name: 'the old id is not used again', method: 'GET', path: '/api/leads/{lead}', ...notFound },
    { name: 'delete: unknown id', method: 'DELETE', path: '/api/leads/999999', ...notFound },
  ],
};

const lists: Group = {
  name: 'leads: lists',
  rows: [
    { name: 'Alpha', method: 'POST', path: '/api/leads',
      json: {
        lead_title: 'Alpha', lead_status: 1, lead_categoryid: 1, lead_value: '900', lead_last_contacted: '2025-03-01', lead_source: 'Fair',
        lead_company_name: 'Kestrel Ltd', lead_email: 'ops@osprey.example',
      },
      status: 201, save: { alpha: 'data.id' } },
    { name: 'Bravo', method: 'POST', path: '/api/leads',
      json: {
        lead_title: 'Bravo', lead_status: 2, lead_categoryid: 2, lead_value: '1000.50', lead_last_contacted: '2025-01-01',
        lead_source: 'Web', lead_company_name: 'Linden GmbH', lead_email: 'hello@maple.example',
      },
      status: 201, save: { bravo: 'data.id' } },
    { name: 'Charlie', method: 'POST', path: '/api/leads',
      json: {
        lead_title: 'Charlie', lead_status: 1, lead_categoryid: 1, lead_value: '25', lead_last_contacted: '2025-02-01', lead_source: 'Web',
      },
      status: 201, save: { charlie: 'data.id' } },
    { name: 'Tom and Priya work on Bravo', method: 'PUT', path: '/api/leads/{bravo}/assigned', json: { assigned: [2, 3] }, status: 200 },
    { name: 'sort by lead_title: descending is the default', method: 'GET', path: '/api/leads', query: [['sort', 'lead_title']],
      status: 200, body: { data: [{ id: '{charlie}' }, { id: '{bravo}' }, { id: '{alpha}' }] } },
    { name: 'sort by lead_title, ascending', method: 'GET', path: '/api/leads', query: [['sort', 'lead_title'], ['order', 'asc']],
      status: 200, body: { data: [{ id: '{alpha}' }, { id: '{bravo}' }, { id: '{charlie}' }] } },
    { name: 'sort by lead_value, ascending, as numbers', method: 'GET', path: '/api/leads',
      query: [['sort', 'lead_value'], ['order', 'asc']], status: 200,
      body: { data: [{ value: '25.00' }, { value: '900.00' }, { value: '1000.50' }] } },
    { name: 'sort by lead_value, descending', method: 'GET', path: '/api/leads', query: [['sort', 'lead_value'], ['order', 'desc']],
      status: 200, body: { data: [{ id: '{bravo}' }, { id: '{alpha}' }, { id: '{charlie}' }] } },
    { name: 'sort by lead_last_contacted, ascending', method: 'GET', path: '/api/leads',
      query: [['sort', 'lead_last_contacted'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{bravo}' }, { id: '{charlie}' }, { id: '{alpha}' }] } },
    { name: 'sort by lead_last_contacted, descending', method: 'GET', path: '/api/leads',
      query: [['sort', 'lead_last_contacted'], ['order', 'desc']], status: 200,
      body: { data: [{ id: '{alpha}' }, { id: '{charlie}' }, { id: '{bravo}' }] } },
    { name: 'unknown sort', method: 'GET', path: '/api/leads', query: [['sort', 'lead_mood']], ...refusedOn('sort') },
    { name: 'unknown order', method: 'GET', path: '/api/leads', query: [['order', 'down']], ...refusedOn('order') },
    { name: 'filter by status', method: 'GET', path: '/api/leads', query: [['status', '2']], status: 200,
      body: { data: [{ id: '{bravo}' }], meta: { total: 1 } } },
    { name: 'filter by category', method: 'GET', path: '/api/leads', query: [['category_id', '1'], ['sort', 'lead_title']], status: 200,
      body: { data: [{ id: '{charlie}' }, { id: '{alpha}' }], meta: { total: 2 } } },
    { name: 'filter by source', method: 'GET', path: '/api/leads', query: [['source', 'Web'], ['sort', 'lead_title']], status: 200,
      body: { data: [{ id: '{charlie}' }, { id: '{bravo}' }], meta: { total: 2 } } },
    { name: 'filter by source and status', method: 'GET', path: '/api/leads', query: [['source', 'Web'], ['status', '1']], status: 200,
      body: { data: [{ id: '{charlie}' }], meta: { total: 1 } } },
    {
      name: 'filter by assignee', method: 'GET', path: '/api/leads', query: [['assigned_user_id', '3']], status: 200,
      body: { data: [{ id: '{bravo}', assigned: [{ id: 2, name: 'Tom Okafor' }, { id: 3, name: 'Priya Raman' }] }], meta: { total: 1 } },
    },
    { name: 'filter by an assignee without leads', method: 'GET', path: '/api/leads', query: [['assigned_user_id', '4']], status: 200,
      at: { data: [], 'meta.total': 0 } },
    { name: 'search by title', method: 'GET', path: '/api/leads', query: [['search', 'Charlie']], status: 200,
      body: { data: [{ id: '{charlie}' }], meta: { total: 1 } } },
    { name: 'search by company', method: 'GET', path: '/api/leads', query: [['search', 'Kestrel']], status: 200,
      body: { data: [{ id: '{alpha}' }], meta: { total: 1 } } },
    { name: 'search by email', method: 'GET', path: '/api/leads', query: [['search', 'hello@maple']], status: 200,
      body: { data: [{ id: '{bravo}' }], meta: { total: 1 } } },
    { name: 'second page of two', method: 'GET', path: '/api/leads', query: [['sort', 'lead_title'], ['limit', '2'], ['page', '2']],
      status: 200, body: { data: [{ id: '{alpha}' }] }, at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } },
    { name: 'archive Alpha', method: 'PUT', path: '/api/leads/{alpha}/archive', status: 200 },
    { name: 'filter: archived', method: 'GET', path: '/api/leads', query: [['active_state', 'archived']], status: 200,
      body: { data: [{ id: '{alpha}', active_state: 'archived' }], meta: { total: 1 } } },
    { name: 'filter: active', method: 'GET', path: '/api/leads',
      query: [['active_state', 'active'], ['sort', 'lead_title'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{bravo}' }, { id: '{charlie}' }], meta: { total: 2 } } },
    { name: 'one more, last', method: 'POST', path: '/api/leads', form: bare, status: 201, save: { last: 'data.id' } },
    { name: 'sort by lead_created, descending: the last one first', method: 'GET', path: '/api/leads',
      query: [['active_state', 'active'], ['sort', 'lead_created'], ['order', 'desc'], ['limit', '1']], status: 200,
      body: { data: [{ id: '{last}' }] } },
    { name: 'sort by lead_created, ascending: the last one last', method: 'GET', path: '/api/leads',
      query: [['active_state', 'active'], ['sort', 'lead_created'], ['order', 'asc'], ['limit', '1'], ['page', '3']], status: 200,
      body: { data: [{ id: '{last}' }] } },
  ],
};

/** What a value that is sent as a number of JSON or as a form's text reads back as. */
const valued = (sent: unknown, kept: string, index: number): Row[] => [
  {
    name: `value ${sent} ${index}`, method: 'POST', path: '/api/leads',
    json: { lead_title: 'Money', lead_status: 1, lead_categoryid: 1, lead_value: sent }, status: 201, save: { [`lead${index}`]: 'data.id' },
  },
  { name: `value ${sent} is kept as ${kept} ${index}`, method: 'GET', path: `/api/leads/{lead${index}}`, status: 200,
    at: { 'data.value': kept } },
];

const money: Group = {
  name: 'leads: money has two decimals, exactly, half up',
  rows: [
    ...(
      [
        [1250, '1250.00'],
        ['0', '0.00'],
        ['1250.5', '1250.50'],
        ['.5', '0.50'],
        ['7.', '7.00'],
        ['0012.3', '12.30'],
        ['0.004', '0.00'],
        ['0.005', '0.01'],
        ['1.00499999999999999999', '1.00'],
        // A float holds 1.005 as a little less, and would round it down.
        ['1.005', '1.01'],
        ['99.995', '100.00'],
        ['12345678901234567890.105', '12345678901234567890.11'],
        ['-2.5', '-2.50'],
        ['-0.001', '0.00'],
      ] as const
    ).flatMap(([sent, kept], index) => valued(sent, kept, index)),
    {
      name: 'an update too', method: 'PATCH', path: '/api/leads/{lead0}',
      form: [['lead_title', 'Money'], ['lead_status', '1'], ['lead_categoryid', '1'], ['lead_value', '8.125']], status: 200,
      at: { 'data.value': '8.13' },
    },
    {
      name: 'a clone too', method: 'POST', path: '/api/leads/{lead0}/clone',
      form: [['lead_title', 'Money'], ['lead_status', '1'], ['lead_value', '3']], status: 201, at: { 'data.value': '3.00' },
    },
    {
      name: 'a clone keeps its source', method: 'POST', path: '/api/leads/{lead0}/clone',
      form: [['lead_title', 'Money'], ['lead_status', '1']], status: 201, at: { 'data.value': '8.13' },
    },
  ],
};

export const groups: Group[] = [creation, updating, deletion, lists, money];
