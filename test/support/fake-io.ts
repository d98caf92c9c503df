// Streams for tests: a test chooses terminals or pipes, and reads the written text.

import { PassThrough, Readable } from 'node:stream';
import type { ColorMode } from '../../src/base/global-flags.ts';
import { type Io, maskSecrets, StdoutClosed } from '../../src/output/streams/io.ts';
import { symbolsFor } from '../../src/output/streams/symbols.ts';
import { wantsColor } from '../../src/output/streams/terminal.ts';
import { Waits } from '../../src/output/streams/waits.ts';

export interface FakeIoOptions {
  readonly stdin?: string | Uint8Array;
  /** The text typed on the terminal while standard input is a file or pipe. Default: there is no such terminal. */
  readonly keyboard?: string;
  /** All three streams are a terminal. Default: no stream is. */
  readonly tty?: boolean;
  readonly stdinTTY?: boolean;
  readonly stdoutTTY?: boolean;
  readonly stderrTTY?: boolean;
  /** Default 80. */
  readonly columns?: number;
  /** Default 24. */
  readonly rows?: number;
  /** Bits of colour. Default 4. */
  readonly depth?: number;
  /** True if the terminal has colour. Default: false. */
  readonly color?: boolean;
  /** The reader of standard output goes away after this many writes. */
  readonly closesAfter?: number;
}

export interface FakeIo extends Io {
  /** Everything written to standard output, flushed or not. */
  stdoutText(): string;
  /** The text that has left the process: on a terminal all text, elsewhere the flushed text. */
  flushedText(): string;
  stderrText(): string;
  /** The texts of both streams, in the order of writing. */
  log(): readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
}

const keyboardOf = (typed: string | undefined): Pick<Io['stdin'], 'keyboard'> =>
  typed === undefined ? {} : { keyboard: async () => Readable.from([typed]) };

/** Makes streams in place of a process's streams. The test's own streams are not used. */
export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const { tty = false, columns = 80, color = false } = options;
  const { stdinTTY = tty, stdoutTTY = tty, stderrTTY = tty } = options;
  const input = Buffer.from(options.stdin ?? '');
  const log: { stream: 'stdout' | 'stderr'; text: string }[] = [];
  const secrets = new Set<string>();
  let mode: ColorMode = 'auto';
  let held = '';
  let writes = 0;
  const write = (stream: 'stdout' | 'stderr', text: string): void => {
    if (text !== '') log.push({ stream, text });
  };
  const textOf = (name: 'stdout' | 'stderr'): string =>
    log
      .filter(({ stream }) => stream === name)
      .map(({ text }) => text)
      .join('');
  const facts = (isTTY: boolean): Io['stdout'] => ({
    isTTY,
    columns,
    rows: options.rows ?? 24,
    depth: options.depth ?? 4,
    get color() {
      return wantsColor(mode, color, {});
    },
  });
  const stderrStream: PassThrough = Object.assign(new PassThrough(), {
    isTTY: stderrTTY,
    columns,
    cursorTo: () => true,
    moveCursor: () => true,
    clearLine: () => true,
    // A prompt ends the stream that it writes through: a process's own goes on behind it, and so does this one.
    end: () => stderrStream,
  });
  stderrStream.on('data', (chunk: Buffer) => write('stderr', chunk.toString()));
  const flush = async (): Promise<void> => {
    write('stdout', held);
    held = '';
  };
  return {
    stdin: { isTTY: stdinTTY, stream: Readable.from([input]), readAll: async () => input, ...keyboardOf(options.keyboard) },
    stdout: facts(stdoutTTY),
    symbols: symbolsFor({}),
    stderr: Object.assign(facts(stderrTTY), { stream: stderrStream, redraws: stderrTTY }),
    waits: new Waits(),
    signals: {},
    out: async (text) => {
      writes += 1;
      if (options.closesAfter !== undefined && writes > options.closesAfter) throw new StdoutClosed();
      held += text;
      if (stdoutTTY) await flush();
    },
    // A character for each byte.
    outBytes: async (bytes) => {
      held += Buffer.from(bytes).toString('latin1');
    },
    flush,
    err: (text) => write('stderr', maskSecrets(text, secrets)),
    holdsSecret: (text) => maskSecrets(text, secrets) !== text,
    keepSecret: (secret) => {
      if (secret !== '') secrets.add(secret);
    },
    setColor: (chosen) => {
      mode = chosen;
    },
    colorPrompts: () => {},
    stdoutText: () => textOf('stdout') + held,
    flushedText: () => textOf('stdout'),
    stderrText: () => textOf('stderr'),
    log: () => log,
  };
}
