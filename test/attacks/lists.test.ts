// Lists that come short, and names that are asked for again and again.

import { describe, expect } from 'vitest';
import type { Script, Told } from '../support/strange-service.ts';
import { attack, countsOf, expectOnce, header, leadOf, leadsFile, type Place, row, titlesOf } from './place.ts';

/** The nth lists of leads come a record short of what they say. */
const short =
  (...nths: number[]): Script =>
  ({ method, family, id, nth }) =>
    method === 'GET' && family === 'leads' && id === undefined && nths.includes(nth) ? { answer: oneLess } : undefined;

const oneLess = (meant: Told): Told => {
  const body = meant.body as { data: unknown[] };
  return { ...meant, body: { ...body, data: body.data.slice(1) } };
};

/** Records that were there before. */
const olds = (place: Place): void => {
  for (let number = 50; number < 60; number += 1) leadOf(place, number);
};

describe.concurrent('a list that comes a record short', () => {
  attack('before the first row: every row is made, or the run stops and --resume makes them', async (place) => {
    const { service } = place;
    olds(place);
    const command = ['leads', 'import', place.write('leads.csv', leadsFile(20)), '--json'];
    service.script(short(1));
    let end = await place.crm(command);
    if (end.status !== 0) {
      expect(end.status, end.stderr).toBe(7);
      service.script(undefined);
      end = await place.crm([...command, '--resume']);
      // It may have stopped before anything was begun.
      if (end.status === 2) end = await place.crm(command);
    }
    expect(countsOf(end), end.stderr).toMatchObject({ created: 20, failed: 0 });
    expect(titlesOf(place)).toHaveLength(30);
  });

  attack('whenever it is read: no row fails for good', async (place) => {
    const { service } = place;
    olds(place);
    const command = ['leads', 'import', place.write('leads.csv', leadsFile(20)), '--json'];
    service.script(short(...Array.from({ length: 500 }, (_, index) => index + 1)));
    const first = await place.crm(command);
    expect(first.status, first.stderr).toBe(7);
    service.script(undefined);
    let end = await place.crm([...command, '--resume']);
    if (end.status === 2) end = await place.crm(command);
    expect(countsOf(end), end.stderr).toMatchObject({ created: 20, failed: 0 });
    expect(titlesOf(place)).toHaveLength(30);
  });

  attack('while rows are looked for: each is there once', async (place) => {
    const { service } = place;
    const command = ['leads', 'import', place.write('leads.csv', leadsFile(8)), '--json', '--concurrency', '2'];
    const isShort = short(3, 4, 5, 6, 7, 8);
    service.script((incoming) => (incoming.method === 'POST' && [2, 5].includes(incoming.nth) ? { answer: 'cut' } : isShort(incoming)));
    const end = await place.crm(command);
    if (end.status === 0) return expectOnce(place, end, 8);
    service.script(undefined);
    expectOnce(place, await place.crm([...command, '--resume']), 8);
  });

  attack('in an upsert: no record is made that was only left out', async (place) => {
    const { service } = place;
    for (const number of [1, 2, 3]) leadOf(place, number);
    const file = place.write('leads.csv', [header, row(1), row(2), row(3), ''].join('\n'));
    service.script(short(1));
    const command = ['leads', 'import', file, '--mode', 'upsert', '--match', 'email', '--yes', '--json'];
    const end = await place.crm(command);
    expect(titlesOf(place), end.stderr).toEqual(['Lead 1', 'Lead 2', 'Lead 3']);
  });
});

attack('sixty unknown names of clients: the list is not read sixty times, and --rate holds', async (place) => {
  const { service } = place;
  const rows = Array.from({ length: 60 }, (_, index) => `Jo,Last ${index},jo${index}@rows.example,Nobody ${index} Ltd`);
  const file = place.write('contacts.csv', ['first-name,last-name,email,client', ...rows, ''].join('\n'));
  const end = await place.crm(['contacts', 'import', file, '--json', '--rate', '20']);
  expect(end.status, end.stderr).toBe(2);
  const reads = service.requests.filter(({ family }) => family === 'clients');
  const whole = reads.filter(({ query }) => !query.has('search'));
  expect(whole.length).toBeLessThan(5);
  // Sixty requests at twenty a second take three seconds.
  const took = (reads.at(-1)?.at ?? 0) - (reads[0]?.at ?? 0);
  expect(took).toBeGreaterThan(((reads.length - 2) / 20) * 1000);
});

attack(
  'names that stand beyond what is read of a long list: each is searched for, the list is read once, and --rate holds',
  async (place) => {
    const { service } = place;
    for (let number = 1; number <= 520; number += 1) service.has('clients', { company_name: `Client ${number}` });
    const names = [...Array.from({ length: 15 }, (_, index) => `Nobody ${index} Ltd`), 'Client 519', 'Client 520'];
    const rows = names.map((name, index) => `Jo,Last ${index},jo${index}@rows.example,${name}`);
    const file = place.write('contacts.csv', ['first-name,last-name,email,client', ...rows, ''].join('\n'));
    const end = await place.crm(['contacts', 'import', file, '--json', '--rate', '20']);
    expect(end.status, end.stderr).toBe(2);
    expect(JSON.parse(end.stderr).error.message).toMatch(/^15 problems/);
    const reads = service.requests.filter(({ family }) => family === 'clients');
    const pages = reads.filter(({ query }) => !query.has('search')).map(({ query }) => query.get('page'));
    expect(pages).toEqual(['1', '2', '3', '4', '5']);
    expect(reads).toHaveLength(names.length + pages.length);
    const took = (reads.at(-1)?.at ?? 0) - (reads[0]?.at ?? 0);
    expect(took).toBeGreaterThan(((reads.length - 2) / 20) * 1000);
  },
);
