// What is known of a terminal before anything is written to it: colour and columns. Kept small, because the entry needs it.

import type { ColorMode } from '../../global-flags.ts';

/** Whether a stream gets colour: the flag first, then FORCE_COLOR and CLICOLOR_FORCE, NO_COLOR, TERM, and whether it is a terminal. */
export function wantsColor(mode: ColorMode, isTTY: boolean, env: NodeJS.ProcessEnv): boolean {
  if (mode !== 'auto') return mode === 'always';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (env.CLICOLOR_FORCE !== undefined && env.CLICOLOR_FORCE !== '' && env.CLICOLOR_FORCE !== '0') return true;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTTY && env.TERM !== 'dumb';
}

/** How wide a stream is: what the terminal itself says, if it does; else COLUMNS, else 80. */
export function terminalColumns(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): number {
  if (stream.isTTY && stream.columns !== undefined && stream.columns > 0) return stream.columns;
  return /^[1-9]\d{0,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 80;
}
