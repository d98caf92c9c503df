// `crm history salvage` over journals that are damaged in several ways: whole runs against the embedded CRM over real HTTP.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../seed/support.ts';

interface Salvaged {
  file: string | null;
  runs: number;
  steps: number;
  made: number;
  missing: string[];
}

let place: Workplace;
let folder: string;
beforeEach(async () => {
  place = await openWorkplace();
  folder = join(place.folder, 'data', 'journals');
});
afterEach(() => place.close());

const journal = (): string => join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? '');

/** An import of so many leads between two changes. */
async function work(leads: number): Promise<void> {
  const rows = Array.from({ length: leads }, (_, n) => `Quay ${n},New,Inbound,${'A long description. '.repeat(20)}${n}`);
  place.write('leads.csv', `title,status,category,description\n${rows.join('\n')}\n`);
  for (const args of [
    ['leads', 'update', '12,13', '--source', 'Fair', '--yes'],
    ['leads', 'import', 'leads.csv', '--concurrency', '1'],
    ['leads', 'tags', '12,13', '--add', 'hot', '--yes'],
  ])
    expect(await place.crm([...args, '-q'])).toMatchObject({ status: 0 });
}

/** Damages the journal, and gives what it was then. */
function damaged(change: (bytes: Buffer) => Buffer): Buffer {
  const path = journal();
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  const bytes = change(readFileSync(path));
  writeFileSync(path, bytes);
  return bytes;
}

async function salvaged(): Promise<Salvaged> {
  const { status, stdout, stderr } = await place.crm(['history', 'salvage', '--json']);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as Salvaged;
}

function inPlace({ file }: Salvaged): void {
  const path = journal();
  renameSync(path, `${path}.damaged`);
  renameSync(file ?? '', path);
}

const history = async (): Promise<unknown> => JSON.parse((await place.crm(['history', '--json'])).stdout);

const blank = (bytes: Buffer, from: number, to: number): Buffer =>
  Buffer.concat([bytes.subarray(0, from), Buffer.alloc(to - from, 0x5a), bytes.subarray(to)]);

describe('a journal', () => {
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['whose header was overwritten', (bytes) => blank(bytes, 0, 100)],
    ['whose first page was overwritten', (bytes) => blank(bytes, 0, 4096)],
    ['whose header alone is zero', (bytes) => Buffer.concat([Buffer.alloc(16), bytes.subarray(16)])],
  ])('%s is read whole, and goes on in its place', async (_name, change) => {
    await work(5);
    const before = await history();
    const bytes = damaged(change);
    expect(await place.crm(['history'])).toMatchObject({ status: 10, stderr: expect.stringContaining('crm history salvage') });
    const found = await salvaged();
    expect(found).toEqual({ file: expect.stringContaining('.salvaged'), runs: 3, steps: 9, made: 5, missing: [] });
    expect(readFileSync(journal()).equals(bytes)).toBe(true);
    expect(statSync(found.file ?? '').mode & 0o777).toBe(0o600);
    inPlace(found);
    expect(await history()).toEqual(before);
    expect(await place.crm(['leads', 'import', 'leads.csv'])).toMatchObject({
      status: 10,
      stderr: expect.stringContaining('was imported already'),
    });
  });

  it('of which a part is overwritten or cut off gives the rest', async () => {
    await work(200);
    const whole = readFileSync(journal());
    const middle = Math.floor(whole.length / 4096 / 2) * 4096;
    for (const change of [
      (bytes: Buffer): Buffer => blank(bytes, middle, middle + 4096),
      (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 4096 * 3),
    ]) {
      writeFileSync(journal(), whole);
      damaged(change);
      expect(await place.crm(['history'])).toMatchObject({ status: 10 });
      const found = await salvaged();
      // Whichever table the part belonged to.
      expect(['steps', 'made'], found.missing.join()).toEqual(expect.arrayContaining(found.missing));
      expect(found).toMatchObject({ runs: 3, missing: expect.arrayContaining([expect.anything()]) });
      expect(found.steps).toBeGreaterThan(50);
      expect(found.made).toBeGreaterThan(50);
      expect(existsSync(found.file ?? '')).toBe(true);
      inPlace(found);
      expect(await history()).toHaveLength(3);
    }
  });

  it('that holds nothing any more says so, and leaves no file', async () => {
    await work(1);
    for (const change of [() => Buffer.alloc(0), (bytes: Buffer) => Buffer.alloc(bytes.length, 0x5a)]) {
      damaged(change);
      const { status, stderr } = await place.crm(['history', 'salvage']);
      expect(status, stderr).toBe(10);
      expect(stderr).toContain('Nothing can be read any more');
      expect(readdirSync(folder).filter((name) => /salvaged|draft/.test(name))).toEqual([]);
    }
  });

  it('that is sound, or not there, is left alone', async () => {
    expect(await salvaged()).toEqual({ file: null, runs: 0, steps: 0, made: 0, missing: [] });
    await work(1);
    expect(await salvaged()).toEqual({ file: null, runs: 0, steps: 0, made: 0, missing: [] });
  });

  it('is not salvaged over what was salvaged before, nor in a dry run', async () => {
    await work(1);
    damaged((bytes) => blank(bytes, 0, 100));
    expect(await place.crm(['history', 'salvage', '--dry-run'])).toMatchObject({ status: 0 });
    await salvaged();
    expect(await place.crm(['history', 'salvage'])).toMatchObject({ status: 2, stderr: expect.stringContaining('is there already') });
  });
});
