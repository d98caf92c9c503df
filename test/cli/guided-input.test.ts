// What a terminal is asked for when the service refuses a value, and when nothing may be asked.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

it('an answer that the service refuses is asked for again, with the reason above', async () => {
  const words = ['contacts', 'create', '--first-name', 'A', '--last-name', 'B', '--client', '1'];
  expect((await shop.crm([...words, '--email', 'a@x.example'])).status).toBe(0);
  // The first question reads the test's keyboard to its end.
  const { status, stderr } = await shop.crm(words, { tty: true, columns: 160, stdin: 'a@x.example\n' });
  expect([status, stderr]).toEqual([
    9,
    expect.stringMatching(/ {2}--email: The email has already been taken\.\nerror: Nobody answered\.\n$/),
  ]);
});

it('nothing is asked for where standard input gives a value', async () => {
  const words = ['leads', 'create', '--title', 'T', '--status', '1', '--description', '-'];
  const { status, stderr } = await shop.crm(words, { tty: true, columns: 160, stdin: '3\n' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('--category')]);
  expect(stderr).not.toContain('(--category)');
});
