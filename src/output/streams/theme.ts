// The colours of crm: the terminal's own sixteen, which are readable on light and dark backgrounds, and the service's colours of statuses.
// Without colour chalk is not loaded, and paints return their text.

import type { Meaning } from '../../model/define.ts';

export type Paint = (text: string) => string;

export interface Theme {
  /** Table headers. */
  readonly header: Paint;
  /** Titles of records. */
  readonly title: Paint;
  /** Less important than values: member names, absent values. */
  readonly aside: Paint;
  /** Ids, which the user types next. */
  readonly key: Paint;
  readonly done: Paint;
  readonly warning: Paint;
  readonly error: Paint;
  /** Green, yellow, red and dim. */
  readonly meaning: Readonly<Record<Meaning, Paint>>;
  /** The paint for a colour of the service, such as `#3b82f6`. Undefined for other texts, and on a terminal with few colours. */
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

/** The paints for a stream. `depth`: the result of Node's getColorDepth, in bits. */
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
