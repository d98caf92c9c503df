// Wire tests of the notes family. The shapes of its answers are open in the interface, so several are tried.
// Typed by hand from the interface document (Notes) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { created, failure, invalid, list, NOTE, ok, refused, WHOLE } from './records.ts';

const NEW = created({ ...NOTE, id: 80 });
const CALL = ['--title', 'Call', '--description', 'Asked for a price'];

wireCases('notes list', [
  { name: 'asks for pages of 100 and reads the envelope', argv: ['notes', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes', query: WHOLE }, reply: list([NOTE]) }], stdout: { json: [NOTE] } },
  { name: 'reads a bare array', argv: ['notes', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes', query: WHOLE }, reply: { json: [] } }], stdout: { json: [] } },
  { name: 'splits the resource into type and id',
    argv: ['notes', 'list', '--resource', 'lead:7', '--visibility', 'private', '--search', 'price', '--order', 'asc'],
    exchanges: [{
      request: {
        method: 'GET', path: '/api/notes',
        query: [
          ['resource_type', 'lead'], ['resource_id', '7'], ['visibility', 'private'], ['search', 'price'], ['order', 'asc'], ...WHOLE,
        ],
      },
      reply: list([]),
    }] },
  { name: 'filters by resource type alone, and by public', argv: ['notes', 'list', '--resource', 'lead', '--visibility', 'public'],
    exchanges: [{
      request: { method: 'GET', path: '/api/notes', query: [['resource_type', 'lead'], ['visibility', 'public'], ...WHOLE] },
      reply: list([]),
    }] },
  ...([['title', 'note_title'], ['created', 'note_created'], ['updated', 'note_updated']] as const).map(([sort, wire]): WireCase => ({
    name: `sorts by ${sort}`, argv: ['notes', 'list', '--sort', sort],
    exchanges: [{ request: { method: 'GET', path: '/api/notes', query: [['sort', wire], ...WHOLE] }, reply: list([NOTE]) }],
  })),
  refused('refuses an unknown visibility', ['notes', 'list', '--visibility', 'secret'], /--visibility/),
  refused('refuses an unknown resource type', ['notes', 'list', '--resource', 'invoice:3'], /--resource/),
  refused('refuses an unknown sort name', ['notes', 'list', '--sort', 'visibility'], /--sort/),
]);

wireCases('notes get', [
  { name: 'reads the envelope', argv: ['notes', 'get', '9', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes/9' }, reply: ok(NOTE) }], stdout: { json: NOTE } },
  { name: 'reads a bare object', argv: ['notes', 'get', '9', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes/9' }, reply: { json: NOTE } }], stdout: { json: NOTE } },
  { name: 'exits 3 on a sticky-note', argv: ['notes', 'get', '10'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes/10' }, reply: failure(404, 'Note not found.') }], exit: 3 },
]);

wireCases('notes create', [
  { name: 'sends every flag by wire name',
    argv: ['notes', 'create', ...CALL, '--visibility', 'private', '--resource', 'client:3', '--json'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/notes',
        form: [
          ['note_title', 'Call'], ['note_description', 'Asked for a price'], ['note_visibility', 'private'],
          ['noteresource_type', 'client'], ['noteresource_id', '3'],
        ],
      },
      reply: NEW,
    }],
    stdout: { json: { ...NOTE, id: 80 } } },
  { name: 'creates a standalone note', argv: ['notes', 'create', ...CALL],
    exchanges: [{
      request: { method: 'POST', path: '/api/notes', form: [['note_title', 'Call'], ['note_description', 'Asked for a price']] },
      reply: NEW,
    }] },
  ...['lead', 'project', 'task', 'user'].map((type): WireCase => ({
    name: `attaches to a ${type}`, argv: ['notes', 'create', ...CALL, '--resource', `${type}:7`],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/notes',
        form: [['note_title', 'Call'], ['note_description', 'Asked for a price'], ['noteresource_type', type], ['noteresource_id', '7']],
      },
      reply: NEW,
    }],
  })),
  { name: 'sends JSON with a numeric resource id', argv: ['notes', 'create', ...CALL, '--resource', 'client:3'], encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/notes',
        json: { note_title: 'Call', note_description: 'Asked for a price', noteresource_type: 'client', noteresource_id: 3 },
      },
      reply: NEW,
    }] },
  { name: 'shows a missing resource beside the flag', argv: ['notes', 'create', ...CALL, '--resource', 'client:999'],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/notes',
        form: [
          ['note_title', 'Call'], ['note_description', 'Asked for a price'], ['noteresource_type', 'client'], ['noteresource_id', '999'],
        ],
      },
      reply: invalid({ noteresource_id: ['The selected resource is invalid.'] }),
    }],
    exit: 5, stderr: /--resource: The selected resource is invalid\./ },
  refused('needs a description', ['notes', 'create', '--title', 'Call'], /--description/),
  refused('refuses an unknown resource type', ['notes', 'create', ...CALL, '--resource', 'invoice:3'], /--resource/),
  refused('refuses a resource without an id', ['notes', 'create', ...CALL, '--resource', 'client'], /--resource/),
  refused('refuses resource id 0', ['notes', 'create', ...CALL, '--resource', 'client:0'], /--resource/),
  refused('refuses an unknown visibility', ['notes', 'create', ...CALL, '--visibility', 'team'], /--visibility/),
]);

wireCases('notes update', [
  { name: 'reads, merges and sends all editable fields', argv: ['notes', 'update', '9', '--visibility', 'private', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: ok(NOTE) },
      {
        request: {
          method: 'PATCH', path: '/api/notes/9',
          form: [['note_title', 'Call'], ['note_description', 'Asked for a price'], ['note_visibility', 'private']],
        },
        reply: ok({ ...NOTE, visibility: 'private' }),
      },
    ],
    stdout: { json: { ...NOTE, visibility: 'private' } } },
  { name: 'changes title and description, from a bare object, a 204 being fine',
    argv: ['notes', 'update', '9', '--title', 'Second call', '--description', 'Agreed'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: { json: NOTE } },
      {
        request: {
          method: 'PATCH', path: '/api/notes/9',
          form: [['note_title', 'Second call'], ['note_description', 'Agreed'], ['note_visibility', 'public']],
        },
        reply: { status: 204, text: '' },
      },
      { request: { method: 'GET', path: '/api/notes/9' }, reply: { json: { ...NOTE, title: 'Second call', description: 'Agreed' } } },
    ] },
  { name: 'stops after the read when the record has no description', argv: ['notes', 'update', '9', '--title', 'x'],
    exchanges: [{ request: { method: 'GET', path: '/api/notes/9' }, reply: ok({ ...NOTE, description: null }) }], exit: 2,
    stderr: /--description/ },
  refused('cannot attach to another resource', ['notes', 'update', '9', '--resource', 'lead:7'], /--resource/),
  refused('refuses to change nothing', ['notes', 'update', '9']),
]);

wireCases('notes delete', [
  { name: 'deletes several, whatever the answers look like', argv: ['notes', 'delete', '9', '10', '11', '--yes'], atOnce: true,
    exchanges: [
      ...[9, 10, 11].map((id): Exchange => ({ request: { method: 'GET', path: `/api/notes/${id}` }, reply: ok({ ...NOTE, id }) })),
      { request: { method: 'DELETE', path: '/api/notes/9' }, reply: ok({ id: 9 }) },
      { request: { method: 'DELETE', path: '/api/notes/10' }, reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/notes/10' }, reply: failure(404, 'Note not found.') },
      { request: { method: 'DELETE', path: '/api/notes/11' }, reply: { status: 200, text: '' } },
      { request: { method: 'GET', path: '/api/notes/11' }, reply: failure(404, 'Note not found.') },
    ] },
  { name: 'sends nothing without --yes', argv: ['notes', 'delete', '9'], exchanges: [], exit: 9, stderr: /--yes/ },
]);

wireCases('notes tags', [
  { name: 'replaces the whole set without reading', argv: ['notes', 'tags', '9', 'urgent', '--json'],
    exchanges: [{
      request: { method: 'PUT', path: '/api/notes/9/tags', form: [['tags[]', 'urgent']] }, reply: ok({ ...NOTE, tags: ['urgent'] }),
    }],
    stdout: { json: { ...NOTE, tags: ['urgent'] } } },
  { name: 'adds after reading a bare object', argv: ['notes', 'tags', '9', '--add', 'urgent'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: { json: NOTE } },
      { request: { method: 'PUT', path: '/api/notes/9/tags', form: [['tags[]', 'phone'], ['tags[]', 'urgent']] },
        reply: { status: 200, text: '' } },
      { request: { method: 'GET', path: '/api/notes/9' }, reply: { json: { ...NOTE, tags: ['phone', 'urgent'] } } },
    ] },
  { name: 'sends an empty JSON array when the last tag is removed', argv: ['notes', 'tags', '9', '--remove', 'phone'],
    exchanges: [
      { request: { method: 'GET', path: '/api/notes/9' }, reply: ok(NOTE) },
      { request: { method: 'PUT', path: '/api/notes/9/tags', json: { tags: [] } }, reply: ok({ ...NOTE, tags: [] }) },
    ] },
  { name: 'clears with an empty JSON array', argv: ['notes', 'tags', '9', '--clear'],
    exchanges: [{ request: { method: 'PUT', path: '/api/notes/9/tags', json: { tags: [] } }, reply: ok({ ...NOTE, tags: [] }) }] },
  refused('does not clear by accident', ['notes', 'tags', '9'], /--clear/),
]);
