// The limiter by the clock: how many at once, how many a second, who waits for a 429, and when it gives up.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { RateLimitedError, RefusedError, UnavailableError } from '../../src/base/errors.ts';
import { createLimiter, type Limiter, type LimiterOptions } from '../../src/client/limiter.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'performance', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function limiter(options: Partial<LimiterOptions> = {}): Limiter {
  return createLimiter({
    concurrency: 8,
    retries: 3,
    signal: new AbortController().signal,
    clock: { ...systemClock, random: () => 1 },
    ...options,
  });
}

const after =
  <T>(milliseconds: number, result: () => T) =>
  (): Promise<T> =>
    new Promise((resolve, reject) => {
      setTimeout(() => {
        try {
          resolve(result());
        } catch (error) {
          reject(error);
        }
      }, milliseconds);
    });

const throws = (error: Error) => (): never => {
  throw error;
};

const limited = (retryIn?: number) => new RateLimitedError('Too many.', { httpStatus: 429, ...(retryIn === undefined ? {} : { retryIn }) });
const lost = () => new UnavailableError('Lost.', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
const unreached = () => new UnavailableError('Refused.', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });

it('runs so many at once', async () => {
  let [active, most] = [0, 0];
  const { run } = limiter({ concurrency: 3 });
  const work = async (): Promise<void> => {
    active += 1;
    most = Math.max(most, active);
    await after(10, () => {})();
    active -= 1;
  };
  const all = Promise.all(Array.from({ length: 20 }, () => run(work)));
  await vi.runAllTimersAsync();
  await all;
  expect(most).toBe(3);
});

it('waits for days without asking a timer for more than it takes', async () => {
  const { run } = limiter({ rate: 0.000_000_1 });
  await run(async () => {});
  // Gone before the timers are: whoever restored it later would bring back these, which stand still.
  using timer = vi.spyOn(globalThis, 'setTimeout');
  void run(async () => {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(timer.mock.calls.map(([, wait]) => wait)).toEqual([2 ** 31 - 1]);
});

it('spaces requests by the rate', async () => {
  const times: number[] = [];
  const { run } = limiter({ rate: 10 });
  const all = Promise.all(Array.from({ length: 21 }, () => run(async () => times.push(performance.now()))));
  await vi.runAllTimersAsync();
  await all;
  const [first = 0] = times;
  expect(times.map((time) => Math.round((time - first) / 100))).toEqual(Array.from({ length: 21 }, (_, index) => index));
});

it('one 429 pauses everybody for its Retry-After, and the request goes again', async () => {
  const begun: [name: string, time: number][] = [];
  const note = (name: string): void => {
    begun.push([name, performance.now()]);
  };
  const start = performance.now();
  const { run } = limiter({ concurrency: 2 });
  let isFirst = true;
  const refused = run(async () => {
    note('refused');
    if (!isFirst) return;
    isFirst = false;
    throw limited(7);
  });
  const flying = run(async () => {
    note('flying');
    await after(100, () => {})();
  });
  const later = run(async () => note('later'));
  await vi.runAllTimersAsync();
  await Promise.all([refused, flying, later]);
  expect(begun.map(([name, time]) => [name, Math.round(time - start)])).toEqual([
    ['refused', 0],
    ['flying', 0],
    ['later', 7000],
    ['refused', 7000],
  ]);
});

it('what left before a pause says nothing about it: neither a shorter nor a longer Retry-After changes the pause', async () => {
  const pauses: number[] = [];
  const { run } = limiter({ concurrency: 3, paused: (milliseconds) => pauses.push(Math.round(milliseconds)) });
  const once = (milliseconds: number, error: Error): Promise<void> => {
    const attempts = [after(milliseconds, throws(error))];
    return run(() => attempts.pop()?.() ?? Promise.resolve());
  };
  const start = performance.now();
  const all = Promise.all([once(0, limited(5)), once(10, limited(1)), once(20, limited(30))]);
  await vi.runAllTimersAsync();
  await all;
  expect(pauses).toEqual([5000]);
  expect(Math.round(performance.now() - start)).toBe(5000);
});

it('a Retry-After counts as it is the first time, and from then on no less than the own patience', async () => {
  const pauses: number[] = [];
  const { run } = limiter({ concurrency: 1, paused: (milliseconds) => pauses.push(Math.round(milliseconds)) });
  const answers = [0.2, 0.1, 30, 0, undefined];
  const refused = (): Promise<void> => {
    const asked = answers.shift();
    return asked === undefined ? Promise.resolve() : Promise.reject(limited(asked));
  };
  const all = run(refused);
  await vi.runAllTimersAsync();
  await all;
  expect(pauses).toEqual([200, 2000, 30_000, 8000]);
});

it('after a refusal one turn goes at a time, until a request of the kind is accepted', async () => {
  const times: number[] = [];
  const { run } = limiter({ concurrency: 4 });
  const start = performance.now();
  let refusals = 2;
  const read = async (): Promise<void> => {
    times.push(Math.round(performance.now() - start));
    await after(100, () => {
      refusals -= 1;
      if (refusals >= 0) throw limited();
    })();
  };
  const all = Promise.all(Array.from({ length: 4 }, () => run(read)));
  await vi.runAllTimersAsync();
  await all;
  // The second answer left before the pause. So did the accepted third and fourth.
  expect(times).toEqual([0, 0, 0, 0, 1100, 1200]);
});

describe('what is sent again', () => {
  const attemptsOf = async (error: () => Error, repeatable: boolean, isKnown = true): Promise<number> => {
    let attempts = 0;
    const { run, inTurn } = limiter({ retries: 3 });
    if (isKnown) await run(async () => {});
    const send = async (): Promise<never> => {
      attempts += 1;
      throw error();
    };
    const ended = inTurn(
      ({ request }) => request(send),
      () => repeatable,
    ).catch(() => {});
    await vi.runAllTimersAsync();
    await ended;
    return attempts;
  };

  it('a write whose answer was lost: never', async () => expect(await attemptsOf(lost, false)).toBe(1));
  it('a read whose answer was lost: as often as --retries says', async () => expect(await attemptsOf(lost, true)).toBe(4));
  it('what never reached a service that answered before: for 60 s', async () => expect(await attemptsOf(unreached, false)).toBe(13));
  it('the same where nothing ever answered: as often as --retries says', async () =>
    expect(await attemptsOf(unreached, false, false)).toBe(4));
  it('a 429: for ten minutes', async () => {
    const start = performance.now();
    const attempts = await attemptsOf(limited, false, false);
    expect(Math.floor((performance.now() - start) / 60_000)).toBe(10);
    expect(attempts).toBe(16);
  });
  it('a 429 whose Retry-After is 0: as seldom', async () => {
    const start = performance.now();
    const attempts = await attemptsOf(() => limited(0), false, false);
    expect(Math.floor((performance.now() - start) / 60_000)).toBe(10);
    expect(attempts).toBe(16);
  });
  it('a 429 without further tries: never, and the error says when to come again', async () => {
    const { run } = limiter({ retries: 0 });
    const ended = expect(run(throws(limited()) as () => Promise<never>)).rejects.toMatchObject({
      details: { retryIn: 1, hint: 'Try again in 1 s.' },
    });
    await vi.runAllTimersAsync();
    await ended;
  });
  it('a refusal: never', async () => expect(await attemptsOf(() => new RefusedError('422'), true)).toBe(1));
});

it('is exhausted after eight troubles in a row, and not after success', async () => {
  const one = limiter({ concurrency: 1 });
  const ran = async (work: () => Promise<void>): Promise<void> => {
    // As a write, which is not sent again.
    const ended = one
      .inTurn(
        ({ request }) => request(work),
        () => false,
      )
      .catch(() => {});
    await vi.runAllTimersAsync();
    await ended;
  };
  const fail = (): Promise<void> => ran(after(1, throws(lost())));
  await ran(async () => {});
  for (let time = 0; time < 7; time += 1) await fail();
  expect(one.exhausted).toBe(false);
  await ran(async () => {});
  for (let time = 0; time < 7; time += 1) await fail();
  expect(one.exhausted).toBe(false);
  await fail();
  expect(one.exhausted).toBe(true);
});

it('aborted: what waits gets the reason at once, what flies goes on', async () => {
  const abort = new AbortController();
  const { run } = limiter({ concurrency: 1, signal: abort.signal });
  const flying = run(after(1000, () => 'done'));
  const waiting = run(async () => 'begun');
  abort.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
  await expect(run(async () => 'begun')).rejects.toThrow('stop');
  await vi.runAllTimersAsync();
  expect(await flying).toBe('done');
});

describe('a turn', () => {
  const at = (times: number[]) => async (): Promise<void> => void times.push(performance.now());

  it('holds what belongs together, and each of its requests waits for its place of the rate', async () => {
    const times: number[] = [];
    const { inTurn } = limiter({ rate: 10, concurrency: 1 });
    const turn = (): Promise<void> =>
      inTurn(
        async ({ request }) => {
          await request(at(times));
          await request(at(times));
        },
        () => false,
      );
    const all = Promise.all([turn(), turn(), turn()]);
    await vi.runAllTimersAsync();
    await all;
    const [first = 0] = times;
    expect(times.map((time) => Math.round((time - first) / 100))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is no place taken before something is asked for', async () => {
    const { inTurn, run } = limiter({ concurrency: 1 });
    const gate = Promise.withResolvers<void>();
    const silent = inTurn(
      () => gate.promise,
      () => false,
    );
    await run(async () => {});
    gate.resolve();
    await silent;
  });

  it('is done anew after a 429, from its first read on; after other failures only where it may', async () => {
    const asked: string[] = [];
    const { inTurn } = limiter();
    const turn = (error: Error, mayRepeat: boolean): Promise<void> => {
      asked.length = 0;
      return inTurn(
        async ({ request }) => {
          await request(async () => void asked.push('read'));
          await request(async () => {
            asked.push('write');
            if (asked.length < 4) throw error;
          });
        },
        () => mayRepeat,
      );
    };
    const again = turn(limited(1), false);
    await vi.runAllTimersAsync();
    await again;
    expect(asked).toEqual(['read', 'write', 'read', 'write']);
    await expect(turn(lost(), false)).rejects.toThrow('Lost.');
    expect(asked).toEqual(['read', 'write']);
    const repeated = turn(lost(), true);
    await vi.runAllTimersAsync();
    await repeated;
    expect(asked).toEqual(['read', 'write', 'read', 'write']);
  });

  it('begins anew where its write waited for a pause', async () => {
    const { inTurn, run } = limiter({ concurrency: 2 });
    const asked: string[] = [];
    let isRefused = false;
    const refused = run(async () => {
      if (isRefused) return;
      isRefused = true;
      throw limited(5);
    }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    const turn = inTurn(
      async ({ request }) => {
        asked.push('worked out');
        await request(async () => void asked.push('sent'), true);
      },
      () => false,
    );
    await vi.advanceTimersByTimeAsync(4000);
    expect(asked).toEqual(['worked out']);
    await vi.runAllTimersAsync();
    await Promise.all([turn, refused]);
    expect(asked).toEqual(['worked out', 'worked out', 'sent']);
  });

  it('begins anew where a pause began between its read and its write', async () => {
    const { inTurn, run } = limiter({ concurrency: 2 });
    const asked: string[] = [];
    const turn = inTurn(
      async ({ request }) => {
        await request(async () => {
          await new Promise((resolve) => setTimeout(resolve, 10));
          asked.push('read');
        });
        await request(async () => void asked.push('write'), true);
      },
      () => false,
    );
    let isRefused = false;
    const refused = run(async () => {
      if (isRefused) return;
      isRefused = true;
      throw limited(5);
    });
    await vi.runAllTimersAsync();
    await Promise.all([turn, refused]);
    expect(asked).toEqual(['read', 'read', 'write']);
  });

  it('tells a pause once, however many requests meet it', async () => {
    const pauses: number[] = [];
    const { run } = limiter({ concurrency: 16, paused: (milliseconds) => pauses.push(milliseconds) });
    const refusals = new Map<number, number>();
    const all = Array.from({ length: 16 }, (_, index) =>
      run(
        after(index * 10, () => {
          refusals.set(index, (refusals.get(index) ?? 0) + 1);
          if (refusals.get(index) === 1) throw limited(20);
        }),
      ),
    );
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(pauses).toEqual([20_000]);
  });
});
