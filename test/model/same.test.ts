// The three ways in which values are the same, each with its column: typed by hand.

import { describe, expect, it } from 'vitest';
import { areAlike } from '../../src/base/values/text/alike.ts';
import type { ValueType } from '../../src/base/values/value-type.ts';
import { isSameAsCell, isSameToTheLetter } from '../../src/model/same.ts';

const [no, yes] = [false, true];
const text = { kind: 'text' } as const;
const decimal = { kind: 'decimal' } as const;
const date = { kind: 'date' } as const;

describe('a value of a record, and another', () => {
  it.each<[type: ValueType | undefined, held: string, other: string, letter: boolean, cell: boolean, candidate: boolean]>([
    // type, held, other: to the letter, as a cell, as a candidate
    [text, 'R&D ', 'R&amp;D', yes, yes, yes],
    [text, 'a\r\nb', 'a\nb', yes, yes, yes],
    [text, 'R&D', 'r&d', no, no, yes],
    [text, 'Café', 'Cafe', no, no, yes],
    [text, '+49 891 234', '+49 (891) 234', no, no, yes],
    [text, '<b>Shop</b>', 'Shop', no, no, yes],
    [text, 'A text of more than forty characters, which is cut here', 'A text of more than forty characters, which', no, no, yes],
    [text, 'Meyer', 'Meier', no, no, no],
    [text, '01234', '1234', no, yes, yes],
    [text, '1.50', '1.5', no, yes, yes],
    [text, '1234', '01234', no, no, yes],
    [text, '1234', '1234.0', no, no, yes],
    [text, '', '0', no, no, no],
    [decimal, '1250.00', '1250', yes, yes, yes],
    [decimal, '1250.00', '1250.0', yes, yes, yes],
    [decimal, '1250', '-1250', no, no, no],
    [decimal, '', '0', no, no, no],
    [date, '2026-03-02T00:00:00.000000Z', '2026-03-02', yes, yes, no],
    [date, '2026-03-02T09:12:00Z', '2026-03-02', no, no, no],
    [date, '2026-03-02', '2026-03-03', no, no, no],
    [undefined, '1250.00', '1250', no, yes, yes],
    [undefined, '2026-03-02T00:00:00Z', '2026-03-02', no, no, no],
  ])('%j: %j and %j', (type, held, other, letter, cell, candidate) => {
    expect({
      letter: isSameToTheLetter(type, held, other),
      cell: isSameAsCell(type, held, other),
      candidate: areAlike(held, other),
    }).toEqual({
      letter,
      cell,
      candidate,
    });
    expect(isSameToTheLetter(type, other, held)).toBe(letter);
    expect(areAlike(other, held)).toBe(candidate);
  });
});
