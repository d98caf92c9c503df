// What all questions on the terminal share: the check whether a question is possible, the streams, and how a question ends without an answer.

import { InterruptedError, UnconfirmedError } from '../../base/errors.ts';
import { messageText } from '../../output/streams/message.ts';
import { markWidth } from '../../output/streams/notice.ts';
import type { Context } from '../context.ts';
import type { LineQuestion } from './line.ts';

interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** True when there is a terminal, and --no-input is not given. */
export function canAsk({ io, flags }: Pick<Context, 'io' | 'flags'>): boolean {
  return io.stdin.isTTY && io.stderr.isTTY && !flags.noInput;
}

/**
 * Runs `work` after standard input was read to its end. If standard error is a terminal, `work` can ask: answers are read from the
 * terminal device.
 */
export async function askingOnTerminal<T>(context: Context, work: (asking: Context) => Promise<T>): Promise<T> {
  const { io, flags } = context;
  const mayAsk = io.stderr.isTTY && !flags.noInput && !flags.yes && !flags.dryRun;
  const keyboard = mayAsk ? await io.stdin.keyboard?.() : undefined;
  if (keyboard === undefined) return work({ ...context, flags: { ...flags, noInput: true } });
  try {
    return await work({ ...context, io: { ...io, stdin: { ...io.stdin, isTTY: true, stream: keyboard } } });
  } finally {
    keyboard.destroy();
  }
}

/** The typed line without blanks at its edges. Asks again until the answer is usable. Throws like `prompt`. */
export async function askLine(context: Pick<Context, 'io' | 'signal'>, question: LineQuestion): Promise<string> {
  const message = await questionText(context, question.message, question.hint === undefined ? '' : ` (${question.hint}) `);
  return prompt(context, async (streams) => (await import('./line.ts')).line({ ...question, message }, streams));
}

/** A question, wrapped between words. Leaves room for `end`, which the prompt adds after the last word. */
export async function questionText({ io }: Pick<Context, 'io'>, message: string, end = ''): Promise<string> {
  const whole = await messageText(io.stderr, `${message}${standIn.repeat(end.length)}`, { from: markWidth });
  return whole.slice(0, whole.length - end.length);
}

const standIn = 'x';

/**
 * Runs `ask` on standard error. Throws InterruptedError on Ctrl-C, UnconfirmedError when the input ended: `ask` then returns undefined.
 */
export async function prompt<T>(
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  ask: (streams: PromptStreams) => Promise<T | undefined>,
): Promise<T> {
  io.colorPrompts();
  const release = io.waits.hold();
  try {
    const input = io.stdin.stream;
    // A stream doesn't tell its end twice.
    const answer = input.readable ? await ask({ input, output: io.stderr.stream, signal }) : undefined;
    if (answer !== undefined) return answer;
    throw new UnconfirmedError('Nobody answered.');
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Error && error.name === 'ExitPromptError') throw new InterruptedError('SIGINT', { cause: error });
    throw error;
  } finally {
    release();
  }
}
