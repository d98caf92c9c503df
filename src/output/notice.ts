// Notices: what a person may like to know beside the result. Standard error, never with --quiet.

import type { GlobalFlags } from '../global-flags.ts';
import type { Io } from './io.ts';
import { safeLine } from './safe-text.ts';
import { loadTheme, type Theme } from './theme.ts';

/** `done`: a change was made. `warning`: something to look at. `plain`: anything else. */
export type NoticeKind = 'done' | 'warning' | 'plain';

/** Writes one notice on one line, with a mark in front on a terminal. */
export async function notice(io: Io, flags: Pick<GlobalFlags, 'quiet'>, text: string, kind: NoticeKind = 'plain'): Promise<void> {
  if (flags.quiet) return;
  if (!io.stderr.isTTY || kind === 'plain') return io.err(`${safeLine(text)}\n`);
  const theme = await loadTheme(io.stderr.color);
  io.err(`${mark(kind, theme)}${safeLine(text)}\n`);
}

function mark(kind: Exclude<NoticeKind, 'plain'>, theme: Theme): string {
  return kind === 'done' ? `${theme.done('✓')} ` : `${theme.warning('!')} `;
}
