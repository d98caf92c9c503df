// What `crm diff` compares of two records: which values, which of them a change file can put back, and names that changed.

import { describe, expect, it } from 'vitest';
import { comparison, kindNoun } from '../../../src/changes/diff/compare.ts';
import type { Resource } from '../../../src/model/define.ts';
import { clients } from '../../../src/model/resources/clients.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';

const compared = (family: Resource, one: unknown, other: unknown) => comparison(family)(one, other);

describe('a value that differs', () => {
  it.each<[string, Resource, object, object, string, boolean]>([
    ['a field', leads, { source: 'Web' }, { source: 'Fair' }, 'source', true],
    ['a relation', leads, { status: { id: 1, title: 'New' } }, { status: { id: 2, title: 'Won' } }, 'status', true],
    ['a set', leads, { tags: ['a'] }, { tags: ['b'] }, 'tags', true],
    ['a state with an opposite', leads, { active_state: 'active' }, { active_state: 'archived' }, 'active_state', true],
    [
      'a state for good',
      leads,
      { converted: { is_converted: false } },
      { converted: { is_converted: true } },
      'converted.is_converted',
      false,
    ],
    [
      'a field of create alone',
      contacts,
      { client: { id: 1, company_name: 'A' } },
      { client: { id: 2, company_name: 'B' } },
      'client',
      false,
    ],
    ['a status that is an action', proposals, { status: 'draft' }, { status: 'accepted' }, 'status', true],
  ])('%s', (_what, family, one, other, field, isWritable) => {
    const { differences, renamed } = compared(family, one, other);
    expect(differences.map((each) => [each.field, each.isWritable])).toEqual([[field, isWritable]]);
    expect(renamed).toEqual([]);
  });

  it('has its texts, its id as it was, and the kind of things that it refers to', () => {
    const [one] = compared(leads, { status: { id: 1, title: 'New' } }, { status: { id: 2, title: 'Won' } }).differences;
    expect(one).toMatchObject({ field: 'status', oldKey: '1', old: 'New', new: 'Won', kind: 'lead-status' });
    expect(compared(leads, { source: null }, {}).differences).toEqual([]);
    expect(compared(leads, { value: '1.50' }, { value: '1.5' }).differences).toEqual([]);
  });

  it('of a name alone is a thing that was renamed', () => {
    const { differences, renamed } = compared(
      leads,
      {
        status: { id: 1, title: 'New' },
        assigned: [
          { id: 3, name: 'Ana' },
          { id: 4, name: 'Tom' },
        ],
      },
      {
        status: { id: 1, title: 'Fresh' },
        assigned: [
          { id: 4, name: 'Tom' },
          { id: 3, name: 'Anna' },
        ],
      },
    );
    expect(differences).toEqual([]);
    expect(renamed).toEqual([
      { kind: 'team', id: '3', old: 'Ana', new: 'Anna' },
      { kind: 'lead-status', id: '1', old: 'New', new: 'Fresh' },
    ]);
    expect(compared(clients, { id: 7, company_name: 'A' }, { id: 7, company_name: 'B' }).renamed).toEqual([
      { kind: 'client', id: '7', old: 'A', new: 'B' },
    ]);
  });

  it('is told by its noun', () => {
    expect((['lead-category', 'client', 'team', 'unit'] as const).map(kindNoun)).toEqual(['category', 'client', 'team member', 'unit']);
  });
});
