// Which step of a ledger an action of a changed file is.

import { describe, expect, it } from 'vitest';
import { type Deed, stepsOf } from '../../src/seed/steps.ts';

/** `comment A`: a verb and a body; a verb alone has a body that can't be told. */
const deed = (text: string): Deed => {
  const [verb = '', body] = text.split(' ');
  return { verb, body };
};

const deeds = (text: string): Deed[] => (text === '' ? [] : text.split(', ').map(deed));

describe('steps of a changed file', () => {
  it.each([
    ['nothing is known', 'comment A, archive', '', [0, 1]],
    ['the same', 'comment A, status 2, comment A', 'comment A, status 2, comment A', [0, 1, 2]],
    ['interrupted', 'comment A, status 2, comment A', 'comment A', [0, 1, 2]],
    ['put in front', 'comment B, comment A', 'comment A', [1, 0]],
    ['another verb in front', 'tags x, convert', 'convert y', [1, 0]],
    ['a changed value', 'comment B, archive', 'comment A, archive', [0, 1]],
    ['a value that can not be told', 'comment, comment B', 'comment A, comment B', [0, 1]],
    ['moved', 'archive , comment A', 'comment A, archive ', [1, 0]],
    ['taken out', 'comment B', 'comment A, comment B', [1]],
    ['taken out and added', 'comment B, comment C', 'archive , comment B', [1, 2]],
  ])('%s', (_name, wanted, known, steps) => {
    expect(stepsOf(deeds(wanted), new Map(deeds(known).entries()))).toEqual(steps);
  });
});
