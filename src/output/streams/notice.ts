// Notices: messages to a person beside the result, on standard error. --quiet suppresses them.

import type { GlobalFlags } from '../../base/global-flags.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import type { Io } from './io.ts';
import { messageText } from './message.ts';
import { loadTheme, type Paint, type Theme } from './theme.ts';

/** `done`: a change was made. `failed`: a change was not made. `warning`: the user should look. `plain`: anything else. */
export type NoticeKind = 'done' | 'failed' | 'warning' | 'plain';

/** Writes a notice: on a terminal with a mark in front, and wrapped between words. Several lines are one write, so that none comes first. */
export async function notice(
  io: Io,
  flags: Pick<GlobalFlags, 'quiet'>,
  text: string | readonly string[],
  kind: NoticeKind = 'plain',
): Promise<void> {
  if (flags.quiet) return;
  const mark = await noticeMark(io, flags, kind);
  const drawn = [text]
    .flat()
    .map((line, index) => messageText(io.stderr, safeLine(line), { from: mark === '' || index > 0 ? 0 : markWidth }));
  io.err(`${mark}${(await Promise.all(drawn)).join('\n')}\n`);
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
