// Proposals: eight endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { type Form, having, list, notFound, number, present, refused, refusedOn, text, timestamp, without } from './shared.ts';

const toClient: Form = [
  ['customer_type', 'client'], ['doc_client_id', '1'], ['doc_title', 'Website build'], ['doc_date_start', '2025-03-01'],
  ['doc_categoryid', '4'],
];
const update: Form = [['doc_title', 'Website rebuild'], ['doc_date_start', '2025-04-01'], ['doc_categoryid', '5']];
const allMissing = {
  customer_type: ['The customer type field is required.'], doc_title: ['The doc title field is required.'],
  doc_date_start: ['The doc date start field is required.'], doc_categoryid: ['The doc categoryid field is required.'],
};
const aLead: Row = {
  name: 'a lead', method: 'POST', path: '/api/leads', json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }, status: 201,
  save: { lead: 'data.id' },
};
const aProposal: Row = {
  name: 'a proposal to the client', method: 'POST', path: '/api/proposals', form: [...toClient, ['doc_body', '<p>Scope</p>']], status: 201,
  save: { proposal: 'data.id' },
};

const creation: Group = {
  name: 'proposals: create and get',
  rows: [
    { name: 'an empty list', method: 'GET', path: '/api/proposals', status: 200,
      body: { message: 'Proposals retrieved successfully.', meta: { current_page: 1, per_page: 25, last_page: number } },
      at: { data: [], 'meta.total': 0 } },
    aLead,
    { name: 'create for a client with every field', method: 'POST', path: '/api/proposals',
      form: [...toClient, ['doc_date_end', '2025-03-31'], ['doc_body', '<p>Scope &amp; price</p>']], status: 201,
      body: { data: { id: number, title: 'Website build', status: 'draft' }, message: 'Proposal created successfully.' },
      save: { first: 'data.id' } },
    { name: 'get has every documented member', method: 'GET', path: '/api/proposals/{first}', status: 200,
      body: {
        data: {
          id: '{first}', title: 'Website build', status: 'draft', body: '<p>Scope &amp; price</p>',
          client: { id: 1, name: 'Northgate Trading' }, lead: { id: null, name: null }, category: { id: 4, name: 'Implementation' },
          project_id: null, dates: { start: '2025-03-01', end: '2025-03-31', created: timestamp, published: null },
          signed: { date: null, first_name: null, last_name: null },
        },
        message: 'Proposal retrieved successfully.',
      },
      at: { 'data.tags': [] } },
    { name: 'create for a lead, from JSON, with the required fields alone', method: 'POST', path: '/api/proposals',
      json: { customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 5 },
      status: 201, body: { data: { id: number, title: 'Fleet care', status: 'draft' } }, save: { second: 'data.id' } },
    { name: 'the lead stands where the client would', method: 'GET', path: '/api/proposals/{second}', status: 200,
      body: {
        data: {
          client: { id: null, name: null }, lead: { id: '{lead}', name: text }, body: present, category: { id: 5, name: 'Support Plan' },
          dates: { start: '2025-05-01', end: null },
        },
      } },
    { name: 'create with an end on the start date, and a template', method: 'POST', path: '/api/proposals',
      form: [...toClient, ['doc_date_end', '2025-03-01'], ['proposal_template', '1']], status: 201, save: { templated: 'data.id' } },
    { name: 'the template seeds the body', method: 'GET', path: '/api/proposals/{templated}', status: 200,
      body: { data: { body: text, dates: { start: '2025-03-01', end: '2025-03-01' } } } },
    { name: 'create with a template and a body', method: 'POST', path: '/api/proposals',
      form: [...toClient, ['doc_body', '<p>Mine</p>'], ['proposal_template', '1']], status: 201, save: { own: 'data.id' } },
    {
      name: 'the body takes precedence', method: 'GET', path: '/api/proposals/{own}', status: 200, body: { data: { body: '<p>Mine</p>' } },
    },
    { name: 'create: nothing sent', method: 'POST', path: '/api/proposals', json: {}, ...refused(allMissing) },
    { name: 'create: doc_client_id missing for a client', method: 'POST', path: '/api/proposals', form: without(toClient, 'doc_client_id'),
      ...refusedOn('doc_client_id') },
    { name: 'create: doc_lead_id missing for a lead', method: 'POST', path: '/api/proposals',
      form: having(without(toClient, 'doc_client_id'), ['customer_type', 'lead']), ...refusedOn('doc_lead_id') },
    { name: 'create: unknown customer_type', method: 'POST', path: '/api/proposals', form: having(toClient, ['customer_type', 'vendor']),
      ...refused({ customer_type: ['The selected customer type is invalid.'] }) },
    { name: 'create: unknown client', method: 'POST', path: '/api/proposals', form: having(toClient, ['doc_client_id', '999']),
      ...refused({ doc_client_id: ['The selected doc client id is invalid.'] }) },
    { name: 'create: unknown lead', method: 'POST', path: '/api/proposals',
      form: having(without(toClient, 'doc_client_id'), ['customer_type', 'lead'], ['doc_lead_id', '999999']),
      ...refused({ doc_lead_id: ['The selected doc lead id is invalid.'] }) },
    { name: 'create: unknown category', method: 'POST', path: '/api/proposals', form: having(toClient, ['doc_categoryid', '999']),
      ...refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] }) },
    { name: 'create: a lead category', method: 'POST', path: '/api/proposals', form: having(toClient, ['doc_categoryid', '1']),
      ...refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] }) },
    { name: 'create: a start date that is none', method: 'POST', path: '/api/proposals', form: having(toClient, ['doc_date_start', 'soon']),
      ...refusedOn('doc_date_start') },
    { name: 'create: a start date that no calendar has', method: 'POST', path: '/api/proposals',
      form: having(toClient, ['doc_date_start', '2025-02-30']), ...refusedOn('doc_date_start') },
    { name: 'create: an end before the start', method: 'POST', path: '/api/proposals', form: [...toClient, ['doc_date_end', '2025-02-28']],
      ...refusedOn('doc_date_end') },
    { name: 'nothing that was refused is in the list', method: 'GET', path: '/api/proposals', status: 200,
      at: { meta: { current_page: 1, per_page: 25, total: 4, last_page: 1 } } },
    { name: 'get: unknown id', method: 'GET', path: '/api/proposals/999999', ...notFound },
  ],
};

const updating: Group = {
  name: 'proposals: update',
  rows: [
    aProposal,
    { name: 'update the required fields', method: 'PATCH', path: '/api/proposals/{proposal}', form: update, status: 200,
      body: {
        data: {
          id: '{proposal}', title: 'Website rebuild', status: 'draft', body: '<p>Scope</p>', client: { id: 1, name: 'Northgate Trading' },
          lead: { id: null, name: null }, category: { id: 5, name: 'Support Plan' }, dates: { start: '2025-04-01' }, tags: list,
        },
        message: 'Proposal updated successfully.',
      } },
    { name: 'update with a body and an end', method: 'PATCH', path: '/api/proposals/{proposal}',
      form: [...update, ['doc_date_end', '2025-04-01'], ['doc_body', '<h1>New</h1>']], status: 200,
      body: { data: { body: '<h1>New</h1>', dates: { start: '2025-04-01', end: '2025-04-01' } } } },
    { name: 'update: nothing sent', method: 'PATCH', path: '/api/proposals/{proposal}', json: {},
      ...refused({
        doc_title: ['The doc title field is required.'], doc_date_start: ['The doc date start field is required.'],
        doc_categoryid: ['The doc categoryid field is required.'],
      }) },
    { name: 'update: an item category', method: 'PATCH', path: '/api/proposals/{proposal}',
      form: having(update, ['doc_categoryid', '6'], ['doc_title', 'Changed']),
      ...refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] }) },
    { name: 'update: an end before the start', method: 'PATCH', path: '/api/proposals/{proposal}',
      form: [...update, ['doc_date_end', '2025-03-31']], ...refusedOn('doc_date_end') },
    { name: 'a refused update changes nothing', method: 'GET', path: '/api/proposals/{proposal}', status: 200,
      body: { data: { title: 'Website rebuild', category: { id: 5 }, dates: { end: '2025-04-01' } } } },
    { name: 'update: unknown id', method: 'PATCH', path: '/api/proposals/999999', form: update, ...notFound },
  ],
};

const statuses: Group = {
  name: 'proposals: status',
  rows: [
    aProposal,
    { name: 'draft to new', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'new']], status: 200,
      body: {
        data: { id: '{proposal}', title: 'Website build', status: 'new', signed: { date: null, first_name: null, last_name: null } },
        message: 'Proposal status updated successfully.',
      } },
    { name: 'new to accepted', method: 'PUT', path: '/api/proposals/{proposal}/status', json: { status: 'accepted' }, status: 200,
      body: { data: { status: 'accepted', signed: { date: null, first_name: null, last_name: null } } } },
    { name: 'accepted to declined', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'declined']], status: 200,
      body: { data: { status: 'declined' } } },
    { name: 'declined to revised', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'revised']], status: 200,
      body: { data: { status: 'revised' } } },
    { name: 'revised to revised', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'revised']], status: 200,
      body: { data: { status: 'revised' } } },
    { name: 'revised to draft', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'draft']], status: 200,
      body: { data: { status: 'draft' } } },
    { name: 'draft to accepted', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'accepted']], status: 200,
      body: { data: { status: 'accepted' } } },
    { name: 'status: a value outside the five', method: 'PUT', path: '/api/proposals/{proposal}/status', form: [['status', 'signed']],
      ...refused({ status: ['The selected status is invalid.'] }) },
    { name: 'status: nothing sent', method: 'PUT', path: '/api/proposals/{proposal}/status', json: {},
      ...refused({ status: ['The status field is required.'] }) },
    { name: 'a refused status changes nothing', method: 'GET', path: '/api/proposals/{proposal}', status: 200,
      body: { data: { status: 'accepted' } } },
    { name: 'status: unknown id', method: 'PUT', path: '/api/proposals/999999/status', form: [['status', 'new']], ...notFound },
  ],
};

const tags: Group = {
  name: 'proposals: tags',
  rows: [
    aProposal,
    { name: 'set two tags', method: 'PUT', path: '/api/proposals/{proposal}/tags', form: [['tags[]', 'large'], ['tags[]', 'urgent']],
      status: 200, body: { data: { id: '{proposal}', title: 'Website build' }, message: 'Proposal tags updated successfully.' },
      at: { 'data.tags': ['large', 'urgent'] } },
    { name: 'a new set replaces the old one', method: 'PUT', path: '/api/proposals/{proposal}/tags', json: { tags: ['repeat'] },
      status: 200, at: { 'data.tags': ['repeat'] } },
    { name: 'tags: nothing sent', method: 'PUT', path: '/api/proposals/{proposal}/tags', json: {}, ...refusedOn('tags') },
    { name: 'tags: a string is no array', method: 'PUT', path: '/api/proposals/{proposal}/tags', form: [['tags', 'repeat']],
      ...refusedOn('tags') },
    { name: 'the set stands as it was', method: 'GET', path: '/api/proposals/{proposal}', status: 200, at: { 'data.tags': ['repeat'] } },
    { name: 'an empty JSON array clears the set', method: 'PUT', path: '/api/proposals/{proposal}/tags', json: { tags: [] }, status: 200,
      at: { 'data.tags': [] } },
    { name: 'tags[]= in a form is one empty element', method: 'PUT', path: '/api/proposals/{proposal}/tags', form: [['tags[]', '']],
      ...refused({ 'tags.0': ['The tags.0 field is required.'] }) },
    { name: 'tags: unknown id', method: 'PUT', path: '/api/proposals/999999/tags', json: { tags: ['a'] }, ...notFound },
  ],
};

const cloning: Group = {
  name: 'proposals: clone',
  rows: [
    aLead, aProposal,
    { name: 'clone to the client', method: 'POST', path: '/api/proposals/{proposal}/clone',
      form: having(toClient, ['doc_title', 'Website build II'], ['doc_date_start', '2026-01-01'], ['doc_date_end', '2026-01-31']),
      status: 201,
      body: {
        data: {
          id: number, title: 'Website build II', status: text, body: '<p>Scope</p>', client: { id: 1, name: 'Northgate Trading' },
          lead: { id: null, name: null }, category: { id: 4, name: 'Implementation' }, project_id: null,
          dates: { start: '2026-01-01', end: '2026-01-31', created: timestamp, published: null },
          signed: { date: null, first_name: null, last_name: null }, tags: list,
        },
        message: 'Proposal cloned successfully.',
      },
      save: { clone: 'data.id' } },
    { name: 'clone to a lead, from JSON, with the required fields alone', method: 'POST', path: '/api/proposals/{proposal}/clone',
      json: { doc_title: 'Fleet build', customer_type: 'lead', doc_lead_id: '{lead}', doc_categoryid: 5, doc_date_start: '2025-06-01' },
      status: 201,
      body: {
        data: {
          title: 'Fleet build', client: { id: null, name: null }, lead: { id: '{lead}' }, category: { id: 5 },
          dates: { start: '2025-06-01' },
        },
      } },
    { name: 'the original stays', method: 'GET', path: '/api/proposals/{proposal}', status: 200,
      body: { data: { id: '{proposal}', title: 'Website build', client: { id: 1 }, dates: { start: '2025-03-01' } } } },
    { name: 'the clone can be read', method: 'GET', path: '/api/proposals/{clone}', status: 200,
      body: { data: { id: '{clone}', title: 'Website build II' } } },
    { name: 'clone: nothing sent', method: 'POST', path: '/api/proposals/{proposal}/clone', json: {}, ...refused(allMissing) },
    { name: 'clone: doc_client_id missing for a client', method: 'POST', path: '/api/proposals/{proposal}/clone',
      form: without(toClient, 'doc_client_id'), ...refusedOn('doc_client_id') },
    { name: 'clone: unknown lead', method: 'POST', path: '/api/proposals/{proposal}/clone',
      form: having(without(toClient, 'doc_client_id'), ['customer_type', 'lead'], ['doc_lead_id', '999999']),
      ...refused({ doc_lead_id: ['The selected doc lead id is invalid.'] }) },
    { name: 'clone: an end before the start', method: 'POST', path: '/api/proposals/{proposal}/clone',
      form: [...toClient, ['doc_date_end', '2025-02-28']], ...refusedOn('doc_date_end') },
    { name: 'three proposals in all', method: 'GET', path: '/api/proposals', status: 200, at: { 'meta.total': 3 } },
    { name: 'clone: unknown id', method: 'POST', path: '/api/proposals/999999/clone', form: toClient, ...notFound },
  ],
};

const deletion: Group = {
  name: 'proposals: delete',
  rows: [
    aProposal,
    { name: 'delete', method: 'DELETE', path: '/api/proposals/{proposal}', status: 200,
      body: { data: { id: '{proposal}' }, message: 'Proposal deleted successfully.' } },
    { name: 'get it', method: 'GET', path: '/api/proposals/{proposal}', ...notFound },
    { name: 'delete it again', method: 'DELETE', path: '/api/proposals/{proposal}', ...notFound },
    { name: 'the list is empty', method: 'GET', path: '/api/proposals', status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'another one', method: 'POST', path: '/api/proposals', form: toClient, status: 201 },
    { name: 'the old id is not used again', method: 'GET', path: '/api/proposals/{proposal}', ...notFound },
  ],
};

const lists: Group = {
  name: 'proposals: lists',
  rows: [
    aLead,
    { name: 'Alpha', method: 'POST', path: '/api/proposals',
      form: having(toClient, ['doc_title', 'Alpha audit'], ['doc_date_start', '2025-02-10']), status: 201, save: { alpha: 'data.id' } },
    { name: 'Bravo, for the lead', method: 'POST', path: '/api/proposals',
      json: { customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Bravo build', doc_date_start: '2025-03-10', doc_categoryid: 4 },
      status: 201, save: { bravo: 'data.id' } },
    { name: 'Charlie', method: 'POST', path: '/api/proposals',
      form: having(toClient, ['doc_title', 'Charlie care'], ['doc_date_start', '2025-01-10'], ['doc_categoryid', '5']), status: 201,
      save: { charlie: 'data.id' } },
    { name: 'Alpha is new', method: 'PUT', path: '/api/proposals/{alpha}/status', form: [['status', 'new']], status: 200 },
    { name: 'Bravo is accepted', method: 'PUT', path: '/api/proposals/{bravo}/status', form: [['status', 'accepted']], status: 200 },
    { name: 'sort by doc_title: descending is the default', method: 'GET', path: '/api/proposals', query: [['sort', 'doc_title']],
      status: 200, body: { data: [{ id: '{charlie}' }, { id: '{bravo}' }, { id: '{alpha}' }] } },
    { name: 'sort by doc_title, ascending', method: 'GET', path: '/api/proposals', query: [['sort', 'doc_title'], ['order', 'asc']],
      status: 200, body: { data: [{ id: '{alpha}' }, { id: '{bravo}' }, { id: '{charlie}' }] } },
    { name: 'sort by doc_status, ascending', method: 'GET', path: '/api/proposals', query: [['sort', 'doc_status'], ['order', 'asc']],
      status: 200, body: { data: [{ status: 'accepted' }, { status: 'draft' }, { status: 'new' }] } },
    { name: 'sort by doc_status, descending', method: 'GET', path: '/api/proposals', query: [['sort', 'doc_status'], ['order', 'desc']],
      status: 200, body: { data: [{ status: 'new' }, { status: 'draft' }, { status: 'accepted' }] } },
    { name: 'sort by doc_date_start, ascending', method: 'GET', path: '/api/proposals',
      query: [['sort', 'doc_date_start'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{charlie}' }, { id: '{alpha}' }, { id: '{bravo}' }] } },
    { name: 'sort by doc_date_start, descending', method: 'GET', path: '/api/proposals',
      query: [['sort', 'doc_date_start'], ['order', 'desc']], status: 200,
      body: { data: [{ id: '{bravo}' }, { id: '{alpha}' }, { id: '{charlie}' }] } },
    { name: 'unknown sort', method: 'GET', path: '/api/proposals', query: [['sort', 'weight']], ...refusedOn('sort') },
    { name: 'unknown order', method: 'GET', path: '/api/proposals', query: [['order', 'up']], ...refusedOn('order') },
    { name: 'filter by status', method: 'GET', path: '/api/proposals', query: [['status', 'accepted']], status: 200,
      body: { data: [{ id: '{bravo}', status: 'accepted' }], meta: { total: 1 } } },
    { name: 'filter by client', method: 'GET', path: '/api/proposals', query: [['client_id', '1'], ['sort', 'doc_title']], status: 200,
      body: { data: [{ id: '{charlie}' }, { id: '{alpha}' }], meta: { total: 2 } } },
    { name: 'filter by lead', method: 'GET', path: '/api/proposals', query: [['lead_id', '{lead}']], status: 200,
      body: { data: [{ id: '{bravo}' }], meta: { total: 1 } } },
    { name: 'filter by category', method: 'GET', path: '/api/proposals', query: [['category_id', '5']], status: 200,
      body: { data: [{ id: '{charlie}' }], meta: { total: 1 } } },
    { name: 'search the title', method: 'GET', path: '/api/proposals', query: [['search', 'audit']], status: 200,
      body: { data: [{ id: '{alpha}' }], meta: { total: 1 } } },
    { name: 'second page of two', method: 'GET', path: '/api/proposals', query: [['sort', 'doc_title'], ['limit', '2'], ['page', '2']],
      status: 200, body: { data: [{ id: '{alpha}' }] }, at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } },
    { name: 'one more, last', method: 'POST', path: '/api/proposals', form: toClient, status: 201, save: { last: 'data.id' } },
    { name: 'sort by doc_created, descending: the last one first', method: 'GET', path: '/api/proposals',
      query: [['sort', 'doc_created'], ['order', 'desc'], ['limit', '1']], status: 200, body: { data: [{ id: '{last}' }] } },
    {
      name: 'sort by doc_created, ascending: the last one last', method: 'GET', path: '/api/proposals',
      query: [['sort', 'doc_created'], ['order', 'asc'], ['limit', '1'], ['page', '4']], status: 200, body: { data: [{ id: '{last}' }] },
    },
  ],
};

export const groups: Group[] = [creation, updating, statuses, tags, cloning, deletion, lists];
