// A file of an older version is refused and left alone, with the command that makes it anew. A change of the tables or of the members of
// records needs a new format.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSandbox, resetSandbox } from '../../../src/sandbox/create.ts';
import { openHandler } from '../../../src/sandbox/http/answer.ts';
import { familyTables, format, schema } from '../../../src/sandbox/store/families.ts';

const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const directory = mkdtempSync(join(tmpdir(), 'crm-versions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each([0, -5, 10_000, 1_234_567_890])(
  'a file with the number %i, a hash of an older version, is refused and left as it is',
  (version) => {
    const path = join(directory, `${version}.sqlite`);
    createSandbox(path, { demo: false });
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    const before = readFileSync(path);
    for (const use of [openHandler, resetSandbox]) {
      expect(() => use(path)).toThrow(
        expect.objectContaining({
          message: `The sandbox at ${path} was made by another version of crm.`,
          details: expect.objectContaining({ hint: expect.stringContaining('crm sandbox init --force') }),
        }),
      );
    }
    expect(readFileSync(path)).toEqual(before);
    createSandbox(path, { demo: true, force: true });
    const handler = openHandler(path);
    handler.close();
  },
);

it('a file of 0.2 has format 1 under another number', () => {
  const path = join(directory, 'of-0.2.sqlite');
  createSandbox(path, { demo: true });
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA user_version').get()?.user_version).toBe(1);
  database.exec('PRAGMA user_version = -940463737');
  database.close();
  const handler = openHandler(path);
  handler.close();
  expect(resetSandbox(path)).toEqual([]);
});

it('the tables and the members of records are those of the format', () => {
  const told = schema() + familyTables.map(({ resource, begins }) => resource.record.join() + JSON.stringify(begins)).join();
  let hash = 0;
  for (let at = 0; at < told.length; at += 1) hash = (hash * 31 + told.charCodeAt(at)) | 0;
  // If this fails, raise `format` of sandbox/store/families.ts, once for a release, and note the new numbers here.
  expect([format, hash]).toEqual([1, -940_463_737]);
});
