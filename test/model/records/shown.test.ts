// Values for people, joined names, standings, guards and telling values: what odd records give, typed by hand.

import { describe, expect, it } from 'vitest';
import { ConflictError } from '../../../src/base/errors.ts';
import { contradictionsIn, keptOtherwise, keptValues } from '../../../src/model/bodies/telling.ts';
import { creationOrder, idOf, isAnother, timeOf, titleField } from '../../../src/model/identity.ts';
import { memberNamed } from '../../../src/model/members.ts';
import { cellColumns, textOfCell } from '../../../src/model/records/cells.ts';
import { displayText, terminalText, valueTold } from '../../../src/model/records/display.ts';
import { asShown, brokenGuard } from '../../../src/model/records/guard.ts';
import { memberValue, withJoined } from '../../../src/model/records/joined.ts';
import { standingWord } from '../../../src/model/records/standing.ts';
import { leads } from '../../../src/model/resources/leads.ts';

describe('a value for people', () => {
  it.each<[unknown, string, string]>([
    // value, in a sentence or a cell, on a terminal
    [null, '', ''],
    ['a\nb', 'a↵b', 'a↵b'],
    [['a', '', 'b'], 'a, b', 'a, b'],
    [{ id: 2, name: 'Tom' }, '2 Tom', '2 Tom'],
    [{ id: 2, title: '' }, '2', '2'],
    [{ name: 'Tom', email: 't@x' }, '{"name":"Tom","email":"t@x"}', 'Tom'],
    [{ id: 2, email: 't@x' }, '{"id":2,"email":"t@x"}', '2, t@x'],
    [{ a: { name: { x: 1 } } }, '{"a":{"name":{"x":1}}}', '1'],
    [{}, '{}', ''],
  ])('%j', (value, display, terminal) => {
    expect([displayText(value), terminalText(value)]).toEqual([display, terminal]);
  });

  it('in a sentence has at most 60 characters, a pair of halves counted once', () => {
    expect([valueTold('x'.repeat(60)), valueTold('😀'.repeat(61))]).toEqual(['x'.repeat(60), `${'😀'.repeat(60)}…`]);
  });

  it.each<[unknown, string]>([
    [['a', 'b'], 'a; b'],
    [['a;b'], '["a;b"]'],
    [['a, b'], '["a, b"]'],
    [['a|b'], '["a|b"]'],
    [['a\nb'], '["a\\nb"]'],
    [['a ::: b'], '["a ::: b"]'],
    [['[a'], '["[a"]'],
    [['"a'], '["\\"a"]'],
    [['{'], '["{"]'],
    [[''], '[""]'],
    [[' a'], '[" a"]'],
    [[{ a: 1 }], '[{"a":1}]'],
    [[null], '[null]'],
    [[1, true], '1; true'],
  ])('%j in a cell reads back as it was', (value, text) => expect(textOfCell(value)).toBe(text));

  it('of another record has a column of names and one of ids, unless ids are asked for anyway', () => {
    const headers = (...paths: string[]) => cellColumns(paths, leads).map(({ header, path }) => `${header}=${path}`);
    expect(headers('title', 'assigned')).toEqual(['title=title', 'assigned=assigned.name', 'assigned.id=assigned.id']);
    expect(headers('assigned', 'assigned.id')).toEqual(['assigned=assigned.name', 'assigned.id=assigned.id']);
    expect(headers('status.title', 'nothing')).toEqual(['status.title=status.title', 'nothing=nothing']);
  });
});

describe('a joined name', () => {
  const contact = (first: unknown, last: unknown) => ({ contact: { first_name: first, last_name: last } });
  const name = memberNamed(leads, 'name');

  it.each<[unknown, unknown]>([
    [contact('Ana', 'Lee'), 'Ana Lee'],
    [contact('Ana', null), 'Ana'],
    [contact('', ''), ''],
    [{ contact: { last_name: 'Lee' } }, 'Lee'],
    [{}, undefined],
  ])('%j', (record, joined) => expect(memberValue(record, 'name', name)).toBe(joined));

  it('is added where it is asked for', () => {
    expect(withJoined(leads, ['title'])).toBeUndefined();
    const add = withJoined(leads, ['name', 'title']);
    expect([add?.(contact('Ana', 'Lee')), add?.({}), add?.('odd')]).toEqual([
      { ...contact('Ana', 'Lee'), name: 'Ana Lee' },
      { name: null },
      'odd',
    ]);
  });
});

describe('the standing of a lead', () => {
  const standing = (record: unknown) => leads.standing && standingWord(leads.standing, record)?.word;
  const of = (converted: unknown, active: unknown) => ({ converted: { is_converted: converted }, active_state: active });

  it.each<[unknown, string | undefined]>([
    [of(false, 'active'), 'open'],
    [of(true, 'archived'), 'converted'],
    [of(1, 'active'), 'converted'],
    [of('TRUE', 'active'), 'converted'],
    [of('yes', 'active'), 'open'],
    [of(false, 'ARCHIVED'), 'archived'],
    [of(null, 'archived'), 'archived'],
    [of(false, 1), 'open'],
    [{ active_state: 'archived' }, undefined],
    [{ converted: { is_converted: false } }, undefined],
    ['odd', undefined],
  ])('%j', (record, word) => expect(standing(record)).toBe(word));
});

describe('a guard', () => {
  const guard = asShown({ source: 'Web', value: null }, ['source', 'value'], String);

  it('holds while the shown values are the same', () => {
    expect(brokenGuard([guard], { source: ' Web', value: '', title: 'x' })).toBeUndefined();
  });

  it('names each value once, with both its texts', () => {
    const twice = brokenGuard([guard, guard], { source: '', value: '5' });
    expect(twice?.message).toBe('Changed meanwhile, so left as it is: source was Web, and is (empty) now; value was null, and is 5 now.');
    const first = brokenGuard([() => ({ value: 'value is mine' }), guard], { source: 'Web', value: '5' });
    expect(first?.message).toBe('Changed meanwhile, so left as it is: value is mine.');
  });

  it('may have a sentence of its own', () => {
    const own = new ConflictError('Converted.');
    expect(brokenGuard([guard, () => own], { source: 'Fair' })).toBe(own);
  });
});

describe('what tells a record from others', () => {
  it.each<[unknown, unknown]>([
    [{ id: 7 }, 7],
    [{ id: '90071992547409930' }, '90071992547409930'],
    [{ id: '' }, undefined],
    [{ id: null }, undefined],
    [{}, undefined],
    ['odd', undefined],
  ])('the id of %j', (record, id) => expect(idOf(record)).toBe(id));

  it('times of one second are the same, and a time that is missing is no other', () => {
    const [at, same, later] = ['2026-11-28T09:00:00.100Z', '2026-11-28T09:00:00.900Z', '2026-11-28T09:00:01.000Z'];
    expect([isAnother(at, same), isAnother(at, later), isAnother(undefined, at), isAnother(at, undefined), isAnother('x', at)]).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
    expect([timeOf('x'), timeOf(undefined), timeOf('1970-01-01T00:00:01Z')]).toEqual([undefined, undefined, 1000]);
  });

  it('its title, and the order of creation, where the family has them', () => {
    expect([titleField(leads)?.flag, titleField({ ...leads, title: undefined } as never)]).toEqual(['title', undefined]);
    expect(creationOrder(leads, 'desc')).toEqual([
      ['sort', 'lead_created'],
      ['order', 'desc'],
    ]);
    expect(creationOrder({ ...leads, sort: {} }, 'desc')).toEqual([]);
  });

  it('its telling values: what the service made of them is noted by path, a whole name is only told', () => {
    const body = new Map([
      ['lead_title', 'Kickoff in Berlin'],
      ['lead_firstname', 'Ana'],
      ['lead_lastname', 'Lee'],
      ['lead_company_name', 'Shop'],
    ]);
    const record = { title: 'Other', contact: { first_name: 'Tom', last_name: 'Okafor' }, company: { name: 'SHOP' }, company_name: 'SHOP' };
    const found = contradictionsIn(leads, record, body);
    expect(keptValues(found)).toEqual({ title: 'Other' });
    expect(keptValues(found.filter(({ fields }) => fields.length > 1))).toBeUndefined();
    const told = keptOtherwise(found);
    expect(told).toMatch(
      /^The service keeps names otherwise: 'Ana Lee' as 'Tom Okafor'; titles otherwise: 'Kickoff in Berlin' as 'Other'\.$/,
    );
  });
});
