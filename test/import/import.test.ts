// What `crm <family> import` does, end to end against the embedded CRM in this process.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { anyRun, atRun } from '../support/journal.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const importOf = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, '--json', ...flags]);
const leads = async (...flags: string[]): Promise<Record<string, unknown>[]> =>
  (await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'created', '--order', 'asc', ...flags])).json() as Record<
    string,
    unknown
  >[];

describe('creating', () => {
  it('takes flag names, dotted names and wire names', async () => {
    shop.write('f.csv', 'title,Status,lead_categoryid,contact.email,company_name\nFirst,1,2,a@b.example,Acme\n');
    const { status, stdout } = await importOf('f.csv');
    expect(status).toBe(0);
    // biome-ignore format: a table
    expect(JSON.parse(stdout)).toEqual({
      total: 1, created: 1, updated: 0, unchanged: 0, failed: 0, left_out: 0, conflicts: 0, unknown: 0,
      run: expect.stringMatching(/^[a-z][a-z2-9]{3}$/), rejects: null,
    });
    expect(await leads()).toMatchObject([
      { title: 'First', status: { id: 1 }, category: { id: 2 }, contact: { email: 'a@b.example', company_name: 'Acme' } },
    ]);
  });

  it.each([
    ['semicolons and CRLF', 'title;status;category;description\r\n"A; b";1;1;"two\r\nlines"\r\n'],
    ['tabs', 'title\tstatus\tcategory\tdescription\nA; b\t1\t1\t"two\r\nlines"\n'],
    ['a first line that names the separator', '\uFEFFsep=|\r\ntitle|status|category|description\r\nA; b|1|1|"two\r\nlines"\r\n'],
    ['a byte order mark', '\uFEFFtitle,status,category,description\nA; b,1,1,"two\r\nlines"\n'],
    ['old line ends', 'title,status,category,description\rA; b,1,1,"two\r\nlines"\r'],
    ['blank lines and rows', '\n\ntitle,status,category,description\n\nA; b,1,1,"two\r\nlines"\n,,,\n   \n\n'],
  ])('reads %s', async (_name, content) => {
    shop.write('f.csv', content);
    expect((await importOf('f.csv')).json()).toMatchObject({ total: 1, created: 1 });
    expect(await leads()).toMatchObject([{ title: 'A; b', description: 'two\r\nlines' }]);
  });

  it.each(['custom_field_2', 'custom-field-2', 'Custom Field.2', 'custom_fields.2', 'item_custom_field_2'])('takes %s', async (name) => {
    shop.write('f.csv', `description,rate,category,default-tax,unit,${name}\nA,1,6,2,1,Acme\n`);
    expect((await shop.crm(['items', 'import', 'f.csv'])).status).toBe(0);
    const [item] = (await shop.crm(['items', 'list', '--json'])).json() as { custom_fields: unknown }[];
    expect(item?.custom_fields).toContainEqual(expect.objectContaining({ id: 2, value: 'Acme' }));
  });

  it('takes the formula guard off, and with --csv-raw leaves cells alone', async () => {
    shop.write('f.csv', "title,status,category\n'=1+1,1,1\n''=x,1,1\n'plain,1,1\n");
    await importOf('f.csv');
    expect((await leads()).map(({ title }) => title)).toEqual(['=1+1', "'=x", "'plain"]);
    await importOf('f.csv', '--csv-raw', '--again', '--yes');
    expect((await leads()).map(({ title }) => title).slice(3)).toEqual(["'=1+1", "''=x", "'plain"]);
  });

  it('reads NDJSON and JSON, from files and standard input', async () => {
    shop.write(
      'f.ndjson',
      '{"title":"A","status":{"id":1},"category":1,"value":12345678901234567890.10}\n\n{"title":"B","status":1,"category":1}\r\n',
    );
    shop.write('f.json', '[ {"title": "C", "status": 1, "category": 1, "contact": null} ,\n{"title":"D {\\"[","status":1,"category":1}]\n');
    expect((await importOf('f.ndjson')).json()).toMatchObject({ created: 2 });
    expect((await importOf('f.json')).json()).toMatchObject({ created: 2 });
    const piped = await shop.crm(['leads', 'import', '-', '--json'], { stdin: '{"title":"E","status":1,"category":1}' });
    expect(piped.json()).toMatchObject({ created: 1 });
    expect(await leads()).toMatchObject([
      { title: 'A', value: '12345678901234567890.10' },
      { title: 'B' },
      { title: 'C' },
      { title: 'D {"[' },
      { title: 'E' },
    ]);
  });

  it('maps columns by --map, and leaves out what is mapped to nothing', async () => {
    shop.write('f.csv', 'Deal = name,S,category,Junk\nA,1,1,x\n');
    const { status } = await importOf('f.csv', '--map', 'Deal = name=title', '--map', 'S=status', '--map', 'Junk=');
    expect(status).toBe(0);
    expect(await leads()).toMatchObject([{ title: 'A' }]);
  });

  it('maps columns whose names have blanks around them; rejects keep those', async () => {
    shop.write('f.csv', ' Deal name ; status;category \nA;1;1\nB;99;1\n');
    const maps = ['--map', 'Deal name=title', '--rejects', 'r.csv'] as const;
    expect((await importOf('f.csv', ...maps)).json()).toMatchObject({ created: 1, failed: 1 });
    expect(shop.read('r.csv').split('\r\n')[0]).toBe(' Deal name ; status;category ;_line;_status;_error');
    shop.write('r.csv', shop.read('r.csv').replace(';99;', ';1;'));
    expect((await importOf('r.csv', '--map', ' Deal name =title')).json()).toMatchObject({ created: 1 });
    expect(await leads()).toMatchObject([{ title: 'A' }, { title: 'B' }]);
  });

  it('passes read-only columns over with one notice', async () => {
    shop.write('f.csv', 'id,title,status,category,status.title\n7,A,1,1,New\n');
    const { status, stderr } = await importOf('f.csv');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Not sent, because an import can't write: id\.\nUndo: crm undo \w{4}\n$/);
  });

  it('says what it did in a table, too', async () => {
    shop.write('f.csv', 'title,status,category\nA,1,1\n');
    const { stdout } = await shop.crm(['leads', 'import', 'f.csv']);
    expect(stdout).toMatch(
      /^total\t1\ncreated\t1\nupdated\t0\nunchanged\t0\nfailed\t0\nleft_out\t0\nconflicts\t0\nunknown\t0\nrun\t[a-z2-9]{4}\nrejects\t\n$/,
    );
  });

  it('a file with the names of columns alone is no error, one with nothing in it is', async () => {
    shop.write('f.csv', 'title,status,category\n');
    shop.write('g.ndjson', '');
    expect((await importOf('f.csv')).json()).toMatchObject({ total: 0 });
    const empty = await shop.crm(['leads', 'import', 'g.ndjson']);
    expect([empty.status, empty.stderr]).toEqual([2, 'error: There is nothing in g.ndjson.\n']);
    const piped = await shop.crm(['leads', 'import', '-'], { stdin: ' \n' });
    expect([piped.status, piped.stderr]).toEqual([2, 'error: There is nothing in standard input.\n']);
  });
});

describe('updating', () => {
  beforeEach(async () => {
    shop.write('new.csv', 'title,status,category,email,value,phone\nA,1,1,a@x.example,1.50,1\nB,1,1,B@x.example,2.50,2\nC,1,1,,,\n');
    await importOf('new.csv');
  });

  it('changes what differs and sends nothing for the rest', async () => {
    shop.write('f.csv', 'id,value,phone\n1,1.50,\n2,3.00,\n3,,\n9,1,\n');
    const { status, stdout, stderr } = await importOf('f.csv', '--mode', 'update');
    expect(JSON.parse(stdout)).toMatchObject({ total: 4, created: 0, updated: 1, unchanged: 2, failed: 1 });
    expect(status).toBe(8);
    expect(JSON.parse(stderr.trim()).error).toMatchObject({
      code: 'partial',
      message: '4 rows, 1 failed.',
      fields: [{ name: 'line 5', messages: ['There is no lead with the id 9.'] }],
    });
    expect(await leads()).toMatchObject([
      { value: '1.50', contact: { phone: '1' } },
      { value: '3.00', contact: { phone: '2', email: 'B@x.example' } },
      { value: null },
    ]);
  });

  it('matches by the id, whatever its case', async () => {
    shop.write('f.csv', 'ID,value\n1,9.00\n');
    expect((await importOf('f.csv', '--mode', 'update', '--match', 'ID')).json()).toMatchObject({ updated: 1 });
  });

  it('matches by a field, emails whatever their case', async () => {
    shop.write('f.csv', 'Email,value\nb@X.example,9.00\n');
    expect((await importOf('f.csv', '--mode', 'update', '--match', 'email')).json()).toMatchObject({ updated: 1 });
    expect(await leads()).toMatchObject([{}, { value: '9.00', contact: { email: 'b@X.example' } }, {}]);
  });

  it('several matches fail their row; a key twice or blank in the file is refused', async () => {
    shop.write('more.csv', 'title,status,category\nA,2,1\n');
    await importOf('more.csv');
    shop.write('f.csv', 'title,value\nA,9.00\nC,7.00\n');
    const { status, stdout, stderr } = await importOf('f.csv', '--mode', 'update', '--match', 'title');
    expect([status, JSON.parse(stdout)]).toMatchObject([8, { updated: 1, failed: 1 }]);
    expect(stderr).toContain('Several leads have the title A: 1 and 4.');
    shop.write('g.csv', 'title,value\nA,9.00\n,7.00\nA,1\n');
    const refused = await shop.crm(['leads', 'import', 'g.csv', '--mode', 'update', '--match', 'title']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('line 3, column title: it is blank, and rows find their records by it.');
    expect(refused.stderr).toContain('line 4, column title: the same as on line 2.');
  });

  it('needs the column that it matches by', async () => {
    shop.write('f.csv', 'title,value\nA,9.00\n');
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'update']);
    expect(status).toBe(2);
    expect(stderr).toContain('there is no column for id, by which rows find their records');
  });

  it('--blank clear empties, but nothing that is required', async () => {
    shop.write('f.csv', 'id,value,email\n1,,\n2,2.50,\n');
    expect((await importOf('f.csv', '--mode', 'update', '--blank', 'clear')).json()).toMatchObject({ updated: 2 });
    expect(await leads()).toMatchObject([{ value: null, contact: { email: null } }, { value: '2.50', contact: { email: null } }, {}]);
    shop.write('g.csv', 'id,title\n1,\n');
    const refused = await shop.crm(['leads', 'import', 'g.csv', '--mode', 'update', '--blank', 'clear']);
    expect(refused.stderr).toContain("line 2, column title: it is blank, and can't be cleared.");
  });

  it('upsert creates what is not there', async () => {
    shop.write('f.csv', 'title,status,category,value\nA,1,1,8.00\nD,1,1,4.00\n');
    expect((await importOf('f.csv', '--mode', 'upsert', '--match', 'title')).json()).toMatchObject({ created: 1, updated: 1 });
    shop.write('g.csv', 'id,title,status,category\n1,A2,1,1\n,E,1,1\n77,F,1,1\n');
    const byId = await importOf('g.csv', '--mode', 'upsert');
    expect(byId.json()).toMatchObject({ created: 1, updated: 1, failed: 1 });
    expect((await leads()).map(({ title }) => title)).toEqual(['A2', 'B', 'C', 'D', 'E']);
  });

  it('--dry-run lists the rows and writes nothing, not even a run', async () => {
    shop.write('f.csv', 'title,status,category,value\nA,1,1,8.00\nD,1,1,4.00\nB,1,1,\n');
    const { json } = await importOf('f.csv', '--mode', 'upsert', '--match', 'title', '--dry-run');
    const row = { error: null, changes: [] };
    expect(json()).toEqual({
      rows: [
        { ...row, line: 2, id: 1, title: 'A', outcome: 'would_change', changes: [{ field: 'value', old: '1.50', new: '8.00' }] },
        {
          ...row,
          line: 3,
          id: null,
          title: 'D',
          outcome: 'would_create',
          changes: [
            { field: 'value', old: null, new: '4.00' },
            { field: 'status', old: null, new: 'New' },
            { field: 'category', old: null, new: 'Inbound' },
            { field: 'title', old: null, new: 'D' },
          ],
        },
        { ...row, line: 4, id: 2, title: 'B', outcome: 'unchanged' },
      ],
      counts: { rows: 3, would_create: 1, would_change: 1, unchanged: 1, conflicts: 0, invalid: 0, unknown: 0 },
    });
    expect(await leads()).toHaveLength(3);
    expect(anyRun(join(shop.folder, 'data'), ({ details }) => details.mode === 'upsert')).toBe(false);
  });
});

describe('the journal', () => {
  const rows = (count: number): string =>
    `title,status,category\n${Array.from({ length: count }, (_, index) => `L${index},1,1\n`).join('')}`;

  it('refuses the same import twice, and says how to force it', async () => {
    shop.write('f.csv', rows(3));
    const { json } = await importOf('f.csv');
    const again = await shop.crm(['leads', 'import', 'f.csv']);
    expect(again.status).toBe(10);
    expect(again.stderr).toMatch(
      /^error: f\.csv was imported already: 3 of 3 rows were created on \d{4}-\d\d-\d\d\. Nothing was sent\.\nTo create the rows once more on purpose, add --again\.\n$/,
    );
    expect((await importOf('f.csv', '--resume')).json()).toEqual(json());
    expect(await leads()).toHaveLength(3);
    const unasked = await shop.crm(['leads', 'import', 'f.csv', '--again']);
    expect([unasked.status, unasked.stderr]).toEqual([
      9,
      expect.stringContaining('Create the leads of f.csv once more? 3 of its rows were created before. Nobody can be asked here'),
    ]);
    expect(await leads()).toHaveLength(3);
    expect((await importOf('f.csv', '--again', '--yes')).json()).toMatchObject({ created: 3 });
    expect(await leads()).toHaveLength(6);
  });

  it('knows rows again in another file, order or spelling; rows that are new go in by --resume', async () => {
    shop.write('f.csv', 'title,status,category\nA,1,1\nA,1,1\nB,1,1\n');
    await importOf('f.csv');
    shop.write('g.csv', 'Category;lead_title;STATUS;email\r\n1;B;1;\r\n1;A;1;\r\n1;C;1;\r\n1;A;1;\r\n1;A;1;\r\n');
    const { status, stderr } = await shop.crm(['leads', 'import', 'g.csv']);
    expect([status, stderr]).toEqual([10, expect.stringContaining('g.csv was imported already, as f.csv: 3 of 5 rows were created on ')]);
    expect(stderr).toContain('To send only the 2 new rows: crm leads import g.csv --resume\n');
    expect((await importOf('g.csv', '--resume')).json()).toMatchObject({ total: 5, created: 5, failed: 0 });
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'A', 'B', 'C', 'A']);
    shop.write('h.csv', 'title,status,category\nA,1,1\nD,1,1\nE,1,1\n');
    const grown = await shop.crm(['leads', 'import', 'h.csv']);
    expect([grown.status, grown.stderr]).toEqual([
      10,
      expect.stringContaining('h.csv was imported already, as f.csv: 1 of 3 rows was created on '),
    ]);
    expect((await shop.crm(['leads', 'import', 'h.csv', '--dry-run'])).status).toBe(10);
    expect((await importOf('h.csv', '--resume')).status).toBe(0);
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'A', 'B', 'C', 'A', 'D', 'E']);
  });

  it('--resume sends no row that another import created', async () => {
    shop.write('one.csv', 'title,status,category\nA,1,1\nA,1,1\nB,1,1\n');
    shop.write('two.csv', 'title,status,category\nC,1,1\nA,1,1\n');
    await importOf('one.csv');
    await importOf('two.csv', '--again', '--yes');
    shop.write('both.csv', 'title,status,category\nA,1,1\nC,1,1\nA,1,1\nD,1,1\nA,1,1\nB,1,1\nA,1,1\n');
    const refused = await shop.crm(['leads', 'import', 'both.csv']);
    expect([refused.status, refused.stderr]).toEqual([10, expect.stringContaining('5 of 7 rows were created on ')]);
    expect((await importOf('both.csv', '--resume', '--results', 'out.csv')).json()).toMatchObject({ total: 7, failed: 0 });
    expect((await leads()).map(({ title }) => title).toSorted()).toEqual(['A', 'A', 'A', 'A', 'B', 'C', 'D']);
    expect(shop.read('out.csv').split('\r\n')[2]).toBe('C,1,1,4,unchanged,');
  });

  it('is gone with the records of an embedded CRM that is reset', async () => {
    shop.write('f.csv', rows(3));
    await importOf('f.csv');
    expect((await shop.crm(['sandbox', 'reset', '--yes'])).status).toBe(0);
    expect((await importOf('f.csv')).json()).toMatchObject({ created: 3 });
  });

  it('goes on with the latest one first, where two are unfinished', async () => {
    shop.write('f.csv', `title,status,category\n${'A,1,1\nB,99,1\n'.repeat(20)}`);
    const stop = ['--max-errors', '1', '--concurrency', '1'] as const;
    const runOf = (ended: { json(): unknown }): string => (ended.json() as { run: string }).run;
    const first = runOf(await importOf('f.csv', ...stop));
    const second = runOf(await importOf('f.csv', ...stop, '--again', '--yes'));
    expect((await importOf('f.csv', '--resume')).json()).toMatchObject({ created: 20, failed: 20, run: second });
    expect(await leads()).toHaveLength(21);
    expect((await shop.crm(['leads', 'import', 'f.csv'])).stderr).toContain('An import of f.csv is unfinished: 1 of 40 rows are done.');
    // What the other import has created is not created again.
    const older = await importOf('f.csv', '--resume');
    expect(older.json()).toMatchObject({ created: 1, unchanged: 19, failed: 20, run: first });
    const went = `^Going on with run ${first} of \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, which is unfinished\\. Run ${second} is later\\.$`;
    expect(JSON.parse(older.stderr).error.notices).toContainEqual(expect.stringMatching(went));
    expect(await leads()).toHaveLength(21);
  });

  it('leaves none behind where the first request shows that nothing can be sent', async () => {
    shop.write('f.csv', rows(2));
    const url = { CRM_BASE_URL: 'http://127.0.0.1:9', CRM_API_KEY: 'k' };
    const words = ['leads', 'import', 'f.csv', '--retries', '0'] as const;
    expect((await shop.crm(words, { env: url })).status).toBe(7);
    expect(anyRun(join(shop.folder, 'data'), () => true)).toBe(false);
    expect((await shop.crm(words)).status).toBe(0);
  });

  it('--max-errors at the last row stops nothing', async () => {
    shop.write('f.csv', 'title,status,category\nA,99,1\n');
    const { stderr } = await shop.crm(['leads', 'import', 'f.csv', '--max-errors', '1']);
    expect(stderr).toMatch(/^error: 1 row, 1 failed\.\n/);
  });

  it('does what can double nothing once more: updates, and what made no record', async () => {
    shop.write('f.csv', 'title,status,category\nA,99,1\n');
    expect((await importOf('f.csv')).status).toBe(8);
    expect((await importOf('f.csv', '--rejects', 'r.csv')).json()).toMatchObject({ failed: 1, rejects: 'r.csv' });
    shop.write('u.csv', rows(3));
    const upsert = (...flags: string[]) => importOf('u.csv', '--mode', 'upsert', '--match', 'title', ...flags);
    expect((await upsert()).json()).toMatchObject({ created: 3 });
    expect((await upsert('--resume')).json()).toMatchObject({ created: 3, unchanged: 0 });
    expect((await upsert()).json()).toMatchObject({ created: 0, unchanged: 3 });
    shop.write('i.csv', 'id,title,status,category\n1,A,1,1\n,B,1,1\n');
    expect((await importOf('i.csv', '--mode', 'upsert')).json()).toMatchObject({ created: 1, updated: 1 });
    expect((await importOf('i.csv', '--mode', 'upsert')).status).toBe(10);
    shop.write('n.csv', 'id,title\n1,C\n');
    for (const did of ['updated', 'unchanged']) {
      expect((await importOf('n.csv', '--mode', 'update', '--match', 'id')).json()).toMatchObject({ [did]: 1 });
    }
    expect((await leads()).map(({ title }) => title)).toEqual(['C', 'L1', 'L2', 'B']);
  });

  it('stops at --max-errors, and goes on with the command that it prints', async () => {
    shop.write("it's f.csv", `title,status,category\n${'A,1,1\nB,99,1\n'.repeat(200)}`);
    const stopped = await shop.crm(['leads', 'import', "it's f.csv", '--max-errors', '5', '--concurrency', '1', '--map', 'title=title']);
    expect(stopped.status).toBe(8);
    expect(stopped.stderr).toContain('Stopped after 5 failures, with 390 rows to go: 400 rows, 5 failed.');
    const command = /Go on with: (.*)/.exec(stopped.stderr)?.[1];
    expect(command).toBe(`crm leads import 'it'\\''s f.csv' --map title=title --concurrency 1 --max-errors 5 --resume`);
    const unresumed = await shop.crm(['leads', 'import', "it's f.csv", '--map', 'title=title']);
    expect(unresumed.status).toBe(10);
    expect(unresumed.stderr).toBe(
      "error: An import of it's f.csv is unfinished: 5 of 400 rows are done. Nothing was sent.\n" +
        "Go on with: crm leads import 'it'\\''s f.csv' --map title=title --resume\n" +
        'To create the rows once more on purpose, add --again.\n',
    );
    const resumed = await shop.crm(['leads', 'import', "it's f.csv", '--map', 'title=title', '--json', '--resume']);
    expect(resumed.json()).toMatchObject({ total: 400, created: 200, failed: 200, unknown: 0 });
    expect(await leads()).toHaveLength(200);
  });

  it('belongs to a service, whatever the profile', async () => {
    for (const name of ['one', 'two']) await shop.crm(['profile', 'add', name, '--base-url', 'sandbox:'], { env: { CRM_BASE_URL: '' } });
    const importWith = (profile: string, ...flags: string[]) => importOf('f.csv', '--profile', profile, ...flags);
    shop.write('f.csv', rows(2));
    const { json } = await importWith('one');
    expect(json()).toMatchObject({ created: 2 });
    expect((await importWith('one')).status).toBe(10);
    expect((await importWith('two')).status).toBe(10);
    expect((await importWith('two', '--resume')).json()).toEqual(json());
    shop.write('g.csv', rows(3).replaceAll('L', 'M'));
    const { run } = (await importOf('g.csv', '-p', 'one')).json() as { run: string };
    const other = await importOf('g.csv', '-p', 'two', '--resume');
    expect([other.status, other.json()]).toMatchObject([0, { created: 3, run }]);
    expect(await leads()).toHaveLength(5);
  });

  it('prints a command for a file whose name looks like a flag', async () => {
    shop.write('-f.csv', `${rows(2)}B,99,1\n`);
    const { stderr } = await shop.crm(['leads', 'import', '--', '-f.csv']);
    expect(stderr).toContain('The failed rows as a file: crm leads import ./-f.csv --resume --rejects FILE');
  });

  it('goes on with a file that was mended in between', async () => {
    shop.write('f.csv', `title,status,category\n${'A,1,1\nB,99,1\n'.repeat(200)}`);
    await importOf('f.csv', '--max-errors', '1');
    const made = (await leads()).length;
    expect(made).toBeGreaterThan(0);
    shop.write('f.csv', `title,status,category\nZ,1,1\n${'C,99,1\nA,1,1\n'.repeat(199)}B,1,1\nA,1,1\n`);
    const mended = await importOf('f.csv', '--resume');
    expect([mended.status, mended.json()]).toMatchObject([8, { total: 401, created: 202, failed: 199, unknown: 0 }]);
    const titles = (await leads()).map(({ title }) => title);
    expect(['A', 'B', 'C', 'Z'].map((title) => titles.filter((one) => one === title).length)).toEqual([200, 1, 0, 1]);
  });

  it('keeps an import from beginning beside an unfinished one with other options', async () => {
    shop.write('f.csv', `id,title,status,category\n${',A,1,1\n,B,99,1\n'.repeat(200)}`);
    await importOf('f.csv', '--max-errors', '1', '--concurrency', '1', '--map', 'title=title', '-q');
    const made = (await leads()).length;
    const plain = await shop.crm(['leads', 'import', 'f.csv']);
    expect([plain.status, plain.stderr]).toEqual([
      10,
      expect.stringContaining('An import of f.csv is unfinished: 1 of 400 rows are done. Nothing was sent.\n'),
    ]);
    expect(plain.stderr).toContain('Go on with: crm leads import f.csv --resume\nTo create the rows once more on purpose, add --again.\n');
    for (const more of [[], ['--blank', 'clear'], ['--blank', 'clear', '--resume']]) {
      const upsert = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'upsert', ...more]);
      expect([upsert.status, upsert.stderr]).toEqual([
        10,
        'error: An import of f.csv is unfinished: 1 of 400 rows are done. Nothing was sent.\n' +
          'Go on with: crm leads import f.csv --map title=title --concurrency 1 --max-errors 1 --json --resume\n' +
          'To create the rows once more on purpose, add --again.\n',
      ]);
    }
    expect(await leads()).toHaveLength(made);
    const words = ['f.csv', '--map', 'title=title', '--resume'] as const;
    expect((await importOf(...words)).json()).toMatchObject({ created: 200, failed: 200 });
    expect(await leads()).toHaveLength(200);
    expect((await importOf('f.csv', '--again', '--yes')).json()).toMatchObject({ created: 200 });
  });

  it('is for its owner only, and a run that is interrupted ends in order, its results written', async () => {
    shop.write('f.csv', rows(2000));
    const abort = new AbortController();
    const { InterruptedError } = await import('../../src/base/errors.ts');
    const watch = setInterval(() => {
      if (hasOutcomes()) abort.abort(new InterruptedError('SIGINT'));
    }, 5);
    const stopped = await shop.crm(['leads', 'import', 'f.csv', '--json', '--results', 'out.csv'], { signal: abort.signal });
    clearInterval(watch);
    expect(stopped.status).toBe(130);
    const { run, created, unknown } = stopped.json() as { run: string; created: number; unknown: number };
    const path = atRun(join(shop.folder, 'data'), run, ({ file }) => file.path ?? '');
    expect([statSync(path).mode & 0o777, unknown]).toEqual([0o600, 0]);
    expect(await leads()).toHaveLength(created);
    const told = shop.read('out.csv').trimEnd().split('\r\n').slice(1);
    expect([told.length, told.every((line) => line.endsWith(',created,'))]).toEqual([created, true]);
    // With --json nothing stands beside the one object, not even what a second Ctrl-C would do.
    expect(JSON.parse(stopped.stderr).error).toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining(`${2000 - created} rows are to go.`),
      hint: 'Go on with: crm leads import f.csv --results out.csv --json --resume',
    });
    const [{ did }] = (await shop.crm(['history', '--json'])).json() as [{ did: string }];
    expect(did).toBe(`${created} leads created, ${2000 - created} not sent`);
    expect((await importOf('f.csv', '--resume')).json()).toMatchObject({ total: 2000, created: 2000, unknown: 0 });
    expect(await leads()).toHaveLength(2000);

    // An undo that is interrupted says what it did and how to go on, and so does the history.
    const stop = new AbortController();
    const deleted = () => anyRun(join(shop.folder, 'data'), (one) => one.header.kind === 'undo' && one.counts().done > 0);
    const look = setInterval(() => {
      if (deleted()) stop.abort(new InterruptedError('SIGINT'));
    }, 5);
    const undone = await shop.crm(['undo', run, '--yes', '--json'], { signal: stop.signal });
    clearInterval(look);
    const left = (await leads()).length;
    const soFar = `${2000 - left} leads deleted, ${left} not sent`;
    expect([undone.status, JSON.parse(undone.stderr).error.hint]).toEqual([130, `Before that: ${soFar}.\nGo on with: crm undo ${run}`]);
    const runs = (await shop.crm(['history', '--json'])).json() as { kind: string; did: string }[];
    expect(runs.find(({ kind }) => kind === 'undo')?.did).toBe(soFar);

    function hasOutcomes(): boolean {
      return anyRun(join(shop.folder, 'data'), (run) => run.counts().done > 0);
    }
  });
});
