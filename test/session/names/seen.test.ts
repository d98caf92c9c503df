// What a run sees of names in its answers: of each list only what it is about.

import { expect, it } from 'vitest';
import { parseJson } from '../../../src/base/values/json.ts';
import { mostTitles } from '../../../src/session/names/known.ts';
import { SeenNames } from '../../../src/session/names/seen.ts';
import { CONTACT, ITEM, LEAD, PROPOSAL } from '../../wire/records.ts';

function seen(...answers: [method: 'GET' | 'POST' | 'PUT', path: string, data: unknown][]) {
  const names = new SeenNames((text) => text.includes('top-secret'));
  for (const [method, path, data] of answers) names.see({ method, path }, { data });
  return names.known();
}

const one = (id: number | string, name: string) => ({ id, name });

it('knows each name and word once, however often it comes', () => {
  const other = { ...LEAD, id: 13 };
  const { names, words } = seen(
    ['GET', '/api/leads', [LEAD, other]],
    ['GET', '/api/leads/12', LEAD],
    ['PUT', '/api/leads/13/status', other],
  );
  expect(names).toEqual({
    'lead-status': [one(3, 'Qualified')],
    'lead-category': [one(2, 'Retail')],
    team: [one(5, 'Sam Hill'), one(8, 'Kim Park')],
  });
  expect(words.tags).toEqual(['warm', 'retail']);
});

it('takes the kinds of each family from where it holds them, and what records are called', () => {
  const known = seen(['GET', '/api/items', [ITEM]], ['GET', '/api/contacts', [CONTACT]], ['GET', '/api/proposals/5', PROPOSAL]);
  expect(known.names).toMatchObject({ unit: [one(3, 'piece')], 'tax-rate': [one(1, 'VAT')], 'item-category': [one(7, 'Shelves')] });
  expect(known.names.client).toEqual([one(12, 'Acme Ltd'), one(4, 'Acme Ltd')]);
  expect(known.titles).toEqual({
    items: [{ id: 8, title: 'Oak shelf' }],
    contacts: [{ id: 5, title: 'Jane Doe' }],
    proposals: [{ id: 5, title: 'Website relaunch' }],
  });
});

it('knows categories by their types, and those without one as categories alone', () => {
  const categories = [
    { id: 1, name: 'Web', type: 'lead' },
    { id: 2, name: 'Shelves', type: 'item' },
    { id: 3, name: 'Odd' },
  ];
  expect(seen(['GET', '/api/categories', categories]).names).toEqual({
    category: [one(1, 'Web'), one(2, 'Shelves'), one(3, 'Odd')],
    'lead-category': [one(1, 'Web')],
    'item-category': [one(2, 'Shelves')],
  });
});

it('takes nothing from what hangs on a record, nor from what is no record', () => {
  const comments = [{ id: 1, text: 'x', status: { id: 9, title: 'No status' }, title: 'No lead' }];
  const client = { id: 4, category: { id: 9, name: 'A category of clients' } };
  const known = seen(
    ['GET', '/api/leads/12/comments', comments],
    ['POST', '/api/leads/12/convert', client],
    ['GET', '/api/leads', ['a', null, 7, { id: 0, status: { id: -1, title: 'x' } }, { status: null, assigned: [null], tags: [1, ''] }]],
    ['GET', '/api/elsewhere', [LEAD]],
  );
  expect(known.names).toEqual(Object.fromEntries(Object.keys(known.names).map((kind) => [kind, []])));
  expect(known.titles).toEqual({ leads: [] });
});

it('keeps ids that no number holds by their digits, and long titles short', () => {
  const data = parseJson(`[{"id": 12345678901234567890, "title": "${'long\\n'.repeat(60)}", "status": {"id": "00", "title": "None"}}]`);
  const { titles } = seen(['GET', '/api/leads', data]);
  expect(titles.leads).toEqual([{ id: '12345678901234567890', title: 'long '.repeat(24) }]);
});

it('of a long list it keeps the titles that come first', () => {
  const many = Array.from({ length: mostTitles + 50 }, (_, index) => ({ id: index + 1, title: `T${index + 1}` }));
  const ids = seen(['GET', '/api/leads', many]).titles.leads?.map(({ id }) => id);
  expect(ids).toEqual(many.slice(0, mostTitles).map(({ id }) => id));
});

it('keeps no text that holds a secret', () => {
  const { names, titles } = seen(['GET', '/api/leads', [{ ...LEAD, title: 'my top-secret', status: { id: 3, title: 'top-secret' } }]]);
  expect([names['lead-status'], titles.leads]).toEqual([[], []]);
});
