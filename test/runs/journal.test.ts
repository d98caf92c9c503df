// Journals on the disk: what a crash leaves behind, what damage is, and that only one process has a journal open.

import { execFile } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { type Journal, journalEntries, journalHeader, openJournal } from '../../src/runs/journal.ts';
import type { Members } from '../../src/values/paths.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-journal-'));
  path = join(folder, 'below', 'j.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true }));

const header = { kind: 'test', name: 'Ünïcode' };

async function open(): Promise<{ journal: Journal; entries: Members[] }> {
  const entries: Members[] = [];
  return { journal: await openJournal(path, header, (entry) => entries.push(entry)), entries };
}

async function written(count: number): Promise<void> {
  const { journal } = await open();
  for (let number = 1; number <= count; number += 1) journal.append({ number, text: '\n"ü' });
  await journal.close();
}

it('gives back what was written, the header first, and goes on behind it', async () => {
  await written(3);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'below')).mode & 0o777).toBe(0o700);
  const { journal, entries } = await open();
  expect(journal.isNew).toBe(false);
  expect(entries).toEqual([header, ...[1, 2, 3].map((number) => ({ number, text: '\n"ü' }))]);
  journal.append({ number: 4 });
  await journal.flush();
  expect((await Array.fromAsync(journalEntries(path))).at(-1)).toEqual({ number: 4 });
  await journal.close();
  expect(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).crc),
  ).toHaveLength(5);
  expect(readdirSync(join(folder, 'below'))).toEqual(['j.jsonl']);
});

it('cuts a torn end off, wherever it is torn', async () => {
  await written(3);
  const whole = readFileSync(path);
  const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let length = start; length < whole.length; length += 7) {
    writeFileSync(path, whole.subarray(0, length));
    const { journal, entries } = await open();
    expect(entries).toHaveLength(3);
    journal.append({ number: 5 });
    await journal.close();
    expect((await Array.fromAsync(journalEntries(path))).map(({ number }) => number)).toEqual([undefined, 1, 2, 5]);
  }
});

it('cuts off what a power cut left in its place', async () => {
  await written(2);
  appendFileSync(path, Buffer.alloc(5000));
  const { journal, entries } = await open();
  expect(entries).toHaveLength(3);
  await journal.close();
});

it('refuses what is damaged before its end', async () => {
  await written(3);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"number":2', '"number":7'));
  await expect(open()).rejects.toThrow(/is damaged at byte \d+/);
  expect(readFileSync(path, 'utf8')).toHaveLength(text.length);
});

it('leaves a file alone that is no journal', async () => {
  await written(0);
  for (const text of ['title,status\nA,1\n', '{"a":1}\n', 'x']) {
    writeFileSync(path, text);
    await expect(open()).rejects.toThrow('is not a journal');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(await journalHeader(path)).toBeUndefined();
  }
  truncateSync(path);
  const { journal } = await open();
  expect(journal.isNew).toBe(true);
  await journal.close();
  expect(await journalHeader(path)).toEqual(header);
});

it('is open once at a time, and free again after the end of its process, however it ended', async () => {
  const { journal } = await open();
  await expect(open()).rejects.toThrow('Another run is using the journal');
  const child = (ending: string): Promise<unknown> => {
    const script = `import { openJournal } from ${JSON.stringify(join(import.meta.dirname, '../../src/runs/journal.ts'))};
      await openJournal(${JSON.stringify(path)}, {}, () => {}); ${ending}`;
    return promisify(execFile)(process.execPath, ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script]);
  };
  await expect(child('')).rejects.toThrow('Another run is using the journal');
  await journal.close();
  await expect(child("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})")).rejects.toMatchObject({ signal: 'SIGKILL' });
  await (await open()).journal.close();
});

it('is open once at a time under whichever of its names', async () => {
  const { journal } = await open();
  const other = join(folder, 'other.jsonl');
  symlinkSync(path, other);
  await expect(openJournal(other, header, () => {})).rejects.toThrow('Another run is using the journal');
  await journal.close();
  const again = await openJournal(other, header, () => {});
  expect(again.isNew).toBe(false);
  await expect(open()).rejects.toThrow('Another run is using the journal');
  await again.close();
  const text = readFileSync(path, 'utf8');
  await (
    await openJournal(
      other,
      header,
      () => {},
      () => true,
    )
  ).close();
  expect([lstatSync(other).isSymbolicLink(), readFileSync(path, 'utf8')]).toEqual([true, text]);
  linkSync(path, join(folder, 'third.jsonl'));
  await expect(open()).rejects.toThrow('has another name, too (a hard link)');
  await expect(openJournal(join(folder, 'third.jsonl'), header, () => {})).rejects.toThrow('has another name, too (a hard link)');
});

it('that can not be begun leaves nothing behind', async () => {
  await written(0);
  const name = 'j'.repeat(241);
  const begun = openJournal(join(folder, 'below', name), header, () => {});
  await expect(begun).rejects.toThrow(/^The journal .*j can't be written \(ENAMETOOLONG/);
  await expect(begun).rejects.toBeInstanceOf(UsageError);
  expect(readdirSync(join(folder, 'below'))).toEqual(['j.jsonl']);
});

it('one flush serves all who wait; a journal that fails once fails for good', async () => {
  const { journal } = await open();
  const flushes = Array.from({ length: 100 }, (_, number) => {
    journal.append({ number });
    return journal.flush();
  });
  expect(new Set(flushes).size).toBeLessThanOrEqual(2);
  await Promise.all(flushes);
  expect(await Array.fromAsync(journalEntries(path))).toHaveLength(101);
  await journal.close();
  journal.append({ number: 100 });
  await expect(journal.flush()).rejects.toThrow("can't be written");
  await expect(journal.flush()).rejects.toThrow("can't be written");
});
