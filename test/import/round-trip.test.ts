// What `list` wrote, `import` finds unchanged: for every family and format, with texts that spreadsheets and parsers trip
// over. And created from that elsewhere, the records are the same.

import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/model/resources/index.ts';
import { openWorkshop, type Workshop } from './support.ts';

// biome-ignore format: a table
const texts = [
  '=1+1', '+44 20 7946 0000', '-5', '-5.00', '@cmd', "'=already", "''''=deep", "'plain", "O'Brien", '"quoted"', 'comma, semicolon; tab\t|',
  'two\nlines', 'two\r\nlines', 'a\rb', '\ttab first', ' spaces around ', '007', '12345678901234567890.10', 'emoji 👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'é decomposed é', '＝fullwidth', '\u200Bzero width\u2028separator', 'NULL', '[]', '[{"id":1}]', '{"a":1}', '<p>html &amp; more</p>',
  '\\n backslash',
];

// biome-ignore format: a table
const creations: Record<string, (text: string, index: number) => object> = {
  contacts: (text, index) => ({ 'first-name': text, 'last-name': text, email: `c${index}@example.com`, client: 1, phone: text,
    'job-position': text }),
  proposals: (text, index) => ({ title: text, start: '2027-01-04', category: 4, body: text, ...(index % 2 ? { client: 1 } : { client: 2,
    end: '2027-02-01' }) }),
  leads: (text, index) => ({ title: text, status: 1, category: 1, value: index % 2 ? '12345678901234567890.10' : '-5.00', phone: text,
    zip: text, description: text, 'company-name': text }),
  items: (text, index) => ({ description: text, rate: '12345678901234567890.10', category: 6, 'default-tax': 2, unit: 1, notes: text,
    'estimation-notes': text, 'custom-field': `1=${text}`, ...(index % 2 ? {} : { item_custom_field_2: '007' }) }),
  notes: (text, index) => ({ title: text, description: text, visibility: index % 2 ? 'public' : 'private',
    ...(index % 3 ? { resource: 'lead:1' } : {}) }),
};

const unchanged = (total: number) => ({
  rows: Array.from({ length: total }, () => expect.objectContaining({ outcome: 'unchanged', changes: [] })),
  counts: { rows: total, would_create: 0, would_change: 0, unchanged: total, conflicts: 0, invalid: 0, unknown: 0 },
});

describe.each(resources.map(({ name }) => name))('%s', (family) => {
  let shop: Workshop;
  let total: number;

  beforeAll(async () => {
    shop = openWorkshop({ demo: true });
    for (const [index, text] of texts.entries()) {
      const { status, stderr } = await shop.crm([family, 'create', '--data', JSON.stringify(creations[family]?.(text, index)), '-q']);
      expect([text, status, stderr]).toEqual([text, 0, '']);
    }
    total = ((await shop.crm([family, 'list', '--all', '--json'])).json() as unknown[]).length;
    expect(total).toBeGreaterThan(texts.length + 10);
  });

  afterAll(() => shop.remove());

  it.each([
    ['csv', ['--csv'], []],
    ['csv', ['--csv', '--csv-raw'], ['--csv-raw']],
    ['ndjson', ['-o', 'ndjson'], []],
    ['json', ['--json'], []],
    ['xlsx', ['-o', 'xlsx'], []],
  ])('%s (%s)', async (format, listFlags, importFlags) => {
    const { stdout } = await shop.crm([family, 'list', '--all', ...listFlags]);
    shop.write(`f.${format}`, Buffer.from(stdout, format === 'xlsx' ? 'latin1' : 'utf8'));
    const words = [family, 'import', `f.${format}`, '--mode', 'update', '--match', 'id', '--json', ...importFlags];
    // What is unchanged though blank cells clear is unchanged where they do nothing.
    const clearing = await shop.crm([...words, '--dry-run', '--blank', 'clear']);
    expect([clearing.status, clearing.json()]).toEqual([0, unchanged(total)]);
    // A few rows beside many records are read one by one, and compared as records.
    const [header = '', ...lines] = stdout.split('\r\n');
    const one = lines.find((line) => line.startsWith('1,'));
    if (format !== 'csv' || one === undefined) return;
    shop.write('one.csv', `${header}\r\n${one}\r\n`);
    expect((await shop.crm([family, 'import', 'one.csv', '--mode', 'update', '--json', '--dry-run', ...importFlags])).json()).toEqual(
      unchanged(1),
    );
  });

  it('created elsewhere from the CSV, the records are the same, but for blanks at the edges of texts', async () => {
    const { stdout } = await shop.crm([family, 'list', '--all', '--csv', '--sort', 'created', '--order', 'asc']);
    const [header = [], ...rows] = parse(stdout);
    const own = rows.slice(-texts.length).map((row) => row.map((cell) => cell.replace(/^(c\d+@)/, 'copy-$1')));
    const copy = openWorkshop({ demo: true });
    try {
      copy.write('f.csv', stringify([header, ...own]));
      const { status, stderr } = await copy.crm([family, 'import', 'f.csv', '--concurrency', '1', '-q']);
      expect([status, stderr]).toEqual([0, '']);
      const fields = ['--fields', writable(family).join(','), '--all', '--json', '--sort', 'created', '--order', 'asc'];
      const [original, made] = await Promise.all(
        [shop, copy].map(async ({ crm }) => ((await crm([family, 'list', ...fields])).json() as object[]).slice(-texts.length)),
      );
      // Custom fields stand in a cell as JSON, which is taken as it is.
      const isTrimmed = (name: string, value: unknown): value is string => name !== 'value' && typeof value === 'string';
      const trimmed = JSON.parse(JSON.stringify(original), (name, value) => (isTrimmed(name, value) ? value.trim() : value));
      expect(JSON.parse(JSON.stringify(made).replaceAll('copy-c', 'c'))).toEqual(trimmed);
    } finally {
      copy.remove();
    }
  });
});

function writable(family: string): string[] {
  const fields = resources.find(({ name }) => name === family)?.fields ?? [];
  return fields.flatMap(({ read }) => (read === undefined ? [] : [read]));
}
