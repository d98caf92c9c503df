// What a value of a seed may say of another record, as found out before anything is sent.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop();

const seed = (text: string) => {
  shop.write(
    'seed.yaml',
    `version: 1\nrecords:\n  - { name: deal, type: lead, set: { title: Deal, status: 1, category: 1 } }\n  - { name: note, type: note, set: { title: Call, description: '${text}' } }\n`,
  );
  return shop.crm(['seed', 'apply', 'seed.yaml', '--json']);
};

it.each([
  ['Deal ${deal.id}', /^Deal \d+$/],
  ['${deal.title}, ${deal.status.title}', /^Deal, New$/],
])('%s', async (text, is) => {
  expect((await seed(text)).status).toBe(0);
  expect((await shop.crm(['notes', 'list', '--json'])).json()).toMatchObject([{ title: 'Call', description: expect.stringMatching(is) }]);
});

it.each([
  ['${deal.tags}', '"tags" is not a single value (${deal.tags}).'],
  ['${deal.contact}', '"contact" is not a single value (${deal.contact}): there are contact.first_name, '],
  ['${deal.titel}', 'leads have no "titel" (${deal.titel}). Did you mean "title"?'],
])('%s is refused, and nothing is sent', async (text, says) => {
  const { status, stderr } = await seed(text);
  expect([status, stderr]).toEqual([2, expect.stringContaining(JSON.stringify(says).slice(1, -1))]);
  expect((await shop.crm(['leads', 'list', '--json'])).json()).toEqual([]);
});
