// Notes: six endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group, Row } from '../../support/conformance-row.ts';
import { type Form, notFound, number, refused, refusedOn, text } from './shared.ts';

const plain: Form = [['note_title', 'Kick-off'], ['note_description', 'Monday at nine.']];
const allMissing = { note_title: ['The note title field is required.'], note_description: ['The note description field is required.'] };
const aLead: Row = {
  name: 'a lead', method: 'POST', path: '/api/leads', json: { lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }, status: 201,
  save: { lead: 'data.id' },
};
const aNote: Row = { name: 'a note', method: 'POST', path: '/api/notes', form: plain, status: 201, save: { note: 'data.id' } };

const creation: Group = {
  name: 'notes: create and get',
  rows: [
    { name: 'an empty list', method: 'GET', path: '/api/notes', status: 200,
      body: { message: text, meta: { current_page: 1, per_page: 25, last_page: number } }, at: { data: [], 'meta.total': 0 } },
    aLead,
    { name: 'create a standalone note', method: 'POST', path: '/api/notes', form: plain, status: 201,
      body: { data: { id: number, title: 'Kick-off', description: 'Monday at nine.', visibility: 'public' }, message: text },
      save: { plain: 'data.id' } },
    { name: 'get has every documented member', method: 'GET', path: '/api/notes/{plain}', status: 200,
      body: {
        data: {
          id: '{plain}', title: 'Kick-off', description: 'Monday at nine.', visibility: 'public', resource: { type: null, id: null },
          creator_id: 1, dates: { created: text, updated: text },
        },
        message: text,
      },
      at: { 'data.tags': [] } },
    { name: 'create a private note on a client', method: 'POST', path: '/api/notes',
      form: [...plain, ['note_visibility', 'private'], ['noteresource_type', 'client'], ['noteresource_id', '1']], status: 201,
      body: { data: { visibility: 'private', resource: { type: 'client', id: 1 }, creator_id: 1 } } },
    { name: 'create a public note on a lead, from JSON', method: 'POST', path: '/api/notes',
      json: {
        note_title: 'Vans', note_description: 'Twelve.', note_visibility: 'public', noteresource_type: 'lead', noteresource_id: '{lead}',
      },
      status: 201, body: { data: { visibility: 'public', resource: { type: 'lead', id: '{lead}' } } } },
    { name: 'create a note on a user', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'user'], ['noteresource_id', '3']], status: 201,
      body: { data: { resource: { type: 'user', id: 3 } } } },
    { name: 'create: nothing sent', method: 'POST', path: '/api/notes', json: {}, ...refused(allMissing) },
    { name: 'create: unknown visibility', method: 'POST', path: '/api/notes', form: [...plain, ['note_visibility', 'secret']],
      ...refused({ note_visibility: ['The selected note visibility is invalid.'] }) },
    { name: 'create: unknown resource type', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'invoice'], ['noteresource_id', '1']], ...refusedOn('noteresource_type') },
    { name: 'create: a type without an id', method: 'POST', path: '/api/notes', form: [...plain, ['noteresource_type', 'client']],
      ...refusedOn('noteresource_id') },
    { name: 'create: unknown client', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'client'], ['noteresource_id', '999']], ...refusedOn('noteresource_id') },
    { name: 'create: unknown lead', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'lead'], ['noteresource_id', '999999']], ...refusedOn('noteresource_id') },
    { name: 'create: unknown user', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'user'], ['noteresource_id', '999999']], ...refusedOn('noteresource_id') },
    { name: 'create: there is no project', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'project'], ['noteresource_id', '1']], ...refusedOn('noteresource_id') },
    { name: 'create: there is no task', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'task'], ['noteresource_id', '1']], ...refusedOn('noteresource_id') },
    { name: 'nothing that was refused is in the list', method: 'GET', path: '/api/notes', status: 200, at: { 'meta.total': 4 } },
    { name: 'get: unknown id', method: 'GET', path: '/api/notes/999999', ...notFound },
  ],
};

const updating: Group = {
  name: 'notes: update and delete',
  rows: [
    { name: 'a note on the client', method: 'POST', path: '/api/notes',
      form: [...plain, ['noteresource_type', 'client'], ['noteresource_id', '1']], status: 201, save: { note: 'data.id' } },
    { name: 'update, with another resource that is not taken', method: 'PATCH', path: '/api/notes/{note}',
      form: [
        ['note_title', 'Kick-off, again'], ['note_description', 'Tuesday.'], ['note_visibility', 'private'], ['noteresource_type', 'user'],
        ['noteresource_id', '2'],
      ],
      status: 200,
      body: {
        data: {
          id: '{note}', title: 'Kick-off, again', description: 'Tuesday.', visibility: 'private', resource: { type: 'client', id: 1 },
          creator_id: 1,
        },
        message: text,
      } },
    { name: 'update: nothing sent', method: 'PATCH', path: '/api/notes/{note}', json: {}, ...refused(allMissing) },
    { name: 'update: unknown visibility', method: 'PATCH', path: '/api/notes/{note}', form: [...plain, ['note_visibility', 'hidden']],
      ...refused({ note_visibility: ['The selected note visibility is invalid.'] }) },
    { name: 'a refused update changes nothing', method: 'GET', path: '/api/notes/{note}', status: 200,
      body: { data: { title: 'Kick-off, again', visibility: 'private' } } },
    { name: 'update: unknown id', method: 'PATCH', path: '/api/notes/999999', form: plain, ...notFound },
    { name: 'delete', method: 'DELETE', path: '/api/notes/{note}', status: 200, body: { data: { id: '{note}' }, message: text } },
    { name: 'get it', method: 'GET', path: '/api/notes/{note}', ...notFound },
    { name: 'delete it again', method: 'DELETE', path: '/api/notes/{note}', ...notFound },
    { name: 'the list is empty', method: 'GET', path: '/api/notes', status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'another one', method: 'POST', path: '/api/notes', form: plain, status: 201 },
    { name: 'the old id is not used again', method: 'GET', path: '/api/notes/{note}', ...notFound },
  ],
};

const tags: Group = {
  name: 'notes: tags',
  rows: [
    aNote,
    { name: 'set two tags', method: 'PUT', path: '/api/notes/{note}/tags', form: [['tags[]', 'minutes'], ['tags[]', 'week-1']], status: 200,
      body: { data: { id: '{note}', title: 'Kick-off' }, message: text }, at: { 'data.tags': ['minutes', 'week-1'] } },
    { name: 'a new set replaces the old one', method: 'PUT', path: '/api/notes/{note}/tags', json: { tags: ['week-2'] }, status: 200,
      at: { 'data.tags': ['week-2'] } },
    { name: 'tags: nothing sent', method: 'PUT', path: '/api/notes/{note}/tags', json: {}, ...refusedOn('tags') },
    { name: 'an empty JSON array clears the set', method: 'PUT', path: '/api/notes/{note}/tags', json: { tags: [] }, status: 200,
      at: { 'data.tags': [] } },
    { name: 'tags: unknown id', method: 'PUT', path: '/api/notes/999999/tags', json: { tags: ['a'] }, ...notFound },
  ],
};

const lists: Group = {
  name: 'notes: lists',
  rows: [
    aLead,
    { name: 'Agenda, on the client', method: 'POST', path: '/api/notes',
      json: { note_title: 'Agenda', note_description: 'Points.', noteresource_type: 'client', noteresource_id: 1 }, status: 201,
      save: { agenda: 'data.id' } },
    { name: 'Briefing, on the lead, private', method: 'POST', path: '/api/notes',
      json: {
        note_title: 'Briefing', note_description: 'Vans.', note_visibility: 'private', noteresource_type: 'lead', noteresource_id: '{lead}',
      },
      status: 201, save: { briefing: 'data.id' } },
    { name: 'Checklist, on Priya', method: 'POST', path: '/api/notes',
      json: { note_title: 'Checklist', note_description: 'Steps.', noteresource_type: 'user', noteresource_id: 3 }, status: 201,
      save: { checklist: 'data.id' } },
    { name: 'sort by note_title, ascending', method: 'GET', path: '/api/notes', query: [['sort', 'note_title'], ['order', 'asc']],
      status: 200, body: { data: [{ id: '{agenda}' }, { id: '{briefing}' }, { id: '{checklist}' }] } },
    { name: 'sort by note_title, descending', method: 'GET', path: '/api/notes', query: [['sort', 'note_title'], ['order', 'desc']],
      status: 200, body: { data: [{ id: '{checklist}' }, { id: '{briefing}' }, { id: '{agenda}' }] } },
    { name: 'unknown sort', method: 'GET', path: '/api/notes', query: [['sort', 'note_colour']], ...refusedOn('sort') },
    { name: 'unknown order', method: 'GET', path: '/api/notes', query: [['order', 'first']], ...refusedOn('order') },
    { name: 'filter by resource type', method: 'GET', path: '/api/notes', query: [['resource_type', 'client']], status: 200,
      body: { data: [{ id: '{agenda}', resource: { type: 'client', id: 1 } }], meta: { total: 1 } } },
    { name: 'filter by resource type and id', method: 'GET', path: '/api/notes',
      query: [['resource_type', 'lead'], ['resource_id', '{lead}']], status: 200,
      body: { data: [{ id: '{briefing}' }], meta: { total: 1 } } },
    { name: 'filter by a user without notes', method: 'GET', path: '/api/notes', query: [['resource_type', 'user'], ['resource_id', '2']],
      status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'filter: private', method: 'GET', path: '/api/notes', query: [['visibility', 'private']], status: 200,
      body: { data: [{ id: '{briefing}', visibility: 'private' }], meta: { total: 1 } } },
    { name: 'filter: public', method: 'GET', path: '/api/notes',
      query: [['visibility', 'public'], ['sort', 'note_title'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{agenda}' }, { id: '{checklist}' }], meta: { total: 2 } } },
    { name: 'search the title', method: 'GET', path: '/api/notes', query: [['search', 'Checklist']], status: 200,
      body: { data: [{ id: '{checklist}' }], meta: { total: 1 } } },
    { name: 'second page of two', method: 'GET', path: '/api/notes',
      query: [['sort', 'note_title'], ['order', 'asc'], ['limit', '2'], ['page', '2']], status: 200,
      body: { data: [{ id: '{checklist}' }] }, at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } },
    { name: 'one more, last', method: 'POST', path: '/api/notes', form: plain, status: 201, save: { last: 'data.id' } },
    { name: 'sort by note_created, descending: the last one first', method: 'GET', path: '/api/notes',
      query: [['sort', 'note_created'], ['order', 'desc'], ['limit', '1']], status: 200, body: { data: [{ id: '{last}' }] } },
    {
      name: 'sort by note_created, ascending: the last one last', method: 'GET', path: '/api/notes',
      query: [['sort', 'note_created'], ['order', 'asc'], ['limit', '1'], ['page', '4']], status: 200, body: { data: [{ id: '{last}' }] },
    },
    { name: 'an update of the agenda', method: 'PATCH', path: '/api/notes/{agenda}', form: plain, status: 200 },
    { name: 'sort by note_updated, descending: the agenda first', method: 'GET', path: '/api/notes',
      query: [['sort', 'note_updated'], ['order', 'desc'], ['limit', '1']], status: 200, body: { data: [{ id: '{agenda}' }] } },
    {
      name: 'sort by note_updated, ascending: the agenda last', method: 'GET', path: '/api/notes',
      query: [['sort', 'note_updated'], ['order', 'asc'], ['limit', '1'], ['page', '4']], status: 200, body: { data: [{ id: '{agenda}' }] },
    },
  ],
};

export const groups: Group[] = [creation, updating, tags, lists];
