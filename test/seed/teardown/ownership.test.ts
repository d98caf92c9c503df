// Whose a record is that an action made, such as a conversion's contact: the record has only its times to tell.

import { expect, it } from 'vitest';
import type { RunRecord } from '../../../src/runs/journal/run.ts';
import { factsOf, ownershipOf } from '../../../src/seed/teardown/ownership.ts';
import { runInMemory } from '../../runs/steps.ts';

const then = '2026-11-20T10:00:00.000000Z';
const later = '2026-11-20T10:00:05.000000Z';
const nextDay = '2026-11-21T10:00:00.000000Z';

const made = (created: string | undefined): RunRecord => ({
  family: 'contacts',
  id: 7,
  own: true,
  ...(created === undefined ? {} : { created }),
  step: 1,
  part: 1,
  key: 'won',
  place: 1,
  isGone: false,
});
const contact = (created: string | undefined, updated: string | undefined): object => ({ id: 7, dates: { created, updated } });
const facts = { ...factsOf(runInMemory(), []), lastWrite: Date.parse(later) };

it.each<[string, RunRecord, object | undefined, string]>([
  ['as it was made', made(then), contact(then, then), 'own'],
  ['that tells no change', made(then), contact(then, undefined), 'own'],
  ['changed since', made(then), contact(then, later), 'changed'],
  ['made at another time', made(then), contact(later, later), 'other'],
  ['made a day after the last write', made(undefined), contact(nextDay, nextDay), 'other'],
  ['whose answer told no time', made(undefined), contact(then, then), 'unknown'],
  ['that tells no time', made(then), contact(undefined, undefined), 'unknown'],
  ['whose id nobody knows', { ...made(then), id: undefined }, contact(then, then), 'unknown'],
  ['that is gone', made(then), undefined, 'gone'],
])('a record %s', (_what, one, record, whose) => {
  expect(ownershipOf(facts, one, record)).toBe(whose);
});
