// The file of known names: what is added, what is dropped, and that a broken one does no harm.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { forgetService, type KnownNames, knownPath, mostNames, readKnown, saveKnown } from '../../../src/session/names/known.ts';

const service = 'https://crm.test';
const nothing: KnownNames = { names: {}, words: {}, titles: {} };

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'crm-names-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const status = (id: number | string, name: string) => ({ id, name });
const statuses = (...all: ReturnType<typeof status>[]): KnownNames => ({ ...nothing, names: { 'lead-status': all } });

it('is readable by its owner alone, and nothing stays beside it', () => {
  const path = knownPath(folder(), 'acme');
  saveKnown(path, service, statuses(status(5, 'Negotiation')));
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(join(path, '..')).mode & 0o777).toString(8)).toBe('700');
  expect(readdirSync(join(path, '..'))).toEqual(['acme.json']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, baseUrl: service, ...statuses(status(5, 'Negotiation')) });
});

it('is written only when something is new', () => {
  const path = knownPath(folder(), 'acme');
  const titles = { leads: [{ id: 1, title: 'One' }] };
  const before: KnownNames = { ...statuses(status(5, 'Negotiation'), status(4, 'New')), words: { tags: ['hot'] }, titles };
  saveKnown(path, service, before);
  const { ino } = statSync(path);
  saveKnown(path, service, { ...before, ...statuses(status(4, 'New')), words: before.words });
  expect(statSync(path).ino).toBe(ino);
  for (const news of [status(5, 'Closing'), status(6, 'Lost')]) saveKnown(path, service, statuses(news));
  const { names } = statuses(status(6, 'Lost'), status(5, 'Closing'), status(4, 'New'));
  expect(readKnown(path, service)).toEqual({ ...before, names });
});

it('drops words that were not seen where every record was read', () => {
  const path = knownPath(folder(), 'acme');
  saveKnown(path, service, { ...nothing, words: { tags: ['hot', 'cold'], sources: ['Web'] } });
  saveKnown(path, service, { ...nothing, words: { tags: ['cold', 'new'] } }, ['tags']);
  expect(readKnown(path, service).words).toEqual({ tags: ['cold', 'new'], sources: ['Web'] });
  saveKnown(path, service, nothing, ['tags', 'sources']);
  expect(readKnown(path, service).words).toEqual({ tags: [], sources: [] });
});

it.each([
  ['nothing', ''],
  ['half a document', '{"version": 1, "baseUrl": "https://crm.test", "names"'],
  ['another version', JSON.stringify({ version: 2, baseUrl: service, ...statuses(status(1, 'New')) })],
  ['another service', JSON.stringify({ version: 1, baseUrl: 'https://other.test', ...statuses(status(1, 'New')) })],
  ['no object', '[1]'],
])('is begun anew where it holds %s', (_what, text) => {
  const path = knownPath(folder(), 'acme');
  mkdirSync(join(path, '..'));
  writeFileSync(path, text);
  expect(readKnown(path, service)).toEqual(nothing);
  saveKnown(path, service, statuses(status(2, 'Lost')));
  expect(readKnown(path, service)).toEqual(statuses(status(2, 'Lost')));
});

it('passes over what is no name', () => {
  const path = join(folder(), 'odd.json');
  const odd = [status(0.5, 'Half'), { id: 1 }, { id: 'x', name: 'X' }, 7, null, status('12345678901234567890', 'Long')];
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

it('keeps so many of a kind, the latest', () => {
  const path = knownPath(folder(), 'acme');
  const many = Array.from({ length: mostNames }, (_, index) => status(index + 1, `S${index + 1}`));
  saveKnown(path, service, statuses(...many));
  saveKnown(path, service, statuses(status(9999, 'Newer')));
  const known = readKnown(path, service).names['lead-status'];
  expect(known?.length).toBe(mostNames);
  expect(known?.[0]).toEqual(status(9999, 'Newer'));
});

it('is dropped with its service, and others stay', () => {
  const dataDir = folder();
  saveKnown(knownPath(dataDir, 'one'), 'sandbox:', statuses(status(1, 'New')));
  saveKnown(knownPath(dataDir, 'two'), service, statuses(status(1, 'New')));
  forgetService(dataDir, 'sandbox:');
  expect(readdirSync(join(dataDir, 'names'))).toEqual(['two.json']);
});
