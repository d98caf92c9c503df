// Items: five endpoints. Typed by hand from the interface document (and the vendor facts where it is silent),
// without a look at the sandbox's code.

import type { Group } from '../../support/conformance-row.ts';
import { json } from '../../support/request.ts';
import {
  created, del, get, group, inOrder, made, notFound, number, ok, only, patch, post, present, refused, refusedOn, text,
} from './shared.ts';

const hour = { item_description: 'Consulting hour', item_rate: '99.90', item_categoryid: '6', item_default_tax: '2', item_unit: '2' };
const allMissing = { item_description: ['The item description field is required.'], item_rate: ['The item rate field is required.'],
  item_categoryid: ['The item categoryid field is required.'], item_default_tax: ['The item default tax field is required.'],
  item_unit: ['The item unit field is required.'] };

const creation = group('items: create and get', [
  get('an empty list', '/api/items',
    ok({ message: text, meta: { current_page: 1, per_page: 25, last_page: number } }, { at: { data: [], 'meta.total': 0 } })),
  post('create with every field', '/api/items',
    { ...hour, item_notes: 'On site.', item_notes_estimatation: 'Half a day at least.', item_custom_field_1: 'C-100',
      item_custom_field_2: 'In-house', item_custom_field_3: 'None' },
    created({ data: { id: number, description: 'Consulting hour', rate: '99.90' }, message: text },
      { absent: ['data.tags'], save: { hour: 'data.id' } })),
  get('get has every documented member', '/api/items/{hour}',
    ok({
      data: { id: '{hour}', type: text, description: 'Consulting hour', notes: 'On site.', rate: '99.90', tax_status: text,
        default_tax: { id: 2, name: 'Standard' }, unit: { id: 2, name: 'hour' }, category: { id: 6, name: 'Services' }, creator_id: 1,
        estimation_notes: 'Half a day at least.',
        custom_fields: [{ id: 1, name: 'SKU', value: 'C-100' }, { id: 2, name: 'Supplier', value: 'In-house' },
          { id: 3, name: 'Warranty', value: 'None' }], dates: { created: text, updated: text } }, message: text },
      { absent: ['data.tags'] })),
  post('create from JSON, with a new unit', '/api/items',
    json({ item_description: 'Pallet of bolts', item_rate: 12.5, item_categoryid: 7, item_default_tax: 1, item_unit: 'pallet' }),
    created({
      data: { rate: '12.50', notes: null, estimation_notes: null, unit: { id: number, name: 'pallet' },
        default_tax: { id: 1, name: 'No Tax' }, category: { id: 7, name: 'Hardware' },
        custom_fields: [{ id: 1, name: 'SKU', value: present }, { id: 2, name: 'Supplier', value: present },
          { id: 3, name: 'Warranty', value: present }] } }, { save: { pallet: 'data.unit.id' } })),
  post('the new unit is used again, by its name', '/api/items', { ...hour, item_description: 'Pallet of nuts', item_unit: 'pallet' },
    created({ data: { unit: { id: '{pallet}', name: 'pallet' } } })),
  post('and by its id', '/api/items',
    json({ item_description: 'Pallet of washers', item_rate: '0', item_categoryid: 7, item_default_tax: 3, item_unit: '{pallet}' }),
    created({ data: { rate: '0.00', unit: { id: '{pallet}', name: 'pallet' }, default_tax: { id: 3, name: 'Reduced' } } })),
  post('create: nothing sent', '/api/items', json({}), refused(allMissing)),
  post('create: a lead category', '/api/items', { ...hour, item_categoryid: '1' },
    refused({ item_categoryid: ['The selected item categoryid is invalid.'] })),
  post('create: unknown category', '/api/items', { ...hour, item_categoryid: '99' },
    refused({ item_categoryid: ['The selected item categoryid is invalid.'] })),
  post('create: unknown tax rate', '/api/items', { ...hour, item_default_tax: '99' },
    refused({ item_default_tax: ['The selected item default tax is invalid.'] })),
  post('create: rate that is no decimal', '/api/items', { ...hour, item_rate: 'cheap' }, refusedOn('item_rate')),
  post('create: an empty unit name', '/api/items', { ...hour, item_unit: '' }, refusedOn('item_unit')),
  post('create: a custom field beyond the tenth', '/api/items', { ...hour, item_custom_field_11: 'x' }, refusedOn('item_custom_field_11')),
  post('create: a custom field before the first', '/api/items', { ...hour, item_custom_field_0: 'x' }, refusedOn('item_custom_field_0')),
  patch('update: a custom field beyond the tenth', '/api/items/{hour}', { ...hour, item_custom_field_11: 'x' },
    refusedOn('item_custom_field_11')),
  get('nothing that was refused is in the list', '/api/items', ok({}, { at: { 'meta.total': 4 } })),
  get('get: unknown id', '/api/items/999999', notFound),
]);

const updating = group('items: update and delete', [
  post('an item', '/api/items', hour, made('item')),
  patch('update every field', '/api/items/{item}',
    { item_description: 'Consulting day', item_rate: '700.00', item_categoryid: '8', item_default_tax: '3', item_unit: '3',
      item_notes: 'Remote.', item_notes_estimatation: 'Two days at most.', item_custom_field_1: 'C-200' },
    ok({
      data: { id: '{item}', description: 'Consulting day', rate: '700.00', category: { id: 8, name: 'Licences' },
        default_tax: { id: 3, name: 'Reduced' }, unit: { id: 3, name: 'day' }, notes: 'Remote.', estimation_notes: 'Two days at most.',
        custom_fields: [{ id: 1, name: 'SKU', value: 'C-200' }, { id: 2 }, { id: 3 }], creator_id: 1 }, message: text })),
  patch('update: nothing sent', '/api/items/{item}', json({}), refused(allMissing)),
  patch('update: a proposal category', '/api/items/{item}', { ...hour, item_categoryid: '4' },
    refused({ item_categoryid: ['The selected item categoryid is invalid.'] })),
  get('a refused update changes nothing', '/api/items/{item}', ok({ data: { description: 'Consulting day', rate: '700.00' } })),
  patch('update: unknown id', '/api/items/999999', hour, notFound),
  del('delete', '/api/items/{item}', ok({ data: { id: '{item}' }, message: text })),
  get('get it', '/api/items/{item}', notFound),
  del('delete it again', '/api/items/{item}', notFound),
  get('the list is empty', '/api/items', ok({}, { at: { data: [], 'meta.total': 0 } })),
  post('another one', '/api/items', hour, created()),
  get('the old id is not used again', '/api/items/{item}', notFound),
]);

const lists = group('items: lists', [
  post('Anvil', '/api/items', json({ item_description: 'Anvil', item_rate: '100', item_categoryid: 7, item_default_tax: 2, item_unit: 1 }),
    made('anvil')),
  post('Bench work', '/api/items',
    json({ item_description: 'Bench work', item_rate: '9.50', item_categoryid: 6, item_default_tax: 3, item_unit: 2 }), made('bench')),
  post('Chisel', '/api/items',
    json({ item_description: 'Chisel', item_rate: '25.00', item_categoryid: 7, item_default_tax: 2, item_unit: 1 }), made('chisel')),
  get('sort by item_description, ascending', '/api/items?sort=item_description&order=asc', inOrder('anvil', 'bench', 'chisel')),
  get('sort by item_description, descending', '/api/items?sort=item_description&order=desc', inOrder('chisel', 'bench', 'anvil')),
  get('sort by item_rate, ascending, as numbers', '/api/items?sort=item_rate&order=asc',
    ok({ data: [{ rate: '9.50' }, { rate: '25.00' }, { rate: '100.00' }] })),
  get('sort by item_rate, descending', '/api/items?sort=item_rate&order=desc', inOrder('anvil', 'chisel', 'bench')),
  get('unknown sort', '/api/items?sort=item_weight', refusedOn('sort')),
  get('unknown order', '/api/items?order=random', refusedOn('order')),
  get('filter by category', '/api/items?category_id=6', only('bench')),
  get('filter by unit', '/api/items?unit_id=1&sort=item_description&order=asc', only('anvil', 'chisel')),
  get('filter by tax rate', '/api/items?tax_rate_id=3', only('bench')),
  get('filter by the least rate, itself included', '/api/items?rate_min=25&sort=item_rate&order=asc', only('chisel', 'anvil')),
  get('filter by the greatest rate, itself included', '/api/items?rate_max=25&sort=item_rate&order=asc', only('bench', 'chisel')),
  get('filter by both', '/api/items?rate_min=9.51&rate_max=99.99', only('chisel')),
  get('a bound is not rounded as money is: above', '/api/items?rate_min=25.001&rate_max=100.000', only('anvil')),
  get('a bound is not rounded as money is: below', '/api/items?rate_min=9.5&rate_max=24.999999999999999999', only('bench')),
  get('search the description', '/api/items?search=Bench', only('bench')),
  get('second page of two', '/api/items?sort=item_description&order=asc&limit=2&page=2',
    ok({ data: [{ id: '{chisel}' }] }, { at: { meta: { current_page: 2, per_page: 2, total: 3, last_page: 2 } } })),
  post('one more, last', '/api/items', hour, made('last')),
  get('sort by item_created, descending: the last one first', '/api/items?sort=item_created&order=desc&limit=1', inOrder('last')),
  get('sort by item_created, ascending: the last one last', '/api/items?sort=item_created&order=asc&limit=1&page=4', inOrder('last')),
]);

export const groups: Group[] = [creation, updating, lists];
