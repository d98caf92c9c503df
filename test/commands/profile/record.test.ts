// A profile as programs read it, member by member.

import { expect, it } from 'vitest';
import { profileMembers, profileRecord, profileShape } from '../../../src/commands/profile/record.ts';

type Named = Parameters<typeof profileRecord>[0];
const record = (profile: object, current?: string) => profileRecord({ name: 'acme', profile } as unknown as Named, current);

it('has a member for everything that a profile may hold', () => {
  const least = { baseUrl: 'https://crm.test', encoding: 'form', protected: false, insecureHttp: false, key: 'crm_0123456789abcdef' };
  expect(record(least)).toEqual({
    name: 'acme',
    base_url: 'https://crm.test',
    key: 'crm_…cdef',
    encoding: 'form',
    me: null,
    columns: null,
    protected: false,
    read_only: false,
    insecure_http: false,
    current: false,
  });
  const most = {
    ...least,
    encoding: 'json',
    me: '7',
    columns: { leads: ['id', 'title'] },
    protected: true,
    readOnly: true,
    insecureHttp: true,
  };
  expect(record(most, 'acme')).toMatchObject({
    ...{ encoding: 'json', me: '7', columns: 'leads=id,title', protected: true, read_only: true, insecure_http: true, current: true },
  });
  expect(record(least, 'other').current).toBe(false);
  expect(JSON.stringify(record(most))).not.toContain('0123456789abcdef');
});

it('is explained and shown with these members', () => {
  expect(profileMembers).toEqual({
    name: 'text',
    base_url: 'text',
    key: 'text',
    encoding: 'text',
    me: 'text|null',
    columns: 'text|null',
    protected: 'boolean',
    read_only: 'boolean',
    insecure_http: 'boolean',
    current: 'boolean',
  });
  expect(profileShape.columns.map(({ path }) => path)).toEqual(['name', 'base_url', 'key', 'encoding', 'current']);
});
