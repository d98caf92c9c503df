// What an import of the library loads before anything is opened. The lists are typed by hand: whatever is new in one has to be worth its
// time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleLibrary, type Chunk, root } from '../../support/build.ts';

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

/** The rooms, and the folders right inside them. */
const foldersOf = (ids: readonly string[]): string[] =>
  [
    ...new Set(
      ids
        .filter((id) => id.startsWith(`${root}src/`))
        .map((id) =>
          dirname(id.slice(`${root}src/`.length))
            .split('/')
            .slice(0, 2)
            .join('/'),
        ),
    ),
  ].sort();

it.each([
  [
    'client.js',
    [],
    ['base', 'base/values', 'client', 'client/library', 'client/transport', 'model', 'model/bodies', 'model/records', 'model/resources'],
  ],
  [
    'sandbox.js',
    [],
    'base base/files base/values client/library model model/resources sandbox sandbox/data sandbox/http sandbox/service sandbox/store'.split(
      ' ',
    ),
  ],
])('%s', (entry, packages, folders) => {
  const modules = modulesOf(entry);
  expect([packagesOf(modules), foldersOf(modules)]).toEqual([packages, folders]);
});
