// Items: five endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group } from '../../support/conformance-row.ts';
import { type Form, having, notFound, number, present, refused, refusedOn, text } from './shared.ts';

const hour: Form = [
  ['item_description', 'Consulting hour'], ['item_rate', '99.90'], ['item_categoryid', '6'], ['item_default_tax', '2'], ['item_unit', '2'],
];
const allMissing = {
  item_description: ['The item description field is required.'], item_rate: ['The item rate field is required.'],
  item_categoryid: ['The item categoryid field is required.'], item_default_tax: ['The item default tax field is required.'],
  item_unit: ['The item unit field is required.'],
};

const creation: Group = {
  name: 'items: create and get',
  rows: [
    { name: 'an empty list', method: 'GET', path: '/api/items', status: 200,
      body: { message: text, meta: { current_page: 1, per_page: 25, last_page: number } }, at: { data: [], 'meta.total': 0 } },
    { name: 'create with every field', method: 'POST', path: '/api/items',
      form: [
        ...hour, ['item_notes', 'On site.'], ['item_notes_estimatation', 'Half a day at least.'], ['item_custom_field_1', 'C-100'],
        ['item_custom_field_2', 'In-house'], ['item_custom_field_3', 'None'],
      ],
      status: 201, body: { data: { id: number, description: 'Consulting hour', rate: '99.90' }, message: text }, absent: ['data.tags'],
      save: { hour: 'data.id' } },
    { name: 'get has every documented member', method: 'GET', path: '/api/items/{hour}', status: 200,
      body: {
        data: {
          id: '{hour}', type: text, description: 'Consulting hour', notes: 'On site.', rate: '99.90', tax_status: text,
          default_tax: { id: 2, name: 'Standard' }, unit: { id: 2, name: 'hour' }, category: { id: 6, name: 'Services' }, creator_id: 1,
          estimation_notes: 'Half a day at least.',
          custom_fields: [
            { id: 1, name: 'SKU', value: 'C-100' }, { id: 2, name: 'Supplier', value: 'In-house' },
            { id: 3, name: 'Warranty', value: 'None' },
          ],
          dates: { created: text, updated: text },
        },
        message: text,
      },
      absent: ['data.tags'] },
    { name: 'create from JSON, with a new unit', method: 'POST', path: '/api/items',
      json: { item_description: 'Pallet of bolts', item_rate: 12.5, item_categoryid: 7, item_default_tax: 1, item_unit: 'pallet' },
      status: 201,
      body: {
        data: {
          rate: '12.50', notes: null, estimation_notes: null, unit: { id: number, name: 'pallet' }, default_tax: { id: 1, name: 'No Tax' },
          category: { id: 7, name: 'Hardware' },
          custom_fields: [
            { id: 1, name: 'SKU', value: present }, { id: 2, name: 'Supplier', value: present },
            { id: 3, name: 'Warranty', value: present },
          ],
        },
      },
      save: { pallet: 'data.unit.id' } },
    { name: 'the new unit is used again, by its name', method: 'POST', path: '/api/items',
      form: having(hour, ['item_description', 'Pallet of nuts'], ['item_unit', 'pallet']), status: 201,
      body: { data: { unit: { id: '{pallet}', name: 'pallet' } } } },
    {
      name: 'and by its id', method: 'POST', path: '/api/items',
      json: { item_description: 'Pallet of washers', item_rate: '0', item_categoryid: 7, item_default_tax: 3, item_unit: '{pallet}' },
      status: 201, body: { data: { rate: '0.00', unit: { id: '{pallet}', name: 'pallet' }, default_tax: { id: 3, name: 'Reduced' } } },
    },
    { name: 'create: nothing sent', method: 'POST', path: '/api/items', json: {}, ...refused(allMissing) },
    { name: 'create: a lead category', method: 'POST', path: '/api/items', form: having(hour, ['item_categoryid', '1']),
      ...refused({ item_categoryid: ['The selected item categoryid is invalid.'] }) },
    { name: 'create: unknown category', method: 'POST', path: '/api/items', form: having(hour, ['item_categoryid', '99']),
      ...refused({ item_categoryid: ['The selected item categoryid is invalid.'] }) },
    { name: 'create: unknown tax rate', method: 'POST', path: '/api/items', form: having(hour, ['item_default_tax', '99']),
      ...refused({ item_default_tax: ['The selected item default tax is invalid.'] }) },
    { name: 'create: rate that is no decimal', method: 'POST', path: '/api/items', form: having(hour, ['item_rate', 'cheap']),
      ...refusedOn('item_rate') },
    { name: 'create: an empty unit name', method: 'POST', path: '/api/items', form: having(hour, ['item_unit', '']),
      ...refusedOn('item_unit') },
    { name: 'create: a custom field beyond the tenth', method: 'POST', path: '/api/items', form: [...hour, ['item_custom_field_11', 'x']],
      ...refusedOn('item_custom_field_11') },
    { name: 'create: a custom field before the first', method: 'POST', path: '/api/items', form: [...hour, ['item_custom_field_0', 'x']],
      ...refusedOn('item_custom_field_0') },
    { name: 'update: a custom field beyond the tenth', method: 'PATCH', path: '/api/items/{hour}',
      form: [...hour, ['item_custom_field_11', 'x']], ...refusedOn('item_custom_field_11') },
    { name: 'nothing that was refused is in the list', method: 'GET', path: '/api/items', status: 200, at: { 'meta.total': 4 } },
    { name: 'get: unknown id', method: 'GET', path: '/api/items/999999', ...notFound },
  ],
};

const updating: Group = {
  name: 'items: update and delete',
  rows: [
    { name: 'an item', method: 'POST', path: '/api/items', form: hour, status: 201, save: { item: 'data.id' } },
    { name: 'update every field', method: 'PATCH', path: '/api/items/{item}',
      form: [
        ['item_description', 'Consulting day'], ['item_rate', '700.00'], ['item_categoryid', '8'], ['item_default_tax', '3'],
        ['item_unit', '3'], ['item_notes', 'Remote.'], ['item_notes_estimatation', 'Two days at most.'], ['item_custom_field_1', 'C-200'],
      ],
      status: 200,
      body: {
        data: {
          id: '{item}', description: 'Consulting day', rate: '700.00', category: { id: 8, name: 'Licences' },
          default_tax: { id: 3, name: 'Reduced' }, unit: { id: 3, name: 'day' }, notes: 'Remote.', estimation_notes: 'Two days at most.',
          custom_fields: [{ id: 1, name: 'SKU', value: 'C-200' }, { id: 2 }, { id: 3 }], creator_id: 1,
        },
        message: text,
      } },
    { name: 'update: nothing sent', method: 'PATCH', path: '/api/items/{item}', json: {}, ...refused(allMissing) },
    { name: 'update: a proposal category', method: 'PATCH', path: '/api/items/{item}', form: having(hour, ['item_categoryid', '4']),
      ...refused({ item_categoryid: ['The selected item categoryid is invalid.'] }) },
    { name: 'a refused update changes nothing', method: 'GET', path: '/api/items/{item}', status: 200,
      body: { data: { description: 'Consulting day', rate: '700.00' } } },
    { name: 'update: unknown id', method: 'PATCH', path: '/api/items/999999', form: hour, ...notFound },
    { name: 'delete', method: 'DELETE', path: '/api/items/{item}', status: 200, body: { data: { id: '{item}' }, message: text } },
    { name: 'get it', method: 'GET', path: '/api/items/{item}', ...notFound },
    { name: 'delete it again', method: 'DELETE', path: '/api/items/{item}', ...notFound },
    { name: 'the list is empty', method: 'GET', path: '/api/items', status: 200, at: { data: [], 'meta.total': 0 } },
    { name: 'another one', method: 'POST', path: '/api/items', form: hour, status: 201 },
    { name: 'the old id is not used again', method: 'GET', path: '/api/items/{item}', ...notFound },
  ],
};

const lists: Group = {
  name: 'items: lists',
  rows: [
    { name: 'Anvil', method: 'POST', path: '/api/items',
      json: { item_description: 'Anvil', item_rate: '100', item_categoryid: 7, item_default_tax: 2, item_unit: 1 }, status: 201,
      save: { anvil: 'data.id' } },
    { name: 'Bench work', method: 'POST', path: '/api/items',
      json: { item_description: 'Bench work', item_rate: '9.50', item_categoryid: 6, item_default_tax: 3, item_unit: 2 }, status: 201,
      save: { bench: 'data.id' } },
    { name: 'Chisel', method: 'POST', path: '/api/items',
      json: { item_description: 'Chisel', item_rate: '25.00', item_categoryid: 7, item_default_tax: 2, item_unit: 1 }, status: 201,
      save: { chisel: 'data.id' } },
    { name: 'sort by item_description, ascending', method: 'GET', path: '/api/items',
      query: [['sort', 'item_description'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{anvil}' }, { id: '{bench}' }, { id: '{chisel}' }] } },
    { name: 'sort by item_description, descending', method: 'GET', path: '/api/items',
      query: [['sort', 'item_description'], ['order', 'desc']], status: 200,
      body: { data: [{ id: '{chisel}' }, { id: '{bench}' }, { id: '{anvil}' }] } },
    { name: 'sort by item_rate, ascending, as numbers', method: 'GET', path: '/api/items', query: [['sort', 'item_rate'], ['order', 'asc']],
      status: 200, body: { data: [{ rate: '9.50' }, { rate: '25.00' }, { rate: '100.00' }] } },
    { name: 'sort by item_rate, descending', method: 'GET', path: '/api/items', query: [['sort', 'item_rate'], ['order', 'desc']],
      status: 200, body: { data: [{ id: '{anvil}' }, { id: '{chisel}' }, { id: '{bench}' }] } },
    { name: 'unknown sort', method: 'GET', path: '/api/items', query: [['sort', 'item_weight']], ...refusedOn('sort') },
    { name: 'unknown order', method: 'GET', path: '/api/items', query: [['order', 'random']], ...refusedOn('order') },
    { name: 'filter by category', method: 'GET', path: '/api/items', query: [['category_id', '6']], status: 200,
      body: { data: [{ id: '{bench}' }], meta: { total: 1 } } },
    { name: 'filter by unit', method: 'GET', path: '/api/items', query: [['unit_id', '1'], ['sort', 'item_description'], ['order', 'asc']],
      status: 200, body: { data: [{ id: '{anvil}' }, { id: '{chisel}' }], meta: { total: 2 } } },
    { name: 'filter by tax rate', method: 'GET', path: '/api/items', query: [['tax_rate_id', '3']], status: 200,
      body: { data: [{ id: '{bench}' }], meta: { total: 1 } } },
    { name: 'filter by the least rate, itself included', method: 'GET', path: '/api/items',
      query: [['rate_min', '25'], ['sort', 'item_rate'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{chisel}' }, { id: '{anvil}' }], meta: { total: 2 } } },
    { name: 'filter by the greatest rate, itself included', method: 'GET', path: '/api/items',
      query: [['rate_max', '25'], ['sort', 'item_rate'], ['order', 'asc']], status: 200,
      body: { data: [{ id: '{bench}' }, { id: '{chisel}' }], meta: { total: 2 } } },
    { name: 'filter by both', method: 'GET', path: '/api/items', query: [['rate_min', '9.51'], ['rate_max', '99.99']], status: 200,
      body: { data: [{ id: '{chisel}' }], meta: { total: 1 } } },
    { name: 'a bound is not rounded as money is: above', method: 'GET', path: '/api/items',
      query: [['rate_min', '25.001'], ['rate_max', '100.000']], status: 200, body: { data: [{ id: '{anvil}' }], meta: { total: 1 } } },
    { name: 'a bound is not rounded as money is: below', method: 'GET', path: '/api/items',
      query: [['rate_min', '9.5'], ['rate_max', '24.999999999999999999']], status: 200,
      body: { data: [{ id: '{bench}' }], meta: { total: 1 } } },
    { name: 'search the description', method: 'GET', path: '/api/items', query: [['search', 'Bench']], status: 200,
      body: { data: [{ id: '{bench}' }], meta: { total: 1 } } },
    { name: 'second page of two', method: 'GET', path: '/api/items',
      query: [['sort', 'item_description'], ['order', 'asc'], ['limit', '2'], ['page', '2']], status: 200,
      body: { data: [{ id: '{chisel}' }] }, at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } },
    { name: 'one more, last', method: 'POST', path: '/api/items', form: hour, status: 201, save: { last: 'data.id' } },
    { name: 'sort by item_created, descending: the last one first', method: 'GET', path: '/api/items',
      query: [['sort', 'item_created'], ['order', 'desc'], ['limit', '1']], status: 200, body: { data: [{ id: '{last}' }] } },
    {
      name: 'sort by item_created, ascending: the last one last', method: 'GET', path: '/api/items',
      query: [['sort', 'item_created'], ['order', 'asc'], ['limit', '1'], ['page', '4']], status: 200, body: { data: [{ id: '{last}' }] },
    },
  ],
};

export const groups: Group[] = [creation, updating, lists];
