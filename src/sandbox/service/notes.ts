// The rules of notes (interface: Endpoints, Notes). Sticky notes are neither shown nor made.

import { noteResources, notes } from '../../resources/notes.ts';
import { type NoteRow, noteRow, selectNote } from '../records/notes.ts';
import { searchText } from '../records/shared.ts';
import type { SqlValues, Store } from '../store/store.ts';
import { checkExists, type Noun } from './existing.ts';
import { type Listing, listReply } from './lists.ts';
import { actingUser, created, deleted, found, ok, type Reply, type SandboxService } from './service.ts';
import { tagsIn } from './sets.ts';
import { checkFields, checkRequired, columnsOf, isBlank, Problems, type Values } from './values.ts';

export const noteListing: Listing = {
  table: 'notes',
  ids: 'notes_id',
  always: 'sticky = 0',
  filters: notes.filters,
  where: { resource_type: 'resource_type = ?', resource_id: 'resource_id = ?', visibility: 'visibility = ?' },
  broad: 'visibility',
  sort: { note_title: 'title', note_created: 'created', note_updated: 'updated' },
  order: 'desc',
};

const columns = { note_title: 'title', note_description: 'description', note_visibility: 'visibility' };

export function listNotes({ store }: SandboxService, query: Values): Reply {
  return listReply(store, noteListing, query, selectNote, 'Notes retrieved successfully.');
}

export function getNote({ store }: SandboxService, id: number): Reply {
  return ok(recordOf(store, id), 'Note retrieved successfully.');
}

/** Adds a note, public unless sent otherwise, attached when a resource type is given (interface: Notes, create body). */
export function createNote({ store, now }: SandboxService, body: Values): Reply {
  return store.transaction(() => {
    const problems = new Problems();
    const checked = checkFields(notes.fields, body, 'create', problems);
    const resource = checkedResource(store, body, problems);
    problems.throwIfAny();
    const row = { ...columnsOf(checked, columns, 'keep'), visibility: checked.note_visibility ?? 'public' };
    const id = insertNote(store, { ...row, ...resource }, now());
    return created(recordOf(store, id), 'Note created successfully.');
  });
}

/** Changes title and text, and the visibility when it is sent; never the attachment (interface: Notes, update body). */
export function updateNote({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    const note = existingNote(store, id);
    const problems = new Problems();
    const checked = checkFields(notes.fields, body, 'update', problems);
    problems.throwIfAny();
    const changes = columnsOf(checked, columns, 'keep');
    const visibility = changes.visibility ?? note.visibility;
    store.update('notes', id, { ...changes, ...keysOf(changes), visibility, updated: now() });
    return ok(recordOf(store, id), 'Note updated successfully.');
  });
}

export function deleteNote({ store }: SandboxService, id: number): Reply {
  return store.transaction(() => {
    existingNote(store, id);
    store.remove('notes', id);
    return deleted(id, 'Note deleted successfully.');
  });
}

export function setNoteTags({ store, now }: SandboxService, id: number, body: Values): Reply {
  return store.transaction(() => {
    existingNote(store, id);
    store.update('notes', id, { tags: JSON.stringify(tagsIn(body)), updated: now() });
    return ok(recordOf(store, id), 'Note tags updated successfully.');
  });
}

/** Adds a note of the acting user. Gives the new id. */
export function insertNote(store: Store, row: SqlValues, time: string): number {
  return store.insert('notes', { creator_id: actingUser, created: time, updated: time, ...row, ...keysOf(row) });
}

/** Without a type the note stands alone, and an id is ignored; with one, the id must refer to something. */
function checkedResource(store: Store, body: Values, problems: Problems): SqlValues {
  const type = body.noteresource_type;
  if (isBlank(type)) return {};
  if (typeof type !== 'string' || !noteResources.includes(type)) {
    problems.addInvalid('noteresource_type');
    return {};
  }
  if (isBlank(body.noteresource_id)) {
    problems.addRequired('noteresource_id', ' when noteresource type is present');
    return {};
  }
  const id = checkRequired('noteresource_id', { kind: 'id' }, body, problems);
  checkExists(store, type as Noun, id, 'noteresource_id', problems);
  return { resource_type: type, resource_id: id ?? null };
}

function keysOf(row: SqlValues): SqlValues {
  return { search: searchText(String(row.title), String(row.description)) };
}

const existingNote = (store: Store, id: number): NoteRow => found(noteRow(store, id), 'Note');

const recordOf = (store: Store, id: number): string => found(store.json(selectNote, id), 'Note');
