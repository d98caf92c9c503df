// Files as other programs write them (real-life/), with the mapping that --save-mapping writes: it works without an edit, or the message names
// the places to fill in. Filled in, what stands in the CRM is what a person sees in the sheet.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from './support.ts';

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop({ demo: true });
});
afterAll(() => shop.remove());

/** A file, the flags that its message names, what a person fills in, and the records then. */
interface Kind {
  readonly file: string;
  readonly flags?: readonly string[];
  readonly filled?: Readonly<Record<string, string>>;
  readonly fields: string;
  readonly read: readonly object[];
}

const needed = { title: 'Fair', status: 'New', category: 'Inbound' };

// biome-ignore format: a table
const kinds: Readonly<Record<string, Kind>> = {
  "LinkedIn's connections": {
    file: 'linkedin-connections.csv', flags: ['--header-line', '4'], filled: { ...needed, URL: 'website', 'Connected On': 'last-contacted' },
    fields: 'contact.first_name,contact.last_name,contact.email,contact.job_position,last_contacted',
    read: [{ contact: { first_name: 'Ida', last_name: 'Holm', email: 'ida@holm.example', job_position: 'Owner' }, last_contacted: '2026-03-05' },
      { contact: { first_name: 'Ole', last_name: 'Vik, MBA', email: null, job_position: 'Buyer, Outdoor' }, last_contacted: '2025-11-17' }],
  },
  "Eventbrite's attendees": {
    file: 'eventbrite-attendees.csv', filled: { ...needed, 'Order Date': 'last-contacted', 'Cell Phone': 'phone' },
    fields: 'contact.last_name,contact.company_name,contact.phone,last_contacted',
    read: [{ contact: { last_name: 'Weiss', company_name: 'Halle Nord', phone: '+49 40 5550123' }, last_contacted: '2026-03-05' },
      { contact: { last_name: 'Núñez', company_name: null, phone: null }, last_contacted: '2026-03-15' }],
  },
  "WooCommerce's customers": {
    file: 'woocommerce-customers.csv', filled: { ...needed, 'Last Active': 'last-contacted', 'Total Spend': 'value' },
    fields: 'contact.first_name,contact.last_name,value,last_contacted,address.state,address.zip,address.country',
    read: [{ contact: { first_name: 'Ann', last_name: 'Lee' }, value: '1250.50', last_contacted: '2026-03-05', address: { state: 'MA', zip: '02134', country: 'US' } },
      { contact: { first_name: 'Bo', last_name: 'Chen' }, value: '19.90', last_contacted: '2025-11-12', address: { state: null, zip: 'LS1 4AP', country: 'GB' } }],
  },
  'a stream of jq': {
    file: 'jq-leads.ndjson', fields: 'title,value,tags,contact.phone',
    read: [{ title: 'From a pipe', value: '1500.00', tags: ['web'], contact: { phone: null } },
      { title: 'Zwei ä', value: '7.00', tags: [], contact: { phone: '+49 30 1234' } }],
  },
  "IANA's table with tabs, and quotes that are letters": {
    file: 'iana-registry.tsv', fields: 'title,contact.company_name,description',
    read: [{ title: 'Port 19', contact: { company_name: '"Quotd' }, description: 'chargen "rfc864"' },
      { title: 'Port 20', contact: { company_name: 'Start "a" Data' }, description: '5" disk' }],
  },
  'Shift-JIS, with headers in Japanese': {
    file: 'japan-shift-jis.csv', flags: ['--encoding', 'shift_jis'],
    filled: { ...needed, 会社名: 'company-name', 氏名: 'full-name', メール: 'email', 電話番号: 'phone', 郵便番号: 'zip', 住所: 'street' },
    fields: 'contact.company_name,contact.phone,address.zip,address.street',
    read: [{ contact: { company_name: 'さくら商事株式会社', phone: '03-1234-5678' }, address: { zip: '060-0001', street: '札幌市中央区北一条西' } },
      { contact: { company_name: '表ソフト㈱', phone: '0120-000-123' }, address: { zip: '1000005', street: '東京都千代田区' } }],
  },
  "MailerLite's subscribers": {
    file: 'mailerlite-subscribers.csv', filled: { ...needed, Subscriber: 'email', Name: 'first-name', Groups: 'tags', Subscribed: 'last-contacted' },
    fields: 'contact.first_name,contact.last_name,contact.email,tags,last_contacted,address.zip',
    read: [{ contact: { first_name: 'Éva', last_name: 'Nagy', email: 'eva@nagy.example' }, tags: ['Fair', 'Newsletter'], last_contacted: '2026-03-05', address: { zip: '9021' } },
      { contact: { first_name: 'Jan', last_name: 'Malý', email: 'jan@maly.example' }, tags: ['Newsletter'], last_contacted: '2026-03-06', address: { zip: '301 00' } }],
  },
  "Stripe's customers": {
    file: 'stripe-customers.csv', filled: { ...needed, 'Created (UTC)': 'last-contacted', 'Total Spend': 'value' },
    fields: 'title,contact.email,description,value,last_contacted',
    read: [{ title: 'Fair', contact: { email: 'billing@orion.example' }, description: null, value: '1250.00', last_contacted: '2026-03-05' },
      { title: 'Fair', contact: { email: 'ap@kestrel.example' }, description: 'Paid by transfer, net 30', value: '0.00', last_contacted: '2025-12-31' }],
  },
  'a badge scanner of a German fair': {
    file: 'badge-scanner.csv', flags: ['--encoding', 'windows-1252', '--date-order', 'dmy', '--map', 'Titel='],
    filled: { ...needed, Zeitstempel: 'last-contacted', Interesse: 'source' },
    fields: 'contact.last_name,contact.phone,last_contacted,source,description,address.zip,address.city',
    read: [{ contact: { last_name: 'Groß', phone: '+49 351 5550 12' }, last_contacted: '2026-03-05', source: 'hoch', description: 'Angebot bis "Ostern";\nRückruf',
      address: { zip: '01067', city: 'Dresden' } },
      { contact: { last_name: 'Müller', phone: '089/555 01 23' }, last_contacted: '2026-03-06', source: 'mittel', description: null, address: { zip: '80331', city: 'München' } }],
  },
  "Thunderbird's address book": {
    file: 'thunderbird-address-book.csv', filled: { ...needed, 'Work Address': 'street', 'Work City': 'city', 'Work ZipCode': 'zip', 'Web Page 1': 'website' },
    fields: 'contact.first_name,contact.email,contact.phone,contact.website,address.street,address.zip,description',
    read: [{ contact: { first_name: 'Zoë', email: 'zoe@berg.example', phone: '+31 20 555 0123', website: 'https://berg.example' },
      address: { street: 'Prinsengracht 5', zip: '1015 DK' }, description: 'Met at the fair\nlikes tea' }],
  },
  "ActiveCampaign's contacts": {
    file: 'activecampaign-contacts.csv', filled: { ...needed, 'Customer Account': 'company-name' },
    fields: 'contact.last_name,contact.company_name,contact.phone,tags',
    read: [{ contact: { last_name: 'Sand', company_name: 'Garage Nord AB', phone: '+46701234567' }, tags: ['hot', 'trade fair'] },
      { contact: { last_name: "O'Neil", company_name: 'Harbor & Sons', phone: '(206) 555-0142' }, tags: [] }],
  },
  "Calendly's events": {
    file: 'calendly-events.csv', filled: { status: 'New', category: 'Inbound', title: 'Fair', 'Start Date & Time': 'last-contacted', 'Response 1': 'company-name' },
    fields: 'contact.first_name,contact.last_name,contact.company_name,contact.phone,last_contacted',
    read: [{ contact: { first_name: 'Radu', last_name: 'Ionescu', company_name: 'Carpat Logistic', phone: '+40 264 555 018' }, last_contacted: '2026-03-05' }],
  },
  "Google's forms": {
    file: 'google-forms.csv', flags: ['--date-order', 'ymd'], filled: { ...needed, Timestamp: 'last-contacted', 'What are you looking for?': 'description' },
    fields: 'contact.last_name,contact.phone,last_contacted,description',
    read: [{ contact: { last_name: 'Lund', phone: '+45 33 55 01 23' }, last_contacted: '2026-03-05', description: 'A new shelf system, "soon"' }],
  },
  'Numbers of a Mac, with blanks between thousands': {
    file: 'apple-numbers.csv', filled: { 'decimal-mark': 'comma' }, fields: 'title,value,address.zip',
    read: [{ title: 'Café Sonne', value: '1250.50', address: { zip: '01067' } }, { title: 'Hof Süd', value: '7.00', address: { zip: '9021' } }],
  },
  'a workbook with formats of phones and postal codes': {
    file: 'phone-formats.xlsx', fields: 'contact.phone,address.zip',
    read: [{ contact: { phone: '+49301234567' }, address: { zip: '02035' } }, { contact: { phone: '06 12 34 56 78' }, address: { zip: '75001' } },
      { contact: { phone: '(03) 1234-5678' }, address: { zip: '00530' } }, { contact: { phone: '445550102' }, address: { zip: '09021' } }],
  },
  "Shopify's customers": {
    file: 'shopify-customers.csv', filled: needed, fields: 'contact.phone,contact.company_name,address.zip',
    read: [{ contact: { phone: '+4670000123', company_name: 'Holm Keramik' }, address: { zip: '02035' } }, { contact: { phone: '0150 22', company_name: 'Vik Sport' }, address: { zip: '0171' } }],
  },
  "Mailchimp's audience": {
    file: 'mailchimp-audience.csv', filled: needed, fields: 'contact.email,tags',
    read: [{ contact: { email: 'ida@holm.example' }, tags: ['vip', 'trade fair'] }, { contact: { email: 'ole@vik.example' }, tags: ['vip, gold', 'b'] }],
  },
  "Facebook's lead ads": {
    file: 'facebook-leads.csv', filled: needed, fields: 'contact.first_name,contact.last_name,contact.phone,address.zip',
    read: [{ contact: { first_name: 'Ida', last_name: 'Holm', phone: '+4712345678' }, address: { zip: '0150' } },
      { contact: { first_name: 'Ole', last_name: 'Vik', phone: '+4787654321' }, address: { zip: '5003' } }],
  },
  "Google's contacts": {
    file: 'google-contacts.csv', filled: needed, fields: 'contact.last_name,contact.phone,contact.company_name,tags',
    read: [{ contact: { last_name: 'Van der Berg', phone: '+31 6 12345678', company_name: 'Berg & Co' }, tags: ['Fair', '* myContacts'] },
      { contact: { last_name: 'Wei 魏', phone: '0171/555 12', company_name: null }, tags: ['* myContacts'] }],
  },
  "Outlook's contacts": {
    file: 'outlook-contacts.csv', flags: ['--map', 'Title='], filled: { ...needed, Categories: "''" }, fields: 'title,contact.last_name,contact.email,contact.phone',
    read: [{ title: 'Fair', contact: { last_name: 'Brandt', email: 'ilse@brandt.example', phone: '+49 40 5550123' } }],
  },
  "Zoho's leads": {
    file: 'zoho-leads.csv', flags: ['--map', 'Title=job-position'], filled: { title: 'Fair', category: 'Inbound', 'Attempted to Contact': 'Contacted' },
    fields: 'title,status.title,assigned.name,tags,contact.job_position',
    read: [{ title: 'Fair', status: { title: 'Contacted' }, assigned: [{ name: 'Priya Raman' }], tags: ['fair', 'lab'], contact: { job_position: 'Lab Manager' } }],
  },
  "Pipedrive's deals": {
    file: 'pipedrive-deals.csv', filled: { category: 'Inbound', 'Negotiations Started': 'Negotiation' }, fields: 'title,value,status.title,contact.last_name,last_contacted',
    read: [{ title: 'Solar roof, hall 3', value: '48000.50', status: { title: 'Negotiation' }, contact: { last_name: 'Weiss' }, last_contacted: '2026-10-02' }],
  },
  "HubSpot's contacts": {
    file: 'hubspot-contacts.csv', filled: { title: 'Fair', category: 'Inbound', 'Maya Chen (maya@crm.example)': 'Maya Lindqvist', Open: 'New', '': 'Contacted' },
    fields: 'contact.last_name,contact.company_name,status.title,assigned.name',
    read: [{ contact: { last_name: 'Shah', company_name: 'Kestrel Aviation Services' }, status: { title: 'New' }, assigned: [{ name: 'Maya Lindqvist' }] },
      { contact: { last_name: "O'Neil", company_name: 'Verano Hotels' }, status: { title: 'Contacted' }, assigned: [] }],
  },
  "Salesforce's leads": {
    file: 'salesforce-leads.csv', flags: ['--date-order', 'mdy', '--map', 'Title=job-position'],
    filled: { title: 'Fair', category: 'Inbound', 'Working - Contacted': 'Contacted', 'Open - Not Contacted': 'New', 'Admin User': 'Tom Okafor', 'Last Activity': 'last-contacted' },
    fields: 'title,status.title,contact.company_name,contact.job_position,last_contacted,address.street',
    read: [{ title: 'Fair', status: { title: 'Contacted' }, contact: { company_name: 'Aethna Home Products', job_position: 'Director, Warehouse Mgmt' }, last_contacted: '2026-06-04',
      address: { street: '123 Main Street\nSuite 4' } },
      { title: 'Fair', status: { title: 'New' }, contact: { company_name: 'Farmers Coop. of Florida', job_position: null }, last_contacted: null, address: { street: null } }],
  },
};

it.each(Object.entries(kinds))('%s', async (_name, { file, flags = [], filled = {}, fields, read }) => {
  const mapping = `${file}.yaml`;
  const importOf = (...words: string[]) => shop.crm(['leads', 'import', file, '--concurrency', '1', ...words]);
  shop.write(file, readFileSync(join(import.meta.dirname, 'real-life', file)));
  expect((await importOf(...flags, '--save-mapping', mapping)).status).toBe(0);
  const saved = shop.read(mapping);
  const unfilled = await importOf('--mapping', mapping, '--dry-run');
  const places = /Fill in the meaning in \S+: (.*)\.$/m.exec(unfilled.stderr)?.[1];
  const blanks = Object.keys(filled).length > 0;
  expect([unfilled.status, places]).toEqual(blanks ? [2, expect.any(String)] : [0, undefined]);
  for (const [, key = ''] of (places ?? '').matchAll(/([\w-]+|'[^']*'): …/g)) expect(saved).toMatch(blankKey(key.replaceAll("'", '')));
  const lines = Object.entries(filled).reduce((text, [key, to]) => text.replace(blankKey(key), (blank) => `${blank} ${to}`), saved);
  shop.write(mapping, `${lines}${/^columns:/m.test(saved) ? 'others: leave-out\n' : ''}`);
  const dry = await importOf('--mapping', mapping, '--dry-run');
  expect([dry.status, dry.stderr]).toEqual([0, expect.not.stringContaining('Fill in')]);
  expect((await importOf('--mapping', mapping)).status).toBe(0);
  const { stdout } = await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'created', '--order', 'asc', '--fields', fields]);
  expect((JSON.parse(stdout) as unknown[]).slice(-read.length)).toEqual(read);
});

/** The line of a key without a value. */
const blankKey = (key: string): RegExp => new RegExp(`^ *(?:${key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}|"${key}"):$`, 'm');
