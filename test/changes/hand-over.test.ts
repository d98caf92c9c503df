// A hand-over from one person to another: a record that somebody else gave to a third person meanwhile stays with that person.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

const crm = async (...argv: string[]) => {
  const ended = await shop.crm([...argv, '-q']);
  expect(ended.status, ended.stderr).toBe(0);
};
const people = async (id: number) => {
  const { assigned } = (await shop.crm(['leads', 'get', String(id), '--json'])).json() as { assigned: { name: string }[] };
  return assigned.map(({ name }) => name);
};
const [tom, maya, priya] = ['Tom Okafor', 'Maya Lindqvist', 'Priya Raman'];
const handOver = ['--remove', tom, '--add', maya];
const file = `family,id,assigned,was.assigned\nleads,12,${maya},${tom}\nleads,13,${maya},${tom}\n`;

it('of one typed id is a conflict (10), and nobody is added', async () => {
  await crm('leads', 'assign', '12', priya);
  const { status, stderr } = await shop.crm(['leads', 'assign', '12', ...handOver]);
  expect([status, stderr]).toEqual([10, expect.stringContaining(`Changed meanwhile, so left as it is: assigned is ${priya} now.`)]);
  expect(await people(12)).toEqual([priya]);
});

it('of several records, and of a change file, is a conflict of its record alone (8)', async () => {
  await crm('leads', 'assign', '12', priya);
  await crm('leads', 'assign', '13', tom);
  expect(await shop.crm(['leads', 'assign', '12,13', ...handOver, '--yes'])).toMatchObject({ status: 8 });
  expect([await people(12), await people(13)]).toEqual([[priya], [maya]]);
  await crm('leads', 'assign', '13', tom);
  shop.write('changes.csv', file);
  expect(await shop.crm(['apply', 'changes.csv'])).toMatchObject({ status: 8 });
  expect([await people(12), await people(13)]).toEqual([[priya], [maya]]);
});

it('typed or applied twice changes nothing, and a person beside the two stays', async () => {
  await crm('leads', 'assign', '12', tom, priya);
  await crm('leads', 'assign', '13', tom);
  shop.write('changes.csv', file);
  for (let time = 0; time < 2; time += 1) {
    const { status, stderr } = await shop.crm(['apply', 'changes.csv']);
    expect(status, stderr).toBe(0);
    expect(await shop.crm(['leads', 'assign', '12', ...handOver])).toMatchObject({ status: 0 });
    expect([await people(12), await people(13)]).toEqual([[priya, maya], [maya]]);
  }
});

it('--remove alone, --add alone and tags are no hand-over', async () => {
  await crm('leads', 'assign', '12', priya);
  await crm('leads', 'assign', '12', '--remove', tom);
  await crm('leads', 'assign', '12', '--add', maya);
  expect(await people(12)).toEqual([priya, maya]);
  await crm('leads', 'tags', '12', '--remove', 'nobody-has-this', '--add', 'hot');
});
