// The OpenAPI document: the committed file, what stands in it against lists typed by hand from the interface document, and its
// examples, which are sent to the embedded CRM. `npm run generate` writes docs/openapi.json again.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { endpointsOf } from '../../src/derive/open-api/endpoints.ts';
import type { DescribedEndpoint } from '../../src/derive/open-api/operation.ts';
import { samples } from '../../src/derive/open-api/samples.ts';
import { memberWords, operationWords } from '../../src/derive/open-api/words.ts';
import { openApi } from '../../src/derive/open-api.ts';
import { referenceFamilies, resources } from '../../src/resources/index.ts';
import { fill } from '../../src/sandbox/create.ts';
import { answering } from '../../src/sandbox/http/answer.ts';
import { createService } from '../../src/sandbox/service/service.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { version } from '../../src/version.ts';
import { endpoints, referenceEndpoints } from '../support/endpoints.ts';

const families = [...resources, ...referenceFamilies];
const operations = families.flatMap((family) => endpointsOf(family));

/** Sends the sample of an operation to a sandbox of its own, as JSON. */
async function replayed({ method, path, operation: { operationId } }: DescribedEndpoint): Promise<{ status: number; body: unknown }> {
  const { id = 1, childId = 1, body } = samples[operationId] ?? {};
  const store = openStore(':memory:', { mode: 'create' });
  fill(store, true);
  try {
    const answer = answering(createService(store, { clock: () => Date.UTC(2026, 11, 1, 9, 30) }));
    const query = operationId.startsWith('list') && !path.includes('{') ? '?limit=1' : '';
    const target = path.replace('{id}', String(id)).replace(/\{\w+\}/, String(childId)) + query;
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answered = await answer({ method: method.toUpperCase(), path: target, ...sent });
    return { status: answered.status, body: JSON.parse(answered.body) };
  } finally {
    store.close();
  }
}

const answered = new Map<string, { status: number; body: unknown }>();
for (const one of operations) answered.set(one.operation.operationId, await replayed(one));
const document = openApi(families, version, Object.fromEntries([...answered].map(([name, { body }]) => [name, body])));

/** JSON as people scroll past it: what fits on a line stands on one. */
function printed(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const members = (deeper: string): string[] =>
    Object.entries(value).map(([name, one]) => `${isArray ? '' : `${JSON.stringify(name)}: `}${printed(one, deeper)}`);
  const flat = members(indent).join(', ');
  const isFlat = !flat.includes('\n') && indent.length + flat.length <= 136;
  const [left, right] = isArray ? '[]' : '{}';
  if (isFlat) return isArray || flat === '' ? `${left}${flat}${right}` : `${left} ${flat} ${right}`;
  const deeper = `${indent}  `;
  return `${left}\n${members(deeper)
    .map((one) => deeper + one)
    .join(',\n')}\n${indent}${right}`;
}

it('the committed document is what the declarations say', async () => {
  await expect(`${printed(document)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});

/** The document as others read it. */
interface Described {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}
interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly links?: Record<string, { readonly operationId: string }> }>;
}
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly description?: string;
  readonly additionalProperties?: unknown;
}
const committed = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Described;
const described = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ endpoint: `${method.toUpperCase()} ${path}`, operation })),
);

it('has exactly the documented endpoints', () => {
  const typed = [...endpoints, ...referenceEndpoints].sort();
  expect(described.map(({ endpoint }) => endpoint).sort(), 'the lists in test/support/endpoints.ts').toEqual(typed);
});

/** The wire names of a body: those that must be sent, then those that may be left out. One line a variant. */
function namesIn(schema: Schema): string[] {
  const { oneOf, properties = {}, required = [] } = resolved(schema);
  if (oneOf !== undefined) return oneOf.flatMap(namesIn);
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return [[...required].sort().join(' ') + (optional.length === 0 ? '' : ` | ${optional.sort().join(' ')}`)];
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (committed.components.schemas[name] ?? {});
}

const address = 'lead_city lead_country lead_company_name lead_description lead_email lead_firstname lead_job_position lead_last_contacted';
const leadRest = `${address} lead_lastname lead_phone lead_source lead_state lead_street lead_value lead_website lead_zip`;
const customFields = '1 10 2 3 4 5 6 7 8 9'.replace(/\d+/g, 'item_custom_field_$&');
const item = `item_categoryid item_default_tax item_description item_rate item_unit | ${customFields} item_notes item_notes_estimatation`;
const dated = 'doc_categoryid doc_date_start';

it('each body has the names of the interface document', () => {
  const bodies = described.flatMap(({ endpoint, operation: { requestBody } }) => {
    const content = requestBody?.content ?? {};
    return Object.entries(content).map(
      ([type, { schema }]) => [`${endpoint} ${type === 'application/json' ? 'JSON' : 'form'}`, namesIn(schema)] as const,
    );
  });
  const both = (endpoint: string, ...names: string[]): (readonly [string, string[]])[] => [
    [`${endpoint} form`, names],
    [`${endpoint} JSON`, names],
  ];
  expect(Object.fromEntries(bodies)).toEqual(
    Object.fromEntries([
      ...both('POST /api/contacts', 'clientid email first_name last_name | phone position send_email'),
      ...both('PATCH /api/contacts/{id}', 'email first_name last_name | phone position'),
      ...both(
        'POST /api/proposals',
        `customer_type doc_categoryid doc_client_id doc_date_start doc_title | doc_body doc_date_end proposal_template`,
        `customer_type doc_categoryid doc_date_start doc_lead_id doc_title | doc_body doc_date_end proposal_template`,
      ),
      ...both('PATCH /api/proposals/{id}', `${dated} doc_title | doc_body doc_date_end`),
      ...both('PUT /api/proposals/{id}/status', 'status'),
      ['PUT /api/proposals/{id}/tags form', ['tags[]']],
      ['PUT /api/proposals/{id}/tags JSON', ['tags']],
      ...both(
        'POST /api/proposals/{id}/clone',
        'customer_type doc_categoryid doc_client_id doc_date_start doc_title | doc_date_end',
        'customer_type doc_categoryid doc_date_start doc_lead_id doc_title | doc_date_end',
      ),
      ...both('POST /api/leads', `lead_categoryid lead_status lead_title | ${leadRest.split(' ').sort().join(' ')}`),
      ...both('PATCH /api/leads/{id}', `lead_categoryid lead_status lead_title | ${leadRest.split(' ').sort().join(' ')}`),
      ...both('PUT /api/leads/{id}/status', 'status'),
      ['PUT /api/leads/{id}/assigned form', ['assigned[]']],
      ['PUT /api/leads/{id}/assigned JSON', ['assigned']],
      ['PUT /api/leads/{id}/tags form', ['tags[]']],
      ['PUT /api/leads/{id}/tags JSON', ['tags']],
      ...both(
        'POST /api/leads/{id}/convert',
        'email first_name last_name | client_billing_invoice_due_days client_company_name delete_lead send_welcome_email',
      ),
      ...both(
        'POST /api/leads/{id}/clone',
        'lead_status lead_title | copy_checklist copy_files lead_company_name lead_email lead_firstname lead_lastname lead_phone lead_value lead_website',
      ),
      ...both('POST /api/leads/{id}/comments', 'comment'),
      ...both('POST /api/items', item),
      ...both('PATCH /api/items/{id}', item),
      ...both('POST /api/notes', 'note_description note_title | note_visibility noteresource_id noteresource_type'),
      ...both('PATCH /api/notes/{id}', 'note_description note_title | note_visibility'),
      ['PUT /api/notes/{id}/tags form', ['tags[]']],
      ['PUT /api/notes/{id}/tags JSON', ['tags']],
    ]),
  );
});

it.each([
  ['/api/contacts', 'status client_id account_owner search', 'first_name last_name email created updated'],
  ['/api/proposals', 'status client_id lead_id category_id search', 'doc_title doc_status doc_date_start doc_created'],
  [
    '/api/leads',
    'status category_id source active_state assigned_user_id search',
    'lead_title lead_value lead_created lead_last_contacted',
  ],
  ['/api/items', 'category_id unit_id tax_rate_id rate_min rate_max search', 'item_description item_rate item_created'],
  ['/api/notes', 'resource_type resource_id visibility search', 'note_title note_created note_updated'],
  ['/api/clients', 'status category_id search', 'client_company_name client_status client_created client_updated'],
  ['/api/team', 'status role_id search', 'first_name last_name email created'],
  ['/api/categories', 'type visibility search', 'category_name category_type category_created'],
])('%s takes the query parameters of the document', (path, filters, sorts) => {
  const parameters = committed.paths[path]?.get?.parameters ?? [];
  const names = parameters.map(({ name, $ref }) => name ?? $ref?.replace('#/components/parameters/', '')).sort();
  expect(names).toEqual([...filters.split(' '), 'sort', 'order', 'limit', 'page'].sort());
  expect(parameters.find(({ name }) => name === 'sort')?.schema?.enum).toEqual(sorts.split(' '));
});

it('each answer that can come has its status, and only what can clash has 409', () => {
  const statuses = described.map(({ endpoint, operation }) => [endpoint, Object.keys(operation.responses)] as const);
  const having = (status: string): string[] => statuses.filter(([, all]) => all.includes(status)).map(([endpoint]) => endpoint);
  expect(having('409')).toEqual(['PUT /api/contacts/{id}/account-owner', 'POST /api/leads/{id}/convert']);
  const made = described.filter(({ endpoint }) => endpoint.startsWith('POST ')).map(({ endpoint }) => endpoint);
  expect(having('201')).toEqual(made);
  for (const status of ['401', '429']) expect(having(status)).toEqual(described.map(({ endpoint }) => endpoint));
  const withBody = described.filter(({ operation }) => operation.requestBody !== undefined).map(({ endpoint }) => endpoint);
  expect(having('422')).toEqual(expect.arrayContaining(withBody));
  expect(having('404')).toEqual(expect.arrayContaining(described.map(({ endpoint }) => endpoint).filter((one) => one.includes('{'))));
});

it('what a POST makes is linked to what reads, changes and deletes it', () => {
  const ids = described.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const links = described.map(({ operation }) => [operation.operationId, Object.values(operation.responses['201']?.links ?? {})] as const);
  const linked = Object.fromEntries(
    links.filter(([, some]) => some.length > 0).map(([name, some]) => [name, some.map(({ operationId }) => operationId)]),
  );
  const all = (noun: string): string[] => [`get${noun}`, `update${noun}`, `delete${noun}`];
  expect(linked).toEqual({
    createContact: all('Contact'),
    createProposal: all('Proposal'),
    cloneProposal: all('Proposal'),
    createLead: all('Lead'),
    cloneLead: all('Lead'),
    convertLead: ['getClient'],
    commentLead: ['deleteLeadComment'],
    createItem: all('Item'),
    createNote: all('Note'),
  });
  expect(ids).toEqual(expect.arrayContaining(Object.values(linked).flat()));
});

it('every sample is of an operation', () => {
  expect(Object.keys(samples).filter((name) => !answered.has(name))).toEqual([]);
});

it.each(operations.map((one) => [one.operation.operationId, one] as const))(
  '%s: the sample is done as described',
  (name, { operation }) => {
    const [status, body] = [answered.get(name)?.status, answered.get(name)?.body];
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    expect(Object.keys(operation.responses)).toContain(String(status));
  },
);

/** What hurts, said where a program's author reads it. Typed by hand from the interface document. */
it.each([
  ['PATCH /api/leads/{id}', /replaces all editable values.*every field to keep/is],
  ['PATCH /api/contacts/{id}', /required each time.*account owner cannot be changed.*`id` and `name` alone/s],
  ['PATCH /api/items/{id}', /required each time/],
  ['PATCH /api/notes/{id}', /attached to cannot be changed/],
  ['PUT /api/proposals/{id}/status', /signature is cleared/],
  ['DELETE /api/leads/{id}', /related records are deleted too/],
  ['DELETE /api/contacts/{id}', /clears its email and password/],
  ['POST /api/leads/{id}/convert', /proposals of the lead move to the new client/],
  ['PUT /api/leads/{id}/tags', /complete new set/],
  ['PUT /api/leads/{id}/assigned', /complete new set/],
  ['PUT /api/notes/{id}/tags', /complete new set/],
  ['PUT /api/contacts/{id}/account-owner', /in place of the previous one/],
  ['POST /api/contacts', /automatically generated password.*`id` and `name` alone/s],
  ['POST /api/leads', /required custom fields.*`id`, `title` and `status` alone/is],
  ['POST /api/proposals', /backing estimate record.*`id`, `title` and `status` alone/s],
  ['POST /api/items', /created along with it/],
  ['GET /api/notes', /sticky-notes are always excluded/i],
])('%s says what else happens', (endpoint, says) => {
  expect(described.find((one) => one.endpoint === endpoint)?.operation.description).toMatch(says);
});

it.each([
  ['LeadConvert', 'delete_lead', /deletes the lead/],
  ['LeadConvert', 'email', /unique/],
  ['ProposalStatus', 'status', /signature is cleared/],
  ['ProposalUpdate', 'doc_body', /replaces/],
  ['ProposalCreate', 'doc_body', /precedence/],
  ['ContactCreate', 'send_email', /no by default/],
  ['ItemCreate', 'item_unit', /created automatically/],
  ['NoteCreate', 'note_visibility', /public by default/],
  ['Lead', 'assigned', /assigned action alone/],
  ['Proposal', 'signed', /read-only/],
])('%s says the rule of %s', (name, member, says) => {
  const schema = committed.components.schemas[name] ?? {};
  for (const { properties = {} } of schema.oneOf ?? [schema]) expect(properties[member]?.description).toMatch(says);
});

it('every operation is described, in words that are about no flags, and no word is left over', () => {
  expect(described.filter(({ operation }) => operation.description === undefined).map(({ endpoint }) => endpoint)).toEqual([]);
  const said = [...JSON.stringify(committed, null, 1).matchAll(/"(?:description|summary)": "(.*)"/g)].map(([, words = '']) => words);
  expect(said.filter((words) => /--\w|@file|repeatable|standard input|lead:12|\bflags?\b/.test(words))).toEqual([]);
  const operationIds = described.map(({ operation }) => operation.operationId);
  expect(Object.keys(operationWords).sort(), 'operationWords in src/derive/open-api/words.ts').toEqual(operationIds.sort());
  for (const [name, words] of Object.entries(memberWords)) {
    const schema = committed.components.schemas[name];
    const query = described.find(({ operation }) => operation.operationId === name)?.operation.parameters ?? [];
    const members = [schema, ...(schema?.oneOf ?? [])].flatMap((one) => Object.keys(one?.properties ?? {}));
    expect([...members, ...query.map((one) => one.name)]).toEqual(expect.arrayContaining(Object.keys(words)));
  }
});

it('bodies are JSON first, and leads have a place for custom fields', () => {
  const types = new Set(described.flatMap(({ operation: { requestBody } }) => Object.keys(requestBody?.content ?? {}).join()));
  expect([...types].filter((one) => one !== '')).toEqual(['application/json,application/x-www-form-urlencoded']);
  const open = Object.entries(committed.components.schemas).filter(([, { additionalProperties }]) => additionalProperties);
  expect(open.map(([name]) => name)).toEqual(['LeadCreate', 'LeadUpdate']);
});
