// What is wrong with rows, as the errors of files have it: grouped by what causes it.

import { describe, expect, it } from 'vitest';
import { Problems } from '../../../src/base/files/problems.ts';

const grouped = (...messages: string[]) => {
  const problems = new Problems();
  for (const [index, message] of messages.entries()) problems.addOfRow({ line: index + 2 }, message);
  return problems.fields().map(({ name, messages: [message], count }) => [name, message, count]);
};
const each = (count: number, message: (n: number) => string): string[] => Array.from({ length: count }, (_, n) => message(n));

describe('complaints of one cause', () => {
  it('are one by one where they are few', () => {
    expect(grouped('There is no lead with the email a@x.example.', 'There is no lead with the email b@x.example.')).toEqual([
      ['line 2', 'There is no lead with the email a@x.example.', undefined],
      ['line 3', 'There is no lead with the email b@x.example.', undefined],
    ]);
  });

  it('are told by one of them where they are many', () => {
    expect(grouped(...each(40, (n) => `There is no lead with the email n${n}@x.example.`))).toEqual([
      ['lines 2, 3, 4 and 37 more', 'for instance: There is no lead with the email n0@x.example.', 40],
    ]);
    expect(grouped(...each(40, (n) => `Several leads have the id ${n}: 12, ${n} and 14.`))).toHaveLength(1);
  });

  it('name the words that they are about', () => {
    const unknown = (word: string): string => `status: no lead status is called "${word}". There are New (1) and Lost (6).`;
    expect(grouped(unknown('Won'), unknown('Open'), unknown('Won'))).toEqual([
      ['lines 2, 3 and 4', 'status: no lead status is called "Won" or "Open". There are New (1) and Lost (6).', 3],
    ]);
    expect(grouped(...each(40, (n) => unknown(`w${n}`)))).toEqual([
      ['lines 2, 3, 4 and 37 more', expect.stringContaining('is called "w0", "w1", "w2", "w3", "w4" or others. There are'), 40],
    ]);
  });

  it('are not mixed with those of another one', () => {
    expect(grouped('email: "x" is taken.', 'phone: "x" is taken.', 'email: "y" is taken.')).toEqual([
      ['lines 2 and 4', 'email: "x" or "y" is taken.', 2],
      ['line 3', 'phone: "x" is taken.', undefined],
    ]);
  });
});

it('causes beyond a hundred are counted', () => {
  const problems = new Problems();
  const letters = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  for (const line of each(130, letters).keys()) problems.addOfRow({ line }, `wrong: ${letters(line)}`);
  expect([problems.fields().length, problems.hidden]).toEqual([100, 30]);
});
