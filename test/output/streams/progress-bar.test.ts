// The progress bar by the clock: a bar on a terminal, a line every five seconds elsewhere, nothing with --quiet.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { progressBar } from '../../../src/output/streams/progress.ts';
import { fakeIo } from '../../support/fake-io.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('is a bar that fits the terminal, and goes away', async () => {
  const io = fakeIo({ tty: true, columns: 72 });
  const at = { done: 1000, total: 10_000 };
  const bar = progressBar(io, { quiet: false }, 'Importing leads', () => ({ ...at, aside: '3 failed' }));
  const drawn = async (): Promise<string[]> => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
    return io.stderrText().split(/(?:\x1b\[[?\d]*[a-z])+/);
  };
  await vi.advanceTimersByTimeAsync(500);
  expect((await drawn()).find((line) => line.includes('Importing'))).toMatch(
    /^. Importing leads {2}━━─{16,18} {2}1,000 of 10,000, 3 failed, 0\/s$/,
  );
  at.done = 6000;
  await vi.advanceTimersByTimeAsync(9300);
  const lines = await drawn();
  expect(lines.findLast((line) => line.includes('Importing'))).toMatch(
    /^. Importing leads {2}━{3,5}─{2,4} {2}6,000 of 10,000, 3 failed, 50\d\/s, 8 s left$/,
  );
  for (const line of lines) expect(line.length).toBeLessThan(72);
  bar.stop();
  const left = io.log().length;
  await vi.advanceTimersByTimeAsync(1000);
  expect(io.log()).toHaveLength(left);
});

it('is a line every five seconds off a terminal', () => {
  const io = fakeIo();
  const at = { done: 0, total: 100_000 };
  const bar = progressBar(io, { quiet: false }, 'Importing leads', () => at);
  vi.advanceTimersByTime(4999);
  expect(io.stderrText()).toBe('');
  at.done = 5000;
  vi.advanceTimersByTime(1);
  at.done = 6000;
  vi.advanceTimersByTime(5000);
  bar.stop();
  vi.advanceTimersByTime(50_000);
  expect(io.stderrText()).toBe(
    'Importing leads: 5,000 of 100,000, 1,000/s, 1 min 35 s left\nImporting leads: 6,000 of 100,000, 600/s, 2 min 37 s left\n',
  );
});

it.each([
  [0.5, '1 s'],
  [59.5, '1 min 0 s'],
  [119.5, '2 min 0 s'],
  [3599.5, '1 h 0 min'],
  [3600, '1 h 0 min'],
  [3660.5, '1 h 2 min'],
  [7199.5, '2 h 0 min'],
])('%d seconds are %s', (seconds, text) => {
  const io = fakeIo();
  const at = { done: 0, total: 10 + seconds * 2 };
  const bar = progressBar(io, { quiet: false }, 'Importing leads', () => at);
  at.done = 10;
  vi.advanceTimersByTime(5000);
  bar.stop();
  expect(io.stderrText()).toContain(`2/s, ${text} left`);
});

it('tells a pause of the service in place of a rate and of what is left', () => {
  const io = fakeIo();
  const at = { done: 0, total: 100 };
  const bar = progressBar(io, { quiet: false }, 'Importing leads', () => at);
  at.done = 50;
  io.waits.pausedUntil = Number(process.hrtime.bigint()) / 1e6 + 25_000;
  vi.advanceTimersByTime(5000);
  bar.stop();
  expect(io.stderrText()).toBe('Importing leads: 50 of 100, waiting 20 s\n');
});

it('is written behind a prompt that ended its stream, as on the terminal of a process', async () => {
  const io = fakeIo({ tty: true });
  const prompt = new PassThrough();
  prompt.pipe(io.stderr.stream);
  prompt.end('Create them? ');
  await once(prompt, 'end');
  io.stderr.stream.write('Importing leads');
  expect(io.stderrText()).toBe('Create them? Importing leads');
});

it('is nothing with --quiet', () => {
  const io = fakeIo({ tty: true });
  const bar = progressBar(io, { quiet: true }, 'Importing leads', () => ({ done: 0, total: 1 }));
  vi.advanceTimersByTime(50_000);
  bar.stop();
  expect(io.stderrText()).toBe('');
});
