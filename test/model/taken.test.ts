// What became of values that a write asked for, typed by hand: taken, kept though alike, kept.

import { describe, expect, it } from 'vitest';
import type { ValueType } from '../../src/base/values/value-type.ts';
import { leads } from '../../src/model/resources/leads.ts';
import { type AskedValue, keepsAny, notTakenText, takingOf } from '../../src/model/taken.ts';
import { type HeldText, valueNamed } from '../../src/model/values.ts';

const text = { kind: 'text' } as const;
const phone = { kind: 'text', form: 'phone' } as const;
const decimal = { kind: 'decimal' } as const;
const integer = { kind: 'integer' } as const;
const date = { kind: 'date' } as const;
const id = { kind: 'id', of: 'client' } as unknown as ValueType;
const idOrName = { kind: 'id-or-name', of: 'unit' } as unknown as ValueType;
const reference = { kind: 'reference' } as unknown as ValueType;

const asked = (type: ValueType | undefined, value: HeldText, isPlain = false): AskedValue => ({
  asked: value,
  isPlain,
  value: {
    name: 'it',
    type,
    keyOf: (record) => (record as { it?: HeldText } | undefined)?.it,
    shownOf: (record) => String((record as { shown?: string; it?: HeldText }).shown ?? (record as { it?: HeldText }).it),
    isSame: (one, other) => String([...[one].flat()].sort()) === String([...[other].flat()].sort()),
  },
});

/** How a value ended that was `was` and is `now`. */
function endOf(
  type: ValueType | undefined,
  wanted: HeldText,
  was: HeldText | undefined,
  now: HeldText | undefined,
  isPlain = false,
): string {
  const before = was === undefined ? undefined : { it: was };
  const { taken, alike, notTaken } = takingOf([asked(type, wanted, isPlain)], before, now === undefined ? {} : { it: now });
  expect(keepsAny([asked(type, wanted, isPlain)], before, now === undefined ? {} : { it: now })).toBe(alike.length + notTaken.length > 0);
  return taken === 1 ? 'taken' : alike.length === 1 ? 'alike' : notTaken.length === 1 ? 'kept' : 'nothing';
}

describe('a value', () => {
  it.each<[string, HeldText | undefined, HeldText | undefined, string, string]>([
    // asked, before, after: without and with a plain value
    ['b', 'a', 'b', 'taken', 'taken'],
    ['b', 'a', 'c', 'taken', 'taken'],
    ['b', 'a', 'a', 'kept', 'kept'],
    ['b', 'a', undefined, 'taken', 'taken'],
    ['b', 'b', 'b', 'nothing', 'nothing'],
    ['b', undefined, 'a', 'taken', 'kept'],
    ['b', undefined, 'b', 'taken', 'taken'],
  ])('%j of %j that is %j then', (wanted, was, now, end, plainEnd) => {
    expect([endOf(text, wanted, was, now), endOf(text, wanted, was, now, true)]).toEqual([end, plainEnd]);
  });

  it.each<[ValueType | undefined, HeldText, HeldText, 'alike' | 'kept']>([
    // type, asked, held before and after
    [text, 'café', 'Cafe', 'alike'],
    [text, 'Straße', 'Strasse', 'alike'],
    [text, 'Strasse', 'Straße', 'alike'],
    [text, 'Fair', 'Web', 'kept'],
    [text, '', ' ', 'alike'],
    [text, '', 'Web', 'kept'],
    [text, 'Web', ' ', 'kept'],
    [undefined, 'WEB', 'web', 'alike'],
    [phone, '+49 (89) 123 456 789', '089123456789', 'alike'],
    [phone, '+49 89 123456780', '089123456789', 'kept'],
    [phone, 'ext', 'reception', 'kept'],
    [text, '+49 (89) 123 456 789', '089123456789', 'kept'],
    [decimal, '12.345', '12.34', 'alike'],
    [decimal, '12.345', '12.35', 'alike'],
    [decimal, '12.35', '12.34', 'kept'],
    [decimal, '12.34', '12.345', 'kept'],
    [decimal, '12.5', '12', 'alike'],
    [decimal, '11.5', '12', 'alike'],
    [decimal, '11', '12', 'kept'],
    [decimal, '13', '12', 'kept'],
    [decimal, '', '0.00', 'alike'],
    [decimal, '0', '', 'alike'],
    [decimal, '1', '', 'kept'],
    [decimal, '1', 'one', 'kept'],
    [decimal, '-1', '1', 'kept'],
    [integer, '07', '7.0', 'alike'],
    [date, '2026-11-28', '2026-11-28T09:30:00Z', 'alike'],
    [date, '2026-11-28', '2026-11-27', 'kept'],
    [date, 'no date at all', 'no date at no', 'kept'],
    [id, '7', '8', 'kept'],
    [id, 'a', 'A', 'kept'],
    [idOrName, 'kg', 'KG', 'kept'],
    [reference, 'lead:7', 'LEAD:7', 'kept'],
    [text, ['Hot', 'new'], ['hot', 'new'], 'alike'],
    [text, ['hot'], ['HOT', 'old'], 'kept'],
    [text, ['hot', 'new'], ['HOT'], 'kept'],
  ])('%j: %j, while %j stays, is alike or kept', (type, wanted, held, end) => {
    expect(endOf(type, wanted, held, held)).toBe(end);
  });

  it('of a set that was not read, missing elements alone count', () => {
    expect(endOf(text, ['hot'], undefined, ['HOT', 'old'], true)).toBe('alike');
    expect(endOf(text, ['hot'], undefined, ['old'], true)).toBe('kept');
  });

  it('a name stands for its id where the value may be either, alone', () => {
    const now = { it: '3', shown: 'Kilo' };
    expect(takingOf([asked(idOrName, 'Kilo')], { it: '3' }, now)).toMatchObject({ taken: 1, notTaken: [] });
    expect(takingOf([asked(id, 'Kilo')], { it: '3' }, now)).toMatchObject({
      taken: 0,
      notTaken: [{ name: 'it', asked: 'Kilo', held: 'Kilo' }],
    });
  });

  it('is told as tables show it, an empty one, too', () => {
    const { notTaken } = takingOf([asked(text, ['a', 'b'])], { it: [] }, { it: [], shown: '' });
    expect(notTaken).toEqual([{ name: 'it', asked: 'a, b', held: '(empty)' }]);
    expect(notTakenText(201, [...notTaken, { name: 'status', asked: '2', held: 'New' }])).toBe(
      'The service answered 201 and kept it as (empty) and status as New.',
    );
  });

  it('of a lead: the service kept the status', () => {
    const record = { status: { id: 1, title: 'New' } };
    expect(takingOf([{ value: valueNamed(leads, 'status'), asked: '2', isPlain: true }], undefined, record).notTaken).toEqual([
      { name: 'status', asked: '2', held: 'New' },
    ]);
  });
});
