// A page of HTML that stands by itself: a table, a record, or a report with its chart. Nothing in the page is fetched or run.

import { inGroups } from '../../base/values/decimal.ts';
import { scalarText } from '../../base/values/json.ts';
import { dayAt } from '../../base/values/time/days.ts';
import { isLongText } from '../../model/members.ts';
import { allPaths, cellValue, pathWords } from '../../model/records/columns.ts';
import { chartSvg } from '../charts.ts';
import { loadTheme } from '../streams/theme.ts';
import { tableColumns } from '../tables/table.ts';
import { styledCells, type TableColumn } from '../tables/terminal-table.ts';
import { textReader } from '../text/html-text.ts';
import { escapeHtml, linked } from '../text/markup.ts';
import { unstyled } from '../text/styled-text.ts';
import { columnWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/** The page around the records. */
interface HtmlOptions extends WriterOptions {
  /** The profile, or the address of the service, for the foot of the page. */
  readonly place?: string | undefined;
}

/** Writes a page with a table, page by page of the records. The first page decides the columns. */
export function htmlWriter(options: HtmlOptions, sparse: boolean): RecordWriter {
  const { io, shape, chart } = options;
  const title = shape.name ?? 'crm';
  return columnWriter({
    begin: async (records) => {
      const columns = tableColumns(onScreen(options), records, sparse).map((column) => ({ ...column, once: false }));
      const heads = columns.map(({ name, right }) => `<th scope="col" dir="auto"${right ? numeric : ''}>${escapeHtml(name)}</th>`);
      const drawn = chart === undefined ? '' : chartSvg(chart);
      await io.out(`${pageHead(title, columns.length)}${drawn}<table>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n`);
      return columns;
    },
    page: async (records, columns) => {
      const texts = await cellTexts(records, columns, options);
      const lines = texts.map((cells, row) => {
        const isTotal = chart !== undefined && row === texts.length - 1;
        return `<tr${isTotal ? ' class="total"' : ''}>${cells.map((text, at) => tableCell(text, columns[at]?.right === true)).join('')}</tr>\n`;
      });
      await io.out(lines.join(''));
    },
    end: (_columns, isEmpty) => {
      const notes = isEmpty ? ['Nothing was found.'] : (chart?.notes ?? []);
      const paragraphs = notes.map((note) => `<p>${escapeHtml(note)}</p>\n`);
      return io.out(`</tbody>\n</table>\n${paragraphs.join('')}${pageFoot(title, options)}`);
    },
  });
}

/** A page of one record: a row for each member that is not empty. */
export async function htmlPage(record: unknown, options: HtmlOptions): Promise<string> {
  const { shape, flags } = options;
  const paths = flags.fields ?? allPaths(shape.record, [record]);
  const columns = paths.map((path): TableColumn => ({ ...plainColumn, path }));
  const [texts = []] = await cellTexts([record], columns, options);
  const rows = paths.flatMap((path, at) => {
    const text = texts[at] ?? '';
    const isShown = text !== '' || flags.fields !== undefined || flags.allFields === true;
    return isShown ? [`<tr><th scope="row" dir="auto">${escapeHtml(pathWords(path))}</th>${tableCell(text, false)}</tr>\n`] : [];
  });
  const own = shape.title === undefined ? '' : scalarText(cellValue(record, shape.title));
  const id = scalarText(cellValue(record, 'id'));
  const title = own || [shape.singular ?? 'record', id].join(' ').trim();
  return `${pageHead(title, 2)}<table>\n<tbody>\n${rows.join('')}</tbody>\n</table>\n${pageFoot(title, options)}`;
}

const plainColumn: Omit<TableColumn, 'path'> = {
  name: '',
  header: '',
  right: false,
  isTitle: false,
  isStanding: false,
  orElse: undefined,
  once: false,
  isWhole: false,
  priority: 0,
};

/** Values look as on a terminal: its columns, days and numbers. */
const onScreen = (options: HtmlOptions): HtmlOptions => ({
  ...options,
  io: { ...options.io, stdout: { ...options.io.stdout, isTTY: true } },
});

/** The texts of the cells. Long texts keep their lines, and HTML in them becomes text. */
async function cellTexts(records: readonly unknown[], columns: readonly TableColumn[], options: HtmlOptions): Promise<string[][]> {
  const { shape, io } = options;
  const long = columns.map(({ path }) => isLongText(shape, path));
  const longText = (record: unknown, at: number): string => scalarText(cellValue(record, columns[at]?.path ?? ''));
  const read = await textReader(records.flatMap((record) => columns.flatMap((_, at) => (long[at] ? [longText(record, at)] : []))));
  const theme = await loadTheme(false);
  const cells = styledCells(records, { columns, agesOnly: false }, { ...onScreen(options), theme, symbols: io.symbols, read });
  return cells.map((row, index) =>
    row.map((styled, at) => {
      if (long[at]) return read(longText(records[index], at)).trim();
      const text = unstyled(styled);
      return shape.hasHeaders === true && columns[at]?.right === true ? inGroups(text) : text;
    }),
  );
}

const numeric = ' class="number"';

const tableCell = (text: string, right: boolean): string => `<td dir="auto"${right ? numeric : ''}>${linked(text)}</td>`;

/** More columns than this are printed across; more than `mostAcross` share the width of the paper, so that none is cut. */
const mostUpright = 6;
const mostAcross = 14;
const narrow =
  '@media print { table { table-layout: fixed; font-size: 5pt } th, td { overflow-wrap: anywhere } td:has(> a) { min-width: 0 } .number { white-space: normal } }';

function pageHead(title: string, columns: number): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>
${styles}${columns > mostAcross ? `${narrow}\n` : ''}@page { size: A4${columns > mostUpright ? ' landscape' : ''}; margin: 14mm }
</style>
</head>
<body>
<h1 dir="auto">${escapeHtml(title)}</h1>
`;
}

function pageFoot(title: string, { place, now }: HtmlOptions): string {
  const facts = [title, ...(place === undefined ? [] : [place]), dayAt(now) ?? ''];
  return `<footer dir="auto">${facts.map(escapeHtml).join(' · ')}</footer>\n</body>\n</html>\n`;
}

const styles = `:root { color-scheme: light dark; --ink: #1b1f24; --page: #fff; --dim: #59636e; --line: #d1d9e0; --bar: #2563eb; --link: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --page: #0d1117; --dim: #9198a1; --line: #3d444d; --bar: #6ea8fe; --link: #79b8ff } }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif }
h1 { font-size: 1.3rem; margin: 0 0 1rem }
h1::first-letter { text-transform: uppercase }
a { color: var(--link); overflow-wrap: anywhere }
td:has(> a) { min-width: 10em }
table { border-collapse: collapse; width: 100% }
th, td { padding: .35rem .7rem .35rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: break-word; white-space: pre-line }
th { color: var(--dim); font-weight: 600 }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
.total td { font-weight: 600; border-top: 2px solid var(--line) }
svg { width: 100%; max-width: 45rem; height: auto; margin-bottom: 1.5rem }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif }
svg rect { fill: var(--bar) }
footer { margin-top: 1.5rem; color: var(--dim); font-size: .85rem }
@media print { :root { --ink: #000; --page: #fff; --dim: #444; --line: #bbb; --bar: #2563eb; --link: #000 } body { margin: 0; max-width: none; padding: 0; font-size: 9pt } th, td { padding: .25rem .4rem .25rem 0 } thead { display: table-header-group } tr, svg { break-inside: avoid } svg { max-height: 160mm } svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
`;
