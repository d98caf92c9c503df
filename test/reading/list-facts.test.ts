import { describe, expect, it } from 'vitest';
import type { Extent } from '../../src/client/paging.ts';
import type { Meta } from '../../src/client/types.ts';
import { resource } from '../../src/model/define.ts';
import { leads } from '../../src/model/resources/leads.ts';
import { pathsAskedFor, plainFacts, selectionFacts, sortedFacts } from '../../src/reading/list/list-facts.ts';

const ships = resource({
  name: 'ships',
  singular: 'ship',
  path: '/api/ships',
  summary: 'Ships',
  fields: [],
  record: ['id', 'name', 'port.id', 'port.name', 'state'],
  columns: [],
  filters: [
    { flag: 'state', wire: 'ship_state', type: { kind: 'text' }, help: 'State' },
    { flag: 'home-port', wire: 'port_id', type: { kind: 'id' }, help: 'Port', read: 'port' },
  ],
  sort: {},
  examples: {},
});

describe('a list tells of itself', () => {
  const page = (number: number, size?: number): Extent => ({ kind: 'page', page: number, ...(size === undefined ? {} : { size }) });
  // biome-ignore format: a table
  it.each<[string, Extent, Meta, number, string[]]>([
    ['the first page', { kind: 'first' }, { total: 44, current_page: 1, last_page: 2 }, 25, ['25 of 44 ships', 'More: --page 2, --all']],
    ['a whole list', { kind: 'first' }, { total: 1, current_page: 1, last_page: 1 }, 1, ['1 of 1 ship']],
    ['a list that tells nothing', { kind: 'first' }, {}, 25, ['25 ships']],
    ['a list that tells only of pages', { kind: 'first' }, { current_page: 1, last_page: 2 }, 25, ['25 ships', 'More: --page 2, --all']],
    ['a total that can’t be', { kind: 'first' }, { total: 3, current_page: 1, last_page: 1 }, 25, ['25 ships']],
    ['a page between', page(2), { total: 120, per_page: 25, current_page: 2, last_page: 5 }, 25,
      ['26-50 of 120 ships', 'More: --page 3, --all']],
    ['the last page', page(5, 25), { total: 120, per_page: 25, last_page: 5 }, 20, ['101-120 of 120 ships']],
    ['a page of unknown size', page(3), { total: 120, last_page: 5 }, 24, ['page 3: 24 of 120 ships', 'More: --page 4, --all']],
    ['a page of nobody knows what', page(3), {}, 24, ['page 3: 24 ships']],
    ['--limit', { kind: 'count', count: 10 }, { total: 44 }, 10, ['10 of 44 ships', 'More: --limit 20, --all']],
    ['--limit near the end', { kind: 'count', count: 30 }, { total: 44 }, 30, ['30 of 44 ships', 'More: --all']],
    ['--limit beyond the end', { kind: 'count', count: 50 }, { total: 44 }, 44, ['44 of 44 ships']],
    ['--all', { kind: 'all' }, { total: 44 }, 44, ['44 of 44 ships']],
  ])('%s', (_name, extent, meta, shown, facts) => {
    expect(plainFacts(ships, extent, meta, shown, '-')).toEqual(facts);
  });

  // biome-ignore format: a table
  it.each<[string, Extent, Parameters<typeof selectionFacts>[2], number, string[]]>([
    ['--where', { kind: 'all' }, { counts: { read: 44, matched: 5, isCut: false }, isFirstPages: false }, 5, ['5 ships match', '44 read']],
    ['--where with --limit', { kind: 'count', count: 1 }, { counts: { read: 17, matched: 1, isCut: true }, isFirstPages: false }, 1,
      ['the first ship that matches', '17 read', 'stopped at --limit 1']],
    ['--where with --limit in an order', { kind: 'count', count: 3 },
      { counts: { read: 17, matched: 17, isCut: true }, isFirstPages: false }, 3,
      ['the first 3 ships that match', '17 read', 'stopped at --limit 3']],
    ['--where with a --limit that was not reached', { kind: 'count', count: 3 },
      { counts: { read: 17, matched: 1, isCut: false }, isFirstPages: false }, 1, ['1 ship matches', '17 read']],
    ['--where that the service compares', { kind: 'all' }, { counts: undefined, isFirstPages: false }, 5, ['5 ships']],
    ['several values', { kind: 'first' }, { counts: undefined, isFirstPages: true }, 12,
      ['12 ships, the first page for each value', 'More: --limit 24, --all']],
  ])('%s', (_name, extent, told, shown, facts) => {
    expect(selectionFacts(ships, extent, told, shown)).toEqual(facts);
  });
});

it.each([
  [{ state: ['afloat'] }, [], ['state']],
  [{ state: ['afloat', 'sunk'], 'home-port': '3' }, [], ['port']],
  [{}, ['state=sunk', 'port.id=3'], ['state', 'port.id']],
  [{}, ['no:port'], ['port']],
  [{}, ['state!=sunk', 'name~a', 'id=3..5', 'has:port'], []],
])('what was asked for: %j %j', (flags, conditions, paths) => {
  expect(pathsAskedFor(ships, flags, conditions)).toEqual(paths);
});

it('a state of leads is the column of their standing, as a status is its own', () => {
  expect(pathsAskedFor(leads, {}, ['state=open'])).toEqual(leads.columns.flatMap(({ standing, path }) => (standing ? [path] : [])));
  expect(pathsAskedFor(leads, {}, ['state=open'])).toHaveLength(1);
  expect(pathsAskedFor(leads, { status: ['2'] }, ['source=Web'])).toEqual([expect.stringMatching(/^status/), 'source']);
});

it.each([
  [{ shown: 5, sorted: 44, read: undefined }, ['5 of 44 ships', 'More: --limit 10, --all']],
  [{ shown: 22, sorted: 44, read: 100 }, ['22 of 44 ships', '100 read', 'More: --all']],
  [{ shown: 21, sorted: 44, read: undefined }, ['21 of 44 ships', 'More: --limit 42, --all']],
  [{ shown: 44, sorted: 44, read: undefined }, ['44 of 44 ships']],
])('of a list that crm sorted: %j', (counts, facts) => expect(sortedFacts(ships, counts)).toEqual(facts));
