// docs/openapi.json in the hands of programs that make clients of it: swagger-parser, @hey-api/openapi-ts, orval. What they make compiles,
// and works against `crm sandbox serve`.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox } from '../support/crm.ts';
import { root, told } from './told.ts';

const packages = 'test/referees/node_modules';
let folder: string;

beforeAll(async () => {
  // Here zod is found by what is generated.
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules', '.cache', 'referees-'));
  expect(
    await told(`${packages}/@hey-api/openapi-ts/bin/run.js`, ['-i', './docs/openapi.json', '-o', join(folder, 'client'), '--no-log-file']),
  ).toBe('');
  const zod = ['--input', 'docs/openapi.json', '--output', join(folder, 'zod.ts'), '--client', 'zod'];
  expect(await told(`${packages}/orval/dist/bin/orval.mjs`, zod)).toBe('');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What swagger-parser has to say of a document. */
async function complaint(path: string): Promise<string> {
  const script = join(folder, 'validate.mjs');
  const parser = join(root, packages, '@apidevtools/swagger-parser/lib/index.js');
  writeFileSync(script, `import Parser from ${JSON.stringify(parser)};\nawait Parser.validate(${JSON.stringify(path)});\n`);
  return told(script.slice(root.length + 1), []);
}

it('swagger-parser has nothing to say of it', async () => expect(await complaint(join(root, 'docs/openapi.json'))).toBe(''));

it('swagger-parser would tell of an operation without answers', async () => {
  const path = join(folder, 'spoilt.json');
  writeFileSync(path, readFileSync(join(root, 'docs/openapi.json'), 'utf8').replaceAll('"in": "query"', '"in": "somewhere"'));
  expect(await complaint(path)).toMatch(/validation failed/);
});

/** A program of somebody who has only the document: it makes a lead, changes it, finds it, and makes it a client. */
const program = `import { client } from './client/client.gen';
import { convertLead, createLead, getLead, listLeads, updateLead } from './client/sdk.gen';
import type { LeadCreate } from './client/types.gen';
import { ConvertLeadResponse, CreateLeadResponse, GetLeadResponse, ListLeadsResponse, UpdateLeadBody, UpdateLeadResponse } from './zod';

declare const process: { readonly argv: readonly string[] };
const [, , baseUrl = '', auth = ''] = process.argv;
client.setConfig({ baseUrl, auth });
const throwOnError = true;

export const custom: LeadCreate = { lead_title: 'T', lead_status: 1, lead_categoryid: 1, referral_code: 'A-1' };

const contact = { lead_firstname: 'Ada', lead_lastname: 'Byron', lead_email: 'ada@generated.example', lead_company_name: 'Byron Ltd' };
const body = { lead_title: 'Generated', lead_status: 1, lead_categoryid: 1, lead_value: '1250.10', ...contact };
const made = CreateLeadResponse.parse((await createLead({ body, throwOnError })).data).data;
const path = { id: made.id };

const changes = UpdateLeadBody.parse({ ...body, lead_source: 'Referral', referral_code: 'A-1' });
const changed = UpdateLeadResponse.parse((await updateLead({ path, body: changes, throwOnError })).data).data;

const found = ListLeadsResponse.parse((await listLeads({ query: { search: 'Generated', sort: 'lead_created', limit: 5 }, throwOnError })).data);

const primary = { first_name: 'Ada', last_name: 'Byron', email: 'ada@generated.example', client_company_name: 'Byron Ltd' };
const converted = ConvertLeadResponse.parse((await convertLead({ path, body: primary, throwOnError })).data).data;
const again = await convertLead({ path, body: primary });

// What the document warns of: three values alone clear the others.
const required = { lead_title: 'Generated', lead_status: 1, lead_categoryid: 1 };
await updateLead({ path, body: required, throwOnError });
const bare = GetLeadResponse.parse((await getLead({ path, throwOnError })).data).data;

console.log(JSON.stringify({
  made: made.title,
  custom: changes.referral_code,
  changed: [changed.value, changed.source],
  found: [found.meta.total, found.data.map(({ id }) => id === made.id)],
  converted: converted.company_name,
  again: again.response?.status,
  bare: [bare.value, bare.source, bare.converted.is_converted],
}));
`;

it('what they generate compiles, and does its work with the embedded CRM', { timeout: 600_000 }, async () => {
  writeFileSync(join(folder, 'program.ts'), program);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2024',
    skipLibCheck: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  expect(await told('node_modules/typescript/bin/tsc', ['-p', folder])).toBe('');
  const bundle = join(folder, 'program.mjs');
  const rolldown = ['--platform', 'node', '--format', 'esm', '--file', bundle, join(folder, 'program.ts')];
  expect(await told('node_modules/rolldown/bin/cli.mjs', rolldown)).toBe('');

  const server = await startSandbox(['--db', join(folder, 'service.sqlite')], { CRM_DATA_DIR: folder });
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [bundle, server.baseUrl, server.key]);
    expect(JSON.parse(stdout)).toEqual({
      made: 'Generated',
      custom: 'A-1',
      changed: ['1250.10', 'Referral'],
      found: [1, [true]],
      converted: 'Byron Ltd',
      again: 409,
      bare: [null, null, true],
    });
  } finally {
    await server.stop();
  }
});
