// Draws tables on a terminal: one line a record, as wide as the terminal, every page with the columns of the first. Dim lines below give
// the facts of the list and the hidden columns.

import { scalarText } from '../../base/values/json.ts';
import type { StandingWord } from '../../model/define.ts';
import { isLongText } from '../../model/members.ts';
import { cellValue } from '../../model/records/columns.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { standingWord } from '../../model/records/standing.ts';
import type { RecordWriter, WriterOptions } from '../formats/writer.ts';
import type { Symbols } from '../streams/symbols.ts';
import { loadTheme } from '../streams/theme.ts';
import { textReader } from '../text/html-text.ts';
import {
  cutStyled,
  isDated,
  painted,
  type StyledText,
  type StyleOptions,
  styledMember,
  styledStanding,
  unstyled,
} from '../text/styled-text.ts';
import { measureFor, type TextMeasure } from '../text/text-width.ts';
import { type ColumnNeed, gap, shareWidth, total, typicalWidth } from './column-widths.ts';

export interface TableColumn {
  readonly path: string;
  readonly name: string;
  readonly header: string;
  readonly right: boolean;
  /** The column with the titles of the records. */
  readonly isTitle: boolean;
  /** The column shows the standing of the records. */
  readonly isStanding: boolean;
  /** The path to use for records without a value at `path`. */
  readonly orElse: string | undefined;
  /** Only the first of neighbouring rows with the same value shows the value. */
  readonly once: boolean;
  /** Short texts of the column are not cut. */
  readonly isWhole: boolean;
  /** Smaller is more important. */
  readonly priority: number;
}

/** The layout that the first page decides for all pages. */
interface TableLayout {
  readonly columns: readonly TableColumn[];
  /** The width of each column; undefined if it is hidden. */
  widths: (number | undefined)[];
  /** Dates show only their age, for lack of room. */
  readonly agesOnly: boolean;
}

/** `read` turns the HTML of a long text into lines. */
interface CellOptions extends StyleOptions {
  readonly read: (text: string) => string;
}

type Cells = readonly (readonly StyledText[])[];

/** How many characters of a cell are measured: more than the widest terminal shows. */
const longestCell = 2000;

/** Writes a table that fits the terminal. `columnsOf` chooses the columns by the records of the first page. */
export function terminalTable(options: WriterOptions, columnsOf: (records: readonly unknown[]) => TableColumn[]): RecordWriter {
  const { io, flags } = options;
  let layout: TableLayout | undefined;
  const past = new Set<StandingWord>();
  return {
    page: async (records) => {
      if (records.length === 0) return;
      const theme = await loadTheme(io.stdout.color, io.stdout.depth);
      const columns = layout?.columns ?? columnsOf(records);
      const longPaths = columns.map(({ path }) => path).filter((path) => isLongText(options.shape, path));
      const longTexts = records.flatMap((record) => longPaths.map((path) => scalarText(cellValue(record, path))));
      const cellOptions: CellOptions = { ...options, theme, symbols: io.symbols, read: await textReader(longTexts) };
      let rows: Cells;
      if (layout === undefined) {
        const first = await firstLayout(records, columns, cellOptions, options);
        layout = first.layout;
        rows = [layout.columns.map(({ header }) => [{ text: header, paint: theme.aside }]), ...first.cells];
      } else {
        rows = styledCells(records, layout, cellOptions);
        layout.widths = await grown(layout, rows, options);
      }
      for (const record of records) past.add(pastOf(record, options) ?? notPast);
      await io.out(await draw(rows, layout, await measured(layout.columns, rows, options), io.stdout.columns));
    },
    end: async (facts = []) => {
      if (layout === undefined || flags.quiet) return;
      past.delete(notPast);
      const marks = [...past].map((one) => `${standingMark(one, io.symbols)} ${one.word}`);
      const legend = marks.length === 0 ? [] : [marks.join(', ')];
      await io.out(await footer([...facts, ...legend, ...hiddenColumns(layout, options)], options));
    },
  };
}

const notPast: StandingWord = { word: '' };

/** The standing of a record that is over, such as a converted or archived lead. Undefined for any other record. */
function pastOf(record: unknown, { shape: { standing } }: Pick<WriterOptions, 'shape'>): StandingWord | undefined {
  const found = standing === undefined ? undefined : standingWord(standing, record);
  return found?.path === undefined ? undefined : found;
}

const standingMark = ({ meaning }: StandingWord, { done, past }: Symbols): string => (meaning === 'good' ? done : past);

const measured = (columns: readonly TableColumn[], cells: Cells, { io }: WriterOptions): Promise<TextMeasure> =>
  measureFor([...columns.map(({ header }) => header), ...cells.flatMap((row) => row.map(unstyled))], io.symbols);

/** The cells of records. A record that is over is dimmed, with a mark before its title. */
export function styledCells(
  records: readonly unknown[],
  { columns, agesOnly }: Pick<TableLayout, 'columns' | 'agesOnly'>,
  options: CellOptions,
): Cells {
  const stylers = columns.map((column) => styledCell(column, { ...options, agesOnly }));
  return records.map((record, row) => {
    const past = pastOf(record, options);
    const before = records[row - 1];
    const isSame = ({ once, path }: TableColumn): boolean => once && row > 0 && cellValue(before, path) === cellValue(record, path);
    const cells = stylers.map((styler, at) => (columns[at] !== undefined && isSame(columns[at]) ? [] : styler(record)));
    if (past === undefined) return cells;
    const mark = { text: `${standingMark(past, options.symbols)} ` };
    return cells.map((styled, at) =>
      (columns[at]?.isTitle ? [mark, ...styled] : styled).map(({ text }) => ({ text, paint: options.theme.aside })),
    );
  });
}

function styledLine(path: string, read: CellOptions['read']): (record: unknown) => StyledText {
  return (record) => {
    const text = scalarText(cellValue(record, path));
    const lines = read(text);
    return [{ text: safeLine(lines === text ? text : lines.replaceAll(/\s+/g, ' ')) }];
  };
}

function styledCell(column: TableColumn, options: CellOptions): (record: unknown) => StyledText {
  const { path, isTitle, isStanding, orElse } = column;
  if (isStanding) return (record) => styledStanding(record, options);
  if (orElse !== undefined) {
    const [own, other] = [path, orElse].map((one) => styledCell({ ...column, path: one, orElse: undefined }, options));
    return (record) => (scalarText(cellValue(record, path)) === '' ? other : own)?.(record) ?? [];
  }
  const styled = isLongText(options.shape, path) ? styledLine(path, options.read) : styledMember(path, options);
  return (record) => {
    const parts = styled(record);
    const [only, ...others] = parts;
    if (only === undefined || others.length > 0) return parts;
    const text = (only.text.length > longestCell ? only.text.slice(0, longestCell).toWellFormed() : only.text).trim();
    const { paint = isTitle ? options.theme.title : undefined } = only;
    return [paint === undefined ? { text } : { text, paint }];
  };
}

/** Dates show day and age if no column loses room by this; otherwise only the age. */
async function firstLayout(
  records: readonly unknown[],
  columns: readonly TableColumn[],
  cellOptions: CellOptions,
  options: WriterOptions,
): Promise<{ readonly layout: TableLayout; readonly cells: Cells }> {
  const { columns: available } = options.io.stdout;
  const layoutWith = async (agesOnly: boolean) => {
    const cells = styledCells(records, { columns, agesOnly }, cellOptions);
    const needs = columnNeedsOf(columns, cells, await measured(columns, cells, options), options);
    const layout = { columns, agesOnly, widths: shareWidth(needs, available, isChosen(options)) };
    return { layout, cells, isRoomy: total(needs.map(({ typical }) => typical)) <= available };
  };
  const roomy = await layoutWith(false);
  const hasDates = columns.some(({ path }) => isDated(path, options.shape));
  return roomy.isRoomy || !hasDates ? roomy : layoutWith(true);
}

const isChosen = ({ flags }: WriterOptions): boolean => flags.fields !== undefined;

function columnNeedsOf(
  columns: readonly TableColumn[],
  cells: Cells,
  measure: TextMeasure,
  { shape, askedFor = [] }: WriterOptions,
): ColumnNeed[] {
  return columns.map(({ header, right, isWhole, isTitle, path, priority }, index) => {
    const texts = cells.map((row) => unstyled(row[index] ?? []));
    const widths = texts.map(measure.width);
    const natural = Math.max(measure.width(header), ...widths);
    const isKnown = askedFor.some((one) => path === one || path.startsWith(`${one}.`)) && new Set(texts).size === 1;
    const isIdle = isKnown || texts.every((text) => text === '');
    return {
      natural,
      typical: right || isDated(path, shape) ? natural : Math.max(measure.width(header), typicalWidth(widths)),
      rigid: right,
      isWhole,
      isTitle,
      isIdle,
      priority: isIdle ? columns.length + priority : priority,
    };
  });
}

/** Cut, longer ids and amounts would read as other values. */
async function grown({ columns, widths }: TableLayout, cells: Cells, options: WriterOptions): Promise<(number | undefined)[]> {
  const { columns: available } = options.io.stdout;
  const naturals = columnNeedsOf(columns, cells, await measured(columns, cells, options), options).map(({ natural }) => natural);
  const wanted = widths.map((width, index) =>
    width !== undefined && columns[index]?.right ? Math.max(width, naturals[index] ?? 0) : width,
  );
  if (wanted.every((width, index) => width === widths[index])) return widths;
  const shown = [...wanted.entries()].flatMap(([index, width]) => (width === undefined ? [] : [{ index, width }]));
  const needs = shown.map(({ index, width }) => {
    return { natural: width, typical: width, rigid: columns[index]?.right ?? false, priority: index };
  });
  const shared = shareWidth(needs, available, true);
  return widths.map((width, index) => shared[shown.findIndex((one) => one.index === index)] ?? width);
}

const frame = ['top', 'mid', 'bottom', 'left', 'right'].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`]);
const frameless = Object.fromEntries([...frame, 'middle'].map((part) => [part, '']));

/** Stands for one column of text while cli-table3 lays out the cells: cli-table3 measures emoji differently, and in the build not at all. */
const standIn = '\u{E000}';

async function draw(rows: Cells, layout: TableLayout, measure: TextMeasure, available: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const shown = shownColumns(layout, available);
  const table = new Table({
    chars: frameless,
    colWidths: shown.map(({ width }) => width + gap),
    colAligns: shown.map(({ right }) => (right ? 'right' : 'left')),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
  });
  const texts: string[] = [];
  const standInFor = (styled: StyledText, width: number): string => {
    const cut = cutStyled(styled, width, measure);
    const text = unstyled(cut);
    if (text === '') return '';
    texts.push(painted(cut));
    return standIn.repeat(Math.max(1, measure.width(text)));
  };
  for (const row of rows) table.push(shown.map(({ index, width }) => standInFor(row[index] ?? [], width)));
  const lines = table.toString().split('\n');
  let next = 0;
  return lines.map((line) => `${line.trimEnd().replaceAll(/\u{E000}+/gu, () => texts[next++] ?? '')}\n`).join('');
}

/** A last column that is aligned left may run to the edge. */
function shownColumns({ widths, columns }: TableLayout, available: number): { index: number; width: number; right: boolean }[] {
  const shown = [...widths.entries()].flatMap(([index, width]) =>
    width === undefined ? [] : [{ index, width, right: columns[index]?.right ?? false }],
  );
  const last = shown.at(-1);
  if (last === undefined || last.right) return shown;
  const before = total(shown.slice(0, -1).map(({ width }) => width)) + gap;
  return [...shown.slice(0, -1), { ...last, width: Math.max(last.width, available - (shown.length > 1 ? before : 0)) }];
}

/** The footer names at most this many hidden columns. */
const namedColumns = 4;

function hiddenColumns({ columns, widths }: TableLayout, options: WriterOptions): string[] {
  const names = columns.filter((_, index) => widths[index] === undefined).map(({ name }) => name);
  if (names.length === 0) return [];
  const named =
    names.length <= namedColumns
      ? names.join(', ')
      : `${names.slice(0, namedColumns - 1).join(', ')} and ${names.length - namedColumns + 1} more`;
  const isOwnChoice = isChosen(options) || options.flags.allFields === true;
  return [`Hidden: ${named} (${isOwnChoice ? 'a wider terminal, or -o csv' : '--fields, or a wider terminal'})`];
}

async function footer(facts: readonly string[], { io }: WriterOptions): Promise<string> {
  const { aside } = await loadTheme(io.stdout.color, io.stdout.depth);
  const measure = await measureFor(facts, io.symbols);
  const { columns } = io.stdout;
  const lines: string[] = [];
  for (const fact of facts) {
    const joined = `${lines.at(-1)} ${io.symbols.between} ${fact}`;
    if (lines.length > 0 && measure.width(joined) <= columns) lines.splice(-1, 1, joined);
    else lines.push(...measure.wrap(fact, columns));
  }
  return lines.map((line) => `${aside(line)}\n`).join('');
}
