// Advice of an import's messages, followed to the letter: each ends in success.

import { expect, it } from 'vitest';
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

it('an email loses its mailto:', async () => {
  shop.write('f.csv', `${lead},email\nZ-1,1,1,MAILTO:ada@x.example\n`);
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
