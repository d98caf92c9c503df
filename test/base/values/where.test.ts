// Conditions as they are typed, and which values fulfil them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidValues } from '../../../src/base/errors.ts';
import { compareDecimals, parseDecimal } from '../../../src/base/values/decimal.ts';
import { parseJson } from '../../../src/base/values/json.ts';
import type { ValueType } from '../../../src/base/values/value-type.ts';
import { parseCondition, testOf } from '../../../src/base/values/where.ts';

const now = new Date(2026, 10, 21, 12);

/** What a value of a type makes of a condition on a field `x`. */
const verdict = (condition: string, held: unknown, type?: ValueType) => testOf(parseCondition(condition), type, '--where x', now)(held);

describe('a condition', () => {
  it.each([
    ['source=Web', 'source', '=', 'Web'],
    ['source!=Web', 'source', '!=', 'Web'],
    ['title~a=b', 'title', '~', 'a=b'],
    ['title=a~b!=c', 'title', '=', 'a~b!=c'],
    ['custom_fields.Net. weight=5', 'custom_fields.Net. weight', '=', '5'],
    ['no:source', 'source', 'no', ''],
    ['has:contact.email', 'contact.email', 'has', ''],
  ])('%s', (text, field, operator, value) => expect(parseCondition(text)).toEqual({ text, field, operator, value }));

  it.each([
    ['source', /"source" is not FIELD=VALUE/],
    ['', /is not FIELD=VALUE/],
    ['=Web', /is not FIELD=VALUE/],
    ['source=', /the value after = is missing \(no:source finds records without a value\)/],
    ['source= ', /the value after = is missing/],
    ['source!=', /the value after != is missing \(has:source finds records with a value\)/],
    ['title~', /the value after ~ is missing/],
    ['source==Web', /the operators are =, != and ~/],
    ['title=~x', /the operators are/],
    ['title~=x', /the operators are/],
    ['value>=100', /a range is written FIELD=100\.\./],
    ['value<100', /a range is written FIELD=100\.\./],
    ['no:', /write only a field after no:/],
    ['has:source=Web', /write only a field after has:/],
  ])('is not %j', (text, message) => expect(() => parseCondition(text)).toThrow(message));
});

const decimal: ValueType = { kind: 'decimal' };
const date: ValueType = { kind: 'date' };
const text: ValueType = { kind: 'text' };

describe('numbers', () => {
  it.each([
    ['x=1250', '1250.00', true],
    ['x=1250.0', 1250, true],
    ['x=12345678901234567890.10', '12345678901234567890.1', true],
    ['x=12345678901234567890.10', '12345678901234567890.20', false],
    ['x=12345678901234567890', parseJson('12345678901234567890.0'), true],
    ['x=100..200', '100.00', true],
    ['x=100..200', '200.00', true],
    ['x=100..200', '200.01', false],
    ['x=100..100', '100.0', true],
    ['x=..-5', '-5.00', true],
    ['x=..-5', '-4.99', false],
    ['x=-5..5', '0', true],
    ['x=50000..', '50000', true],
    ['x=50000..', '49999.99', false],
    ['x=5', null, false],
    ['x!=5', null, true],
    ['x!=5', '5.0', false],
    ['x=1000', parseJson('1e3'), true],
  ])('%s, %j: %s', (condition, held, expected) => expect(verdict(condition, held, decimal)).toBe(expected));

  it.each([
    ['x=1,5', /"1,5" is not a decimal number/],
    ['x=..', /a range without ends/],
    ['x=200..100', /ends before it begins/],
    ['x=1..x', /"x" is not a decimal number/],
    ['x!=..', /a range without ends/],
    ['x~5', /~ looks for a part of a text, and this is a number/],
  ])('refuse %s', (condition, message) => expect(() => verdict(condition, null, decimal)).toThrow(message));

  it.each(['n/a', '', {}, true])('can’t be compared with %j', (held) => expect(verdict('x=5', held, decimal)).toBe(undefined));

  it('are compared to the last digit', () => {
    const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const scales = fc.integer({ min: 0, max: 30 });
    const written = (number: bigint, scale: number, more: number): string => {
      const plain = String(number < 0n ? -number : number).padStart(scale + 1, '0');
      const whole = plain.slice(0, plain.length - scale);
      const fraction = plain.slice(plain.length - scale) + '0'.repeat(more);
      return `${number < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
    };
    fc.assert(
      fc.property(digits, digits, scales, scales, (a, b, scale, more) => {
        const [left, right] = [parseDecimal(written(a, scale, more)), parseDecimal(written(b, scale, 0))];
        if (left === undefined || right === undefined) throw new Error('a decimal was not read');
        expect(Math.sign(compareDecimals(left, right))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe('days', () => {
  const stamp = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString().replace('Z', '000Z');

  it.each([
    ['x=2026-11-20', '2026-11-20', true],
    ['x=yesterday', '2026-11-20', true],
    ['x=2026-11-01..2026-11-30', '2026-11-30', true],
    ['x=..-30d', '2026-10-22', true],
    ['x=..-30d', '2026-10-23', false],
    ['x=-1w..', '2026-11-13', false],
    ['x=-1w..today', '2026-11-21', true],
    ['x=..today', null, false],
    // A month is all of its days.
    ['x=2026-10', '2026-10-01', true],
    ['x=2026-10', '2026-10-31', true],
    ['x=2026-10', '2026-11-01', false],
    ['x=2028-02', '2028-02-29', true],
    ['x=2026-09..2026-10', '2026-10-31', true],
    ['x=2026-10..', '2026-09-30', false],
    ['x=..2026-10', '2026-10-31', true],
    ['x!=2026-10', '2026-10-15', false],
    ['x=never..2026-10', '2026-10-31', true],
    // A time stamp counts as the day that this machine's clock shows.
    ['x=2026-11-20', stamp(2026, 10, 20, 0), true],
    ['x=2026-11-20', stamp(2026, 10, 20, 23), true],
    ['x=2026-11-20', stamp(2026, 10, 21, 0), false],
    ['x=..2026-11-20', stamp(2026, 10, 20, 23), true],
    ['x=2026-11-20..', stamp(2026, 10, 19, 23), false],
  ])('%s, %j: %s', (condition, held, expected) => expect(verdict(condition, held, date)).toBe(expected));

  it('refuse what is no day', () => {
    expect(() => verdict('x=soon', null, date)).toThrow(/"soon" is not a day .* -30d/);
    expect(() => verdict('x=2026-02-30..', null, date)).toThrow(/"2026-02-30" is not a day/);
  });

  it.each(['0000-00-00', '20.11.2026', 5])('can’t be compared with %j', (held) => expect(verdict('x=today', held, date)).toBe(undefined));
});

describe('texts', () => {
  it.each([
    ['x=trade FAIR', 'Trade fair', true],
    ['x=STRASSE', 'Straße', true],
    ['x=ΟΔΟΣ', 'οδος', true],
    ['x=Muller', 'Müller', false],
    ['x~istanbul', 'İSTANBUL FUARI', true],
    ['x~İstanbul', 'istanbul fuarı', true],
    ['x=IŞIK', 'ışık', true],
    ['x=I\u0307zmir', 'izmir', true],
    ['x=Mu\u0308ller', 'Müller', true],
    ['x~HALL', 'Both halls', true],
    ['x~hall', null, false],
    ['x!=Web', 'Trade fair', true],
    ['x=To be continued...', 'to be continued...', true],
    ['x=hot', ['Cold', 'Hot'], true],
    ['x=hot', ['hot, cold'], false],
    ['x=hot, cold', ['hot, cold'], true],
    ['x!=hot', ['cold'], true],
    ['x!=hot', ['cold', 'HOT'], false],
    ['x!=hot', [], true],
    ['x~ot', ['cold', 'hot'], true],
  ])('%s, %j: %s', (condition, held, expected) => expect(verdict(condition, held, text)).toBe(expected));

  it('are no ranges', () => expect(() => verdict('x=10000..20000', '15000', text)).toThrow(/Ranges are for numbers and dates/));

  it('are found whatever their case', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcxyzäöüßñçéêøåšžłİıIiαβγσςабвгдж -'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, (held) => {
        fc.pre(held.trim() !== '');
        for (const typed of [held, held.toUpperCase(), held.toLowerCase()]) {
          expect(verdict(`x=${typed}`, held, text)).toBe(true);
          expect(verdict(`x~${typed.slice(0, 3).trim() || typed}`, held, text)).toBe(true);
        }
      }),
    );
  });
});

describe('words, references and what has no type', () => {
  const status: ValueType = { kind: 'choice', values: ['draft', 'accepted'] };
  const reference: ValueType = { kind: 'reference', types: ['client', 'lead'] };

  it.each([
    ['x=accepted', 'accepted', status, true],
    ['x!=accepted', 'draft', status, true],
    ['x=lead', { type: 'lead', id: 12 }, reference, true],
    ['x=lead:12', { type: 'lead', id: 12 }, reference, true],
    ['x=lead:1', { type: 'lead', id: 12 }, reference, false],
    ['x=lead', { type: null, id: null }, reference, false],
    ['x=07', 7, { kind: 'id' }, true],
    ['x=5..10', 7, { kind: 'id' }, true],
    ['x=8', [{}], { kind: 'id' }, undefined],
    ['x=7.0', 7, undefined, true],
    ['x=5..10', 7, undefined, true],
    ['x=true', true, undefined, true],
    ['x=AB-1', 'ab-1', undefined, true],
    ['x=1', undefined, undefined, undefined],
  ] as const)('%s, %j', (condition, held, type, expected) => expect(verdict(condition, held, type)).toBe(expected));

  it('are refused when they can’t be', () => {
    expect(() => verdict('x=acepted', null, status)).toThrow('"acepted" is not one of draft, accepted. Did you mean accepted?');
    expect(() => verdict('x=Big deal', null, { kind: 'id' })).toThrow('"Big deal" is not an id');
    expect(() => verdict('x=deal:5', null, reference)).toThrow('"deal:5" is not TYPE');
    expect(() => verdict('x=yes', true)).toThrow('"yes" is not one of true, false.');
    expect(() => verdict('x=many', 7)).toThrow('"many" is not a decimal number');
  });
});

describe('whatever a record holds', () => {
  const types = fc.constantFrom<ValueType | undefined>(
    undefined,
    text,
    decimal,
    date,
    { kind: 'id' },
    { kind: 'choice', values: ['a', 'b'] },
    { kind: 'reference', types: ['lead'] },
  );
  const typed = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('5', '1.5', '-30d', '1..2', '..today', 'lead:1', 'a', 'true'));
  const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('5', '1.50', '2026-11-21', 'a', { type: 'lead', id: 1 }));

  it('a condition says yes, no or nothing, != the opposite of =; or it is wrong as such', () => {
    fc.assert(
      fc.property(types, typed, values, (type, value, held) => {
        try {
          const [same, other] = [verdict(`x=${value}`, held, type), verdict(`x!=${value}`, held, type)];
          expect(other).toBe(same === undefined ? undefined : !same);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidValues);
        }
      }),
    );
  });
});

describe('whether there is a value', () => {
  it.each([null, '', ' ', [], [''], {}, { id: null, name: null }])('no: %j', (held) => {
    expect([verdict('no:x', held), verdict('has:x', held)]).toEqual([true, false]);
  });
  it.each([0, false, 'x', [5], { id: 5, name: null }])('has: %j', (held) => {
    expect([verdict('no:x', held), verdict('has:x', held)]).toEqual([false, true]);
  });
  it('can’t be told of what did not come', () => {
    expect([verdict('no:x', undefined), verdict('has:x', undefined), verdict('x!=1', undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('words', () => {
  const state: ValueType = { kind: 'choice', values: ['active', 'archived'] };
  const truth: ValueType = { kind: 'choice', values: ['true', 'false'] };

  it.each<[string, unknown, ValueType, boolean | undefined]>([
    ['x=active', 'Active', state, true],
    ['x!=active', 'ACTIVE', state, false],
    ['x!=active', 'deleted', state, true],
    ['x!=active', 1, state, undefined],
    ['x!=active', true, state, undefined],
    ['x!=true', 1, truth, false],
    ['x!=true', '1', truth, false],
    ['x!=true', 'True', truth, false],
    ['x=false', 0, truth, true],
    ['x=false', '0', truth, true],
    ['x!=true', false, truth, true],
    ['x!=true', null, truth, true],
    ['x!=true', 2, truth, undefined],
    ['x!=true', 'yes', truth, undefined],
  ])('%s, %j of %j: %s', (condition, held, type, expected) => expect(verdict(condition, held, type)).toBe(expected));
});

describe('time stamps', () => {
  const stamp: ValueType = { kind: 'date', time: 'always' };
  const held = '2026-11-26T22:42:00.500000Z';

  it.each<[string, boolean]>([
    ['x=2026-11-26T22:42:00Z..', true],
    ['x=2026-11-26T22:42:01Z..', false],
    ['x=..2026-11-26T22:42:00.500Z', true],
    ['x=..2026-11-26T22:42:00Z', false],
    ['x=2026-11-26T23:42:00+01:00..2026-11-26T23:43:00+0100', true],
    ['x=2026-11-26 22:42Z..', true],
    ['x!=2026-11-26T22:42:00Z..', false],
    ['x=2026-11-20..2026-11-26T22:43:00Z', true],
    ['x=2026-11-28..2026-12-26T22:43:00Z', false],
    ['x=-30d..', true],
  ])('%s: %s', (condition, expected) => expect(verdict(condition, held, stamp)).toBe(expected));

  it('come with a zone', () =>
    expect(() => verdict('x=2026-11-26T22:42:00..', held, stamp)).toThrow(/"2026-11-26T22:42:00" is not a moment with its zone/));
  it('in order', () => expect(() => verdict('x=2026-11-26T22:42:00Z..2026-11-26T22:41:00Z', held, stamp)).toThrow(/ends before it begins/));
  it('are not for days', () => expect(() => verdict('x=2026-11-26T22:42:00Z..', '2026-11-26', date)).toThrow(InvalidValues));
});

describe('references', () => {
  const type: ValueType = { kind: 'reference', types: ['client', 'lead'] };

  it.each<[string, unknown, boolean | undefined]>([
    ['x!=client:5', { type: 'client', id: 5 }, false],
    ['x!=client:5', { type: 'Client', id: 5 }, false],
    ['x!=client:5', { type: 'client', id: '05' }, false],
    ['x!=client:5', { type: 'client', id: 6 }, true],
    ['x!=client:5', { type: 'client' }, undefined],
    ['x!=client:5', { type: 'client', id: null }, undefined],
    ['x!=client:5', { type: 'client', id: 'five' }, undefined],
    ['x!=client:5', { type: 7, id: 5 }, undefined],
    ['x!=client:5', { type: 'lead' }, true],
    ['x!=client:5', { type: null, id: null }, true],
    ['x!=client:5', { type: null, id: 5 }, undefined],
    ['x!=client', { type: 'CLIENT' }, false],
  ])('%s, %j: %s', (condition, held, expected) => expect(verdict(condition, held, type)).toBe(expected));
});
