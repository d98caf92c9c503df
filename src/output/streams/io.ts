// The streams: what they are attached to, and the only place that writes to them.
// Results are held back into large writes off a terminal; standard error is written at once, secrets masked.

import { UnavailableError } from '../../errors.ts';
import { type InputStream, interruptible, readAtMost } from '../../files/input-stream.ts';
import type { ColorMode } from '../../global-flags.ts';
import type { Paging } from './pager.ts';
import { type Symbols, symbolsFor } from './symbols.ts';
import { terminalColumns, wantsColor } from './terminal.ts';
import { Waits } from './waits.ts';

export interface Io {
  readonly stdin: {
    readonly isTTY: boolean;
    readonly stream: InputStream;
    /** All of it. Throws UsageError when it is longer than `most` bytes, and the signal's reason. */
    readAll(most: number, signal: AbortSignal): Promise<Uint8Array>;
    /** The terminal itself, for answers where the stream holds something else; undefined where there is none. Whoever opens it destroys it. */
    keyboard?(): Promise<InputStream | undefined>;
  };
  readonly stdout: {
    readonly isTTY: boolean;
    readonly columns: number;
    readonly rows: number;
    readonly color: boolean;
    /** How many colours there are, in bits: 4 for sixteen. */
    readonly depth: number;
  };
  /** The signs that this terminal can show. */
  readonly symbols: Symbols;
  readonly stderr: {
    readonly isTTY: boolean;
    readonly columns: number;
    readonly color: boolean;
    /** Whether a line that was written can be taken back: not on a dumb terminal. */
    readonly redraws: boolean;
    readonly stream: NodeJS.WritableStream;
  };
  /** What is awaited at the moment, for progress.ts to show. */
  readonly waits: Waits;
  /**
   * Writes result text; resolves when the stream can take more. Off a terminal it may be held back until `flush`.
   * Throws StdoutClosed once the reader is gone, StdoutFailed when the text can't be written.
   */
  out(text: string): Promise<void>;
  /** Writes a result that is no text, after what is held back. Throws like `out`. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /** Writes what `out` holds back; resolves when it has left the process. Throws like `out`. */
  flush(): Promise<void>;
  /** Writes to standard error, secrets replaced; while the pager has the terminal, once it is left. */
  err(text: string): void;
  /** The program that shows long results on a terminal. */
  readonly pager?: {
    /** Does the work that writes a result: on a terminal, one that is longer than the screen goes through the pager. Throws like `out`. */
    during<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
    /** Whether it has the terminal: nobody else may write there, and Ctrl-C is meant for it. */
    isOpen(): boolean;
  };
  /** Of streams that hold notices back (holdNotices): those so far, which are then not written any more. */
  takeNotices?(): readonly string[];
  /** A text that must never be shown: every later `err` masks it. */
  keepSecret(secret: string): void;
  /** Whether a text holds such a secret. */
  holdsSecret(text: string): boolean;
  /** Applies --color. */
  setColor(mode: ColorMode): void;
  /** Makes prompts coloured as standard error is: they use node:util's styleText, which looks at the environment and at standard output. */
  colorPrompts(): void;
}

/** The reader of standard output went away (EPIPE): the command ends quietly. */
export class StdoutClosed extends Error {}

/** Standard output can't be written: the disk is full, the device failed. What was sent before has taken effect. */
export class StdoutFailed extends UnavailableError {}

/** The part of `process` that the streams need. */
export type ProcessStreams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

const heldCharacters = 64 * 1024;

/**
 * The streams of a process. Its standard input is not touched until it is asked for. `whenClosed` hears of a pager that is left before all
 * is written, so that nothing more is read for it.
 */
export function systemIo(process: ProcessStreams, whenClosed: (reason: StdoutClosed) => void = () => {}): Io {
  const { env } = process;
  const secrets = new Set<string>();
  let colorMode: ColorMode = 'auto';
  const waits = new Waits();
  const results = resultWriter(process.stdout, () => waits.hold());
  let paging: Paging | undefined;
  let heldErrors: string[] = [];
  // A stream is made when it is first looked at: help needs no standard error.
  let errors: NodeJS.WriteStream | undefined;
  const stderr = (): NodeJS.WriteStream => {
    errors ??= process.stderr.on('error', ignore);
    return errors;
  };
  const hasColoredErrors = (): boolean => wantsColor(colorMode, stderr().isTTY === true, env);
  const facts = streamFacts(process.stdout, env, () => colorMode);
  const err = (text: string): void => {
    if (paging?.isOpen()) heldErrors.push(text);
    else stderr().write(maskSecrets(text, secrets));
  };
  const releaseErrors = (): void => {
    const texts = heldErrors;
    heldErrors = [];
    for (const text of texts) stderr().write(maskSecrets(text, secrets));
  };
  return {
    stdin: {
      get isTTY() {
        return process.stdin.isTTY === true;
      },
      get stream() {
        return process.stdin;
      },
      readAll: (most, signal) => readAtMost(interruptible(process.stdin, signal), most, 'Standard input'),
      keyboard,
    },
    stdout: facts,
    symbols: symbolsFor(env),
    stderr: {
      get isTTY() {
        return stderr().isTTY === true;
      },
      get columns() {
        return terminalColumns(stderr(), env);
      },
      get color() {
        return hasColoredErrors();
      },
      get redraws() {
        return stderr().isTTY === true && env.TERM !== 'dumb';
      },
      get stream() {
        return stderr();
      },
    },
    waits,
    out: (text) => (paging ?? results).out(text),
    outBytes: results.outBytes,
    flush: () => (paging ?? results).flush(),
    err,
    pager: {
      isOpen: () => paging?.isOpen() === true,
      during: async (work, signal) => {
        if (process.stdout.isTTY !== true || process.stdin.isTTY !== true) return work();
        const { beginPaging, pagerCommand } = await import('./pager.ts');
        const command = pagerCommand(env);
        if (command === undefined) return work();
        let release = (): void => {};
        paging = beginPaging(command, {
          screen: facts,
          env,
          signal,
          print: results,
          opened: () => {
            release = waits.hold();
          },
          left: () => {
            release();
            releaseErrors();
          },
          // Above a long result nobody would see it.
          complain: (text) => void heldErrors.push(`${text}\n`),
          closed: () => {
            const reason = new StdoutClosed('The pager was left.');
            whenClosed(reason);
            return reason;
          },
        });
        try {
          return await paging.during(work);
        } finally {
          paging = undefined;
          releaseErrors();
        }
      },
    },
    holdsSecret: (text) => maskSecrets(text, secrets) !== text,
    keepSecret: (secret) => {
      if (secret !== '') for (const form of writtenForms(secret)) secrets.add(form);
    },
    setColor: (mode) => {
      colorMode = mode;
    },
    colorPrompts: () => {
      const isColored = hasColoredErrors();
      if (isColored) delete env.NO_COLOR;
      env.FORCE_COLOR = isColored ? '1' : '0';
    },
  };
}

/** The terminal of this process, whatever its standard input is. */
async function keyboard(): Promise<InputStream | undefined> {
  const [{ openSync }, { ReadStream }] = await Promise.all([import('node:fs'), import('node:tty')]);
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

/**
 * The same streams, but standard error waits for `release`: an error that is a JSON document takes what was held, so that it stands
 * there alone.
 */
export function holdNotices(io: Io): { readonly io: Io; release(): void } {
  let held: string[] = [];
  const take = (): string[] => {
    const taken = held;
    held = [];
    return taken;
  };
  const holding: Io = {
    ...io,
    err: (text) => void held.push(text),
    takeNotices: () => take().map((text) => text.trimEnd()),
  };
  return { io: holding, release: () => take().forEach(io.err) };
}

/**
 * The text with every secret in it replaced. Longer secrets go first, so that none leaves a part of another. A secret that is shorter
 * than a key of any service stays: it may be a word like any other, such as `crm`.
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  const long = [...secrets].filter(({ length }) => length >= leastMasked);
  return long.sort((a, b) => b.length - a.length).reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** No text holds a secret of so many characters by chance. */
const leastMasked = 8;

function writtenForms(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

function streamFacts(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, mode: () => ColorMode): Io['stdout'] {
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return terminalColumns(stream, env);
    },
    get rows() {
      return stream.rows > 0 ? stream.rows : 24;
    },
    get color() {
      return wantsColor(mode(), stream.isTTY === true, env);
    },
    get depth() {
      return stream.isTTY ? stream.getColorDepth(env) : 4;
    },
  };
}

/** `piped` is called once, before the first result goes into a pipe: its reader may be a pager, which has the terminal from then on. */
function resultWriter(stream: NodeJS.WriteStream, piped: () => void): Pick<Io, 'out' | 'outBytes' | 'flush'> {
  let held: string[] = [];
  let heldLength = 0;
  let isFirst = true;
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure ??= writeFailure(error);
  });

  const write = (chunk: string | Uint8Array): Promise<void> => {
    if (isFirst && isPipe(stream)) piped();
    isFirst = false;
    return new Promise((resolve, reject) => {
      stream.write(chunk, (error) => {
        if (!error) return resolve();
        failure ??= writeFailure(error);
        reject(failure);
      });
    });
  };

  const flush = (): Promise<void> => {
    if (failure !== undefined) return Promise.reject(failure);
    if (held.length === 0) return Promise.resolve();
    const text = held.join('');
    held = [];
    heldLength = 0;
    return write(text);
  };

  const out = async (text: string): Promise<void> => {
    if (failure !== undefined) throw failure;
    if (text === '') return;
    held.push(text);
    heldLength += text.length;
    if (stream.isTTY || heldLength >= heldCharacters) await flush();
  };

  const outBytes = async (bytes: Uint8Array): Promise<void> => {
    await flush();
    await write(bytes);
  };

  return { out, outBytes, flush };
}

/** Node's stream of a pipe is a socket; that of a file can't be told how much it may hold. */
const isPipe = (stream: NodeJS.WriteStream): boolean => !stream.isTTY && 'connecting' in stream;

const goneCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the device failed',
};

function writeFailure(error: NodeJS.ErrnoException): Error {
  const code = error.code ?? '';
  if (goneCodes.has(code)) return new StdoutClosed('The reader of standard output went away.', { cause: error });
  return new StdoutFailed(`The output could not be written: ${reasons[code] ?? error.message}.`, {
    code: fullCodes.has(code) ? 'disk_full' : undefined,
    cause: error,
  });
}

function ignore(): void {}
