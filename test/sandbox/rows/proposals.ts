// Proposals: eight endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group } from '../../support/conformance-row.ts';
import { json, without } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, list, made, notFound, number, ok, only, patch, post, present, put, refused, refusedOn, text,
  timestamp,
} from './shared.ts';

const toClient = { customer_type: 'client', doc_client_id: '1', doc_title: 'Website build', doc_date_start: '2025-03-01',
  doc_categoryid: '4' };
const update = { doc_title: 'Website rebuild', doc_date_start: '2025-04-01', doc_categoryid: '5' };
const allMissing = { customer_type: ['The customer type field is required.'], doc_title: ['The doc title field is required.'],
  doc_date_start: ['The doc date start field is required.'], doc_categoryid: ['The doc categoryid field is required.'] };
const aLead = post('a lead', '/api/leads', json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }),
  made('lead'));
const aProposal = post('a proposal to the client', '/api/proposals', { ...toClient, doc_body: '<p>Scope</p>' },
  made('proposal'));

const creation = group('proposals: create and get', [
  get('an empty list', '/api/proposals',
    ok({ message: 'Proposals retrieved successfully.', meta: { current_page: 1, per_page: 25, last_page: number } },
      { at: { data: [], 'meta.total': 0 } })),
  aLead,
  post('create for a client with every field', '/api/proposals',
    { ...toClient, doc_date_end: '2025-03-31', doc_body: '<p>Scope &amp; price</p>' },
    created({ data: { id: number, title: 'Website build', status: 'draft' }, message: 'Proposal created successfully.' },
      { save: { first: 'data.id' } })),
  get('get has every documented member', '/api/proposals/{first}',
    ok({
      data: { id: '{first}', title: 'Website build', status: 'draft', body: '<p>Scope &amp; price</p>',
        client: { id: 1, name: 'Northgate Trading' }, lead: { id: null, name: null }, category: { id: 4, name: 'Implementation' },
        project_id: null, dates: { start: '2025-03-01', end: '2025-03-31', created: timestamp, published: null },
        signed: { date: null, first_name: null, last_name: null } }, message: 'Proposal retrieved successfully.' },
      { at: { 'data.tags': [] } })),
  post('create for a lead, from JSON, with the required fields alone', '/api/proposals',
    json({ customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 5 }),
    created({ data: { id: number, title: 'Fleet care', status: 'draft' } }, { save: { second: 'data.id' } })),
  get('the lead stands where the client would', '/api/proposals/{second}',
    ok({
      data: { client: { id: null, name: null }, lead: { id: '{lead}', name: text }, body: present,
        category: { id: 5, name: 'Support Plan' }, dates: { start: '2025-05-01', end: null } } })),
  post('create with an end on the start date, and a template', '/api/proposals',
    { ...toClient, doc_date_end: '2025-03-01', proposal_template: '1' }, made('templated')),
  get('the template seeds the body', '/api/proposals/{templated}',
    ok({ data: { body: text, dates: { start: '2025-03-01', end: '2025-03-01' } } })),
  post('create with a template and a body', '/api/proposals', { ...toClient, doc_body: '<p>Mine</p>', proposal_template: '1' },
    made('own')),
  get('the body takes precedence', '/api/proposals/{own}', ok({ data: { body: '<p>Mine</p>' } })),
  post('create: nothing sent', '/api/proposals', json({}), refused(allMissing)),
  post('create: doc_client_id missing for a client', '/api/proposals', without(toClient, 'doc_client_id'), refusedOn('doc_client_id')),
  post('create: doc_lead_id missing for a lead', '/api/proposals', { ...without(toClient, 'doc_client_id'), customer_type: 'lead' },
    refusedOn('doc_lead_id')),
  post('create: unknown customer_type', '/api/proposals', { ...toClient, customer_type: 'vendor' },
    refused({ customer_type: ['The selected customer type is invalid.'] })),
  post('create: unknown client', '/api/proposals', { ...toClient, doc_client_id: '999' },
    refused({ doc_client_id: ['The selected doc client id is invalid.'] })),
  post('create: unknown lead', '/api/proposals', { ...without(toClient, 'doc_client_id'), customer_type: 'lead', doc_lead_id: '999999' },
    refused({ doc_lead_id: ['The selected doc lead id is invalid.'] })),
  post('create: unknown category', '/api/proposals', { ...toClient, doc_categoryid: '999' },
    refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] })),
  post('create: a lead category', '/api/proposals', { ...toClient, doc_categoryid: '1' },
    refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] })),
  post('create: a start date that is none', '/api/proposals', { ...toClient, doc_date_start: 'soon' }, refusedOn('doc_date_start')),
  post('create: a start date that no calendar has', '/api/proposals', { ...toClient, doc_date_start: '2025-02-30' },
    refusedOn('doc_date_start')),
  post('create: an end before the start', '/api/proposals', { ...toClient, doc_date_end: '2025-02-28' }, refusedOn('doc_date_end')),
  get('nothing that was refused is in the list', '/api/proposals',
    ok({}, { at: { meta: { current_page: 1, per_page: 25, total: 4, last_page: 1 } } })),
  get('get: unknown id', '/api/proposals/999999', notFound),
]);

const updating = group('proposals: update', [
  aProposal,
  patch('update the required fields', '/api/proposals/{proposal}', update,
    ok({
      data: { id: '{proposal}', title: 'Website rebuild', status: 'draft', body: '<p>Scope</p>',
        client: { id: 1, name: 'Northgate Trading' }, lead: { id: null, name: null }, category: { id: 5, name: 'Support Plan' },
        dates: { start: '2025-04-01' }, tags: list }, message: 'Proposal updated successfully.' })),
  patch('update with a body and an end', '/api/proposals/{proposal}', { ...update, doc_date_end: '2025-04-01', doc_body: '<h1>New</h1>' },
    ok({ data: { body: '<h1>New</h1>', dates: { start: '2025-04-01', end: '2025-04-01' } } })),
  patch('update: nothing sent', '/api/proposals/{proposal}', json({}),
    refused({ doc_title: ['The doc title field is required.'], doc_date_start: ['The doc date start field is required.'],
      doc_categoryid: ['The doc categoryid field is required.'] })),
  patch('update: an item category', '/api/proposals/{proposal}', { ...update, doc_categoryid: '6', doc_title: 'Changed' },
    refused({ doc_categoryid: ['The selected doc categoryid is invalid.'] })),
  patch('update: an end before the start', '/api/proposals/{proposal}', { ...update, doc_date_end: '2025-03-31' },
    refusedOn('doc_date_end')),
  get('a refused update changes nothing', '/api/proposals/{proposal}',
    ok({ data: { title: 'Website rebuild', category: { id: 5 }, dates: { end: '2025-04-01' } } })),
  patch('update: unknown id', '/api/proposals/999999', update, notFound),
]);

const statuses = group('proposals: status', [
  aProposal,
  put('draft to new', '/api/proposals/{proposal}/status', { status: 'new' },
    ok({ data: { id: '{proposal}', title: 'Website build', status: 'new', signed: { date: null, first_name: null, last_name: null } },
      message: 'Proposal status updated successfully.' })),
  put('new to accepted', '/api/proposals/{proposal}/status', json({ status: 'accepted' }),
    ok({ data: { status: 'accepted', signed: { date: null, first_name: null, last_name: null } } })),
  put('accepted to declined', '/api/proposals/{proposal}/status', { status: 'declined' }, ok({ data: { status: 'declined' } })),
  put('declined to revised', '/api/proposals/{proposal}/status', { status: 'revised' }, ok({ data: { status: 'revised' } })),
  put('revised to revised', '/api/proposals/{proposal}/status', { status: 'revised' }, ok({ data: { status: 'revised' } })),
  put('revised to draft', '/api/proposals/{proposal}/status', { status: 'draft' }, ok({ data: { status: 'draft' } })),
  put('draft to accepted', '/api/proposals/{proposal}/status', { status: 'accepted' }, ok({ data: { status: 'accepted' } })),
  put('status: a value outside the five', '/api/proposals/{proposal}/status', { status: 'signed' },
    refused({ status: ['The selected status is invalid.'] })),
  put('status: nothing sent', '/api/proposals/{proposal}/status', json({}), refused({ status: ['The status field is required.'] })),
  get('a refused status changes nothing', '/api/proposals/{proposal}', ok({ data: { status: 'accepted' } })),
  put('status: unknown id', '/api/proposals/999999/status', { status: 'new' }, notFound),
]);

const tags = group('proposals: tags', [
  aProposal,
  put('set two tags', '/api/proposals/{proposal}/tags', { 'tags[]': ['large', 'urgent'] },
    ok({ data: { id: '{proposal}', title: 'Website build' }, message: 'Proposal tags updated successfully.' },
      { at: { 'data.tags': ['large', 'urgent'] } })),
  put('a new set replaces the old one', '/api/proposals/{proposal}/tags', json({ tags: ['repeat'] }),
    ok({}, { at: { 'data.tags': ['repeat'] } })),
  put('tags: nothing sent', '/api/proposals/{proposal}/tags', json({}), refusedOn('tags')),
  put('tags: a string is no array', '/api/proposals/{proposal}/tags', { tags: 'repeat' }, refusedOn('tags')),
  get('the set stands as it was', '/api/proposals/{proposal}', ok({}, { at: { 'data.tags': ['repeat'] } })),
  put('an empty JSON array clears the set', '/api/proposals/{proposal}/tags', json({ tags: [] }), ok({}, { at: { 'data.tags': [] } })),
  put('tags[]= in a form is one empty element', '/api/proposals/{proposal}/tags', { 'tags[]': '' },
    refused({ 'tags.0': ['The tags.0 field is required.'] })),
  put('tags: unknown id', '/api/proposals/999999/tags', json({ tags: ['a'] }), notFound),
]);

const cloning = group('proposals: clone', [
  aLead,
  aProposal,
  post('clone to the client', '/api/proposals/{proposal}/clone',
    { ...toClient, doc_title: 'Website build II', doc_date_start: '2026-01-01', doc_date_end: '2026-01-31' },
    created({
      data: { id: number, title: 'Website build II', status: text, body: '<p>Scope</p>', client: { id: 1, name: 'Northgate Trading' },
        lead: { id: null, name: null }, category: { id: 4, name: 'Implementation' }, project_id: null,
        dates: { start: '2026-01-01', end: '2026-01-31', created: timestamp, published: null },
        signed: { date: null, first_name: null, last_name: null }, tags: list }, message: 'Proposal cloned successfully.' },
      { save: { clone: 'data.id' } })),
  post('clone to a lead, from JSON, with the required fields alone', '/api/proposals/{proposal}/clone',
    json({ doc_title: 'Fleet build', customer_type: 'lead', doc_lead_id: '{lead}', doc_categoryid: 5, doc_date_start: '2025-06-01' }),
    created({
      data: { title: 'Fleet build', client: { id: null, name: null }, lead: { id: '{lead}' }, category: { id: 5 },
        dates: { start: '2025-06-01' } } })),
  get('the original stays', '/api/proposals/{proposal}',
    ok({ data: { id: '{proposal}', title: 'Website build', client: { id: 1 }, dates: { start: '2025-03-01' } } })),
  get('the clone can be read', '/api/proposals/{clone}', ok({ data: { id: '{clone}', title: 'Website build II' } })),
  post('clone: nothing sent', '/api/proposals/{proposal}/clone', json({}), refused(allMissing)),
  post('clone: doc_client_id missing for a client', '/api/proposals/{proposal}/clone', without(toClient, 'doc_client_id'),
    refusedOn('doc_client_id')),
  post('clone: unknown lead', '/api/proposals/{proposal}/clone',
    { ...without(toClient, 'doc_client_id'), customer_type: 'lead', doc_lead_id: '999999' },
    refused({ doc_lead_id: ['The selected doc lead id is invalid.'] })),
  post('clone: an end before the start', '/api/proposals/{proposal}/clone', { ...toClient, doc_date_end: '2025-02-28' },
    refusedOn('doc_date_end')),
  get('three proposals in all', '/api/proposals', ok({}, { at: { 'meta.total': 3 } })),
  post('clone: unknown id', '/api/proposals/999999/clone', toClient, notFound),
]);

const deletion = group('proposals: delete', [
  aProposal,
  del('delete', '/api/proposals/{proposal}', ok({ data: { id: '{proposal}' }, message: 'Proposal deleted successfully.' })),
  get('get it', '/api/proposals/{proposal}', notFound),
  del('delete it again', '/api/proposals/{proposal}', notFound),
  get('the list is empty', '/api/proposals', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('another one', '/api/proposals', toClient, created()),
  get('the old id is not used again', '/api/proposals/{proposal}', notFound),
]);

const lists = group('proposals: lists', [
  aLead,
  post('Alpha', '/api/proposals', { ...toClient, doc_title: 'Alpha audit', doc_date_start: '2025-02-10' }, made('alpha')),
  post('Bravo, for the lead', '/api/proposals',
    json({ customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Bravo build', doc_date_start: '2025-03-10', doc_categoryid: 4 }),
    made('bravo')),
  post('Charlie', '/api/proposals', { ...toClient, doc_title: 'Charlie care', doc_date_start: '2025-01-10', doc_categoryid: '5' },
    made('charlie')),
  put('Alpha is new', '/api/proposals/{alpha}/status', { status: 'new' }, ok()),
  put('Bravo is accepted', '/api/proposals/{bravo}/status', { status: 'accepted' }, ok()),
  get('sort by doc_title: descending is the default', '/api/proposals?sort=doc_title', inOrder('charlie', 'bravo', 'alpha')),
  get('sort by doc_title, ascending', '/api/proposals?sort=doc_title&order=asc', inOrder('alpha', 'bravo', 'charlie')),
  get('sort by doc_status, ascending', '/api/proposals?sort=doc_status&order=asc',
    ok({ data: [{ status: 'accepted' }, { status: 'draft' }, { status: 'new' }] })),
  get('sort by doc_status, descending', '/api/proposals?sort=doc_status&order=desc',
    ok({ data: [{ status: 'new' }, { status: 'draft' }, { status: 'accepted' }] })),
  get('sort by doc_date_start, ascending', '/api/proposals?sort=doc_date_start&order=asc', inOrder('charlie', 'alpha', 'bravo')),
  get('sort by doc_date_start, descending', '/api/proposals?sort=doc_date_start&order=desc', inOrder('bravo', 'alpha', 'charlie')),
  get('unknown sort', '/api/proposals?sort=weight', refusedOn('sort')),
  get('unknown order', '/api/proposals?order=up', refusedOn('order')),
  get('filter by status', '/api/proposals?status=accepted', ok({ data: [{ id: '{bravo}', status: 'accepted' }], meta: { total: 1 } })),
  get('filter by client', '/api/proposals?client_id=1&sort=doc_title', only('charlie', 'alpha')),
  get('filter by lead', '/api/proposals?lead_id={lead}', only('bravo')),
  get('filter by category', '/api/proposals?category_id=5', only('charlie')),
  get('search the title', '/api/proposals?search=audit', only('alpha')),
  get('second page of two', '/api/proposals?sort=doc_title&limit=2&page=2',
    ok({ data: [{ id: '{alpha}' }] }, { at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } })),
  post('one more, last', '/api/proposals', toClient, made('last')),
  get('sort by doc_created, descending: the last one first', '/api/proposals?sort=doc_created&order=desc&limit=1', inOrder('last')),
  get('sort by doc_created, ascending: the last one last', '/api/proposals?sort=doc_created&order=asc&limit=1&page=4', inOrder('last')),
]);

export const groups: Group[] = [creation, updating, statuses, tags, cloning, deletion, lists];
