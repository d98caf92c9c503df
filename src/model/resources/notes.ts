// Notes: titled texts, alone or attached to another resource (interface: Note; Endpoints, Notes).

import { choice, longText, reference, resource, text } from '../define.ts';

/** The types of records that a note may be attached to (interface: Note). */
export const noteResources = ['client', 'lead', 'project', 'task', 'user'];

export const notes = resource({
  name: 'notes',
  singular: 'note',
  path: '/api/notes',
  summary: 'Titled notes, alone or on another record',
  title: 'title',
  tellApart: ['visibility'],
  fields: [
    { flag: 'title', wire: 'note_title', read: 'title', type: text, required: true, help: 'Title' },
    { flag: 'description', wire: 'note_description', read: 'description', type: longText, required: true, help: 'Text' },
    {
      flag: 'visibility',
      wire: 'note_visibility',
      read: 'visibility',
      type: choice('public', 'private'),
      help: 'Who sees the note; the service makes it public by default',
    },
    {
      flag: 'resource',
      wire: 'noteresource',
      read: 'resource',
      type: reference(...noteResources),
      only: 'create',
      help: 'The record that the note is attached to, such as lead:12',
    },
  ],
  record: [
    'id',
    'title',
    'description',
    'visibility',
    'resource.type',
    'resource.id',
    'creator_id',
    'tags',
    'dates.created',
    'dates.updated',
  ],
  nullable: ['resource'],
  notShown: ['list', 'get', 'update', 'delete', 'tags'],
  columns: [
    { path: 'id', align: 'right' },
    { path: 'title' },
    { path: 'description', priority: 5 },
    { path: 'visibility', priority: 8 },
    { path: 'resource.type', header: 'on', priority: 3 },
    { path: 'resource.id', header: 'on id', align: 'right', priority: 4 },
    { path: 'tags' },
  ],
  view: {
    facts: ['visibility', 'on resource.type resource.id', '#tags'],
    groups: [
      ['Description', 'description'],
      ['Created', 'dates.created · by user creator_id · changed dates.updated'],
    ],
    unsaid: ['dates.updated=dates.created'],
    entry: ['title · dates.created'],
  },
  filters: [
    { flag: 'resource', wire: 'resource', type: reference(...noteResources), help: 'What the notes are attached to: lead, or lead:12' },
    { flag: 'visibility', wire: 'visibility', type: choice('public', 'private'), help: 'Public or private notes' },
    { flag: 'search', wire: 'search', type: text, help: 'Text to look for' },
  ],
  sort: { title: 'note_title', created: 'note_created', updated: 'note_updated' },
  sets: [{ verb: 'tags', path: 'tags', wire: 'tags', read: 'tags', value: { name: 'tag', type: text }, summary: "Replace a note's tags" }],
  examples: {
    list: ['crm notes list --resource lead', 'crm notes list --visibility private --sort updated --order desc'],
    create: [
      "crm notes create --title 'Call back' --description 'After the board meeting' --resource lead:3",
      "crm notes create --title 'Price list' --description @README.md --visibility private",
    ],
    update: ["crm notes update 5 --title 'Call back on Monday'", 'crm notes update 5 --visibility private'],
    tags: ['crm notes tags 5 urgent', 'crm notes tags 5 --add follow-up'],
  },
});
