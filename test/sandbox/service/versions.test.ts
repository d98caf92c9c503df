// A file of another version is refused and left alone, with the command that makes it anew.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createSandbox, resetSandbox } from '../../../src/sandbox/create.ts';
import { openHandler } from '../../../src/sandbox/handler.ts';

const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const directory = mkdtempSync(join(tmpdir(), 'crm-versions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each([1, 2, 99])('a file of version %i is refused and left as it is', (version) => {
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
});
