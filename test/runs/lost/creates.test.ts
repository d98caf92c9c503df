// What became of creates whose answers were lost, among records that were there before, of others, edited or equal.

import { describe, expect, it } from 'vitest';
import { leads } from '../../../src/model/resources/leads.ts';
import { Creates, type LostCreate } from '../../../src/runs/lost/creates.ts';
import { newestRecords } from '../../../src/runs/lost/newest.ts';
import { bodyOf, fakeApi, type Lead } from '../fake-api.ts';
import { runInMemory } from '../steps.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString().replace('.000', '');
const lead = (id: number, title: string, more: Partial<Lead> = {}): Lead => ({ id, title, created: at(id), ...more });
const lost = (n: number, title: string, more: Partial<LostCreate> = {}): LostCreate => ({
  n,
  body: bodyOf(title),
  ...more,
});

/** What the run knows before the look: the newest records of before, and records that it or another run has made. */
interface Known {
  readonly baseline?: readonly number[];
  readonly made?: readonly number[];
}

function runWith({ baseline = [], made = [] }: Known = {}) {
  const run = runInMemory();
  run.noteBaseline('leads', baseline.map(String));
  for (const [index, id] of made.entries()) {
    run.intend([{ n: index + 1, key: `line ${index + 1}`, family: 'leads' }]);
    run.done(index + 1, 'created', [{ family: 'leads', id, own: true }]);
  }
  return run;
}

const look = (records: readonly Lead[], creates: readonly LostCreate[], known: Known = {}, { api } = fakeApi(records)) =>
  new Creates(api, leads, runWith(known), new AbortController().signal).look(creates);

const found = (id: number) => ({
  end: 'found',
  after: expect.anything(),
  made: [expect.objectContaining({ family: 'leads', id, own: true })],
});
const madeButUnsure = { end: 'found', made: [{ family: 'leads', own: true }] };
const absent = { end: 'absent' };

describe('equal ones', () => {
  it('two creates and two records: each has one', async () => {
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'Twin')], [lost(11, 'Twin'), lost(12, 'Twin')]);
    const ids = [...verdicts.values()].map((verdict) => (verdict.end === 'found' ? verdict.made[0]?.id : verdict.end));
    expect(ids.toSorted()).toEqual([1, 2]);
  });

  it('two creates and one record: one has it, the other is absent', async () => {
    const verdicts = await look([lead(1, 'Twin')], [lost(11, 'Twin'), lost(12, 'Twin')]);
    expect([...verdicts.values()].map(({ end }) => end).toSorted()).toEqual(['absent', 'found']);
  });

  it('one create and two records: it is there, and nobody knows which it is', async () => {
    expect(await look([lead(1, 'Twin'), lead(2, 'Twin')], [lost(11, 'Twin')])).toEqual(new Map([[11, madeButUnsure]]));
  });

  it('what was made for certain has the first choice, whatever its number', async () => {
    const certain = lost(12, 'Twin', { confirmed: { status: 201 } });
    for (const creates of [
      [lost(11, 'Twin'), certain],
      [certain, lost(11, 'Twin')],
    ]) {
      const verdicts = await look([lead(1, 'Twin')], creates);
      expect([verdicts.get(11), verdicts.get(12)]).toEqual([absent, found(1)]);
    }
  });

  it('that differ in a small value: the record goes to the create that it agrees with in every value', async () => {
    const creates = [lost(11, 'Twin', { body: bodyOf('Twin', { lead_value: '5', lead_source: 'Fair' }) }), lost(12, 'Twin')];
    const verdicts = await look([lead(1, 'Twin')], creates);
    expect([verdicts.get(11), verdicts.get(12)]).toEqual([absent, found(1)]);
  });

  it('of which one is missing: it is absent, and does not take the record of a create that agrees with that record better', async () => {
    const full = { body: bodyOf('Twin', { lead_value: '5' }) };
    const verdicts = await look(
      [lead(1, 'Twin', { value: '5.00' }), lead(2, 'Twin')],
      [lost(11, 'Twin', full), lost(12, 'Twin', full), lost(13, 'Twin')],
    );
    expect([11, 12, 13].map((n) => verdicts.get(n)?.end).toSorted()).toEqual(['absent', 'found', 'found']);
    expect(verdicts.get(13)).toEqual(found(2));
  });

  it('what is the same to the letter fits; what is only alike is not taken for it', async () => {
    const creates = [lost(11, 'twin'), lost(12, 'Twin')];
    const verdicts = await look([lead(1, 'Twin'), lead(2, 'TWIN')], creates);
    expect([verdicts.get(11), verdicts.get(12)]).toEqual([expect.objectContaining({ end: 'unknown', candidates: [2] }), found(1)]);
  });
});

describe('records that are not meant', () => {
  it('were there before, or are claimed', async () => {
    const records = [lead(1, 'A'), lead(2, 'A'), lead(200, 'A')];
    expect(await look(records, [lost(11, 'A')], { baseline: [1, 2], made: [200] })).toEqual(new Map([[11, absent]]));
    expect(await look(records, [lost(11, 'A')], { baseline: [1, 2] })).toEqual(new Map([[11, found(200)]]));
  });

  it('were changed by this run, which found them by their key: nobody can tell', async () => {
    const run = runWith();
    run.intend([{ n: 5, key: 'line 6', family: 'leads' }]);
    run.sent(5, { kind: 'update', target: 7 });
    run.done(5, 'updated', []);
    const { api } = fakeApi([lead(7, 'A')]);
    const verdicts = await new Creates(api, leads, run, new AbortController().signal).look([lost(11, 'A')]);
    expect(verdicts).toEqual(new Map([[11, { end: 'unknown', candidates: [7] }]]));
  });

  it('stand below a full baseline', async () => {
    const before = Array.from({ length: 100 }, (_, index) => lead(1000 + index, 'Other'));
    const baseline = before.map(({ id }) => id);
    expect(await look([lead(3, 'A'), ...before], [lost(11, 'A')], { baseline })).toEqual(new Map([[11, absent]]));
    expect(await look([lead(1098, 'A', { id: 7 }), ...before], [lost(11, 'A')], { baseline })).toEqual(new Map([[11, found(7)]]));
  });

  it('were edited by a colleague: the row is sent again, and named', async () => {
    expect(await look([lead(7, 'Another title', { updated: at(50) })], [lost(11, 'A')])).toEqual(new Map([[11, absent]]));
  });
});

describe('the list', () => {
  it('is read as far back as needed', async () => {
    const records = Array.from({ length: 1000 }, (_, index) => lead(index + 1, `L${index + 1}`));
    const { api, requests } = fakeApi(records);
    const baseline = records.slice(600, 700).map(({ id }) => id);
    const run = runWith({ baseline });
    const creates = new Creates(api, leads, run, new AbortController().signal);
    expect(await creates.look([lost(1, 'L800')])).toEqual(new Map([[1, found(800)]]));
    creates.renewBaseline();
    const newest = [...(run.baseline('leads') ?? [])];
    // The next look reads to here; once these are deleted, to the baseline of this look.
    expect([newest.slice(0, 100).at(0), newest.slice(0, 100).at(-1), newest.slice(100)]).toEqual(['1000', '901', baseline.map(String)]);
    // The third page ends with the last new record; the fourth begins with the baseline.
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  it('is read no further back, once an undo has deleted all that the last look showed', async () => {
    const before = [lead(1, 'Twin'), ...Array.from({ length: 200 }, (_, index) => lead(index + 2, 'Other'))];
    const own = Array.from({ length: 300 }, (_, index) => lead(1000 + index, `L${index}`));
    let listed: readonly Lead[] = [...before, ...own];
    const run = runWith({ baseline: before.slice(-100).map(({ id }) => id) });
    const creates = new Creates(fakeApi(() => listed).api, leads, run, new AbortController().signal);
    for (let round = 0; round < 2; round += 1) {
      await creates.look([]);
      creates.renewBaseline();
    }
    expect(run.baseline('leads')?.size).toBe(200);
    listed = before;
    expect(await creates.look([lost(11, 'Twin')])).toEqual(new Map([[11, absent]]));
  });

  it('is read again where it became shorter between two pages: the record at the edge was not shown', async () => {
    const records = Array.from({ length: 350 }, (_, index) => lead(index + 1, `L${index + 1}`));
    let listed: readonly Lead[] = records;
    const { api } = fakeApi(() => listed);
    const read: typeof api.read = async (request, own) => {
      const answer = await api.read(request, own);
      listed = records.filter(({ id }) => id !== 340);
      return answer;
    };
    const known = { baseline: records.slice(100, 200).map(({ id }) => id) };
    const shrinking = { api: { ...api, read }, requests: [] };
    await expect(look(records, [lost(1, 'L250')], known, shrinking)).rejects.toThrow('The list /api/leads became shorter');
    expect(await look(records, [lost(1, 'L250')], known, shrinking)).toEqual(new Map([[1, found(250)]]));
  });

  it('is read to its end where it does not come newest first', async () => {
    const records = Array.from({ length: 350 }, (_, index) => lead(index + 1, `L${index + 1}`, { created: at(index * 100) }));
    const baseline = records.slice(0, 300).map(({ id }) => id);
    const verdicts = await look(records, [lost(1, 'L349')], { baseline }, fakeApi(records, { order: 'by id' }));
    expect(verdicts).toEqual(new Map([[1, found(349)]]));
  });
});

describe('what was there before the first write', () => {
  const baselineOf = async (records: readonly Lead[], options: Parameters<typeof fakeApi>[1] = {}) => {
    const { ids } = await newestRecords(fakeApi(records, options).api, leads, undefined, new AbortController().signal);
    return new Set(ids);
  };

  it('is the newest page', async () => {
    const records = Array.from({ length: 250 }, (_, index) => lead(index + 1, 'Twin'));
    const baseline = await baselineOf(records);
    expect([baseline.size, baseline.has('250'), baseline.has('150')]).toEqual([100, true, false]);
  });

  it('is all of it in a list that does not come newest first, or tells no times', async () => {
    const records = Array.from({ length: 250 }, (_, index) => lead(index + 1, 'Twin', { created: at(100 * index) }));
    expect((await baselineOf(records, { order: 'by id' })).size).toBe(250);
    const bare = records.map(({ id, title }) => ({ id, title }));
    expect((await baselineOf(bare, { order: 'by id' })).size).toBe(250);
  });
});
