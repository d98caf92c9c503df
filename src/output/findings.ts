// What checks found, drawn for a terminal: a sign, the name and what was found, a line each; and what to do beneath it.

import { displayText } from '../records/display.ts';
import type { Finding } from './result.ts';
import type { Io } from './streams/io.ts';
import { messageText } from './streams/message.ts';
import type { NoticeKind } from './streams/notice.ts';
import type { Symbols } from './streams/symbols.ts';
import { loadTheme, type Theme } from './streams/theme.ts';
import { measureFor } from './text/text-width.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const widestLine = 120;
const gap = 2;

const signs: Readonly<Record<Finding['state'], (symbols: Symbols, theme: Theme) => string>> = {
  ok: ({ done }, theme) => theme.done(done),
  note: ({ warning }, theme) => theme.warning(warning),
  wrong: ({ failed }, theme) => theme.error(failed),
  unknown: (_symbols, theme) => theme.aside('?'),
};

/** Writes the findings. Throws like `io.out`. */
export async function writeFindings(rows: readonly Finding[], { io }: { readonly io: Io }): Promise<void> {
  const { symbols, stdout } = io;
  const shown = rows.map(({ advice, ...row }) => ({
    ...row,
    found: displayText(row.found),
    advice: advice === null ? undefined : displayText(advice),
  }));
  const measure = await measureFor(shown.flatMap(({ check, found, advice = '' }) => [check, found, advice, symbols.arrow]));
  const theme = await loadTheme(stdout.color);
  const names = Math.max(...shown.map(({ check }) => measure.width(check)));
  // The sign and a blank stand in front of each name.
  const margin = gap + names + gap;
  const room = Math.max(Math.min(stdout.columns, widestLine) - margin, 20);
  const arrow = `${symbols.arrow} `;
  const below = ' '.repeat(margin);
  const drawn = shown.map(async ({ check, state, found, advice }) => {
    const [first = '', ...more] = measure.wrap(found, room);
    const name = check + ' '.repeat(names - measure.width(check) + gap);
    const place = margin + measure.width(arrow);
    const advised =
      advice === undefined ? '' : await messageText({ isTTY: true, columns: margin + room }, advice, { from: place, hang: place });
    return [
      `${signs[state](symbols, theme)} ${theme.aside(name)}${first}`,
      ...more.map((line) => below + line),
      ...(advised === '' ? [] : [below + arrow + theme.key(advised)]),
    ];
  });
  const lines = (await Promise.all(drawn)).flat();
  await io.out(lines.map((line) => `${line}\n`).join(''));
}

/** What they come to, in a sentence. */
export function closingOf(rows: readonly Finding[]): { readonly sentence: string; readonly kind: NoticeKind } {
  const noted = rows.filter(({ state }) => state !== 'ok').map(({ check }) => check);
  if (noted.length === 0) return { sentence: 'Nothing is wrong.', kind: 'done' };
  return { sentence: `${noted.length} of ${rows.length} checks found something to look at: ${noted.join(', ')}.`, kind: 'warning' };
}
