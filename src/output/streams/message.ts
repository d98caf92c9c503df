// How a message stands on standard error: on a terminal broken between words at its width, elsewhere on one line. Everything that speaks
// to a person goes by it.

import type { Io } from './io.ts';

/** A command at the end, to be typed: broken, its first part alone would run where it is pasted. */
const commandAtEnd = /(?<=(?:^|: ))crm [a-z].*$/;

/**
 * A safe line as it is written. A command at its end stays whole, on a line of its own where it has to; what begins with a blank is drawn
 * already and stays as it is. `from` and `hang`: the columns in front of its first line, and of the lines below it. What measures texts
 * loads only where one is too long.
 */
export async function messageText(
  stderr: Pick<Io['stderr'], 'isTTY' | 'columns'>,
  text: string,
  { from = 0, hang = 0 } = {},
): Promise<string> {
  if (!stderr.isTTY || text.startsWith(' ') || (plain.test(text) && from + text.length <= stderr.columns)) return text;
  const { measureFor } = await import('../text/text-width.ts');
  const measure = await measureFor([text]);
  if (measure.width(text) + from <= stderr.columns) return text;
  const width = Math.max(stderr.columns - hang, narrowest);
  const lead = standIn.repeat(Math.max(from - hang, 0));
  const command = commandAtEnd.exec(text)?.[0] ?? '';
  const lines = measure.wrap(`${lead}${text.slice(0, text.length - command.length)}`, width);
  const last = lines.at(-1) ?? '';
  if (command !== '' && measure.width(`${last} ${command}`) <= width) lines.splice(-1, 1, `${last} ${command}`);
  else if (command !== '') lines.push(command);
  return lines.join(`\n${' '.repeat(hang)}`).slice(lead.length);
}

const plain = /^[\x20-\x7e]*$/;
/** Takes the place of what stands in front of the first line. */
const standIn = 'x';
/** Nobody reads lines that are narrower. */
const narrowest = 10;
