// Notices: what a person may like to know beside the result. Standard error, never with --quiet.

import type { GlobalFlags } from '../../global-flags.ts';
import { safeLine } from '../../records/safe-text.ts';
import type { Io } from './io.ts';
import { messageText } from './message.ts';
import { loadTheme, type Paint, type Theme } from './theme.ts';

/** `done`: a change was made. `failed`: it was not. `warning`: something to look at. `plain`: anything else. */
export type NoticeKind = 'done' | 'failed' | 'warning' | 'plain';

/** Writes one notice: on a terminal with a mark in front, and broken between words. */
export async function notice(io: Io, flags: Pick<GlobalFlags, 'quiet'>, text: string, kind: NoticeKind = 'plain'): Promise<void> {
  if (flags.quiet) return;
  const mark = await noticeMark(io, flags, kind);
  const width = mark === '' ? 0 : markWidth;
  io.err(`${mark}${await messageText(io.stderr, safeLine(text), { from: width, hang: width })}\n`);
}

/** Columns that a mark takes, with the space behind it. */
export const markWidth = 2;

/** What stands in front of a notice of a kind: a mark and a space on a terminal, else nothing. */
export async function noticeMark(io: Io, flags: Pick<GlobalFlags, 'quiet'>, kind: NoticeKind): Promise<string> {
  if (flags.quiet || !io.stderr.isTTY || kind === 'plain') return '';
  return `${paints[kind](await loadTheme(io.stderr.color))(io.symbols[kind])} `;
}

const paints: Record<Exclude<NoticeKind, 'plain'>, (theme: Theme) => Paint> = {
  done: ({ done }) => done,
  failed: ({ error }) => error,
  warning: ({ warning }) => warning,
};
