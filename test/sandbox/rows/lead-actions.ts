// Lead actions: status, assigned, tags, archive, activate, convert, clone and comments. Typed by hand from the interface
// document (and the vendor facts where it is silent), without a look at the sandbox's code.

import { expect } from 'vitest';
import type { Group } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, list, made, notFound, number, ok, post, present, put, refused, refusedOn, text,
} from './shared.ts';

const aLead = post('a lead', '/api/leads',
  json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 3, lead_firstname: 'Ines', lead_value: '12.50' }),
  made('lead'));
const aProposal = post('a proposal to the lead', '/api/proposals',
  json({ customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 4 }),
  made('proposal'));
const ines = { first_name: 'Ines', last_name: 'Costa', email: 'ines@kestrel.example' };
const taken = refused({ email: ['The email has already been taken.'] });
const someAddress = { street: present, city: present, state: present, zip: present, country: present };

const statuses = group('leads: status', [
  aLead,
  put('New to Qualified', '/api/leads/{lead}/status', { status: '3' },
    ok({ data: { id: '{lead}', title: 'Fleet', status: { id: 3, title: 'Qualified', color: text }, active_state: 'active' },
      message: 'Lead status updated successfully.' })),
  put('Qualified to Lost', '/api/leads/{lead}/status', json({ status: 6 }), ok({ data: { status: { id: 6, title: 'Lost' } } })),
  put('status: unknown', '/api/leads/{lead}/status', { status: '99' }, refused({ status: ['The selected status is invalid.'] })),
  put('status: a word', '/api/leads/{lead}/status', { status: 'Lost' }, refusedOn('status')),
  put('status: nothing sent', '/api/leads/{lead}/status', json({}), refused({ status: ['The status field is required.'] })),
  get('a refused status changes nothing', '/api/leads/{lead}', ok({ data: { status: { id: 6 } } })),
  put('status: unknown id', '/api/leads/999999/status', { status: '2' }, notFound),
]);

const assigned = group('leads: assigned', [
  aLead,
  put('assign two, by form', '/api/leads/{lead}/assigned', { 'assigned[]': ['2', '3'] },
    ok({ data: { id: '{lead}', title: 'Fleet' }, message: 'Lead assignees updated successfully.' },
      { at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }, { id: 3, name: 'Priya Raman' }] } })),
  put('a new assignment replaces the old one', '/api/leads/{lead}/assigned', json({ assigned: [4] }),
    ok({}, { at: { 'data.assigned': [{ id: 4, name: 'Jonas Weber' }] } })),
  put('assigned: nothing sent', '/api/leads/{lead}/assigned', json({}), refusedOn('assigned')),
  put('assigned: a number is no array', '/api/leads/{lead}/assigned', json({ assigned: 2 }), refusedOn('assigned')),
  put('assigned: one known user and one unknown', '/api/leads/{lead}/assigned', json({ assigned: [2, 999] }),
    { status: 422, body: { message: 'The given data was invalid.', errors: expect.any(Object) } }),
  post('a contact, who is no team member', '/api/contacts', { ...ines, clientid: '1' }, made('contact')),
  put('assigned: a contact', '/api/leads/{lead}/assigned', json({ assigned: ['{contact}'] }),
    { status: 422, body: { message: 'The given data was invalid.', errors: expect.any(Object) } }),
  get('a refused assignment changes nothing', '/api/leads/{lead}', ok({}, { at: { 'data.assigned': [{ id: 4, name: 'Jonas Weber' }] } })),
  put('an empty JSON array clears the assignment', '/api/leads/{lead}/assigned', json({ assigned: [] }),
    ok({}, { at: { 'data.assigned': [] } })),
  put('assigned: unknown id', '/api/leads/999999/assigned', json({ assigned: [2] }), notFound),
]);

const tags = group('leads: tags', [
  aLead,
  put('set two tags', '/api/leads/{lead}/tags', { 'tags[]': ['fleet', 'north'] },
    ok({ data: { id: '{lead}', title: 'Fleet' }, message: 'Lead tags updated successfully.' },
      { at: { 'data.tags': ['fleet', 'north'] } })),
  put('a new set replaces the old one', '/api/leads/{lead}/tags', json({ tags: ['south'] }), ok({}, { at: { 'data.tags': ['south'] } })),
  put('tags: nothing sent', '/api/leads/{lead}/tags', json({}), refusedOn('tags')),
  put('an empty JSON array clears the set', '/api/leads/{lead}/tags', json({ tags: [] }), ok({}, { at: { 'data.tags': [] } })),
  get('it stays clear', '/api/leads/{lead}', ok({}, { at: { 'data.tags': [] } })),
  put('tags: unknown id', '/api/leads/999999/tags', json({ tags: ['a'] }), notFound),
]);

const archive = group('leads: archive and activate', [
  aLead,
  put('active to archived', '/api/leads/{lead}/archive', {},
    ok({ data: { id: '{lead}', title: 'Fleet', active_state: 'archived' }, message: text })),
  put('archived to archived', '/api/leads/{lead}/archive', {}, ok({ data: { active_state: 'archived' } })),
  put('archived to active', '/api/leads/{lead}/activate', {},
    ok({ data: { id: '{lead}', title: 'Fleet', active_state: 'active' }, message: text })),
  put('active to active', '/api/leads/{lead}/activate', {}, ok({ data: { active_state: 'active' } })),
  put('archive: unknown id', '/api/leads/999999/archive', {}, notFound),
  put('activate: unknown id', '/api/leads/999999/activate', {}, notFound),
]);

const convert = group('leads: convert', [
  aLead,
  aProposal,
  post('a contact whose email is taken then', '/api/contacts', { ...ines, email: 'bea@example.com', clientid: '1' }, created()),
  post('convert: nothing sent', '/api/leads/{lead}/convert', json({}),
    refused({ first_name: ['The first name field is required.'], last_name: ['The last name field is required.'],
      email: ['The email field is required.'] })),
  post('convert: bad email', '/api/leads/{lead}/convert', { ...ines, email: 'ines' }, refusedOn('email')),
  post('convert: days that are no number', '/api/leads/{lead}/convert', { ...ines, client_billing_invoice_due_days: 'a month' },
    refusedOn('client_billing_invoice_due_days')),
  post('convert: email of a contact, in capitals', '/api/leads/{lead}/convert', { ...ines, email: 'BEA@example.com' }, taken),
  post('convert: email of a team member, in capitals', '/api/leads/{lead}/convert', { ...ines, email: 'Jonas@CRM.example' }, taken),
  get('a refused conversion changes nothing', '/api/leads/{lead}',
    ok({ data: { converted: { is_converted: false, client_id: null, date: null } } })),
  post('convert with every field', '/api/leads/{lead}/convert',
    { ...ines, client_company_name: 'Kestrel Ltd', client_billing_invoice_due_days: '30', send_welcome_email: 'yes', delete_lead: 'no' },
    created({
      data: { id: number, company_name: 'Kestrel Ltd', description: present, status: text, phone: present, website: present, vat: present,
        category: present, owner: { id: number, name: 'Ines Costa' }, billing: { ...someAddress, invoice_due_days: 30 },
        shipping: someAddress, dates: present, tags: list }, message: 'Lead converted to client successfully.' },
      { save: { client: 'data.id', contact: 'data.owner.id' } })),
  get('the lead says so', '/api/leads/{lead}',
    ok({ data: { id: '{lead}', converted: { is_converted: true, client_id: '{client}', date: text } } })),
  get('its proposal moved to the client', '/api/proposals/{proposal}',
    ok({ data: { id: '{proposal}', client: { id: '{client}', name: 'Kestrel Ltd' }, lead: { id: null, name: null } } })),
  get('the contact is the account owner', '/api/contacts/{contact}',
    ok({
      data: { id: '{contact}', name: 'Ines Costa', email: 'ines@kestrel.example', account_owner: 'yes',
        client: { id: '{client}', company_name: 'Kestrel Ltd' } } })),
  post('a second conversion', '/api/leads/{lead}/convert', { ...ines, email: 'other@kestrel.example' },
    { status: 409, body: { message: text } }),
  get('and it made no client user', '/api/contacts?search=other@kestrel.example', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('the email is taken for a contact', '/api/contacts', { ...ines, email: 'INES@kestrel.example', clientid: '1' }, taken),
  post('convert: unknown id', '/api/leads/999999/convert', ines, notFound),
]);

const convertAndDelete = group('leads: convert and delete the lead', [
  aLead,
  aProposal,
  post('convert with the required fields and delete_lead', '/api/leads/{lead}/convert', { ...ines, delete_lead: 'yes' },
    created({ data: { id: number, company_name: text, owner: { name: 'Ines Costa' } } }, { save: { client: 'data.id' } })),
  get('the lead is gone', '/api/leads/{lead}', notFound),
  get('and from the list', '/api/leads', ok({}, { at: { data: [], 'meta.total': 0 } })),
  get('the proposal is with the client', '/api/proposals?client_id={client}',
    ok({ data: [{ id: '{proposal}', client: { id: '{client}' }, lead: { id: null, name: null } }], meta: { total: 1 } })),
]);

const cloning = group('leads: clone', [
  aLead,
  post('clone with every field', '/api/leads/{lead}/clone',
    { lead_title: 'Fleet again', lead_status: '4', lead_firstname: 'Rui', lead_lastname: 'Lopes', lead_email: 'rui@kestrel.example',
      lead_phone: '555-0120', lead_company_name: 'Kestrel Ltd', lead_website: 'https://kestrel.example', lead_value: '70.05',
      copy_checklist: 'on', copy_files: 'on' },
    created({
      data: { id: number, title: 'Fleet again', value: '70.05', status: { id: 4, title: 'Proposal Sent', color: text },
        active_state: 'active', category: { id: 3, name: 'Referral' }, source: present, last_contacted: present, description: present,
        contact: { first_name: 'Rui', last_name: 'Lopes', email: 'rui@kestrel.example', phone: '555-0120', job_position: present,
          company_name: 'Kestrel Ltd', website: 'https://kestrel.example' }, address: someAddress,
        converted: { is_converted: false, client_id: null, date: null }, assigned: list, tags: list,
        dates: { created: text, updated: text } }, message: 'Lead cloned successfully.' }, { save: { clone: 'data.id' } })),
  get('the clone can be read', '/api/leads/{clone}', ok({ data: { id: '{clone}', title: 'Fleet again' } })),
  get('the original stays', '/api/leads/{lead}',
    ok({ data: { id: '{lead}', title: 'Fleet', value: '12.50', status: { id: 1 }, contact: { first_name: 'Ines' } } })),
  post('clone: nothing sent', '/api/leads/{lead}/clone', json({}),
    refused({ lead_title: ['The lead title field is required.'], lead_status: ['The lead status field is required.'] })),
  post('clone: unknown status', '/api/leads/{lead}/clone', { lead_title: 'Fleet again', lead_status: '99' },
    refused({ lead_status: ['The selected lead status is invalid.'] })),
  post('clone: value that is no decimal', '/api/leads/{lead}/clone', { lead_title: 'Fleet again', lead_status: '1', lead_value: 'free' },
    refusedOn('lead_value')),
  post('clone: unknown id', '/api/leads/999999/clone', json({ lead_title: 'Fleet again', lead_status: 1 }), notFound),
]);

const comments = group('leads: comments', [
  aLead,
  post('another lead', '/api/leads', json({ lead_title: 'Harbour', lead_status: 1, lead_categoryid: 1 }), made('other')),
  get('no comments', '/api/leads/{lead}/comments', ok({ message: text }, { at: { data: [] }, absent: ['meta'] })),
  post('comment', '/api/leads/{lead}/comments', { comment: 'Called; call again.' },
    created({ data: { id: number, text: 'Called; call again.', creator: { id: 1, name: 'Maya Lindqvist' } },
      message: 'Lead comment added successfully.' }, { save: { first: 'data.id' } })),
  get('the list has every documented member, and no meta', '/api/leads/{lead}/comments',
    ok({ data: [{ id: '{first}', text: 'Called; call again.', creator: { id: 1, name: 'Maya Lindqvist' } }], message: text },
      { absent: ['meta'] })),
  post('another comment, from JSON', '/api/leads/{lead}/comments', json({ comment: 'Sent a quote.' }),
    created({ data: { text: 'Sent a quote.' } }, { save: { second: 'data.id' } })),
  post('comment: nothing sent', '/api/leads/{lead}/comments', json({}), refused({ comment: ['The comment field is required.'] })),
  get('the other lead has none', '/api/leads/{other}/comments', ok({}, { at: { data: [] } })),
  del("nor may it delete the lead's", '/api/leads/{other}/comments/{first}', notFound),
  del('delete a comment', '/api/leads/{lead}/comments/{second}',
    ok({ data: { id: '{second}' }, message: 'Lead comment deleted successfully.' })),
  del('delete it again', '/api/leads/{lead}/comments/{second}', notFound),
  post('a third comment', '/api/leads/{lead}/comments', { comment: 'Won.' }, made('third')),
  del('the old id is not used again', '/api/leads/{lead}/comments/{second}', notFound),
  del('delete the third', '/api/leads/{lead}/comments/{third}', ok()),
  get('the first stays', '/api/leads/{lead}/comments', inOrder('first')),
  get('list: unknown lead', '/api/leads/999999/comments', notFound),
  post('comment: unknown lead', '/api/leads/999999/comments', { comment: 'x' }, notFound),
  del('delete: unknown comment', '/api/leads/{lead}/comments/999999', notFound),
  del('delete: unknown lead', '/api/leads/999999/comments/{first}', notFound),
]);

export const groups: Group[] = [statuses, assigned, tags, archive, convert, convertAndDelete, cloning, comments];
