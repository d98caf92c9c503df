import { describe, expect, it } from 'vitest';
import { notice } from '../../../src/output/streams/notice.ts';
import { progress } from '../../../src/output/streams/progress.ts';
import { fakeIo } from '../../support/fake-io.ts';

const flags = { quiet: false };
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('notice', () => {
  it('is one safe line on standard error', async () => {
    const io = fakeIo();
    await notice(io, flags, 'Look\nout \x1b[31m', 'warning');
    expect(io.stderrText()).toBe('Look↵out \\x1b[31m\n');
    expect(io.stdoutText()).toBe('');
  });

  it('has a mark on a terminal', async () => {
    const io = fakeIo({ tty: true, color: true });
    await notice(io, flags, 'Done.', 'done');
    await notice(io, flags, 'Look out.', 'warning');
    await notice(io, flags, 'More.');
    expect(io.stderrText()).toBe('\x1b[32m✓\x1b[39m Done.\n\x1b[33m!\x1b[39m Look out.\nMore.\n');
  });

  it('is silent with --quiet', async () => {
    const io = fakeIo({ tty: true });
    await notice(io, { quiet: true }, 'Done.', 'done');
    expect(io.stderrText()).toBe('');
  });
});

describe('progress', () => {
  it('gives what the promise gives', async () => {
    const { during } = progress(fakeIo({ tty: true }), flags);
    expect(await during('Waiting', Promise.resolve(5))).toBe(5);
    await expect(during('Waiting', Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('stays away when it is quick', async () => {
    const io = fakeIo({ tty: true });
    await progress(io, flags).during('Waiting', pause(50));
    await pause(600);
    expect(io.stderrText()).toBe('');
  });
});
