// Tables, one line a record. On a terminal they fit its width, page by page with the widths of the first page;
// elsewhere they are tab-separated with nothing cut, and coloured by --color always alone.

import type { Column } from '../../resources/define.ts';
import { cellValue, hasPath, leafPaths, pathWords } from '../columns.ts';
import { displayText } from '../display.ts';
import { shownPath } from '../fields.ts';
import type { RecordWriter, WriterOptions } from '../formats/writer.ts';
import type { Shape } from '../result.ts';
import { safeLine } from '../streams/safe-text.ts';
import { loadTheme, type Paint, pipedTheme, type Theme } from '../streams/theme.ts';
import { gap, shareWidth } from './column-widths.ts';
import { measureFor, type TextMeasure } from './text-width.ts';

/** A column as it is drawn. */
interface TableColumn {
  readonly path: string;
  readonly header: string;
  readonly right: boolean;
}

/** No more of a cell is measured than the widest terminal can show. */
const longestCell = 2000;

/** A table for standard output, terminal or not. `sparse`: columns that none of the first records has are left out. */
export function tableWriter(options: WriterOptions, sparse = false): RecordWriter {
  const columnsOf = (records: readonly unknown[]): TableColumn[] => tableColumns(options, records, sparse);
  return options.io.stdout.isTTY ? terminalTable(options, columnsOf) : tabSeparated(options, columnsOf);
}

function tableColumns({ flags, shape }: WriterOptions, records: readonly unknown[], sparse: boolean): TableColumn[] {
  if (flags.fields !== undefined) return flags.fields.map((path) => fieldColumn(path, shape, records));
  const own = shape.columns.filter(({ path }) => !sparse || records.some((record) => hasPath(record, path)));
  const paths = own.length > 0 ? own.map(({ path }) => path) : leafPaths(records);
  return paths.map((path) => column(path, own, records));
}

function fieldColumn(path: string, shape: Shape, records: readonly unknown[]): TableColumn {
  return column(shownPath(path, shape, records), shape.columns, records, path);
}

function column(path: string, declared: readonly Column[], records: readonly unknown[], name = path): TableColumn {
  const found = declared.find((one) => one.path === path);
  const right = found === undefined ? isNumeric(path, records) : found.align === 'right';
  return { path, header: safeLine(found?.header ?? pathWords(name)).toUpperCase(), right };
}

function isNumeric(path: string, records: readonly unknown[]): boolean {
  const values = records.map((record) => cellValue(record, path)).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number' || JSON.isRawJSON(value));
}

function tabSeparated({ io, flags }: WriterOptions, columnsOf: (records: readonly unknown[]) => TableColumn[]): RecordWriter {
  let columns: TableColumn[] | undefined;
  const begin = async (records: readonly unknown[]): Promise<TableColumn[]> => {
    const chosen = columnsOf(records);
    const theme = await pipedTheme(flags);
    if (chosen.length > 0) await io.out(`${chosen.map(({ header }) => theme.header(header)).join('\t')}\n`);
    return chosen;
  };
  return {
    page: async (records) => {
      if (records.length === 0) return;
      columns ??= await begin(records);
      const paths = columns.map(({ path }) => path);
      const theme = await pipedTheme(flags);
      const cell = (record: unknown, path: string): string => {
        const text = displayText(cellValue(record, path));
        return path === 'id' ? theme.key(text) : text;
      };
      const lines = records.map((record) => `${paths.map((path) => cell(record, path)).join('\t')}\n`);
      await io.out(lines.join(''));
    },
    end: async () => {
      columns ??= await begin([]);
    },
  };
}

/** What the first page settles for the pages after it. */
interface Layout {
  readonly columns: readonly TableColumn[];
  widths: number[];
}

function terminalTable(options: WriterOptions, columnsOf: (records: readonly unknown[]) => TableColumn[]): RecordWriter {
  const { io, flags } = options;
  let layout: Layout | undefined;
  return {
    page: async (records) => {
      if (records.length === 0) return;
      const first = layout === undefined;
      const columns = layout?.columns ?? columnsOf(records);
      const cells = records.map((record) => columns.map(({ path }) => cellText(record, path)));
      const header = columns.map((one) => one.header);
      const measure = await measureFor([...header, ...cells.flat()]);
      const naturals = columns.map((_, index) => widestCell(first ? [header, ...cells] : cells, index, measure));
      layout ??= { columns, widths: share(columns, naturals, io.stdout.columns, flags.fields !== undefined) };
      if (!first) layout.widths = grown(layout, naturals, io.stdout.columns);
      const theme = await loadTheme(io.stdout.color);
      const rows = styled(cells, columns, theme);
      if (first) rows.unshift(header.map((text) => ({ text, paint: theme.header })));
      await io.out(await draw(rows, layout, measure, io.stdout.columns));
    },
    end: async () => {},
  };
}

function cellText(record: unknown, path: string): string {
  const text = displayText(cellValue(record, path));
  return (text.length > longestCell ? text.slice(0, longestCell).toWellFormed() : text).trim();
}

function widestCell(rows: readonly (readonly string[])[], index: number, measure: TextMeasure): number {
  return rows.reduce((widest, row) => Math.max(widest, measure.width(row[index] ?? '')), 0);
}

function share(columns: readonly TableColumn[], naturals: readonly number[], available: number, chosen: boolean): number[] {
  const wishes = columns.map(({ right }, index) => ({ natural: naturals[index] ?? 0, rigid: right }));
  return shareWidth(wishes, available, chosen);
}

/** The first page's widths, widened for longer ids and amounts: cut off, they would read as other values. */
function grown({ columns, widths }: Layout, naturals: readonly number[], available: number): number[] {
  const wanted = widths.map((width, index) => (columns[index]?.right ? Math.max(width, naturals[index] ?? 0) : width));
  if (wanted.every((width, index) => width === widths[index])) return widths;
  const shared = share(columns.slice(0, wanted.length), wanted, available, true);
  return widths.map((width, index) => shared[index] ?? width);
}

interface StyledText {
  readonly text: string;
  readonly paint?: Paint;
}

function styled(cells: readonly string[][], columns: readonly TableColumn[], theme: Theme): StyledText[][] {
  return cells.map((row) => row.map((text, index) => (columns[index]?.path === 'id' ? { text, paint: theme.key } : { text })));
}

const frame = ['top', 'mid', 'bottom', 'left', 'right'].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`]);
const frameless = Object.fromEntries([...frame, 'middle'].map((part) => [part, '']));

/** Replaces each column of a cell's text while cli-table3 lays out the cells, since it measures emoji and colours differently. */
const standIn = '\u{E000}';

async function draw(rows: readonly StyledText[][], layout: Layout, measure: TextMeasure, available: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const limits = widthLimits(layout, available);
  const table = new Table({
    chars: frameless,
    colWidths: limits.map((limit) => limit + gap),
    colAligns: limits.map((_, index) => (layout.columns[index]?.right ? 'right' : 'left')),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
  });
  const texts: string[] = [];
  const standInFor = ({ text, paint }: StyledText, limit: number): string => {
    const cut = measure.cut(text, limit);
    if (cut === '') return '';
    texts.push(paint === undefined ? cut : paint(cut));
    return standIn.repeat(Math.max(1, measure.width(cut)));
  };
  for (const row of rows) table.push(limits.map((limit, index) => standInFor(row[index] ?? { text: '' }, limit)));
  const lines = table.toString().split('\n');
  let next = 0;
  return lines.map((line) => `${line.trimEnd().replaceAll(/\u{E000}+/gu, () => texts[next++] ?? '')}\n`).join('');
}

/** Each column's width; a last column that starts on the left may run to the edge. */
function widthLimits({ widths, columns }: Layout, available: number): number[] {
  const last = widths.length - 1;
  if (columns[last]?.right) return widths;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + gap, 0);
  return widths.map((width, index) => (index === last ? Math.max(width, available - before) : width));
}
