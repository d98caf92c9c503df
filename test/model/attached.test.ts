// What hangs on a record, and would go with it: nothing of others' is counted as its own, and nothing that goes along is left out.

import { expect, it } from 'vitest';
import { attachedFilter, attachedQuery, hangsOn, pathsAbove } from '../../src/model/attached.ts';
import type { Attached } from '../../src/model/define.ts';
import { leads } from '../../src/model/resources/leads.ts';
import { notes } from '../../src/model/resources/notes.ts';
import { proposals } from '../../src/model/resources/proposals.ts';

const onLead: Attached = { name: 'notes', filter: 'resource', type: 'lead', takenAlong: true };
const ofLead: Attached = { name: 'proposals', filter: 'lead', takenAlong: true };
const comments = leads.attached?.find(({ name }) => name === 'comments') as Attached;

it('they are listed by a filter, or have a list of their own', () => {
  expect([onLead, ofLead, comments].map((one) => attachedFilter(one, 12))).toEqual([['resource', 'lead:12'], ['lead', '12'], undefined]);
  expect(attachedQuery(notes, onLead, 12)).toEqual([
    ['resource_type', 'lead'],
    ['resource_id', '12'],
  ]);
  expect(attachedQuery(proposals, ofLead, 12)).toEqual([['lead_id', '12']]);
  expect(attachedQuery(proposals, comments, 12)).toEqual([]);
});

it.each<[string, unknown, Attached, boolean]>([
  ['a note on it', { resource: { type: 'lead', id: 12 } }, onLead, true],
  ['its id as a text', { resource: { type: 'lead', id: '12' } }, onLead, true],
  ['a note on another lead', { resource: { type: 'lead', id: 13 } }, onLead, false],
  ['a note on a client with the same id', { resource: { type: 'client', id: 12 } }, onLead, false],
  ['a note that tells no type', { resource: { id: 12 } }, onLead, true],
  ['a note on nothing', { resource: { type: null, id: null } }, onLead, false],
  ['a note whose resource is null', { resource: null }, onLead, false],
  ['a note that tells nothing: the filter is believed', { title: 'A' }, onLead, true],
  ['a proposal for it', { lead: { id: 12, name: 'Ann' } }, ofLead, true],
  ['a proposal for another', { lead: { id: 13, name: 'Ann' } }, ofLead, false],
  ['a comment of its own list', { text: 'A' }, comments, true],
])('%s', (_name, record, attached, expected) => {
  expect(hangsOn(record, attached, 12)).toBe(expected);
});

it.each<[string, string, unknown, string[]]>([
  ['a note goes with its lead', 'notes', { resource: { type: 'lead', id: 12 } }, ['/api/leads/12']],
  ['a note stays without its contact', 'notes', { resource: { type: 'user', id: 12 } }, []],
  ['a note on nothing', 'notes', { resource: null }, []],
  ['a proposal goes with its lead', 'proposals', { lead: { id: 7 }, client: { id: null } }, ['/api/leads/7']],
  ['a contact goes with nothing', 'contacts', { client: { id: 3 } }, []],
  ['a comment has no family', 'comments', { lead: { id: 7 } }, []],
])('%s', (_name, family, record, expected) => {
  expect(pathsAbove(record, family)).toEqual(expected);
});
