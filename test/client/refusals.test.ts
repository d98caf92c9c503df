// Commands against a service that refuses requests, by a replaced clock: how many requests it gets, how the command ends, and after how long.
// The service holds leads; each behaviour decides what becomes of a request by the time alone.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { WireRequest, WireResponse } from '../../src/client/transport/wire.ts';
import { main } from '../../src/entry/main.ts';
import { type Life, World } from '../simulation/world.ts';
import { fakeIo } from '../support/fake-io.ts';
import { randomFrom } from '../support/random.ts';
import { LEAD } from '../wire/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A refusal: a 429, or a 503, and what it asks for. */
interface Refusal {
  readonly status?: number;
  readonly retryAfter?: string;
}

/** Tells whether a request is refused. `at`: milliseconds since the service was first asked. `count`: the requests so far. */
type Rule = (request: {
  readonly isWrite: boolean;
  readonly path: string;
  readonly at: number;
  readonly count: number;
}) => Refusal | undefined;

interface Told {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The requests: when, and what. */
  readonly asked: readonly { readonly at: number; readonly line: string; readonly isRefused: boolean }[];
  /** Milliseconds. */
  readonly took: number;
}

/** The service's clock is `ahead` of the machine's by some milliseconds. */
async function run(argv: readonly string[], rule: Rule, { ahead = 0, records = 500 } = {}): Promise<Told> {
  const world = new World();
  const life: Life = { name: 'crm', isOver: false, open: new Set(), happened: 0 };
  const leads = new Map(Array.from({ length: records }, (_, index) => [index + 1, { ...LEAD, id: index + 1 } as Record<string, unknown>]));
  const asked: { at: number; line: string; isRefused: boolean }[] = [];
  let first: number | undefined;
  const answerTo = ({ method, target, body }: WireRequest): Omit<WireResponse, 'body'> & { readonly json: unknown } => {
    first ??= world.now;
    const { pathname: path, searchParams } = new URL(target, 'http://x');
    const isWrite = method !== 'GET';
    const refusal = rule({ isWrite, path, at: world.now - first, count: asked.length + 1 });
    asked.push({ at: world.now - first, line: `${method} ${path}`, isRefused: refusal !== undefined });
    const headers = { date: world.wall(ahead).toUTCString(), 'content-type': 'application/json' };
    if (refusal !== undefined) {
      const { status = 429, retryAfter } = refusal;
      return {
        status,
        headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) },
        json: { message: 'No.' },
      };
    }
    const [, id, below] = /^\/api\/leads\/(\d+)(\/\w+)?$/.exec(path) ?? [];
    if (id === undefined) {
      const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 25)];
      const meta = { current_page: page, per_page: size, total: leads.size, last_page: Math.ceil(leads.size / size) };
      return { status: 200, headers, json: { data: [...leads.values()].slice((page - 1) * size, page * size), meta } };
    }
    const lead = leads.get(Number(id));
    if (lead === undefined) return { status: 404, headers, json: { message: 'Lead not found.' } };
    const sent = new URLSearchParams(body);
    if (below === '/tags') lead.tags = sent.getAll('tags[]');
    if (below === '/archive') lead.active_state = 'archived';
    if (method === 'PATCH') lead.source = sent.get('lead_source');
    return { status: 200, headers, json: { data: lead } };
  };
  const exchange = (request: WireRequest, signal: AbortSignal): Promise<WireResponse> =>
    new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort);
      world.after(
        1,
        () => {
          const { json, ...answer } = answerTo(request);
          signal.removeEventListener('abort', abort);
          world.after(1, () => resolve({ ...answer, body: Buffer.from(JSON.stringify(json)) }), life);
        },
        life,
      );
    });
  const io = fakeIo();
  const env = {
    CRM_BASE_URL: 'https://crm.example',
    CRM_API_KEY: 'k',
    CRM_DATA_DIR: mkdtempSync(join(folder, 'data-')),
    CRM_CONFIG_DIR: join(folder, 'config'),
  };
  let status = -1;
  let took = 0;
  world.live(life, 0, async () => {
    const clock = world.clockOf(life, randomFrom(7));
    const surroundings = {
      io,
      env,
      cwd: folder,
      signal: new AbortController().signal,
      clock,
      transport: { exchange, close: async () => {} },
    };
    status = await main(argv, surroundings);
    took = world.now;
  });
  await world.run(() => life.isOver);
  return { status, stdout: io.stdoutText(), stderr: io.stderrText(), asked, took };
}

/** Refuses one kind of requests for some seconds. `asks`: with a Retry-After of what is left. */
const refusing =
  (kind: 'reads' | 'writes' | 'tags', seconds: number, asks = false): Rule =>
  ({ isWrite, path, at }) => {
    const isMeant = kind === 'tags' ? path.endsWith('/tags') : isWrite === (kind === 'writes');
    if (!isMeant || at >= seconds * 1000) return undefined;
    return asks ? { retryAfter: String(Math.ceil(seconds - at / 1000)) } : {};
  };

/** Accepts a request only when the last accepted one was so long before, as nginx's `limit_req` without a burst. */
function spaced(milliseconds: number): Rule {
  let last = Number.NEGATIVE_INFINITY;
  return ({ at }) => {
    if (at - last < milliseconds) return {};
    last = at;
    return undefined;
  };
}

const update = ['leads', 'update', '1', '--source', 'Web', '--json'];
const tag = ['leads', 'tags', '1', '--add', 'hot', '--json'];
const archive = (ids: string): string[] => ['leads', 'archive', ids, '--yes', '--json'];
const many = archive(Array.from({ length: 100 }, (_, index) => index + 1).join(','));

const refusedOf = ({ asked }: Told): number => asked.filter(({ isRefused }) => isRefused).length;
const writesOf = ({ asked }: Told): number => asked.filter(({ line }) => !line.startsWith('GET')).length;
const errorOf = ({ stderr }: Told): Record<string, unknown> => JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error;

describe('one record', () => {
  it.each([
    ['writes refused for 5 s', update, refusing('writes', 5)],
    ['writes refused for 5 s, with Retry-After', update, refusing('writes', 5, true)],
    ['writes refused for 20 s, with Retry-After', tag, refusing('writes', 20, true)],
    ['reads refused for 5 s', update, refusing('reads', 5)],
    ['one endpoint refused for 5 s', tag, refusing('tags', 5)],
    ['requests spaced by 100 ms', update, spaced(100)],
    ['requests spaced by 1 s', tag, spaced(1000)],
  ])('%s: it is done', async (_name, argv, rule) => {
    const told = await run(argv, rule);
    expect([told.status, told.stderr.includes('error')], told.stderr).toEqual([0, false]);
    expect(refusedOf(told)).toBeLessThanOrEqual(3);
  });

  it.each([
    ['writes refused for 20 s', update, refusing('writes', 20)],
    ['one endpoint refused for 700 s', tag, refusing('tags', 700)],
    ['every second request refused', update, (({ count }) => (count % 2 === 0 ? {} : undefined)) as Rule],
  ])('%s: 6 after the tries, and when to come again', async (_name, argv, rule) => {
    const told = await run(argv, rule);
    expect(told.status, told.stderr).toBe(6);
    expect(writesOf(told)).toBe(4);
    expect(errorOf(told).retry_after).toBeGreaterThanOrEqual(4);
  });

  it('asked for more than 60 s: 6 at once', async () => {
    const told = await run(update, refusing('writes', 700, true));
    expect([told.status, writesOf(told), errorOf(told)]).toMatchObject([
      6,
      1,
      { retry_after: 700, hint: 'Try again in 12 min. The service asks to wait: Retry-After 700.' },
    ]);
  });

  it('without further tries: 6 at the first 429', async () => {
    const told = await run([...update, '--retries', '0'], refusing('writes', 5));
    expect([told.status, told.asked.length]).toEqual([6, 2]);
  });

  it.each([-3_600_000, 3_600_000])('a Retry-After that is a date is counted by the clock of the service, %d ms ahead', async (ahead) => {
    const until = new Date(new World().wall(ahead).getTime() + 20_000).toUTCString();
    const told = await run(update, ({ isWrite, at }) => (isWrite && at < 18_000 ? { retryAfter: until } : undefined), { ahead });
    expect([told.status, refusedOf(told)], told.stderr).toEqual([0, 1]);
    expect(told.took).toBeGreaterThan(18_000);
  });

  it('the pauses behind failures double', async () => {
    const told = await run(['leads', 'get', '1', '--retries', '4', '--json'], () => ({ status: 500 }));
    const pauses = told.asked.slice(1).map(({ at }, index) => at - (told.asked[index]?.at ?? 0));
    // From half to whole of 0.25 s, doubled each time, with what the requests take.
    expect(pauses).toHaveLength(4);
    for (const [index, pause] of pauses.entries())
      expect([pause >= 125 * 2 ** index, pause <= 250 * 2 ** index + 10]).toEqual([true, true]);
  });

  it('a 503 with Retry-After pauses a read, and ends with 7', async () => {
    const told = await run(['leads', 'get', '1', '--retries', '1', '--json'], () => ({ status: 503, retryAfter: '700' }));
    expect([told.status, told.asked.length]).toEqual([7, 2]);
    expect(Math.round(told.took / 1000)).toBe(60);
  });
});

describe('several records', () => {
  it.each([
    ['two: writes refused for 5 s', archive('1,2'), refusing('writes', 5), 5],
    ['two: writes refused for 20 s', archive('1,2'), refusing('writes', 20), 7],
    ['two: writes refused for 700 s, with Retry-After', archive('1,2'), refusing('writes', 700, true), 3],
    ['two: reads refused for 20 s', archive('1,2'), refusing('reads', 20), 7],
    ['two: requests spaced by 100 ms', archive('1,2'), spaced(100), 12],
    ['two: requests spaced by 1 s', archive('1,2'), spaced(1000), 20],
    ['100: writes refused for 20 s', many, refusing('writes', 20), 10],
    ['100: requests spaced by 100 ms', many, spaced(100), 1000],
    ['100: requests spaced by 1 s', many, spaced(1000), 1000],
  ])('%s: all are done', async (_name, argv, rule, most) => {
    const told = await run(argv, rule);
    expect(told.status, told.stderr.slice(0, 2000)).toBe(0);
    expect(refusedOf(told)).toBeLessThanOrEqual(most);
  });

  it.each([
    ['writes refused for 700 s', refusing('writes', 700)],
    ['every second request refused', (({ count }) => (count % 2 === 0 ? {} : undefined)) as Rule],
  ])('%s: they end with 6 after ten minutes, unless some get through', async (_name, rule) => {
    const told = await run(archive('1,2'), rule);
    expect([0, 6], told.stderr).toContain(told.status);
    expect(told.took).toBeLessThan(700_000);
    expect(told.asked.length).toBeLessThan(60);
    if (told.status === 6) expect([errorOf(told).retry_after, told.took > 599_000]).toEqual([expect.any(Number), true]);
  });

  it('asked for more than an hour: 6 at once', async () => {
    const told = await run(archive('1,2'), refusing('writes', 7200, true));
    expect([told.status, errorOf(told).retry_after]).toEqual([6, 7200]);
    expect(told.took).toBeLessThan(2000);
  });

  it('without further tries: 6 at the first 429', async () => {
    const told = await run([...archive('1,2'), '--retries', '0'], refusing('writes', 5));
    expect(told.status).toBe(6);
    expect(writesOf(told)).toBeLessThanOrEqual(2);
  });

  it('says what it waits for', async () => {
    const told = await run(archive('1,2'), refusing('writes', 20, true));
    expect(told.stderr).toContain("The service can't take more now: going on in 20 s. crm waits up to 1 h in all.");
  });

  it('--rate holds within a turn', async () => {
    writeFileSync(join(folder, 'rows.csv'), 'id,source\n1,Web\n2,Web\n3,Web\n');
    const told = await run(
      ['leads', 'import', 'rows.csv', '--mode', 'update', '--match', 'id', '--rate', '1', '--yes', '--json'],
      spaced(990),
    );
    expect(told.status, told.stderr).toBe(0);
    // The run's first request follows the look at the file's records at once.
    expect(refusedOf(told)).toBeLessThanOrEqual(1);
  });
});

describe('a list that is read whole', () => {
  const list = ['leads', 'list', '--all', '-o', 'ids'];
  it.each([
    ['reads refused for 20 s', refusing('reads', 20)],
    ['reads refused for 700 s, with Retry-After', refusing('reads', 700, true)],
    ['every second request refused', (({ count }) => (count % 2 === 0 ? {} : undefined)) as Rule],
    ['requests spaced by 100 ms', spaced(100)],
    ['requests spaced by 1 s', spaced(1000)],
  ])('%s: it comes whole', async (_name, rule) => {
    const told = await run(list, rule);
    expect([told.status, told.stdout.trim().split('\n').length], told.stderr).toEqual([0, 500]);
    expect(told.asked.length).toBeLessThan(40);
  });

  it('refused for 700 s without a word: 6', async () => {
    const told = await run(list, refusing('reads', 700));
    expect(told.status, told.stderr).toBe(6);
    expect(told.asked.length).toBeLessThan(30);
  });

  it('a single page is one record: 6 after the tries', async () => {
    const told = await run(['leads', 'list', '--page', '1', '--json'], refusing('reads', 700));
    expect([told.status, told.asked.length]).toEqual([6, 4]);
  });
});
