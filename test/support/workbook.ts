// Workbooks for tests: their parts as typed by hand, and the parts of one that was written.

import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';

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
  /** What stands in `sheetData`, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  /** What stands in `sst`. */
  readonly texts?: string;
  /** What stands in `styleSheet`. */
  readonly styles?: string;
  /** What stands in `workbook` before the sheets. */
  readonly before?: string;
  /** Parts that replace these, or stand beside them. */
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
