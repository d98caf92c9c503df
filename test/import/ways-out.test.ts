// Advice of an import's messages, followed to the letter: each ends in success.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { typedBook } from '../support/workbook.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

const lead = 'title,status,category';
const leadsImport = (...flags: string[]) => shop.crm(['leads', 'import', 'f.csv', ...flags]);
/** The fields of the leads with a title that begins with Z-, by title. */
const leads = async (fields: string): Promise<unknown> =>
  (await shop.crm([...['leads', 'list', '--json', '--search', 'Z-', '--sort', 'title', '--order', 'asc'], ...['--fields', fields]])).json();

/** The words of a command or flag as a shell would read them. */
function shellWords(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|\\(.)/g, '$1$2'));
}

/** The text between two texts of a message. */
function between(message: string, before: string, behind: string): string {
  const [, rest = ''] = message.split(before);
  return rest.split(behind)[0] ?? '';
}

/** Writes a mapping, fills its blanks in by `fill`, and imports with the command that was printed. */
async function mapped(family: string, flags: readonly string[], fill: (text: string) => string) {
  const saved = await shop.crm([family, 'import', 'f.csv', ...flags, '--save-mapping', 'm.yaml']);
  expect(saved.status, saved.stderr).toBe(0);
  shop.write('m.yaml', fill(shop.read('m.yaml')));
  const command = saved.stderr.trimEnd().split('Then: crm ')[1] ?? '';
  return shop.crm(shellWords(command));
}

it.each([
  ["Kunde's", "Kunde's"],
  ['Deal\nname', 'Deal↵name'],
  ['Zero\u200bwidth', 'Zero\\u200bwidth'],
  ['Größe = m', 'Größe = m'],
])('--map takes the column %j as the message prints it', async (header, printed) => {
  shop.write('f.csv', `${lead},"${header}"\nZ-1,1,1,x\n`);
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(`there is no field "${printed}"`)]);
  const flag = between(refused.stderr, 'and ', ' leaves the column out');
  expect((await leadsImport(...shellWords(flag))).status).toBe(0);
});

it('a mapping translates the words that are refused: yes and no, statuses, days, emails and blanks', async () => {
  shop.write('f.csv', `${lead},last-contacted,email,value\nZ-1,Gewonnen,1,N/A,none,-\nZ-2,,1,,,5\n`);
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('A mapping translates words: --save-mapping mapping.yaml')]);
  const { status, stderr } = await mapped('leads', [], (text) =>
    text
      .replace('Gewonnen:', 'Gewonnen: Negotiation')
      .replace('"":', '"": New')
      .replace('N/A:', "N/A: ''")
      .replace('none:', "none: ''")
      .replace(/"-":|-:$/m, "'-': ''"),
  );
  expect([status, stderr]).toEqual([0, expect.stringContaining('Undo')]);
  expect(await leads('status.title,last_contacted,contact.email,value')).toEqual([
    { status: { title: 'Negotiation' }, last_contacted: null, contact: { email: null }, value: null },
    { status: { title: 'New' }, last_contacted: null, contact: { email: null }, value: '5.00' },
  ]);
});

it('a word that is neither yes nor no is translated', async () => {
  shop.write('f.csv', 'first-name,last-name,email,client,send-email\nA,B,ab@x.example,1,Jein\n');
  const refused = await shop.crm(['contacts', 'import', 'f.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('A mapping translates words')]);
  expect((await mapped('contacts', [], (text) => text.replace('Jein:', 'Jein: no'))).status).toBe(0);
});

it('statuses and states are read whatever their case, and other words of theirs are translated', async () => {
  shop.write(
    'f.csv',
    'title,client,category,start,status\nZ-A,1,5,2026-11-01,Draft\nZ-B,1,5,2026-11-01,ACCEPTED\nZ-C,1,5,2026-11-01,Offen\n',
  );
  const refused = await shop.crm(['proposals', 'import', 'f.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('"Offen" is not one of draft, new')]);
  const { status, stderr } = await mapped('proposals', [], (text) => text.replace('Offen:', 'Offen: revised'));
  expect(status, stderr).toBe(0);
  const made = await shop.crm(['proposals', 'list', '--search', 'Z-', '--json', '--sort', 'title', '--order', 'asc', '--fields', 'status']);
  expect(made.json()).toEqual([{ status: 'draft' }, { status: 'accepted' }, { status: 'revised' }]);
});

it('a number that is a day without marks is read by the flag that the message names', async () => {
  shop.write('f.csv', `${lead},last-contacted\nZ-1,1,1,20140102\n`);
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--date-order ymd reads it as 2014-01-02.')]);
  expect((await leadsImport('--date-order', 'ymd')).status).toBe(0);
  expect(await leads('last_contacted')).toEqual([{ last_contacted: '2014-01-02' }]);
});

it('days with times and zones are read past their day', async () => {
  shop.write('f.csv', `${lead},last-contacted\nZ-1,1,1,07/15/2009 02:14:45+0800\nZ-2,1,1,7/4/2026 11:00 PM -07:00\n`);
  expect((await leadsImport('--date-order', 'mdy')).status).toBe(0);
  expect(await leads('last_contacted')).toEqual([{ last_contacted: '2009-07-15' }, { last_contacted: '2026-07-04' }]);
});

it.each(['MAILTO:', 'smtp:'])('an email loses its %s', async (scheme) => {
  shop.write('f.csv', `${lead},email\nZ-1,1,1,${scheme}ada@x.example\n`);
  expect((await leadsImport()).status).toBe(0);
  expect(await leads('contact.email')).toEqual([{ contact: { email: 'ada@x.example' } }]);
});

it('a line break in a cell of tags or people separates, and an element that holds one is exported as JSON', async () => {
  shop.write('f.csv', `${lead},tags,assigned\nZ-1,1,1,"hot\nbig, old\r\nnew","Priya Raman\nTom Okafor"\nZ-2,1,1,"[""a\\nb""]",\n`);
  const { status, stderr } = await leadsImport();
  expect(status, stderr).toBe(0);
  expect(await leads('tags,assigned.name')).toEqual([
    { tags: ['hot', 'big', 'old', 'new'], assigned: [{ name: 'Priya Raman' }, { name: 'Tom Okafor' }] },
    { tags: ['a\nb'], assigned: [] },
  ]);
  const listed = await shop.crm(['leads', 'list', '--search', 'Z-', '--csv', '--fields', 'id,title,tags', '--sort', 'title']);
  expect(listed.stdout).toContain('"[""a\\nb""]"');
  shop.write('f.csv', listed.stdout);
  expect((await leadsImport('--mode', 'update', '--json')).json()).toMatchObject({ unchanged: 2, failed: 0 });
});

it('tags and people of a record that has none are no conflict', async () => {
  shop.write('f.csv', `${lead}\nZ-1,1,1\n`);
  await leadsImport();
  const [{ id }] = (await leads('id')) as [{ id: number }];
  shop.write('f.csv', `id,tags,assigned\n${id},hot,Priya Raman\n`);
  expect((await leadsImport('--mode', 'update', '--json')).json()).toMatchObject({ updated: 1, failed: 0 });
  shop.write('f.csv', `id,tags\n${id},cold\n`);
  const refused = await leadsImport('--mode', 'update');
  expect([refused.status, refused.stderr]).toEqual([8, expect.stringContaining('--sets add keeps')]);
  const flag = between(refused.stderr, 'leave the column out with ', '.\n');
  expect(shellWords(flag)).toEqual(['--map', 'tags=']);
  expect((await leadsImport('--mode', 'update', '--sets', 'add', '--json')).json()).toMatchObject({ updated: 1 });
  expect(await leads('tags')).toEqual([{ tags: ['hot', 'cold'] }]);
});

it('several problems of a line name the line once', async () => {
  shop.write('f.csv', `${lead},tags,assigned\nZ-1,1,1,,Nobody;No One;Nemo\n`);
  expect((await leadsImport()).stderr).not.toMatch(/2, 2|2 and 2/);
});

const contacts = 'first-name,last-name,email,client';

it('the header is in the line that the message names', async () => {
  shop.write('f.csv', `Leads of the north\n\nas of today;;\n${lead.replaceAll(',', ';')}\nZ-1;1;1\n`);
  for (const flags of [[], ['--save-mapping', 'm.yaml']]) {
    const refused = await leadsImport(...flags);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('Line 4 looks like the header: --header-line 4 reads')]);
  }
  expect((await leadsImport('--header-line', '4')).status).toBe(0);
  expect((await leadsImport('--header-line', '2')).stderr).toContain('line 2: no row begins here');
  expect((await leadsImport('--header-line', '0')).status).toBe(2);
});

it('of two header rows the second one is named, and a saved mapping keeps its line and the separator, but not for rejects', async () => {
  shop.write('f.csv', 'Deal||\nTitle|Status|Category|Stand\nZ-1|New|Inbound|x\nZ-2|Nope|Inbound|x\n');
  const refused = await leadsImport();
  expect(refused.stderr).toContain('--header-line 2');
  const flags = ['--header-line', '2', '--separator', 'pipe'];
  const { status, stderr } = await mapped('leads', flags, (text) => {
    expect(text).toContain('separator: pipe\nheader-line: "2"\n');
    return text.replace('Stand:', "Stand: ''");
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('line 4')]);
  const sent = await leadsImport('--mapping', 'm.yaml', '--skip-invalid', '--rejects', 'r.csv');
  expect([sent.status, sent.stderr]).toEqual([8, expect.stringContaining('crm leads import r.csv --mapping m.yaml --skip-invalid\n')]);
  shop.write('r.csv', shop.read('r.csv').replace('Nope', 'New'));
  expect((await shop.crm(['leads', 'import', 'r.csv', '--mapping', 'm.yaml', '--skip-invalid'])).status).toBe(0);
  expect(await leads('title,status.title')).toEqual([
    { title: 'Z-1', status: { title: 'New' } },
    { title: 'Z-2', status: { title: 'New' } },
  ]);
});

it('a wide export is refused once, its guesses and blanks stand apart, and one word leaves all others out', async () => {
  const others = Array.from({ length: 40 }, (_, index) => `Custom Field ${index + 1} - Type`);
  shop.write(
    'f.csv',
    `First Name,Last Name,E-mail 1 - Value,client,${others.join(',')}\nAda,Byron,ada@x.example,1,${others.map(() => '').join(',')}\n`,
  );
  const refused = await shop.crm(['contacts', 'import', 'f.csv']);
  expect(refused.stderr).toMatch(
    /^error: 2 problems .*\n {2}line 1: 41 columns have no field: "E-mail 1 - Value" \(email\?\), "Custom Field 1/,
  );
  expect(refused.stderr).not.toMatch(/Type" \(/);
  const { status, stderr } = await mapped('contacts', [], (text) => {
    expect(text).toMatch(
      /^columns:\n {2}First Name: first-name\n.*\n {2}client: client\n\n {2}# Guesses: look at them\n {2}E-mail 1 - Value: email\n\n {2}# A flag .*\n {2}# .*\n {2}Custom Field 1 - Type:\n/,
    );
    return `${text}others: leave-out\n`;
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Left out, as the mapping says: Custom Field 1 - Type, .*40 - Type\.\n/)]);
});

it('of the other columns, one that is one letter away from a field is refused', async () => {
  shop.write('m.yaml', 'others: leave-out\n');
  shop.write('f.csv', `${lead},desciption,Fax,Phone 2\nZ-1,1,1,x,1,2\n`);
  const refused = await leadsImport('--mapping', 'm.yaml');
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('there is no field "desciption". Did you mean "description"?'),
  ]);
});

it('a Title beside first and last names is a doubt, with both flags', async () => {
  shop.write('f.csv', 'First Name,Last Name,Title,status,category\nAda,Byron,Z-CTO,1,1\n');
  const refused = await leadsImport();
  const doubt = "line 1: the column Title stands beside first and last names: is it the lead's title, ";
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(doubt)]);
  const position = between(refused.stderr, "or the person's, ", '?');
  expect((await leadsImport(...shellWords(position), '--constant', 'title=Z-1')).status).toBe(0);
  expect((await leadsImport(...shellWords(between(refused.stderr, doubt, ', or')))).status).toBe(0);
  expect(await leads('title,contact.job_position')).toEqual([
    { title: 'Z-1', contact: { job_position: 'Z-CTO' } },
    { title: 'Z-CTO', contact: { job_position: null } },
  ]);
  await leadsImport('--save-mapping', 'm.yaml');
  expect(shop.read('m.yaml')).toMatch(/# Title may be title, or the person's: job-position, or ''\n {2}Title:\n/);
});

it('beside a Job Title, a Title may be the person’s: Dr. makes no lead called so', async () => {
  shop.write('f.csv', 'First Name,Last Name,Title,Job Title,status,category\nAda,Byron,Dr.,CTO,1,1\n');
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("or the person's, such as Dr., ")]);
  const leaving = between(refused.stderr, 'such as Dr., ', '?');
  expect((await leadsImport(...shellWords(leaving), '--map', 'Job Title=job-position', '--constant', 'title=Z-1')).status).toBe(0);
  expect(await leads('title,contact.job_position')).toEqual([{ title: 'Z-1', contact: { job_position: 'CTO' } }]);
});

it('of a header that stands twice either column can be taken', async () => {
  shop.write('f.csv', `${lead},Phone,phone\nZ-1,1,1,111,222\n`);
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining("is there twice: --map 'phone (2)=' takes the first column; "),
  ]);
  expect((await leadsImport(...shellWords(between(refused.stderr, 'twice: ', ' takes the first')))).status).toBe(0);
  expect((await leadsImport(...shellWords(between(refused.stderr, 'first column; ', ' takes the other')))).status).toBe(0);
  expect(await leads('contact.phone')).toEqual([{ contact: { phone: '111' } }, { contact: { phone: '222' } }]);
});

it('a pipe separates, and so does any character that is asked for', async () => {
  shop.write('f.csv', `${lead.replaceAll(',', '|')}\nZ-1|1|1\n`);
  expect((await leadsImport()).status).toBe(0);
  shop.write('f.csv', `${lead.replaceAll(',', '~')}\nZ-2~1~1\nZ-3~Nope~1\n`);
  const { status, stderr } = await leadsImport('--separator', '~', '--skip-invalid', '--rejects', 'r.csv');
  expect([status, shop.read('r.csv').split('\r\n')[1]]).toEqual([8, expect.stringMatching(/^Z-3~Nope~1~3~/)]);
  expect(stderr).toMatch(/crm leads import r\.csv --separator '~' --skip-invalid/);
  expect((await leadsImport('--separator', 'dot')).stderr).toContain('"dot" is not comma, semicolon, tab, pipe or one character.');
  shop.write('f.ndjson', '{}\n');
  expect((await shop.crm(['leads', 'import', 'f.ndjson', '--separator', 'tab'])).stderr).toContain('--separator is for CSV');
});

it('a stray quote is the problem of its row, and short rows keep their columns in the rejects', async () => {
  shop.write('f.csv', `${lead},notes\nZ-1,1,1,"fine, ""really"""\nZ-2,1,1,5" pipe\nZ-3,1,1,"a" b\nZ-4,1\nZ-5,1,1,x\n`);
  const flags = ['--map', 'notes=description'];
  const refused = await leadsImport(...flags);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('lines 3 and 4: a quote stands within a cell')]);
  const sent = await leadsImport(...flags, '--skip-invalid', '--rejects', 'r.csv');
  expect(sent.status).toBe(8);
  const kept = shop.read('r.csv').split('\r\n');
  expect(kept.map((line) => line.slice(0, 24))).toEqual([
    ...['title,status,category,no', 'Z-2,1,1,"5"" pipe",3,,"a', 'Z-3,1,1,"""a"" b",4,,"a ', 'Z-4,1,,,5,,"it has 2 cel', ''],
  ]);
  const command = sent.stderr.split('Repair them, then: crm ')[1]?.split('\n')[0] ?? '';
  shop.write('r.csv', kept.map((line) => line.replace(/^Z-4,1,,/, 'Z-4,1,1,')).join('\r\n'));
  expect((await shop.crm([...shellWords(command), '--json'])).json()).toMatchObject({ created: 3, failed: 0 });
  expect(await leads('title,description')).toEqual([
    { title: 'Z-1', description: 'fine, "really"' },
    { title: 'Z-2', description: '5" pipe' },
    { title: 'Z-3', description: '"a" b' },
    { title: 'Z-4', description: null },
    { title: 'Z-5', description: 'x' },
  ]);
});

it('a stray quote whose row can not be told stops the file', async () => {
  shop.write('f.csv', `${lead},notes\nZ-1,1,1,"5" pipe\nZ-2,1,1,"x"" y\nand more"\n"Z-3",1,1,"a"\n`);
  expect((await leadsImport('--map', 'notes=', '--skip-invalid', '--json')).json()).toMatchObject({ created: 2, failed: 0, left_out: 1 });
  shop.write('f.csv', `${lead},notes\nZ-3,1,1,"5 pipe\nZ-4,1,1,"x" y\n`);
  expect((await leadsImport('--map', 'notes=', '--skip-invalid')).status).toBe(2);
});

it('a row of upsert that lacks its key says what to do', async () => {
  shop.write('f.csv', `${contacts}\nAda,Byron,,1\nTom,Low,tom@z.example,1\n`);
  const refused = await shop.crm(['contacts', 'import', 'f.csv', '--mode', 'upsert', '--match', 'email']);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('it is blank, and rows find their records by it. Fill it in.'),
  ]);
  shop.write('f.csv', `id,${lead}\n999999,Z-1,1,1\n`);
  const missing = await leadsImport('--mode', 'upsert');
  expect(missing.stderr).toContain('with the id 999999. Leave the id blank to make a new one.');
  shop.write('f.csv', `id,${lead}\n,Z-1,1,1\n`);
  expect((await leadsImport('--mode', 'upsert')).status).toBe(0);
});

it('rows without a key are made by the command that the message describes', async () => {
  shop.write('f.csv', `${lead},phone\nZ-1,1,1,\nZ-2,1,1,12345\n`);
  const upsert = ['--mode', 'upsert', '--match', 'phone'];
  expect((await leadsImport(...upsert)).stderr).toContain('--skip-invalid --rejects FILE, then that file without --mode and --match');
  expect((await leadsImport(...upsert, '--skip-invalid', '--rejects', 'r.csv')).status).toBe(8);
  expect((await shop.crm(['leads', 'import', 'r.csv'])).status).toBe(0);
  expect(await leads('title')).toEqual([{ title: 'Z-1' }, { title: 'Z-2' }]);
});

it('custom fields are columns, constants and flags by their names', async () => {
  const item = 'description,rate,category,default-tax,unit';
  shop.write('f.csv', `${item},custom_fields.SKU,Lieferant\nZ-1,1,6,2,1,S-1,Kestrel\n`);
  const flags = ['--map', 'Lieferant=custom_fields.supplier', '--constant', 'custom_fields.Warranty=2y'];
  const { status, stderr } = await shop.crm(['items', 'import', 'f.csv', ...flags]);
  expect(status, stderr).toBe(0);
  const listed = ['items', 'list', '--search', 'Z-1', '--fields', 'id,custom_fields.SKU,custom_fields.Supplier,custom_fields.Warranty'];
  const { stdout } = await shop.crm([...listed, '--csv']);
  expect(stdout).toMatch(/^id,custom_fields\.SKU,custom_fields\.Supplier,custom_fields\.Warranty\r\n\d+,S-1,Kestrel,2y\r\n$/);
  shop.write('f.csv', stdout.replace('S-1', 'S-2'));
  expect((await shop.crm(['items', 'import', 'f.csv', '--mode', 'update', '--json'])).json()).toMatchObject({ updated: 1 });
  const id = stdout.split('\n')[1]?.split(',')[0] ?? '';
  expect((await shop.crm(['items', 'update', id, '--custom-field', 'supplier=Verano = Co', '--custom-field', '3=3y', '-q'])).status).toBe(
    0,
  );
  expect((await shop.crm([...listed, '--csv'])).stdout).toContain(',S-2,Verano = Co,3y');
  const unknown = await shop.crm(['items', 'update', id, '--custom-field', 'Colour=red']);
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--custom-field: none of the items read so far has the custom field "Colour"; you can give its id. They have SKU (1)',
    ),
  ]);
  shop.write('f.csv', `${item},custom_fields.Colour\nZ-2,1,6,2,1,red\n`);
  expect((await shop.crm(['items', 'import', 'f.csv'])).stderr).toContain('custom_fields.Colour: none of the items read so far');
});

it("a team member's email is its name, when exactly one has it", async () => {
  const [{ email }] = (await shop.crm(['team', 'list', '--search', 'Priya', '--json'])).json() as [{ email: string }];
  shop.write('f.csv', `${lead},assigned\nZ-1,1,1,${email.toUpperCase()}\n`);
  const { status, stderr } = await leadsImport();
  expect(status, stderr).toBe(0);
  expect(await leads('assigned.name')).toEqual([{ assigned: [{ name: 'Priya Raman' }] }]);
  const [{ id }] = (await leads('id')) as [{ id: number }];
  expect((await shop.crm(['leads', 'assign', String(id), email, '-q'])).status).toBe(0);
  const listed = await shop.crm(['leads', 'list', '--assigned', email, '--search', 'Z-1', '-o', 'ids']);
  expect(listed.stdout).toBe(`${id}\n`);
  const part = await shop.crm(['leads', 'assign', String(id), email.slice(3)]);
  expect([part.status, part.stderr]).toEqual([2, expect.stringContaining('no team member is called')]);
});

it.each(['update', 'upsert'])('unknown words of name columns get into the saved mapping of mode %s', async (mode) => {
  shop.write('f.csv', `${lead}\nZ-1,1,1\n`);
  await leadsImport();
  const [{ id }] = (await leads('id')) as [{ id: number }];
  shop.write('f.csv', `id,status.title,category.name,assigned\n${id},Gewonnen,Messe,Frau Raman\n`);
  const { status, stderr } = await mapped('leads', ['--mode', mode, '--sets', 'add'], (text) => {
    expect(text).toContain('words:\n  assigned:\n    Frau Raman:\n  status:\n    Gewonnen:\n  category:\n    Messe:\n');
    return text.replace('Gewonnen:', 'Gewonnen: Negotiation').replace('Messe:', 'Messe: Outbound').replace('Raman:', 'Raman: Priya Raman');
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('Undo')]);
  expect(await leads('status.title,category.name,assigned.name')).toEqual([
    { status: { title: 'Negotiation' }, category: { name: 'Outbound' }, assigned: [{ name: 'Priya Raman' }] },
  ]);
});

it('an email that two members have is the name of neither, and either name works', async () => {
  const team = new DatabaseSync(join(shop.folder, 'data', 'sandbox.sqlite'));
  team.exec("UPDATE team SET search = replace(search, 'tom@', 'maya@'), doc = replace(doc, 'tom@', 'maya@') WHERE id = 2");
  team.close();
  shop.write('f.csv', `${lead},assigned\nZ-1,1,1,maya@crm.example\n`);
  const refused = await leadsImport();
  const problem =
    'column assigned: several team members have the email "maya@crm.example": Maya Lindqvist (1) and Tom Okafor (2). Give the name, or the id.';
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(problem)]);
  const typed = await shop.crm(['leads', 'assign', '1', '--add', 'maya@crm.example']);
  expect([typed.status, typed.stderr]).toEqual([2, expect.stringContaining('Give the name, or the id.')]);
  shop.write('f.csv', `${lead},assigned\nZ-1,1,1,Tom Okafor\nZ-2,1,1,1\n`);
  expect((await leadsImport()).status).toBe(0);
  expect(await leads('assigned.name')).toEqual([{ assigned: [{ name: 'Tom Okafor' }] }, { assigned: [{ name: 'Maya Lindqvist' }] }]);
});

it('change files take custom fields by name and by number', async () => {
  const listed = ['items', 'get', '1', '--json', '--fields', 'custom_fields.SKU,custom_fields.Supplier'];
  shop.write('c.csv', 'family,id,custom_fields.SKU,was.custom_fields.SKU,was.custom_fields.Supplier\nitems,1,NEW,SV-100,\n');
  const { status, stderr } = await shop.crm(['apply', 'c.csv']);
  expect([status, stderr]).toEqual([0, expect.stringContaining('custom-field-1 SV-100 -> NEW')]);
  shop.write('c.csv', 'family,id,custom_fields.2,was.custom_fields.2,was.custom-field-1\nitems,1,Kestrel,,NEW\n');
  expect((await shop.crm(['apply', 'c.csv'])).status).toBe(0);
  expect((await shop.crm(listed)).json()).toEqual({ custom_fields: { SKU: 'NEW', Supplier: 'Kestrel' } });
  shop.write('c.csv', 'family,id,custom_fields.SKU,was.custom_fields.SKU\nitems,1,OTHER,SV-100\n');
  const conflict = await shop.crm(['apply', 'c.csv']);
  expect([conflict.status, conflict.stderr]).toEqual([8, expect.stringContaining('custom-field-1 is NEW now, not SV-100')]);
  shop.write('c.csv', 'family,id,custom_fields.Colour,was.custom_fields.Colour\nitems,1,red,\n');
  const unknown = await shop.crm(['apply', 'c.csv']);
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('custom_fields.Colour: none of the items read so far')]);
});

it('a stray quote beside a cell of several lines is the problem of its row', async () => {
  shop.write('f.csv', `${lead},notes\nZ-1,1,1,"one\ntwo"\nZ-2 5" pipe,1,1,"one\ntwo"\nZ-3,1,1,x\n`);
  const flags = ['--map', 'notes=description'];
  const refused = await leadsImport(...flags);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('line 4: a quote stands within a cell')]);
  const sent = await leadsImport(...flags, '--skip-invalid', '--rejects', 'r.csv');
  expect([sent.status, shop.read('r.csv')]).toEqual([8, expect.stringContaining('\r\n"Z-2 5"" pipe",1,1,"one\ntwo",4,,')]);
  const command = sent.stderr.split('Repair them, then: crm ')[1]?.split('\n')[0] ?? '';
  expect((await shop.crm([...shellWords(command), '--json'])).json()).toMatchObject({ created: 1, failed: 0 });
  expect(await leads('title,description')).toEqual([
    { title: 'Z-1', description: 'one\ntwo' },
    { title: 'Z-2 5" pipe', description: 'one\ntwo' },
    { title: 'Z-3', description: 'x' },
  ]);
  // With a cell too many, the row behind may be inside of it.
  shop.write('f.csv', `${lead},notes\nZ-4,1,1,"one\nZ-5,1,1,"two",5" x\nZ-6,1,1,x\n`);
  expect((await leadsImport(...flags, '--skip-invalid')).status).toBe(2);
});

it('a header that comes again is named, though it has one name twice', async () => {
  shop.write('f.csv', `${lead},Phone,Phone\nZ-1,1,1,111,\n${lead},Phone,Phone\nZ-2,1,1,222,\n`);
  const refused = await leadsImport('--map', 'Phone (2)=');
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('line 3: the row repeats the header.')]);
  expect((await leadsImport('--map', 'Phone (2)=', '--skip-invalid')).status).toBe(8);
  expect(await leads('title,contact.phone')).toEqual([
    { title: 'Z-1', contact: { phone: '111' } },
    { title: 'Z-2', contact: { phone: '222' } },
  ]);
});

it.each([
  ['12,50', 'has a comma, or marks between thousands', 'comma', '12.50'],
  ['12.000', 'could be thousands', 'comma', '12000.00'],
  ['12.000', 'could be thousands', 'point', '12.00'],
])('%s is read by the --decimal-mark that the message names', async (value, doubt, mark, held) => {
  shop.write('f.csv', `${lead.replaceAll(',', ';')};value\nZ-1;1;1;${value}\n`);
  const refused = await leadsImport();
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('say with --decimal-mark comma or point')]);
  expect(refused.stderr).toContain(doubt);
  expect((await leadsImport('--decimal-mark', mark)).status).toBe(0);
  expect(await leads('value')).toEqual([{ value: held }]);
});

it('the days of a column that is shown as dates are read', async () => {
  const text = (said: string) => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>';
  const book = async (style: number): Promise<void> => {
    const cells = `${text('Z-1')}${text('1')}${text('1')}<c s="${style}"><v>44197</v></c>`;
    const header = [...lead.split(','), 'last-contacted'].map(text).join('');
    shop.write('f.xlsx', await typedBook({ styles, sheets: { one: `<row>${header}</row><row>${cells}</row>` } }));
  };
  await book(0);
  const refused = await shop.crm(['leads', 'import', 'f.xlsx']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('show the column as dates there, and save it again.')]);
  await book(1);
  expect((await shop.crm(['leads', 'import', 'f.xlsx'])).status).toBe(0);
  expect(await leads('last_contacted')).toEqual([{ last_contacted: '2021-01-01' }]);
});

it('-o xlsx keeps the zeros that a CSV lost', async () => {
  shop.write('f.csv', `${lead},zip\nZ-1,1,1,00530\n`);
  await leadsImport();
  const [{ id }] = (await leads('id')) as [{ id: number }];
  shop.write('f.csv', `id,zip,city\n${id},530,Bern\n`);
  const lost = await leadsImport('--mode', 'update');
  expect([lost.status, lost.stderr]).toEqual([0, expect.stringContaining('an export with -o xlsx keeps them.')]);
  const exported = await shop.crm(['leads', 'list', '--where', `id=${id}`, '--fields', 'id,zip,city', '-o', 'xlsx']);
  shop.write('f.xlsx', Buffer.from(exported.stdout, 'latin1'));
  const again = await shop.crm(['leads', 'import', 'f.xlsx', '--mode', 'update', '--json']);
  expect([again.json(), again.stderr]).toEqual([expect.objectContaining({ unchanged: 1 }), '']);
  expect(await leads('address.zip,address.city')).toEqual([{ address: { zip: '00530', city: 'Bern' } }]);
});

it('a time that is none goes with its column, by the flag of the message', async () => {
  shop.write('f.csv', `${lead}\nZ-1,1,1\n`);
  await leadsImport();
  const [{ id }] = (await leads('id')) as [{ id: number }];
  shop.write('f.csv', `id,city,dates.updated\n${id},Bern,yesterday\n`);
  const refused = await leadsImport('--mode', 'update');
  const flag = between(refused.stderr, 'Leave the column out with ', '\n');
  expect([refused.status, shellWords(flag)]).toEqual([2, ['--map', 'dates.updated=']]);
  expect((await leadsImport('--mode', 'update', ...shellWords(flag))).status).toBe(0);
  expect(await leads('address.city')).toEqual([{ address: { city: 'Bern' } }]);
});

it('of several sheets the one that --sheet names is read', async () => {
  const row = (...cells: string[]) => `<row>${cells.map((said) => `<c t="inlineStr"><is><t>${said}</t></is></c>`).join('')}</row>`;
  shop.write('f.xlsx', await typedBook({ sheets: { Notes: row('x'), 'My leads': row(...lead.split(',')) + row('Z-1', '1', '1') } }));
  const refused = await shop.crm(['leads', 'import', 'f.xlsx']);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/say with --sheet which one is meant\.\nSheets: Notes, My leads\n/),
  ]);
  expect((await shop.crm(['leads', 'import', 'f.xlsx', '--sheet', 'My leads'])).status).toBe(0);
  expect(await leads('title')).toEqual([{ title: 'Z-1' }]);
});

it('a whole name of one word says what the cell lacks, and asks no mapping for it', async () => {
  shop.write('f.csv', 'Name,Mail\nMadonna,m@x.example\n,n@x.example\nAnn Lee,ann@x.example\n');
  const flags = ['--map', 'Name=full-name', '--map', 'Mail=email', '--constant', 'client=1'];
  const { status, stderr } = await shop.crm(['contacts', 'import', 'f.csv', ...flags]);
  expect([status, stderr]).toEqual([
    2,
    'error: 2 problems in f.csv; nothing was sent.\n' +
      '  line 2, column Name: it is one word, and a new contact needs a first and a last name: write both in the cell.\n' +
      '  line 3, column Name: it is blank, and a new contact needs it.\n' +
      '--skip-invalid sends the other 1 row, and --rejects FILE keeps the 2 wrong rows. The service may refuse some of them.\n',
  ]);
  shop.write('f.csv', shop.read('f.csv').replace('Madonna', 'Madonna Ciccone').replace('\n,n@', '\nNils By,n@'));
  expect((await shop.crm(['contacts', 'import', 'f.csv', ...flags])).status).toBe(0);
});

it('--resume of an import that was undone says so, and what imports the file', async () => {
  shop.write('f.csv', `${lead}\nZ-1,1,1\n`);
  const [run] = /\w{4}$/.exec((await leadsImport()).stderr.trim()) ?? [];
  await shop.crm(['undo', run ?? '', '--yes']);
  const { status, stderr } = await leadsImport('--resume');
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(
      new RegExp(
        `^error: The import of f\\.csv on \\d{4}-\\d\\d-\\d\\d \\(run ${run}\\) was undone by run \\w{4}\\.\nTo import the file again, leave out --resume\\.\n$`,
      ),
    ),
  ]);
  expect((await leadsImport()).status).toBe(0);
});

it.each([80, 100])('the history at %d columns says what failed and what is left to do, with the whole command', async (columns) => {
  shop.write('f.csv', `${lead}\n${'Z-1,1,1\n'.repeat(12)}Z-2,99,1\nZ-3,1,1\n`);
  expect((await leadsImport('--max-errors', '1', '--concurrency', '1')).status).toBe(8);
  const { stdout, stderr } = await shop.crm(['history'], { tty: true, columns });
  expect(stdout).toMatch(/^\w{4} .* 1 (not sent|failed), .* unfinished$/m);
  const [, command = ''] = /To go on with \w{4}:\s+crm (leads import [\s\S]*?--resume)/.exec(stdout + stderr) ?? [];
  shop.write('f.csv', shop.read('f.csv').replace('Z-2,99', 'Z-2,1'));
  expect((await shop.crm(command.split(/\s+/))).status).toBe(0);
  expect((await shop.crm(['history'], { tty: true, columns })).stdout).not.toContain('unfinished');
});
