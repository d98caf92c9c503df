// The file of known names: what is added by several processes at once, what is dropped, and that a broken one does no harm.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { forgetService, type Known, knownPath, mostNames, readKnown, saveKnown } from '../../src/names/known.ts';

const service = 'https://crm.test';
const nothing: Known = { names: {}, words: {}, titles: {} };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'crm-names-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const status = (id: number | string, name: string, records = 1, seen = '2026-11-21') => ({ id, name, records, seen });
const statuses = (...all: ReturnType<typeof status>[]): Known => ({ ...nothing, names: { 'lead-status': all } });

it('is readable by its owner alone, and nothing stays beside it', async () => {
  const path = knownPath(folder(), 'acme');
  await saveKnown(path, service, statuses(status(5, 'Negotiation')));
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(join(path, '..')).mode & 0o777).toString(8)).toBe('700');
  expect(readdirSync(join(path, '..'))).toEqual(['acme.json']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, baseUrl: service, ...statuses(status(5, 'Negotiation')) });
});

it('is written only when something is new', async () => {
  const path = knownPath(folder(), 'acme');
  const titles = { leads: [{ id: 1, title: 'One' }] };
  const before = { ...statuses(status(5, 'Negotiation', 3)), words: { tags: [{ name: 'hot', records: 2, seen: '2026-11-21' }] }, titles };
  await saveKnown(path, service, before);
  const { ino } = statSync(path);
  await saveKnown(path, service, { ...before, ...statuses(status(5, 'Negotiation', 1)) });
  expect(statSync(path).ino).toBe(ino);
  for (const news of [status(5, 'Negotiation', 4), status(5, 'Negotiation', 1, '2026-11-22'), status(5, 'Closing'), status(6, 'Lost')])
    await saveKnown(path, service, statuses(news));
  expect(readKnown(path, service).names['lead-status']).toEqual([status(5, 'Closing'), status(6, 'Lost')]);
  expect(readKnown(path, service).titles).toEqual(titles);
});

it('counts anew where that is asked for', async () => {
  const path = knownPath(folder(), 'acme');
  await saveKnown(path, service, statuses(status(5, 'Negotiation', 9), status(6, 'Lost', 2)));
  await saveKnown(path, service, statuses(status(5, 'Negotiation', 4)), []);
  expect(readKnown(path, service).names['lead-status']).toEqual([status(5, 'Negotiation', 4), status(6, 'Lost', 2)]);
});

it('keeps what several processes see at the same time', async () => {
  const path = knownPath(folder(), 'acme');
  const child = join(import.meta.dirname, 'children/see-name.ts');
  const run = (first: number, last: number) => promisify(execFile)(process.execPath, [child, path, String(first), String(last)]);
  await Promise.all([run(1, 15), run(16, 30), run(31, 45)]);
  const ids = readKnown(path, service).names['lead-status']?.map(({ id }) => Number(id));
  expect(ids?.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
});

it('takes over from a process that was killed in the middle', async () => {
  const path = knownPath(folder(), 'acme');
  mkdirSync(join(path, '..'));
  writeFileSync(`${path}.lock`, '');
  utimesSync(`${path}.lock`, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  await saveKnown(path, service, statuses(status(1, 'New')));
  expect(readKnown(path, service)).toEqual(statuses(status(1, 'New')));
});

it.each([
  ['nothing', ''],
  ['half a document', '{"version": 1, "baseUrl": "https://crm.test", "names"'],
  ['another version', JSON.stringify({ version: 2, baseUrl: service, ...statuses(status(1, 'New')) })],
  ['another service', JSON.stringify({ version: 1, baseUrl: 'https://other.test', ...statuses(status(1, 'New')) })],
  ['no object', '[1]'],
])('is begun anew where it holds %s', async (_what, text) => {
  const path = knownPath(folder(), 'acme');
  mkdirSync(join(path, '..'));
  writeFileSync(path, text);
  expect(readKnown(path, service)).toEqual(nothing);
  await saveKnown(path, service, statuses(status(2, 'Lost')));
  expect(readKnown(path, service)).toEqual(statuses(status(2, 'Lost')));
});

it('passes over what is no name', () => {
  const path = join(folder(), 'odd.json');
  const odd = [
    status(0.5, 'Half'),
    { id: 1 },
    { id: 'x', name: 'X', records: 1, seen: '' },
    7,
    null,
    status('12345678901234567890', 'Long'),
  ];
  writeFileSync(
    path,
    JSON.stringify({ version: 1, baseUrl: service, names: { 'lead-status': odd, unit: 'none' }, titles: { leads: [{ id: 1 }] } }),
  );
  expect(readKnown(path, service)).toEqual({
    names: { 'lead-status': [status('12345678901234567890', 'Long')], unit: [] },
    words: {},
    titles: { leads: [] },
  });
});

it('keeps so many of a kind, the latest', async () => {
  const path = knownPath(folder(), 'acme');
  const many = Array.from({ length: mostNames }, (_, index) => status(index + 1, `S${index + 1}`));
  await saveKnown(path, service, statuses(...many));
  await saveKnown(path, service, statuses(status(9999, 'Newer', 1, '2026-11-22')));
  const known = readKnown(path, service).names['lead-status'];
  expect(known?.length).toBe(mostNames);
  expect(known?.[0]).toEqual(status(9999, 'Newer', 1, '2026-11-22'));
});

it('is dropped with its service, and others stay', async () => {
  const dataDir = folder();
  await saveKnown(knownPath(dataDir, 'one'), 'sandbox:', statuses(status(1, 'New')));
  await saveKnown(knownPath(dataDir, 'two'), service, statuses(status(1, 'New')));
  forgetService(dataDir, 'sandbox:');
  expect(readdirSync(join(dataDir, 'names'))).toEqual(['two.json']);
});
