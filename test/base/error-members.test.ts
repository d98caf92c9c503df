// What programs read of an error: its members, its text, its cause, and whether the same call may be made again. Typed by hand.

import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  FoundError,
  IncompleteListError,
  InterruptedError,
  InvalidValues,
  invalidValue,
  isCrmError,
  PartialError,
  RateLimitedError,
  RefusedError,
  retryOf,
  systemCode,
  systemReason,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedError,
  UsageError,
  withHints,
} from '../../src/base/errors.ts';

const [get, patch] = ['GET', 'PATCH'].map((method) => ({ request: { method, path: '/x' } }));

describe('an error', () => {
  it('has a cause where it has one', () => {
    const cause = new Error('reset');
    expect(new UnavailableError('Lost.', { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new UnavailableError('Lost.'), 'cause')).toBe(false);
  });

  it('as text says what the service said of each field, and only that', () => {
    const fields = [{ name: 'email', messages: ['Taken.', 'Odd.'] }];
    expect(String(new RefusedError('No.', { httpStatus: 422, fields }))).toBe('RefusedError: No. email: Taken. Odd.');
    expect(String(new UsageError('No.', { fields }))).toBe('UsageError: No.');
  });

  it('as JSON has its message and its details, without the cause', () => {
    const error = new ConflictError('Held.', { code: 'run_held', cause: new Error('x'), retry: 'ask', reason: 'y', hint: 'Wait.' });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      ...{ name: 'ConflictError', code: 'run_held', message: 'Held.', retry: 'ask', details: { hint: 'Wait.' } },
    });
  });

  it('is known across copies of the library', () => {
    expect([new UsageError('x'), new Error('x'), { code: 'usage' }, undefined].map(isCrmError)).toEqual([true, false, false, false]);
  });

  it('of one value says it, of several their number, with one code where all have it', () => {
    const [blank, wrong] = [
      { where: '--a', problem: 'it is missing.', code: 'missing_value' as const },
      { where: '--b', problem: 'no.' },
    ];
    const members = (...values: InvalidValues['values'][number][]) => {
      const { message, code, onlyCounts } = new InvalidValues(values);
      return [message, code, onlyCounts];
    };
    expect(members(blank)).toEqual(['--a: it is missing.', 'missing_value', false]);
    expect(members(wrong)).toEqual(['--b: no.', 'invalid_value', false]);
    expect(members(blank, blank)).toEqual(['2 values are wrong.', 'missing_value', true]);
    expect(members(blank, wrong)).toEqual(['2 values are wrong.', 'invalid_value', true]);
    expect(members(wrong, blank)).toEqual(['2 values are wrong.', 'invalid_value', true]);
    expect(new InvalidValues([blank, wrong], 'Two.').onlyCounts).toBe(false);
    expect(invalidValue('--b', 'no.').details.fields).toEqual([{ name: '--b', messages: ['no.'] }]);
  });

  it('takes more lines to its hint', () => {
    expect((withHints(new UsageError('x', { hint: 'A' }), [undefined, 'B', '']) as UsageError).details.hint).toBe('A\nB');
    expect((withHints(new UsageError('x'), [undefined]) as UsageError).details).not.toHaveProperty('hint');
    expect(withHints('x', ['B'])).toBe('x');
  });

  it('of the system is told by its words, else by its code', () => {
    const coded = (more: object) => Object.assign(new Error('x'), more);
    expect([systemReason(coded({ errno: -2, code: 'ENOENT' })), systemReason(coded({ code: 'EODD' })), systemReason('x')]).toEqual([
      'no such file or directory',
      'EODD',
      'unreadable',
    ]);
    expect([systemCode(coded({ code: 'EIO' })), systemCode(coded({ code: 7 })), systemCode({ code: 'EIO' })]).toEqual([
      'EIO',
      undefined,
      undefined,
    ]);
  });
});

describe('whether the same call may be made again', () => {
  it.each<[string, unknown, string, string]>([
    // error, without and with a write before it
    ['a fault of the program', new RangeError('x'), 'never', 'look'],
    ['a usage error', new UsageError('x'), 'never', 'never'],
    ['a refusal', new RefusedError('x'), 'never', 'never'],
    ['no answer', new UnavailableError('x', get), 'safe', 'look'],
    ['no answer to a write', new UnavailableError('x', patch), 'look', 'look'],
    ['no time', new UnavailableError('x', { code: 'timed_out' }), 'safe', 'look'],
    ['nothing reached', new UnavailableError('x', { code: 'unreachable', ...patch }), 'safe', 'safe'],
    ['an unknown outcome', new UnavailableError('x', { code: 'outcome_unknown' }), 'look', 'look'],
    ['a list that moved', new IncompleteListError('x', get), 'safe', 'look'],
    ['a value that was kept', new UnavailableError('x', { code: 'not_taken' }), 'ask', 'ask'],
    ['a full disk', new UnavailableError('x', { code: 'disk_full' }), 'ask', 'ask'],
    ['a 429', new RateLimitedError('x', patch), 'safe', 'safe'],
    ['no key', new UnauthorizedError('x'), 'ask', 'ask'],
    ['no agreement', new UnconfirmedError('x'), 'ask', 'ask'],
    ['a run that is held', new ConflictError('x', { code: 'run_held' }), 'safe', 'safe'],
    ['a run that is unfinished', new ConflictError('x', { code: 'run_unfinished' }), 'look', 'look'],
    ['a gate', new FoundError('x'), 'never', 'look'],
    ['an interruption', new InterruptedError('SIGTERM'), 'never', 'look'],
    ['some failures', new PartialError('x', { failures: [{ id: 1, name: 'lead 1', error: new RefusedError('x') }] }), 'never', 'never'],
    [
      'some of unknown outcome',
      new PartialError('x', { failures: [{ id: 1, name: 'lead 1', error: new UnavailableError('x', { code: 'outcome_unknown' }) }] }),
      'look',
      'look',
    ],
    ['what an error says itself', new RefusedError('x', { retry: 'ask', ...patch }), 'ask', 'ask'],
  ])('%s', (_what, error, before, after) => {
    expect([retryOf(error, false), retryOf(error, true)]).toEqual([before, after]);
  });
});

it.each([
  ['SIGHUP', 129, 'Hung up.'],
  ['SIGINT', 130, 'Interrupted.'],
  ['SIGTERM', 143, 'Terminated.'],
  ['abort', 130, 'The call was aborted.'],
] as const)('%s ends with %i', (signal, status, message) => {
  const error = new InterruptedError(signal, { note: 'Half.', isUnknown: true });
  const isOfCall = signal === 'abort';
  expect([error.exitStatus, error.message, error.name, error.code]).toEqual([
    status,
    `${message} Half.`,
    isOfCall ? 'AbortError' : 'InterruptedError',
    isOfCall ? 'outcome_unknown' : 'interrupted',
  ]);
  expect([InterruptedError.by(error, {}).signal, InterruptedError.by('odd', {}).signal]).toEqual([signal, 'SIGINT']);
});
