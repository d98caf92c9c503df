// What became of records that a run made, and when they were created as a list tells it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../src/base/errors.ts';
import { isThere, lookOf, recordAt, stamp, stampNewest, survey } from '../../../src/runs/doubts/survey.ts';
import type { Run, RunRecord } from '../../../src/runs/journal/run.ts';
import { fakeApi, type Lead, recordOf } from '../fake-api.ts';
import { noted, runInMemory } from '../steps.ts';

let journal: Run;

beforeEach(() => {
  journal = runInMemory();
  journal.begin(1000);
});

afterEach(() => journal.file.close());

const { signal } = new AbortController();
const created = '2026-11-20T10:00:00Z';
const lead = (id: number, more: Partial<Lead> = {}): Lead => ({ id, title: 'A', created, ...more });

/** Notes that each of these was made, a step each. */
function made(ids: readonly number[], sure = true): void {
  journal.intend(ids.map((id) => noted(id)));
  for (const id of ids) journal.done(id, 'created', [{ family: 'leads', id, sure, own: true }]);
}

const standings = async (records: readonly Lead[], all: Iterable<RunRecord> = journal.records()): Promise<Record<string, string>> => {
  const said: Record<string, string> = {};
  for await (const { made, standing } of survey(fakeApi(records).api, journal, all, signal)) said[`lead ${made.id}`] = standing;
  return said;
};

it('tells own, changed, of somebody else, and gone', async () => {
  made([1, 2, 3, 4, 5]);
  await stamp(fakeApi([1, 2, 3, 4, 5].map((id) => lead(id))).api, journal, journal.records(), signal);
  const now = [
    lead(1),
    lead(2, { title: 'B' }),
    lead(3, { created: '2026-11-20T10:00:01Z' }),
    lead(5, { created: '2026-11-20T10:00:00.900Z', updated: created }),
  ];
  expect(await standings(now)).toEqual({ 'lead 1': 'own', 'lead 2': 'changed', 'lead 3': 'other', 'lead 4': 'gone', 'lead 5': 'own' });
});

it('calls nothing own that no list told the time of, or that nobody knows for certain', async () => {
  made([1]);
  made([2], false);
  journal.stamp([{ step: 2, place: 0, created, updated: created }]);
  made([3]);
  journal.stamp([{ step: 3, place: 0, created }]);
  expect(await standings([lead(1), lead(2), lead(3, { updated: '2027-01-01T00:00:00Z' })])).toEqual({
    'lead 1': 'untold',
    'lead 2': 'untold',
    'lead 3': 'own',
  });
  expect(await standings([{ id: 3, title: 'A' }])).toMatchObject({ 'lead 3': 'untold' });
});

it('reads the list for many, and one by one what the list leaves out', async () => {
  const ids = Array.from({ length: 250 }, (_, index) => index + 1);
  made(ids);
  for (const id of ids) journal.stamp([{ step: id, place: 0, created, updated: created }]);
  const records = ids.filter((id) => id !== 9).map((id) => lead(id, id === 7 ? { archived: true } : {}));
  const { api, requests } = fakeApi(records);
  const said = new Map<unknown, string>();
  for await (const { made, standing } of survey(api, journal, journal.records(), signal)) said.set(made.id, standing);
  expect([said.size, said.get(7), said.get(9), [...said.values()].filter((one) => one === 'own').length]).toEqual([
    250,
    'own',
    'gone',
    249,
  ]);
  // The one that answers 404 costs a look at the family's list, and another look at the record.
  expect(requests.length).toBeLessThan(10);
});

it('a page of the newest notes the times of own records', async () => {
  made([1, 2, 3]);
  const { api, requests } = fakeApi([lead(1), lead(2), lead(3), lead(4)]);
  await stampNewest(api, journal, 'leads');
  expect([[...journal.records()].map((one) => one.created), requests.length]).toEqual([[created, created, created], 2]);
  await stampNewest(api, journal, 'leads');
  expect(requests.length).toBe(3);
  await stampNewest(api, journal, 'clients');
  expect(requests.length).toBe(3);
});

it('hands over what has the id now, and passes over what others made', async () => {
  const ids = Array.from({ length: 150 }, (_, index) => index + 1);
  made(ids);
  for (const id of ids) journal.stamp([{ step: id, place: 0, created, updated: created }]);
  const said = new Map<unknown, unknown>();
  const { api } = fakeApi([...ids.slice(1), 900, 901].map((id) => lead(id)));
  for await (const { made, standing, record } of survey(api, journal, journal.records(), signal)) said.set(made.id, [standing, record]);
  expect([said.size, said.get(1), said.get(2)]).toEqual([150, ['gone', undefined], ['own', recordOf(lead(2))]]);
});

/** The service, whose lists tell less of a lead than a read does; `read` is told of every read of one. */
function terse(records: readonly Lead[], read: (id: string) => Partial<Lead> = () => ({})) {
  const { api, requests } = fakeApi(records);
  const answer: typeof api.read = async (request, own) => {
    const { data, ...rest } = await api.read(request, own);
    if (!Array.isArray(data)) return { ...rest, data: { ...(data as object), ...read(request.path) } };
    return { ...rest, data: data.map(({ value: _, ...others }) => others) };
  };
  return { api: { ...api, read: answer }, requests };
}

describe('what a list tells otherwise than a read', () => {
  it('is learnt from a list beside one read, and not from reads alone', async () => {
    made([1, 2]);
    await stamp(terse([lead(1), lead(2)]).api, journal, journal.records(), signal);
    expect(journal.uncompared('leads')).toBeUndefined();
    await stampNewest(terse([lead(1), lead(2)]).api, journal, 'leads');
    expect(journal.uncompared('leads')).toBeUndefined();
    made([3]);
    await stampNewest(terse([lead(1), lead(2), lead(3)]).api, journal, 'leads');
    expect(journal.uncompared('leads')).toEqual(['value']);
  });

  it('is learnt by whoever reads the list of many', async () => {
    const records = Array.from({ length: 150 }, (_, index) => lead(index + 1, { value: '5.00' }));
    made(records.map(({ id }) => id));
    journal.stamp(records.map(({ id }) => ({ step: id, place: 0, created, updated: created })));
    for await (const { standing } of survey(terse(records).api, journal, journal.records(), signal)) expect(standing).toBeDefined();
    expect(journal.uncompared('leads')).toEqual(['value']);
  });

  it('is learnt where the looks of many are noted', async () => {
    const records = Array.from({ length: 150 }, (_, index) => lead(index + 1, { value: '5.00' }));
    made(records.map(({ id }) => id));
    await stamp(terse(records).api, journal, journal.records(), signal);
    expect(journal.uncompared('leads')).toEqual(['value']);
    const said = new Set<string>();
    for await (const { standing } of survey(fakeApi(records).api, journal, journal.records(), signal)) said.add(standing);
    expect([...said]).toEqual(['own']);
  });

  it('is not what a colleague wrote between the two', async () => {
    made([1]);
    let reads = 0;
    const edited = (): Partial<Lead> => {
      reads += 1;
      return reads === 1 ? { title: 'B' } : { email: 'x' };
    };
    await stampNewest(terse([lead(1)], edited).api, journal, 'leads');
    expect([reads, journal.uncompared('leads')]).toEqual([2, ['value']]);
  });

  it('does not count by itself: the time of the last change decides then', async () => {
    made([1]);
    journal.noteUncompared('leads', ['value']);
    journal.stamp([{ step: 1, place: 0, created, updated: created, look: lookOf(recordOf(lead(1)), ['value']) }]);
    const standing = async (more: Partial<Lead>) => (await standings([lead(1, more)]))['lead 1'];
    expect(await standing({})).toBe('own');
    expect(await standing({ value: '5.00' })).toBe('own');
    expect(await standing({ value: '5.00', updated: '2026-11-21T10:00:00Z' })).toBe('changed');
    expect(await standing({ title: 'B' })).toBe('changed');
  });
});

it('a record that can not be read is neither there nor gone', async () => {
  const { api } = fakeApi([lead(1)]);
  expect([await isThere(api, 'leads', 1), await isThere(api, 'leads', 2)]).toEqual([true, false]);
  const broken = { ...api, read: () => Promise.reject(new UnavailableError('It failed.', { httpStatus: 503 })) };
  await expect(recordAt(broken, '/api/leads/1')).rejects.toThrow('It failed.');
  await expect(isThere(broken, 'leads', 2)).rejects.toThrow('It failed.');
});

it('a record that is not there is no failure', async () => {
  const { api } = fakeApi([lead(1)]);
  expect([await recordAt(api, '/api/leads/1'), await recordAt(api, '/api/leads/2')]).toMatchObject([{ id: 1 }, undefined]);
});

it('a record is told by what it says, not by stamps; what the run itself did is none of somebody else', async () => {
  made([1, 2, 3]);
  await stamp(fakeApi([1, 2, 3].map((id) => lead(id))).api, journal, journal.records(), signal);
  const now = [lead(1, { updated: '2026-11-20T11:00:00Z' }), lead(2, { title: 'B', updated: created }), lead(3, { title: 'C' })];
  expect(await standings(now)).toEqual({ 'lead 1': 'own', 'lead 2': 'changed', 'lead 3': 'changed' });
  journal.intend([noted(4)]);
  journal.sent(4, { kind: 'status', target: 3 });
  journal.done(4, 'status', []);
  await stamp(fakeApi(now).api, journal, journal.records(), signal);
  expect(await standings(now)).toEqual({ 'lead 1': 'own', 'lead 2': 'changed', 'lead 3': 'own' });
});
