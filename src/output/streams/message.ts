// Lays out a message for standard error: wrapped between words on a terminal, elsewhere on one line. All messages to a person have this
// layout. No line but the first begins at the edge, so that no text of the service looks like a message of crm.

import { safeLine } from '../../model/records/safe-text.ts';
import type { Io } from './io.ts';
import type { Symbols } from './symbols.ts';

/** Matches a command at the end of a message. A wrapped command, pasted, would run its first line alone. */
const commandAtEnd = /(?<=(?:^|: ))crm [a-z].*$/;

/**
 * The layout of a safe line. A command at the end stays whole, on its own line if necessary. `from` and `hang`: the columns in front of the
 * first line and of the others, without the blanks that the text begins with.
 */
export async function messageText(
  stderr: Pick<Io['stderr'], 'isTTY' | 'columns'>,
  text: string,
  { from = 0, hang = messageIndent } = {},
): Promise<string> {
  if (!stderr.isTTY || (plain.test(text) && from + text.length <= stderr.columns)) return text;
  const margin = text.length - text.trimStart().length;
  if (margin > 0) {
    const deeper = { from: from + margin, hang: hang + margin };
    return text.slice(0, margin) + (await messageText(stderr, text.slice(margin), deeper));
  }
  const { measureFor } = await import('../text/text-width.ts');
  const measure = await measureFor([text]);
  if (measure.width(text) + from <= stderr.columns) return text;
  const width = Math.max(stderr.columns - hang, narrowest);
  const lead = standIn.repeat(Math.max(from - hang, 0));
  const command = commandAtEnd.exec(text)?.[0] ?? '';
  const lines = measure.wrap(`${lead}${text.slice(0, text.length - command.length)}`, width);
  const last = lines.at(-1) ?? '';
  if (command !== '' && last === '') lines.splice(-1, 1, command);
  else if (command !== '' && measure.width(`${last} ${command}`) <= width) lines.splice(-1, 1, `${last} ${command}`);
  else if (command !== '') lines.push(command);
  return lines.join(`\n${' '.repeat(hang)}`).slice(lead.length);
}

/** The text on one line, cut to `most` columns. */
export async function cutText(text: string, most: number, symbols?: Symbols): Promise<string> {
  const line = safeLine(text);
  if (line.length <= most) return line;
  const { measureFor } = await import('../text/text-width.ts');
  return (await measureFor([line], symbols)).cut(line, most);
}

/** The indentation of all lines of a message but the first, in columns. */
export const messageIndent = 2;
const plain = /^[\x20-\x7e]*$/;
/** Fills the columns in front of the first line while it is wrapped. */
const standIn = 'x';
/** The narrowest line, in columns. */
const narrowest = 10;
