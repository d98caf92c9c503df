// Imports that end before a row is done: one that may have created a row is unfinished, and one that was refused leaves no run.

import { expect, it } from 'vitest';
import { eachBehindProxy } from '../commands/history/support.ts';

const at = eachBehindProxy({ empty: true });
const begin = ['leads', 'import', 'f.csv', '--yes', '--json'];

it('an import whose only row is lost is unfinished, and --resume finds the row', async () => {
  at.place.write('f.csv', 'title,status,category\nOne,1,1\n');
  at.proxy.change({ answer: ({ method, write }) => (method === 'POST' ? 'cut' : write > 1 ? 401 : undefined) });
  const first = await at.crm(...begin);
  expect(first.status, first.stderr).not.toBe(0);
  at.proxy.change();
  const again = await at.crm(...begin);
  expect([again.status, JSON.parse(again.stderr)]).toMatchObject([
    10,
    { error: { code: 'run_unfinished', message: expect.stringContaining('is unfinished: 0 done, up to 1 more may be there, of 1 row') } },
  ]);
  const resumed = await at.crm(...begin, '--resume');
  expect(resumed.status, resumed.stderr).toBe(0);
  expect((await at.place.everything()).leads).toMatchObject([{ title: 'One' }]);
});

it('an import that is refused before its first row leaves no run', async () => {
  at.place.write('f.csv', 'title,status,category\nOne,1,1\n');
  at.proxy.change({ answer: ({ method }) => (method === 'POST' ? 401 : undefined) });
  const first = await at.crm(...begin);
  expect(first.status, first.stderr).toBe(4);
  expect(await at.history()).toEqual([]);
  at.proxy.change();
  expect((await at.crm(...begin)).status).toBe(0);
});
