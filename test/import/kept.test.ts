// A service that keeps other values than it is sent, and says so only in what it answers.

import { expect, it } from 'vitest';
import { inPlace } from '../runs/support.ts';

it('what a service keeps otherwise than it was sent is told, another form of the same is not', async () => {
  await inPlace({ trims: true, formatsPhones: true, cutsTitlesAt: 10 }, async ({ write, crm }) => {
    const rows = ['A,+49 (0)30 123,a@x.example', '"A long title, 1",1,', '"A long title, 2",1,', '" B ",1,'];
    const file = write('f.csv', `title,phone,email,status,category\n${rows.map((row) => `${row},1,1\n`).join('')}`);
    const made = await crm(['leads', 'import', file]);
    expect([made.status, made.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^The service answered another title than it was sent on lines 3 and 4: first, 'A long title, 1' was sent, 'A long tit' came back\.\nUndo: crm undo \w{4}\n$/,
      ),
    ]);
    const again = write('u.csv', 'email,title\na@x.example,A title of 1\n');
    const changed = await crm(['leads', 'import', again, '--mode', 'update', '--match', 'email']);
    expect([changed.status, changed.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^The service answered another title than it was sent on line 2: 'A title of 1' was sent, 'A title of' came back\.\nUndo: crm undo \w{4}\n$/,
      ),
    ]);
    expect((await crm(['leads', 'import', again, '--mode', 'update', '--match', 'email', '--dry-run'])).stderr).toBe(
      'Would change 1 lead: title 1.\n',
    );
  });
});
