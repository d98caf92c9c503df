// Items: catalog products and services (interface: Item; Endpoints, Items).

import { decimal, id, idOrName, longText, numbered, resource, text } from './define.ts';

export const items = resource({
  name: 'items',
  singular: 'item',
  path: '/api/items',
  summary: 'Catalog products and services',
  title: 'description',
  fields: [
    { flag: 'description', wire: 'item_description', read: 'description', type: longText, required: true, help: 'Description' },
    { flag: 'rate', wire: 'item_rate', read: 'rate', type: decimal, required: true, help: 'Unit rate' },
    { flag: 'category', wire: 'item_categoryid', read: 'category.id', type: id, required: true, help: 'Category of type item' },
    {
      flag: 'default-tax',
      wire: 'item_default_tax',
      read: 'default_tax.id',
      type: id,
      required: true,
      help: 'Default tax rate; the "no tax" rate for tax-free items',
    },
    {
      flag: 'unit',
      wire: 'item_unit',
      read: 'unit.id',
      type: idOrName,
      required: true,
      help: 'Unit of measure: an existing unit, or the name of a new one',
    },
    { flag: 'notes', wire: 'item_notes', read: 'notes', type: longText, help: 'Notes' },
    {
      flag: 'estimation-notes',
      // The interface spells this parameter so.
      wire: 'item_notes_estimatation',
      read: 'estimation_notes',
      type: longText,
      help: 'Notes for estimates',
    },
    {
      flag: 'custom-field',
      wire: 'item_custom_field_',
      read: 'custom_fields',
      type: numbered(10),
      help: 'Value of custom field N, 1 to 10; repeatable',
    },
  ],
  record: [
    'id',
    'type',
    'description',
    'notes',
    'rate',
    'tax_status',
    'default_tax.id',
    'default_tax.name',
    'unit.id',
    'unit.name',
    'category.id',
    'category.name',
    'creator_id',
    'estimation_notes',
    'custom_fields',
    'dates.created',
    'dates.updated',
  ],
  columns: [
    { path: 'id', align: 'right' },
    { path: 'description' },
    { path: 'rate', align: 'right' },
    { path: 'unit.name', header: 'unit' },
    { path: 'default_tax.name', header: 'tax' },
    { path: 'category.name', header: 'category' },
    { path: 'type' },
  ],
  filters: [
    { flag: 'category', wire: 'category_id', type: id, help: 'Item category' },
    { flag: 'unit', wire: 'unit_id', type: id, help: 'Unit of measure' },
    { flag: 'tax-rate', wire: 'tax_rate_id', type: id, help: 'Default tax rate' },
    { flag: 'rate-min', wire: 'rate_min', type: decimal, help: 'Lowest rate' },
    { flag: 'rate-max', wire: 'rate_max', type: decimal, help: 'Highest rate' },
    { flag: 'search', wire: 'search', type: text, help: 'Text to look for' },
  ],
  sort: { description: 'item_description', rate: 'item_rate', created: 'item_created' },
  examples: {
    list: [
      'crm items list --category 6 --sort rate',
      'crm items list --rate-min 100 --rate-max 500 --all',
    ],
    create: [
      "crm items create --description 'Site survey' --rate 450.00 --category 6 --default-tax 2 --unit 3",
      "crm items create --description 'Cable, 2 m' --rate 9.90 --category 7 --default-tax 2 --unit metre --custom-field 1=CB-2M",
    ],
    update: [
      'crm items update 5 --rate 475.00',
      "crm items update 5 --notes 'Includes travel'",
    ],
  },
});
