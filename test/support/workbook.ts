// Workbooks for tests: makes them of hand-typed parts, and reads the parts and rows of a workbook.

import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { unnamedBytes } from '../../src/base/files/unnamed-file.ts';
import { BadCell } from '../../src/import/files/raw-row.ts';
import { readRows } from '../../src/import/files/readers.ts';
import { unpackedWorkbook } from '../../src/import/files/xlsx/workbook.ts';

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (all: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;

/** A zip file of some parts. */
export function zipped(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** The parts of a zip file as texts. */
export async function unzipped(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes));
  const parts: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) parts[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  return parts;
}

export interface TypedBook {
  /** The content of `sheetData`, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The content of `sst`. */
  readonly texts?: string;
  /** The content of `styleSheet`. */
  readonly styles?: string;
  /** The content of `workbook` before the sheets. */
  readonly before?: string;
  /** Further parts, by path; a part of the same path replaces the usual one. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
}

/** The parts of a workbook whose sheets were typed by hand. */
export function typedParts({ sheets, texts, styles, before = '', parts = {} }: TypedBook): Record<string, string | Uint8Array> {
  const names = Object.keys(sheets);
  const sheet = (name: string, index: number): string => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`;
  return {
    '_rels/.rels': relationships([relation('w', 'officeDocument', 'xl/workbook.xml')]),
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`)),
      relation('t', 'sharedStrings', 'sharedStrings.xml'),
      relation('y', 'styles', '/xl/styles.xml'),
    ]),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}">${before}<sheets>${names.map(sheet).join('')}</sheets></workbook>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<?xml version="1.0"?><worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...(texts === undefined ? {} : { 'xl/sharedStrings.xml': `<sst ${main}>${texts}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet ${main}>${styles}</styleSheet>` }),
    ...parts,
  };
}

/** A workbook whose sheets were typed by hand. */
export const typedBook = (book: TypedBook): Promise<Buffer> => zipped(typedParts(book));

/** The header and rows of a workbook, which is first written to a folder. A wrong cell or row is `!` and the problem. */
export async function rowsOfWorkbook(folder: string, bytes: Uint8Array, sheet?: string): Promise<unknown[]> {
  writeFileSync(join(folder, 'book.xlsx'), bytes);
  const file = await open(join(folder, 'book.xlsx'));
  const close = (): Promise<void> => file.close();
  const opened = { name: 'book.xlsx', path: undefined, file, bytes: () => unnamedBytes(file), checkUnchanged: async () => {}, close };
  const source = await unpackedWorkbook(opened, sheet, new AbortController().signal).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  try {
    const rows = (await Array.fromAsync(readRows(source.bytes, { format: 'xlsx', csvRaw: false }))).flat();
    return rows.map((row) => {
      if ('header' in row) return [row.line, ...row.asInFile];
      if ('problem' in row) return [row.line, `!${row.problem}`];
      return [row.line, ...row.values.map((value) => (value instanceof BadCell ? `!${value.problem}` : value))];
    });
  } finally {
    await source.close();
  }
}
