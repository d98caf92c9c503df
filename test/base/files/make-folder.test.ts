// Folders that are made: for their user alone, and an end where none can be.

import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/base/files/make-folder.ts';
import { startCrm } from '../../support/start-crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-make-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A place where Linux makes no folder, and says that there is no such one. */
const nowhere = '/proc/crm';

describe('makeFolder', () => {
  it('makes what is missing, for this user alone', () => {
    const path = join(folder, 'one', 'two', 'three');
    expect(makeFolder(path)).toBe(true);
    expect(makeFolder(path)).toBe(false);
    for (const one of ['one', 'one/two', 'one/two/three']) expect(statSync(join(folder, one)).mode & 0o777).toBe(0o700);
  });

  it('takes the root, and a link to a folder', () => {
    symlinkSync(folder, join(folder, 'link'));
    expect(makeFolder(join(folder, 'link'))).toBe(false);
    expect(makeFolder('/')).toBe(false);
  });

  it('says what stands in its way', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'missing'), join(folder, 'dangling'));
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow('ENOTDIR');
    expect(() => makeFolder(join(folder, 'dangling'))).toThrow('EEXIST');
  });

  it.runIf(process.platform === 'linux')('comes to an end where none can be made', () => {
    expect(() => makeFolder(nowhere)).toThrow('ENOENT');
    expect(() => makeFolder(join(nowhere, 'below'))).toThrow('ENOENT');
  });
});

describe.runIf(process.platform === 'linux')('a command whose folders can not be made ends', () => {
  const rows = join(folder, 'rows.csv');
  writeFileSync(rows, 'title,status,category\nA,1,1\n');
  it.each([
    ['with its request', ['leads', 'lst'], 2, "error: Unknown command 'lst'"],
    [
      'without a sandbox',
      ['sandbox', 'init'],
      4,
      `error: A sandbox can't be made at ${nowhere}/sandbox.sqlite (no such file or directory).`,
    ],
    [
      'without a profile',
      ['profile', 'add', 'x', '--base-url', 'http://127.0.0.1:1', '--key-command', 'true', '--no-verify'],
      4,
      'no such file or directory',
    ],
    ['without a journal', ['leads', 'import', rows], 4, `error: The lock ${nowhere}/journals/`],
  ])('%s', async (_name, argv, status, says) => {
    const env = { CRM_BASE_URL: 'http://127.0.0.1:1', CRM_API_KEY: 'crm_live-0', CRM_CONFIG_DIR: nowhere, CRM_DATA_DIR: nowhere };
    const { process: child, ended } = startCrm(argv, env);
    const stop = setTimeout(() => child.kill('SIGKILL'), 55_000);
    const crm = await ended;
    clearTimeout(stop);
    expect(crm.stderr).toContain(says);
    expect(crm.status).toBe(status);
  });
});
