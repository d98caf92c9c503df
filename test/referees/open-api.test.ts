// docs/openapi.json in the hands of others: Redocly lints it, openapi-typescript makes types of it that code compiles with.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, told } from './told.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-referees-'));
afterAll(() => rmSync(folder, { recursive: true }));

const document = 'docs/openapi.json';
const text = readFileSync(join(root, document), 'utf8');

const mistakes: [string, (text: string) => string][] = [
  ['an example that is none', (text) => text.replace('"title": "Website relaunch"', '"title": 7')],
  ['a schema that nothing uses', (text) => text.replace('"Meta": {', '"Spare": { "type": "object" },\n      "Meta": {')],
  ['a part of a path that nothing describes', (text) => text.replace('"name": "comment_id"', '"name": "comment"')],
];
const spoilt = (name: string): string => join(folder, `${name}.json`);

describe('Redocly', () => {
  /** All that it has to say, a document after the other: it is started once. Warnings are errors here (redocly.yaml). */
  let lint = '';
  beforeAll(async () => {
    for (const [name, spoil] of mistakes) writeFileSync(spoilt(name), spoil(text));
    const documents = [document, ...mistakes.map(([name]) => spoilt(name))];
    const options = ['--config', 'redocly.yaml', '--format', 'json'];
    lint = await told('test/referees/node_modules/@redocly/cli/bin/cli.js', ['lint', ...documents, ...options]);
  });
  const isToldOf = (path: string): boolean => lint.includes(`"ref": ${JSON.stringify(relative(root, path))}`);

  it('has nothing to say of it', () => {
    expect(lint).toContain(`${document}: validated in`);
    expect(isToldOf(join(root, document)), lint).toBe(false);
  });

  it.each(mistakes)('would tell of %s', (name, spoil) => {
    expect(spoil(text)).not.toBe(text);
    expect(isToldOf(spoilt(name)), lint).toBe(true);
  });
});

const uses = `import type { components, operations, paths } from './crm.ts';

type Lead = components['schemas']['Lead'];
export const city = ({ address }: Lead): string | null => address.city;
export const named = ({ data }: paths['/api/leads/{id}']['get']['responses'][200]['content']['application/json']): string[] =>
  data.assigned.map(({ name }) => name);
export const query: operations['listLeads']['parameters']['query'] = { sort: 'lead_value', order: 'desc', limit: 100 };
export const tags: components['schemas']['LeadTags'] = { tags: [] };

type Proposal = components['schemas']['ProposalCreate'];
const rest = { doc_title: 'Onboarding', doc_date_start: '2027-01-04', doc_categoryid: 4 };
export const forClient: Proposal = { customer_type: 'client', doc_client_id: 2, ...rest };
export const forLead: Proposal = { customer_type: 'lead', doc_lead_id: 3, ...rest };

// @ts-expect-error a client's id is not sent for a lead
export const mixed: Proposal = { customer_type: 'lead', doc_client_id: 2, ...rest };
// @ts-expect-error it may be null
export const street = ({ address }: Lead): string => address.street;
// @ts-expect-error no such order
export const wrong: operations['listLeads']['parameters']['query'] = { sort: 'lead_color' };
// @ts-expect-error a title is a text
export const note: components['schemas']['NoteCreate'] = { note_title: 7, note_description: '' };
`;

it('openapi-typescript makes types of it, and code compiles with them as it should', async () => {
  const bin = 'test/referees/node_modules/openapi-typescript/bin/cli.js';
  expect(await told(bin, ['docs/openapi.json', '--output', join(folder, 'crm.ts')])).toBe('');
  writeFileSync(join(folder, 'uses.ts'), uses);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, allowImportingTsExtensions: true, module: 'nodenext' },
      include: ['*.ts'],
    }),
  );
  expect(await told('node_modules/typescript/bin/tsc', ['-p', folder])).toBe('');
});
