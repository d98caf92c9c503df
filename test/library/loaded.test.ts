// What an import of the library loads before anything is opened. The lists are typed by hand: whatever is new in one has to be worth its
// time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleLibrary, type Chunk, root } from '../support/build.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

let chunks: readonly Chunk[];
beforeAll(async () => {
  chunks = await bundleLibrary(folder);
});

/** The modules that come with an entry. */
function modulesOf(entry: string): string[] {
  const files = new Set([entry]);
  for (const file of files) for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next);
  return chunks.filter(({ fileName }) => files.has(fileName)).flatMap(({ moduleIds = [] }) => moduleIds);
}

const packagesOf = (ids: readonly string[]): string[] =>
  [...new Set(ids.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []))].sort();

const foldersOf = (ids: readonly string[]): string[] =>
  [...new Set(ids.filter((id) => id.startsWith(`${root}src/`)).map((id) => id.slice(`${root}src/`.length).split('/')[0] ?? ''))].sort();

it.each([
  ['client.js', [], ['api', 'bodies', 'clock.ts', 'errors.ts', 'library', 'records', 'resources', 'values', 'version.ts']],
  ['sandbox.js', [], ['errors.ts', 'files', 'library', 'resources', 'sandbox', 'values']],
])('%s', (entry, packages, folders) => {
  const modules = modulesOf(entry);
  expect([packagesOf(modules), foldersOf(modules)]).toEqual([packages, folders]);
});
