// An export that somebody edited: names beside ids, sets, and what only the service writes, whose columns are named. Nothing else that was
// edited is passed over.

import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

type Cells = Record<string, string>;

/** What a lead's export holds that no import writes. */
const passedOver =
  "Not sent, because an import can't write: status.color, converted.is_converted, converted.client_id, converted.date, dates.created.\n";

const shop = eachWorkshop({ demo: true });

/** The export of a family, edited, and imported back; with `few` the row alone, which is compared with its record itself. */
async function edited(family: string, id: string, edit: (row: Cells) => void, few: boolean, ...flags: string[]) {
  const { stdout } = await shop.crm([family, 'list', '--all', '--csv']);
  const rows = (parse(stdout, { columns: true }) as Cells[]).filter((row) => !few || row.id === id);
  const row = rows.find((one) => one.id === id) ?? {};
  edit(row);
  shop.write('f.csv', stringify(rows, { header: true }));
  return shop.crm([family, 'import', 'f.csv', '--mode', 'update', '--json', ...flags]);
}

const recordOf = async (family: string, id: string) =>
  (await shop.crm([family, 'get', id, '--json'])).json() as Record<string, Record<string, unknown>>;
const set = (values: Cells) => (row: Cells) => void Object.assign(row, values);
const messagesOf = (stderr: string) => JSON.parse(stderr).error.fields.map(({ messages }: { messages: string[] }) => messages[0]);

describe.each([false, true])('a lead, alone: %s', (few) => {
  beforeEach(async () => {
    await shop.crm(['leads', 'update', '12', '--status', '3', '--category', '1', '-q']);
    await shop.crm(['leads', 'tags', '12', 'hot', 'cold', '-q']);
    await shop.crm(['leads', 'assign', '12', '1', '2', '-q']);
  });

  it('of an id and its name the one that differs from the record counts', async () => {
    expect((await edited('leads', '12', set({ 'status.title': 'lost' }), few)).json()).toMatchObject({ updated: 1, failed: 0 });
    expect((await recordOf('leads', '12')).status).toMatchObject({ id: 6, title: 'Lost' });
    expect((await edited('leads', '12', set({ 'status.id': '1' }), few)).json()).toMatchObject({ updated: 1 });
    expect((await recordOf('leads', '12')).status).toMatchObject({ id: 1 });
    expect((await edited('leads', '12', set({ 'status.id': '2', 'status.title': 'Contacted' }), few)).json()).toMatchObject({ updated: 1 });
    expect((await recordOf('leads', '12')).status).toMatchObject({ id: 2 });
  });

  it('where both differ the row is invalid', async () => {
    const { status, stderr, json } = await edited('leads', '12', set({ 'status.id': '1', 'status.title': 'Lost' }), few);
    expect([status, json()]).toMatchObject([8, { updated: 0, failed: 1 }]);
    expect(messagesOf(stderr)).toEqual([
      'status.title: "Lost" and the id beside it, 1, both differ from the record\'s, 3: which one is meant?',
    ]);
    expect((await recordOf('leads', '12')).status).toMatchObject({ id: 3 });
  });

  it('a name that nothing has', async () => {
    const { status, stderr } = await edited('leads', '12', set({ 'category.name': 'Outbond' }), few);
    expect([status, messagesOf(stderr)[0]]).toEqual([8, expect.stringMatching(/^category\.name: no lead category is called "Outbond"/)]);
  });

  it.each([
    [
      { tags: '["hot"]' },
      /^tags: it differs from the record's: --sets add keeps the record's and adds the row's, --sets replace keeps only the row's\. Or leave the column out with --map 'tags='\.$/,
    ],
    [{ tags: 'cold; hot; new' }, /^tags: it differs/],
    [{ assigned: '[{"id":1,"name":"x"}]' }, /^assigned: it differs .*--sets add/],
    [{ assigned: 'Priya Raman' }, /^assigned: it differs/],
  ])('sets that differ, and nobody said what becomes of them: %j', async (cells, expected) => {
    const { status, stderr, json } = await edited('leads', '12', set(cells), few);
    expect([status, json(), messagesOf(stderr)]).toMatchObject([8, { failed: 1 }, [expect.stringMatching(expected)]]);
    expect((await edited('leads', '12', set(cells), few, '--map', `${Object.keys(cells)[0]}=`)).status).toBe(0);
  });

  it('sets in another order or form', async () => {
    const names = ((await recordOf('leads', '12')).assigned as unknown as { name: string }[]).map(({ name }) => name).toReversed();
    for (const cells of [{ tags: 'cold;hot' }, { tags: '["cold","hot"]' }, { assigned: '[2,1]' }, { assigned: names.join(', ') }]) {
      const { status, json } = await edited('leads', '12', set(cells), few);
      expect([cells, status, json()]).toMatchObject([cells, 0, { failed: 0, updated: 0 }]);
    }
  });

  it.each([
    [{ tags: '' }, /^tags: it differs/],
    [{ assigned: ' ' }, /^assigned: it differs/],
    [{ 'status.title': '' }, /^status\.title: it is blank, and can't be cleared\.$/],
  ])('blank with --blank clear: %j', async (cells, expected) => {
    const { status, stderr, json } = await edited('leads', '12', set(cells), few, '--blank', 'clear');
    expect([status, json(), messagesOf(stderr)]).toMatchObject([8, { failed: 1, updated: 0 }, [expect.stringMatching(expected)]]);
    expect((await edited('leads', '12', set(cells), few)).status).toBe(0);
  });

  it('an id that is new beside a name that is blank', async () => {
    const { json } = await edited('leads', '12', set({ 'status.id': '1', 'status.title': '' }), few, '--blank', 'clear');
    expect(json()).toMatchObject({ updated: 1, failed: 0 });
    expect((await recordOf('leads', '12')).status).toMatchObject({ id: 1 });
  });

  it('what only the service writes is passed over, and named', async () => {
    const { status, stderr } = await edited(
      'leads',
      '12',
      set({ 'dates.created': '2020-01-01', 'status.color': '#fff', 'converted.client_id': '7' }),
      few,
    );
    expect([status, stderr]).toEqual([0, passedOver]);
  });

  it('what a spreadsheet made of it is no edit', async () => {
    const { status, stderr } = await edited(
      'leads',
      '12',
      (row) =>
        set({
          'converted.is_converted': 'FALSE',
          'dates.created': (row['dates.created'] ?? '').slice(0, 19).replace('T', ' '),
          value: (row.value ?? '').replace(/\.00$/, ''),
        })(row),
      few,
    );
    expect([status, stderr]).toEqual([0, passedOver]);
  });

  it('a name alone, without the column of ids', async () => {
    shop.write('n.csv', 'id,status.title,Category.Name\n12,Lost,Outbound\n');
    const { json } = await shop.crm(['leads', 'import', 'n.csv', '--mode', 'update', '--json']);
    expect(json()).toMatchObject({ updated: 1 });
    expect(await recordOf('leads', '12')).toMatchObject({ status: { title: 'Lost' }, category: { name: 'Outbound' } });
  });
});

it("a contact's client can't be changed, by its id or its name", async () => {
  for (const cells of [{ 'client.id': '3' }, { 'client.company_name': 'Other' }]) {
    const { status, stderr } = await edited('contacts', '5', set(cells), false);
    expect([status, messagesOf(stderr)[0]]).toEqual([8, expect.stringMatching(/^client\.\w+: it can't be changed after creation\. Leave/)]);
  }
  const { status, stderr } = await edited('contacts', '5', set({ first_name: 'Ada' }), false);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Not sent, because an import can't write: .*\nUndo: crm undo \w{4}\n$/)]);
});

it('what can not be changed is the same by any word for it', async () => {
  const file = (client: string): string =>
    `email,client,first_name,last_name\nhelen.ashworth@northgate-trading.example,${client},Helen,Ashworth\n`;
  const upserted = (client: string) => {
    shop.write('f.csv', file(client));
    return shop.crm(['contacts', 'import', 'f.csv', '--mode', 'upsert', '--match', 'email', '--json']);
  };
  for (const client of ['1', 'northgate trading', 'Northgate']) expect((await upserted(client)).json()).toMatchObject({ unchanged: 1 });
  expect(messagesOf((await upserted('2')).stderr)).toEqual([expect.stringMatching(/^client: it can't be changed after creation/)]);
});

it("a unit's name makes none on an update, but with --new-unit", async () => {
  const { status, stderr } = await edited('items', '5', set({ 'unit.name': 'bundle' }), false);
  expect([status, messagesOf(stderr)[0]]).toEqual([
    8,
    expect.stringMatching(/^unit\.name: none of the items read so far has the unit "bundle"; you can give its id/),
  ]);
  expect((await edited('items', '5', set({ 'unit.name': 'bundle' }), false, '--new-unit')).json()).toMatchObject({ updated: 1 });
  expect((await recordOf('items', '5')).unit).toMatchObject({ name: 'bundle' });
});

describe('new records', () => {
  it('take names, and refuse those that the id beside them contradicts', async () => {
    shop.write(
      'f.csv',
      'title,status.id,status.title,category.name\nA,1,New,Outbound\nB,1,Lost,Outbound\nC,,Qualified,Inbound\nD,1,Unheard,Inbound\n',
    );
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--json']);
    expect([status, JSON.parse(stderr).error.fields]).toMatchObject([
      2,
      [{ name: 'line 3, column status.title', messages: ['"Lost" is 6, and the id beside it is 1: which one is meant?'] }],
    ]);
    expect((await shop.crm(['leads', 'import', 'f.csv', '--skip-invalid', '--json'])).json()).toMatchObject({
      created: 3,
      failed: 0,
      left_out: 1,
    });
    const found = (await shop.crm(['leads', 'list', '--limit', '3', '--json', '--fields', 'title,status.title,category.name'])).json();
    expect(found).toEqual(
      expect.arrayContaining([
        { title: 'A', status: { title: 'New' }, category: { name: 'Outbound' } },
        { title: 'C', status: { title: 'Qualified' }, category: { name: 'Inbound' } },
        { title: 'D', status: { title: 'New' }, category: { name: 'Inbound' } },
      ]),
    );
  });

  it('of an upsert are made from names too', async () => {
    shop.write('f.csv', 'email,title,status.title,category.name,tags\nnew@x.example,A,Lost,Inbound,[]\n');
    const words = ['leads', 'import', 'f.csv', '--mode', 'upsert', '--match', 'email', '--json'];
    expect((await shop.crm(words)).json()).toMatchObject({ created: 1, failed: 0 });
    expect((await shop.crm(words)).json()).toMatchObject({ unchanged: 1, updated: 0 });
  });
});
