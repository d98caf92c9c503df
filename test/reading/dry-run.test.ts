// What --dry-run shows of several records: old and new of each, and the requests with --verbose or --json.

import { beforeEach, expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

beforeEach(async () => {
  shop.write('f.csv', 'title,status,category,value,source\nFarm shop,New,Inbound,5.00,Fair\nTill,Contacted,Inbound,6.00,web\n');
  await shop.crm(['leads', 'import', 'f.csv', '-q']);
});

const dry = (...words: string[]) => shop.crm(['leads', ...words, '--dry-run']);
const header = 'ID\tTITLE\tOUTCOME\tFIELD\tOLD\tNEW';
const lines = (text: string): string[] => text.replace(/\n$/, '').split('\n');

it('fields with names, a line for each that differs; what is so already is said', async () => {
  const { status, stdout, stderr } = await dry('update', '45,46', '--status', 'Contacted', '--value', '6');
  expect([status, lines(stdout)]).toEqual([
    0,
    [
      header,
      '45\tFarm shop\twould change\tstatus\tNew\tContacted',
      '45\tFarm shop\twould change\tvalue\t5.00\t6',
      '46\tTill\tunchanged\t\t\t',
    ],
  ]);
  expect(stderr).toBe('1 of 2 would be changed; 1 unchanged.\n');
});

it('statuses, tags, people, archiving and deleting; nothing is done', async () => {
  const told = async (...words: string[]) => lines((await dry(...words)).stdout)[1];
  expect(await told('status', '45,46', '--to', 'Negotiation')).toBe('45\tFarm shop\twould change\tstatus\tNew\tNegotiation');
  expect(await told('tags', '45,46', '--add', 'to call')).toBe('45\tFarm shop\twould change\ttags\t\tto call');
  expect(await told('assign', '45,46', '--add', 'Priya')).toBe('45\tFarm shop\twould change\tassigned\t\tPriya');
  expect(await told('archive', '45,46')).toBe('45\tFarm shop\twould change\t\t\tarchived');
  expect(await told('delete', '45,46')).toBe('45\tFarm shop\twould change\t\t\tdeleted');
  const [lead] = JSON.parse((await shop.crm(['leads', 'get', '45,46', '--json'])).stdout);
  expect(lead).toMatchObject({ status: { title: 'New' }, tags: [], assigned: [], active_state: 'active' });
});

it('requests with --verbose or --json, and of a single record', async () => {
  expect((await dry('archive', '45,46', '--verbose')).stdout).toBe(
    'PUT sandbox:/api/leads/45/archive\nPUT sandbox:/api/leads/46/archive\n',
  );
  expect(JSON.parse((await dry('archive', '45,46', '--json')).stdout)).toMatchObject([{ method: 'PUT' }, { method: 'PUT' }]);
  expect((await dry('archive', '45')).stdout).toBe('PUT sandbox:/api/leads/45/archive\n');
});

it('csv has the same columns, and what fails is told', async () => {
  const { status, stdout, stderr } = await dry('update', '45,999999', '--value', '7', '--csv');
  expect([status, stdout]).toEqual([8, 'id,title,outcome,field,old,new\r\n45,Farm shop,would change,value,5.00,7\r\n']);
  expect(stderr).toContain('lead 999999: ');
});

it('on a terminal a table, old and new beside each other', async () => {
  const { stdout } = await shop.crm(['leads', 'update', '45,46', '--value', '7', '--dry-run', '-q'], { tty: true, columns: 80 });
  expect(lines(stdout).map((line) => line.trimEnd())).toEqual([
    'ID  TITLE      FIELD  OLD AND NEW',
    '45  Farm shop  value  5.00 → 7',
    '46  Till       value  6.00 → 7',
  ]);
});
