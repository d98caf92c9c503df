// Reports the effects of writes on standard error: one line in a log or a pipe; on a terminal a sentence, the differences below, and the
// next command to type. Several records take a row each.

import type { Failure } from '../base/errors.ts';
import type { GlobalFlags } from '../base/global-flags.ts';
import type { Id } from '../base/values/parse.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { safeLine } from '../model/records/safe-text.ts';
import { differenceLines, differenceText, longestText, measureOf, widestLine } from './differences.ts';
import { asItWas, type Effect } from './result.ts';
import type { Io } from './streams/io.ts';
import { cutText, messageText } from './streams/message.ts';
import { type NoticeKind, notice, noticeMark } from './streams/notice.ts';
import type { Symbols } from './streams/symbols.ts';
import { loadTheme } from './streams/theme.ts';
import type { TextMeasure } from './text/text-width.ts';

/** The longest name of a record in a row, in columns. */
const longestName = 40;
/** With fewer columns than this left, differences stand below the name of a row, not beside it. */
const narrowestCell = 30;
const indent = '  ';

/** Writes the effect of one write. Writes nothing with --quiet. */
export async function tellEffect(io: Io, flags: Pick<GlobalFlags, 'quiet' | 'profile'>, effect: Effect): Promise<void> {
  if (flags.quiet) return;
  if (!io.stderr.isTTY) return notice(io, flags, await effectLine(effect));
  const next = effect.next === undefined ? '' : safeLine(`(${effect.next.what} with: ${crmWith(flags.profile)} ${effect.next.command})`);
  const sentence = await sentenceOf(effect, io.symbols);
  const { changes = [] } = effect;
  const measure = await measureOf(changes, [sentence], io.symbols);
  const { aside } = await loadTheme(io.stderr.color);
  const width = Math.min(io.stderr.columns, widestLine);
  const head = measure.wrap(sentence, width - indent.length);
  const isBeside = head.length === 1 && measure.width(`${indent}${sentence}${indent}${next}`) <= width;
  const lines = [
    `${head.join(`\n${indent}`)}${next !== '' && isBeside ? `${indent}${aside(next)}` : ''}`,
    ...differenceLines(changes, { symbols: io.symbols, measure, aside, width: width - indent.length }).map((line) => `${indent}${line}`),
    ...(next !== '' && !isBeside ? [`${indent}${aside(next)}`] : []),
  ];
  io.err(`${await noticeMark(io, flags, 'done')}${lines.join('\n')}\n`);
}

/** An effect on one line: `Lead 33 changed: Pilot in one aisle. value 58750.00 -> 61000.00, tags +hot -cold`. */
export async function effectLine(effect: Effect): Promise<string> {
  const sentence = await sentenceOf(effect);
  const { changes = [] } = effect;
  if (changes.length === 0) return sentence;
  const texts = await Promise.all(changes.map(differenceText));
  const end = effect.title === undefined ? ':' : /[.!?]$/.test(sentence) ? '' : '.';
  return `${sentence}${end} ${texts.join(', ')}`;
}

async function sentenceOf({ subject, done, place = '', title }: Effect, symbols?: Symbols): Promise<string> {
  const what = safeLine(`${subject}${done === '' ? '' : ` ${done}`}${place}`);
  return title === undefined ? what : `${what}: ${await cutText(title, longestText, symbols)}`;
}

/** The name of an effect's record: `Lead 33: Pilot in one aisle`. */
export const effectName = ({ subject, title }: Effect): string => (title === undefined ? subject : `${subject}: ${title}`);

/** The data that all rows share. `idWidth`: the width of the longest id, in columns. */
export interface Rows {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'quiet'>;
  readonly idWidth: number;
}

/** Rows for a selection. `ids`: every record that may get a row. */
export function rowsFor(io: Io, flags: Pick<GlobalFlags, 'quiet'>, ids: readonly Id[]): Rows {
  return { io, flags, idWidth: ids.reduce((widest: number, id) => Math.max(widest, String(id).length), 0) };
}

/** Writes the row of a record that was written: its id, name and differences. */
export async function doneRow(rows: Rows, id: Id, effect: Effect): Promise<void> {
  const { io, flags } = rows;
  if (flags.quiet) return;
  const { changes = [], title = '', done } = effect;
  const name = safeLine(title);
  const measure = await measureOf(changes, [name, done], io.symbols);
  const [lead, { aside }] = [await rowLead(rows, id, 'done'), await loadTheme(io.stderr.color)];
  const said = (width: number): string[] =>
    changes.length === 0 ? measure.wrap(safeLine(done), width) : differenceLines(changes, { symbols: io.symbols, measure, aside, width });
  const lines = besideName(name, said, Math.min(io.stderr.columns, widestLine) - lead.width, measure);
  io.err(`${lead.text}${lines.join(`\n${' '.repeat(lead.width)}`)}\n`);
}

function besideName(name: string, said: (width: number) => string[], width: number, measure: TextMeasure): string[] {
  if (name === '') return said(Math.max(width, 1));
  const nameWidth = Math.min(longestName, Math.floor(width / 2));
  const room = width - nameWidth - indent.length;
  if (room < narrowestCell) return [measure.cut(name, width), ...said(Math.max(width, 1))];
  const shown = measure.cut(name, nameWidth);
  const [first = '', ...rest] = said(room);
  const start = nameWidth + indent.length;
  return [`${shown}${' '.repeat(start - measure.width(shown))}${first}`, ...rest.map((line) => `${' '.repeat(start)}${line}`)];
}

/** Writes the row of a record that failed. `lines`: the reasons. */
export async function failedRow(rows: Rows, { id, title }: Pick<Failure, 'id' | 'title'>, lines: readonly string[]): Promise<void> {
  const lead = await rowLead(rows, id, 'failed');
  const all = [...(title === undefined ? [] : [safeLine(title)]), ...lines].map(async (line) => {
    const text = line.trimStart();
    const margin = line.length - text.length;
    // A reason that wraps goes on one margin deeper.
    const columns = { from: lead.width + margin, hang: lead.width + margin * 2 };
    return `${' '.repeat(margin)}${await messageText(rows.io.stderr, text, columns)}`;
  });
  rows.io.err(`${lead.text}${(await Promise.all(all)).join(`\n${' '.repeat(lead.width)}`)}\n`);
}

/** `width`: the width of `text`, in columns. */
async function rowLead(
  { io, flags, idWidth }: Rows,
  id: Id,
  kind: Exclude<NoticeKind, 'plain'>,
): Promise<{ readonly text: string; readonly width: number }> {
  const mark = await noticeMark(io, flags, kind);
  const { key } = await loadTheme(io.stderr.color);
  const text = `${mark}${key(String(id).padStart(idWidth))}${indent}`;
  return { text, width: (mark === '' ? 0 : indent.length) + Math.max(idWidth, String(id).length) + indent.length };
}

/** The effects of several writes, counted: `2 of 4 changed, 1 unchanged, 1 failed`. */
export function effectSum(effects: readonly Effect[], failed: number, leftOut: number): string {
  const counts = new Map<string, number>();
  for (const { done } of effects) counts.set(done, (counts.get(done) ?? 0) + 1);
  const all = effects.length + failed + leftOut;
  const unchanged = counts.get(asItWas) ?? 0;
  counts.delete(asItWas);
  const words = [...counts].map(([done, count]): [number, string] => [count, done || 'done']);
  if (unchanged > 0) words.push([unchanged, 'unchanged']);
  if (failed > 0) words.push([failed, 'failed']);
  if (leftOut > 0) words.push([leftOut, 'left out']);
  return words.map(([count, word], index) => `${count}${index === 0 ? ` of ${all}` : ''} ${word}`).join(', ');
}
