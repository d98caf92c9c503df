// Categories: each belongs to one kind of records, its type (vendor facts: reference records). They are only read.

import { integer, longText, resource, text } from '../define.ts';

export const categories = resource({
  name: 'categories',
  singular: 'category',
  path: '/api/categories',
  summary: 'Categories of leads, proposals, items and other records',
  title: 'name',
  readOnly: true,
  namedAs: 'category',
  fields: [],
  record: [
    'id',
    'name',
    'description',
    'type',
    'visibility',
    'icon',
    'system_default',
    'slug',
    'count',
    'users_count',
    'dates.created',
    'dates.updated',
  ],
  types: { description: longText, count: integer, users_count: integer },
  nullable: ['description', 'icon'],
  columns: [{ path: 'id', align: 'right' }, { path: 'name' }, { path: 'type' }, { path: 'visibility' }, { path: 'count', align: 'right' }],
  view: {
    facts: ['for type', 'visibility: visibility'],
    groups: [
      ['Description', 'description'],
      ['Created', 'dates.created · changed dates.updated'],
    ],
    unsaid: ['dates.updated=dates.created'],
  },
  filters: [
    { flag: 'type', wire: 'type', type: text, help: 'Type, such as lead, proposal, item or client' },
    { flag: 'visibility', wire: 'visibility', type: text, help: 'Visibility, such as everyone' },
    { flag: 'search', wire: 'search', type: text, help: 'Text in the name' },
  ],
  sort: { name: 'category_name', type: 'category_type', created: 'category_created' },
  defaultOrder: 'desc',
  examples: {
    list: ['crm categories list --type lead', 'crm categories list --all --sort type --order asc'],
  },
});
