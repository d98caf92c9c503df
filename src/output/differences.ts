// Draws the differences of records: one difference in a sentence, several below the name of their record, or as rows of a table. JSON holds
// whole differences; CSV and pipes have a line for each difference.

import { type Format, formatFacts, isDrawing, isTextTable } from '../base/global-flags.ts';
import { valueAt } from '../base/values/paths.ts';
import { capitalised } from '../base/values/text/wording.ts';
import type { Column } from '../model/define.ts';
import { type Difference, newOnly, orEmpty, plainDifference, saying } from '../model/records/difference.ts';
import { displayText } from '../model/records/display.ts';
import { safeLine } from '../model/records/safe-text.ts';
import { asItWas, type Effect, type Outcome, type PreviewRow, type Shape, shapeless } from './result.ts';
import type { Io } from './streams/io.ts';
import { cutText, messageText } from './streams/message.ts';
import type { Symbols } from './streams/symbols.ts';
import { loadTheme, type Paint } from './streams/theme.ts';
import type { TextMeasure } from './text/text-width.ts';

/** The longest text in a sentence, in columns. */
export const longestText = 100;
/** The widest line, in columns: longer lines are hard to read on any terminal. */
export const widestLine = 120;
const indent = '  ';

/** One difference as part of a sentence: `value 58750.00 -> 61000.00`. */
export async function differenceText(one: Difference): Promise<string> {
  const [old = '', now = ''] = await Promise.all([one.old, one.new].map((text) => cutText(text, longestText)));
  return `${safeLine(one.field)} ${safeLine(saying({ ...one, old, new: now }))}`;
}

/** A measure for differences and other texts. Imports text-width.ts late, because a plain sentence needs no measure. */
export async function measureOf(
  differences: readonly Difference[],
  texts: readonly string[] = [],
  symbols?: Symbols,
): Promise<TextMeasure> {
  const all = [...texts, ...differences.flatMap(({ field, old, new: now, told = '' }) => [field, old, now, told])];
  return (await import('./text/text-width.ts')).measureFor(all.map(safeLine), symbols);
}

/** How differences are drawn on a terminal. `width`: the columns they may take. */
interface DifferenceStyle {
  readonly symbols: Symbols;
  readonly measure: TextMeasure;
  readonly aside: Paint;
  readonly width: number;
}

/** The lines for the differences of a record, the names in a column. If old and new value don't fit on a line, each gets a line. */
export function differenceLines(differences: readonly Difference[], style: DifferenceStyle): string[] {
  const { measure, aside, width } = style;
  const names = Math.max(0, ...differences.map(({ field }) => measure.width(safeLine(field))));
  const start = names + (names === 0 ? 0 : indent.length);
  return differences.flatMap((one) => {
    const field = safeLine(one.field);
    const lead = `${aside(field)}${' '.repeat(start - measure.width(field))}`;
    const lines = valueLines(one, { ...style, width: Math.max(width - start, 1) });
    return lines.map((line, at) => `${at === 0 ? lead : ' '.repeat(start)}${line}`);
  });
}

function valueLines(one: Difference, { symbols, measure, aside, width }: DifferenceStyle): string[] {
  if (one.told !== undefined || one.isUnread) return measure.wrap(safeLine(saying(one)), width);
  const { arrow } = symbols;
  const [old, now] = besideDifference(safeLine(orEmpty(one.old)), safeLine(orEmpty(one.new)), symbols);
  if (measure.width(`${old} ${arrow} ${now}`) <= width) return [`${aside(old)} ${arrow} ${now}`];
  const cut = (text: string): string => measure.cut(text, width - arrow.length - 1);
  return [`${' '.repeat(arrow.length + 1)}${aside(cut(old))}`, `${arrow} ${cut(now)}`];
}

/** The name of a record with its differences below, for a terminal. */
export async function recordWithDifferences(io: Io, name: string, differences: readonly Difference[]): Promise<string> {
  const measure = await measureOf(differences, [name], io.symbols);
  const { aside, title } = await loadTheme(io.stderr.color);
  const width = Math.min(io.stderr.columns, widestLine);
  const lines = differenceLines(differences, { symbols: io.symbols, measure, aside, width: width - indent.length });
  return [title(measure.cut(safeLine(name), width)), ...lines.map((line) => `${indent}${line}`)].map((line) => `${line}\n`).join('');
}

/** How the rows of a preview become records of a format. */
interface PreviewLayout {
  readonly shape: Shape;
  /** The records written for rows that are laid out together. */
  records(rows: readonly PreviewRow[]): readonly object[];
  /** How many rows are laid out together. */
  readonly page: number;
}

const outcomeWords: Readonly<Record<PreviewRow['outcome'], string>> = {
  would_create: 'would create',
  would_change: 'would change',
  unchanged: 'unchanged',
  conflict: 'conflict',
  invalid: 'invalid',
};

/** The words for narrow terminals. */
const shortWords: typeof outcomeWords = { ...outcomeWords, would_create: 'create', would_change: 'change' };

/** The layout of the preview of a file's rows, by format. `onlyCreates`: no row has a record. */
export function previewLayout(format: Format, { stdout, symbols }: Pick<Io, 'stdout' | 'symbols'>, onlyCreates: boolean): PreviewLayout {
  const { layout, holds } = formatFacts[format];
  if (layout === 'drawing' && stdout.isTTY) return terminalLayout(stdout.columns, symbols, onlyCreates ? 'new' : 'rows');
  if (isTextTable(format)) return lineLayout;
  const plain = (row: PreviewRow): object => ({ ...row, changes: row.changes.map(plainDifference) });
  const records = (rows: readonly PreviewRow[]): object[] =>
    rows.filter(({ outcome }) => holds !== 'id' || outcome === 'would_change').map(plain);
  return { shape: shapeless, page: 1, records };
}

/** The layout of the records that a command would change. Such records have no line numbers. */
export function recordsLayout(format: Format, { stdout, symbols }: Pick<Io, 'stdout' | 'symbols'>): PreviewLayout {
  if (isDrawing(format) && stdout.isTTY) return terminalLayout(stdout.columns, symbols, 'records');
  const paths = linePaths.filter((path) => path !== 'line' && path !== 'error');
  const records = (rows: readonly PreviewRow[]): object[] =>
    lineLayout.records(rows).map((one) => Object.fromEntries(paths.map((path) => [path, valueAt(one, path)])));
  return { shape: { columns: paths.map((path) => ({ path })), record: paths }, page: 1, records };
}

/** The row of a preview for one outcome. */
export function rowOfOutcome({ id, effect }: Outcome & { readonly effect?: Effect }): PreviewRow {
  const { done = '', title = null, changes = [] } = effect ?? {};
  const isSame = done === asItWas;
  const told = changes.length > 0 || isSame ? changes : [newOnly('', done)];
  return { line: 0, id, title, outcome: isSame ? 'unchanged' : 'would_change', changes: told, error: null };
}

/** `2 of 3 would be changed; 1 unchanged.` */
export function wouldBeText(outcomes: readonly Outcome[]): string {
  const outcomeCounts = new Map<string, number>();
  for (const one of outcomes) {
    const did = 'error' in one ? 'failed' : one.effect?.done || 'changed';
    outcomeCounts.set(did, (outcomeCounts.get(did) ?? 0) + 1);
  }
  const same = outcomeCounts.get(asItWas) ?? 0;
  const counts = [...outcomeCounts].flatMap(([did, count]) =>
    did === asItWas || did === 'failed' ? [] : [`${count} of ${outcomes.length} would be ${did}`],
  );
  return `${[...counts, ...(same > 0 ? [`${same} unchanged`] : [])].join('; ')}.`;
}

const linePaths = ['line', 'id', 'title', 'outcome', 'field', 'old', 'new', 'error'];

/** One record for each field that differs; a row without differences gives one record. The first record has the row's error. */
const lineLayout: PreviewLayout = {
  shape: { columns: linePaths.map((path) => ({ path })), record: linePaths },
  page: 1,
  records: (rows) =>
    rows.flatMap(({ changes, outcome, error, ...row }) => {
      const lines = changes.length === 0 ? [{ field: '', old: '', new: '' }] : changes;
      return lines.map((one, index) => ({
        ...row,
        outcome: outcomeWords[outcome],
        ...plainDifference(one),
        error: index === 0 ? error : null,
      }));
    }),
};

/** How many rows on a terminal share their column widths. */
const terminalPage = 100;

/** How many columns each part gets on a terminal, so that an old and a new value fit side by side. */
interface Room {
  /** The longest title; 0 without titles. */
  readonly title: number;
  readonly value: number;
  /**
   * The words of the column for the outcome. Absent without such a column: then the outcome stands before the values, unless the outcome is
   * a change.
   */
  readonly says?: Readonly<Record<PreviewRow['outcome'], string>>;
}

function roomIn(columns: number): Room {
  if (columns < 70) return { title: 0, value: Math.max(6, Math.floor((columns - 26) / 2)) };
  // The values get more room than the title, which only names the record.
  const title = Math.floor(columns / 6);
  if (columns < 100) return { title, value: Math.floor((columns - title - 35) / 2), says: shortWords };
  return { title, value: Math.min(60, Math.floor((columns - title - 41) / 2)), says: outcomeWords };
}

function cut(value: string | null, most: number, { ellipsis }: Symbols): string {
  const letters = [...displayText(value ?? '')];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}${ellipsis}` : letters.join('');
}

/** The field and details cells of a row on a terminal: one line for each field that would be changed. */
function detailsOf({ outcome, title, changes, error }: PreviewRow, most: number, symbols: Symbols): { field: string; details: string }[] {
  if (outcome === 'invalid') return [{ field: '', details: displayText(error) }];
  const worded = (value: string): string => cut(orEmpty(value), most, symbols);
  const beside = (one: Difference): Difference => {
    const [old, now] = besideDifference(displayText(one.old), displayText(one.new), symbols, Math.min(longBeginning, Math.floor(most / 2)));
    return { ...one, old, new: now };
  };
  if (outcome === 'would_create') {
    const filled = changes.filter(({ new: now }) => now !== '' && now !== title);
    return [{ field: '', details: filled.map(({ field, new: now }) => `${field} ${worded(now)}`).join(` ${symbols.between} `) }];
  }
  return changes.map((one) => {
    const isPair = one.told === undefined && !one.isUnread;
    const shown = isPair ? beside(one) : one;
    const details =
      outcome === 'conflict' && isPair
        ? `${worded(shown.old)} there, ${worded(shown.new)} in the file`
        : displayText(saying(shown, symbols.arrow, worded));
    return { field: one.field, details };
  });
}

/** `of`: rows of a file, rows that would all make records and so have no id and no fields of their own, or records. */
function terminalLayout(columns: number, symbols: Symbols, of: 'rows' | 'new' | 'records'): PreviewLayout {
  const isOfFile = of !== 'records';
  const { says, ...rest } = roomIn(columns);
  const title = Math.floor(columns / 5);
  const ofRecords = { title, value: Math.min(60, Math.max(6, Math.floor((columns - title - 27) / 2))) };
  const room: Room = isOfFile ? { ...rest, ...(says === undefined ? {} : { says }) } : ofRecords;
  const numbers: Column[] = [
    ...(isOfFile ? [{ path: 'line', align: 'right' } as const] : []),
    ...(of === 'new' ? [] : [{ path: 'id', align: 'right' } as const]),
  ];
  const others: Column[] = [
    ...(room.says === undefined ? [] : [{ path: 'what' }]),
    ...(of === 'new' ? [] : [{ path: 'field' }]),
    { path: 'details', header: of === 'new' ? 'values' : 'old and new' },
  ];
  return {
    shape: {
      columns: [...numbers, ...(room.title > 0 ? [{ path: 'title' }] : []), ...others],
      record: [],
      meanings: {
        what: { 'would create': 'good', create: 'good', 'would change': 'waiting', change: 'waiting', conflict: 'bad', invalid: 'bad' },
      },
    },
    page: terminalPage,
    records: (rows) => {
      const shown = rows
        .filter(({ outcome }) => outcome !== 'unchanged')
        .map(({ outcome, ...row }) => {
          const [first = { field: '', details: '' }, ...below] = detailsOf({ ...row, outcome }, room.value, symbols);
          const lead = room.says === undefined && outcome !== 'would_change' ? `${outcomeWords[outcome]}: ` : '';
          const { line, id, title } = row;
          return { title, line, id, what: room.says?.[outcome], details: [{ ...first, details: `${lead}${first.details}` }, ...below] };
        });
      const lines = shown.flatMap(({ details, ...row }) => details.map((one) => ({ ...row, ...one })));
      // Titles get all the room that the values leave.
      const widest = ({ path, header = path }: Column): number =>
        Math.max(header.length, ...lines.map((one) => String(valueAt(one, path) ?? '').length));
      const left = [...numbers, ...others].reduce((free, column) => free - indent.length - widest(column), columns);
      const most = Math.max(room.title, left);
      return shown.flatMap(({ details: [first, ...rest], title, ...row }) => [
        { ...row, title: cut(title, most, symbols), ...first },
        ...rest,
      ]);
    },
  };
}

/** The rows shown above a question for consent. */
interface Examples {
  readonly sentence: string;
  readonly examples: readonly PreviewRow[];
  /** The word for one record: `lead`. */
  readonly singular: string;
  readonly hasMore: boolean;
}

/** Writes the sentence, a line for each example, and the flag that lists the other rows. */
export async function writeExamples(io: Io, { sentence, examples, singular, hasMore }: Examples): Promise<void> {
  const { symbols, stderr } = io;
  const theme = await loadTheme(stderr.color);
  const cells = examples.map((row) => {
    const lead = row.outcome === 'would_create' || row.outcome === 'would_change' ? '' : `${outcomeWords[row.outcome]}: `;
    const details = detailsOf(row, roomIn(stderr.columns).value, symbols).map((one) =>
      one.field === '' ? one.details : `${one.field}${indent}${one.details}`,
    );
    return [
      `line ${row.line}`,
      row.id === null ? `new ${singular}` : `${singular} ${row.id}`,
      displayText(row.title ?? ''),
      `${lead}${details.join(` ${symbols.between} `)}`,
    ];
  });
  const measure = await measureOf([], cells.flat(), symbols);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => measure.width(row[column] ?? ''))));
  widths[2] = Math.min(widths[2] ?? 0, roomIn(stderr.columns).title);
  const lines = cells.map((row) => {
    const whole = row.map((text, column) => padded(text, widths[column], measure)).filter((text) => text !== '');
    return measure.cut(`  ${whole.join('  ')}`, stderr.columns - 1);
  });
  const more = hasMore ? [theme.aside(`  ${symbols.ellipsis}  --dry-run lists them all`)] : [];
  io.err([theme.title(await messageText(stderr, sentence)), ...lines, ...more].map((line) => `${line}\n`).join(''));
}

/** True if the outcome would change its record. */
export const isDifferent = (one: Outcome): boolean => !('error' in one) && one.effect?.done !== asItWas;

/** Writes each record's name and differences to standard error. `total`: the number of all records, with or without an outcome. */
export async function writeChanges(io: Io, outcomes: readonly Outcome[], total: number): Promise<void> {
  for (const one of outcomes) {
    if (!('error' in one || isDifferent(one))) continue;
    const title = 'error' in one ? one.title : one.effect?.title;
    const name = `${capitalised(one.name)}${title === undefined ? '' : `: ${title}`}`;
    const unsent = 'error' in one ? [newOnly('not sent', one.error.message)] : undefined;
    io.err(await recordWithDifferences(io, name, unsent ?? rowOfOutcome(one).changes));
  }
  if (!outcomes.every(isDifferent)) io.err(`${await messageText(io.stderr, wouldBeText(outcomes))}\n`);
  if (total > outcomes.length) io.err(`And ${total - outcomes.length} more.\n`);
}

/** Lines for standard output: words in columns, the second one a number, then a text that is wrapped. */
export async function wrappedLines(
  rows: readonly { readonly lead: readonly string[]; readonly text: string }[],
  { stdout, symbols }: Io,
): Promise<string> {
  const { aside } = await loadTheme(stdout.color);
  const measure = await measureOf(
    [],
    rows.flatMap(({ lead, text }) => [...lead, text]),
    symbols,
  );
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map(({ lead }) => measure.width(safeLine(lead[column] ?? '')))));
  const start = widths.reduce((sum, width) => sum + width + indent.length, 0);
  return rows
    .flatMap(({ lead, text }) => {
      const [word = '', count = '', noun = ''] = lead.map((one, column) => {
        const blanks = ' '.repeat((widths[column] ?? 0) - measure.width(safeLine(one)));
        return column === 1 ? `${blanks}${one}` : `${safeLine(one)}${blanks}`;
      });
      const width = Math.max(Math.min(stdout.columns, widestLine) - start - 1, 20);
      return measure
        .wrap(safeLine(text), width)
        .map((line, at) => `${at === 0 ? `${word}${indent}${count}${indent}${aside(noun)}${indent}` : ' '.repeat(start)}${line}`.trimEnd());
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** How many equal characters stay in front of the first difference. */
const shownBefore = 12;
/** Texts with at least this many equal characters in front are cut there. */
const longBeginning = 30;

/** Both texts, without most of a beginning that they share, if it has at least `long` characters. */
function besideDifference(one: string, other: string, { ellipsis }: Symbols, long = longBeginning): [string, string] {
  const [a, b] = [[...one], [...other]];
  const first = a.findIndex((letter, index) => letter !== b[index]);
  const same = first < 0 ? a.length : first;
  if (same < long || first < 0) return [one, other];
  const from = same - Math.min(shownBefore, Math.floor(long / 3));
  return [`${ellipsis}${a.slice(from).join('')}`, `${ellipsis}${b.slice(from).join('')}`];
}

/** The last text of a line has no width, and stays. */
function padded(text: string, width: number | undefined, measure: TextMeasure): string {
  if (width === undefined) return text;
  const shown = width === 0 ? '' : measure.cut(text, width);
  return shown + ' '.repeat(width - measure.width(shown));
}
