// The back-off as a table, typed by hand: which pause follows which answers, until when a service refuses, and when many requests end.

import { beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { NotFoundError, RateLimitedError, UnavailableError } from '../../src/base/errors.ts';
import { Backoff, failurePause, type RequestKind } from '../../src/client/backoff.ts';

let now: number;
let random: number;
let backoff: Backoff;
beforeEach(() => {
  [now, random] = [1000, 1];
  const clock: Clock = { ...systemClock, steady: () => now, random: () => random };
  backoff = new Backoff(clock);
});

const refused = (retryIn?: number) => new RateLimitedError('Later.', { httpStatus: 429, ...(retryIn === undefined ? {} : { retryIn }) });
const failed = (httpStatus?: number, retryIn?: number) =>
  new UnavailableError('Broken.', { ...(httpStatus === undefined ? {} : { httpStatus }), ...(retryIn === undefined ? {} : { retryIn }) });

/** A request that leaves now and ends now; the pause that begins. */
const one = (kind: RequestKind, error?: unknown, isMany = true): number => backoff.ended(kind, backoff.leaves(), error, isMany);
/** The same, and the pause passes. */
const paused = (kind: RequestKind, error?: unknown, isMany = true): number => {
  const pause = one(kind, error, isMany);
  now += pause;
  return pause;
};

describe('a 429', () => {
  it('pauses 1 s, doubled to 60 s', () => {
    expect(Array.from({ length: 9 }, () => paused('write', refused()))).toEqual(
      [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000),
    );
  });

  it('pauses at least half of that', () => {
    random = 0;
    expect([paused('write', refused()), paused('write', refused())]).toEqual([500, 1000]);
  });

  it('with Retry-After pauses exactly so long; from the second in a row not less than the own pause', () => {
    expect([0.2, 0.1, 30, 0].map((seconds) => paused('read', refused(seconds)))).toEqual([200, 2000, 30_000, 8000]);
  });

  it('counts reads and writes apart: an answered read says nothing about writes', () => {
    expect([paused('write', refused()), paused('read'), paused('write', refused())]).toEqual([1000, 0, 2000]);
    expect(backoff.isRefusing).toBe(true);
    paused('write');
    expect([backoff.isRefusing, paused('write', refused())]).toEqual([false, 1000]);
  });

  it.each([
    ['a 500', failed(500)],
    ['an answer that can not be read', failed(200)],
    ['a 404', new NotFoundError('None.', { httpStatus: 404 })],
  ])('%s counts as accepted', (_name, error) => {
    paused('write', refused());
    paused('write', error);
    expect(backoff.isRefusing).toBe(false);
  });

  it('no answer, and a 503 with Retry-After, count as neither', () => {
    paused('write', refused());
    paused('write', failed());
    paused('write', failed(503, 1));
    expect([backoff.isRefusing, paused('write', refused())]).toEqual([true, 2000]);
  });

  it('an answer to a request that left before the last pause says nothing, either way', () => {
    const [first, second, third] = [backoff.leaves(), backoff.leaves(), backoff.leaves()];
    expect(backoff.ended('write', first, refused(), true)).toBe(1000);
    expect(backoff.ended('write', second, refused(30), true)).toBe(0);
    expect(backoff.ended('write', third, undefined, true)).toBe(0);
    expect([backoff.isRefusing, backoff.waitOf('read')]).toEqual([true, 1000]);
  });
});

it('while writes are refused, a write leaves 1 s behind its read', () => {
  paused('read');
  expect(backoff.waitOf('write')).toBe(0);
  paused('write', refused());
  paused('read');
  now += 300;
  expect([backoff.waitOf('write'), backoff.waitOf('read')]).toEqual([700, 0]);
  now += 700;
  paused('write');
  paused('read');
  expect(backoff.waitOf('write')).toBe(0);
});

describe('a 503 with Retry-After', () => {
  it('pauses everybody, of one record at most 60 s', () => {
    expect(paused('read', failed(503, 7), false)).toBe(7000);
    expect(paused('read', failed(503, 700), false)).toBe(60_000);
    expect(paused('read', failed(503, 700), true)).toBe(700_000);
  });
});

describe('another passing failure', () => {
  it('pauses a run from the second in a row, 0.25 s doubled to 10 s', () => {
    expect(Array.from({ length: 9 }, () => paused('write', failed(500)))).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('pauses the single request itself, and nobody else', () => {
    expect(Array.from({ length: 3 }, () => paused('read', failed(502), false))).toEqual([0, 0, 0]);
    expect([1, 2, 3, 4, 5, 6, 7, 99].map((count) => failurePause(count, 1))).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(failurePause(1, 0)).toBe(125);
  });
});

describe('many requests end', () => {
  /** The seconds after which a refusal is over. */
  const over = (asked: (seconds: number) => number | undefined, kind: RequestKind = 'write'): number => {
    const begun = now;
    for (;;) {
      one('read');
      one(kind, refused(asked((now - begun) / 1000)));
      if (backoff.isOver(kind, 3)) return Math.round((now - begun) / 1000);
      now += Math.max(1, backoff.waitOf('read'));
    }
  };

  it('when a kind was refused for ten minutes', () => expect(over(() => undefined)).toBeGreaterThanOrEqual(600));
  it('not long behind ten minutes', () => expect(over(() => undefined)).toBeLessThan(661));
  it('not before what was asked for is over', () =>
    expect(over((seconds) => (seconds < 900 ? 900 : undefined))).toBeGreaterThanOrEqual(900));
  it('after an hour in all, whatever was asked', () => expect(over(() => 60)).toBeGreaterThan(3500));
  it('and not later', () => expect(over(() => 60)).toBeLessThanOrEqual(3600));
  it('at once where more than an hour is asked for', () => expect(over(() => 3601)).toBe(0));

  it('when eight of a kind in a row had no answer; any status breaks the row', () => {
    paused('read');
    const seven = (): void => {
      for (let count = 0; count < 7; count += 1) paused('write', failed());
    };
    seven();
    paused('write', failed(502));
    seven();
    paused('read');
    expect(backoff.isOver('write', 3)).toBe(false);
    paused('write', failed());
    expect(backoff.isOver('write', 3)).toBe(true);
  });

  describe('when no connection was made', () => {
    const unmade = () => new UnavailableError('Nothing listens.', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
    /** The seconds after which the wait for a connection is over. */
    const overAfter = (retries: number): number => {
      const begun = now;
      while (!backoff.isOver('write', retries)) paused('write', unmade());
      return (now - begun) / 1000;
    };

    it('for 60 s in a row, by a service that answered before', () => {
      paused('read');
      for (let count = 0; count < 7; count += 1) paused('write', failed());
      expect(backoff.awaits(3)).toBe(false);
      expect(overAfter(3)).toBeGreaterThanOrEqual(60);
      expect([backoff.awaits(3), backoff.awaits(0), backoff.why]).toEqual([true, false, ' does not answer']);
    });

    it('any connection begins the 60 s anew', () => {
      paused('read');
      for (let count = 0; count < 20; count += 1) {
        paused('write', unmade());
        paused('write', failed(502));
      }
      expect([backoff.awaits(3), backoff.isOver('write', 3), backoff.why]).toEqual([false, false, " can't take more now"]);
    });

    it.each([
      ['as often as any request without an answer, with --retries 0', true, 0, 8],
      ['as often as by a single command, where nothing ever answered', false, 3, 4],
    ])('%s', (_name, answered, retries, times) => {
      if (answered) paused('read');
      for (let count = 1; count < times; count += 1) paused('write', unmade());
      expect(backoff.isOver('write', retries)).toBe(false);
      paused('write', unmade());
      expect(backoff.isOver('write', retries)).toBe(true);
    });
  });

  it('when a service that never answered was tried as often as by a single command', () => {
    for (let count = 0; count < 4; count += 1) {
      expect(backoff.isOver('read', 3)).toBe(false);
      paused('read', failed());
    }
    expect(backoff.isOver('read', 3)).toBe(true);
  });
});
