// The runner by the clock, on a plan of invented steps and a service in this process that loses, refuses or forbids.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import {
  ConflictError,
  type CrmError,
  InterruptedError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../../src/base/errors.ts';
import { createLimiter } from '../../src/client/limiter.ts';
import type { ApiRequest } from '../../src/client/types.ts';
import { Journal } from '../../src/runs/journal/journal.ts';
import type { Run } from '../../src/runs/journal/run.ts';
import { carryOut, type RunOptions } from '../../src/runs/runner.ts';
import { type Service, type ServiceTurn, usualWait } from '../../src/runs/service.ts';
import { type Look, type Part, type PreparedRequest, type Step, stepsInMemory, unknowable } from '../../src/runs/step.ts';
import { bodyOf, fakeApi, type Lead } from './fake-api.ts';
import { header, runInMemory } from './steps.ts';

// Node's own promise of a timer can't be moved by hand; this one can.
vi.mock('node:timers/promises', () => ({
  setImmediate: () => Promise.resolve(),
  setTimeout: (milliseconds: number, _value: undefined, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
}));

let journal: Run;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime', 'performance', 'Date'] });
  vi.setSystemTime('2026-11-20T10:00:00Z');
  journal = runInMemory();
});

afterEach(() => {
  vi.useRealTimers();
  journal.file.close();
});

/** What the service does with a write: takes it, acts and loses the answer, answers without an id, or fails. */
type Deed =
  | 'take'
  | 'act and lose'
  | 'tell nothing'
  | 'tell no id'
  | 'deny'
  | 'tell an old id'
  | 'do nothing and tell an old id'
  | CrmError;

const cut = () => new UnavailableError('Cut.', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
const status = (httpStatus: number) => new UnavailableError(`It failed: ${httpStatus}.`, { httpStatus });
const timedOut = () => new UnavailableError('No answer.', { cause: Object.assign(new Error('late'), { name: 'TimeoutError' }) });
const forbidden = () => new UnauthorizedError('Forbidden.', { httpStatus: 403 });
const taken = () => new RefusedError('Taken.', { httpStatus: 422 });

/** A service of leads; `deed` says what becomes of each write, which is the `nth` of its step. */
class Fake {
  readonly leads: Lead[] = [];
  readonly writes: string[] = [];
  readonly deed: (title: string, nth: number) => Deed;

  constructor(deed: (title: string, nth: number) => Deed = () => 'take') {
    this.deed = deed;
  }

  service(stop: AbortSignal, { concurrency = 4, isDry = false, wait = usualWait, retries = 0 } = {}): Service {
    const limiter = createLimiter({ concurrency, retries, signal: stop, clock: { ...systemClock, random: () => 0 } });
    return {
      api: fakeApi(() => this.leads).api,
      limiter,
      clock: systemClock,
      concurrency,
      timeout: 5000,
      wait,
      isDry,
      inTurn: (work, mayRepeat) =>
        limiter.inTurn(({ request: inTurn }) => {
          const { api } = fakeApi(() => this.leads);
          const send: ServiceTurn['send'] = (_key, request, leaving) =>
            inTurn(async () => {
              if (!isDry) await leaving();
              return isDry ? { status: 201, data: { id: 9_000_000_000_000_001 }, envelope: undefined } : this.#write(request);
            }, true);
          return work({ api: { ...api, read: (request) => inTurn(() => api.read(request)) }, send });
        }, mayRepeat),
      close: async () => {},
    };
  }

  async #write({ body }: ApiRequest) {
    const title = String(body?.get('lead_title'));
    this.writes.push(title);
    const deed = this.deed(title, this.writes.filter((one) => one === title).length);
    if (typeof deed !== 'string') throw deed;
    if (deed === 'deny') return { status: 200, data: { success: false }, envelope: { success: false } };
    const id = this.leads.length + 1;
    if (deed === 'do nothing and tell an old id') return { status: 201, data: { id: 1 }, envelope: {} };
    this.leads.push({ id, title, created: new Date().toISOString() });
    if (deed === 'tell an old id') return { status: 201, data: { id: 1 }, envelope: {} };
    if (deed === 'act and lose') throw cut();
    if (deed === 'tell nothing') return { status: 201, data: undefined, envelope: undefined };
    return { status: 201, data: deed === 'tell no id' ? { success: true } : { id }, envelope: {} };
  }

  titles(): string[] {
    return this.leads.map(({ title }) => title).toSorted();
  }
}

const create = (title: string): PreparedRequest => ({
  request: { method: 'POST', path: '/api/leads', body: bodyOf(title) },
  sent: { kind: 'create' },
  did: 'created',
  factsOf: ({ data }) => {
    const id = (data as { id?: number } | undefined)?.id;
    return { made: [{ family: 'leads', ...(id === undefined ? {} : { id }), own: true }] };
  },
});

const stepOf = (n: number, title: string, more: Partial<Step> = {}): Step => ({
  n,
  key: `line ${n}`,
  family: 'leads',
  prepare: async () => create(title),
  lookFor: () => ({ kind: 'create', body: bodyOf(title) }),
  ...more,
});

interface Running {
  readonly ended: ReturnType<typeof carryOut>;
  readonly outcomes: string[];
  readonly waits: [milliseconds: number, count: number][];
  abort(): void;
}

function begin(
  fake: Fake,
  steps: readonly Step[],
  more: Partial<RunOptions> = {},
  own: { concurrency?: number; isDry?: boolean; wait?: number; retries?: number } = {},
): Running {
  const [stop, interrupt] = [new AbortController(), new AbortController()];
  const outcomes: string[] = [];
  const waits: Running['waits'] = [];
  const ended = carryOut(stepsInMemory(steps), journal, {
    service: fake.service(AbortSignal.any([stop.signal, interrupt.signal]), own),
    signal: interrupt.signal,
    stop: () => stop.abort(new Error('The run stops.')),
    maxFailures: Number.POSITIVE_INFINITY,
    endsAtFailure: false,
    describe: (_step, { message }) => message,
    ended: ({ n }, outcome) => outcomes.push('did' in outcome ? `${n} ${outcome.did}` : `${n} failed: ${outcome.failed}`),
    waiting: (milliseconds, count) => waits.push([milliseconds, count]),
    ...more,
  });
  return { ended, outcomes, waits, abort: () => interrupt.abort(new InterruptedError('SIGINT')) };
}

/** Lets so many seconds go by, or the run end; gives how it ended, or nothing. */
async function within(seconds: number, { ended }: Running): Promise<{ halt: Awaited<Running['ended']> } | undefined> {
  let end: { halt: Awaited<Running['ended']> } | undefined;
  void ended.then((halt) => {
    end = { halt };
  });
  for (let passed = 0; passed < seconds * 1000 && end === undefined; passed += 250) await vi.advanceTimersByTimeAsync(250);
  return end;
}

const three = ['A', 'B', 'C'].map((title, index) => stepOf(index + 1, title));

describe('an ordinary run', () => {
  it('sends each step once, and notes what was made', async () => {
    const fake = new Fake();
    const run = begin(fake, three);
    expect(await within(1, run)).toEqual({ halt: undefined });
    expect([fake.titles(), run.outcomes.toSorted()]).toEqual([
      ['A', 'B', 'C'],
      ['1 created', '2 created', '3 created'],
    ]);
    expect(journal.counts()).toMatchObject({ done: 3, failed: 0, lost: 0 });
    expect([...journal.records()].map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(await within(1, begin(fake, three))).toEqual({ halt: undefined });
    expect(fake.writes).toHaveLength(3);
  });

  it('needs no request where all is there', async () => {
    const fake = new Fake();
    const asWanted = { did: 'unchanged', made: [{ family: 'leads', id: 9, own: false }] };
    const run = begin(fake, [stepOf(1, 'A', { prepare: async () => asWanted })]);
    expect([await within(1, run), run.outcomes, fake.writes]).toEqual([{ halt: undefined }, ['1 unchanged'], []]);
    expect([...journal.records()]).toMatchObject([{ id: 9, own: false }]);
  });

  it('keeps of what need not be sent which record it is about', async () => {
    const asWanted = { did: 'unchanged', made: [], target: 7 };
    await within(1, begin(new Fake(), [stepOf(1, 'A', { prepare: async () => asWanted })]));
    expect([...journal.past({ part: 'first' })]).toMatchObject([{ n: 1, state: 'done', did: 'unchanged', id: '7' }]);
  });

  it('leaves out what must not be sent, and counts it apart', async () => {
    const fake = new Fake();
    const conflict = { conflict: new ConflictError('It was changed since.'), target: 7 };
    const run = begin(fake, [stepOf(1, 'A', { prepare: async () => conflict }), stepOf(2, 'B')], { maxFailures: 1 });
    expect([await within(1, run), run.outcomes.toSorted(), fake.titles()]).toEqual([
      { halt: undefined },
      ['1 failed: It was changed since.', '2 created'],
      ['B'],
    ]);
    expect(journal.counts()).toMatchObject({ done: 1, failed: 1, conflicts: 1 });
    expect([...journal.past({ part: 'first' })]).toMatchObject([
      { n: 1, state: 'failed', did: 'conflict', id: '7', status: null, error: 'It was changed since.' },
      { n: 2, state: 'done', did: 'created', id: '1', status: null, error: undefined },
    ]);
  });

  it('ends where an outcome can not be told, and keeps it', async () => {
    const fake = new Fake();
    const error = new Error('The disk is full.');
    const ended = (): void => {
      throw error;
    };
    const run = begin(fake, three, { ended }, { concurrency: 1 });
    expect([await within(1, run), fake.titles()]).toEqual([{ halt: { kind: 'error', error } }, ['A']]);
    expect(journal.counts()).toMatchObject({ done: 1, failed: 0, lost: 0 });
  });

  it('waits with a step for what it needs, and hands over what that made', async () => {
    const fake = new Fake();
    const needing = (n: number, ...before: number[]) =>
      stepOf(n, `after ${before}`, {
        after: before,
        prepare: async (world) => create(`${n} after ${before.map((one) => world.made(one)[0]?.id)}`),
      });
    await within(1, begin(fake, [stepOf(1, 'A'), needing(2, 1), needing(3, 2, 1), stepOf(4, 'B')], {}, { concurrency: 2 }));
    expect(fake.titles()).toEqual(['2 after 1', expect.stringMatching(/^3 after \d,1$/), 'A', 'B']);
  });

  it('dry, it makes the same steps with stand-ins and sends nothing', async () => {
    const fake = new Fake();
    const more = stepOf(2, 'B', { after: [1], prepare: async (world) => create(`of ${world.made(1)[0]?.id}`) });
    const run = begin(fake, [stepOf(1, 'A'), more], {}, { isDry: true });
    expect([await within(1, run), run.outcomes, fake.writes]).toEqual([{ halt: undefined }, ['1 created', '2 created'], []]);
  });
});

describe('a list that comes a record short, before the first record is made', () => {
  const short = (times: number) => {
    const fake = new Fake();
    const service = fake.service(new AbortController().signal);
    let lists = 0;
    const read: Service['api']['read'] = async (request) => {
      lists += 1;
      if (lists > times) return service.api.read(request);
      const meta = { current_page: 1, last_page: 1, total: 2 };
      return { status: 200, data: [{ id: 900 }], envelope: {}, meta };
    };
    return { fake, service: { ...service, api: { ...service.api, read } } };
  };

  it('is read again', async () => {
    const { fake, service } = short(2);
    const run = begin(fake, three, { service });
    expect([await within(5, run), fake.titles()]).toEqual([{ halt: undefined }, ['A', 'B', 'C']]);
  });

  it('again and again: the run stops, and no step has failed', async () => {
    const { fake, service } = short(100);
    const run = begin(fake, three, { service });
    expect(await within(10, run)).toMatchObject({ halt: { kind: 'error', error: { message: expect.stringContaining('only 1 came') } } });
    expect([run.outcomes, fake.writes, three.map(({ n }) => journal.state(n))]).toEqual([[], [], ['intended', 'intended', 'intended']]);
  });
});

describe('a step that fails', () => {
  it('leaves those that need it, and those that need these, and the run ends all the same', async () => {
    const fake = new Fake((title) => (title === 'A' ? taken() : 'take'));
    const steps = [stepOf(1, 'A'), stepOf(2, 'B', { after: [1] }), stepOf(3, 'C', { after: [2] }), stepOf(4, 'D')];
    for (const concurrency of [1, 4]) {
      journal.file.close();
      journal = runInMemory();
      const run = begin(fake, steps, {}, { concurrency });
      expect([await within(5, run), run.outcomes.toSorted()]).toEqual([{ halt: undefined }, ['1 failed: Taken.', '4 created']]);
      expect([2, 3].map((n) => journal.state(n))).toEqual(['intended', 'intended']);
    }
  });

  it('or is done is not sent again by who goes on with the run', async () => {
    const fake = new Fake((title) => (title === 'A' ? taken() : 'take'));
    expect(await within(5, begin(fake, three))).toEqual({ halt: undefined });
    const run = begin(fake, [...three, stepOf(4, 'D')]);
    expect([await within(5, run), run.outcomes]).toEqual([{ halt: undefined }, ['4 created']]);
    expect(fake.writes.toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('ends the run, where it is told to, or at the most of them', async () => {
    const fake = new Fake((title) => (title === 'C' ? 'take' : taken()));
    const run = begin(fake, three, { maxFailures: 2 }, { concurrency: 1 });
    expect([await within(5, run), run.outcomes]).toEqual([{ halt: { kind: 'max-failures' } }, ['1 failed: Taken.', '2 failed: Taken.']]);
    journal.file.close();
    journal = runInMemory();
    const first = begin(fake, three, { endsAtFailure: true }, { concurrency: 1 });
    expect(await within(5, first)).toMatchObject({ halt: { kind: 'error', error: { message: 'Taken.' }, step: { n: 1 } } });
    expect([...journal.past({ state: 'failed' })]).toMatchObject([{ n: 1, key: 'line 1', status: 422, error: 'Taken.' }]);
  });

  it('before it is sent, is no loss', async () => {
    const fake = new Fake();
    const bad = stepOf(2, 'B', { prepare: () => Promise.reject(new RefusedError('Several.')) });
    const run = begin(fake, [stepOf(1, 'A'), bad]);
    expect([await within(5, run), run.outcomes]).toEqual([{ halt: undefined }, ['2 failed: Several.', '1 created'].toSorted().reverse()]);
    expect([...journal.past({ state: 'failed' })]).toMatchObject([{ n: 2, key: 'line 2', status: null, error: 'Several.' }]);
  });

  it('of a fault in the program ends the run at once', async () => {
    const run = begin(new Fake(), [stepOf(1, 'A', { prepare: () => Promise.reject(new TypeError('A fault.')) })]);
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'A fault.' } } });
  });

  it('ends the run for the first of two reasons, though Ctrl-C comes before the end', async () => {
    const slow = (): Promise<PreparedRequest> => new Promise((resolve) => setTimeout(() => resolve(create('B')), 2000));
    const run = begin(new Fake(), [
      stepOf(1, 'A', { prepare: () => Promise.reject(new TypeError('A fault.')) }),
      stepOf(2, 'B', { prepare: slow }),
    ]);
    expect(await within(1, run)).toBeUndefined();
    run.abort();
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'A fault.' } } });
  });
});

describe('a key without the right', () => {
  it('stops the run at the first step, and nothing counts as failed', async () => {
    const run = begin(new Fake(forbidden), three, {}, { concurrency: 1 });
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Forbidden.' } } });
    expect([run.outcomes, journal.state(1)]).toEqual([[], 'intended']);
  });

  it('stops the run where a step only reads, too', async () => {
    const run = begin(new Fake(), [stepOf(1, 'A', { prepare: () => Promise.reject(forbidden()) }), stepOf(2, 'B')], {}, { concurrency: 1 });
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Forbidden.' } } });
    expect([run.outcomes, journal.state(1), journal.counts().failed]).toEqual([[], 'intended', 0]);
  });

  it('fails single steps, and eight of them in a row stop the run', async () => {
    const steps = Array.from({ length: 30 }, (_, index) => stepOf(index + 1, `L${index + 1}`));
    const fake = new Fake((title) => (title === 'L3' || Number(title.slice(1)) > 10 ? forbidden() : 'take'));
    const run = begin(fake, steps, {}, { concurrency: 1 });
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Forbidden.' } } });
    expect(journal.counts()).toMatchObject({ done: 9, failed: 8, lost: 0 });
    expect(journal.state(18)).toBe('intended');
  });

  it('a refusal of another kind between them breaks the row', async () => {
    const steps = Array.from({ length: 30 }, (_, index) => stepOf(index + 1, `L${index + 1}`));
    const fake = new Fake((title) => (title === 'L1' ? 'take' : Number(title.slice(1)) % 2 === 0 ? forbidden() : taken()));
    expect(await within(5, begin(fake, steps, {}, { concurrency: 1 }))).toEqual({ halt: undefined });
    expect(journal.counts()).toMatchObject({ done: 1, failed: 29 });
  });

  it('a single read fails its step once something was written, and the run goes on', async () => {
    const reading = stepOf(2, 'B', { prepare: () => Promise.reject(forbidden()) });
    expect(await within(5, begin(new Fake(), [stepOf(1, 'A'), reading, stepOf(3, 'C')], {}, { concurrency: 1 }))).toEqual({
      halt: undefined,
    });
    expect(journal.counts()).toMatchObject({ done: 2, failed: 1 });
  });
});

describe('an answer that is lost', () => {
  const lostOnce = (deed: Deed) => new Fake((title, nth) => (title === 'B' && nth === 1 ? deed : 'take'));

  it('of a write that went through: the record is found, and nothing is sent again', async () => {
    const fake = lostOnce('act and lose');
    const run = begin(fake, three);
    expect(await within(3, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, fake.titles(), run.outcomes.toSorted()]).toEqual([
      3,
      ['A', 'B', 'C'],
      ['1 created', '2 created', '3 created'],
    ]);
    expect(journal.made(2)).toMatchObject([{ id: 2 }]);
  });

  it.each([
    ['a cut', cut()],
    ['a 500', status(500)],
    ['a time-out', timedOut()],
    ['a 408', new UnavailableError('It failed: 408.', { httpStatus: 408 })],
    ['a 502', status(502)],
  ])('of %s that came to nothing: it is sent again, not before a minute, and the wait is told once', async (_name, error) => {
    const fake = lostOnce(error);
    const run = begin(fake, three);
    expect(await within(59.5, run)).toBeUndefined();
    expect([fake.writes.length, run.waits]).toEqual([3, [[60_000, 1]]]);
    expect(await within(3, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, fake.titles()]).toEqual([4, ['A', 'B', 'C']]);
  });

  it('of a write that came to nothing: the reads of its second turn are done again, as those of the first are', async () => {
    const fake = lostOnce(cut());
    const leads: Lead[] = [];
    let isRefusing = false;
    Object.defineProperty(fake, 'leads', {
      get: () => {
        if (isRefusing) throw status(503);
        return leads;
      },
    });
    let prepared = 0;
    const second = stepOf(2, 'B', {
      prepare: async ({ api }) => {
        prepared += 1;
        isRefusing = prepared === 2;
        await api.read({ method: 'GET', path: '/api/leads/1' }).finally(() => {
          isRefusing = false;
        });
        return create('B');
      },
    });
    const run = begin(fake, [stepOf(1, 'A'), second, stepOf(3, 'C')], {}, { retries: 3, concurrency: 1 });
    expect(await within(120, run)).toEqual({ halt: undefined });
    expect([prepared, fake.titles(), run.outcomes.toSorted()]).toEqual([3, ['A', 'B', 'C'], ['1 created', '2 created', '3 created']]);
  });

  it('an answer that denies is none: nobody calls it created, and it is looked for before it is sent again', async () => {
    const fake = lostOnce('deny');
    const run = begin(fake, three, {}, { wait: 0 });
    expect(await within(5, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, fake.titles()]).toEqual([4, ['A', 'B', 'C']]);
  });

  it('an answer that denies may be wrong: it is sent again only once a lost one would be', async () => {
    const fake = lostOnce('deny');
    // The machine is on for longer than any wait.
    await vi.advanceTimersByTimeAsync(100_000);
    const run = begin(fake, three);
    expect(await within(59.5, run)).toBeUndefined();
    expect(fake.writes).toHaveLength(3);
    expect(await within(3, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, fake.titles()]).toEqual([4, ['A', 'B', 'C']]);
  });

  it('and a list that can not be read for some seconds: it is read again, and nothing is lost or sent twice', async () => {
    const fake = lostOnce('act and lose');
    const service = fake.service(new AbortController().signal);
    let lostAt: number | undefined;
    const read: Service['api']['read'] = async (request) => {
      if (fake.writes.length === 3) lostAt ??= Date.now();
      if (lostAt !== undefined && Date.now() < lostAt + 2500) throw status(503);
      return service.api.read(request);
    };
    const run = begin(fake, three, { service: { ...service, api: { ...service.api, read } } });
    expect(await within(8, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, journal.made(2)]).toMatchObject([3, [{ id: expect.anything() }]]);
  });

  it('and a list that may not be read any more: the run stops, and the step stays lost', async () => {
    const fake = lostOnce('act and lose');
    const service = fake.service(new AbortController().signal);
    const read: Service['api']['read'] = async (request) => {
      if (fake.writes.length === 3) throw forbidden();
      return service.api.read(request);
    };
    const run = begin(fake, three, { service: { ...service, api: { ...service.api, read } } });
    expect(await within(5, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Forbidden.' } } });
    expect([fake.writes.length, journal.state(2)]).toEqual([3, 'sent']);
  });

  it('of a service that dies with its sender: it is sent again at once', async () => {
    const fake = lostOnce(cut());
    const run = begin(fake, three, {}, { wait: 0 });
    expect(await within(2, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, run.waits]).toEqual([4, []]);
  });

  it('again and again, and never there: the step fails', async () => {
    const most = [
      [status(500), 2],
      [status(502), 4],
      [cut(), 4],
    ] as const;
    for (const [error, times] of most) {
      journal.file.close();
      journal = runInMemory();
      const fake = new Fake((title) => (title === 'B' ? error : 'take'));
      const run = begin(fake, three);
      expect(await within(300, run)).toEqual({ halt: undefined });
      expect([fake.writes.filter((title) => title === 'B').length, fake.titles()]).toEqual([times, ['A', 'C']]);
      expect(journal.counts()).toMatchObject({ done: 2, failed: 1, lost: 0 });
    }
  });

  it('once by a cut and once by a 500, and never there: it is sent a third time', async () => {
    const fake = new Fake((title, nth) => (title === 'B' && nth < 3 ? (nth === 1 ? cut() : status(500)) : 'take'));
    expect(await within(300, begin(fake, three))).toEqual({ halt: undefined });
    expect([fake.writes.filter((title) => title === 'B').length, journal.counts().done]).toEqual([3, 3]);
  });

  it('and a failure in the first look that ends the run: nothing is waited for', async () => {
    const gone: Look = { kind: 'target', read: async () => ({ end: 'absent' }) };
    const change = stepOf(1, 'U', { prepare: async () => ({ ...create('U'), sent: { kind: 'update', target: 1 } }), lookFor: () => gone });
    const fake = new Fake((title, nth) => (title === 'U' && nth > 1 ? taken() : cut()));
    const run = begin(fake, [change, stepOf(2, 'B')], { maxFailures: 1 }, { concurrency: 1, retries: 9 });
    expect(await within(30, run)).toBeUndefined();
    expect(await within(60, run)).toEqual({ halt: { kind: 'max-failures' } });
  });

  it('by a service that takes no write any more: the run stops, though it can be read', async () => {
    const steps = Array.from({ length: 100 }, (_, index) => stepOf(index + 1, `L${index + 1}`));
    const fake = new Fake((title) => (Number(title.slice(1)) > 20 ? cut() : 'take'));
    const run = begin(fake, steps);
    expect(await within(120, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Cut.' } } });
    expect(journal.counts()).toMatchObject({ done: 20, failed: 0 });
    expect(journal.counts().lost).toBeLessThan(30);
  });

  it('by a service that refuses others in between: it takes writes, and the run goes on', async () => {
    const steps = Array.from({ length: 20 }, (_, index) => stepOf(index + 1, `row ${index + 1}`));
    const fake = new Fake((title, nth) => (Number(title.slice(4)) % 5 === 1 ? taken() : nth === 1 ? cut() : 'take'));
    const run = begin(fake, steps, {}, { concurrency: 1 });
    expect(await within(120, run)).toEqual({ halt: undefined });
    expect([run.outcomes.filter((one) => one.endsWith('created')).length, journal.counts().failed]).toEqual([16, 4]);
  });

  it.each([
    ['taken already', taken()],
    ['done already', new ConflictError('Done.', { httpStatus: 409 })],
    ['there is nothing to do it with', new NotFoundError('Gone.', { httpStatus: 404 })],
  ])('then "%s": it is looked for once more before it fails', async (_said, refusal) => {
    const fake = new Fake((title, nth) => {
      if (title !== 'B' || nth > 2) return 'take';
      if (nth === 1) return cut();
      // The first one arrives at last, and the second finds its place taken.
      fake.leads.push({ id: 77, title: 'B', created: new Date().toISOString() });
      return refusal;
    });
    const run = begin(fake, three);
    expect(await within(70, run)).toEqual({ halt: undefined });
    expect([fake.titles(), journal.made(2)]).toMatchObject([['A', 'B', 'C'], [{ id: 77 }]]);
    journal.file.close();
    journal = runInMemory();
    const refused = new Fake((title, nth) => (title !== 'B' ? 'take' : nth === 1 ? cut() : refusal));
    const other = begin(refused, three);
    expect([await within(70, other), other.outcomes]).toEqual([
      { halt: undefined },
      expect.arrayContaining([`2 failed: ${refusal.message}`]),
    ]);
  });

  it('beside an equal request that is still under way: its record is not taken for the lost one', async () => {
    const release = Promise.withResolvers<void>();
    const fake = new Fake((_title, nth) => (nth === 1 ? cut() : 'take'));
    const twins = [stepOf(1, 'Twin'), stepOf(2, 'Twin')];
    const run = begin(fake, twins, {
      service: slowSecond(fake, release.promise),
    });
    expect(await within(20, run)).toBeUndefined();
    release.resolve();
    expect(await within(70, run)).toEqual({ halt: undefined });
    expect([fake.titles(), journal.counts().done]).toEqual([['Twin', 'Twin'], 2]);
    expect(new Set([...journal.records()].map(({ id }) => id)).size).toBe(2);
  });

  it('of which nobody can tell: it stays, with what may be meant, and so does what needs it', async () => {
    const fake = new Fake(() => cut());
    const steps = [stepOf(2, 'B'), stepOf(4, 'D', { after: [2] }), stepOf(5, 'E', { after: [4] })];
    const run = begin(fake, steps, {}, { retries: 3 });
    await vi.advanceTimersByTimeAsync(500);
    fake.leads.push({ id: 50, title: 'b', created: new Date().toISOString() });
    expect(await within(70, run)).toEqual({ halt: undefined });
    expect(journal.counts()).toMatchObject({ done: 0, failed: 0, lost: 1 });
    expect([...journal.past({ state: 'sent' })]).toMatchObject([
      { n: 2, part: 0, key: 'line 2', error: 'The request may have made leads 50, unless somebody else did.' },
    ]);
    expect([4, 5].map((n) => journal.state(n))).toEqual(['intended', 'intended']);
    expect(fake.writes).toEqual(['B']);
  });

  it('by a service that always answers 500 to some rows: they fail with its sentence, and the others are made', async () => {
    const steps = Array.from({ length: 40 }, (_, index) => stepOf(index + 1, `L${index + 1}`));
    const isBad = (title: string): boolean => Number(title.slice(1)) % 4 === 0;
    const fake = new Fake((title) => (isBad(title) ? status(500) : 'take'));
    const run = begin(fake, steps);
    expect(await within(200, run)).toEqual({ halt: undefined });
    expect(journal.counts()).toMatchObject({ done: 30, failed: 10, lost: 0 });
    expect(new Set([...journal.past({ state: 'failed' })].map((one) => `${one.status} ${one.error}`))).toEqual(
      new Set(['500 It failed: 500.']),
    );
    expect(fake.writes.filter(isBad)).toHaveLength(20);
  });
});

describe('lists that are late', () => {
  /** The service, which shows records in lists so many seconds late. */
  const late = (fake: Fake, seconds: number): Service => {
    const shown = () => fake.leads.filter(({ created = '' }) => Date.parse(created) <= Date.now() - seconds * 1000);
    return { ...fake.service(new AbortController().signal), api: fakeApi(shown).api };
  };
  const lost = () => new Fake((title, nth) => (title === 'B' && nth === 1 ? 'act and lose' : 'take'));

  it('by less than a minute: what was lost is found, and nothing is sent again', async () => {
    const fake = lost();
    const run = begin(fake, three, { service: late(fake, 45) }, { concurrency: 1 });
    expect(await within(65, run)).toEqual({ halt: undefined });
    expect([fake.titles(), journal.made(2)]).toMatchObject([['A', 'B', 'C'], [{ id: 2 }]]);
  });

  it('by more: the row is there twice, and is named', async () => {
    const fake = lost();
    const run = begin(fake, three, { service: late(fake, 3600) });
    expect(await within(65, run)).toEqual({ halt: undefined });
    expect([fake.titles().toSorted(), journal.sentAgain().map(({ key }) => key)]).toEqual([['A', 'B', 'B', 'C'], ['line 2']]);
  });

  it('by more, after an answer without an id: nobody can tell, and nothing is sent again', async () => {
    const fake = new Fake((title) => (title === 'B' ? 'tell no id' : 'take'));
    const run = begin(fake, three, { service: late(fake, 3600) });
    expect(await within(65, run)).toEqual({ halt: undefined });
    expect([fake.titles().toSorted(), journal.counts().lost]).toEqual([['A', 'B', 'C'], 1]);
  });

  it('by more, after an answer without an id and an interruption: who goes on does not send it again either', async () => {
    const fake = new Fake((title) => (title === 'B' ? 'tell no id' : 'take'));
    const run = begin(fake, three, { service: late(fake, 3600) });
    await within(10, run);
    run.abort();
    expect(await within(1, run)).toEqual({ halt: { kind: 'interrupted' } });
    expect(await within(65, begin(fake, three, { service: late(fake, 3600) }))).toEqual({ halt: undefined });
    expect([fake.titles().toSorted(), journal.counts().lost]).toEqual([['A', 'B', 'C'], 1]);
  });
});

describe('one turn', () => {
  const limited = () => new RateLimitedError('Too many.', { httpStatus: 429, retryIn: 1 });
  const updateOf = (n: number, looks: () => Promise<unknown>, more: Partial<Step> = {}): Step =>
    stepOf(n, 'A', {
      prepare: async ({ api }) => {
        await api.read({ method: 'GET', path: '/api/leads/1' });
        const title = String(await looks());
        return {
          ...create(title),
          sent: { kind: 'update', target: n },
          request: { method: 'POST', path: '/api/leads', body: bodyOf(title) },
        };
      },
      ...more,
    });

  it('prepares anew after a pause, with what is there by then', async () => {
    const fake = new Fake((_title, nth) => (nth === 1 ? limited() : 'take'));
    fake.leads.push({ id: 1, title: 'there' });
    let colleague = 'before';
    const run = begin(fake, [updateOf(1, async () => colleague)], {}, { retries: 3 });
    await vi.advanceTimersByTimeAsync(500);
    expect(fake.writes).toEqual(['before']);
    colleague = 'after';
    // The first write with the new text is refused, too: it is prepared once more.
    expect(await within(30, run)).toEqual({ halt: undefined });
    expect(fake.writes).toEqual(['before', 'after', 'after']);
  });

  it('what was refused has not arrived: the next look is the first, and a conflict is one', async () => {
    const fake = new Fake(() => limited());
    let prepared = 0;
    const conflict = { conflict: new ConflictError('It was changed since.'), target: 1 };
    const step = stepOf(1, 'A', {
      prepare: async () => {
        prepared += 1;
        const change: PreparedRequest = { ...create('A'), sent: { kind: 'update', target: 1 } };
        return prepared === 1 ? change : conflict;
      },
    });
    const run = begin(fake, [step], {}, { retries: 3 });
    expect(await within(10, run)).toEqual({ halt: undefined });
    expect([prepared, run.outcomes]).toEqual([2, ['1 failed: It was changed since.']]);
    expect(journal.counts()).toMatchObject({ failed: 1, lost: 0, conflicts: 1 });
  });

  it('reads that fail in passing are done again, for they may always be', async () => {
    const fake = new Fake();
    let reads = 0;
    Object.defineProperty(fake, 'leads', {
      get: () => {
        reads += 1;
        if (reads < 3) throw status(503);
        return [{ id: 1, title: 'there' }];
      },
    });
    const step = updateOf(1, async () => 'A');
    const run = begin(fake, [step], {}, { retries: 2 });
    expect(await within(30, run)).toEqual({ halt: undefined });
    expect([fake.writes, run.outcomes]).toEqual([['A'], ['1 created']]);
  });

  describe('of a change that is repeated after its answer was lost', () => {
    const change: PreparedRequest = {
      ...create('A'),
      request: { method: 'PATCH', path: '/api/leads/1', body: bodyOf('A'), repeatable: true },
      sent: { kind: 'update', target: 1 },
      did: 'changed',
      factsOf: () => ({ made: [] }),
    };
    const conflict = { conflict: new ConflictError('It was changed since.'), target: 1 };

    it('the first may have arrived, though the second was refused', async () => {
      const fake = new Fake((_title, nth) => (nth === 1 ? cut() : limited()));
      let looks = 0;
      const prepare: Step['prepare'] = async () => {
        looks += 1;
        return looks < 3 ? change : { did: 'unchanged', made: [], target: 1 };
      };
      const lookFor: Step['lookFor'] = () => ({ kind: 'target', read: async () => ({ end: 'absent' }) });
      const run = begin(fake, [stepOf(1, 'A', { prepare, lookFor })], {}, { retries: 2 });
      expect(await within(30, run)).toEqual({ halt: undefined });
      expect([fake.writes.length, run.outcomes]).toEqual([2, ['1 changed']]);
    });

    it('interrupted in the pause of the second, it is lost', async () => {
      const run = begin(
        new Fake((_title, nth) => (nth === 1 ? cut() : limited())),
        [stepOf(1, 'A', { prepare: async () => change })],
        {},
        { retries: 2 },
      );
      await vi.advanceTimersByTimeAsync(900);
      run.abort();
      expect(await within(5, run)).toEqual({ halt: { kind: 'interrupted' } });
      expect([run.outcomes, journal.counts()]).toMatchObject([[], { lost: 1 }]);
    });

    it.each([
      ['killed in the wait for another write', cut()],
      ['killed in the pause of the second', limited()],
    ])('%s, the first may still arrive, so a later process looks for it', async (_name, second) => {
      const fake = new Fake((title, nth) => (title === 'A' && nth > 1 ? second : cut()));
      let hasArrived = false;
      const lookFor: Step['lookFor'] = () => ({
        kind: 'target',
        read: async () => (hasArrived ? { end: 'found', made: [], did: 'changed' } : { end: 'absent' }),
      });
      const isWaiting = !(second instanceof RateLimitedError);
      const steps = [stepOf(1, 'A', { prepare: async () => change, lookFor }), ...(isWaiting ? [stepOf(2, 'B')] : [])];
      const killed = begin(fake, steps, {}, { retries: 2 });
      await vi.advanceTimersByTimeAsync(isWaiting ? 5000 : 900);
      expect([fake.writes.filter((title) => title === 'A').length, journal.state(1)]).toEqual([isWaiting ? 1 : 2, 'sent']);
      killed.abort();
      await within(5, killed);
      hasArrived = true;
      const run = begin(fake, steps.slice(0, 1));
      expect([await within(70, run), run.outcomes]).toEqual([{ halt: undefined }, ['1 changed']]);
    });

    it.each([
      ['it arrived and is the reason', true, ['1 changed']],
      ['it does not arrive', false, ['1 failed: Gone.']],
    ])('the second can not be prepared, so it is looked for once more: %s', async (_name, arrives, outcomes) => {
      let [prepared, hasArrived] = [0, false];
      const step = stepOf(1, 'A', {
        prepare: async () => {
          prepared += 1;
          if (prepared === 1) return change;
          hasArrived = arrives;
          throw new NotFoundError('Gone.');
        },
        lookFor: () => ({
          kind: 'target',
          read: async () => (hasArrived ? { end: 'found', made: [], did: 'changed' } : { end: 'absent' }),
        }),
      });
      const run = begin(new Fake(() => cut()), [step], {}, { retries: 2 });
      expect([await within(70, run), run.outcomes]).toEqual([{ halt: undefined }, outcomes]);
    });

    it('and can not be marked a second time: the first may still arrive, so the mark of the first stays', async () => {
      const fake = new Fake(() => cut());
      const error = new Error('The disk is full.');
      const lookFor: Step['lookFor'] = () => ({ kind: 'target', read: async () => ({ end: 'absent' }) });
      const flush = journal.flush.bind(journal);
      using flushes = vi.spyOn(journal, 'flush');
      flushes.mockImplementation(() => {
        if (fake.writes.length > 0) throw error;
        flush();
      });
      const run = begin(fake, [stepOf(1, 'A', { prepare: async () => change, lookFor })], {}, { retries: 2 });
      expect(await within(70, run)).toEqual({ halt: { kind: 'error', error } });
      flushes.mockImplementation(flush);
      expect([fake.writes, journal.state(1)]).toEqual([['A'], 'sent']);
    });

    it.each([
      ['it arrives', 2, ['1 changed']],
      ['it does not arrive', Number.POSITIVE_INFINITY, ['1 failed: It was changed since.']],
    ])('a conflict counts once the first can not arrive any more: %s', async (_name, arrives, outcomes) => {
      const fake = new Fake(() => cut());
      let [prepared, looks] = [0, 0];
      const step = stepOf(1, 'A', {
        prepare: async () => {
          prepared += 1;
          return prepared === 1 ? change : conflict;
        },
        lookFor: () => ({
          kind: 'target',
          read: async () => {
            looks += 1;
            return looks < arrives ? { end: 'absent' } : { end: 'found', made: [], did: 'changed' };
          },
        }),
      });
      const run = begin(fake, [step], {}, { retries: 2 });
      expect(await within(60, run)).toEqual({ halt: undefined });
      expect([fake.writes.length, run.outcomes]).toEqual([1, outcomes]);
    });
  });

  it('reads that the service refuses for too long end the run, and fail no step', async () => {
    const fake = new Fake();
    Object.defineProperty(fake, 'leads', {
      get: () => {
        throw limited();
      },
    });
    const run = begin(fake, [updateOf(1, async () => 'A'), updateOf(2, async () => 'B')], {}, { retries: 3 });
    expect(await within(3600, run)).toMatchObject({ halt: { kind: 'error', error: { message: 'Too many.' } } });
    expect([run.outcomes, journal.counts().failed, journal.state(1)]).toEqual([[], 0, 'intended']);
  });

  it('an interruption in a pause leaves what was refused unsent, and fails nothing', async () => {
    const fake = new Fake(() => limited());
    fake.leads.push({ id: 1, title: 'there' });
    const run = begin(
      fake,
      [1, 2, 3].map((n) => updateOf(n, async () => `row ${n}`)),
      {},
      { retries: 3 },
    );
    await vi.advanceTimersByTimeAsync(500);
    run.abort();
    expect(await within(1, run)).toEqual({ halt: { kind: 'interrupted' } });
    expect(run.outcomes).toEqual([]);
    expect([1, 2, 3].map((n) => journal.state(n))).toEqual(['intended', 'intended', 'intended']);
  });
});

/** The same service, whose second answer comes late: its record is there before. */
function slowSecond(fake: Fake, until: Promise<void>): Service {
  const service = fake.service(new AbortController().signal);
  let sent = 0;
  return {
    ...service,
    inTurn: (work, mayRepeat) =>
      service.inTurn((turn) => {
        const send: ServiceTurn['send'] = async (key, request, leaving) => {
          sent += 1;
          const isSecond = sent === 2;
          const answer = await turn.send(key, request, leaving);
          if (isSecond) await until;
          return answer;
        };
        return work({ ...turn, send });
      }, mayRepeat),
  };
}

describe('an answer with the id of a record that was there', () => {
  const withOld = (deed: Deed) => {
    const fake = new Fake((title) => (title === 'B' ? deed : 'take'));
    fake.leads.push({ id: 1, title: 'B', created: '2026-11-20T09:00:00Z' });
    return fake;
  };

  it('is not taken at its word: the record that came about is found', async () => {
    const fake = withOld('tell an old id');
    expect(await within(5, begin(fake, three, {}, { concurrency: 1 }))).toEqual({ halt: undefined });
    expect([journal.made(2), fake.writes]).toMatchObject([[{ id: 3 }], ['A', 'B', 'C']]);
  });

  it('which made nothing that can be seen: nobody can tell, it is not sent again, and nobody’s record counts as the run’s', async () => {
    const fake = withOld('do nothing and tell an old id');
    // Nothing is waited for: the id in the answer is looked for at once.
    expect(await within(5, begin(fake, three))).toEqual({ halt: undefined });
    expect([journal.made(2), fake.writes.length, [...journal.past({ state: 'sent' })]]).toMatchObject([
      [],
      3,
      [{ n: 2, part: 0, key: 'line 2', error: 'The service answered 201 with lead 1, which was there before.' }],
    ]);
  });

  it.each(['this run', 'another run'])('that %s has noted: it is not taken at its word either', async (whose) => {
    const fake = new Fake((title) => (title === 'B' ? 'tell an old id' : 'take'));
    if (whose === 'another run') {
      // What is there is noted before the other run makes its record.
      const both = Journal.inMemory('http://crm.example');
      journal.file.close();
      journal = both.begin(header);
      journal.begin(5000);
      journal.noteBaseline('leads', []);
      const other = both.begin(header);
      other.begin(5000);
      other.intend([three[0] as Step]);
      other.done(1, 'created', [{ family: 'leads', id: 1, own: true }]);
      other.flush();
      fake.leads.push({ id: 1, title: 'B', created: new Date().toISOString() });
    }
    const steps = whose === 'this run' ? three : three.slice(1);
    expect(await within(5, begin(fake, steps, {}, { concurrency: 1 }))).toEqual({ halt: undefined });
    expect([journal.made(2), fake.writes.filter((title) => title === 'B')]).toMatchObject([[{ id: 2 }], ['B']]);
  });
});

describe('a read behind an answered write that fails', () => {
  const readingOf = (error: CrmError): Step =>
    stepOf(1, 'A', { prepare: async () => ({ ...create('A'), factsOf: () => Promise.reject(error) }) });

  it('the key is refused: the run stops, and the write stays lost', async () => {
    const error = new UnauthorizedError('No key.', { httpStatus: 401 });
    const fake = new Fake();
    expect(await within(5, begin(fake, [readingOf(error)]))).toMatchObject({ halt: { kind: 'error', error } });
    expect(journal.state(1)).toBe('sent');
    expect(
      await within(
        70,
        begin(
          fake,
          [three[0]].filter((step) => step !== undefined),
        ),
      ),
    ).toEqual({ halt: undefined });
    expect([fake.writes, journal.state(1)]).toEqual([['A'], 'done']);
  });

  it.each([
    ['it is forbidden', forbidden()],
    ['the service answers 429', new RateLimitedError('Later.')],
    ['nothing is found', new NotFoundError('Nothing.', { httpStatus: 404 })],
  ])('%s: the write is looked for, and has not failed', async (_why, error) => {
    const fake = new Fake();
    const run = begin(fake, [readingOf(error)]);
    expect(await within(5, run)).toEqual({ halt: undefined });
    expect([fake.writes, run.outcomes]).toEqual([['A'], ['1 created']]);
  });
});

it.each(['tell nothing', 'tell no id'] as const)(
  'an answer without an id (%s): the record is there, it is never sent again, and has the first choice',
  async (deed) => {
    const fake = new Fake((title, nth) => (title === 'Twin' && nth === 1 ? deed : title === 'Twin' && nth === 2 ? cut() : 'take'));
    const run = begin(fake, [stepOf(1, 'Twin'), stepOf(2, 'Twin')], {}, { concurrency: 1 });
    expect(await within(65, run)).toEqual({ halt: undefined });
    expect([fake.writes.length, fake.titles()]).toEqual([3, ['Twin', 'Twin']]);
    expect([journal.made(1), journal.made(2)]).toMatchObject([[{ id: 1 }], [{ id: 2 }]]);
  },
);

describe('what an earlier process sent', () => {
  /** Notes steps as sent by a process that is gone. */
  const leave = (...numbers: number[]): void => leaveWaiting(5000, ...numbers);
  /** The same, of a process that waited for each answer for so many milliseconds. */
  const leaveWaiting = (timeout: number, ...numbers: number[]): void => {
    journal.begin(timeout);
    journal.noteBaseline('leads', []);
    journal.intend(three);
    for (const n of numbers) journal.sent(n, { kind: 'create' });
  };

  it('is looked for while the others are sent; only what is absent waits', async () => {
    const fake = new Fake();
    leave(1, 2);
    fake.leads.push({ id: 9, title: 'B', created: new Date().toISOString() });
    const run = begin(fake, three);
    expect(await within(3, run)).toBeUndefined();
    expect([run.outcomes.toSorted(), fake.writes, run.waits]).toEqual([['2 created', '3 created'], ['C'], [[60_000, 1]]]);
    await within(56, run);
    expect(fake.writes).toEqual(['C']);
    expect(await within(5, run)).toEqual({ halt: undefined });
    expect([fake.writes, fake.titles()]).toEqual([
      ['C', 'A'],
      ['A', 'B', 'C'],
    ]);
  });

  it('to a service that dies with its sender is sent again at once', async () => {
    const fake = new Fake();
    leave(1);
    const run = begin(fake, three, {}, { wait: 0 });
    expect([await within(2, run), run.waits]).toEqual([{ halt: undefined }, []]);
    expect(fake.titles()).toEqual(['A', 'B', 'C']);
  });

  it('is waited for as long as the earlier process may have waited for the answer', async () => {
    leaveWaiting(120_000, 1);
    const run = begin(new Fake(), three);
    expect([await within(110, run), run.waits]).toEqual([undefined, [[120_000, 1]]]);
    expect(await within(15, run)).toEqual({ halt: undefined });
  });

  it('is not waited for once it is long ago', async () => {
    leave(1);
    await vi.advanceTimersByTimeAsync(60_000);
    const run = begin(new Fake(), three);
    expect([await within(3, run), run.waits]).toEqual([{ halt: undefined }, []]);
  });

  it('and is no longer in the plan, nobody can tell of', async () => {
    leave(2);
    const run = begin(
      new Fake(),
      [three[0], three[2]].filter((step) => step !== undefined),
    );
    expect(await within(70, run)).toEqual({ halt: undefined });
    expect([...journal.past({ state: 'sent' })].map(({ n, error }) => [n, error])).toEqual([
      [2, 'The file no longer has the values that were sent, so no look can find the record.'],
    ]);
  });

  it('is sent once, though the plan comes to it after a round that lost too many', async () => {
    const earlier = 520;
    const steps = Array.from({ length: earlier }, (_, index) => stepOf(index + 1, `L${index + 1}`));
    const slow = stepOf(earlier, `L${earlier}`, {
      prepare: async () => {
        await new Promise<void>((resolve) => void setTimeout(resolve, 1000));
        return create(`L${earlier}`);
      },
    });
    journal.begin(5000);
    journal.noteBaseline('leads', []);
    journal.intend([slow]);
    journal.sent(earlier, { kind: 'create' });
    const fake = new Fake((title, nth) => (nth === 1 && title !== `L${earlier}` ? 'deny' : 'take'));
    const run = begin(fake, [...steps.slice(0, -1), slow], {}, { wait: 0 });
    expect(await within(30, run)).toEqual({ halt: undefined });
    expect(fake.titles().filter((title) => title === `L${earlier}`)).toHaveLength(1);
    // The look for the first 500 comes before the steps behind them.
    expect(fake.writes.findIndex((title, at) => fake.writes.indexOf(title) < at)).toBeLessThan(510);
  });

  it('with a part that has nothing to write: who goes on does not ask for that part again', async () => {
    const asked = vi.fn(async () => ({ did: 'unchanged', made: [] }));
    const idle: Part = { part: 1, name: 'tags', key: 'line 1, tags', prepare: asked, lookFor: () => unknowable };
    const steps = [stepOf(1, 'A', { parts: [idle] }), stepOf(2, 'B')];
    const fake = new Fake((title, nth) => (title === 'B' && nth === 1 ? new UnauthorizedError('No key.') : 'take'));
    expect(await within(5, begin(fake, steps, {}, { concurrency: 1 }))).toMatchObject({ halt: { kind: 'error' } });
    expect(await within(5, begin(fake, steps))).toEqual({ halt: undefined });
    expect(asked).toHaveBeenCalledTimes(1);
    journal.end(header.began);
    expect([...journal.steps()].map(({ n, part }) => [n, part])).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  it('is a part: the parts before it are over, and those behind it are marked before they are sent', async () => {
    const sent: string[] = [];
    const update = (part: number): PreparedRequest => ({
      request: { method: 'PUT', path: '/api/leads/1', body: bodyOf(`part ${part}`) },
      sent: { kind: 'update', target: 1 },
      did: 'updated',
      factsOf: () => ({ made: [] }),
    });
    const partOf = (part: number): Part => ({
      part,
      name: `part ${part}`,
      key: `line 1, part ${part}`,
      prepare: async () => {
        sent.push(`part ${part}`);
        return update(part);
      },
      lookFor: () => ({ kind: 'target', read: async () => ({ end: 'found', made: [], did: 'updated' }) }),
    });
    const step = stepOf(1, 'A', { parts: [1, 2, 3].map(partOf) });
    journal.begin(5000);
    journal.intend([step, partOf(2)].map(({ key }, index) => ({ n: 1, part: index * 2, key, family: 'leads' })));
    journal.done(1, 'created', [{ family: 'leads', id: 1, own: true }]);
    journal.sent({ n: 1, part: 2 }, { kind: 'update', target: 1 });
    const isMarked: boolean[] = [];
    const fake = new Fake(() => {
      isMarked.push(journal.state({ n: 1, part: 3 }) === 'sent');
      return 'take';
    });
    expect(await within(5, begin(fake, [step]))).toEqual({ halt: undefined });
    expect([sent, isMarked]).toEqual([['part 3'], [true]]);
    expect([...journal.steps()].map(({ part, state }) => [part, state])).toEqual([
      [0, 'done'],
      [2, 'done'],
      [3, 'done'],
    ]);
  });

  it('is a change that arrives after the look: who goes on finds the new values, and the change counts as made', async () => {
    journal.begin(5000);
    const step = stepOf(1, 'A', {
      prepare: async () => ({ did: 'unchanged', made: [], target: 1 }),
      lookFor: () => ({ kind: 'target', read: async () => ({ end: 'absent' }) }),
    });
    journal.intend([step]);
    journal.sent(1, { kind: 'update', target: 1, before: { title: 'old' } });
    const run = begin(new Fake(), [step]);
    expect([await within(5, run), run.outcomes]).toEqual([{ halt: undefined }, ['1 updated']]);
  });

  it('and may be repeated, is; and what a look can tell of is told', async () => {
    journal.begin(5000);
    const looks = vi.fn(async () => ({ end: 'found' as const, made: [], did: 'updated' }));
    const steps = [
      stepOf(1, 'A', { lookFor: () => ({ kind: 'repeatable' }) }),
      stepOf(2, 'B', { lookFor: () => ({ kind: 'target', read: looks }) }),
      stepOf(3, 'C', { lookFor: () => unknowable }),
    ];
    journal.intend(steps);
    for (const { n } of steps) journal.sent(n, { kind: 'update', target: 7, before: { value: '1' } });
    const fake = new Fake();
    const run = begin(fake, steps);
    expect(await within(70, run)).toEqual({ halt: undefined });
    expect([fake.writes, run.outcomes.toSorted(), journal.state(3)]).toEqual([['A'], ['1 created', '2 updated'], 'sent']);
    expect([...journal.past({ state: 'sent' })]).toMatchObject([
      { n: 3, part: 0, key: 'line 3', error: 'The file no longer has the values that were sent, so no look can find the record.' },
    ]);
    expect(looks).toHaveBeenCalledTimes(1);
  });
});

it('an interruption lets what was sent land, and begins nothing', async () => {
  const steps = Array.from({ length: 50 }, (_, index) => stepOf(index + 1, `L${index + 1}`));
  const fake = new Fake();
  const running: { run?: Running } = {};
  const interrupting = new Fake((title) => {
    if (title === 'L10') running.run?.abort();
    return 'take';
  });
  const run = begin(interrupting, steps, {}, { concurrency: 2 });
  running.run = run;
  expect(await within(5, run)).toEqual({ halt: { kind: 'interrupted' } });
  const { done, lost } = journal.counts();
  expect([lost, interrupting.writes.length]).toEqual([0, done]);
  expect(done).toBeLessThan(13);
  fake.leads.push(...interrupting.leads);
  expect(await within(5, begin(fake, steps))).toEqual({ halt: undefined });
  expect(fake.writes).toHaveLength(50 - done);
});
