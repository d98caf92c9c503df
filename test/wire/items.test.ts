// Wire tests of the items family. The shapes of its answers are open in the interface, so several are tried.
// Typed by hand from the interface document (Items) and the command line's table; imports no declaration.

import { wireCases } from '../support/wire.ts';
import type { Exchange, WireCase } from '../support/wire-case.ts';
import { changed, created, failure, ITEM, invalid, list, ok, type Pair, refused, WHOLE } from './records.ts';

const NEW = created({ ...ITEM, id: 70 });
const SHELF = ['--description', 'Shelf', '--rate', '20.00', '--category', '7', '--default-tax', '1', '--unit', '3'];
const SHELF_FORM: Pair[] = [
  ['item_description', 'Shelf'], ['item_rate', '20.00'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '3'],
];

/** The newest items, which are looked through for a unit. */
const NEWEST: Exchange = {
  request: { method: 'GET', path: '/api/items', query: [['sort', 'item_created'], ['order', 'desc'], ['limit', '100'], ['page', '1']] },
  reply: list([ITEM]),
};

/** ITEM as the update body has it. */
const FIELDS: Pair[] = [
  ['item_description', 'Oak shelf'], ['item_rate', '12.50'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', '3'],
  ['item_notes', 'Oiled'], ['item_notes_estimatation', 'Two weeks'], ['item_custom_field_1', 'AB-1'],
];

wireCases('items list', [
  { name: 'asks for pages of 100 and reads the envelope', argv: ['items', 'list', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/items', query: WHOLE }, reply: list([ITEM]) }], stdout: { json: [ITEM] } },
  { name: 'reads a bare array', argv: ['items', 'list', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/items', query: WHOLE }, reply: { json: [ITEM] } },
      { request: { method: 'GET', path: '/api/items', query: [['limit', '100'], ['page', '2']] }, reply: { json: [] } },
    ],
    stdout: { json: [ITEM] } },
  { name: 'sends its filters by wire name',
    argv: [
      'items', 'list', '--category', '7', '--unit', '3', '--tax-rate', '1', '--rate-min', '5.00', '--rate-max', '20', '--search', 'shelf',
      '--sort', 'description', '--order', 'desc',
    ],
    exchanges: [{
      request: {
        method: 'GET', path: '/api/items',
        query: [
          ['category_id', '7'], ['unit_id', '3'], ['tax_rate_id', '1'], ['rate_min', '5.00'], ['rate_max', '20'], ['search', 'shelf'],
          ['sort', 'item_description'], ['order', 'desc'], ...WHOLE,
        ],
      },
      reply: list([]),
    }] },
  ...([['rate', 'item_rate'], ['created', 'item_created']] as const).map(([sort, wire]): WireCase => ({
    name: `sorts by ${sort}`, argv: ['items', 'list', '--sort', sort],
    exchanges: [{ request: { method: 'GET', path: '/api/items', query: [['sort', wire], ...WHOLE] }, reply: list([]) }],
  })),
  refused('refuses a lower bound that is no decimal', ['items', 'list', '--rate-min', 'cheap'], /--rate-min/),
  refused('refuses an upper bound that is no decimal', ['items', 'list', '--rate-max', '1e2'], /--rate-max/),
  refused('refuses unit 0', ['items', 'list', '--unit', '0'], /--unit/),
  refused('refuses tax rate 0', ['items', 'list', '--tax-rate', '0'], /--tax-rate/),
  refused('refuses an unknown sort name', ['items', 'list', '--sort', 'unit'], /--sort/),
]);

wireCases('items get', [
  { name: 'reads the envelope', argv: ['items', 'get', '8', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/items/8' }, reply: ok(ITEM) }], stdout: { json: ITEM } },
  { name: 'reads a bare object', argv: ['items', 'get', '8', '--json'],
    exchanges: [{ request: { method: 'GET', path: '/api/items/8' }, reply: { json: ITEM } }], stdout: { json: ITEM } },
  { name: 'exits 3 on an unknown id', argv: ['items', 'get', '99'],
    exchanges: [{ request: { method: 'GET', path: '/api/items/99' }, reply: failure(404, 'Item not found.') }], exit: 3 },
]);

wireCases('items create', [
  { name: 'sends every flag by wire name, the misspelled one too',
    argv: [
      'items', 'create', ...SHELF, '--notes', 'Oiled', '--estimation-notes', 'Two weeks', '--custom-field', '2=AB-1', '--custom-field',
      '10=a=b', '--json',
    ],
    exchanges: [{
      request: {
        method: 'POST', path: '/api/items',
        form: [
          ...SHELF_FORM, ['item_notes', 'Oiled'], ['item_notes_estimatation', 'Two weeks'], ['item_custom_field_2', 'AB-1'],
          ['item_custom_field_10', 'a=b'],
        ],
      },
      reply: NEW,
    }],
    stdout: { json: { ...ITEM, id: 70 } } },
  { name: 'sends a new unit by its name, once no item is seen to have it',
    argv: [
      'items', 'create', '--description', 'Shelf', '--rate', '20', '--category', '7', '--default-tax', '1', '--unit', 'box', '--new-unit',
    ],
    exchanges: [
      NEWEST,
      {
        request: {
          method: 'POST', path: '/api/items',
          form: [
            ['item_description', 'Shelf'], ['item_rate', '20'], ['item_categoryid', '7'], ['item_default_tax', '1'], ['item_unit', 'box'],
          ],
        },
        reply: NEW,
      },
    ] },
  { name: 'sends JSON: ids and the unit id as numbers, the rate as a string', argv: ['items', 'create', ...SHELF, '--custom-field', '1=7'],
    encoding: 'json',
    exchanges: [{
      request: {
        method: 'POST', path: '/api/items',
        json: {
          item_description: 'Shelf', item_rate: '20.00', item_categoryid: 7, item_default_tax: 1, item_unit: 3, item_custom_field_1: '7',
        },
      },
      reply: NEW,
    }] },
  { name: 'sends the name of a new unit as a string in JSON',
    argv: [
      'items', 'create', '--description', 'Shelf', '--rate', '20', '--category', '7', '--default-tax', '1', '--unit', 'box', '--new-unit',
    ],
    encoding: 'json',
    exchanges: [
      NEWEST,
      {
        request: {
          method: 'POST', path: '/api/items',
          json: { item_description: 'Shelf', item_rate: '20', item_categoryid: 7, item_default_tax: 1, item_unit: 'box' },
        },
        reply: NEW,
      },
    ] },
  { name: 'accepts a bare object', argv: ['items', 'create', ...SHELF, '--json'],
    exchanges: [{ request: { method: 'POST', path: '/api/items', form: SHELF_FORM }, reply: { status: 201, json: { ...ITEM, id: 70 } } }],
    stdout: { json: { ...ITEM, id: 70 } } },
  { name: 'shows refused fields beside the flags', argv: ['items', 'create', ...SHELF],
    exchanges: [{
      request: { method: 'POST', path: '/api/items', form: SHELF_FORM },
      reply: invalid({ item_default_tax: ['The selected tax rate is invalid.'] }),
    }],
    exit: 5, stderr: /--default-tax: The selected tax rate is invalid\./ },
  refused(
    'names the required flags that are missing', ['items', 'create', '--description', 'Shelf'],
    /(?=[\s\S]*--rate)(?=[\s\S]*--category)(?=[\s\S]*--default-tax)(?=[\s\S]*--unit)/
  ),
  refused(
    'refuses a rate that is no decimal',
    ['items', 'create', '--description', 'x', '--rate', '12,50', '--category', '7', '--default-tax', '1', '--unit', '3'], /--rate/
  ),
  refused(
    'refuses a tax rate that is no whole number',
    ['items', 'create', '--description', 'x', '--rate', '12', '--category', '7', '--default-tax', '0.19', '--unit', '3'], /--default-tax/
  ),
  refused('refuses custom field 11', ['items', 'create', ...SHELF, '--custom-field', '11=x'], /--custom-field/),
  refused('refuses custom field 0', ['items', 'create', ...SHELF, '--custom-field', '0=x'], /--custom-field/),
  refused('refuses a custom field without a value', ['items', 'create', ...SHELF, '--custom-field', '2'], /--custom-field/),
]);

wireCases('items update', [
  { name: 'reads, merges and sends all editable fields', argv: ['items', 'update', '8', '--rate', '13.00', '--json'],
    exchanges: [
      { request: { method: 'GET', path: '/api/items/8' }, reply: ok(ITEM) },
      { request: { method: 'PATCH', path: '/api/items/8', form: changed(FIELDS, ['item_rate', '13.00']) },
        reply: ok({ ...ITEM, rate: '13.00' }) },
    ],
    stdout: { json: { ...ITEM, rate: '13.00' } } },
  { name: 'changes every field by its flag, from a bare object, an empty answer being fine',
    argv: [
      'items', 'update', '8', '--description', 'Ash shelf', '--rate', '9.99', '--category', '9', '--default-tax', '2', '--unit', 'metre',
      '--new-unit', '--notes', 'Waxed', '--estimation-notes', 'Soon', '--custom-field', '1=', '--custom-field', '2=red',
    ],
    exchanges: [
      NEWEST,
      { request: { method: 'GET', path: '/api/items/8' }, reply: { json: ITEM } },
      {
        request: {
          method: 'PATCH', path: '/api/items/8',
          form: [
            ['item_description', 'Ash shelf'], ['item_rate', '9.99'], ['item_categoryid', '9'], ['item_default_tax', '2'],
            ['item_unit', 'metre'], ['item_notes', 'Waxed'], ['item_notes_estimatation', 'Soon'], ['item_custom_field_1', ''],
            ['item_custom_field_2', 'red'],
          ],
        },
        reply: { status: 200, text: '' },
      },
      { request: { method: 'GET', path: '/api/items/8' },
        reply: ok({
          ...ITEM, description: 'Ash shelf', rate: '9.99', category: { id: 9, name: 'Planks' }, default_tax: { id: 2, name: 'None' },
          unit: { id: 5, name: 'metre' }, notes: 'Waxed', estimation_notes: 'Soon',
          custom_fields: [{ id: 1, name: 'Code', value: null }, { id: 2, name: 'Colour', value: 'red' }],
        }) },
    ] },
  { name: 'sends numbers back with the same characters', argv: ['items', 'update', '8', '--notes', 'Waxed'],
    exchanges: [
      { request: { method: 'GET', path: '/api/items/8' },
        reply: { text: JSON.stringify({ data: ITEM }).replace('"12.50"', '12.50').replace('"AB-1"', '7.0') } },
      { request: { method: 'PATCH', path: '/api/items/8', form: changed(FIELDS, ['item_notes', 'Waxed'], ['item_custom_field_1', '7.0']) },
        reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/items/8' }, reply: ok({ ...ITEM, notes: 'Waxed' }) },
    ] },
  { name: 'sends JSON', argv: ['items', 'update', '8', '--default-tax', '2'], encoding: 'json',
    exchanges: [
      { request: { method: 'GET', path: '/api/items/8' }, reply: ok({ ...ITEM, notes: null }) },
      {
        request: {
          method: 'PATCH', path: '/api/items/8',
          json: {
            item_description: 'Oak shelf', item_rate: '12.50', item_categoryid: 7, item_default_tax: 2, item_unit: 3,
            item_notes_estimatation: 'Two weeks', item_custom_field_1: 'AB-1',
          },
        },
        reply: ok(ITEM),
      },
    ] },
  { name: 'stops after the read when the record has no default tax', argv: ['items', 'update', '8', '--rate', '13.00'],
    exchanges: [{ request: { method: 'GET', path: '/api/items/8' }, reply: ok({ ...ITEM, default_tax: { id: null, name: null } }) }],
    exit: 2, stderr: /--default-tax/ },
  { name: 'goes on when the flag gives what the record lacks', argv: ['items', 'update', '8', '--default-tax', '4'],
    exchanges: [
      { request: { method: 'GET', path: '/api/items/8' }, reply: ok({ ...ITEM, default_tax: { id: null, name: null } }) },
      { request: { method: 'PATCH', path: '/api/items/8', form: changed(FIELDS, ['item_default_tax', '4']) }, reply: ok(ITEM) },
    ] },
  refused('refuses to change nothing', ['items', 'update', '8']),
  refused('refuses custom field 11 before the read', ['items', 'update', '8', '--custom-field', '11=x'], /--custom-field/),
]);

wireCases('items delete', [
  { name: 'accepts the envelope', argv: ['items', 'delete', '8', '--yes', '--json'],
    exchanges: [{ request: { method: 'DELETE', path: '/api/items/8' }, reply: ok({ id: 8 }) }], stdout: { json: { id: 8 } } },
  { name: 'accepts a 204', argv: ['items', 'rm', '8', '--yes'],
    exchanges: [
      { request: { method: 'DELETE', path: '/api/items/8' }, reply: { status: 204, text: '' } },
      { request: { method: 'GET', path: '/api/items/8' }, reply: failure(404, 'Item not found.') },
    ] },
  { name: 'sends nothing without --yes', argv: ['items', 'delete', '8'], exchanges: [], exit: 9, stderr: /--yes/ },
]);
