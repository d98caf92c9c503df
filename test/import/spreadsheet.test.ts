// Round trips through a real spreadsheet program: what a list wrote and LibreOffice saved again is imported, and nothing changes.
// With CRM_SLOW=1: the program takes its time.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/tools.ts';
import { openWorkshop, type Workshop } from './support.ts';

/** What spreadsheets like to change. */
// biome-ignore format: a table
const texts = [
  '=1+1', '01067', '+49 30 123456', '1e5', '1/2', '2026-11-21', "'quoted", 'TRUE', ' a  b ', 'two\nlines', 'a\r\nb', '_x0041_', '👩‍👩‍👧 ＝',
];
const values = ['12345678901234567890.10', '999999999999.99', '0.10', '-5.00', '1250.00'];

const lead = (text: string, index: number): object => ({
  title: text,
  status: 1,
  category: 1,
  value: values[index % values.length],
  'last-contacted': `20${String(index).padStart(2, '0')}-02-2${index % 9}`,
  phone: text,
  zip: text,
  description: text,
});

const isSlow = process.env.CRM_SLOW === '1';

const families = ['leads', 'contacts', 'proposals', 'items', 'notes'];

describeWith(isSlow ? ['soffice'] : [], 'LibreOffice', { timeout: 300_000, skip: !isSlow }, () => {
  let shop: Workshop;
  let plain: Workshop;
  let phones: Workshop;
  const path = (name: string): string => join(shop.folder, 'saved', name);

  /** Has LibreOffice open lists, which are written to files of one format, and save them in it: all in one start, which takes its time. */
  async function save(lists: Readonly<Record<string, readonly [Workshop, ...words: string[]]>>): Promise<void> {
    const names = Object.keys(lists);
    for (const [name, [place, ...words]] of Object.entries(lists)) {
      const { status, stderr } = await place.crm([...words, '--all', '--out', join(shop.folder, name), '-q']);
      expect([status, stderr]).toEqual([0, '']);
    }
    const profile = `-env:UserInstallation=file://${join(shop.folder, 'office')}`;
    const words = ['--headless', '--convert-to', extname(names[0] ?? '').slice(1), '--outdir', path('')];
    const { status, stderr } = spawnSync('soffice', [profile, ...words, ...names.map((name) => join(shop.folder, name))]);
    expect([status, readdirSync(path(''))], String(stderr)).toEqual([0, expect.arrayContaining(names)]);
  }
  const lists = (place: Workshop, ending: string) =>
    Object.fromEntries(families.map((family) => [`${family}.${ending}`, [place, family, 'list'] as const]));
  const again = (place: Workshop, family: string, name: string, ...flags: string[]) =>
    place.crm([family, 'import', path(name), '--mode', 'update', '--json', ...flags]);
  const make = async (place: Workshop, title: string, ...flags: string[]): Promise<void> => {
    const { status } = await place.crm(['leads', 'create', '--title', title, '--status', '1', '--category', '1', '-q', ...flags]);
    expect(status).toBe(0);
  };

  const fields = 'title,value,status.id,category.id,last_contacted,description,contact.phone,address.zip';
  const oldestFirst = ['leads', 'list', '--sort', 'created', '--order', 'asc', '--fields', fields];

  beforeAll(async () => {
    [shop, plain, phones] = [openWorkshop({ demo: true }), openWorkshop({ demo: true }), openWorkshop({ demo: true })];
    for (const [index, text] of texts.entries()) {
      const made = await shop.crm(['leads', 'create', '--data', JSON.stringify(lead(text, index)), '-q']);
      expect([made.status, made.stderr]).toEqual([0, '']);
    }
    await make(plain, 'Z-1', '--zip', '01067', '--description', '- wants a demo', '--value', '1250.00');
    await make(plain, 'Z-2', '--zip', '00530', '--value', '0.10', '--last-contacted', '2026-11-21');
    await make(phones, 'Z-3', '--phone', '+493012345');
    await make(phones, 'Z-4', '--phone', '+49 30 123456');
    await save({ ...lists(shop, 'xlsx'), 'all.xlsx': [shop, ...oldestFirst], 'phones.xlsx': [phones, 'leads', 'list'] });
    await save({ ...lists(plain, 'csv'), 'phones.csv': [phones, 'leads', 'list'] });
  });
  afterAll(() => {
    for (const place of [shop, plain, phones]) place.remove();
  });

  it.each(families)('%s: every row is as it was, and nothing is sent', async (family) => {
    const { status, stderr, json } = await again(shop, family, `${family}.xlsx`, '--blank', 'clear', '-q');
    const { total, unchanged } = json() as { total: number; unchanged: number };
    expect([status, stderr, unchanged]).toEqual([0, '', total]);
    expect(total).toBeGreaterThan(20);
  });

  it('leads that are created from it elsewhere are the same, but for blanks at the edges of texts', async () => {
    const copy = openWorkshop();
    try {
      const made = await copy.crm(['leads', 'import', path('all.xlsx'), '--concurrency', '1', '-q']);
      expect([made.status, made.stderr]).toEqual([0, '']);
      const [there, here] = await Promise.all([copy, shop].map((place) => place.crm([...oldestFirst, '--all', '--json'])));
      // Within a cell LibreOffice ends lines its own way; blanks at the edges of a text are left out.
      expect(there?.json()).toEqual(JSON.parse(here?.stdout.replaceAll('\\r\\n', '\\n').replaceAll('" a  b "', '"a  b"') ?? ''));
    } finally {
      copy.remove();
    }
  });

  describe('CSV', () => {
    it.each(families)('%s: every row is as it was, and zeros are kept', async (family) => {
      const { status, stderr, json } = await again(plain, family, `${family}.csv`, '--blank', 'clear');
      const { total, unchanged } = json() as { total: number; unchanged: number };
      expect([status, unchanged]).toEqual([0, total]);
      expect(total).toBeGreaterThan(20);
      if (family === 'leads')
        expect(stderr).toMatch(
          /^address\.zip: \d values without their leading zeros \(.*\): left as they are; an export with -o xlsx keeps them\.$/m,
        );
      else expect(stderr).not.toContain('without');
    });

    // LibreOffice reads +493012345 as a number and leaves +49 30 123456 as it is. Nothing in the file tells that from a new value.
    it('a plus sign of one phone among others is lost, and that is said', async () => {
      const book = await again(phones, 'leads', 'phones.xlsx');
      expect([book.status, book.json()]).toEqual([0, expect.objectContaining({ updated: 0, failed: 0 })]);
      const { status, stderr, json } = await again(phones, 'leads', 'phones.csv', '--blank', 'clear');
      expect([status, json()]).toEqual([0, expect.objectContaining({ updated: 1, failed: 0 })]);
      expect(stderr).toContain(
        'contact.phone: 1 value without its plus sign (line 3): taken as meant, because other cells of the column have theirs; if a spreadsheet took them, export with -o xlsx.',
      );
    });
  });
});
