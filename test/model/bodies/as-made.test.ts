// Whether a record is as a run made it: what the service made of the sent values, what colleagues changed, and what the run wrote later.
// A record that is as made is deleted by undo, so each doubt is a reason to keep it.

import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/base/values/body.ts';
import { isAsMade, madeOf } from '../../../src/model/bodies/as-made.ts';
import { clients } from '../../../src/model/resources/clients.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';

const bodyOf = (values: object): Body => new Map(Object.entries(values));
const sent = bodyOf({ lead_title: 'Shop', lead_status: '1', lead_categoryid: '2', lead_source: 'Web' });
const record = {
  id: 7,
  title: 'Shop',
  status: { id: 1, title: 'New' },
  category: { id: 2, name: 'Inbound' },
  source: 'Web',
  value: null,
  description: null,
  active_state: 'active',
  assigned: [],
  tags: [],
  converted: { is_converted: false, client_id: null, date: null },
  dates: { created: '2026-11-20T10:00:00Z', updated: '2026-11-20T10:00:00Z' },
};

describe('what the service made of a new record', () => {
  it('is what differs from the sent values, and what is empty though nobody can write it', () => {
    const made = madeOf(leads, sent, { ...record, source: 'WEB', value: '0.00' });
    expect(made).toMatchObject({ source: 'WEB', value: '0.00' });
    expect(made).not.toHaveProperty('title');
  });

  it('is unknown where the record lacks a sent value', () => {
    const { source: _, ...lacking } = record;
    expect(madeOf(leads, sent, lacking)).toBeUndefined();
  });
});

describe('a record', () => {
  const made = madeOf(leads, sent, record);
  const later = (...values: [string, string | undefined][]) => new Map(values);
  const is = (now: object, more: object = {}) => isAsMade(leads, { ...record, ...now }, { body: sent, made, later: later(), ...more });

  it.each<[string, object, object, boolean]>([
    ['nothing changed', {}, {}, true],
    ['in other zeros', { value: '' }, {}, true],
    ['a sent value changed', { source: 'Fair' }, {}, false],
    ['a sent value was emptied', { source: null }, {}, false],
    ['an empty value was filled', { description: 'Call' }, {}, false],
    ['a tag came', { tags: ['hot'] }, {}, false],
    ['somebody was assigned', { assigned: [{ id: 3, name: 'Ana' }] }, {}, false],
    ['it was archived', { active_state: 'archived' }, {}, false],
    ['the run wrote later what stands', { source: 'Fair' }, { later: later(['source', 'Fair']) }, true],
    ['the run wrote later what no longer stands', {}, { later: later(['source', 'Fair']) }, false],
    ['the run may have written anything there', { source: 'Fair' }, { later: later(['source', undefined]) }, true],
    ['the title is another', { title: 'Shop 2' }, {}, false],
    ['what the service made stands', { value: '9.00' }, { made: { ...made, value: '9' } }, true],
    ['nobody knows what the service made: a value of the beginning', {}, { made: undefined }, true],
    ['nobody knows what the service made: another value', { value: '9.00' }, { made: undefined }, false],
    ['as the service made another record', { value: '9.00' }, { made: undefined, alike: { value: '9.00' } }, true],
  ])('%s', (_what, now, more, isSame) => expect(is(now, more)).toBe(isSame));

  it('with a member that nobody sends is as made until somebody fills it', () => {
    const body = bodyOf({ doc_title: 'P' });
    const proposal = { id: 1, title: 'P', project_id: null };
    const own = madeOf(proposals, body, proposal);
    expect(own).toMatchObject({ project_id: '' });
    const by = { body, made: own, later: new Map() };
    expect([isAsMade(proposals, proposal, by), isAsMade(proposals, { ...proposal, project_id: 5 }, by)]).toEqual([true, false]);
    const filled = { ...by, made: madeOf(proposals, body, { ...proposal, project_id: 4 }) };
    expect(isAsMade(proposals, { ...proposal, project_id: 5 }, filled)).toBe(true);
    const asAnother = { ...by, made: undefined, alike: { project_id: '' } };
    expect(isAsMade(proposals, { ...proposal, project_id: 5 }, asAnother)).toBe(false);
  });

  it('that is signed is kept', () => {
    const body = bodyOf({ doc_title: 'P' });
    const proposal = { id: 1, title: 'P', signed: null };
    const by = { body, made: undefined, later: new Map() };
    expect([isAsMade(proposals, proposal, by), isAsMade(proposals, { ...proposal, signed: { by: 'x', date: '2026-01-01' } }, by)]).toEqual([
      true,
      false,
    ]);
  });

  it('of a family that crm only reads has members all the same', () => {
    expect(madeOf(clients, new Map(), { id: 1, company_name: '' })).toMatchObject({ company_name: '' });
  });
});
