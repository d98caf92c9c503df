// The order of several writes of one record, and the numbers of an import's parts, which stand in journals.

import { expect, it } from 'vitest';
import { extrasOf, inOrder } from '../../../src/model/bodies/extras.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';

it.each([
  [leads, 'comment archive tags assign status update activate', 'activate update status assign tags archive comment'],
  [leads, 'archive update', 'update archive'],
  [proposals, 'status update', 'update status'],
])('the writes of $name: %s', (resource, given, sent) => {
  const writes = given.split(' ').map((kind) => ({ kind }));
  expect(inOrder(resource, writes).map(({ kind }) => kind)).toEqual(sent.split(' '));
});

it('the extras keep their places, since journals have their numbers', () => {
  const advice = 'journals have these numbers: a new extra is the last; where it would stand before others, `extrasOf` has to put it last';
  expect(
    extrasOf(leads).map(({ name }) => name),
    advice,
  ).toEqual(['assigned', 'tags', 'active_state']);
  expect(
    extrasOf(proposals).map(({ name }) => name),
    advice,
  ).toEqual(['status', 'tags']);
});
