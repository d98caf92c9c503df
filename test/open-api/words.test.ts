// What docs/openapi.json says to whoever reads it: every status, which way leads on, and what else an operation does.

import { expect, it } from 'vitest';
import { version } from '../../src/base/version.ts';
import { document, documentText, operations, resolved } from '../support/open-api.ts';

it('is of this version', () => {
  expect(document.info.version).toBe(version);
});

it('each answer that can come has its status, and only what can clash has 409', () => {
  const statuses = operations.map(({ endpoint, responses }) => [endpoint, Object.keys(responses)] as const);
  const having = (status: string): string[] => statuses.filter(([, all]) => all.includes(status)).map(([endpoint]) => endpoint);
  expect(having('409')).toEqual(['PUT /api/contacts/{id}/account-owner', 'POST /api/leads/{id}/convert']);
  const made = operations.filter(({ endpoint }) => endpoint.startsWith('POST ')).map(({ endpoint }) => endpoint);
  expect(having('201'), 'each POST makes something, and answers 201').toEqual(made);
  for (const status of ['401', '405', '421', '429', '500']) expect(having(status)).toEqual(operations.map(({ endpoint }) => endpoint));
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined).map(({ endpoint }) => endpoint);
  for (const status of ['400', '413', '415']) expect(having(status)).toEqual(withBody);
  expect(having('422')).toEqual(expect.arrayContaining(withBody));
  expect(having('404')).toEqual(expect.arrayContaining(operations.map(({ endpoint }) => endpoint).filter((one) => one.includes('{'))));
});

it('what a POST makes is linked to what reads, changes and deletes it', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const links = operations.map(({ operationId, responses }) => [operationId, Object.values(responses[201]?.links ?? {})] as const);
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
  expect(operations.find((one) => one.endpoint === endpoint)?.description).toMatch(says);
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
  const schema = resolved(document.components.schemas[name] ?? {});
  for (const { properties = {} } of schema.oneOf ?? [schema]) expect(properties[member]?.description).toMatch(says);
});

it('every operation is described, in words that are about no flags', () => {
  expect(operations.filter(({ description }) => description === undefined).map(({ endpoint }) => endpoint)).toEqual([]);
  const said = [...documentText.matchAll(/"(?:description|summary)": "((?:[^"\\]|\\.)*)"/g)].map(([, words = '']) => words);
  expect(said.length).toBeGreaterThan(200);
  expect(said.filter((words) => /--\w|@file|repeatable|standard input|lead:12|\bflags?\b/.test(words))).toEqual([]);
});

it('bodies are JSON first, and leads have a place for custom fields', () => {
  const types = new Set(operations.flatMap(({ requestBody }) => Object.keys(requestBody?.content ?? {}).join()));
  expect([...types].filter((one) => one !== '')).toEqual(['application/json,application/x-www-form-urlencoded']);
  const open = Object.entries(document.components.schemas).filter(([, schema]) => resolved(schema).additionalProperties !== undefined);
  expect(open.map(([name]) => name)).toEqual(['LeadCreate', 'LeadUpdate']);
  expect(documentText).not.toContain('"additionalProperties": false');
});
