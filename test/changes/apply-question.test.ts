// What `crm apply` shows of a file before it asks: the table that an edit shows, old and new value of each field.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

it('shows each record by its name, and its values in columns, and changes nothing without a yes', async () => {
  await shop.crm(['leads', 'update', '14', '--value', '9']);
  const rows = ['12,5.00,88000.00,hot; cold,hot', '13,7.00,1.00,,', '14,9.00,1.00,,'].map((row) => `leads,${row}\n`);
  shop.write('changes.csv', `family,id,value,was.value,tags,was.tags\n${rows.join('')}`);
  const asked = await shop.crm(['apply', 'changes.csv'], { tty: true, columns: 100, stdin: 'n\n' });
  expect(asked.status).toBe(9);
  expect(asked.stderr).toMatch(
    /Lead 12: Blood bank, sample tracking\n {2}value {2}88000\.00 → 5\.00\n {2}tags {3}\+cold\nLead 13: .*\n {2}not sent {2}Changed meanwhile[\s\S]*1 of 3 would be changed; 1 unchanged\.\n[\s\S]*Change 1 lead\?/,
  );
});
