// Lead actions: status, assigned, tags, archive, activate, convert, clone and comments. Typed by hand from the interface
// document (and the vendor facts where it is silent), without a look at the sandbox's code.

import { expect } from 'vitest';
import type { Group, Row } from '../../support/conformance-row.ts';
import { type Form, having, list, notFound, number, present, refused, refusedOn, text } from './shared.ts';

const aLead: Row = {
  name: 'a lead', method: 'POST', path: '/api/leads',
  json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 3, lead_firstname: 'Ines', lead_value: '12.50' }, status: 201,
  save: { lead: 'data.id' },
};
const aProposal: Row = {
  name: 'a proposal to the lead', method: 'POST', path: '/api/proposals',
  json: { customer_type: 'lead', doc_lead_id: '{lead}', doc_title: 'Fleet care', doc_date_start: '2025-05-01', doc_categoryid: 4 },
  status: 201, save: { proposal: 'data.id' },
};
const ines: Form = [['first_name', 'Ines'], ['last_name', 'Costa'], ['email', 'ines@kestrel.example']];
const taken = refused({ email: ['The email has already been taken.'] });
const someAddress = { street: present, city: present, state: present, zip: present, country: present };

const statuses: Group = {
  name: 'leads: status',
  rows: [
    aLead,
    { name: 'New to Qualified', method: 'PUT', path: '/api/leads/{lead}/status', form: [['status', '3']], status: 200,
      body: {
        data: { id: '{lead}', title: 'Fleet', status: { id: 3, title: 'Qualified', color: text }, active_state: 'active' },
        message: 'Lead status updated successfully.',
      } },
    { name: 'Qualified to Lost', method: 'PUT', path: '/api/leads/{lead}/status', json: { status: 6 }, status: 200,
      body: { data: { status: { id: 6, title: 'Lost' } } } },
    { name: 'status: unknown', method: 'PUT', path: '/api/leads/{lead}/status', form: [['status', '99']],
      ...refused({ status: ['The selected status is invalid.'] }) },
    { name: 'status: a word', method: 'PUT', path: '/api/leads/{lead}/status', form: [['status', 'Lost']], ...refusedOn('status') },
    { name: 'status: nothing sent', method: 'PUT', path: '/api/leads/{lead}/status', json: {},
      ...refused({ status: ['The status field is required.'] }) },
    { name: 'a refused status changes nothing', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { status: { id: 6 } } } },
    { name: 'status: unknown id', method: 'PUT', path: '/api/leads/999999/status', form: [['status', '2']], ...notFound },
  ],
};

const assigned: Group = {
  name: 'leads: assigned',
  rows: [
    aLead,
    { name: 'assign two, by form', method: 'PUT', path: '/api/leads/{lead}/assigned', form: [['assigned[]', '2'], ['assigned[]', '3']],
      status: 200, body: { data: { id: '{lead}', title: 'Fleet' }, message: 'Lead assignees updated successfully.' },
      at: { 'data.assigned': [{ id: 2, name: 'Tom Okafor' }, { id: 3, name: 'Priya Raman' }] } },
    { name: 'a new assignment replaces the old one', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: [4] },
      status: 200, at: { 'data.assigned': [{ id: 4, name: 'Jonas Weber' }] } },
    { name: 'assigned: nothing sent', method: 'PUT', path: '/api/leads/{lead}/assigned', json: {}, ...refusedOn('assigned') },
    { name: 'assigned: a number is no array', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: 2 },
      ...refusedOn('assigned') },
    { name: 'assigned: one known user and one unknown', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: [2, 999] },
      status: 422, body: { message: 'The given data was invalid.', errors: expect.any(Object) } },
    { name: 'a contact, who is no team member', method: 'POST', path: '/api/contacts', form: [...ines, ['clientid', '1']], status: 201,
      save: { contact: 'data.id' } },
    { name: 'assigned: a contact', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: ['{contact}'] }, status: 422,
      body: { message: 'The given data was invalid.', errors: expect.any(Object) } },
    { name: 'a refused assignment changes nothing', method: 'GET', path: '/api/leads/{lead}', status: 200,
      at: { 'data.assigned': [{ id: 4, name: 'Jonas Weber' }] } },
    { name: 'an empty JSON array clears the assignment', method: 'PUT', path: '/api/leads/{lead}/assigned', json: { assigned: [] },
      status: 200, at: { 'data.assigned': [] } },
    { name: 'assigned: unknown id', method: 'PUT', path: '/api/leads/999999/assigned', json: { assigned: [2] }, ...notFound },
  ],
};

const tags: Group = {
  name: 'leads: tags',
  rows: [
    aLead,
    {
      name: 'set two tags', method: 'PUT', path: '/api/leads/{lead}/tags', form: [['tags[]', 'fleet'], ['tags[]', 'north']], status: 200,
      body: { data: { id: '{lead}', title: 'Fleet' }, message: 'Lead tags updated successfully.' }, at: { 'data.tags': ['fleet', 'north'] },
    },
    { name: 'a new set replaces the old one', method: 'PUT', path: '/api/leads/{lead}/tags', json: { tags: ['south'] }, status: 200,
      at: { 'data.tags': ['south'] } },
    { name: 'tags: nothing sent', method: 'PUT', path: '/api/leads/{lead}/tags', json: {}, ...refusedOn('tags') },
    { name: 'an empty JSON array clears the set', method: 'PUT', path: '/api/leads/{lead}/tags', json: { tags: [] }, status: 200,
      at: { 'data.tags': [] } },
    { name: 'it stays clear', method: 'GET', path: '/api/leads/{lead}', status: 200, at: { 'data.tags': [] } },
    { name: 'tags: unknown id', method: 'PUT', path: '/api/leads/999999/tags', json: { tags: ['a'] }, ...notFound },
  ],
};

const archive: Group = {
  name: 'leads: archive and activate',
  rows: [
    aLead,
    { name: 'active to archived', method: 'PUT', path: '/api/leads/{lead}/archive', status: 200,
      body: { data: { id: '{lead}', title: 'Fleet', active_state: 'archived' }, message: text } },
    { name: 'archived to archived', method: 'PUT', path: '/api/leads/{lead}/archive', status: 200,
      body: { data: { active_state: 'archived' } } },
    { name: 'archived to active', method: 'PUT', path: '/api/leads/{lead}/activate', status: 200,
      body: { data: { id: '{lead}', title: 'Fleet', active_state: 'active' }, message: text } },
    {
      name: 'active to active', method: 'PUT', path: '/api/leads/{lead}/activate', status: 200, body: { data: { active_state: 'active' } },
    },
    { name: 'archive: unknown id', method: 'PUT', path: '/api/leads/999999/archive', ...notFound },
    { name: 'activate: unknown id', method: 'PUT', path: '/api/leads/999999/activate', ...notFound },
  ],
};

const convert: Group = {
  name: 'leads: convert',
  rows: [
    aLead, aProposal,
    { name: 'a contact whose email is taken then', method: 'POST', path: '/api/contacts',
      form: having(ines, ['email', 'bea@example.com'], ['clientid', '1']), status: 201 },
    { name: 'convert: nothing sent', method: 'POST', path: '/api/leads/{lead}/convert', json: {},
      ...refused({
        first_name: ['The first name field is required.'], last_name: ['The last name field is required.'],
        email: ['The email field is required.'],
      }) },
    { name: 'convert: bad email', method: 'POST', path: '/api/leads/{lead}/convert', form: having(ines, ['email', 'ines']),
      ...refusedOn('email') },
    { name: 'convert: days that are no number', method: 'POST', path: '/api/leads/{lead}/convert',
      form: [...ines, ['client_billing_invoice_due_days', 'a month']], ...refusedOn('client_billing_invoice_due_days') },
    { name: 'convert: email of a contact, in capitals', method: 'POST', path: '/api/leads/{lead}/convert',
      form: having(ines, ['email', 'BEA@example.com']), ...taken },
    { name: 'convert: email of a team member, in capitals', method: 'POST', path: '/api/leads/{lead}/convert',
      form: having(ines, ['email', 'Jonas@CRM.example']), ...taken },
    { name: 'a refused conversion changes nothing', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { converted: { is_converted: false, client_id: null, date: null } } } },
    { name: 'convert with every field', method: 'POST', path: '/api/leads/{lead}/convert',
      form: [
        ...ines, ['client_company_name', 'Kestrel Ltd'], ['client_billing_invoice_due_days', '30'], ['send_welcome_email', 'yes'],
        ['delete_lead', 'no'],
      ],
      status: 201,
      body: {
        data: {
          id: number, company_name: 'Kestrel Ltd', description: present, status: text, phone: present, website: present, vat: present,
          category: present, owner: { id: number, name: 'Ines Costa' }, billing: { ...someAddress, invoice_due_days: 30 },
          shipping: someAddress, dates: present, tags: list,
        },
        message: 'Lead converted to client successfully.',
      },
      save: { client: 'data.id', contact: 'data.owner.id' } },
    { name: 'the lead says so', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { id: '{lead}', converted: { is_converted: true, client_id: '{client}', date: text } } } },
    { name: 'its proposal moved to the client', method: 'GET', path: '/api/proposals/{proposal}', status: 200,
      body: { data: { id: '{proposal}', client: { id: '{client}', name: 'Kestrel Ltd' }, lead: { id: null, name: null } } } },
    { name: 'the contact is the account owner', method: 'GET', path: '/api/contacts/{contact}', status: 200,
      body: {
        data: {
          id: '{contact}', name: 'Ines Costa', email: 'ines@kestrel.example', account_owner: 'yes',
          client: { id: '{client}', company_name: 'Kestrel Ltd' },
        },
      } },
    { name: 'a second conversion', method: 'POST', path: '/api/leads/{lead}/convert',
      form: having(ines, ['email', 'other@kestrel.example']), status: 409, body: { message: text } },
    { name: 'and it made no client user', method: 'GET', path: '/api/contacts', query: [['search', 'other@kestrel.example']], status: 200,
      at: { data: [], 'meta.total': 0 } },
    { name: 'the email is taken for a contact', method: 'POST', path: '/api/contacts',
      form: having(ines, ['email', 'INES@kestrel.example'], ['clientid', '1']), ...taken },
    { name: 'convert: unknown id', method: 'POST', path: '/api/leads/999999/convert', form: ines, ...notFound },
  ],
};

const convertAndDelete: Group = {
  name: 'leads: convert and delete the lead',
  rows: [
    aLead, aProposal,
    { name: 'convert with the required fields and delete_lead', method: 'POST', path: '/api/leads/{lead}/convert',
      form: [...ines, ['delete_lead', 'yes']], status: 201,
      body: { data: { id: number, company_name: text, owner: { name: 'Ines Costa' } } }, save: { client: 'data.id' } },
    { name: 'the lead is gone', method: 'GET', path: '/api/leads/{lead}', ...notFound },
    { name: 'and from the list', method: 'GET', path: '/api/leads', status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'the proposal is with the client', method: 'GET', path: '/api/proposals', query: [['client_id', '{client}']], status: 200,
      body: { data: [{ id: '{proposal}', client: { id: '{client}' }, lead: { id: null, name: null } }], meta: { total: 1 } } },
  ],
};

const cloning: Group = {
  name: 'leads: clone',
  rows: [
    aLead,
    { name: 'clone with every field', method: 'POST', path: '/api/leads/{lead}/clone',
      form: [
        ['lead_title', 'Fleet again'], ['lead_status', '4'], ['lead_firstname', 'Rui'], ['lead_lastname', 'Lopes'],
        ['lead_email', 'rui@kestrel.example'], ['lead_phone', '555-0120'], ['lead_company_name', 'Kestrel Ltd'],
        ['lead_website', 'https://kestrel.example'], ['lead_value', '70.05'], ['copy_checklist', 'on'], ['copy_files', 'on'],
      ],
      status: 201,
      body: {
        data: {
          id: number, title: 'Fleet again', value: '70.05', status: { id: 4, title: 'Proposal Sent', color: text }, active_state: 'active',
          category: { id: 3, name: 'Referral' }, source: present, last_contacted: present, description: present,
          contact: {
            first_name: 'Rui', last_name: 'Lopes', email: 'rui@kestrel.example', phone: '555-0120', job_position: present,
            company_name: 'Kestrel Ltd', website: 'https://kestrel.example',
          },
          address: someAddress, converted: { is_converted: false, client_id: null, date: null }, assigned: list, tags: list,
          dates: { created: text, updated: text },
        },
        message: 'Lead cloned successfully.',
      },
      save: { clone: 'data.id' } },
    { name: 'the clone can be read', method: 'GET', path: '/api/leads/{clone}', status: 200,
      body: { data: { id: '{clone}', title: 'Fleet again' } } },
    { name: 'the original stays', method: 'GET', path: '/api/leads/{lead}', status: 200,
      body: { data: { id: '{lead}', title: 'Fleet', value: '12.50', status: { id: 1 }, contact: { first_name: 'Ines' } } } },
    { name: 'clone: nothing sent', method: 'POST', path: '/api/leads/{lead}/clone', json: {},
      ...refused({ lead_title: ['The lead title field is required.'], lead_status: ['The lead status field is required.'] }) },
    {
      name: 'clone: unknown status', method: 'POST', path: '/api/leads/{lead}/clone',
      form: [['lead_title', 'Fleet again'], ['lead_status', '99']], ...refused({ lead_status: ['The selected lead status is invalid.'] }),
    },
    { name: 'clone: value that is no decimal', method: 'POST', path: '/api/leads/{lead}/clone',
      form: [['lead_title', 'Fleet again'], ['lead_status', '1'], ['lead_value', 'free']], ...refusedOn('lead_value') },
    { name: 'clone: unknown id', method: 'POST', path: '/api/leads/999999/clone', json: { lead_title: 'Fleet again', lead_status: 1 },
      ...notFound },
  ],
};

const comments: Group = {
  name: 'leads: comments',
  rows: [
    aLead,
    { name: 'another lead', method: 'POST', path: '/api/leads', json: { lead_title: 'Harbour', lead_status: 1, lead_categoryid: 1 },
      status: 201, save: { other: 'data.id' } },
    { name: 'no comments', method: 'GET', path: '/api/leads/{lead}/comments', status: 200, body: { message: text }, at: { data: [] },
      absent: ['meta'] },
    { name: 'comment', method: 'POST', path: '/api/leads/{lead}/comments', form: [['comment', 'Called; call again.']], status: 201,
      body: {
        data: { id: number, text: 'Called; call again.', creator: { id: 1, name: 'Maya Lindqvist' } },
        message: 'Lead comment added successfully.',
      },
      save: { first: 'data.id' } },
    { name: 'the list has every documented member, and no meta', method: 'GET', path: '/api/leads/{lead}/comments', status: 200,
      body: { data: [{ id: '{first}', text: 'Called; call again.', creator: { id: 1, name: 'Maya Lindqvist' } }], message: text },
      absent: ['meta'] },
    { name: 'another comment, from JSON', method: 'POST', path: '/api/leads/{lead}/comments', json: { comment: 'Sent a quote.' },
      status: 201, body: { data: { text: 'Sent a quote.' } }, save: { second: 'data.id' } },
    { name: 'comment: nothing sent', method: 'POST', path: '/api/leads/{lead}/comments', json: {},
      ...refused({ comment: ['The comment field is required.'] }) },
    { name: 'the other lead has none', method: 'GET', path: '/api/leads/{other}/comments', status: 200, at: { data: [] } },
    { name: "nor may it delete the lead's", method: 'DELETE', path: '/api/leads/{other}/comments/{first}', ...notFound },
    { name: 'delete a comment', method: 'DELETE', path: '/api/leads/{lead}/comments/{second}', status: 200,
      body: { data: { id: '{second}' }, message: 'Lead comment deleted successfully.' } },
    { name: 'delete it again', method: 'DELETE', path: '/api/leads/{lead}/comments/{second}', ...notFound },
    { name: 'a third comment', method: 'POST', path: '/api/leads/{lead}/comments', form: [['comment', 'Won.']], status: 201,
      save: { third: 'data.id' } },
    { name: 'the old id is not used again', method: 'DELETE', path: '/api/leads/{lead}/comments/{second}', ...notFound },
    { name: 'delete the third', method: 'DELETE', path: '/api/leads/{lead}/comments/{third}', status: 200 },
    { name: 'the first stays', method: 'GET', path: '/api/leads/{lead}/comments', status: 200, body: { data: [{ id: '{first}' }] } },
    { name: 'list: unknown lead', method: 'GET', path: '/api/leads/999999/comments', ...notFound },
    { name: 'comment: unknown lead', method: 'POST', path: '/api/leads/999999/comments', form: [['comment', 'x']], ...notFound },
    { name: 'delete: unknown comment', method: 'DELETE', path: '/api/leads/{lead}/comments/999999', ...notFound },
    { name: 'delete: unknown lead', method: 'DELETE', path: '/api/leads/999999/comments/{first}', ...notFound },
  ],
};

export const groups: Group[] = [statuses, assigned, tags, archive, convert, convertAndDelete, cloning, comments];
