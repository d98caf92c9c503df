// Contacts: six endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, made, notFound, number, ok, only, patch, post, put, refused, refusedOn, text, timestamp,
} from './shared.ts';

const ada = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', clientid: '1' };
const ben = { first_name: 'Ben', last_name: 'Carter', email: 'ben@example.com', clientid: '1' };
const update = { first_name: 'Augusta', last_name: 'King', email: 'augusta@example.com' };
const taken = refused({ email: ['The email has already been taken.'] });

const creation = group('contacts: create and get', [
  get('an empty list', '/api/contacts',
    ok({ message: 'Contacts retrieved successfully.', meta: { current_page: 1, per_page: 25, last_page: number } },
      { at: { data: [], 'meta.total': 0 } })),
  post('create with every field', '/api/contacts', { ...ada, phone: '+46 555 0101', position: 'Analyst', send_email: 'no' },
    created({ data: { id: number, name: 'Ada Byron' }, message: 'Contact created successfully.' }, { save: { ada: 'data.id' } })),
  get('get has every documented member', '/api/contacts/{ada}',
    ok({
      data: { id: '{ada}', first_name: 'Ada', last_name: 'Byron', name: 'Ada Byron', email: 'ada@example.com', phone: '+46 555 0101',
        job_position: 'Analyst', account_owner: 'no', status: 'active', client: { id: 1, company_name: 'Northgate Trading' },
        role: { id: number, name: text }, social: { facebook: null, twitter: null, linkedin: null, github: null, dribbble: null },
        dates: { created: timestamp, updated: timestamp } }, message: 'Contact retrieved successfully.' })),
  post('create from JSON with the required fields alone, and a welcome email', '/api/contacts',
    json({ first_name: 'Ben', last_name: 'Carter', email: 'ben@example.com', clientid: 1, send_email: 'yes' }),
    created({ data: { id: number, name: 'Ben Carter' }, message: 'Contact created successfully.' }, { save: { ben: 'data.id' } })),
  get('what was not sent reads back as null', '/api/contacts/{ben}',
    ok({ data: { id: '{ben}', phone: null, job_position: null, account_owner: 'no' } })),
  post('create: nothing sent', '/api/contacts', json({}),
    refused({ first_name: ['The first name field is required.'], last_name: ['The last name field is required.'],
      email: ['The email field is required.'], clientid: ['The clientid field is required.'] })),
  post('create: an empty first_name is as good as none', '/api/contacts', { ...ada, first_name: '', email: 'new@example.com' },
    refused({ first_name: ['The first name field is required.'] })),
  post('create: bad email', '/api/contacts', { ...ada, email: 'not-an-address' }, refusedOn('email')),
  post('create: email of another contact', '/api/contacts', ada, taken),
  post('create: email of another contact in capitals', '/api/contacts', { ...ada, email: 'ADA@Example.COM' }, taken),
  post('create: email of a team member', '/api/contacts', { ...ada, email: 'tom@crm.example' }, taken),
  post('create: email of a team member in capitals', '/api/contacts', { ...ada, email: 'MAYA@CRM.EXAMPLE' }, taken),
  post('create: unknown client', '/api/contacts', { ...ada, email: 'new@example.com', clientid: '999' },
    refused({ clientid: ['The selected clientid is invalid.'] })),
  post('create: client id that is no number', '/api/contacts', { ...ada, email: 'new@example.com', clientid: 'northgate' },
    refusedOn('clientid')),
  get('nothing that was refused is in the list', '/api/contacts?sort=first_name',
    ok({ data: [{ id: '{ada}' }, { id: '{ben}' }] }, { at: { meta: { current_page: 1, per_page: 25, total: 2, last_page: 1 } } })),
  get('get: unknown id', '/api/contacts/999999', notFound),
]);

const updating = group('contacts: update', [
  post('Ada', '/api/contacts', ada, made('ada')),
  post('Ben', '/api/contacts', ben, made('ben')),
  patch('update every field', '/api/contacts/{ada}', { ...update, phone: '555 0199', position: 'Countess' },
    ok({ data: { id: '{ada}', name: 'Augusta King' }, message: 'Contact updated successfully.' })),
  get('the update reads back', '/api/contacts/{ada}',
    ok({
      data: { first_name: 'Augusta', last_name: 'King', name: 'Augusta King', email: 'augusta@example.com', phone: '555 0199',
        job_position: 'Countess', client: { id: 1, company_name: 'Northgate Trading' } } })),
  patch('its own email may stay', '/api/contacts/{ada}', update, ok({ message: 'Contact updated successfully.' })),
  patch('its own email in capitals is no duplicate', '/api/contacts/{ada}', { ...update, email: 'AUGUSTA@example.com' }, ok()),
  patch('update: email of another contact in capitals', '/api/contacts/{ada}', { ...update, email: 'BEN@EXAMPLE.COM' }, taken),
  patch('update: email of a team member', '/api/contacts/{ada}', { ...update, email: 'Priya@crm.example' }, taken),
  patch('update: nothing sent', '/api/contacts/{ada}', json({}),
    refused({ first_name: ['The first name field is required.'], last_name: ['The last name field is required.'],
      email: ['The email field is required.'] })),
  patch('update: bad email', '/api/contacts/{ada}', { ...update, first_name: 'Changed', email: 'at.example.com' }, refusedOn('email')),
  get('a refused update changes nothing', '/api/contacts/{ada}', ok({ data: { first_name: 'Augusta' } })),
  patch('update cannot make an account owner', '/api/contacts/{ada}', { ...update, account_owner: 'yes' }, ok()),
  get('and it is none', '/api/contacts/{ada}', ok({ data: { account_owner: 'no' } })),
  patch('update: unknown id', '/api/contacts/999999', update, notFound),
]);

const owner = group('contacts: account owner', [
  post('Ada', '/api/contacts', ada, made('ada')),
  post('Ben', '/api/contacts', ben, made('ben')),
  post('a lead to make a second client of', '/api/leads', json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }), made('lead')),
  post('the second client, with its own account owner', '/api/leads/{lead}/convert',
    json({ first_name: 'Cleo', last_name: 'Dunn', email: 'cleo@example.com', client_company_name: 'Fleet Ltd' }),
    created({}, { save: { cleo: 'data.owner.id' } })),
  put('Ada becomes account owner', '/api/contacts/{ada}/account-owner', {},
    ok({ data: { id: '{ada}', name: 'Ada Byron', account_owner: 'yes', client: { id: 1, company_name: 'Northgate Trading' } },
      message: 'Contact set as account owner successfully.' })),
  put('Ben takes over', '/api/contacts/{ben}/account-owner', {}, ok({ data: { id: '{ben}', account_owner: 'yes' } })),
  get('the previous owner is one no more', '/api/contacts/{ada}', ok({ data: { id: '{ada}', account_owner: 'no' } })),
  get("the other client's owner stays", '/api/contacts/{cleo}',
    ok({ data: { id: '{cleo}', account_owner: 'yes', client: { company_name: 'Fleet Ltd' } } })),
  get('account owners are Ben and Cleo', '/api/contacts?account_owner=yes&sort=first_name', only('ben', 'cleo')),
  put('account owner: unknown id', '/api/contacts/999999/account-owner', {}, notFound),
]);

const deletion = group('contacts: delete', [
  post('Ada', '/api/contacts', ada, made('ada')),
  del('delete', '/api/contacts/{ada}', ok({ data: { id: '{ada}' }, message: 'Contact deleted successfully.' })),
  get('get it', '/api/contacts/{ada}', notFound),
  patch('update it', '/api/contacts/{ada}', update, notFound),
  del('delete it again', '/api/contacts/{ada}', notFound),
  put('make it account owner', '/api/contacts/{ada}/account-owner', {}, notFound),
  get('it is gone from the list', '/api/contacts', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('its email is free for a new contact', '/api/contacts', ada,
    created({ data: { id: number, name: 'Ada Byron' } }, { save: { next: 'data.id' } })),
  get('the old id is not used again', '/api/contacts/{ada}', notFound),
  get('the new contact stands alone in the list', '/api/contacts',
    ok({ data: [{ id: '{next}', email: 'ada@example.com' }], meta: { total: 1 } })),
  del('delete: unknown id', '/api/contacts/999999', notFound),
]);

const lists = group('contacts: lists', [
  post('Anna', '/api/contacts', json({ first_name: 'Anna', last_name: 'Young', email: 'kilo@example.com', clientid: 1, phone: '555-0101' }),
    made('anna')),
  post('Boris', '/api/contacts',
    json({ first_name: 'Boris', last_name: 'Adler', email: 'zulu@example.com', clientid: 1, phone: '555-0202' }), made('boris')),
  post('Clara', '/api/contacts',
    json({ first_name: 'Clara', last_name: 'Meyer', email: 'alfa@example.com', clientid: 1, phone: '555-0303' }), made('clara')),
  get('sort by first_name, ascending', '/api/contacts?sort=first_name&order=asc', inOrder('anna', 'boris', 'clara')),
  get('sort by first_name, descending', '/api/contacts?sort=first_name&order=desc', inOrder('clara', 'boris', 'anna')),
  get('sort by last_name, ascending', '/api/contacts?sort=last_name&order=asc', inOrder('boris', 'clara', 'anna')),
  get('sort by last_name, descending', '/api/contacts?sort=last_name&order=desc', inOrder('anna', 'clara', 'boris')),
  get('sort by email: ascending is the default', '/api/contacts?sort=email', inOrder('clara', 'anna', 'boris')),
  get('sort by email, descending', '/api/contacts?sort=email&order=desc', inOrder('boris', 'anna', 'clara')),
  get('unknown sort', '/api/contacts?sort=shoe_size', refusedOn('sort')),
  get('unknown order', '/api/contacts?order=sideways', refusedOn('order')),
  get('first page of two', '/api/contacts?sort=first_name&limit=2',
    ok({ data: [{ id: '{anna}' }, { id: '{boris}' }] }, { at: { meta: { current_page: 1, per_page: 2, total: 3, last_page: 2 } } })),
  get('second page of two', '/api/contacts?sort=first_name&limit=2&page=2',
    ok({ data: [{ id: '{clara}' }] }, { at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } })),
  get('a page past the last is empty', '/api/contacts?limit=2&page=3', ok({}, { at: { data: [], 'meta.total': 3 } })),
  get('a limit of 100 is allowed', '/api/contacts?limit=100', ok({}, { at: { 'meta.per_page': 100, 'meta.total': 3 } })),
  get('search by first name', '/api/contacts?search=Boris', only('boris')),
  get('search by last name', '/api/contacts?search=Meyer', inOrder('clara')),
  get('search by a part of the email', '/api/contacts?search=zulu@', inOrder('boris')),
  get('search by a part of the phone', '/api/contacts?search=0101', inOrder('anna')),
  get('search without a hit', '/api/contacts?search=quetzal', ok({}, { at: { data: [], 'meta.total': 0 } })),
  get('filter by status', '/api/contacts?status=active', ok({}, { at: { 'meta.total': 3 } })),
  post('a lead to make a second client of', '/api/leads', json({ lead_title: 'Harbour', lead_status: 1, lead_categoryid: 1 }),
    made('lead')),
  post('the second client, with Dora', '/api/leads/{lead}/convert',
    json({ first_name: 'Dora', last_name: 'Hill', email: 'hotel@example.com', client_company_name: 'Harbour Ltd' }),
    created({}, { save: { client: 'data.id', dora: 'data.owner.id' } })),
  get('filter by the second client', '/api/contacts?client_id={client}',
    ok({ data: [{ id: '{dora}', client: { id: '{client}', company_name: 'Harbour Ltd' } }], meta: { total: 1 } })),
  get('filter by the first client, and search', '/api/contacts?client_id=1&search=example.com&sort=first_name',
    only('anna', 'boris', 'clara')),
  get('filter: account owners', '/api/contacts?account_owner=yes', inOrder('dora')),
  get('filter: not account owners', '/api/contacts?account_owner=no&sort=email', inOrder('clara', 'anna', 'boris')),
  get('sort by created, descending: the last one first', '/api/contacts?sort=created&order=desc&limit=1', inOrder('dora')),
  get('sort by created, ascending: the last one last', '/api/contacts?sort=created&order=asc&limit=1&page=4', inOrder('dora')),
  patch('an update of Anna', '/api/contacts/{anna}', json({ first_name: 'Annie', last_name: 'Young', email: 'kilo@example.com' }), ok()),
  get('sort by updated, descending: Anna first', '/api/contacts?sort=updated&order=desc&limit=1',
    ok({ data: [{ id: '{anna}', name: 'Annie Young' }] })),
  get('sort by updated, ascending: Anna last', '/api/contacts?sort=updated&order=asc&limit=1&page=4', inOrder('anna')),
]);

export const groups: Group[] = [creation, updating, owner, deletion, lists];
