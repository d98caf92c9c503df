// Notices: messages to a person beside the result, on standard error. --quiet suppresses them.

import type { GlobalFlags } from '../../base/global-flags.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import type { Io } from './io.ts';
import { messageText } from './message.ts';
import { loadTheme, type Paint, type Theme } from './theme.ts';

/** `done`: a change was made. `failed`: a change was not made. `warning`: the user should look. `plain`: anything else. */
export type NoticeKind = 'done' | 'failed' | 'warning' | 'plain';

/** Writes a notice: on a terminal with a mark in front, and wrapped between words. */
export async function notice(io: Io, flags: Pick<GlobalFlags, 'quiet'>, text: string, kind: NoticeKind = 'plain'): Promise<void> {
  if (flags.quiet) return;
  const mark = await noticeMark(io, flags, kind);
  const from = mark === '' ? 0 : markWidth;
  io.err(`${mark}${await messageText(io.stderr, safeLine(text), { from })}\n`);
}

/** The columns of a mark and the space behind it. */
export const markWidth = 2;

/** The mark and space in front of a notice on a terminal, elsewhere empty. */
export async function noticeMark(io: Io, flags: Pick<GlobalFlags, 'quiet'>, kind: NoticeKind): Promise<string> {
  if (flags.quiet || !io.stderr.isTTY || kind === 'plain') return '';
  return `${paints[kind](await loadTheme(io.stderr.color))(io.symbols[kind])} `;
}

const paints: Record<Exclude<NoticeKind, 'plain'>, (theme: Theme) => Paint> = {
  done: ({ done }) => done,
  failed: ({ error }) => error,
  warning: ({ warning }) => warning,
};
