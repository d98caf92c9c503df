// Wire tests of the items family. The shapes of its answers are open in the interface, so several are tried.
// Typed by hand from the interface document (Items) and the command line's table; imports no declaration.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { created, del, failure, get, ITEM, invalid, list, ok, patch, post, refused, sends, whole } from './records.ts';

const NEW = created({ ...ITEM, id: 70 });
const SHELF = '--description Shelf --rate 20.00 --category 7 --default-tax 1 --unit 3';
const SHELF_FORM = { item_description: 'Shelf', item_rate: '20.00', item_categoryid: '7', item_default_tax: '1', item_unit: '3' };

/** The newest items, which are looked through for a unit. */
const NEWEST = whole('/api/items?sort=item_created&order=desc', list([ITEM]));

/** ITEM as the update body has it. */
const FIELDS = { item_description: 'Oak shelf', item_rate: '12.50', item_categoryid: '7', item_default_tax: '1', item_unit: '3',
  item_notes: 'Oiled', item_notes_estimatation: 'Two weeks', item_custom_field_1: 'AB-1' };

wireCases('items list', [
  sends('asks for pages of 100 and reads the envelope', 'items list --json', whole('/api/items', list([ITEM])), { json: [ITEM] }),
  sends('reads a bare array', 'items list --json', [whole('/api/items', { json: [ITEM] }), whole('/api/items', { json: [] }, 2)],
    { json: [ITEM] }),
  sends('sends its filters by wire name',
    'items list --category 7 --unit 3 --tax-rate 1 --rate-min 5.00 --rate-max 20 --search shelf --sort description --order desc',
    whole('/api/items?category_id=7&unit_id=3&tax_rate_id=1&rate_min=5.00&rate_max=20&search=shelf&sort=item_description&order=desc',
      list([]))),
  ...([['rate', 'item_rate'], ['created', 'item_created']] as const).map(([sort, wire]) => sends(`sorts by ${sort}`,
    `items list --sort ${sort}`, whole(`/api/items?sort=${wire}`, list([])))),
  refused('refuses a lower bound that is no decimal', 'items list --rate-min cheap', /--rate-min/),
  refused('refuses an upper bound that is no decimal', 'items list --rate-max 1e2', /--rate-max/),
  refused('refuses unit 0', 'items list --unit 0', /--unit/),
  refused('refuses tax rate 0', 'items list --tax-rate 0', /--tax-rate/),
  refused('refuses an unknown sort name', 'items list --sort units', /--sort: unknown field "units", did you mean/),
]);

wireCases('items get', [
  sends('reads the envelope', 'items get 8 --json', get('/api/items/8', ok(ITEM)), { json: ITEM }),
  sends('reads a bare object', 'items get 8 --json', get('/api/items/8', { json: ITEM }), { json: ITEM }),
  sends('exits 3 on an unknown id', 'items get 99', get('/api/items/99', failure(404, 'Item not found.')), { exit: 3 }),
]);

wireCases('items create', [
  sends('sends every flag by wire name, the misspelled one too',
    `items create ${SHELF} --notes Oiled --estimation-notes 'Two weeks' --custom-field 2=AB-1 --custom-field 10=a=b --json`,
    post('/api/items',
      { ...SHELF_FORM, item_notes: 'Oiled', item_notes_estimatation: 'Two weeks', item_custom_field_2: 'AB-1',
        item_custom_field_10: 'a=b' }, created({ ...ITEM, id: 70, description: 'Shelf' })),
    { isOdd: true, json: { ...ITEM, id: 70, description: 'Shelf' } }),
  sends('sends a new unit by its name, once no item is seen to have it',
    'items create --description Shelf --rate 20 --category 7 --default-tax 1 --unit box --new-unit',
    [NEWEST,
      post('/api/items', { item_description: 'Shelf', item_rate: '20', item_categoryid: '7', item_default_tax: '1', item_unit: 'box' },
        NEW)]),
  sends('sends JSON: ids and the unit id as numbers, the rate as a string', `items create ${SHELF} --custom-field 1=7`,
    post('/api/items',
      json({ item_description: 'Shelf', item_rate: '20.00', item_categoryid: 7, item_default_tax: 1, item_unit: 3,
        item_custom_field_1: '7' }), NEW), { encoding: 'json' }),
  sends('sends the name of a new unit as a string in JSON',
    'items create --description Shelf --rate 20 --category 7 --default-tax 1 --unit box --new-unit',
    [NEWEST,
      post('/api/items', json({ item_description: 'Shelf', item_rate: '20', item_categoryid: 7, item_default_tax: 1, item_unit: 'box' }),
        NEW)], { encoding: 'json' }),
  sends('accepts a bare object', `items create ${SHELF} --json`, 
    post('/api/items', SHELF_FORM, { status: 201, json: { ...ITEM, id: 70, description: 'Shelf' } }), { json: { ...ITEM, id: 70, description: 'Shelf' } }),
  sends('shows refused fields beside the flags', `items create ${SHELF}`,
    post('/api/items', SHELF_FORM, invalid({ item_default_tax: ['The selected tax rate is invalid.'] })),
    { exit: 5, stderr: /--default-tax: The selected tax rate is invalid\./ }),
  refused('names the required flags that are missing', 'items create --description Shelf',
    /(?=[\s\S]*--rate)(?=[\s\S]*--category)(?=[\s\S]*--default-tax)(?=[\s\S]*--unit)/),
  refused('refuses a rate that is no decimal', 'items create --description x --rate 12,50 --category 7 --default-tax 1 --unit 3', /--rate/),
  refused('refuses a tax rate that is no whole number', 'items create --description x --rate 12 --category 7 --default-tax 0.19 --unit 3',
    /--default-tax/),
  refused('refuses custom field 11', `items create ${SHELF} --custom-field 11=x`, /--custom-field/),
  refused('refuses custom field 0', `items create ${SHELF} --custom-field 0=x`, /--custom-field/),
  refused('refuses a custom field without a value', `items create ${SHELF} --custom-field 2`, /--custom-field/),
]);

wireCases('items update', [
  sends('reads, merges and sends all editable fields', 'items update 8 --rate 13.00 --json',
    [get('/api/items/8', ok(ITEM)), patch('/api/items/8', { ...FIELDS, item_rate: '13.00' }, ok({ ...ITEM, rate: '13.00' }))],
    { json: { ...ITEM, rate: '13.00' } }),
  sends('changes every field by its flag, from a bare object, an empty answer being fine',
    `items update 8 --description 'Ash shelf' --rate 9.99 --category 9 --default-tax 2 --unit metre --new-unit --notes Waxed
      --estimation-notes Soon --custom-field 1= --custom-field 2=red`,
    [NEWEST, get('/api/items/8', { json: ITEM }),
      patch('/api/items/8',
        { item_description: 'Ash shelf', item_rate: '9.99', item_categoryid: '9', item_default_tax: '2', item_unit: 'metre',
          item_notes: 'Waxed', item_notes_estimatation: 'Soon', item_custom_field_1: '', item_custom_field_2: 'red' },
        { status: 200, text: '' }),
      get('/api/items/8',
        ok({ ...ITEM, description: 'Ash shelf', rate: '9.99', category: { id: 9, name: 'Planks' }, default_tax: { id: 2, name: 'None' },
          unit: { id: 5, name: 'metre' }, notes: 'Waxed', estimation_notes: 'Soon',
          custom_fields: [{ id: 1, name: 'Code', value: null }, { id: 2, name: 'Colour', value: 'red' }] }))]),
  sends('sends numbers back with the same characters', 'items update 8 --notes Waxed',
    [get('/api/items/8', { text: JSON.stringify({ data: ITEM }).replace('"12.50"', '12.50').replace('"AB-1"', '7.0') }),
      patch('/api/items/8', { ...FIELDS, item_notes: 'Waxed', item_custom_field_1: '7.0' }, { status: 204, text: '' }),
      get('/api/items/8', ok({ ...ITEM, notes: 'Waxed' }))]),
  sends('sends JSON', 'items update 8 --default-tax 2',
    [get('/api/items/8', ok({ ...ITEM, notes: null })),
      patch('/api/items/8',
        json({ item_description: 'Oak shelf', item_rate: '12.50', item_categoryid: 7, item_default_tax: 2, item_unit: 3,
          item_notes_estimatation: 'Two weeks', item_custom_field_1: 'AB-1' }), ok(ITEM))], { encoding: 'json' }),
  sends('stops after the read when the record has no default tax', 'items update 8 --rate 13.00',
    get('/api/items/8', ok({ ...ITEM, default_tax: { id: null, name: null } })), { exit: 2, stderr: /--default-tax/ }),
  sends('goes on when the flag gives what the record lacks', 'items update 8 --default-tax 4',
    [get('/api/items/8', ok({ ...ITEM, default_tax: { id: null, name: null } })),
      patch('/api/items/8', { ...FIELDS, item_default_tax: '4' }, ok(ITEM))]),
  refused('refuses to change nothing', 'items update 8'),
  refused('refuses custom field 11 before the read', 'items update 8 --custom-field 11=x', /--custom-field/),
]);

wireCases('items delete', [
  sends('accepts the envelope', 'items delete 8 --yes --json', del('/api/items/8', ok({ id: 8 })), { json: { id: 8 } }),
  sends('accepts a 204', 'items rm 8 --yes',
    [del('/api/items/8', { status: 204, text: '' }), get('/api/items/8', failure(404, 'Item not found.'))]),
  sends('sends nothing without --yes', 'items delete 8', [], { exit: 9, stderr: /--yes/ }),
]);
