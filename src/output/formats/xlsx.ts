// A workbook (xlsx) with one sheet and the columns of CSV. Days are dates, and decimals that a float holds exactly are numbers. All else is
// text, never a formula. The workbook is written to a temporary file first: memory stays small, and only a complete workbook goes to
// standard output.

import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ZipFile } from 'yazl';
import { systemCode, systemReason } from '../../base/errors.ts';
import { diskFailure } from '../../base/files/disk-failure.ts';
import { openUnnamed, temporaryHint, unnamedBytes } from '../../base/files/unnamed-file.ts';
import { inThousands } from '../../base/limits.ts';
import { scalarText } from '../../base/values/json.ts';
import {
  columnLetters,
  escapedCell,
  longestCell,
  mostColumns,
  mostRows,
  serialOf,
  spreadsheetDigits,
} from '../../base/values/text/spreadsheet.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { memberNamed } from '../../model/members.ts';
import { type CellColumn, cellColumns, cellText } from '../../model/records/cells.ts';
import { cellValue, pathWords } from '../../model/records/columns.ts';
import { flatColumns } from '../fields.ts';
import type { Shape } from '../result.ts';
import { StdoutFailed } from '../streams/io.ts';
import { columnWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/** Writes a workbook at the end. The first page decides the columns. Throws StdoutFailed for more than a workbook can hold. */
export function xlsxWriter({ io, flags, shape, now }: WriterOptions): RecordWriter {
  return columnWriter({
    begin: (records) => {
      const columns = cellColumns(flatColumns(flags.fields, shape, records), shape).map((one) => columnOf(one, shape));
      if (columns.length > mostColumns) throw tooMuch(`A sheet has room for ${inThousands(mostColumns)} columns`);
      return Sheet.begin(columns, records, shape, now);
    },
    page: (records, sheet) => sheet.add(records),
    end: async (sheet) => {
      for await (const bytes of sheet.end()) await io.outBytes(bytes);
    },
    drop: async (sheet) => sheet.close(),
  });
}

interface SheetColumn extends CellColumn {
  readonly type: ValueType | undefined;
}

function columnOf({ header, path }: CellColumn, shape: Shape): SheetColumn {
  const member = memberNamed(shape, path);
  const type = member?.kind === 'value' ? member.type : undefined;
  // Ids stay text even if no family declares them.
  const own = shape.columns.find((one) => one.path === path)?.header ?? pathWords(path);
  return { header: shape.hasHeaders ? own : header, path, type: type ?? (/(^|[._])id$/.test(path) ? { kind: 'id' } : undefined) };
}

/**
 * A workbook of plain rows, of which the first is the header. Texts stay texts, numbers and truth values are cells of their own. `name`: of
 * the sheet. Throws StdoutFailed for more than a workbook can hold.
 */
export async function plainWorkbook(name: string, header: readonly string[], now: Date): Promise<PlainWorkbook> {
  const columns = header.map((one): SheetColumn => ({ header: one, path: '', type: undefined }));
  const sheet = await Sheet.begin(columns, [], { name, columns: [], record: [] }, now);
  const plainCell = (value: unknown): XlsxCell | undefined => {
    if (typeof value === 'boolean') return { style: 0, xml: ` t="b"><v>${value ? 1 : 0}</v></c>` };
    const text = scalarText(value);
    if (text === '') return undefined;
    if (text.length > longestCell) throw tooMuch(`A cell has room for ${inThousands(longestCell)} characters`);
    const decimals = typeof value === 'number' ? exactDecimals(text) : undefined;
    return decimals === undefined ? textCell(text, style.text) : { style: style.number + decimals, xml: `><v>${text}</v></c>` };
  };
  return { add: (values) => sheet.row(values.map(plainCell)), end: () => sheet.end(), drop: () => sheet.close() };
}

export interface PlainWorkbook {
  add(values: readonly unknown[]): Promise<void>;
  /** The bytes of the whole workbook. */
  end(): AsyncGenerator<Uint8Array>;
  drop(): Promise<void>;
}

/** A sheet that grows row by row, and the workbook that holds it. */
class Sheet {
  readonly #columns: readonly SheetColumn[];
  readonly #shape: Shape;
  readonly #file: FileHandle;
  readonly #rows = new PassThrough();
  readonly #done: Promise<void>;
  readonly #stop = new AbortController();
  #count = 0;
  #isOpen = true;

  private constructor(columns: readonly SheetColumn[], shape: Shape, file: FileHandle, zip: ZipFile, mtime: Date) {
    this.#columns = columns;
    this.#shape = shape;
    this.#file = file;
    zip.addReadStream(this.#rows, 'xl/worksheets/sheet1.xml', { mtime });
    zip.end();
    const append = async (chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await file.appendFile(chunk);
    };
    this.#done = pipeline(zip.outputStream, append, { signal: this.#stop.signal });
    // The next `#write` or `end` throws the error.
    this.#done.catch(() => undefined);
  }

  /** Opens a workbook. `records`: the first page, which decides the widths of the columns. */
  static async begin(columns: readonly SheetColumn[], records: readonly unknown[], shape: Shape, now: Date): Promise<Sheet> {
    const { default: yazl } = await import('yazl');
    const zip = new yazl.ZipFile();
    for (const [path, text] of partsOf(shape.name ?? 'Sheet1')) zip.addBuffer(Buffer.from(text), path, { mtime: now });
    const sheet = new Sheet(columns, shape, await openUnnamed().catch(workbookFailure), zip, now);
    const header = columns.map((one) => (one.header === '' ? 'value' : one.header));
    try {
      await sheet.#write(`${sheetHead}${widths(columns, header, records)}<sheetData>`);
      await sheet.row(header.map((name) => textCell(name, style.header)));
      return sheet;
    } catch (error) {
      await sheet.close();
      throw error;
    }
  }

  async add(records: readonly unknown[]): Promise<void> {
    for (const record of records) await this.row(this.#columns.map((column) => this.#cell(record, column)));
  }

  /** Yields the whole workbook, then closes it. */
  async *end(): AsyncGenerator<Uint8Array> {
    try {
      const last = `${columnLetters(Math.max(1, this.#columns.length))}${this.#count}`;
      // Without this, spreadsheets warn at each id and phone number: "number stored as text".
      await this.#write(
        `</sheetData><autoFilter ref="A1:${last}"/><ignoredErrors><ignoredError sqref="A1:${last}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
      );
      this.#rows.end();
      await this.#done.catch(workbookFailure);
      yield* unnamedBytes(this.#file);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stop.abort();
    await this.#done.catch(() => undefined);
    await this.#file.close();
  }

  #cell(record: unknown, { path, type }: SheetColumn): XlsxCell | undefined {
    const value = cellValue(record, path);
    const text = cellText(record, path);
    if (text === '') return undefined;
    if (text.length > longestCell) {
      const id = scalarText(cellValue(record, 'id'));
      const whose = `${path} of the ${this.#shape.singular ?? 'record'}${id === '' ? '' : ` ${id}`}`;
      throw tooMuch(`A cell has room for ${inThousands(longestCell)} characters, and ${whose} has ${inThousands(text.length)}`);
    }
    const serial = type?.kind === 'date' ? serialOf(text) : undefined;
    if (serial !== undefined) return { style: styleOfDate(serial), xml: `><v>${serial}</v></c>` };
    const isNumber = type?.kind === 'decimal' || type?.kind === 'integer' || (type === undefined && typeof value === 'number');
    const decimals = isNumber ? exactDecimals(text) : undefined;
    return decimals === undefined ? textCell(text, style.text) : { style: style.number + decimals, xml: `><v>${text}</v></c>` };
  }

  async row(cells: readonly (XlsxCell | undefined)[]): Promise<void> {
    if (this.#count === mostRows) throw tooMuch(`A sheet has room for ${inThousands(mostRows - 1)} records`);
    this.#count += 1;
    const xml = cells.map((cell, index) =>
      cell === undefined ? '' : `<c r="${columnLetters(index + 1)}${this.#count}" s="${cell.style}"${cell.xml}`,
    );
    await this.#write(`<row r="${this.#count}">${xml.join('')}</row>`);
  }

  async #write(xml: string): Promise<void> {
    if (this.#rows.write(xml)) return;
    // After a failed write to the file `drain` never comes.
    await Promise.race([once(this.#rows, 'drain'), this.#done]).catch(workbookFailure);
  }
}

interface XlsxCell {
  readonly style: number;
  /** The rest of the cell's XML after its attributes `r` and `s`. */
  readonly xml: string;
}

const textCell = (text: string, as: number): XlsxCell => ({
  style: as,
  xml: ` t="inlineStr"><is><t xml:space="preserve">${markup(escapedCell(text))}</t></is></c>`,
});

const markup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const tooMuch = (sentence: string): StdoutFailed => new StdoutFailed(`${sentence}.`, { hint: '-o csv has no such limit.' });

function workbookFailure(error: unknown): never {
  if (systemCode(error) === undefined) throw error;
  const disk = diskFailure(error);
  throw new StdoutFailed(`The workbook can't be made in ${tmpdir()} (${disk?.why ?? systemReason(error)}).`, {
    code: disk?.isFull ? 'disk_full' : undefined,
    ...(disk === undefined ? { hint: temporaryHint } : {}),
    cause: error,
  });
}

/**
 * The number of decimals, if a cell keeps the number as written. Undefined for a number that a cell would change: many digits, leading
 * zeros, -0.
 */
function exactDecimals(text: string): number | undefined {
  const [all, sign, whole = '', fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (all === undefined || digits.length > spreadsheetDigits || fraction.length > spreadsheetDigits || (sign !== '' && digits === ''))
    return undefined;
  return fraction.length;
}

/** Indexes of the formats in the workbook's styles. A number with two decimals has the style `number + 2`. */
const style = { header: 1, text: 2, date: 3, number: 4, moment: 5 + spreadsheetDigits, exactMoment: 6 + spreadsheetDigits } as const;

/** The style of a date: without a time for a whole day, with milliseconds if it has any. */
function styleOfDate(serial: number): number {
  if (Number.isInteger(serial)) return style.date;
  return Math.round(serial * 86_400_000) % 1000 === 0 ? style.moment : style.exactMoment;
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The beginning of the sheet. The pane freezes the header row. */
const sheetHead =
  `${xml}<worksheet ${main}><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** 8 to 50 characters. */
function widths(columns: readonly SheetColumn[], header: readonly string[], records: readonly unknown[]): string {
  const width = ({ path }: SheetColumn, index: number): number => {
    const lengths = records.map((record) => cellText(record, path).length);
    return Math.min(50, Math.max(8, header[index]?.length ?? 0, ...lengths) + 2);
  };
  const each = columns.map(
    (column, index) => `<col min="${index + 1}" max="${index + 1}" width="${width(column, index)}" customWidth="1"/>`,
  );
  return each.length === 0 ? '' : `<cols>${each.join('')}</cols>`;
}

function partsOf(name: string): [path: string, text: string][] {
  const part = (path: string, type: string): string => `<Override PartName="/xl/${path}" ContentType="${contentType}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const relationships = (...all: string[]): string =>
    `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
  return [
    [
      '[Content_Types].xml',
      `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Default Extension="xml" ContentType="application/xml"/>${part('workbook.xml', 'sheet.main')}` +
        `${part('worksheets/sheet1.xml', 'worksheet')}${part('styles.xml', 'styles')}</Types>`,
    ],
    ['_rels/.rels', relationships(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    ['xl/_rels/workbook.xml.rels', relationships(relation(1, 'worksheet', 'worksheets/sheet1.xml'), relation(2, 'styles', 'styles.xml'))],
    [
      'xl/workbook.xml',
      `${xml}<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="${markup(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/styles.xml', styles()],
  ];
}

function styles(): string {
  const decimals = Array.from({ length: spreadsheetDigits + 1 }, (_, index) => index);
  const first = 164;
  const format = (id: number, code: string): string => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
  const look = (id: number, font = 0): string =>
    `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font === 0 ? '' : ' applyFont="1"'}/>`;
  const font = (...more: string[]): string => `<font>${more.join('')}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
  const numbers = decimals.map((number) => (number === 0 ? '0' : `0.${'0'.repeat(number)}`));
  const codes = ['yyyy\\-mm\\-dd', ...numbers, 'yyyy\\-mm\\-dd hh:mm:ss', 'yyyy\\-mm\\-dd hh:mm:ss.000'];
  const formats = codes.map((code, index) => format(first + index, code));
  const looks = [look(0), look(textFormat, 1), look(textFormat), ...formats.map((_, index) => look(first + index))];
  return (
    `${xml}<styleSheet ${main}><numFmts count="${formats.length}">${formats.join('')}</numFmts>` +
    `<fonts count="2">${font()}${font('<b/>')}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${looks.length}">${looks.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

/** The built-in number format `@`: input into such a cell stays text, so a postal code keeps its zeros. */
const textFormat = 49;
