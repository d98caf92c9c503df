// The schemas of every family against bodies and records typed by hand from the interface document, and against what the embedded
// CRM takes and answers.

import { describe, expect, it } from 'vitest';
import type { Field, Resource } from '../../src/resources/define.ts';
import { referenceFamilies, resources } from '../../src/resources/index.ts';
import { checkValue } from '../../src/sandbox/service/values.ts';
import { type FamilySchemas, familySchemas } from '../../src/schemas/family.ts';
import { jsonSchema } from '../../src/schemas/json-schema.ts';
import { sentValue } from '../../src/schemas/value.ts';
import { sandbox } from '../sandbox/service/support.ts';

const all = [...resources, ...referenceFamilies];
const named = (name: string): FamilySchemas => {
  const family = all.find((one) => one.name === name);
  if (family === undefined) throw new Error(`no family ${name}`);
  return familySchemas(family);
};

const person = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const proposal = { doc_title: 'Onboarding', doc_date_start: '2027-01-04', doc_categoryid: 4 };
const lead = { lead_title: 'Till', lead_status: 1, lead_categoryid: 1 };
const item = { item_description: 'Survey', item_rate: '450.00', item_categoryid: 6, item_default_tax: 2, item_unit: 3 };
const note = { note_title: 'Call', note_description: 'Back' };

/** Family, part of its schemas, verb, and a body that is taken. */
const taken: [string, 'create' | 'update' | 'actions' | 'sets' | 'operations', string | undefined, Record<string, unknown>][] = [
  ['contacts', 'create', undefined, { ...person, clientid: 2 }],
  ['contacts', 'create', undefined, { ...person, clientid: '2', send_email: 'yes', phone: '' }],
  ['contacts', 'update', undefined, { ...person, position: 'CTO' }],
  ['proposals', 'create', undefined, { ...proposal, customer_type: 'client', doc_client_id: 2 }],
  ['proposals', 'create', undefined, { ...proposal, customer_type: 'lead', doc_lead_id: '3', doc_date_end: '2027-01-04' }],
  ['proposals', 'update', undefined, { ...proposal, doc_body: '' }],
  ['proposals', 'actions', 'status', { status: 'revised' }],
  ['proposals', 'sets', 'tags', { tags: [] }],
  ['proposals', 'operations', 'clone', { ...proposal, customer_type: 'lead', doc_lead_id: 3 }],
  ['leads', 'create', undefined, { ...lead, lead_value: 1200, lead_last_contacted: '', cf_region: 'north' }],
  ['leads', 'create', undefined, { ...lead, lead_value: JSON.rawJSON('12345678901234567890.10') }],
  ['leads', 'actions', 'status', { status: '3' }],
  ['leads', 'sets', 'assign', { assigned: [2, '3'] }],
  ['leads', 'operations', 'convert', { ...person, client_billing_invoice_due_days: '7', delete_lead: 'no' }],
  ['leads', 'operations', 'clone', { lead_title: 'Till', lead_status: 1, copy_files: 'on' }],
  ['leads', 'operations', 'comment', { comment: 'Called' }],
  ['items', 'create', undefined, { ...item, item_custom_field_10: 'CB-2M' }],
  ['items', 'update', undefined, { ...item, item_unit: 'metre' }],
  ['notes', 'create', undefined, { ...note, noteresource_type: 'lead', noteresource_id: 3 }],
  ['notes', 'update', undefined, { ...note, note_visibility: 'private' }],
];

describe('a body', () => {
  it.each(taken)('%s %s %s takes %j', (family, part, verb, body) => {
    const schema = pick(named(family), part, verb);
    expect(schema?.safeParse(body).error?.issues).toBeUndefined();
  });

  it.each<[string, keyof FamilySchemas, string | undefined, unknown, string]>([
    ['contacts', 'create', undefined, person, 'clientid'],
    ['contacts', 'create', undefined, { ...person, clientid: 0 }, 'clientid'],
    ['contacts', 'create', undefined, { ...person, email: 'ada', clientid: 2 }, 'email'],
    ['contacts', 'update', undefined, { ...person, clientid: 2 }, ''],
    ['contacts', 'update', undefined, { ...person, first_name: ' ' }, 'first_name'],
    ['proposals', 'create', undefined, { ...proposal, customer_type: 'client', doc_lead_id: 3 }, 'doc_client_id'],
    ['proposals', 'create', undefined, { ...proposal, doc_client_id: 2 }, 'customer_type'],
    ['proposals', 'update', undefined, { ...proposal, doc_date_end: '2027-01-03' }, 'doc_date_end'],
    ['proposals', 'update', undefined, { ...proposal, doc_date_start: '2027-02-30' }, 'doc_date_start'],
    ['proposals', 'actions', 'status', { status: 'won' }, 'status'],
    ['proposals', 'sets', 'tags', { tags: [''] }, 'tags.0'],
    ['leads', 'create', undefined, { ...lead, lead_value: '1,200' }, 'lead_value'],
    ['leads', 'sets', 'assign', { assigned: '2' }, 'assigned'],
    ['leads', 'operations', 'clone', { lead_title: 'Till', lead_status: 1, copy_files: 'yes' }, 'copy_files'],
    ['items', 'create', undefined, { ...item, item_unit: undefined }, 'item_unit'],
    ['items', 'create', undefined, { ...item, item_custom_field_11: 'x' }, ''],
    ['notes', 'create', undefined, { ...note, noteresource_type: 'lead' }, 'noteresource_id'],
    ['notes', 'create', undefined, { ...note, noteresource_type: 'item', noteresource_id: 1 }, 'noteresource_type'],
  ])('%s %s %s refuses %j at "%s"', (family, part, verb, body, path) => {
    const issues = pick(named(family), part, verb)?.safeParse(body).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});

function pick(schemas: FamilySchemas, part: keyof FamilySchemas, verb: string | undefined) {
  const found = schemas[part];
  return verb === undefined ? (found as FamilySchemas['create']) : (found as FamilySchemas['actions'])[verb];
}

describe('a record', () => {
  it.each(all.map((family) => [family.name, family] as const))('%s: every record of the demo data fits', async (_name, family) => {
    const { send } = sandbox({ demo: true });
    const { record } = familySchemas(family);
    const records: unknown[] = (await send('GET', `${family.path}?limit=100`)).body.data;
    expect(records.length).toBeGreaterThan(0);
    for (const one of records) expect(record.safeParse(one).error?.issues).toBeUndefined();
  });

  it('may have members that no document knows, and lacks none', () => {
    const { record } = named('notes');
    const known = {
      ...{ id: 1, title: 'a', description: 'b', visibility: 'public', creator_id: 1, tags: [] },
      resource: { type: null, id: null },
    };
    const dates = { created: '2026-01-05T09:30:00.000000Z', updated: '2026-01-05T09:30:00.000000Z' };
    expect(record.safeParse({ ...known, dates, pinned: true }).success).toBe(true);
    expect(record.safeParse(known).error?.issues.map(({ path }) => path)).toEqual([['dates']]);
    expect(record.safeParse({ ...known, dates, creator_id: '1' }).error?.issues.map(({ path }) => path)).toEqual([['creator_id']]);
  });
});

/**
 * The embedded CRM takes these, too; the schemas ask for the plain spelling, and for ids that can exist. Of switches it takes anything, since
 * only one word switches them on.
 */
const takenBesides: Readonly<Record<string, readonly unknown[]>> = {
  id: [0, -1, '0', '-1', ' 7 '],
  integer: [' 7 '],
  decimal: ['+1', '.5', '1.'],
  // Numbers that can be no id are refused later: no unit has them.
  'id-or-name': [0, -1, 1.5, '0', '-1'],
};

describe('the embedded CRM checks types as the schemas do', () => {
  const samples = [
    7,
    0,
    -1,
    1.5,
    '7',
    '0',
    '-1',
    ' 7 ',
    '1.5',
    '+1',
    '.5',
    '1.',
    'x',
    'a@b.c',
    '2027-01-04',
    '2027-02-30',
    true,
    {},
    [],
    'never',
  ];
  const fields: (readonly [string, Field])[] = resources.flatMap((family) =>
    [...family.fields, ...(family.operations ?? []).flatMap((one) => one.fields)]
      .filter(({ type }) => type.kind !== 'reference' && type.kind !== 'numbered' && type.kind !== 'switch')
      .map((field) => [`${family.name} ${field.wire}`, field] as const),
  );

  it.each(fields)('%s', (_name, { type }) => {
    const schema = sentValue(type);
    const taken = samples.filter((value) => typeof checkValue(type, value) !== 'object');
    const fitting = samples.filter((value) => schema.safeParse(value).success);
    expect(taken.filter((value) => !fitting.includes(value) && !takenBesides[type.kind]?.includes(value))).toEqual([]);
    expect(fitting.filter((value) => !taken.includes(value))).toEqual([]);
  });
});

describe('the embedded CRM wants of a body what the schemas want', () => {
  /** Where such a body is sent; ids that the demo data has. */
  function target(family: Resource, part: string, verb: string | undefined): [method: string, path: string] {
    const one = `${family.path}/${family.name === 'leads' ? 12 : 5}`;
    if (part === 'create') return ['POST', family.path];
    if (part === 'update') return ['PATCH', one];
    const { actions = [], guarded = [], sets = [], operations = [] } = family;
    const below = [...actions, ...guarded, ...sets, ...operations].find((declared) => declared.verb === verb)?.path;
    return [part === 'operations' ? 'POST' : 'PUT', `${one}/${below}`];
  }

  it.each(taken)('%s %s %s: %j, and without each of its values', async (name, part, verb, body) => {
    const family = resources.find((one) => one.name === name) ?? resources[0];
    const lacking = Object.keys(body).map((member) => Object.fromEntries(Object.entries(body).filter(([other]) => other !== member)));
    let crm = sandbox({ demo: true });
    for (const one of [...lacking, body]) {
      const fits = pick(named(name), part, verb)?.safeParse(one).success;
      const { status } = await crm.send(...target(family as Resource, part, verb), one);
      expect(status, JSON.stringify(one)).toEqual(fits ? expect.toSatisfy((got: number) => got === 200 || got === 201) : 422);
      // What was made would be in the way: an email is taken once.
      if (fits && one !== body) crm = sandbox({ demo: true });
    }
  });
});

it('JSON Schema writes a body as it is read by others', () => {
  expect(jsonSchema(named('leads').actions.status ?? sentValue({ kind: 'text' }))).toEqual({
    type: 'object',
    properties: { status: { description: 'Lead status', type: 'integer', minimum: 1 } },
    required: ['status'],
    additionalProperties: false,
  });
});
