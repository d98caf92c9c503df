// What became of records that a run made, and when they were created as a list tells it.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Run, RunRecord } from '../../src/runs/run.ts';
import { recordAt, stamp, stampNewest, survey } from '../../src/runs/survey.ts';
import { fakeApi, type Lead } from './fake-api.ts';
import { noted, runInMemory } from './steps.ts';

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
  expect(requests.length).toBeLessThan(8);
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
