// What is shown while something is awaited, by the clock: which of several waits, since when, and that nothing is left of it.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { progress, progressBar } from '../../../src/output/streams/progress.ts';
import { symbolsFor } from '../../../src/output/streams/symbols.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../../support/fake-io.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const forEver = (): Promise<void> => new Promise(() => {});

/** The frames that were drawn, without the spinner and the blanks around them. */
const frames = (io: FakeIo): string[] =>
  io
    .log()
    .map(({ text }) =>
      text
        .replace(/\x1b\[[?\d;]*[a-zA-Z]/g, '')
        .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏|/\\-] /, '')
        .trim(),
    )
    .filter((text) => text !== '');

/** What is on the line after so many seconds more. ora is loaded by a real import, which takes its own time. */
async function after(io: FakeIo, seconds: number): Promise<string | undefined> {
  await vi.advanceTimersByTimeAsync(seconds * 1000 - 200);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(200);
  await new Promise((resolve) => setImmediate(resolve));
  return frames(io).at(-1);
}

const terminal = (options: FakeIoOptions = {}): FakeIo => fakeIo({ tty: true, ...options });

it('says what is awaited and since when, once the patience is over, and takes it away', async () => {
  const io = terminal();
  const { promise, resolve } = Promise.withResolvers<number>();
  const waiting = progress(io, { quiet: false }).during('Looking up the names', promise);
  await vi.advanceTimersByTimeAsync(300);
  expect(io.stderrText()).toBe('');
  expect(await after(io, 0.4)).toBe('Looking up the names');
  expect(await after(io, 65)).toBe('Looking up the names · 1 min 5 s');
  resolve(5);
  expect(await waiting).toBe(5);
  const drawn = io.log().length;
  await after(io, 5);
  expect(io.log()).toHaveLength(drawn);
});

it('tells the newest step, and a request only when it takes long', async () => {
  const io = terminal();
  const { begin, request } = progress(io, { quiet: false });
  const page = { number: 1 };
  begin('Reading the file');
  const end = begin((elapsed) => ({ text: `Reading leads: page ${page.number} of 41`, tail: elapsed }));
  void request('Waiting for crm.example, GET /api/leads', forEver());
  expect(await after(io, 0.5)).toBe('Reading leads: page 1 of 41');
  page.number = 12;
  expect(await after(io, 2)).toBe('Reading leads: page 12 of 41 · 2 s');
  expect(await after(io, 2)).toBe('Waiting for crm.example, GET /api/leads · 4 s');
  end();
  io.waits.clear();
});

it('the newest label stands before the bar, a request when it takes long', async () => {
  const io = terminal({ columns: 100 });
  const bar = progressBar(io, { quiet: false }, 'Importing leads', () => ({ done: 5, total: 10 }));
  const { request, during } = progress(io, { quiet: false });
  void request('Waiting for crm.example, POST /api/leads', forEver());
  expect(await after(io, 0.5)).toBe(`Importing leads  ${'━'.repeat(15)}${'─'.repeat(15)}  5 of 10, 0/s`);
  expect(await after(io, 4)).toBe(`Waiting for crm.example, POST /api/leads · 4 s  ${'━'.repeat(15)}${'─'.repeat(15)}  5 of 10, 0/s`);
  void during(() => ({ text: "The service can't take more now", tail: 'going on in 7 s' }), forEver());
  expect(await after(io, 1)).toMatch(/^The service can't take more now · going on in 7 s {2}━.* {2}5 of 10, 0\/s$/);
  bar.stop();
  io.waits.clear();
});

it.each([40, 20])('at %i columns the time is left', async (columns) => {
  const io = terminal({ columns });
  void progress(io, { quiet: false }).during('Waiting for crm.example, GET /api/leads, and more', forEver());
  const line = await after(io, 5.4);
  expect(line).toMatch(/^Wai.*… · 5 s$/);
  expect(line?.length).toBeLessThanOrEqual(columns - 3);
  io.waits.clear();
});

it('a bar for which there is no room says the most important', async () => {
  const io = terminal({ columns: 40 });
  const at = { done: 0 };
  progressBar(io, { quiet: false }, 'Importing leads', () => ({ done: at.done, total: 400, aside: '3 failed' }));
  at.done = 100;
  expect(await after(io, 10)).toBe('Importing leads  100 of 400, 3 faile…');
  io.waits.clear();
});

it('has plain signs where the terminal has no others', async () => {
  const io = { ...terminal({ columns: 40 }), symbols: symbolsFor({ LANG: 'C' }) };
  progressBar(io, { quiet: false }, 'Importing', () => ({ done: 1, total: 2 }));
  await after(io, 1);
  expect(io.stderrText()).toContain('Importing  #######------  1 of 2, 0/s');
  expect(io.stderrText()).toMatch(/^[\x00-\x7f]*$/);
  io.waits.clear();
});

it('is not drawn while somebody else has the terminal', async () => {
  const io = terminal();
  void progress(io, { quiet: false }).during('Reading', forEver());
  expect(await after(io, 0.8)).toBe('Reading');
  const release = io.waits.hold();
  const drawn = io.log().length;
  await after(io, 5.2);
  expect(io.log()).toHaveLength(drawn);
  release();
  expect(await after(io, 1.4)).toBe('Reading · 7 s');
  io.waits.clear();
});

it('text from elsewhere is harmless', async () => {
  const io = terminal();
  void progress(io, { quiet: false }).during('Checking a\x1b[2Jb\n.csv', forEver());
  expect(await after(io, 0.8)).toBe('Checking a\\x1b[2Jb↵.csv');
  io.waits.clear();
});

it('is one line after five seconds on a dumb terminal', async () => {
  const io = terminal();
  const dumb = { ...io, stderr: { ...io.stderr, redraws: false } };
  void progress(dumb, { quiet: false }).during('Checking a\x1b[2Jb.csv', forEver());
  await vi.advanceTimersByTimeAsync(4900);
  expect(io.stderrText()).toBe('');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(io.stderrText()).toBe('Checking a\\x1b[2Jb.csv ...\n');
  io.waits.clear();
});

it.each([
  ['off a terminal', fakeIo(), { quiet: false }],
  ['with --quiet', fakeIo({ tty: true }), { quiet: true }],
])('is nothing %s', async (_name, io, flags) => {
  void progress(io, flags).during('Waiting', forEver());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(io.stderrText()).toBe('');
});
