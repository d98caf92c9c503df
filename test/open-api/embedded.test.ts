// The embedded CRM against docs/openapi.json, which is written by hand: what it takes, what it answers, and with which status.

import { describe, expect, it } from 'vitest';
import { prettifyError } from 'zod';
import { resources } from '../../src/model/resources/index.ts';
import { checkValue } from '../../src/sandbox/service/values.ts';
import { sandbox } from '../sandbox/service/support.ts';
import { type Described, document, jsonOf, judge, operations, resolved, type Schema } from '../support/open-api.ts';

/** What is wrong with a value by a schema; undefined: nothing. */
const complaint = (schema: Schema, value: unknown): string | undefined => {
  const { error } = judge(schema).safeParse(value);
  return error === undefined ? undefined : prettifyError(error);
};

/** The request that the document gives for an example. */
function example({
  path,
  method,
  parameters,
  requestBody,
}: Described): [method: string, path: string, body: Record<string, unknown> | undefined] {
  const filled = parameters.reduce((text, { name, example: value }) => text.replace(`{${name}}`, String(value)), path);
  return [method, filled, requestBody?.content['application/json']?.example];
}

describe.each(operations.map((operation) => [operation.operationId, operation] as const))('%s', (_name, operation) => {
  it('answers the example as described, and refuses what is described', async () => {
    const { send } = sandbox({ demo: true });
    const [method, path, sent] = example(operation);
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(['401', '405', '421', '429', '500']));
    const unknown = path.replace(/\d+/, '99999');
    if (unknown !== path) expect([(await send(method, unknown, sent)).status, statuses]).toEqual([404, expect.arrayContaining(['404'])]);
    if (sent !== undefined) {
      expect((await send(method, path, {})).status).toBe(422);
      expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415', '422']));
    }
    const { status, body } = await send(method, path, sent);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(complaint(jsonOf(operation.responses[status] ?? expect.unreachable(`${status} is not in the document`)), body)).toBeUndefined();
  });

  it('the examples of answers are such answers', () => {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const { schema = {}, example: shown } = content['application/json'] ?? {};
      if (shown !== undefined) expect([status, complaint(schema, shown)]).toEqual([status, undefined]);
    }
  });
});

const person = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };
const proposal = { doc_title: 'Onboarding', doc_date_start: '2027-01-04', doc_categoryid: 4 };
const lead = { lead_title: 'Till', lead_status: 1, lead_categoryid: 1 };
const item = { item_description: 'Survey', item_rate: '450.00', item_categoryid: 6, item_default_tax: 2, item_unit: 3 };
const note = { note_title: 'Call', note_description: 'Back' };
type Body = Readonly<Record<string, unknown>>;

/** The schema of what an operation takes as JSON, or as a form. */
function bodySchema(name: string, type = 'application/json'): Schema {
  const found = operations.find(({ operationId }) => operationId === name) ?? expect.unreachable(`no ${name}`);
  return found.requestBody?.content[type]?.schema ?? expect.unreachable(`${name} takes nothing`);
}

/** Sends bodies to an operation, each to a sandbox in which nothing else was done. */
function sender(name: string): (body: Body) => Promise<number> {
  const [method, path] = example(operations.find(({ operationId }) => operationId === name) ?? expect.unreachable(`no ${name}`));
  let fresh: ReturnType<typeof sandbox> | undefined;
  return async (body) => {
    fresh ??= sandbox({ demo: true });
    const { status } = await fresh.send(method, path, body);
    if (status < 300) fresh = undefined;
    return status;
  };
}

describe('a body', () => {
  it.each<[string, Body]>([
    ['createContact', { ...person, clientid: 2, send_email: 'yes', phone: '' }],
    ['updateContact', { ...person, position: 'CTO', clientid: 2 }],
    ['createProposal', { ...proposal, customer_type: 'client', doc_client_id: 2 }],
    ['createProposal', { ...proposal, customer_type: 'lead', doc_lead_id: 3, doc_date_end: '2027-01-04' }],
    ['updateProposal', { ...proposal, doc_body: '' }],
    ['statusProposal', { status: 'revised' }],
    ['tagsProposal', { tags: [] }],
    ['cloneProposal', { ...proposal, customer_type: 'lead', doc_lead_id: 3 }],
    ['createLead', { ...lead, lead_value: 1200, lead_last_contacted: '', cf_region: 'north' }],
    ['updateLead', { ...lead, lead_value: '-12.5', lead_email: '' }],
    ['statusLead', { status: 3, state: 2 }],
    ['assignLead', { assigned: [2, 3] }],
    ['convertLead', { ...person, client_billing_invoice_due_days: '7', delete_lead: 'no' }],
    ['convertLead', { ...person, client_billing_invoice_due_days: 0 }],
    ['cloneLead', { lead_title: 'Till', lead_status: 1, copy_files: 'on' }],
    ['commentLead', { comment: 'Called' }],
    ['createItem', { ...item, item_custom_field_10: 'CB-2M' }],
    ['updateItem', { ...item, item_unit: 'metre' }],
    ['createNote', { ...note, noteresource_type: 'lead', noteresource_id: 3 }],
    ['updateNote', { ...note, note_visibility: 'private' }],
  ])('%s is taken: %j, and without each of its values as the document says', async (name, body) => {
    const sent = sender(name);
    expect(complaint(bodySchema(name), body)).toBeUndefined();
    expect(await sent(body)).toBeLessThan(300);
    for (const member of Object.keys(body)) {
      const lacking = Object.fromEntries(Object.entries(body).filter(([other]) => other !== member));
      const fits = complaint(bodySchema(name), lacking) === undefined && hasBoth(bodySchema(name), lacking);
      expect([member, await sent(lacking)]).toEqual([member, fits ? expect.toSatisfy((got: number) => got < 300) : 422]);
    }
  });

  it.each<[string, Body]>([
    ['createContact', { ...person, clientid: 2, email: 'ada' }],
    ['createContact', { ...person, clientid: 'two' }],
    ['updateContact', { ...person, first_name: ' ' }],
    ['createProposal', { ...proposal, customer_type: 'client', doc_lead_id: 3 }],
    ['createProposal', { ...proposal, doc_client_id: 2 }],
    ['updateProposal', { ...proposal, doc_date_start: '2027-02-30' }],
    ['statusProposal', { status: 'won' }],
    ['tagsProposal', { tags: [''] }],
    ['createLead', { ...lead, lead_value: '1,200' }],
    ['assignLead', { assigned: '2' }],
    ['convertLead', { ...person, client_billing_invoice_due_days: -1 }],
    ['createNote', { ...note, noteresource_type: 'item', noteresource_id: 1 }],
    ['updateNote', { ...note, note_visibility: 'hidden' }],
  ])('%s is refused: %j', async (name, body) => {
    expect(complaint(bodySchema(name), body)).toBeDefined();
    expect(await sender(name)(body)).toBe(422);
  });

  it('a set that is empty can be sent as JSON, and not in a form', () => {
    for (const name of ['tagsProposal', 'tagsLead', 'assignLead', 'tagsNote']) {
      const [list] = Object.values(bodySchema(name, 'application/x-www-form-urlencoded').properties ?? {});
      expect([name, list?.minItems]).toEqual([name, 1]);
      expect(complaint(bodySchema(name), { [name === 'assignLead' ? 'assigned' : 'tags']: [] })).toBeUndefined();
    }
  });
});

/** Whether what is required beside a member is there, too: zod doesn't look at that. */
const hasBoth = (schema: Schema, body: Body): boolean =>
  Object.entries(resolved(schema).dependentRequired ?? {}).every(
    ([name, beside]) => body[name] === undefined || beside.every((one) => body[one] !== undefined),
  );

describe('records', () => {
  it.each(
    operations
      .filter(({ operationId, path }) => operationId.startsWith('list') && !path.includes('{'))
      .map(({ path, responses }) => [path, responses] as const),
  )('%s: all of the demo data are as described', async (path, responses) => {
    const { body } = await sandbox({ demo: true }).send('GET', `${path}?limit=100`);
    expect(body.data.length).toBeGreaterThan(0);
    expect(complaint(jsonOf(responses[200] ?? expect.unreachable()), body)).toBeUndefined();
  });

  it('may have members that no document knows, and lack none', () => {
    const dates = { created: '2026-01-05T09:30:00.000000Z', updated: '2026-01-05T09:30:00.000000Z' };
    const known = {
      id: 1,
      title: 'a',
      description: 'b',
      visibility: 'public',
      creator_id: 1,
      tags: [],
      resource: { type: null, id: null },
      dates,
    };
    const schema = document.components.schemas.Note ?? expect.unreachable();
    expect(complaint(schema, { ...known, pinned: true })).toBeUndefined();
    expect(complaint(schema, { ...known, dates: undefined })).toContain('dates');
    expect(complaint(schema, { ...known, creator_id: '1' })).toContain('creator_id');
  });
});

/** The embedded CRM takes these, too, of forms and of JSON; the document has the plain spelling, and ids that can exist. */
const takenBesides: Readonly<Record<string, readonly unknown[]>> = {
  id: [0, -1, '7', '0', '-1', ' 7 '],
  // What is below 0 is refused where it is worked with.
  integer: [-1, '-1', ' 7 '],
  decimal: ['+1', '.5', '1.'],
  // Numbers that can be no id are refused later: no unit has them.
  'id-or-name': [0, -1, 1.5],
};

const values = [
  ...[7, 0, -1, 1.5, true, {}, []],
  ...['7', '0', '-1', ' 7 ', '1.5', '+1', '.5', '1.', 'x', 'a@b.c', '2027-01-04', '2027-02-30', 'never'],
];
const bodies = operations.flatMap(({ requestBody }) => (requestBody === undefined ? [] : [resolved(jsonOf(requestBody))]));
const described = new Map(bodies.flatMap((body) => (body.oneOf ?? [body]).flatMap(({ properties = {} }) => Object.entries(properties))));

it.each(
  resources.flatMap((family) =>
    [...family.fields, ...(family.operations ?? []).flatMap((one) => one.fields)]
      .filter(({ type }) => type.kind !== 'reference' && type.kind !== 'numbered' && type.kind !== 'switch')
      .map(({ wire, type }) => [wire, type] as const),
  ),
)('%s is checked as the document describes it', (wire, type) => {
  const schema = judge(described.get(wire) ?? expect.unreachable(`docs/openapi.json describes no ${wire} in a body`));
  const taken = values.filter((value) => typeof checkValue(type, value) !== 'object');
  const fitting = values.filter((value) => schema.safeParse(value).success);
  const besides = takenBesides[type.kind] ?? [];
  expect(
    taken.filter((value) => !fitting.includes(value) && !besides.includes(value)),
    'values that crm takes, and docs/openapi.json does not',
  ).toEqual([]);
  expect(
    fitting.filter((value) => !taken.includes(value)),
    'values that docs/openapi.json takes, and crm does not',
  ).toEqual([]);
});
