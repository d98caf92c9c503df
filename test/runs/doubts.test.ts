// What became of creates whose answers were lost, among records that were there before, of others, edited or equal.

import { describe, expect, it } from 'vitest';
import { leads } from '../../src/resources/leads.ts';
import { type CreateDoubt, lookForCreates, type Surroundings } from '../../src/runs/doubts.ts';
import { Journal } from '../../src/runs/journal.ts';
import { isNew, noteBaseline, recordsSince } from '../../src/runs/newest.ts';
import { bodyOf, fakeApi, type Lead, recordOf } from './fake-api.ts';
import { header } from './steps.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString().replace('.000', '');
const lead = (id: number, title: string, more: Partial<Lead> = {}): Lead => ({ id, title, created: at(id), ...more });
const doubt = (n: number, title: string, more: Partial<CreateDoubt> = {}): CreateDoubt => ({
  n,
  body: bodyOf(title),
  mayTake: 10_000,
  ...more,
});

const look = (records: readonly Lead[], doubts: readonly CreateDoubt[], more: Partial<Surroundings> = {}) =>
  lookForCreates(fakeApi(records).api, leads, doubts, {
    baseline: { ids: new Set() },
    anchors: [],
    samples: [],
    rivals: async () => [],
    isClaimed: () => new Set(),
    signal: new AbortController().signal,
    ...more,
  });

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

  it('the nearer fits first', async () => {
    const doubts = [doubt(11, 'twin'), doubt(12, 'Twin')];
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'TWIN')], doubts);
    expect([verdicts.get(11), verdicts.get(12)]).toEqual([found(2), found(1)]);
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
    expect(await look(records, [doubt(11, 'A')], { baseline })).toEqual(new Map([[11, absent]]));
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
    const surroundings = {
      baseline: { ids: new Set<string>(), newest: at(700) },
      anchors: [],
      samples: [],
      rivals: async () => [],
      isClaimed: () => new Set<string>(),
      signal: new AbortController().signal,
    };
    expect(await lookForCreates(api, leads, [doubt(1, 'L800')], surroundings)).toEqual(new Map([[1, found(800)]]));
    // Back to second 640 of 1,000, and a few pages that were asked for ahead; then the archived ones.
    expect(requests.length).toBeLessThanOrEqual(9);
  });

  it('is read to its end where it does not come newest first', async () => {
    const records = Array.from({ length: 350 }, (_, index) => lead(index + 1, `L${index + 1}`));
    const { api } = fakeApi(records, { order: 'by id' });
    const verdicts = await lookForCreates(api, leads, [doubt(1, 'L349')], {
      baseline: { ids: new Set(), newest: at(300) },
      anchors: [],
      samples: [],
      rivals: async () => [],
      isClaimed: () => new Set(),
      signal: new AbortController().signal,
    });
    expect(verdicts).toEqual(new Map([[1, found(349)]]));
  });

  it('that begins at the wrong end is read to its end, too', async () => {
    const records = Array.from({ length: 150 }, (_, index) => lead(index + 1, `L${index + 1}`, { created: at(index < 120 ? 1 : 900) }));
    const { api } = fakeApi(records, { order: 'by id' });
    const seen = await Array.fromAsync(recordsSince(api, leads, Date.parse(at(900)), new AbortController().signal));
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
    const journal = Journal.create(undefined, header);
    await noteBaseline(fakeApi(records, options).api, leads, journal, new AbortController().signal);
    const baseline = journal.baseline('leads') ?? { ids: new Set() };
    journal.close();
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
