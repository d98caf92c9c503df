// Decides the colour and the columns of a stream. Kept small, because the entry loads it.

import type { ColorMode } from '../../base/global-flags.ts';

/** True if a stream gets colour. Decided by the flag, then FORCE_COLOR, CLICOLOR_FORCE, NO_COLOR, and at last the terminal and TERM. */
export function wantsColor(mode: ColorMode, isTTY: boolean, env: NodeJS.ProcessEnv): boolean {
  if (mode !== 'auto') return mode === 'always';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (env.CLICOLOR_FORCE !== undefined && env.CLICOLOR_FORCE !== '' && env.CLICOLOR_FORCE !== '0') return true;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTTY && env.TERM !== 'dumb';
}

/** The columns of a stream: the terminal's own number, else COLUMNS, else 80. */
export function terminalColumns(stream: { isTTY?: boolean; columns?: number }, env: NodeJS.ProcessEnv): number {
  if (stream.isTTY && stream.columns !== undefined && stream.columns > 0) return stream.columns;
  return /^[1-9]\d{0,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : 80;
}
