// The few colours in use. Without colour nothing is loaded and every paint leaves its text alone.

import type { ColorMode } from '../../global-flags.ts';

export type Paint = (text: string) => string;

export interface Theme {
  /** Table headers. */
  readonly header: Paint;
  /** What is less important than the values: member names, absent values. */
  readonly aside: Paint;
  /** What the user types next: ids. */
  readonly key: Paint;
  readonly done: Paint;
  readonly warning: Paint;
  readonly error: Paint;
}

const same: Paint = (text) => text;
const colorless: Theme = { header: same, aside: same, key: same, done: same, warning: same, error: same };

/** The paints for a table off a terminal: colour would change what a script reads, so no variable turns it on, only the flag. */
export const pipedTheme = ({ color }: { readonly color?: ColorMode }): Promise<Theme> => loadTheme(color === 'always');

/** The paints for a stream with or without colour. */
export async function loadTheme(color: boolean): Promise<Theme> {
  if (!color) return colorless;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    header: chalk.bold,
    aside: chalk.dim,
    key: chalk.cyan,
    done: chalk.green,
    warning: chalk.yellow,
    error: chalk.red.bold,
  };
}
