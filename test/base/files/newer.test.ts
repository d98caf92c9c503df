// Files of a newer crm: each is refused with its usual status, is left as it is, and the advice is to update. Nothing makes one anew.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { format } from '../../../src/sandbox/store/families.ts';
import type { Crm } from '../../support/crm.ts';
import { runHere } from '../../support/run-here.ts';

const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const folder = mkdtempSync(join(tmpdir(), 'crm-newer-'));
const at = (...names: string[]): string => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true }));

const crm = (line: string, more: Record<string, string> = {}): Promise<Crm> => {
  const env = { CRM_CONFIG_DIR: at('config'), CRM_DATA_DIR: at('data'), CRM_BASE_URL: 'sandbox:', ...more };
  return runHere(line.split(' '), { env, cwd: folder });
};

const newerDatabase = (path: string): void => {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
};

const journal = (): string => at('data', 'journals', readdirSync(at('data', 'journals')).find((name) => name.endsWith('.sqlite')) ?? '');

/** Refused with a status and the sentence; the file keeps its bytes. */
async function refused(line: string, status: number, path: string, shown: string, known: number, more = {}): Promise<void> {
  const before = readFileSync(path);
  const { status: ended, stdout, stderr } = await crm(line, more);
  expect([line, ended, stdout], stderr).toEqual([line, status, '']);
  expect(stderr).toBe(`error: ${shown} was written by a newer crm (format 99; this one knows ${known}): update crm.\n`);
  expect(readFileSync(path).equals(before)).toBe(true);
}

/** The row of a check that fails because of a newer file. */
async function examined(check: string, shown: string, more = {}): Promise<void> {
  const { status, stdout } = await crm('doctor --json', more);
  const row = JSON.parse(stdout).find(({ check: name, state }: { check: string; state: string }) => name === check && state === 'wrong');
  expect([status, row?.found]).toEqual([11, expect.stringContaining(`${shown} was written by a newer crm (format 99; this one knows`)]);
}

beforeAll(async () => {
  writeFileSync(at('new.csv'), 'title,status,category\nShop,1,3\n');
  writeFileSync(at('seed.yaml'), 'version: 99\nkinds: []\n');
  expect((await crm('sandbox init')).status).toBe(0);
  expect((await crm('leads import new.csv')).status).toBe(0);
  expect((await crm('snapshot monday --family leads')).status).toBe(0);
});

it('profiles', async () => {
  mkdirSync(at('later'));
  const [path, key] = [at('later', 'config.json'), 'crm_live-0123456789'];
  writeFileSync(path, JSON.stringify({ version: 99, profiles: [{ key }] }), { mode: 0o600 });
  const more = { CRM_CONFIG_DIR: at('later'), CRM_BASE_URL: '' };
  for (const line of ['profile list', 'leads list', 'profile use acme', 'profile add acme --base-url sandbox: --no-verify'])
    await refused(line, 4, path, path, 1, more);
  await examined('profiles', path, more);
});

it('a snapshot', async () => {
  const path = at('monday', 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), format: 'crm snapshot 99' }));
  for (const line of ['diff monday', 'sandbox init --db other.sqlite --from monday']) await refused(line, 2, path, 'monday', 1);
});

it('a seed file', async () => {
  for (const line of ['seed apply seed.yaml', 'seed apply seed.yaml --dry-run']) await refused(line, 2, at('seed.yaml'), 'seed.yaml', 1);
});

it('a journal: runs that create are refused, changes go on with a warning, and doctor says so', async () => {
  const path = journal();
  newerDatabase(path);
  for (const line of ['leads import new.csv --again --yes', 'history', 'undo a1b2 --yes'])
    await refused(line, 10, path, `The journal ${path}`, 3);
  const before = readFileSync(path);
  const { status, stderr } = await crm('leads update 12,13 --value 7 --yes');
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(`(format 99; this one knows 3): update crm. The history will not hold the changes made now.`),
  ]);
  expect(readFileSync(path).equals(before)).toBe(true);
  await examined('journal', `The journal ${path}`);
  writeFileSync(path, 'no database');
  expect(JSON.parse((await crm('doctor --json')).stdout)).toContainEqual(
    expect.objectContaining({ check: 'journal', state: 'wrong', found: expect.stringContaining('is damaged') }),
  );
});

it('the embedded CRM, with --force, too', async () => {
  const path = at('data', 'sandbox.sqlite');
  newerDatabase(path);
  const lines = ['leads list', 'sandbox reset --yes', 'sandbox init --force --yes', `sandbox init --db ${path} --force --yes`];
  for (const line of lines) await refused(line, 2, path, `The sandbox at ${path}`, format);
  await examined('service', `The sandbox at ${path}`);
});
