// Lists page by page: how much is asked for and when, and what becomes of services that count oddly.

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { CrmError, IncompleteListError, UnavailableError } from '../../src/base/errors.ts';
import { Backoff } from '../../src/client/backoff.ts';
import type { Api } from '../../src/client/client.ts';
import { readEnvelope } from '../../src/client/envelope.ts';
import { allRecords, type Extent, everyPage, listPages } from '../../src/client/paging.ts';
import type { Answer, ApiRequest } from '../../src/client/types.ts';

const request: ApiRequest = { method: 'GET', path: '/api/leads', query: [['status', '2']] };

/** A page request as the service sees it: number and size. */
interface Asked {
  readonly page: number;
  readonly size: number;
}

interface Service {
  readonly api: Api;
  /** `page×size` of each request, in the order in which they came. */
  readonly asked: string[];
  /** Requests that were cancelled before they were answered. */
  readonly cancelled: string[];
  mostAtOnce(): number;
}

/** An API whose lists are answered by a function; every answer takes `ms`. */
function service(answer: (asked: Asked) => unknown, ms = 0): Service {
  const asked: string[] = [];
  const cancelled: string[] = [];
  let atOnce = 0;
  let most = 0;
  const read = async (one: ApiRequest, signal?: AbortSignal): Promise<Answer> => {
    expect(one).toMatchObject({ method: 'GET', path: '/api/leads' });
    const query = new Map(one.query ?? []);
    const [page, size] = [query.get('page') ?? '1', query.get('limit') ?? 'own'];
    asked.push(`${page}×${size}`);
    atOnce += 1;
    most = Math.max(most, atOnce);
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      cancelled.push(`${page}×${size}`);
      throw error;
    } finally {
      atOnce -= 1;
    }
    return readEnvelope(200, JSON.stringify(answer({ page: Number(page), size: Number(size) || 25 })));
  };
  const write = () => Promise.reject(new Error('a list writes nothing'));
  return {
    api: { read, write, command: 'crm', backoff: new Backoff(systemClock), begin: () => () => {}, unsent: [], close: async () => {} },
    asked,
    cancelled,
    mostAtOnce: () => most,
  };
}

/** A service that does everything right, over `total` records; `cap` is the most that it puts on a page. */
const proper =
  (total: number, cap = 100) =>
  ({ page, size }: Asked): unknown => {
    const perPage = Math.min(size, cap);
    const data = numbered((page - 1) * perPage + 1, Math.min(total, page * perPage));
    return { data, meta: { current_page: page, per_page: perPage, total, last_page: Math.max(1, Math.ceil(total / perPage)) } };
  };

const numbered = (from: number, to: number): { id: number }[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index }));

interface Read {
  readonly ids: unknown[];
  readonly pages: number;
  readonly more: number;
  readonly long: number[];
  readonly moved: number[];
  /** `grew`, and how many records were missed in the first reading. */
  readonly heard: (string | number)[];
}

async function readAll({ api }: Service, extent: Extent): Promise<Read> {
  const read = { ids: [] as unknown[], pages: 0, more: 0, long: [] as number[], moved: [] as number[], heard: [] as (string | number)[] };
  const notices = {
    more: () => {
      read.more += 1;
    },
    long: (total: number) => read.long.push(total),
    moved: (repeated: number) => read.moved.push(repeated),
    grew: () => read.heard.push('grew'),
    again: (missed: number) => read.heard.push(missed),
  };
  for await (const { data } of listPages(api, request, extent, new AbortController().signal, notices)) {
    read.pages += 1;
    read.ids.push(...(data as { id: unknown }[]).map(({ id }) => id));
  }
  return read;
}

const upTo = (count: number): number[] => numbered(1, count).map(({ id }) => id);
const all: Extent = { kind: 'all' };
const once: Extent = { kind: 'all', once: true };
const count = (number: number): Extent => ({ kind: 'count', count: number });

describe('how much is asked for', () => {
  it.each<[string, Extent, number, string[], number]>([
    ['nothing named', { kind: 'first' }, 60, ['1×own'], 25],
    ['--page 2', { kind: 'page', page: 2 }, 60, ['2×own'], 25],
    ['--page 3 --limit 7', { kind: 'page', page: 3, size: 7 }, 60, ['3×7'], 7],
    ['--limit 1', count(1), 60, ['1×1'], 1],
    ['--limit 100', count(100), 1000, ['1×100'], 100],
    ['--limit 101', count(101), 1000, ['1×100', '2×100'], 101],
    ['--limit 250', count(250), 1000, ['1×100', '2×100', '3×100'], 250],
    ['--limit 250 of 120', count(250), 120, ['1×100', '2×100'], 120],
    ['--all of 0', all, 0, ['1×100'], 0],
    ['--all of 100', all, 100, ['1×100'], 100],
    ['--all of 101', all, 101, ['1×100', '2×100'], 101],
  ])('%s', async (_name, extent, total, asked, records) => {
    const peer = service(proper(total));
    const read = await readAll(peer, extent);
    expect(peer.asked).toEqual(asked);
    expect(read.ids).toHaveLength(records);
    expect(read.moved).toEqual([]);
  });

  it.each<[string, Extent, (asked: Asked) => unknown, { more: number; long: number[] }]>([
    ['more than the first page', { kind: 'first' }, proper(60), { more: 1, long: [] }],
    ['no more than the first page', { kind: 'first' }, proper(25), { more: 0, long: [] }],
    ['a page that was asked for', { kind: 'page', page: 1 }, proper(60), { more: 0, long: [] }],
    ['a total alone', { kind: 'first' }, () => ({ data: numbered(1, 25), meta: { total: 60 } }), { more: 1, long: [] }],
    ['a bare array', { kind: 'first' }, () => numbered(1, 25), { more: 0, long: [] }],
    ['ten pages', all, proper(1000), { more: 0, long: [] }],
    ['more than ten pages', all, proper(1001), { more: 0, long: [1001] }],
    ['more than ten pages that were counted out', count(1001), proper(2000), { more: 0, long: [] }],
  ])('is heard of: %s', async (_name, extent, answer, heard) => {
    const { more, long } = await readAll(service(answer), extent);
    expect({ more, long }).toEqual(heard);
  });
});

describe('services that count oddly', () => {
  it.each([1, 7, 15, 50, 99])('at most %i on a page, whatever is asked', async (cap) => {
    expect((await readAll(service(proper(230, cap)), all)).ids).toEqual(upTo(230));
    expect((await readAll(service(proper(1000, cap)), count(230))).ids).toEqual(upTo(230));
  });

  it.each([1, 7, 50, 99, 100])('bare arrays, at most %i on a page', async (cap) => {
    const peer = service(({ page }) => numbered((page - 1) * cap + 1, Math.min(230, page * cap)));
    expect((await readAll(peer, all)).ids).toEqual(upTo(230));
    const few = service(({ page }) => numbered((page - 1) * cap + 1, Math.min(1000, page * cap)));
    expect((await readAll(few, count(230))).ids).toEqual(upTo(230));
  });

  it('a total and nothing else', async () => {
    const peer = service(({ page }) => ({ data: numbered(page * 30 - 29, Math.min(80, page * 30)), meta: { total: 80 } }));
    expect((await readAll(peer, all)).ids).toEqual(upTo(80));
    expect(peer.asked).toHaveLength(3);
  });

  it('positions beside the data, and as texts', async () => {
    const peer = service(({ page }) => ({ data: [{ id: page }], current_page: String(page), last_page: '3', per_page: '1', total: '3' }));
    expect((await readAll(peer, all)).ids).toEqual([1, 2, 3]);
  });

  it.each([null, '', 'many', -1, 0, 1.5, [], {}, true, 1e300])('a last page of %j counts as left out', async (last) => {
    const peer = service(({ page }) => ({ data: numbered(page * 2 - 1, Math.min(5, page * 2)), meta: { last_page: last } }));
    expect((await readAll(peer, all)).ids).toEqual(upTo(5));
  });

  it.each<[string, (asked: Asked) => unknown]>([
    ['a bare array', () => numbered(1, 40)],
    ['data without meta', () => ({ data: numbered(1, 40) })],
    ['one record', () => [{ id: 1 }]],
    ['records without ids', () => [{ title: 'x' }, { title: 'x' }]],
  ])('no paging at all: the first page is the list, as a page of one record shows: %s', async (_name, answer) => {
    const peer = service(answer);
    for (const extent of [all, { ...all, complete: true, told: true }] as const) {
      const read = await readAll(peer, extent);
      expect(read).toMatchObject({ ids: (await readAll(peer, { kind: 'first' })).ids, moved: [], heard: [] });
    }
    expect(peer.asked.slice(0, 3)).toEqual(['1×100', '2×100', '1×1']);
  });

  it('a service that ignores the page number, and takes the limit: what came, then an error', async () => {
    const peer = service(({ size }) => numbered(1, Math.min(25, size)));
    expect(await idsUntilError(pagesOf(peer))).toEqual({ ids: upTo(25), error: 'unavailable' });
    expect(peer.asked).toEqual(['1×100', '2×100', '1×1']);
  });

  it.each<[string, (asked: Asked) => unknown]>([
    ['pages without a total', ({ page }) => ({ data: page < 4 ? [{ id: page }] : [], meta: { last_page: 3 } })],
    ['bare pages', ({ page }) => (page < 4 ? [{ id: page }] : [])],
  ])('who acts on the absence of a record takes no list of unknown length: %s', async (_name, answer) => {
    await expect(readAll(service(answer), { kind: 'all', complete: true, told: true })).rejects.toThrow(
      /does not say how long the list is/,
    );
    expect((await readAll(service(answer), all)).ids).toEqual(upTo(3));
  });

  const shapeless = [null, true, {}, 'x', 7, { id: 1 }, { message: 'Maintenance' }];
  const odd = [null, {}, { id: 1 }, 'x', { data: [] }].map((data) => ({ data }));
  const short = [{ total: 5 }, { total: '5', last_page: 1 }, { last_page: 2 }].map((meta) => ({ data: [], meta }));
  it.each([...shapeless, ...odd, ...short].map((document) => [document]))('%j is no list, whatever is asked for', async (document) => {
    const peer = service(() => document);
    for (const extent of [all, count(5), count(250)]) await expect(readAll(peer, extent)).rejects.toThrow(UnavailableError);
    await expect(idsUntilError(everyPage(service(() => document).api, request))).resolves.toEqual({ ids: [], error: 'unavailable' });
    if (JSON.stringify(document).includes('last_page":2')) return;
    for (const extent of [{ kind: 'first' }, { kind: 'page', page: 1 }] as const)
      await expect(readAll(peer, extent)).rejects.toThrow(UnavailableError);
  });

  it.each([[[]], [{ data: [] }], [{ data: [], meta: { total: 0, last_page: 1 } }]])('%j is an empty list', async (document) => {
    const peer = service(() => document);
    for (const extent of [all, count(5), { kind: 'first' }, { kind: 'page', page: 2 }] as const)
      expect(await readAll(peer, extent)).toMatchObject({ ids: [], pages: 1, moved: [] });
  });

  it('a page beyond the last one is empty, and no error', async () => {
    const peer = service(({ page }) => ({ data: page > 2 ? [] : [{ id: page }], meta: { last_page: 2, total: 2 } }));
    expect((await readAll(peer, { kind: 'page', page: 3 })).ids).toEqual([]);
  });

  it('records without an id are all kept', async () => {
    const same = (page: number) => [{ title: `x${page}` }, { title: `x${page}` }];
    const peer = service(({ page }) => ({ data: same(page), meta: { last_page: 2, total: 4, current_page: page } }));
    expect((await readAll(peer, all)).ids).toHaveLength(4);
  });
});

describe('lists that move while they are read', () => {
  /** A page with the record of its number; the rest as given. */
  const one = (page: number, meta: object, ids = [page]) => ({ data: ids.map((id) => ({ id })), meta });

  it.each<[string, (asked: Asked) => unknown, number[], (number | string)[]]>([
    [
      'a record that comes again is given once',
      ({ page }) => one(page, { last_page: 3, total: 6 }, [2 * page - 1, 2 * page, 2 * page + 1]),
      upTo(7),
      ['grew'],
    ],
    ['a total that grows is noticed', ({ page }) => one(page, { last_page: 3, total: page === 1 ? 3 : 4 }), upTo(3), ['grew']],
    ['a total that is left out once is no change', ({ page }) => one(page, { last_page: 3, ...(page !== 2 && { total: 3 }) }), upTo(3), []],
    [
      'a last page that grows: the new ones are read as well',
      ({ page }) => one(page, page < 3 ? { last_page: 3, total: 3 } : { last_page: 7, total: 7 }),
      upTo(7),
      ['grew'],
    ],
  ])('%s', async (_name, answer, ids, heard) => {
    expect(await readAll(service(answer), all)).toMatchObject({ ids, moved: [], heard });
  });

  it.each<[string, (asked: Asked) => unknown, number[], number]>([
    ['it ends short of its total', ({ page }) => one(page, { last_page: 3, total: 3 }, page === 3 ? [] : [page]), upTo(2), 0],
    ['the last record comes again', ({ page }) => one(page, { last_page: page === 1 ? 2 : 3, total: 3 }, [Math.min(page, 2)]), upTo(2), 1],
  ])(
    'a list that is never whole is read three times, then refused behind what came; once, with a notice: %s',
    async (_name, answer, ids, moved) => {
      const peer = service(answer);
      const read: unknown[] = [];
      const reading = async (): Promise<void> => {
        for await (const { data } of pagesOf(peer)) read.push(...(data as { id: number }[]).map(({ id }) => id));
      };
      await expect(reading()).rejects.toThrow(IncompleteListError);
      expect(read).toEqual(ids);
      expect(peer.asked.filter((asked) => asked === '1×100')).toHaveLength(3);
      expect(await readAll(service(answer), once)).toMatchObject({ ids, moved: [moved], heard: [] });
    },
  );

  /** A service whose records change when a page is asked for. */
  const moving = (records: number[], change: (page: number, asked: number) => void): Service => {
    let asked = 0;
    return service(({ page, size }) => {
      asked += 1;
      change(page, asked);
      const perPage = Math.min(size, 50);
      const data = records.slice((page - 1) * perPage, page * perPage).map((id) => ({ id }));
      return {
        data,
        meta: { current_page: page, per_page: perPage, total: records.length, last_page: Math.ceil(records.length / perPage) },
      };
    });
  };

  it('four records of page 1 are deleted while page 5 is read: what was missed follows behind', async () => {
    const records = upTo(244);
    const peer = moving(records, (page, asked) => {
      if (page === 5 && asked === 5) records.splice(0, 4);
    });
    const { ids, heard, moved } = await readAll(peer, all);
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(upTo(244));
    expect(moved).toEqual([]);
    expect(heard.every((one) => typeof one === 'number')).toBe(true);
    expect(peer.asked.filter((one) => one === '1×100').length).toBe(2);
  });

  it('3,000 records, and a new one in front every five pages: one reading has them all', async () => {
    const records = upTo(3000).toReversed();
    const peer = moving(records, (page) => {
      if (page % 5 === 0) records.unshift(records.length + 1);
    });
    const { ids, heard } = await readAll(peer, all);
    expect(ids.slice(-3)).toEqual([3, 2, 1]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(3000);
    expect(heard).toEqual(['grew']);
    expect(peer.asked.filter((one) => one === '1×100')).toHaveLength(1);
  });

  it('records that go away while each page is read: three readings, then an error', async () => {
    const records = upTo(500);
    const peer = moving(records, (page) => {
      if (page > 1) records.shift();
    });
    const { ids, error } = await idsUntilError(pagesOf(peer));
    expect(error).toBe('unavailable');
    expect(ids.length).toBeGreaterThan(450);
    expect(peer.asked.filter((one) => one === '1×100')).toHaveLength(3);
  });

  it('ids too long for a float are told apart, and recognised', async () => {
    const source = (page: number): string => `[{"id": 90071992547409930${page}}, {"id": 900719925474099399}]`;
    const peer = service(() => null);
    const api: Api = {
      ...peer.api,
      read: async (one) => readEnvelope(200, `{"data": ${source(Number(one.query?.at(-1)?.[1]))}, "meta": {"last_page": 2}}`),
    };
    const read = await readAll({ ...peer, api }, all);
    expect(read.ids.map((id) => JSON.stringify(id))).toEqual(['900719925474099301', '900719925474099399', '900719925474099302']);
    expect(read.heard).toEqual(['grew']);
  });

  it('a last page that shrinks: no more is asked for', async () => {
    const peer = service(({ page }) => ({
      data: page > 5 ? [] : [{ id: page }],
      meta: { last_page: page < 3 ? 100 : 5, total: page < 3 ? 100 : 5 },
    }));
    const read = await readAll(peer, once);
    expect(read.ids).toEqual(upTo(5));
    expect(read.moved).toEqual([0]);
    expect(peer.asked.length).toBeLessThanOrEqual(6);
  });

  it.each<[string, (asked: Asked) => unknown, unknown[]]>([
    ['empty pages', ({ page }) => ({ data: page < 4 ? [{ id: page }] : [], meta: { last_page: page + 5 } }), [1, 2, 3]],
    ['the same record', ({ page }) => ({ data: [{ id: 1 }], meta: { last_page: page + 5 } }), [1]],
    ['the same record of a million', () => ({ data: [{ id: 1 }], meta: { last_page: 1_000_000, total: 1_000_000 } }), [1]],
    ['the same record without an id', () => ({ data: [{ title: 'x' }], meta: { last_page: 1_000_000 } }), [undefined]],
    ['two pages in turn', ({ page }) => ({ data: [{ title: page % 2 }], meta: { last_page: 99_999 } }), [undefined, undefined]],
    ['two bare pages in turn', ({ page }) => [{ id: page % 2 }], [1, 0]],
  ])('a list that goes on for ever with nothing new ends: %s', async (_name, answer, ids) => {
    const peer = service(answer);
    const read = await idsUntilError(pagesOf(peer));
    expect(read.error).toBe('unavailable');
    expect(read.ids.slice(0, ids.length)).toEqual(ids);
    expect(peer.asked.length).toBeLessThan(12);
    const paginated = service(answer);
    await idsUntilError(everyPage(paginated.api, request));
    expect(paginated.asked.length).toBeLessThan(12);
  });

  it('a list that ignores the page is not said to tell of more, where it tells nothing', async () => {
    const peer = service(({ size }) => numbered(1, Math.min(2, size)));
    await expect(readAll(peer, all)).rejects.toThrow('does not say how long the list is, and page 2 brought nothing new');
  });
});

describe('a complete reading', () => {
  const complete: Extent = { kind: 'all', complete: true };

  it.each<[string, (asked: Asked) => unknown]>([
    ['as many as told', proper(230)],
    ['no meta', ({ page }) => numbered(page * 7 - 6, Math.min(20, page * 7))],
    ['no total', ({ page }) => ({ data: [{ id: page }], meta: { last_page: 3 } })],
    ['an empty list', proper(0)],
    ['more than told at first', ({ page }) => ({ data: [{ id: page }], meta: { last_page: page < 3 ? 3 : 5, total: page < 3 ? 3 : 5 } })],
  ])('%s', async (_name, answer) => {
    const { ids } = await readAll(service(answer), complete);
    expect(ids).toEqual((await readAll(service(answer), all)).ids);
  });

  it('every page that was told once is read', async () => {
    const peer = service(({ page }) => ({ data: [{ id: page }], meta: { last_page: page === 2 ? 2 : 3 } }));
    expect((await readAll(peer, complete)).ids).toEqual([1, 2, 3]);
  });

  it('what comes while it is read is not missed', async () => {
    const peer = service(({ page }) => ({ data: [{ id: page }], meta: { last_page: 2, total: page === 1 ? 2 : 3 } }));
    expect((await readAll(peer, complete)).ids).toEqual([1, 2]);
  });

  it('5 and "5" are one record', async () => {
    const peer = service(({ page }) => ({ data: [{ id: page === 1 ? 5 : '5' }, { id: page }], meta: { last_page: 2, total: 3 } }));
    expect((await readAll(peer, complete)).ids).toEqual([5, 1, 2]);
  });

  it.each([
    ['fewer than a page holds', { total: 60, last_page: 1 }],
    ['as many as a page holds', { total: 100 }],
  ])('a total of %s does not hide what comes behind a full page', async (_name, meta) => {
    const peer = service(({ page }) => ({ data: numbered(page * 100 - 99, Math.min(130, page * 100)), meta }));
    expect((await readAll(peer, complete)).ids).toEqual(upTo(130));
  });

  it.each<[string, (asked: Asked) => unknown]>([
    ['nothing', ({ page }) => ({ data: page === 1 ? numbered(1, 100) : [], meta: { total: 100, last_page: 1 } })],
    ['the last page again', () => ({ data: numbered(1, 100), meta: { total: 100, last_page: 1 } })],
  ])('%s behind a full last page is the end', async (_name, answer) => {
    expect(await readAll(service(answer), complete)).toMatchObject({ ids: upTo(100), moved: [] });
  });

  it.each<[string, (asked: Asked) => unknown]>([
    ['one page of two', ({ page }) => ({ data: [{ id: page }], meta: { total: 2, last_page: 1 } })],
    ['an empty last page', ({ page }) => ({ data: page === 3 ? [] : [{ id: page }], meta: { last_page: 3, total: 3 } })],
    ['one that came twice', ({ page }) => ({ data: [{ id: Math.min(2, page) }, { id: 9 + page }], meta: { last_page: 3, total: 6 } })],
    ['a total that shrinks to what came', ({ page }) => ({ data: [{ id: page }], meta: { last_page: 2, total: page === 1 ? 3 : 2 } })],
  ])('fewer than told: %s', async (_name, answer) => {
    await expect(readAll(service(answer), complete)).rejects.toThrow(/the list is not complete/);
    const insist = Array.fromAsync(allRecords(service(answer).api, request, new AbortController().signal));
    await expect(insist).rejects.toThrow(IncompleteListError);
    expect((await readAll(service(answer), once)).moved).toHaveLength(1);
  });
});

describe('reading ahead', () => {
  it('pages come in order, whatever order they are answered in', async () => {
    const peer = service(proper(1000));
    const read = peer.api.read;
    const late = {
      ...peer.api,
      read: async (one: ApiRequest, signal?: AbortSignal) =>
        sleep(Number(one.query?.at(-1)?.[1]) % 2 === 0 ? 20 : 0).then(() => read(one, signal)),
    };
    expect((await readAll({ ...peer, api: late }, all)).ids).toEqual(upTo(1000));
  });

  it('never more than three pages ahead of the reader, and that far', async () => {
    const peer = service(proper(2000));
    let pulled = 0;
    for await (const _page of pagesOf(peer)) {
      pulled += 1;
      await sleep(5);
      expect(peer.asked.length).toBeLessThanOrEqual(pulled + 3);
    }
    expect(pulled).toBe(20);
    expect(peer.mostAtOnce()).toBe(3);
  });

  it('the first page goes alone', async () => {
    const peer = service(proper(2000), 10);
    const pages = pagesOf(peer);
    const first = pages.next();
    await sleep(5);
    expect(peer.asked).toEqual(['1×100']);
    await first;
    await pages.return(undefined);
  });

  it('leaving cancels what is under way, and nothing more is asked for', async () => {
    const peer = service(proper(2000), 20);
    let pulled = 0;
    for await (const _page of pagesOf(peer)) {
      pulled += 1;
      if (pulled === 3) break;
    }
    const asked = peer.asked.length;
    await sleep(60);
    expect(peer.asked.length).toBe(asked);
    expect(peer.cancelled.length).toBeGreaterThan(0);
    expect(peer.cancelled.length).toBeLessThanOrEqual(3);
  });

  it('the signal of the run cancels as well', async () => {
    const peer = service(proper(2000), 20);
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _page of listPages(peer.api, request, all, abort.signal, silent))
        if (peer.asked.length > 3) abort.abort(new Error('stop'));
    })();
    await expect(reading).rejects.toThrow();
    expect(peer.asked.length).toBeLessThan(9);
  });

  it('enough is enough: the rest is cancelled', async () => {
    const peer = service(({ page }) => ({ data: numbered(page * 40 - 39, page * 40), meta: { last_page: 50 } }));
    expect((await readAll(peer, count(100))).ids).toEqual(upTo(100));
    expect(peer.asked).toEqual(['1×100', '2×100', '3×100']);
  });

  it.each([1, 2, 4])('page %i fails: those before it have been read, the error comes then', async (bad) => {
    const peer = service((asked) => {
      if (asked.page === bad) throw new Error(`page ${bad} failed`);
      return proper(2000)(asked);
    });
    const ids: unknown[] = [];
    const reading = (async () => {
      for await (const { data } of pagesOf(peer)) ids.push(...(data as { id: number }[]).map(({ id }) => id));
    })();
    await expect(reading).rejects.toThrow(`page ${bad} failed`);
    expect(ids).toEqual(upTo((bad - 1) * 100));
    expect(peer.asked.length).toBeLessThanOrEqual(bad + 3);
  });

  it('failures among the pages that nobody reads any more harm nobody', async () => {
    const peer = service((asked) => {
      if (asked.page > 1) throw new Error('too late');
      return proper(2000)(asked);
    });
    const pages = pagesOf(peer);
    await pages.next();
    await pages.return(undefined);
    await sleep(10);
  });

  it('memory stays bounded while the reader is slow', async () => {
    const data = (page: number) => Array.from({ length: 100 }, (_, index) => ({ id: page * 100 + index, text: 'x'.repeat(1000) }));
    const peer = service(({ page }) => ({ data: data(page), meta: { last_page: 100, per_page: 100, total: 10_000 } }));
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    let alive = 0;
    const registry = new FinalizationRegistry(() => {
      alive -= 1;
    });
    for await (const page of pagesOf(peer)) {
      alive += 1;
      registry.register(page, undefined);
      if (peer.asked.length % 5 === 0) collectGarbage();
      await sleep(0);
    }
    expect(peer.asked).toHaveLength(100);
    expect(alive).toBeLessThan(20);
  });
});

const silent = { moved: () => undefined };
const pagesOf = (peer: Service): AsyncGenerator<Answer> => listPages(peer.api, request, all, new AbortController().signal, silent);

/** The ids of a reading, and the code of the error that ended it. */
async function idsUntilError(pages: AsyncIterable<Answer>): Promise<{ ids: unknown[]; error: string | undefined }> {
  const ids: unknown[] = [];
  try {
    for await (const { data } of pages) ids.push(...(data as { id?: unknown }[]).map(({ id }) => id));
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error: error instanceof CrmError ? error.code : String(error) };
  }
}

it.each<[string, Extent, number, string[]]>([
  ['a whole list', all, 250, ['', ': page 2 of 3', ': page 3 of 3']],
  ['the pages that are wanted', count(150), 1000, ['', ': page 2 of 2']],
  ['one page', all, 40, ['']],
])('the progress of %s names the page that is read', async (_what, extent, total, texts) => {
  const { api } = service(proper(total));
  let label: Parameters<Api['begin']>[0] | undefined;
  const begin: Api['begin'] = (said) => {
    label = said;
    return () => {};
  };
  const told: (string | undefined)[] = [];
  for await (const _page of listPages({ ...api, begin }, request, extent, new AbortController().signal, silent))
    told.push(label?.('2 s').text);
  expect(told).toEqual(texts.map((text) => `Reading leads${text}`));
});

describe('every page of any list (crm api --paginate)', () => {
  const everyId = async (peer: Service, query: ApiRequest['query'] = []): Promise<unknown[]> => {
    const ids: unknown[] = [];
    for await (const { data } of everyPage(peer.api, { ...request, query })) ids.push(...(data as { id: unknown }[]).map(({ id }) => id));
    return ids;
  };

  it('the first request goes as it is, the others name their page', async () => {
    const peer = service(proper(60));
    expect(await everyId(peer)).toEqual(upTo(60));
    expect(peer.asked).toEqual(['1×own', '2×own', '3×own']);
  });

  it('from the page that was asked for', async () => {
    const peer = service(proper(60));
    expect(await everyId(peer, Object.entries({ page: '2', limit: '20' }))).toEqual(upTo(60).slice(20));
    expect(peer.asked).toEqual(['2×20', '3×20']);
  });

  it('an empty page amid the list is an error, at its end it is none', async () => {
    const amid = service(({ page }) => ({ data: page < 3 ? [{ id: page }] : [], meta: { current_page: page, last_page: page + 9 } }));
    expect(await idsUntilError(everyPage(amid.api, request))).toEqual({ ids: [1, 2], error: 'unavailable' });
    const end = service(({ page }) => ({ data: page < 3 ? [{ id: page }] : [], meta: { current_page: page, last_page: 3 } }));
    expect(await everyId(end)).toEqual([1, 2]);
  });

  it('no meta: one page', async () => {
    const peer = service(() => numbered(1, 5));
    expect(await everyId(peer)).toEqual(upTo(5));
    expect(peer.asked).toHaveLength(1);
  });
});
