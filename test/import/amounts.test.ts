// What the numbers of a column tell of its decimal mark and currency, number by number.

import { describe, expect, it } from 'vitest';
import { Currencies, DecimalMarks } from '../../src/import/columns/amounts.ts';

function seen(...numbers: string[]) {
  const marks = new DecimalMarks();
  for (const [index, number] of numbers.entries()) marks.see('value', index + 2, number);
  const shown = marks.shown().get('value');
  return { shown: shown && `${shown.mark} by ${shown.example}`, problems: [...marks.problems('column')].length };
}

describe('a column', () => {
  it.each<[string[], string | undefined, number]>([
    // numbers, the mark that they show, problems
    [['1,250.50'], 'point by 1,250.50', 0],
    [['1.250,50'], 'comma by 1.250,50', 0],
    [['1,250.50', '1.250,50'], undefined, 0],
    [['1.250,50', '12.5'], undefined, 0],
    [['1.250,50', '1.250'], 'comma by 1.250,50', 1],
    [['1.250,500', '1.250'], 'comma by 1.250,500', 1],
    [['1.250.000,5', '1.250'], 'comma by 1.250.000,5', 1],
    [['1.250,500', '1.250', '1,250'], 'comma by 1.250,500', 1],
    [['1.250,50', '1,250'], undefined, 0],
    [['1.250,500', '1,250'], 'comma by 1.250,500', 0],
    [['12.', '1,250.50'], 'point by 1,250.50', 0],
    [['12,', '1.250,50'], 'comma by 1.250,50', 0],
    [['1250'], undefined, 0],
    [['1.250'], undefined, 1],
    [['1.250', '2.500'], undefined, 1],
    [['1.250', '0.125'], undefined, 0],
    [['1.250', '1250.125'], undefined, 0],
    [['1.250', '12.50'], undefined, 1],
    [['0.125'], undefined, 0],
    [['1,250'], undefined, 0],
    [['EUR 1,250.50'], 'point by EUR 1,250.50', 0],
  ])('of %j', (numbers, shown, problems) => expect(seen(...numbers)).toEqual({ shown, problems }));

  it('names one value, and says of several that it is one of them', () => {
    const marks = new DecimalMarks();
    marks.see('value', 2, '1.250');
    const [one] = marks.problems('member');
    expect(one).toMatchObject({ where: { noun: 'member', column: 'value' }, message: expect.not.stringContaining('for instance') });
    marks.see('value', 3, '2.500');
    const [more] = marks.problems('column');
    expect(more?.message).toMatch(/^for instance .*1\.250.*, or say with --decimal-mark comma or point which one divides the decimals\.$/);
  });
});

it('the most frequent currency of a column is left out, any other is a problem', () => {
  const currencies = new Currencies();
  for (const [line, currency, text] of [
    [2, 'USD', '$ 1'],
    [3, 'EUR', ' € 1'],
    [4, 'EUR', '€ 2'],
  ] as const)
    currencies.see('value', line, currency, text);
  currencies.see('fee', 2, 'EUR', '€ 3');
  expect([...currencies.problems('column')]).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^"\$ 1" and "€ 1" are not in the same currency\./) }),
  ]);
  expect(currencies.sentences('column')).toHaveLength(3);
});
