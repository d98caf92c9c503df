// A change file of another service, or of a record that was renamed: the title of an unchanged pair is a condition.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

const lead = async (id: number) => (await shop.crm(['leads', 'get', String(id), '--json'])).json() as Record<string, unknown>;

it('an unchanged title that is another one there is a conflict, and nothing is written', async () => {
  const { title, source } = await lead(12);
  shop.write('there.csv', 'family,id,title,was.title,source,was.source\nleads,12,Solar roof,Solar roof,Fair,Website\n');
  const { status, stderr } = await shop.crm(['apply', 'there.csv']);
  expect(stderr).toContain(`Renamed, or another record: title is ${title} now, not Solar roof. Left as it is.`);
  expect(status).toBe(8);
  expect(await lead(12)).toMatchObject({ title, source });
});

it.each([
  ['contacts', 'first-name,was.first-name,last-name,was.last-name,phone,was.phone', 'Ada,Ada,Lovelace,Lovelace,1,', 'first-name is '],
  ['contacts', 'was.name,phone,was.phone', 'Ada Lovelace,1,', 'name is '],
  ['items', 'description,was.description,notes,was.notes', 'A pump,A pump,x,', 'description is '],
  ['notes', 'was.title,visibility,was.visibility', 'A note,private,public', 'title is '],
])('of %s under %s', async (family, columns, row, says) => {
  const [id] = (await shop.crm([family, 'list', '--limit', '1', '--json'])).json() as [{ id: number }];
  shop.write('there.csv', `family,id,${columns}\n${family},${id.id},${row}\n`);
  const { status, stderr } = await shop.crm(['apply', 'there.csv']);
  expect(stderr).toContain(`Renamed, or another record: ${says}`);
  expect(status).toBe(8);
});

it('a record that holds the new value already is as it should be, whatever its title', async () => {
  const { source } = await lead(12);
  shop.write('there.csv', `family,id,title,was.title,source,was.source\nleads,12,Solar roof,Solar roof,${source},before\n`);
  expect(await shop.crm(['apply', 'there.csv'])).toMatchObject({ status: 0 });
});

it('other equal pairs that differ from the record are counted in one notice, and guard nothing', async () => {
  await shop.crm(['leads', 'update', '12,13', '--value', '50.00', '--yes']);
  const [one, other] = [await lead(12), await lead(13)];
  const row = ({ id, title }: Record<string, unknown>, value: string): string =>
    `leads;${id};"${title}";"${title}";Fair;"${(id === 12 ? one : other).source}";${value};${value}\n`;
  shop.write('old.csv', `family;id;title;was.title;source;was.source;value;was.value\n${row(one, '51.00')}${row(other, '50')}`);
  const { status, stderr } = await shop.crm(['apply', 'old.csv']);
  expect(stderr).toContain("1 lead holds other values than the file in columns that the file doesn't change: value 1.");
  expect(status, stderr).toBe(0);
  expect(await lead(12)).toMatchObject({ source: 'Fair', value: '50.00' });
  // The same number in the notation of a spreadsheet is no other value.
  shop.write('mark.csv', `family;id;title;was.title;source;was.source;value;was.value\n${row(one, '50,00').replace('Fair', 'Web')}`);
  expect((await shop.crm(['apply', 'mark.csv'])).stderr).not.toContain('other values');
});

it.each([
  ['leads', 'value', 'family,id,was.title,value,was.value'],
  ['contacts', 'phone', 'family,id,was.name,phone,was.phone'],
  ['items', 'rate', 'family,id,was.description,rate,was.rate'],
  ['leads', 'title,value', 'family,id,title,was.title,value,was.value'],
  ['contacts', 'first-name,last-name', 'family,id,first-name,was.first-name,last-name,was.last-name'],
])('list --was of %s --fields %s writes the title', async (family, fields, header) => {
  const { stdout } = await shop.crm([family, 'list', '--was', '--csv', '--fields', fields]);
  expect(stdout.split(/\r?\n/)[0]).toBe(header);
  shop.write('back.csv', stdout);
  expect(await shop.crm(['apply', 'back.csv'])).toMatchObject({ status: 0 });
});
