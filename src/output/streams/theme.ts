// The few colours in use. Without colour nothing is loaded and every paint leaves its text alone. The sixteen colours are the terminal's
// own, so that they can be read on a light background as on a dark one.

import type { ColorMode } from '../../global-flags.ts';
import type { Meaning } from '../../resources/define.ts';

export type Paint = (text: string) => string;

export interface Theme {
  /** Table headers. */
  readonly header: Paint;
  /** What was asked for: the title of a record. */
  readonly title: Paint;
  /** What is less important than the values: member names, absent values. */
  readonly aside: Paint;
  /** What the user types next: ids. */
  readonly key: Paint;
  readonly done: Paint;
  readonly warning: Paint;
  readonly error: Paint;
  /** Green, amber and red, and nothing else is so. */
  readonly meaning: Readonly<Record<Meaning, Paint>>;
  /** A colour of the service's, such as `#3b82f6`: undefined for any other text, and where the terminal has too few colours. */
  swatch(color: string): Paint | undefined;
}

const same: Paint = (text) => text;
const colorless: Theme = {
  header: same,
  title: same,
  aside: same,
  key: same,
  done: same,
  warning: same,
  error: same,
  meaning: { good: same, waiting: same, bad: same, past: same },
  swatch: () => undefined,
};

/** The paints for a table off a terminal: colour would change what a script reads, so no variable turns it on, only the flag. */
export const pipedTheme = ({ color }: { readonly color?: ColorMode }): Promise<Theme> => loadTheme(color === 'always');

/** The paints for a stream with or without colour. `depth`: bits per pixel, as Node's getColorDepth tells them. */
export async function loadTheme(color: boolean, depth = 4): Promise<Theme> {
  if (!color) return colorless;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const many = depth < 8 ? undefined : new Chalk({ level: depth < 24 ? 2 : 3 });
  return {
    header: chalk.bold,
    title: chalk.bold,
    aside: chalk.dim,
    key: chalk.cyan,
    done: chalk.green,
    warning: chalk.yellow,
    error: chalk.red.bold,
    meaning: { good: chalk.green, waiting: chalk.yellow, bad: chalk.red, past: chalk.dim },
    swatch: (text) => (many !== undefined && /^#([\da-f]{3}|[\da-f]{6})$/i.test(text) ? many.hex(text) : undefined),
  };
}
