// The whole way over HTTP, against a service with 10,000 leads of its own: a snapshot, a rehearsal on a copy, and then the same for real.

import { join } from 'node:path';
import { expect } from 'vitest';
import { attack, countsOf, leadOf, type Place } from '../attacks/place.ts';

const known = 10_000;

/** A row for a lead that is there (up to 10,000) or not. */
const row = (number: number): string => `Deal ${number},jo${number}@rows.example,Company ${number},${number}.50,1,1`;
const numbers = [
  ...Array.from({ length: 60 }, (_, index) => 1 + index * 150),
  ...Array.from({ length: 90 }, (_, index) => known + 1 + index),
];

interface Lead {
  readonly id: number;
  readonly title: string;
  readonly value: string | null;
  readonly contact: { readonly email: string; readonly company_name: string | null };
}

/** Title, company and value by email, of what is listed. */
async function leadsBy(place: Place, ...profile: string[]): Promise<Map<string, string>> {
  const { status, stdout, stderr } = await place.crm(['leads', 'list', '--all', '-o', 'ndjson', ...profile]);
  expect(status, stderr).toBe(0);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Lead);
  return new Map(records.map(({ title, value, contact }) => [contact.email, `${title}, ${contact.company_name}, ${Number(value)}`]));
}

interface Row {
  readonly id: number;
  readonly change: string;
  readonly field: string | null;
}

attack('an import that was rehearsed on a copy does the same to the service', async (place) => {
  for (let number = 1; number <= known; number += 1) leadOf(place, number, { active_state: number % 50 === 0 ? 'archived' : 'active' });
  const monday = join(place.folder, 'monday');
  const taken = await place.crm(['snapshot', monday, '--json']);
  expect(JSON.parse(taken.stdout).records.leads, taken.stderr).toBe(known);
  const copied = await place.crm(['sandbox', 'init', '-p', 'rehearsal', '--from', monday, '-q']);
  expect(copied.status, copied.stderr).toBe(0);
  expect(await leadsBy(place, '-p', 'rehearsal')).toEqual(await leadsBy(place));

  const file = place.write('leads.csv', ['title,email,company-name,value,status,category', ...numbers.map(row), ''].join('\n'));
  const command = ['leads', 'import', file, '--mode', 'upsert', '--match', 'email', '--yes', '--json'];
  const writes = place.service.writes().length;
  expect(countsOf(await place.crm([...command, '-p', 'rehearsal']))).toMatchObject({ created: 90, updated: 60, failed: 0 });
  expect(place.service.writes()).toHaveLength(writes);

  expect(countsOf(await place.crm(command))).toMatchObject({ created: 90, updated: 60, failed: 0 });
  const done = await leadsBy(place);
  expect(done.size).toBe(known + 90);
  expect(done.get('jo151@rows.example')).toBe('Deal 151, Company 151, 151.5');
  expect(await leadsBy(place, '-p', 'rehearsal')).toEqual(done);

  const rows = async (...profile: string[]): Promise<Row[]> =>
    JSON.parse((await place.crm(['diff', monday, '--family', 'leads', '--json', ...profile])).stdout);
  const [rehearsed, real] = [await rows('-p', 'rehearsal'), await rows()];
  const changed = (some: readonly Row[]): string[] =>
    some.flatMap(({ id, change, field }) => (change === 'changed' ? [`${id} ${field}`] : [])).toSorted();
  expect(changed(rehearsed)).toEqual(changed(real));
  expect(changed(real)).toHaveLength(3 * 60);
  for (const some of [rehearsed, real]) expect(some.filter(({ change }) => change === 'added')).toHaveLength(90);
});
