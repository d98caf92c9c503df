// What an undo writes to a record, of what the run's journal holds and the record shows: typed by hand.

import { describe, expect, it } from 'vitest';
import { canPutBack, partOfKind, putBack } from '../../../src/changes/undo/put-back.ts';
import type { Resource } from '../../../src/model/define.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';
import type { PastStep } from '../../../src/runs/journal/run.ts';

type Values = Readonly<Record<string, unknown>>;
const step = (kind: string, before: Values, body: Values, after?: Values): PastStep =>
  ({ kind, before, body: new Map(Object.entries(body)), after }) as unknown as PastStep;

/** What goes back, as the sentences of the undo name it, with the body that is sent. */
function back(family: Resource, steps: readonly PastStep[], record: unknown) {
  const { kind, change, given, changes, changedSince, lost } = putBack(family, 12, steps, record);
  return {
    kind,
    isSent: change !== undefined,
    given: given && Object.fromEntries(given),
    changes: changes.map(({ field, old, new: now }) => `${field} ${old} -> ${now}`),
    changedSince,
    lost,
  };
}

describe('fields', () => {
  const source = (before: Values, body: Values, after?: Values) => step('update', before, body, after);
  const lead = (value: unknown) => ({ source: value });
  const sent = source({ lead_source: 'Web' }, { lead_source: 'Fair' });

  it.each<[string, PastStep[], unknown, string[], string[]]>([
    ['what was sent stands: the old value', [sent], lead('Fair'), ['source Fair -> Web'], []],
    [
      'in the form that the service gave it',
      [source({ lead_source: 'Web' }, { lead_source: 'fair ' }, { lead_source: 'Fair' })],
      lead('Fair'),
      ['source Fair -> Web'],
      [],
    ],
    [
      'as it was sent, which the service never kept',
      [source({ lead_source: 'Web' }, { lead_source: 'fair!' }, { lead_source: 'Fair' })],
      lead('fair!'),
      [],
      ['source'],
    ],
    ['the old value is there', [sent], lead('Web'), [], []],
    ['another value', [sent], lead('Expo'), [], ['source']],
    ['none', [sent], {}, [], ['source']],
    ['it was empty before', [source({ lead_source: null }, { lead_source: 'Fair' })], lead('Fair'), ['source Fair -> '], []],
    ['two steps of the run', [sent, source({ lead_source: 'Fair' }, { lead_source: 'Expo' })], lead('Expo'), ['source Expo -> Web'], []],
    ['two steps, and the first one stands', [sent, source({ lead_source: 'Fair' }, { lead_source: 'Expo' })], lead('Fair'), [], ['source']],
    [
      'somebody wrote between two steps',
      [sent, source({ lead_source: 'Theirs' }, { lead_source: 'Expo' })],
      lead('Expo'),
      ['source Expo -> Theirs'],
      [],
    ],
    [
      'a value that the service changed beside it',
      [source({ lead_source: 'Web' }, {}, { lead_source: 'Fair' })],
      lead('Fair'),
      ['source Fair -> Web'],
      [],
    ],
    ['a value that nobody sent, and the service set', [source({}, {}, { lead_source: 'Fair' })], lead('Fair'), ['source Fair -> '], []],
    ['a value of which nobody knows how it was left', [source({ lead_source: 'Web' }, {})], lead('Fair'), [], ['source']],
  ])('%s', (_what, steps, record, changes, changedSince) => {
    const isSent = changes.length > 0;
    expect(back(leads, steps, record)).toMatchObject({ kind: 'update', isSent, changes, changedSince, lost: [] });
  });

  it('are compared by their type, and relations are sent by id', () => {
    const value = step('update', { lead_value: '5.00', lead_categoryid: 3 }, { lead_value: '6', lead_categoryid: 4 });
    const { given, changes } = back(leads, [value], { value: '6.00', category: { id: 4, name: 'Inbound' } });
    expect(given).toMatchObject({ lead_value: '5.00' });
    expect(Object.values(given ?? {})).toContain(3);
    expect(changes).toContain('value 6.00 -> 5.00');
  });

  it('that no update can send are lost, by their flag or their wire name', () => {
    const { lost, isSent } = back(contacts, [step('update', { clientid: 1, odd: 'x' }, { clientid: 2 })], { client: { id: 2 } });
    expect([lost, isSent]).toEqual([['client', 'odd'], false]);
  });
});

describe('a set', () => {
  const tags = (before: string[], body: string[], after?: string[]) =>
    step('tags', { tags: before }, { tags: body }, after === undefined ? undefined : { tags: after });

  it.each<[string, PastStep[], string[], string[] | undefined, string[]]>([
    ['what was added goes, what was removed comes back', [tags(['a', 'b'], ['a', 'c'])], ['a', 'c'], ['a', 'b'], []],
    ['what somebody else added stays', [tags(['a'], ['a', 'c'])], ['a', 'c', 'z'], ['a', 'z'], []],
    ['what somebody else took away stays away', [tags(['a', 'b'], ['a', 'b', 'c'])], ['a', 'c'], ['a'], []],
    ['nothing is to do', [tags(['a'], ['a', 'c'])], ['a'], undefined, []],
    ['two steps', [tags(['a'], ['a', 'b']), tags(['a', 'b'], ['b', 'c'])], ['b', 'c'], ['a'], []],
    ['as the service kept it', [tags(['a'], ['a', 'C'], ['a', 'c'])], ['a', 'c'], ['a'], []],
    ['in another form than the service kept', [tags(['a'], ['a', 'cafe'], ['a', 'cafe'])], ['a', 'café'], undefined, []],
    ['as the service may have kept it', [tags(['a'], ['a', 'Cafe'])], ['a', 'café'], undefined, ['tags']],
  ])('%s', (_what, steps, held, wanted, changedSince) => {
    const { change, changedSince: since, changes } = putBack(leads, 12, steps, { tags: held });
    expect(since).toEqual(changedSince);
    expect(changes.length > 0).toBe(wanted !== undefined);
    const written = change?.write({ id: 12, tags: held });
    expect(written?.body === undefined ? undefined : [...written.body.values()].flat()).toEqual(
      wanted === undefined ? undefined : expect.arrayContaining(wanted),
    );
    if (wanted !== undefined) expect([...(written?.body?.values() ?? [])].flat()).toHaveLength(wanted.length);
  });

  it('of people is told by their names, of whoever is known', () => {
    const assigned = step('assign', { assigned: [{ id: 3, name: 'Ana' }] }, { assigned: [4] });
    const { changes } = putBack(leads, 12, [assigned], { assigned: [{ id: 4, name: 'Tom' }] });
    expect(JSON.stringify(changes)).toMatch(/Ana/);
  });
});

describe('an action', () => {
  const archived = step('archive', { active_state: 'active' }, {});

  it.each<[string, Resource, PastStep[], unknown, string, string[], string[], string[]]>([
    [
      'is taken back by the opposite one',
      leads,
      [archived],
      { active_state: 'archived' },
      'activate',
      ['active_state archived -> active'],
      [],
      [],
    ],
    ['is taken back already', leads, [archived], { active_state: 'active' }, 'archive', [], [], []],
    ['whose record stands otherwise', leads, [archived], { active_state: 'frozen' }, 'archive', [], ['active_state'], []],
    [
      'to a state that no action sets is lost',
      leads,
      [step('archive', { active_state: 'frozen' }, {})],
      { active_state: 'archived' },
      'archive',
      [],
      [],
      ['active_state'],
    ],
    [
      'with a value is taken back by itself',
      proposals,
      [step('status', { status: 'draft' }, { status: 'new' })],
      { id: 12, status: 'new', signed: null },
      'status',
      ['status new -> draft'],
      [],
      [],
    ],
    [
      'from no value is lost',
      proposals,
      [step('status', { status: null }, { status: 'new' })],
      { id: 12, status: 'new', signed: null },
      'status',
      [],
      [],
      ['status'],
    ],
    [
      'of a proposal that is signed by now stays',
      proposals,
      [step('status', { status: 'draft' }, { status: 'new' })],
      { id: 12, status: 'new', signed: { by: 'x', date: '2026-01-01' } },
      'status',
      [],
      ['status (it is signed)'],
      [],
    ],
    [
      'that cleared a signature can not give it back',
      proposals,
      [step('status', { status: 'draft', signed: { by: 'x' } }, { status: 'new' })],
      { id: 12, status: 'new', signed: null },
      'status',
      ['status new -> draft'],
      [],
      ['signature'],
    ],
    [
      'that cleared none lost none',
      proposals,
      [step('status', { status: 'draft', signed: null }, { status: 'new' })],
      { id: 12, status: 'new', signed: null },
      'status',
      ['status new -> draft'],
      [],
      [],
    ],
  ])('%s', (_what, family, steps, record, kind, changes, changedSince, lost) => {
    expect(back(family, steps, record)).toMatchObject({ kind, changes, changedSince, lost, isSent: changes.length > 0 });
  });

  it('and its opposite are one part, and so are several of the run', () => {
    const both = [step('archive', { active_state: 'active' }, {}), step('activate', { active_state: 'archived' }, {})];
    expect(back(leads, both, { active_state: 'active' }).changes).toEqual([]);
    expect([partOfKind(leads, 'archive') === partOfKind(leads, 'activate'), partOfKind(leads, 'update')]).toEqual([true, 'update']);
  });
});

it.each([
  ['update', true],
  ['tags', true],
  ['assign', true],
  ['archive', true],
  ['status', true],
  ['create', false],
  ['delete', false],
  ['convert', false],
  ['comment', false],
])('%s can be taken back: %s', (kind, can) => expect(canPutBack(leads, kind)).toBe(can));
