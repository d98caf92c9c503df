// Formats write a page at a time; here each is compared, to the byte, with the plain way of writing one record after the other, over
// 600 records, in CI 3,000, that hold whatever is hard to write.

import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/base/values/json.ts';
import { csvWriter } from '../../../src/output/formats/csv.ts';
import { envelopeWriter, jsonWriter, ndjsonWriter } from '../../../src/output/formats/json.ts';
import type { RecordWriter, WriterOptions } from '../../../src/output/formats/writer.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { runs } from '../../support/property-runs.ts';
import { now, shapeless } from '../samples.ts';

/** Texts as colleagues type them, as spreadsheets run them, and as attackers send them. */
const texts = [
  '',
  ' ',
  'plain',
  'Szent Anna Kórház',
  '東京支店、受付',
  '한국어',
  'a "quoted", word',
  'line\r\nbreak\nagain\r',
  '=HYPERLINK("http://x.example")',
  "'=1+1",
  '"=1+1',
  '+49 30 123',
  '-5.00',
  '-5.00;@x',
  'a;=1\n+2\t-3',
  '＝1',
  '@SUM(1)',
  'zero\u200bwidth',
  'soft\u00adhyphen',
  '\u202egnp.exe',
  '\x1b[31mred\x9b0m',
  '\ud800lone',
  `pile${'\u0301'.repeat(9)}`,
  '\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}',
  '\u2028\u2029\u0085',
  '{"a": "b"}',
  '],\n  [',
];
const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, {}, []) },
  { weight: 1, arbitrary: fc.constantFrom('12345678901234567890.10', '1.0', '1e400', '-0').map((number) => parseJson(`[${number}]`)) },
);
const custom = fc.array(fc.record({ id: fc.nat(9), name: fc.constantFrom('SKU', 'a.b', 'id'), value: scalar }), { maxLength: 3 });
const list = fc.oneof(fc.array(scalar, { maxLength: 3 }), fc.array(fc.record({ id: fc.nat(99), name: scalar }), { maxLength: 2 }));
const nested = fc.dictionary(fc.constantFrom('city', 'zip', 'deep.name', '__proto__', 'x"y'), fc.oneof(scalar, list), { maxKeys: 3 });
const record = fc.record(
  { id: fc.nat(9999), title: scalar, address: fc.oneof(nested, scalar), tags: list, custom_fields: custom, 'address.city': scalar },
  { requiredKeys: ['id'] },
);
const records = fc.sample(record, { ...runs(3000), seed: 719 }) as Record<string, unknown>[];
const pages = Array.from({ length: records.length / 100 }, (_, page) => records.slice(page * 100, page * 100 + 100));

const forms = { whole: undefined, some: ['tags', 'address.city', 'custom_fields.SKU', 'id', 'address.__proto__', 'tags.name'] };

async function written(make: (options: WriterOptions) => RecordWriter, fields: readonly string[] | undefined, csvRaw = false) {
  const io = fakeIo({});
  const writer = make({ io, shape: shapeless, now, flags: { csvRaw, ...(fields === undefined ? {} : { fields }) } });
  for (const page of pages) await writer.page(page, { data: page, message: 'OK\u202e' });
  await writer.end();
  return io.stdoutText();
}

/** What must not reach a terminal, as escapes of JSON; typed by hand after SECURITY.md. */
function harmless(json: string): string {
  const flag = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,6}\u{E007F}/u;
  const marks = String.raw`(?<=[\p{M}\u200C\u200D]{5})[\p{M}\u200C\u200D]*\p{M}`;
  const bad = String.raw`(?![\n\u200C\u200D\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Cf}\u034F\u115F\u1160\u3164\uFFA0\u2065\uFFF0-\uFFF8\u{E0000}-\u{E0FFF}]`;
  // The selectors of variants have marks' meaning, and stay.
  const all = new RegExp(`${flag.source}|${marks}|(?![\u{E0100}-\u{E01EF}])${bad}`, 'gu');
  const escaped = (text: string): string =>
    flag.test(text) ? text : text.replaceAll(/[\s\S]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return json.replaceAll(all, escaped);
}

/** The members of a record at the paths of `forms.some`, as objects of JSON. Made by the writer of one record a line. */
async function selectedRecords(fields: readonly string[] | undefined): Promise<readonly unknown[]> {
  if (fields === undefined) return records;
  const lines = (await written(ndjsonWriter, fields)).trimEnd().split('\n');
  return lines.map((line) => parseJson(line));
}

describe.each(Object.entries(forms))('nasty records, %s', (_form, fields) => {
  it('one a line', async () => {
    const all = await selectedRecords(fields);
    expect(await written(ndjsonWriter, fields)).toBe(all.map((one) => `${harmless(JSON.stringify(one))}\n`).join(''));
  });

  it('one array', async () => {
    const all = await selectedRecords(fields);
    const elements = all.map((one) => `  ${harmless(JSON.stringify(one, null, 2)).replaceAll('\n', '\n  ')}`);
    expect(await written(jsonWriter, fields)).toBe(`[\n${elements.join(',\n')}\n]\n`);
    const lines = all.map((one) => `  ${harmless(JSON.stringify(one))}`);
    expect(await written((options) => jsonWriter(options, true), fields)).toBe(`[\n${lines.join(',\n')}\n]\n`);
  });

  it('the whole answer', async () => {
    const all = await selectedRecords(fields);
    const elements = all.map((one) => `    ${harmless(JSON.stringify(one, null, 2)).replaceAll('\n', '\n    ')}`);
    const text = `{\n  "data": [\n${elements.join(',\n')}\n  ],\n  "message": "OK\\u202e"\n}\n`;
    expect(await written(envelopeWriter, fields)).toBe(text);
  });

  it.each([false, true])('CSV, raw: %s', async (raw) => {
    const text = await written(csvWriter, fields, raw);
    const [header = ''] = text.split('\r\n', 1);
    const paths = header.split(',').map((name) => name.replaceAll(/^"|"$/g, '').replaceAll('""', '"'));
    const rows = records.map((one) => paths.map((path) => cellByHand(one, path)));
    const cells = raw ? rows : rows.map((row) => row.map(guardedByHand));
    const options = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } as const;
    expect(text).toBe(`${header}\r\n${stringify(cells, options)}`);
  });
});

/** The text of a cell: the plain way, a path walked member by member. */
function cellByHand(one: unknown, path: string): string {
  const value = valueByHand(one, path);
  if (!Array.isArray(value)) return textByHand(value);
  const isScalar = (element: unknown): boolean => typeof element !== 'object' || JSON.isRawJSON(element);
  const plain = value.every((element) => {
    const text = textByHand(element);
    const separates = [';', ',', '|', '\r', '\n'].some((one) => text.includes(one));
    return isScalar(element) && text !== '' && !separates && !/^[[{"]/.test(text) && !text.includes(' ::: ') && text.trim() === text;
  });
  return plain ? value.map(textByHand).join('; ') : JSON.stringify(value);
}

function textByHand(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (JSON.isRawJSON(value)) return JSON.stringify(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function valueByHand(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const named = value as { name?: unknown; value?: unknown }[];
    const isNamed = named.length > 0 && named.every((one) => typeof one?.name === 'string' && Object.hasOwn(one, 'value'));
    const head = path.split('.')[0] ?? path;
    const isName = isNamed && named.every((one) => !Object.hasOwn(one, path) && !Object.hasOwn(one, head));
    return isName ? named.find(({ name }) => name === path)?.value : value.map((element) => valueByHand(element, path));
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return undefined;
  const members = value as Record<string, unknown>;
  if (Object.hasOwn(members, path)) return members[path];
  const dot = path.indexOf('.');
  const head = path.slice(0, dot);
  return dot > 0 && Object.hasOwn(members, head) ? valueByHand(members[head], path.slice(dot + 1)) : undefined;
}

/** An apostrophe wherever a spreadsheet may see a formula begin, unless digits and signs alone follow. */
function guardedByHand(cell: string): string {
  const begins = (at: number, others: string): boolean => new RegExp(`^["']*[=+\\-@${others}＝＋－＠]`).test(cell.slice(at));
  const harmlessFrom = (at: number): boolean => /^[\d\u0020\u00a0()+\-./]*$/.test(cell.slice(at));
  const place = (at: number): boolean => (at === 0 ? begins(0, '\t\r\n') : ';\t\r\n'.includes(cell[at - 1] ?? '') && begins(at, ''));
  return [...Array(cell.length).keys()].map((at) => `${place(at) && !harmlessFrom(at) ? "'" : ''}${cell[at]}`).join('');
}
