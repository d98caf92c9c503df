// What a new note hangs on, in two columns of a file.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

it.each(['noteresource_type,noteresource_id', 'resource.type,resource.id'])('%s', async (columns) => {
  shop.write('n.csv', `title,description,${columns}\nCall,x,lead,12\n`);
  expect((await shop.crm(['notes', 'import', 'n.csv', '--json'])).json()).toMatchObject({ created: 1 });
  expect((await shop.crm(['notes', 'list', '--resource', 'lead:12', '--search', 'Call', '--json'])).json()).toMatchObject([
    { title: 'Call', resource: { type: 'lead', id: 12 } },
  ]);
});

it.each([
  ['noteresource_id', 'lead,twelve'],
  ['noteresource_type', 'house,12'],
])('what is no %s is found before anything is sent', async (column, cells) => {
  shop.write('n.csv', `title,description,noteresource_type,noteresource_id\nCall,x,${cells}\n`);
  const { status, stderr } = await shop.crm(['notes', 'import', 'n.csv']);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`line 2, column ${column}: `)]);
});
