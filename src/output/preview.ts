// How the rows that a file would change are listed: whole in JSON, a line for each field in CSV and in a pipe, and on a terminal a
// table of those that need a look.

import type { Format } from '../global-flags.ts';
import { displayText } from '../records/display.ts';
import type { Column } from '../resources/define.ts';
import { valueAt } from '../values/paths.ts';
import { capitalised } from '../values/text/wording.ts';
import { asItWas, type Change, type Effect, type Outcome, type PreviewRow, type Shape } from './result.ts';
import type { Io } from './streams/io.ts';
import { messageText } from './streams/message.ts';
import type { Symbols } from './streams/symbols.ts';
import { loadTheme } from './streams/theme.ts';
import { measureFor, type TextMeasure } from './text/text-width.ts';

/** How rows go into a format. */
interface PreviewLayout {
  readonly shape: Shape;
  /** The records that stand for a row. */
  records(row: PreviewRow): readonly object[];
  /** So many records are laid out together. */
  readonly page: number;
}

const words: Readonly<Record<PreviewRow['outcome'], string>> = {
  would_create: 'would create',
  would_change: 'would change',
  unchanged: 'unchanged',
  conflict: 'conflict',
  invalid: 'invalid',
};

/** The same where there is little room. */
const shortWords: typeof words = { ...words, would_create: 'create', would_change: 'change' };

/** How rows are listed in a format. */
export function previewLayout(format: Format, { stdout, symbols }: Pick<Io, 'stdout' | 'symbols'>): PreviewLayout {
  if (format === 'table' && stdout.isTTY) return terminalLayout(stdout.columns, symbols);
  if (format === 'csv') return lineLayout;
  if (format === 'table') return { ...lineLayout, records: (row) => lineLayout.records(withNames(row)) };
  const plain = (row: PreviewRow): object => ({ ...row, changes: row.changes.map(({ field, from, to }) => ({ field, from, to })) });
  const records = (row: PreviewRow): object[] => (format !== 'ids' || row.outcome === 'would_change' ? [plain(row)] : []);
  return { shape: { columns: [], record: [] }, page: 1, records };
}

/** A row with names in place of ids, where they are known. */
const withNames = (row: PreviewRow): PreviewRow => ({ ...row, changes: row.changes.map((change) => ({ ...change, ...change.names })) });

/** How records are listed that a command would change, by the same rules: they have no lines. */
export function recordsLayout(format: Format, { stdout, symbols }: Pick<Io, 'stdout' | 'symbols'>): PreviewLayout {
  if (format === 'table' && stdout.isTTY) return terminalLayout(stdout.columns, symbols, false);
  const paths = linePaths.filter((path) => path !== 'line' && path !== 'error');
  const records = (row: PreviewRow): object[] =>
    lineLayout.records(row).map((one) => Object.fromEntries(paths.map((path) => [path, valueAt(one, path)])));
  return { shape: { columns: paths.map((path) => ({ path })), record: paths }, page: 1, records };
}

/** What would become of a record, as a row. */
export function rowOfOutcome({ id, effect }: Outcome & { readonly effect?: Effect }): PreviewRow {
  const { done = '', title = null, changes = [] } = effect ?? {};
  const rows = changes.map((change): PreviewRow['changes'][number] => {
    if ('from' in change) return { field: change.name, from: change.from, to: change.to };
    return { field: change.name, from: null, to: 'set' in change ? change.set : change.text, isText: true };
  });
  const isSame = done === asItWas;
  const whole: PreviewRow['changes'] = rows.length > 0 || isSame ? rows : [{ field: '', from: null, to: done, isText: true }];
  return { line: 0, id, title, outcome: isSame ? 'unchanged' : 'would_change', changes: whole, error: null };
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

const linePaths = ['line', 'id', 'title', 'outcome', 'field', 'from', 'to', 'error'];

/** A line for each field that differs, one for a row without any. */
const lineLayout: PreviewLayout = {
  shape: { columns: linePaths.map((path) => ({ path })), record: linePaths },
  page: 1,
  records: ({ changes, outcome, ...row }) => {
    const lines = changes.length === 0 ? [{ field: null, from: null, to: null }] : changes;
    return lines.map(({ field, from, to }) => ({ ...row, outcome: words[outcome], field, from, to }));
  },
};

/** A page of a terminal: its widths are those of all. */
const terminalPage = 100;

/** What a terminal of some columns has room for: values so short that a new one can be seen beside the old one. */
interface Room {
  /** The longest title; 0 for none. */
  readonly title: number;
  readonly value: number;
  /** What would be done, as a column of its own says it; absent: only what isn't a change is said, before the values. */
  readonly says?: Readonly<Record<PreviewRow['outcome'], string>>;
}

function roomIn(columns: number): Room {
  if (columns < 70) return { title: 0, value: Math.max(6, Math.floor((columns - 26) / 2)) };
  if (columns < 100) return { title: Math.floor(columns / 5), value: Math.floor((columns - 52) / 2), says: shortWords };
  return { title: Math.floor(columns / 4), value: Math.min(40, Math.floor((columns - 66) / 2)), says: words };
}

function cut(value: string | null, most: number, { ellipsis }: Symbols): string {
  const letters = [...displayText(value ?? '')];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}${ellipsis}` : letters.join('');
}

/** What is to be seen of a row on a terminal, a line for each field that would be changed. */
function detailsOf({ outcome, title, changes, error }: PreviewRow, most: number, symbols: Symbols): string[] {
  if (outcome === 'invalid') return [displayText(error)];
  const worded = (value: string | null): string => (value === null || value === '' ? '(empty)' : cut(value, most, symbols));
  if (outcome === 'would_create') {
    const filled = changes.filter(({ to }) => to !== '' && to !== title);
    return [filled.map(({ field, to, names }) => `${field} ${worded(names?.to ?? to)}`).join(` ${symbols.between} `)];
  }
  return changes.map(({ field, from, to, names, isText }) => {
    if (isText) return [field, displayText(to)].filter((part) => part !== '').join('  ');
    const [old, now] = [worded(names?.from ?? from), worded(names?.to ?? to)];
    return outcome === 'conflict' ? `${field}: ${old} there, ${now} in the file` : `${field}  ${old} ${symbols.arrow} ${now}`;
  });
}

function terminalLayout(columns: number, symbols: Symbols, isOfFile = true): PreviewLayout {
  const { says, ...rest } = roomIn(columns);
  const room: Room = isOfFile ? { ...rest, ...(says === undefined ? {} : { says }) } : { ...rest, title: Math.floor(columns / 3) };
  const numbers: Column[] = [...(isOfFile ? [{ path: 'line', align: 'right' } as const] : []), { path: 'id', align: 'right' }];
  return {
    shape: {
      columns: [
        ...numbers,
        ...(room.title > 0 ? [{ path: 'title' }] : []),
        ...(room.says === undefined ? [] : [{ path: 'what' }]),
        { path: 'details', header: 'old and new' },
      ],
      record: [],
      meanings: {
        what: { 'would create': 'good', create: 'good', 'would change': 'waiting', change: 'waiting', conflict: 'bad', invalid: 'bad' },
      },
    },
    page: terminalPage,
    records: (row) => {
      if (row.outcome === 'unchanged') return [];
      const [first = '', ...others] = detailsOf(row, room.value, symbols);
      const { line, id, title, outcome } = row;
      const lead = room.says === undefined && outcome !== 'would_change' ? `${words[outcome]}: ` : '';
      return [
        { line, id, title: cut(title, room.title, symbols), what: room.says?.[outcome], details: `${lead}${first}` },
        ...others.map((details) => ({ details })),
      ];
    },
  };
}

/** What is shown before somebody is asked. */
export interface Examples {
  readonly sentence: string;
  readonly examples: readonly PreviewRow[];
  /** What one record is called: `lead`. */
  readonly singular: string;
  readonly hasMore: boolean;
}

/** Writes what would be done to standard error: the sentence, a few rows under each other, each on a line, and how to see the others. */
export async function writeExamples(io: Io, { sentence, examples, singular, hasMore }: Examples): Promise<void> {
  const { symbols, stderr } = io;
  const theme = await loadTheme(stderr.color);
  const cells = examples.map((row) => [
    `line ${row.line}`,
    row.id === null ? `new ${singular}` : `${singular} ${row.id}`,
    displayText(row.title ?? ''),
    `${row.outcome.startsWith('would') ? '' : `${words[row.outcome]}: `}${detailsOf(row, roomIn(stderr.columns).value, symbols).join(` ${symbols.between} `)}`,
  ]);
  const measure = await measureFor(cells.flat(), symbols);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => measure.width(row[column] ?? ''))));
  widths[2] = Math.min(widths[2] ?? 0, roomIn(stderr.columns).title);
  const lines = cells.map((row) => {
    const whole = row.map((text, column) => padded(text, widths[column], measure)).filter((text) => text !== '');
    return measure.cut(`  ${whole.join('  ')}`, stderr.columns - 1);
  });
  const more = hasMore ? [theme.aside(`  ${symbols.ellipsis}  --dry-run lists them all`)] : [];
  io.err([theme.title(await messageText(stderr, sentence)), ...lines, ...more].map((line) => `${line}\n`).join(''));
}

/** More records than this are not shown with a question: nobody reads more. */
const mostChanged = 50;

/** Writes to standard error what would become of records: each by its name, old and new value of each field below it. */
export async function writeChanges(io: Io, outcomes: readonly Outcome[]): Promise<void> {
  const [{ changesText }, { aside }] = await Promise.all([import('./effect.ts'), loadTheme(io.stderr.color)]);
  const shown = outcomes.filter((one) => 'error' in one || one.effect?.done !== asItWas);
  for (const one of shown.slice(0, mostChanged)) {
    const title = 'error' in one ? one.title : one.effect?.title;
    const name = `${capitalised(one.name)}${title === undefined ? '' : `: ${title}`}`;
    io.err(await changesText(io, name, 'error' in one ? [{ name: 'not sent', text: one.error.message }] : changesShown(one, io)));
  }
  const more = shown.length - mostChanged;
  if (more > 0) io.err(aside(`${io.symbols.ellipsis} and ${more} more\n`));
  if (outcomes.some((one) => 'error' in one || one.effect?.done === asItWas))
    io.err(`${await messageText(io.stderr, wouldBeText(outcomes))}\n`);
}

const changesShown = ({ effect }: { readonly effect?: Effect }, { symbols }: Io): Change[] =>
  (effect?.changes ?? []).map((one) => {
    if (!('from' in one)) return one;
    const [from, to] = besideDifference(one.from, one.to, symbols);
    return { ...one, from, to };
  });

/** Letters that stay in front of what differs. */
const kept = 12;
/** Texts are begun later where so many letters in front are the same. */
const longBeginning = 30;

/** Two texts from about where they differ. */
function besideDifference(one: string, other: string, { ellipsis }: Symbols): [string, string] {
  const [a, b] = [[...one], [...other]];
  const first = a.findIndex((letter, index) => letter !== b[index]);
  const same = first < 0 ? a.length : first;
  if (same < longBeginning) return [one, other];
  const from = same - kept;
  return [`${ellipsis}${a.slice(from).join('')}`, `${ellipsis}${b.slice(from).join('')}`];
}

/** A text in just so many columns; the last one of a line has none. */
function padded(text: string, width: number | undefined, measure: TextMeasure): string {
  if (width === undefined) return text;
  const cutText = width === 0 ? '' : measure.cut(text, width);
  return cutText + ' '.repeat(width - measure.width(cutText));
}
