// What became of creates whose answers were lost, among records that were there before, of others, edited or equal.

import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../src/errors.ts';
import { leads } from '../../../src/resources/leads.ts';
import { type CreateDoubt, lookForCreates, type Surroundings } from '../../../src/runs/doubts/doubts.ts';
import { isNew, noteBaseline, recordsSince } from '../../../src/runs/doubts/newest.ts';
import { bodyOf, fakeApi, type Lead, recordOf } from '../fake-api.ts';
import { runInMemory } from '../steps.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString().replace('.000', '');
const lead = (id: number, title: string, more: Partial<Lead> = {}): Lead => ({ id, title, created: at(id), ...more });
const doubt = (n: number, title: string, more: Partial<CreateDoubt> = {}): CreateDoubt => ({
  n,
  body: bodyOf(title),
  mayTake: 10_000,
  ...more,
});

const around = (more: Partial<Surroundings> = {}): Surroundings => ({
  baseline: { ids: new Set() },
  anchors: [],
  samples: [],
  ownIds: [],
  newestAnswer: () => undefined,
  rivals: async () => [],
  isClaimed: () => new Set(),
  signal: new AbortController().signal,
  ...more,
});

const look = (records: readonly Lead[], doubts: readonly CreateDoubt[], more: Partial<Surroundings> = {}) =>
  lookForCreates(fakeApi(records).api, leads, doubts, around(more));

const found = (id: number) => ({ end: 'found', made: [expect.objectContaining({ family: 'leads', id, sure: true, own: true })] });
const madeButUnsure = { end: 'found', made: [{ family: 'leads', sure: false, own: true }] };
const absent = { end: 'absent' };
const untold = (...candidates: number[]) => ({ end: 'untold', candidates });

describe('equal ones', () => {
  it('two doubts and two records: each has one', async () => {
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'Twin')], [doubt(11, 'Twin'), doubt(12, 'Twin')]);
    const ids = [...verdicts.values()].map((verdict) => (verdict.end === 'found' ? verdict.made[0]?.id : verdict.end));
    expect(ids.toSorted()).toEqual([1, 2]);
  });

  it('two doubts and one record: one has it, the other is absent', async () => {
    const verdicts = await look([lead(1, 'Twin')], [doubt(11, 'Twin'), doubt(12, 'Twin')]);
    expect([...verdicts.values()].map(({ end }) => end).toSorted()).toEqual(['absent', 'found']);
  });

  it('one doubt and two records: it is there, and nobody knows which it is', async () => {
    expect(await look([lead(1, 'Twin'), lead(2, 'Twin')], [doubt(11, 'Twin')])).toEqual(new Map([[11, madeButUnsure]]));
  });

  it('what was made for certain has the first choice, whatever its number', async () => {
    const certain = doubt(12, 'Twin', { isCertain: true });
    for (const doubts of [
      [doubt(11, 'Twin'), certain],
      [certain, doubt(11, 'Twin')],
    ]) {
      const verdicts = await look([lead(1, 'Twin')], doubts);
      expect([verdicts.get(11), verdicts.get(12)]).toEqual([absent, found(1)]);
    }
  });

  it('what is the same to the letter fits; what is only alike is not taken for it', async () => {
    const doubts = [doubt(11, 'twin'), doubt(12, 'Twin')];
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'TWIN')], doubts);
    expect([verdicts.get(11), verdicts.get(12)]).toEqual([expect.objectContaining({ end: 'untold', candidates: [2] }), found(1)]);
  });
});

describe('records that are not meant', () => {
  it('were there before, or are claimed', async () => {
    const records = [lead(1, 'A'), lead(2, 'A'), lead(200, 'A')];
    const more = { baseline: { ids: new Set(['1', '2']), newest: at(2) }, isClaimed: () => new Set(['200']) };
    expect(await look(records, [doubt(11, 'A')], more)).toEqual(new Map([[11, absent]]));
    expect(await look(records, [doubt(11, 'A')], { baseline: more.baseline })).toEqual(new Map([[11, found(200)]]));
  });

  it('are more than a minute older than the newest that was there, though not on its page', async () => {
    const baseline = { ids: new Set(['900']), newest: at(900) };
    const records = [lead(3, 'A', { created: at(839) }), lead(900, 'B')];
    expect(await look(records, [doubt(11, 'A')], { baseline })).toEqual(new Map([[11, untold(3)]]));
    const old = [lead(3, 'A', { created: at(900 - 86_401) }), lead(900, 'B')];
    expect(await look(old, [doubt(11, 'A')], { baseline })).toEqual(new Map([[11, absent]]));
    // Several clocks: not every new record has the latest time.
    const lagging = [lead(3, 'A', { created: at(841) }), lead(900, 'B')];
    expect(await look(lagging, [doubt(11, 'A')], { baseline })).toEqual(new Map([[11, found(3)]]));
  });

  it('by their ids alone, where no times are told', async () => {
    const records = [5, 8].map((id): Lead => ({ id, title: 'A' }));
    expect(await look(records, [doubt(11, 'A')], { baseline: { ids: new Set(['7']) } })).toMatchObject(
      new Map([[11, { end: 'found', made: [{ id: 8 }] }]]),
    );
  });

  it('were created by somebody else', async () => {
    const samples = [{ record: recordOf(lead(1, 'S', { creator: 3 })), body: bodyOf('S') }];
    expect(await look([lead(2, 'A', { creator: 4 })], [doubt(11, 'A')], { samples })).toEqual(new Map([[11, absent]]));
  });
});

describe('time', () => {
  // The record of what was answered at 50,000 of the steady clock was created in second 100.
  const anchors = [{ created: at(100), answeredAt: 50_000 }];
  const sent = (sentAt: number): CreateDoubt => doubt(11, 'A', { sentAt, mayTake: 10_000 });

  it.each([
    ['in time', 100, found(7)],
    ['a minute early', 41, found(7)],
    ['too early', 39, untold(7)],
    ['a minute late', 169, found(7)],
    ['too late', 171, untold(7)],
  ])('a record that was created %s (second %i)', async (_name, second, verdict) => {
    expect(await look([lead(7, 'A', { created: at(second) })], [sent(50_000)], { anchors })).toEqual(new Map([[11, verdict]]));
  });

  it('is told by the own record that is nearest in time', async () => {
    const more = { anchors: [...anchors, { created: at(500), answeredAt: 90_000 }] };
    expect(await look([lead(7, 'A', { created: at(500) })], [sent(89_000)], more)).toEqual(new Map([[11, found(7)]]));
    expect(await look([lead(7, 'A', { created: at(500) })], [sent(52_000)], more)).toEqual(new Map([[11, untold(7)]]));
  });

  it('counts for nothing where nobody knows when it was sent', async () => {
    expect(await look([lead(7, 'A', { created: at(3000) })], [doubt(11, 'A')], { anchors })).toEqual(new Map([[11, found(7)]]));
  });
});

describe('clocks that differ', () => {
  const anchors = [{ created: at(100_000), answeredAt: 50_000 }];
  const baseline = { ids: new Set(['1']), newest: at(99_990) };
  const due = doubt(11, 'A', { sentAt: 50_000, mayTake: 10_000, isDue: true });
  const own = lead(9999, 'Own', { created: at(100_000) });

  it.each([
    ['90 s behind', 100_000 - 90],
    ['an hour ahead', 100_000 + 3600],
    ['most of a day behind', 100_000 - 86_000],
  ])('a record stamped %s is not found by itself, and not ignored', async (_name, second) => {
    expect(await look([lead(7, 'A', { created: at(second) })], [due], { anchors, baseline })).toEqual(new Map([[11, untold(7)]]));
  });

  it('by more than a day it is none of the run’s', async () => {
    expect(await look([lead(7, 'A', { created: at(100_000 - 90_000) })], [due], { anchors, baseline })).toEqual(new Map([[11, absent]]));
  });

  it('a record an hour back is looked for once time is up, behind many others', async () => {
    const others = Array.from({ length: 1500 }, (_, index) => lead(100 + index, 'Other', { created: at(99_800) }));
    const records = [own, ...others, lead(7, 'A', { created: at(96_400) })];
    expect(await look(records, [{ ...due, isDue: false }], { anchors, baseline })).toEqual(new Map([[11, absent]]));
    expect(await look(records, [due], { anchors, baseline })).toEqual(new Map([[11, untold(7)]]));
  });

  it('and behind too many it is searched for, by its email where it has one', async () => {
    const others = Array.from({ length: 2500 }, (_, index) => lead(100 + index, 'Other', { created: at(99_800) }));
    const { api, requests } = fakeApi([own, ...others, lead(7, 'A & Bcd', { created: at(96_400), email: 'a@x.example' })]);
    const named = { ...due, body: bodyOf('A & Bcd') };
    expect(await lookForCreates(api, leads, [named], around({ anchors, baseline }))).toEqual(new Map([[11, untold(7)]]));
    const mailed = { ...due, body: bodyOf('A & Bcd', { lead_email: 'a@x.example' }) };
    expect(await lookForCreates(api, leads, [mailed], around({ anchors, baseline }))).toEqual(new Map([[11, untold(7)]]));
    const words = requests.flatMap(({ query = [] }) => query.filter(([name]) => name === 'search').map(([, word]) => word));
    expect(words).toEqual(['Bcd', 'a@x.example']);
  });

  it('no more than fifty are searched for, and a service that can’t search is no hindrance', async () => {
    const { api } = fakeApi([]);
    let searches = 0;
    const read: typeof api.read = async (request) => {
      if (!request.query?.some(([name]) => name === 'search')) return api.read(request);
      searches += 1;
      throw new RefusedError('No.', { httpStatus: 400 });
    };
    const many = Array.from({ length: 60 }, (_, index) => ({ ...due, n: index + 1 }));
    const verdicts = await lookForCreates({ ...api, read }, leads, many, around({ anchors, baseline }));
    expect([searches, [...verdicts.values()].every(({ end }) => end === 'absent')]).toEqual([50, true]);
  });

  it('where the run’s ids ascend above those that were there, a lower one was there, too', async () => {
    const before = { ids: new Set(['900', '950']), newest: at(99_990) };
    const ownIds = ['951', '953', '952', '954', '955', '957', '956', '958'];
    const record = lead(940, 'A', { created: at(100_000) });
    expect(await look([record], [due], { anchors, baseline: before, ownIds })).toEqual(new Map([[11, absent]]));
    for (const others of [ownIds.slice(1), ownIds.with(3, '7'), ownIds.toReversed(), ownIds.with(3, 'x')]) {
      expect(await look([record], [due], { anchors, baseline: before, ownIds: others })).toEqual(new Map([[11, found(940)]]));
    }
  });
});

describe('a list that is late', () => {
  const due = doubt(11, 'A', { sentAt: 50_000, mayTake: 10_000, isDue: true });
  const answers = (newest: number | undefined, shown: number | undefined) => ({
    newestAnswer: (ids?: readonly string[]) => (ids === undefined ? newest : shown),
  });

  it.each([
    ['nothing was answered later', 49_000, undefined, absent],
    ['none of what was answered later is shown', 55_000, 49_000, { end: 'late' }],
    ['nothing of the run is shown', 55_000, undefined, { end: 'late' }],
    ['what was answered later is shown', 55_000, 51_000, absent],
    ['something was answered after the time was up, and is not shown', 70_000, 55_000, { end: 'late' }],
    ['something was answered after the time was up, and is shown', 70_000, 61_000, absent],
  ])('tells of what is not there only by its other records: %s', async (_name, newest, shown, verdict) => {
    expect(await look([lead(3, 'Own')], [due], answers(newest, shown))).toEqual(new Map([[11, verdict]]));
  });

  it('and of what is there at once', async () => {
    expect(await look([lead(3, 'A')], [due], answers(70_000, undefined))).toEqual(new Map([[11, found(3)]]));
  });
});

describe('edited ones', () => {
  it('with a colleague’s title nobody can tell', async () => {
    const records = [lead(7, 'Another title', { updated: at(50) })];
    expect(await look(records, [doubt(11, 'A')])).toEqual(new Map([[11, untold(7)]]));
  });

  it('are no question once another record fits', async () => {
    const records = [lead(6, 'A'), lead(7, 'Another title', { updated: at(50) })];
    expect(await look(records, [doubt(11, 'A')])).toEqual(new Map([[11, found(6)]]));
  });

  it('are no question for what they have nothing of', async () => {
    const records = [lead(7, 'Another title', { updated: at(50), email: 'b@x.example' })];
    const mail = doubt(11, 'A', { body: bodyOf('A', { lead_email: 'a@x.example' }) });
    expect(await look(records, [mail])).toEqual(new Map([[11, absent]]));
  });
});

describe('the list', () => {
  it('is read as far back as needed', async () => {
    const records = Array.from({ length: 1000 }, (_, index) => lead(index + 1, `L${index + 1}`));
    const { api, requests } = fakeApi(records);
    const surroundings = around({ baseline: { ids: new Set(), newest: at(700) } });
    expect(await lookForCreates(api, leads, [doubt(1, 'L800')], surroundings)).toEqual(new Map([[1, found(800)]]));
    // Back to second 640 of 1,000, and a few pages that were asked for ahead; then the archived ones.
    expect(requests.length).toBeLessThanOrEqual(9);
  });

  it('is read to its end where it does not come newest first', async () => {
    const records = Array.from({ length: 350 }, (_, index) => lead(index + 1, `L${index + 1}`));
    const { api } = fakeApi(records, { order: 'by id' });
    const verdicts = await lookForCreates(api, leads, [doubt(1, 'L349')], around({ baseline: { ids: new Set(), newest: at(300) } }));
    expect(verdicts).toEqual(new Map([[1, found(349)]]));
  });

  it('that begins at the wrong end is read to its end, too', async () => {
    const records = Array.from({ length: 150 }, (_, index) => lead(index + 1, `L${index + 1}`, { created: at(index < 120 ? 1 : 900) }));
    const { api } = fakeApi(records, { order: 'by id' });
    const seen = await Array.fromAsync(
      recordsSince(api, leads, { since: Date.parse(at(900)), isFar: false, newest: Date.parse(at(900)) }, new AbortController().signal),
    );
    expect(seen).toHaveLength(150);
  });

  it('of what is archived is read, too', async () => {
    expect(await look([lead(7, 'A', { archived: true })], [doubt(11, 'A')])).toEqual(new Map([[11, found(7)]]));
  });

  it('may hold records of requests that are not answered yet: those are asked about before anything is decided', async () => {
    const order: string[] = [];
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'Twin')], [doubt(11, 'Twin')], {
      rivals: async () => {
        order.push('rivals');
        return [doubt(12, 'Twin', { isCertain: true })];
      },
      isClaimed: () => {
        order.push('claims');
        return new Set(['1']);
      },
    });
    expect([order, verdicts.get(11), verdicts.get(12)]).toEqual([['rivals', 'claims'], absent, found(2)]);
  });
});

describe('what was there before the first write', () => {
  const baselineOf = async (records: readonly Lead[], options: Parameters<typeof fakeApi>[1] = {}) => {
    const journal = runInMemory();
    await noteBaseline(fakeApi(records, options).api, leads, journal, new AbortController().signal);
    const baseline = journal.baseline('leads') ?? { ids: new Set() };
    journal.file.close();
    return baseline;
  };

  it('is all of the last minute, however many pages that are', async () => {
    const records = Array.from({ length: 250 }, (_, index) => lead(index + 1, 'Twin', { created: at(1000 + Math.floor(index / 10)) }));
    const baseline = await baselineOf([lead(0, 'Old'), ...records]);
    expect([baseline.newest, records.filter((record) => isNew(recordOf(record), baseline))]).toEqual([at(1024), []]);
    expect(isNew(recordOf(lead(999, 'Twin', { created: at(1024) })), baseline)).toBe(true);
    expect(isNew(recordOf(lead(0, 'Old')), baseline)).toBe(false);
  });

  it('is all of it in a list that does not come newest first, or tells no times', async () => {
    const records = Array.from({ length: 250 }, (_, index) => lead(index + 1, 'Twin', { created: at(100 * index) }));
    const baseline = await baselineOf(records, { order: 'by id' });
    expect([baseline.newest, baseline.ids.size]).toEqual([at(24_900), 250]);
    const bare = records.map(({ id, title }) => ({ id, title }));
    const timeless = await baselineOf(bare, { order: 'by id' });
    expect([timeless.newest, timeless.ids.size]).toEqual([undefined, 250]);
    expect([isNew({ id: 250 }, timeless), isNew({ id: 251 }, timeless)]).toEqual([false, true]);
  });
});
