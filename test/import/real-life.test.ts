// Files as other programs write them (real-life/, after their documented formats), with at most two flags or one mapping: what stands in
// the CRM afterwards, to the byte.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });

const bytesOf = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'real-life', name));

/** The records that an import of one file made, in its order, as JSON of these fields. */
async function imported(family: string, name: string, flags: readonly string[], fields: readonly string[]): Promise<unknown[]> {
  for (const file of [name, name.replace('.csv', '.yaml')].filter((one) => one === name || flags.includes(one)))
    shop.write(file, bytesOf(file));
  const { status, stderr, json } = await shop.crm([family, 'import', name, '--json', '--concurrency', '1', ...flags]);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^Undo: crm undo \w{4}\n$/)]);
  const { created } = json() as { created: number };
  const { stdout } = await shop.crm([
    ...[family, 'list', '--all', '--json', '--sort', 'created'],
    ...['--order', 'asc', '--fields', fields.join(',')],
  ]);
  return (JSON.parse(stdout) as object[]).slice(-created);
}

const germanFields =
  'title,contact.company_name,contact.last_name,contact.email,contact.phone,value,last_contacted,status.title,description'.split(',');
// biome-ignore format: a table
const german = [
  { title: 'Lagerverwaltung', contact: { company_name: 'Müller & Söhne GmbH', last_name: 'Jörg Müller', email: 'j.mueller@mueller.example',
    phone: '+49 30 1234-56' }, value: '12500.00', last_contacted: '2026-11-03', status: { title: 'Proposal Sent' },
    description: 'Ruft "bald" zurück;\r\nam liebsten vormittags' },
  { title: 'Kassensystem', contact: { company_name: 'Bäckerei Groß', last_name: 'Änne Groß', email: 'aenne@gross.example',
    phone: '(0711) 98 76 54' }, value: '980.50', last_contacted: '2025-12-31', status: { title: 'Negotiation' }, description: null },
  { title: 'Zeiterfassung', contact: { company_name: 'Straßenbau Süd', last_name: null, email: null, phone: null }, value: '7.00',
    last_contacted: null, status: { title: 'Proposal Sent' }, description: null },
];

it('Excel in German: semicolons, a byte order mark, 12.500,00 and 03.11.2026', async () => {
  expect(await imported('leads', 'excel-de.csv', ['--mapping', 'excel-de.yaml'], germanFields)).toEqual(german);
});

it("Excel's plain CSV is Windows-1252: refused with the flag that reads it", async () => {
  shop.write('excel-de.yaml', bytesOf('excel-de.yaml'));
  shop.write('f.csv', bytesOf('excel-de-windows-1252.csv'));
  const refused = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'excel-de.yaml']);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^error: 1 problem in f\.csv; nothing was sent\.\n {2}line 2: it is not valid UTF-8\. Which is right: "[^"]+" \(--encoding windows-1252\), /,
    ),
  ]);
  const flags = ['--mapping', 'excel-de.yaml', '--encoding', 'windows-1252'];
  expect(await imported('leads', 'excel-de-windows-1252.csv', flags, germanFields)).toEqual(german);
});

it('Excel in English: 12,500.00, 11/3/2026 and CRLF', async () => {
  const fields = 'title,status.title,category.name,value,last_contacted,contact.phone,address.zip,contact.company_name'.split(',');
  // biome-ignore format: a table
  expect(await imported('leads', 'excel-us.csv', ['--decimal-mark', 'point', '--date-order', 'mdy'], fields)).toEqual([
    { title: 'Warehouse rollout', status: { title: 'Negotiation' }, category: { name: 'Outbound' }, value: '12500.00',
      last_contacted: '2026-11-03', contact: { phone: '(206) 555-0142', company_name: 'Smith, Jones & Co' }, address: { zip: '02134' } },
    { title: 'Kiosk', status: { title: 'New' }, category: { name: 'Inbound' }, value: '980.50', last_contacted: '2025-12-31',
      contact: { phone: '+1 206 555 0143', company_name: '5" Disks Inc.' }, address: { zip: '10001' } },
    { title: 'Timesheets', status: { title: 'New' }, category: { name: 'Inbound' }, value: null, last_contacted: null,
      contact: { phone: null, company_name: null }, address: { zip: null } },
  ]);
});

it('Google Sheets: names in place of ids, and no flag at all', async () => {
  const fields = ['description', 'rate', 'category.name', 'default_tax.name', 'unit.name', 'notes', 'custom_fields'];
  const custom = (sku: string) => [
    { id: 1, name: 'SKU', value: sku },
    { id: 2, name: 'Supplier', value: null },
    { id: 3, name: 'Warranty', value: null },
  ];
  // biome-ignore format: a table
  expect(await imported('items', 'google-sheets.csv', [], fields)).toEqual([
    { description: 'Site survey', rate: '450.00', category: { name: 'Services' }, default_tax: { name: 'No Tax' }, unit: { name: 'each' },
      notes: 'Two lines,\nin one cell', custom_fields: custom('SV-1') },
    { description: 'Kabel 2 m ☂', rate: '9.90', category: { name: 'Hardware' }, default_tax: { name: 'Standard' }, unit: { name: 'each' },
      notes: null, custom_fields: custom('007') },
  ]);
});

const contactFields = ['first_name', 'last_name', 'email', 'phone', 'job_position', 'client.company_name'];

it("HubSpot's export of contacts", async () => {
  // biome-ignore format: a table
  expect(await imported('contacts', 'hubspot-contacts.csv', ['--mapping', 'hubspot-contacts.yaml'], contactFields)).toEqual([
    { first_name: 'Priya', last_name: 'Shah', email: 'priya.shah@hubspot.example', phone: '+44 20 7946 0018', job_position: 'Head of Ops',
      client: { company_name: 'Kestrel Aviation Services' } },
    { first_name: 'Tom', last_name: "O'Neil", email: 'tom@hubspot.example', phone: null, job_position: null,
      client: { company_name: 'Verano Hotels' } },
  ]);
});

it("Salesforce's report of leads", async () => {
  const fields = 'title,status.title,source,last_contacted,contact.job_position,contact.phone,address.street,address.zip'.split(',');
  // biome-ignore format: a table
  expect(await imported('leads', 'salesforce-leads.csv', ['--mapping', 'salesforce-leads.yaml'], fields)).toEqual([
    { title: 'Aethna Home Products', status: { title: 'Contacted' }, source: 'Partner Referral', last_contacted: '2026-06-04',
      contact: { job_position: 'Director, Warehouse Mgmt', phone: '(434) 369-3100' }, address: { street: '123 Main Street\nSuite 4',
      zip: '24531' } },
    { title: 'Farmers Coop. of Florida', status: { title: 'New' }, source: 'Web', last_contacted: null, contact: { job_position: null,
      phone: '(850) 644-4200' }, address: { street: null, zip: '32306' } },
  ]);
});

it("a phone's contacts, as Google Contacts exports them", async () => {
  // biome-ignore format: a table
  expect(await imported('contacts', 'google-contacts.csv', ['--mapping', 'google-contacts.yaml'], contactFields)).toEqual([
    { first_name: 'Zoë', last_name: 'Van der Berg', email: 'zoe@berg.example', phone: '+31 6 12345678', job_position: 'Einkauf',
      client: { company_name: 'Meridian Clinics' } },
    { first_name: 'Li', last_name: 'Wei 魏', email: 'li.wei@wei.example', phone: '0171/555 12', job_position: null,
      client: { company_name: 'Meridian Clinics' } },
  ]);
});

it('amounts from Brazil: R$ 1.234,56 shows the decimal mark of its column', async () => {
  shop.write('brazil.csv', bytesOf('brazil.csv'));
  const { status, stderr } = await shop.crm(['leads', 'import', 'brazil.csv', '--map', 'Negócio=title', '--map', 'Valor=value']);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(
      'Valor: comma is the decimal mark, as "1.234,56" shows.\nThe column Valor is in BRL. The currency is not sent: records hold none.\n',
    ),
  ]);
  expect(await newest(3, 'value')).toEqual([{ value: '1234.56' }, { value: '12.50' }, { value: '-350.00' }]);
});

it('files put together: the second header is named, and the advice leaves it out', async () => {
  shop.write('joined-files.csv', bytesOf('joined-files.csv'));
  const refused = await shop.crm(['leads', 'import', 'joined-files.csv']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('line 3: the row repeats the header.')]);
  expect(refused.stderr).toContain('--skip-invalid sends the other 2 rows, and --rejects FILE keeps the 1 wrong row.');
  expect((await shop.crm(['leads', 'import', 'joined-files.csv', '--skip-invalid', '--rejects', 'rejects.csv'])).status).toBe(8);
  expect(await newest(2, 'title')).toEqual([{ title: 'North fair' }, { title: 'South fair' }]);
});

it("a Russian program's CSV: the message shows the cell that one of its flags reads", async () => {
  shop.write('f.csv', bytesOf('russian-windows-1251.csv'));
  const { stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  const flag = /"Склад" \((--encoding [\w-]+)\)/.exec(stderr)?.[1] ?? '';
  expect((await shop.crm(['leads', 'import', 'f.csv', ...flag.split(' ')])).status).toBe(0);
  expect(await newest(1, 'title,contact.last_name,address.city')).toEqual([
    { title: 'Склад', contact: { last_name: 'Иван Петров' }, address: { city: 'Тула' } },
  ]);
});

it('texts that a program protected, with what nobody sees', async () => {
  shop.write('f.csv', bytesOf('protected-texts.csv'));
  expect((await shop.crm(['leads', 'import', 'f.csv'])).status).toBe(0);
  expect(await newest(1, 'title,contact.email,contact.phone,address.zip')).toEqual([
    { title: 'Garage Nord', contact: { email: 'mia@garage.example', phone: '0046701234567' }, address: { zip: '01067' } },
  ]);
});

/** A kind of file: what is said without help, the flags that this names or that a person gives, and what is read then. */
interface Kind {
  readonly file: string;
  readonly family?: string;
  readonly refused?: readonly string[];
  readonly flags?: readonly string[];
  readonly said?: string;
  readonly fields: string;
  readonly read: readonly object[];
}

const mapped = (file: string) => ['--mapping', file];

// biome-ignore format: a table
const kinds: Readonly<Record<string, Kind>> = {
  "Outlook's contacts, of 59 columns": {
    file: 'outlook-contacts.csv', family: 'contacts', flags: mapped('outlook-contacts.yaml'),
    refused: ['line 1: 57 columns have no field: "Title" (job-position?), "Middle Name", ', 'there is no column for client, which a new contact needs.'],
    said: 'Left out, as the mapping says: Middle Name, Suffix, ',
    fields: 'first_name,last_name,email,phone,job_position',
    read: [{ first_name: 'Ilse', last_name: 'Brandt', email: 'ilse@brandt.example', phone: '+49 40 5550123', job_position: 'Inhaberin' }],
  },
  "Zoho's leads": {
    file: 'zoho-leads.csv', flags: mapped('zoho-leads.yaml'),
    refused: ["is it the lead's title, --map 'Title=title', or the person's, --map 'Title=job-position'?", '"Lead Owner" (assigned?), "Company" (company-name?)'],
    fields: 'title,status.title,assigned.name,tags,contact.job_position,address.zip',
    read: [{ title: 'From Zoho', status: { title: 'Contacted' }, assigned: [{ name: 'Priya Raman' }], tags: ['fair', 'lab'],
      contact: { job_position: 'Lab Manager' }, address: { zip: '100001' } }],
  },
  "Pipedrive's deals": {
    file: 'pipedrive-deals.csv', flags: mapped('pipedrive-deals.yaml'),
    refused: ['"Deal - Title" (title?), "Deal - Value" (value?)', '"Person - Name" (full-name?), "Person - Email - Work" (email?), "Deal - Stage" (status?)'],
    fields: 'title,value,status.title,contact.last_name,contact.email,last_contacted,tags',
    read: [{ title: 'Solar roof, hall 3', value: '48000.50', status: { title: 'Negotiation' },
      contact: { last_name: 'Weiss', email: 'nora@halle.example' }, last_contacted: '2026-10-02', tags: ['hot'] }],
  },
  'a title above the header': {
    file: 'title-above.csv', refused: ['Line 4 looks like the header: --header-line 4 reads'], flags: ['--header-line', '4'],
    fields: 'title,address.city', read: [{ title: 'Stand 12', address: { city: 'Kiel' } }],
  },
  'two rows of headers': {
    file: 'two-headers.csv', refused: ['Line 2 looks like the header: --header-line 2 reads'], flags: ['--header-line', '2'],
    fields: 'title,contact.last_name,contact.email', read: [{ title: 'North pier', contact: { last_name: 'Haas', email: 'haas@pier.example' } }],
  },
  'Windows-1250': {
    file: 'polish-windows-1250.csv', refused: ['line 2: it is not valid UTF-8.', '"Świątek" (--encoding windows-1250)'], flags: ['--encoding', 'windows-1250'],
    fields: 'title,contact.last_name,address.city', read: [{ title: 'Magazyn', contact: { last_name: 'Świątek' }, address: { city: 'Łódź' } }],
  },
  "the letters and line ends of old Macs": {
    file: 'mac-roman.csv', refused: ['line 2: it is not valid UTF-8.', '"Lefèvre" (--encoding macintosh)'], flags: ['--encoding', 'macintosh'],
    fields: 'title,contact.last_name,address.city', read: [{ title: 'Café', contact: { last_name: 'Lefèvre' }, address: { city: 'Orléans' } }],
  },
  '12 MIO is no number': {
    file: 'millions.csv', refused: ['line 2, column value: "12 MIO" is not a decimal number such as 1250.00.'], flags: ['--skip-invalid'],
    fields: 'title,value', read: [{ title: 'Kran', value: '7.00' }],
  },
  'amounts of accounts and of India': {
    file: 'accounts.csv', said: 'value: point is the decimal mark, as "1,00,000.00" shows.',
    fields: 'value', read: ['-350.00', '-350.00', '1250.00', '100000.00'].map((value) => ({ value })),
  },
  'formula guards that a spreadsheet saved as texts': {
    file: 'resaved-guards.csv', said: '2 texts begin with an apostrophe that guards against formulas. It is left out.',
    fields: 'title,description,contact.phone', read: [{ title: '=Sum up', description: '- wants a demo\n- calls back', contact: { phone: '+41 44 555 01 02' } }],
  },
  'lists of lines in a cell': {
    file: 'lists-in-cells.csv', fields: 'tags,assigned.name',
    read: [{ tags: ['hot', 'large', 'old'], assigned: [{ name: 'Priya Raman' }, { name: 'Tom Okafor' }] }],
  },
  'what pandas makes of phones, postal codes and emails': {
    file: 'pandas-leads.csv', said: '2 numbers of digits end in .0, which is left out. Zeros in front may be lost.',
    fields: 'contact.phone,address.zip,contact.email',
    read: [{ contact: { phone: '+4940555010', email: 'ida@pier.example' }, address: { zip: '2035' } },
      { contact: { phone: '+4940555011', email: 'nils@pier.example' }, address: { zip: '24103' } }],
  },
  "a database's blanks and lists": {
    file: 'database-dump.csv', flags: ['--map', 'tags=', '--mapping', 'database-dump.yaml'],
    refused: ['lines 2 and 3, column source: "NULL" is how programs write a blank cell', 'line 2, column last-contacted: "1899-12-30" is how programs write no day',
      'column tags: for instance "{vip,gold}": write lists with ; between the elements (vip; gold), or one element as JSON: ["{vip,gold}"].'],
    fields: 'source,last_contacted',
    read: [{ source: null, last_contacted: null }, { source: null, last_contacted: '2026-03-05' }, { source: 'Fair', last_contacted: '2026-03-05' }],
  },
  "a pivot table's blanks, and a person of the name Null": {
    file: 'pivot-table.csv', flags: ['--map', 'city='], refused: ['line 2, column city: "(blank)" is how programs write a blank cell'],
    fields: 'contact.last_name,address.city', read: [{ contact: { last_name: 'Null' }, address: { city: null } }],
  },
  'a workbook of a Mac, with days from 1904 and zeros by its format': {
    file: 'mac-1904.xlsx', said: '1 number is read as the workbook shows it, with its zeros and signs.',
    fields: 'title,last_contacted,address.zip,value',
    read: [{ title: 'Lighthouse', last_contacted: '2026-11-21', address: { zip: '01067' }, value: '1250.50' }],
  },
};

it.each(Object.entries(kinds))('%s', async (_name, { file, family = 'leads', refused, flags = [], said = '', fields, read }) => {
  for (const name of [file, ...flags.filter((flag) => flag.endsWith('.yaml'))]) shop.write(name, bytesOf(name));
  const first = refused === undefined ? undefined : await shop.crm([family, 'import', file]);
  for (const sentence of refused ?? []) expect([first?.status, first?.stderr]).toEqual([2, expect.stringContaining(sentence)]);
  const { status, stderr } = await shop.crm([family, 'import', file, '--concurrency', '1', ...flags]);
  expect([status, stderr]).toEqual([flags.includes('--skip-invalid') ? 8 : 0, expect.stringContaining(said)]);
  expect(await newest(read.length, fields, family)).toEqual(read);
});

/** Fields of the newest records, oldest first. */
async function newest(count: number, fields: string, family = 'leads'): Promise<unknown[]> {
  const { stdout } = await shop.crm([family, 'list', '--all', '--json', '--sort', 'created', '--order', 'asc', '--fields', fields]);
  return (JSON.parse(stdout) as unknown[]).slice(-count);
}

// biome-ignore format: a table
it.each<[program: string, file: string, maps: string, fields: string, read: object[]]>([
  ["Shopify's customers", 'shopify-customers.csv', 'Company=title,Email=email,First Name=first-name', 'contact.phone,address.zip',
    [{ contact: { phone: '+4670000123' }, address: { zip: '02035' } }, { contact: { phone: '0150 22' }, address: { zip: '0171' } }]],
  ["Mailchimp's audience", 'mailchimp-audience.csv', 'Email Address=email,Last Name=title,TAGS=tags', 'tags', [{ tags: ['vip', 'trade fair'] }, { tags: ['vip, gold', 'b'] }]],
  ["Facebook's lead ads", 'facebook-leads.csv', 'full_name=title,phone_number=phone,post_code=zip', 'contact.phone,address.zip',
    [{ contact: { phone: '+4712345678' }, address: { zip: '0150' } }, { contact: { phone: '+4787654321' }, address: { zip: '5003' } }]],
  ["a phone's contacts with marks that nobody sees, and Google's groups", 'phone-contacts.csv', 'title=title', 'contact.last_name,contact.phone,tags',
    [{ contact: { last_name: 'Holm', phone: '+47 123 45 678' }, tags: ['myContacts', 'Fair'] }]],
])('%s', async (_program, file, maps, fields, read) => {
  shop.write('f.csv', bytesOf(file));
  const flags = [...maps.split(',').flatMap((one) => ['--map', one]), '--constant', 'status=New', '--constant', 'category=Inbound', '--concurrency', '1'];
  expect((await shop.crm(['leads', 'import', 'f.csv', ...flags])).status).toBe(0);
  expect(await newest(read.length, fields)).toEqual(read);
});

it.each([
  ['{vip,gold}', 'vip; gold', '["{vip,gold}"]'],
  ["['vip', 'gold']", 'vip; gold', `["['vip', 'gold']"]`],
  ['vip|gold', 'vip; gold', '["vip|gold"]'],
])('a list %s is refused with the two cells that are taken, and an export of the second one is unchanged', async (cell, several, one) => {
  const file = (...texts: string[]): void =>
    shop.write(
      'f.csv',
      `title,status,category,tags\n${texts.map((text, at) => `T ${at},New,Inbound,"${text.replaceAll('"', '""')}"\n`).join('')}`,
    );
  file(cell);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`between the elements (${several}), or one element as JSON: ${one}.`)]);
  file(several, one);
  expect((await shop.crm(['leads', 'import', 'f.csv', '--concurrency', '1'])).status).toBe(0);
  expect(await newest(2, 'tags')).toEqual([{ tags: ['vip', 'gold'] }, { tags: [cell] }]);
  const ids = (await newest(2, 'id')).map((record) => (record as { id: number }).id).join(',');
  await shop.crm(['leads', 'list', '--where', `id=${ids}`, '--out', 'e.csv']);
  const again = await shop.crm(['leads', 'import', 'e.csv', '--mode', 'update', '--json']);
  expect(again.json()).toMatchObject({ unchanged: 2, updated: 0 });
  expect((await shop.crm(['leads', 'import', 'e.csv', '--json', '--again', '--yes'])).json()).toMatchObject({ created: 2 });
});

it("a record that holds a program's word for a blank comes back unchanged, and no other gets one", async () => {
  for (const source of ['NULL', 'Fair'])
    await shop.crm(['leads', 'create', '--title', 'T', '--status', '1', '--category', '1', '--source', source]);
  await shop.crm(['leads', 'list', '--where', 'title=T', '--out', 'e.csv', '--fields', 'id,title,source']);
  expect((await shop.crm(['leads', 'import', 'e.csv', '--mode', 'update', '--json'])).json()).toMatchObject({ unchanged: 2 });
  shop.write('e.csv', shop.read('e.csv').replace('Fair', 'nan'));
  const { status, stderr } = await shop.crm(['leads', 'import', 'e.csv', '--mode', 'update']);
  expect([status, stderr]).toEqual([8, expect.stringContaining('"nan" is how programs write a blank cell')]);
  shop.write('e.csv', shop.read('e.csv').replace('nan', 'Fair'));
  shop.write('m.yaml', "words:\n  source:\n    nan: nan\n    'NULL': 'NULL'\n");
  shop.write('n.csv', 'title,status,category,source\nU,1,1,nan\nU,1,1,NULL\n');
  expect((await shop.crm(['leads', 'import', 'n.csv', '--mapping', 'm.yaml'])).status).toBe(0);
  expect(await newest(2, 'source')).toEqual([{ source: 'nan' }, { source: 'NULL' }]);
});
