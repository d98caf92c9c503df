// Wire tests of the notes family. The shapes of its answers are open in the interface, so several are tried.
// Typed by hand from the interface document (Notes) and the command line's table; imports no declaration.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { created, del, failure, get, invalid, list, NOTE, ok, patch, post, put, refused, sends, whole } from './records.ts';

const NEW = created({ ...NOTE, id: 80 });
const CALL = "--title Call --description 'Asked for a price'";

wireCases('notes list', [
  sends('asks for pages of 100 and reads the envelope', 'notes list --json', whole('/api/notes', list([NOTE])), { json: [NOTE] }),
  sends('reads a bare array', 'notes list --json', whole('/api/notes', { json: [] }), { json: [] }),
  sends('splits the resource into type and id', 'notes list --resource lead:7 --visibility private --search price --order asc',
    whole('/api/notes?resource_type=lead&resource_id=7&visibility=private&search=price&order=asc', list([]))),
  sends('filters by resource type alone, and by public', 'notes list --resource lead --visibility public',
    whole('/api/notes?resource_type=lead&visibility=public', list([]))),
  ...([['title', 'note_title'], ['created', 'note_created'], ['updated', 'note_updated']] as const).map(([sort, wire]) => sends(
    `sorts by ${sort}`, `notes list --sort ${sort}`, whole(`/api/notes?sort=${wire}`, list([NOTE])))),
  refused('refuses an unknown visibility', 'notes list --visibility secret', /--visibility/),
  refused('refuses an unknown resource type', 'notes list --resource invoice:3', /--resource/),
  refused('refuses an unknown sort name', 'notes list --sort colour', /--sort: unknown field "colour"/),
]);

wireCases('notes get', [
  sends('reads the envelope', 'notes get 9 --json', get('/api/notes/9', ok(NOTE)), { json: NOTE }),
  sends('reads a bare object', 'notes get 9 --json', get('/api/notes/9', { json: NOTE }), { json: NOTE }),
  sends('exits 3 on a sticky-note', 'notes get 10', get('/api/notes/10', failure(404, 'Note not found.')), { exit: 3 }),
]);

wireCases('notes create', [
  sends('sends every flag by wire name', `notes create ${CALL} --visibility private --resource client:3 --json`,
    post('/api/notes',
      { note_title: 'Call', note_description: 'Asked for a price', note_visibility: 'private', noteresource_type: 'client',
        noteresource_id: '3' }, NEW), { isOdd: true, json: { ...NOTE, id: 80 } }),
  sends('creates a standalone note', `notes create ${CALL}`,
    post('/api/notes', { note_title: 'Call', note_description: 'Asked for a price' }, NEW)),
  ...['lead', 'project', 'task', 'user'].map((type) => sends(`attaches to a ${type}`, `notes create ${CALL} --resource ${type}:7`,
    post('/api/notes', { note_title: 'Call', note_description: 'Asked for a price', noteresource_type: type, noteresource_id: '7' }, NEW))),
  sends('sends JSON with a numeric resource id', `notes create ${CALL} --resource client:3`,
    post('/api/notes', json({ note_title: 'Call', note_description: 'Asked for a price', noteresource_type: 'client', noteresource_id: 3 }),
      NEW), { encoding: 'json' }),
  sends('shows a missing resource beside the flag', `notes create ${CALL} --resource client:999`,
    post('/api/notes', { note_title: 'Call', note_description: 'Asked for a price', noteresource_type: 'client', noteresource_id: '999' },
      invalid({ noteresource_id: ['The selected resource is invalid.'] })),
    { exit: 5, stderr: /--resource: The selected resource is invalid\./ }),
  refused('needs a description', 'notes create --title Call', /--description/),
  refused('refuses an unknown resource type', `notes create ${CALL} --resource invoice:3`, /--resource/),
  refused('refuses a resource without an id', `notes create ${CALL} --resource client`, /--resource/),
  refused('refuses resource id 0', `notes create ${CALL} --resource client:0`, /--resource/),
  refused('refuses an unknown visibility', `notes create ${CALL} --visibility team`, /--visibility/),
]);

wireCases('notes update', [
  sends('reads, merges and sends all editable fields', 'notes update 9 --visibility private --json',
    [get('/api/notes/9', ok(NOTE)),
      patch('/api/notes/9', { note_title: 'Call', note_description: 'Asked for a price', note_visibility: 'private' },
        ok({ ...NOTE, visibility: 'private' }))], { json: { ...NOTE, visibility: 'private' } }),
  sends('changes title and description, from a bare object, a 204 being fine', "notes update 9 --title 'Second call' --description Agreed",
    [get('/api/notes/9', { json: NOTE }),
      patch('/api/notes/9', { note_title: 'Second call', note_description: 'Agreed', note_visibility: 'public' },
        { status: 204, text: '' }), get('/api/notes/9', { json: { ...NOTE, title: 'Second call', description: 'Agreed' } })]),
  sends('stops after the read when the record has no description', 'notes update 9 --title x',
    get('/api/notes/9', ok({ ...NOTE, description: null })), { exit: 2, stderr: /--description/ }),
  refused('cannot attach to another resource', 'notes update 9 --resource lead:7', /--resource/),
  refused('refuses to change nothing', 'notes update 9'),
]);

wireCases('notes delete', [
  sends('deletes several, whatever the answers look like', 'notes delete 9 10 11 --yes',
    [...[9, 10, 11].map((id) => get(`/api/notes/${id}`, ok({ ...NOTE, id }))), del('/api/notes/9', ok({ id: 9 })),
      del('/api/notes/10', { status: 204, text: '' }), get('/api/notes/10', failure(404, 'Note not found.')),
      del('/api/notes/11', { status: 200, text: '' }), get('/api/notes/11', failure(404, 'Note not found.'))], { atOnce: true }),
  sends('sends nothing without --yes', 'notes delete 9', [], { exit: 9, stderr: /--yes/ }),
]);

wireCases('notes tags', [
  sends('replaces the whole set without reading', 'notes tags 9 urgent --json',
    put('/api/notes/9/tags', { 'tags[]': 'urgent' }, ok({ ...NOTE, tags: ['urgent'] })), { json: { ...NOTE, tags: ['urgent'] } }),
  sends('adds after reading a bare object', 'notes tags 9 --add urgent',
    [get('/api/notes/9', { json: NOTE }), put('/api/notes/9/tags', { 'tags[]': ['phone', 'urgent'] }, { status: 200, text: '' }),
      get('/api/notes/9', { json: { ...NOTE, tags: ['phone', 'urgent'] } })]),
  sends('sends an empty JSON array when the last tag is removed', 'notes tags 9 --remove phone',
    [get('/api/notes/9', ok(NOTE)), put('/api/notes/9/tags', json({ tags: [] }), ok({ ...NOTE, tags: [] }))]),
  sends('clears with an empty JSON array', 'notes tags 9 --clear', put('/api/notes/9/tags', json({ tags: [] }), ok({ ...NOTE, tags: [] }))),
  refused('does not clear by accident', 'notes tags 9', /--clear/),
]);
