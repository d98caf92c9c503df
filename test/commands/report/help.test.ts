// What `crm report` alone says: the reports, and the groupings of each.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../../import/support.ts';

const shop = eachWorkshop();

it('names the values of --by, each of which works', async () => {
  const page = (await shop.crm(['report'])).stdout.replaceAll(/\s+/g, ' ');
  expect(page).toContain('Count leads and sum up their values: --by status, assigned, source, category, tag, age or month');
  expect(page).toContain('Count proposals: --by status or month');
  const named = (family: string): string[] =>
    (new RegExp(`Count ${family}[^:]*: --by (.*?)(?= proposals| Global)`).exec(page)?.[1] ?? '').split(/, | or /);
  for (const family of ['leads', 'proposals'])
    for (const by of named(family)) expect(await shop.crm(['report', family, '--by', by.trim(), '--json'])).toMatchObject({ status: 0 });
});
