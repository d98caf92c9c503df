// What --fields names, in each format: paths, flags by where their values read back, relations by their names.

import { describe, expect, it } from 'vitest';
import { checkFields, resolvedFields } from '../../src/output/fields.ts';
import { render } from '../../src/output/render.ts';
import type { Shape } from '../../src/output/result.ts';
import { answer, kestrel, options, osprey, pagesOf, shapeless, ships } from './samples.ts';

/** Ships, with flags as a family declares them. */
const fleet: Shape = {
  ...ships,
  columns: [...ships.columns, { path: 'owner.name', header: 'owned by' }],
  record: [...ships.record, 'owner.id', 'owner.name', 'extras'],
  fields: [
    { flag: 'built', read: 'dates.built', type: { kind: 'date' } },
    { flag: 'owner', read: 'owner.id', type: { kind: 'id' } },
    { flag: 'extra', read: 'extras', type: { kind: 'numbered', max: 10, of: 'item-field' } },
  ],
  filters: [{ flag: 'crew-member', read: 'crew', type: { kind: 'id' } }],
};
const owned = { ...kestrel, owner: { id: 4, name: 'Maya' }, tonnage: 90 };

describe('the names of --fields', () => {
  it.each([
    ['name', 'name'],
    ['dates.built', 'dates.built'],
    ['built', 'dates.built'],
    ['owner', 'owner'],
    ['owner.id', 'owner.id'],
    ['crew-member', 'crew'],
    ['crew.name', 'crew.name'],
    ['port', 'port'],
    ['tonnage', 'tonnage'],
    ['extras.Draught', 'extras.Draught'],
  ])('%s', (name, path) => {
    const record = { ...owned, extras: [{ id: 1, name: 'Draught', value: '2' }] };
    expect(resolvedFields([name], fleet, [record])).toEqual({ paths: [path], unknown: [] });
  });

  it('prefer what a record has to a flag', () => {
    expect(resolvedFields(['built'], fleet, [{ built: 1999, dates: { built: null } }]).paths).toEqual(['built']);
  });

  it('are the same with a hyphen and an underscore', () => {
    const shape: Shape = { ...shapeless, record: ['first_name'] };
    const record = { first_name: 'Ann', shoe_size: 38, 'e-mail': 'a@b.c' };
    expect(resolvedFields(['first-name', 'shoe-size', 'e-mail'], shape, [record])).toEqual({
      paths: ['first_name', 'shoe_size', 'e-mail'],
      unknown: [],
    });
  });

  it('are unknown where nothing has them', () => {
    expect(resolvedFields(['nam', 'extras.Colour', 'id'], fleet, [{ extras: [{ id: 1, name: 'Draught', value: '2' }] }]).unknown).toEqual([
      'nam',
      'extras.Colour',
    ]);
    expect(resolvedFields(['tonnage'], fleet, []).unknown).toEqual(['tonnage']);
    expect(resolvedFields(['anything'], shapeless, []).unknown).toEqual([]);
  });

  it('are checked before a write by what is declared', () => {
    expect(() => checkFields(['id', 'built', 'crew.name', 'extras.Colour', 'owner'], fleet)).not.toThrow();
    expect(() => checkFields(['tonage'], fleet)).toThrow('--fields: unknown field "tonage".');
    expect(() => checkFields(['anything'], shapeless)).not.toThrow();
  });
});

describe('a relation', () => {
  const shown = async (output: string, fields: string, ...records: unknown[]): Promise<string> => {
    const run = options({ output, fields });
    await render({ kind: 'records', pages: pagesOf(records), shape: fleet, empty: () => '' }, run);
    return run.io.stdoutText().replaceAll('\r', '');
  };
  const none = { ...osprey, owner: { id: null, name: null } };

  it('shows its name in a table, under its own header', async () => {
    expect(await shown('table', 'owner,crew,crew-member', owned, none)).toBe(
      'OWNED BY\tCREW\tCREW\nMaya\tTom Okafor, Priya Raman\tTom Okafor, Priya Raman\n\t\t\n',
    );
  });

  it('shows its name in a record', async () => {
    const run = options({ fields: 'owner,port' });
    await render({ kind: 'record', answer: answer(owned), shape: fleet }, run);
    expect(run.io.stdoutText()).toBe('owner\tMaya\nport.id\t2\nport.city\tBergen\n');
  });

  it('is its dotted columns in CSV, and an object in JSON', async () => {
    expect(await shown('csv', 'owner,id', owned)).toBe('owner.id,owner.name,id\n4,Maya,7\n');
    expect(JSON.parse(await shown('json', 'owner,built', owned))).toEqual([
      { owner: { id: 4, name: 'Maya' }, dates: { built: '1999-05-06' } },
    ]);
  });

  it('that is only an id is shown as that', async () => {
    expect(await shown('table', 'crew', { ...osprey, crew: [5, 8] })).toBe('CREW\n5, 8\n');
  });
});

describe('the first page decides', () => {
  it('nothing is written before a name is known to be there', async () => {
    const run = options({ output: 'csv', fields: 'id,nope' });
    const pages = pagesOf([], [kestrel], [osprey]);
    await expect(render({ kind: 'records', pages, shape: ships, empty: () => '' }, run)).rejects.toThrow('unknown field "nope"');
    expect(run.io.stdoutText()).toBe('');
    expect(pages.pulled).toBe(2);
  });

  it('of no records it is what the family declares', async () => {
    const empty = { kind: 'records', shape: ships, empty: () => '' } as const;
    await expect(render({ ...empty, pages: pagesOf([]) }, options({ output: 'csv', fields: 'nope' }))).rejects.toThrow(
      'unknown field "nope"',
    );
    const run = options({ envelope: true, fields: 'name' });
    await render({ ...empty, pages: pagesOf([]) }, run);
    expect(JSON.parse(run.io.stdoutText())).toMatchObject({ data: [], meta: { current_page: 1 } });
  });
});
