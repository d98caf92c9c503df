// Notes: six endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, made, notFound, number, ok, only, patch, post, put, refused, refusedOn, text,
} from './shared.ts';

const plain = { note_title: 'Kick-off', note_description: 'Monday at nine.' };
const allMissing = { note_title: ['The note title field is required.'], note_description: ['The note description field is required.'] };
const aLead = post('a lead', '/api/leads', json({ lead_title: 'Fleet', lead_status: 1, lead_categoryid: 1 }),
  made('lead'));
const aNote = post('a note', '/api/notes', plain, made('note'));

const creation = group('notes: create and get', [
  get('an empty list', '/api/notes',
    ok({ message: text, meta: { current_page: 1, per_page: 25, last_page: number } }, { at: { data: [], 'meta.total': 0 } })),
  aLead,
  post('create a standalone note', '/api/notes', plain,
    created({ data: { id: number, title: 'Kick-off', description: 'Monday at nine.', visibility: 'public' }, message: text },
      { save: { plain: 'data.id' } })),
  get('get has every documented member', '/api/notes/{plain}',
    ok({
      data: { id: '{plain}', title: 'Kick-off', description: 'Monday at nine.', visibility: 'public', resource: { type: null, id: null },
        creator_id: 1, dates: { created: text, updated: text } }, message: text }, { at: { 'data.tags': [] } })),
  post('create a private note on a client', '/api/notes',
    { ...plain, note_visibility: 'private', noteresource_type: 'client', noteresource_id: '1' },
    created({ data: { visibility: 'private', resource: { type: 'client', id: 1 }, creator_id: 1 } })),
  post('create a public note on a lead, from JSON', '/api/notes',
    json({ note_title: 'Vans', note_description: 'Twelve.', note_visibility: 'public', noteresource_type: 'lead',
      noteresource_id: '{lead}' }), created({ data: { visibility: 'public', resource: { type: 'lead', id: '{lead}' } } })),
  post('create a note on a user', '/api/notes', { ...plain, noteresource_type: 'user', noteresource_id: '3' },
    created({ data: { resource: { type: 'user', id: 3 } } })),
  post('create: nothing sent', '/api/notes', json({}), refused(allMissing)),
  post('create: unknown visibility', '/api/notes', { ...plain, note_visibility: 'secret' },
    refused({ note_visibility: ['The selected note visibility is invalid.'] })),
  post('create: unknown resource type', '/api/notes', { ...plain, noteresource_type: 'invoice', noteresource_id: '1' },
    refusedOn('noteresource_type')),
  post('create: a type without an id', '/api/notes', { ...plain, noteresource_type: 'client' }, refusedOn('noteresource_id')),
  post('create: unknown client', '/api/notes', { ...plain, noteresource_type: 'client', noteresource_id: '999' },
    refusedOn('noteresource_id')),
  post('create: unknown lead', '/api/notes', { ...plain, noteresource_type: 'lead', noteresource_id: '999999' },
    refusedOn('noteresource_id')),
  post('create: unknown user', '/api/notes', { ...plain, noteresource_type: 'user', noteresource_id: '999999' },
    refusedOn('noteresource_id')),
  post('create: there is no project', '/api/notes', { ...plain, noteresource_type: 'project', noteresource_id: '1' },
    refusedOn('noteresource_id')),
  post('create: there is no task', '/api/notes', { ...plain, noteresource_type: 'task', noteresource_id: '1' },
    refusedOn('noteresource_id')),
  get('nothing that was refused is in the list', '/api/notes', ok({}, { at: { 'meta.total': 4 } })),
  get('get: unknown id', '/api/notes/999999', notFound),
]);

const updating = group('notes: update and delete', [
  post('a note on the client', '/api/notes', { ...plain, noteresource_type: 'client', noteresource_id: '1' }, made('note')),
  patch('update, with another resource that is not taken', '/api/notes/{note}',
    { note_title: 'Kick-off, again', note_description: 'Tuesday.', note_visibility: 'private', noteresource_type: 'user',
      noteresource_id: '2' },
    ok({
      data: { id: '{note}', title: 'Kick-off, again', description: 'Tuesday.', visibility: 'private', resource: { type: 'client', id: 1 },
        creator_id: 1 }, message: text })),
  patch('update: nothing sent', '/api/notes/{note}', json({}), refused(allMissing)),
  patch('update: unknown visibility', '/api/notes/{note}', { ...plain, note_visibility: 'hidden' },
    refused({ note_visibility: ['The selected note visibility is invalid.'] })),
  get('a refused update changes nothing', '/api/notes/{note}', ok({ data: { title: 'Kick-off, again', visibility: 'private' } })),
  patch('update: unknown id', '/api/notes/999999', plain, notFound),
  del('delete', '/api/notes/{note}', ok({ data: { id: '{note}' }, message: text })),
  get('get it', '/api/notes/{note}', notFound),
  del('delete it again', '/api/notes/{note}', notFound),
  get('the list is empty', '/api/notes', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('another one', '/api/notes', plain, created()),
  get('the old id is not used again', '/api/notes/{note}', notFound),
]);

const tags = group('notes: tags', [
  aNote,
  put('set two tags', '/api/notes/{note}/tags', { 'tags[]': ['minutes', 'week-1'] },
    ok({ data: { id: '{note}', title: 'Kick-off' }, message: text }, { at: { 'data.tags': ['minutes', 'week-1'] } })),
  put('a new set replaces the old one', '/api/notes/{note}/tags', json({ tags: ['week-2'] }), ok({}, { at: { 'data.tags': ['week-2'] } })),
  put('tags: nothing sent', '/api/notes/{note}/tags', json({}), refusedOn('tags')),
  put('an empty JSON array clears the set', '/api/notes/{note}/tags', json({ tags: [] }), ok({}, { at: { 'data.tags': [] } })),
  put('tags: unknown id', '/api/notes/999999/tags', json({ tags: ['a'] }), notFound),
]);

const lists = group('notes: lists', [
  aLead,
  post('Agenda, on the client', '/api/notes',
    json({ note_title: 'Agenda', note_description: 'Points.', noteresource_type: 'client', noteresource_id: 1 }), made('agenda')),
  post('Briefing, on the lead, private', '/api/notes',
    json({ note_title: 'Briefing', note_description: 'Vans.', note_visibility: 'private', noteresource_type: 'lead',
      noteresource_id: '{lead}' }), made('briefing')),
  post('Checklist, on Priya', '/api/notes',
    json({ note_title: 'Checklist', note_description: 'Steps.', noteresource_type: 'user', noteresource_id: 3 }), made('checklist')),
  get('sort by note_title, ascending', '/api/notes?sort=note_title&order=asc', inOrder('agenda', 'briefing', 'checklist')),
  get('sort by note_title, descending', '/api/notes?sort=note_title&order=desc', inOrder('checklist', 'briefing', 'agenda')),
  get('unknown sort', '/api/notes?sort=note_colour', refusedOn('sort')),
  get('unknown order', '/api/notes?order=first', refusedOn('order')),
  get('filter by resource type', '/api/notes?resource_type=client',
    ok({ data: [{ id: '{agenda}', resource: { type: 'client', id: 1 } }], meta: { total: 1 } })),
  get('filter by resource type and id', '/api/notes?resource_type=lead&resource_id={lead}', only('briefing')),
  get('filter by a user without notes', '/api/notes?resource_type=user&resource_id=2', ok({}, { at: { data: [], 'meta.total': 0 } })),
  get('filter: private', '/api/notes?visibility=private', ok({ data: [{ id: '{briefing}', visibility: 'private' }], meta: { total: 1 } })),
  get('filter: public', '/api/notes?visibility=public&sort=note_title&order=asc', only('agenda', 'checklist')),
  get('search the title', '/api/notes?search=Checklist', only('checklist')),
  get('second page of two', '/api/notes?sort=note_title&order=asc&limit=2&page=2',
    ok({ data: [{ id: '{checklist}' }] }, { at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } })),
  post('one more, last', '/api/notes', plain, made('last')),
  get('sort by note_created, descending: the last one first', '/api/notes?sort=note_created&order=desc&limit=1', inOrder('last')),
  get('sort by note_created, ascending: the last one last', '/api/notes?sort=note_created&order=asc&limit=1&page=4', inOrder('last')),
  patch('an update of the agenda', '/api/notes/{agenda}', plain, ok()),
  get('sort by note_updated, descending: the agenda first', '/api/notes?sort=note_updated&order=desc&limit=1', inOrder('agenda')),
  get('sort by note_updated, ascending: the agenda last', '/api/notes?sort=note_updated&order=asc&limit=1&page=4', inOrder('agenda')),
]);

export const groups: Group[] = [creation, updating, tags, lists];
