// The files of a working week, as Excel and HubSpot write them: each imported with one mapping file, which the program itself wrote and a
// person only filled in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typedBook } from '../../support/workbook.ts';
import { openWorkshop, type Workshop } from '../support.ts';

let shop: Workshop;

beforeEach(() => {
  shop = openWorkshop({ demo: true });
});

afterEach(() => shop.remove());

/** Has a mapping written, fills in what was left open, and imports the file with it. */
async function filledIn(file: string, flags: readonly string[], answers: Readonly<Record<string, string>>) {
  const saved = await shop.crm(['leads', 'import', file, ...flags, '--save-mapping', 'own.yaml']);
  expect(saved.status, saved.stderr).toBe(0);
  let text = shop.read('own.yaml');
  const open = [...text.matchAll(/^ *([^#\n]+):$/gm)].map(([, name = '']) => name.replaceAll('"', ''));
  expect(open.filter((name) => !/^(columns|constants|words|status)$/.test(name)).toSorted()).toEqual(Object.keys(answers).toSorted());
  for (const [name, answer] of Object.entries(answers)) text = text.replace(new RegExp(`^( *"?${name}"?):$`, 'm'), `$1: ${answer}`);
  shop.write('own.yaml', text);
  return shop.crm(['leads', 'import', file, '--mapping', 'own.yaml', '--json', '--concurrency', '8']);
}

const where = async (condition: string, fields: string): Promise<unknown[]> =>
  JSON.parse((await shop.crm(['leads', 'list', '--where', condition, '--json', '-q', '--fields', fields])).stdout);

const phases = ['Neu', 'Gespräch geführt', 'Angebot', 'Verhandlung'];
const places = ['Köln', 'Düsseldorf', 'Frankfurt/Main', 'Gießen'];

/** 3,000 rows as Excel in German saves them as "CSV": Windows-1252, semicolons, CRLF, line breaks in cells as line feeds. */
function germanRows(): { readonly text: string; readonly cents: bigint } {
  let cents = 0n;
  const rows = Array.from({ length: 3000 }, (_, index) => {
    const value = (index * 7919) % 9_000_000;
    cents += BigInt(value);
    const euros = String(Math.floor(value / 100)).replaceAll(/\B(?=(\d{3})+$)/g, '.');
    const day = `${String((index % 28) + 1).padStart(2, '0')}.${String((index % 12) + 1).padStart(2, '0')}.2025`;
    return [
      `Lagerverwaltung ${index + 1} – Phase II`,
      `"Müller & Söhne ""${index + 1}"" GmbH"`,
      'Jörg',
      index % 3 === 0 ? 'Groß' : 'D’Angelo',
      `j.${index + 1}@söhne.example`,
      `+49 (0)30 / ${String(1_000_000 + index)}`,
      `${euros},${String(value % 100).padStart(2, '0')} €`,
      day,
      phases[index % phases.length],
      String(1067 + index).padStart(5, '0'),
      places[index % places.length],
      index % 10 === 0 ? '"Ruft zurück;\nam liebsten vormittags"' : '',
    ].join(';');
  });
  const header = 'Betreff;Firma;Vorname;Nachname;E-Mail;Telefon;Auftragswert;Letzter Kontakt;Phase;PLZ;Ort;Bemerkung';
  return { text: `${[header, ...rows].join('\r\n')}\r\n`, cents };
}

const windows1252 = (text: string): Buffer =>
  Buffer.from(text.replaceAll('–', '\x96').replaceAll('€', '\x80').replaceAll('’', '\x92'), 'latin1');

it('3,000 rows of Excel in German', { timeout: 120_000 }, async () => {
  const { text, cents } = germanRows();
  shop.write('kunden.csv', windows1252(text));
  const { status, stderr, json } = await filledIn('kunden.csv', ['--encoding', 'windows-1252'], {
    'decimal-mark': 'comma',
    'date-order': 'dmy',
    category: 'Inbound',
    Neu: 'New',
    'Gespräch geführt': 'Contacted',
    Angebot: 'Proposal Sent',
    Verhandlung: 'Negotiation',
  });
  expect([status, json()]).toMatchObject([0, { total: 3000, created: 3000, failed: 0 }]);
  expect(stderr).toContain('The column Auftragswert is in EUR, which is not sent');
  const fields = 'contact,address.zip,address.city,value,last_contacted,status.title,description';
  expect(await where('title=Lagerverwaltung 1231 – Phase II', fields)).toEqual([
    {
      contact: {
        first_name: 'Jörg',
        last_name: 'Groß',
        email: 'j.1231@söhne.example',
        phone: '+49 (0)30 / 1001230',
        job_position: null,
        company_name: 'Müller & Söhne "1231" GmbH',
        website: null,
      },
      address: { zip: '02297', city: 'Frankfurt/Main' },
      // 1230 * 7919 cents modulo 90,000.00
      value: '7403.70',
      last_contacted: '2025-07-27',
      status: { title: 'Proposal Sent' },
      description: 'Ruft zurück;\nam liebsten vormittags',
    },
  ]);
  const values = (await where('title~Lagerverwaltung', 'value')) as { value: string }[];
  expect(values.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)).toBe(cents);
});

/** A cell of a workbook as HubSpot writes it: texts in the cell, numbers and dates as numbers. */
const cell = (value: string | number, style = 0): string =>
  typeof value === 'number' ? `<c s="${style}"><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;

it("HubSpot's export of deals as a workbook", async () => {
  const styles = '<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>';
  const header = ['Record ID', 'Deal Name', 'Deal Stage', 'Amount', 'Close Date', 'Deal owner', 'Associated Company', 'Last Contacted'];
  const rows = [
    row(...header.map((name) => cell(name))),
    row(
      ...[cell(9123456789), cell('Depot &amp; yard'), cell('Contract Sent'), cell(12500.5), cell(46000.5, 1)],
      ...[cell('Priya Raman'), cell('Kestrel Aviation Services'), cell(45980.25, 1)],
    ),
    row(
      ...[
        cell(9123456790),
        cell('Reading pilot'),
        cell('Appointment Scheduled'),
        cell(''),
        cell(''),
        cell(''),
        cell('Verano Hotels'),
        cell(''),
      ],
    ),
  ];
  shop.write('hubspot-crm-exports-all-deals.xlsx', await typedBook({ sheets: { 'all-deals': rows.join('') }, styles }));
  const { status, stderr, json } = await filledIn('hubspot-crm-exports-all-deals.xlsx', ['--constant', 'category=Inbound'], {
    'Record ID': "''",
    'Close Date': "''",
    'Contract Sent': 'Negotiation',
    'Appointment Scheduled': 'Contacted',
  });
  expect([status, stderr, json()]).toMatchObject([0, expect.stringMatching(/^Undo: crm undo \w{4}\n$/), { total: 2, created: 2 }]);
  const fields = 'title,status.title,value,last_contacted,contact.company_name,assigned.name';
  const made = [...(await where('title=Depot & yard', fields)), ...(await where('title=Reading pilot', fields))];
  expect(made).toEqual([
    {
      title: 'Depot & yard',
      status: { title: 'Negotiation' },
      value: '12500.50',
      last_contacted: '2025-11-19',
      contact: { company_name: 'Kestrel Aviation Services' },
      assigned: [{ name: 'Priya Raman' }],
    },
    {
      title: 'Reading pilot',
      status: { title: 'Contacted' },
      value: null,
      last_contacted: null,
      contact: { company_name: 'Verano Hotels' },
      assigned: [],
    },
  ]);
});

it('a mapping that was written is only refused for what is open in it', async () => {
  shop.write('f.csv', readFileSync(join(import.meta.dirname, 'excel-de.csv')));
  await shop.crm(['leads', 'import', 'f.csv', '--save-mapping', 'own.yaml', '-q']);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mapping', 'own.yaml']);
  expect(status).toBe(2);
  expect(stderr).not.toMatch(/Firma|E-Mail|Telefon/);
  expect(stderr).toContain('say with --decimal-mark comma or point');
});
