// Reads one sheet of a workbook (xlsx, ECMA-376) into a temporary file, one row a line, so that later passes are quick. Holds only the
// shared texts in memory.

import { posix } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { unescapedCell } from '../../../base/values/text/spreadsheet.ts';
import { suggestion } from '../../../base/values/text/suggest.ts';
import { favourMemory } from '../../../reading/list/lean-memory.ts';
import { rejectColumns } from '../raw-row.ts';
import { workbookKind } from '../readers.ts';
import { replaced, type Source } from '../source.ts';
import { type Archive, openArchive } from './archive.ts';
import { type NumberLook, numberLook } from './number-format.ts';
import { type Shared, sheetRows } from './sheet.ts';
import { headerLine, lineOf, rowWidth } from './sheet-lines.ts';
import { Damaged, foreignAttribute, joinedText, readWholeXml } from './xml.ts';

/** Characters of rows in one chunk. */
const rowTextAtOnce = 1024 * 1024;

/**
 * The source with the rows of a sheet as JSON lines: first `[line, names]`, then `[line, cells]`, where `[n]` stands for n empty cells. A
 * sheet may be wide and mostly empty. `sheet`: name or number, where there are several. `headerRow`: the row with the names, from 1; by
 * default the first row with values; `tellHidden`: called with the number of hidden rows, if any. Throws UsageError for a file that is no workbook,
 * and for an unknown sheet.
 */
export async function unpackedWorkbook(
  source: Source,
  sheet: string | undefined,
  signal: AbortSignal,
  { headerRow, tellHidden }: { readonly headerRow?: number | undefined; readonly tellHidden?: (rows: number) => void } = {},
): Promise<Source> {
  if ((await workbookKind(source)) === 'old')
    throw new UsageError(`${source.name} is an old .xls file, or has a password.`, {
      hint: 'Save it as .xlsx without a password, or as CSV.',
    });
  favourMemory('young', 'old');
  try {
    const hidden = { rows: 0 };
    const unpacked = await replaced(source, sheetLines(source, sheet, signal, { headerRow, hidden }));
    if (hidden.rows > 0) tellHidden?.(hidden.rows);
    return unpacked;
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    throw new UsageError(`${source.name} can't be read as a workbook: ${error.message}.`, {
      cause: error,
      hint: 'Open it in a spreadsheet program and save it again as .xlsx, or as CSV.',
    });
  }
}

async function* sheetLines(
  source: Source,
  asked: string | undefined,
  signal: AbortSignal,
  { headerRow, hidden }: { readonly headerRow: number | undefined; readonly hidden: { rows: number } },
): AsyncGenerator<string> {
  const archive = await openArchive(source.file.fd, signal);
  const book = await bookOf(archive);
  const { path } = sheetAsked(source, book.sheets, asked);
  const { texts, styles, daysBefore } = book;
  const looks = styles === undefined || !archive.has(styles) ? [] : await numberLooks(archive, styles);
  const shared: Shared = {
    texts: texts === undefined || !archive.has(texts) ? [] : await sharedTexts(archive, texts),
    lookOf: (style) => (style === undefined ? 'plain' : (looks[Number(style)] ?? 'plain')),
    daysBefore,
  };
  let width: number | undefined;
  for await (const rows of sheetRows(archive.bytes(path, false), shared)) {
    let text = '';
    for (const row of rows) {
      if (width === undefined && headerRow !== undefined) {
        const names = row.cells.map(({ cell }) => cell);
        // Rejects have their header in the first row, whatever the mapping says.
        const isRejects = rejectColumns.every((name) => names.includes(name));
        if (row.row < headerRow && !isRejects) continue;
        if (row.row > headerRow) throw new UsageError(`--header-line: row ${headerRow} of the sheet is empty.`);
      }
      if (width !== undefined && row.isHidden) hidden.rows += 1;
      text += `${width === undefined ? headerLine(row) : lineOf(row, width)}\n`;
      width ??= rowWidth(row.cells);
      if (text.length < rowTextAtOnce) continue;
      archive.count(text.length);
      yield text;
      signal.throwIfAborted();
      text = '';
    }
    archive.count(text.length);
    yield text;
  }
}

interface Sheet {
  readonly name: string;
  readonly path: string;
}

interface Book {
  readonly sheets: readonly Sheet[];
  readonly texts: string | undefined;
  readonly styles: string | undefined;
  readonly daysBefore: number;
}

/** The days from the beginning of 1900 to the beginning of 1904, from which some workbooks count (ECMA-376, date1904). */
const daysTo1904 = 1462;

async function bookOf(archive: Archive): Promise<Book> {
  const [main] = (await partRelations(archive, '')).values().filter(({ type }) => type === 'officeDocument');
  if (main === undefined) throw new Damaged('nothing in it says where its sheets are');
  const relations = await partRelations(archive, main.path);
  const sheets: Sheet[] = [];
  let daysBefore = 0;
  await readWholeXml(archive.bytes(main.path, true), {
    open: (name, attributes) => {
      if (name === 'workbookPr' && ['1', 'true'].includes(attributes.date1904 ?? '')) daysBefore = daysTo1904;
      const relation = name === 'sheet' ? relations.get(foreignAttribute(attributes, 'id') ?? '') : undefined;
      if (relation?.type !== 'worksheet') return;
      sheets.push({ name: unescapedCell(attributes.name ?? ''), path: relation.path });
    },
  });
  const partOf = (wanted: string): string | undefined => [...relations.values()].find(({ type }) => type === wanted)?.path;
  return { sheets, texts: partOf('sharedStrings'), styles: partOf('styles'), daysBefore };
}

/** The targets of a part's relations, by id. `path`: the part, or '' for the archive itself. */
async function partRelations(archive: Archive, path: string): Promise<Map<string, { readonly type: string; readonly path: string }>> {
  const folder = posix.dirname(path);
  const relations = new Map<string, { type: string; path: string }>();
  await readWholeXml(archive.bytes(posix.join(folder, '_rels', `${posix.basename(path)}.rels`), true), {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: target });
    },
  });
  return relations;
}

function sheetAsked({ name }: Source, sheets: readonly Sheet[], asked: string | undefined): Sheet {
  const [only, ...others] = sheets;
  if (only === undefined) throw new Damaged('it has no sheet');
  const names = sheets.map((sheet) => sheet.name);
  if (asked === undefined) {
    if (others.length === 0) return only;
    throw new UsageError(`${name} has ${sheets.length} sheets; say with --sheet which one is meant.`, {
      hint: `Sheets: ${names.join(', ')}`,
    });
  }
  const found =
    sheets.find((sheet) => sheet.name.toLowerCase() === asked.toLowerCase()) ??
    (/^\d+$/.test(asked) ? sheets[Number(asked) - 1] : undefined);
  if (found !== undefined) return found;
  throw new UsageError(`--sheet: ${name} has no sheet "${asked}".${suggestion(asked, names)}`);
}

async function sharedTexts(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = [];
  let parts = '';
  let isReading = false;
  await readWholeXml(archive.bytes(path, true), {
    open: (name) => {
      if (name === 'si') parts = '';
      else if (name === 'rPh') isReading = true;
    },
    close: (name, text) => {
      if (name === 't' && !isReading) parts = joinedText(parts, text);
      else if (name === 'rPh') isReading = false;
      else if (name === 'si') {
        texts.push(unescapedCell(parts));
      }
    },
  });
  return texts;
}

async function numberLooks(archive: Archive, path: string): Promise<NumberLook[]> {
  const codes = new Map<string, string>();
  const known = new Map<string, NumberLook>();
  const lookOf = (id: string): NumberLook => {
    const look = known.get(id) ?? numberLook(codes.get(id) ?? ownFormat(Number(id)));
    known.set(id, look);
    return look;
  };
  const looks: NumberLook[] = [];
  const around: string[] = [];
  await readWholeXml(archive.bytes(path, true), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt' && around.at(-1) === 'numFmts') codes.set(numFmtId, formatCode);
      if (name === 'xf' && around.at(-1) === 'cellXfs') looks.push(lookOf(numFmtId));
      around.push(name);
    },
    close: () => void around.pop(),
  });
  return looks;
}

/** The code of a built-in format, also of East Asian programs (ECMA-376, numFmt), as far as the look depends on it. */
function ownFormat(id: number): string {
  if (id === 9 || id === 10) return '0%';
  if (id === 46) return '[h]';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49) ? 'd' : 'General';
}
