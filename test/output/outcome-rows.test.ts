// What programs and people are told of several records: the word of each outcome, and the counts.

import { describe, expect, it } from 'vitest';
import { ConflictError, NotFoundError, RefusedError, UnavailableError } from '../../src/base/errors.ts';
import { effectSum } from '../../src/output/effect.ts';
import { outcomeCounts, outcomeRow } from '../../src/output/outcome-rows.ts';
import type { Effect, Outcome } from '../../src/output/result.ts';

const effect = (done: string, changes: Effect['changes'] = []): Effect => ({ subject: 'Lead 7', done, changes });
const done = (more: object): Outcome => ({ id: 7, name: 'lead 7', answer: { status: 200 }, ...more }) as unknown as Outcome;
const failed = (error: Error): Outcome => ({ id: 7, name: 'lead 7', error });

const all: [string, Outcome, string | null][] = [
  ['changed', done({ effect: effect('changed') }), null],
  ['changed', done({ effect: effect('archived') }), null],
  ['changed', done({}), null],
  ['unchanged', done({ effect: effect('is as it was') }), null],
  ['unknown', failed(new UnavailableError('Lost.', { code: 'outcome_unknown' })), 'outcome_unknown'],
  ['failed', failed(new UnavailableError('Lost.')), 'unavailable'],
  ['failed', failed(new NotFoundError('Gone.')), 'not_found'],
  ['failed', failed(new RangeError('Odd.')), 'fault'],
  ['conflict', failed(new ConflictError('Changed meanwhile.')), 'conflict'],
  ['failed', failed(new ConflictError('Converted.', { httpStatus: 409 })), 'conflict'],
  ['failed', done({ effect: effect('changed'), problem: new RefusedError('No.') }), 'refused'],
];

describe('an outcome for programs', () => {
  it.each(all)('%s', (outcome, of, code) => {
    expect(outcomeRow(of)).toMatchObject({ id: 7, outcome, differences: [], error: code === null ? null : { code } });
  });

  it('has the values that the run wrote', () => {
    const { differences } = outcomeRow(done({ effect: effect('changed', [{ field: 'source', old: 'Web', new: 'Fair' }]) }));
    expect(differences).toEqual([{ field: 'source', old: 'Web', new: 'Fair' }]);
  });

  it('is counted', () => {
    expect(outcomeCounts(all.map(([, outcome]) => outcome))).toEqual({ changed: 3, unchanged: 1, conflict: 1, failed: 5, unknown: 1 });
  });
});

it.each<[string[], number, number, string]>([
  [['changed', 'is as it was', 'changed'], 1, 0, '2 of 4 changed, 1 unchanged, 1 failed'],
  [['is as it was'], 0, 0, '1 of 1 unchanged'],
  [[], 2, 1, '2 of 3 failed, 1 left out'],
  [['', 'archived'], 0, 2, '1 of 4 done, 1 archived, 2 left out'],
])('effects %j with %i failed and %i left out', (effects, failures, leftOut, text) => {
  expect(
    effectSum(
      effects.map((one) => effect(one)),
      failures,
      leftOut,
    ),
  ).toBe(text);
});
