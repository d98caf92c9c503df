// Owns the standard streams: terminal or pipe, and every write. Off a terminal results are collected into large writes. Standard error is
// written at once, with secrets masked.

import { fstatSync, openSync } from 'node:fs';
import { type EndingSignal, UnavailableError, UsageError } from '../../base/errors.ts';
import { diskFailure } from '../../base/files/disk-failure.ts';
import { type InputStream, interruptible, readAtMost } from '../../base/files/input-stream.ts';
import type { ColorMode } from '../../base/global-flags.ts';
import type { Paging } from './pager.ts';
import { type Symbols, symbolsFor } from './symbols.ts';
import { terminalColumns, wantsColor } from './terminal.ts';
import { Waits } from './waits.ts';
import { writeWhole } from './write-now.ts';

export interface Io {
  readonly stdin: {
    readonly isTTY: boolean;
    readonly stream: InputStream;
    /** Reads standard input to its end. Throws UsageError beyond `most` bytes, and the signal's reason. */
    readAll(most: number, signal: AbortSignal): Promise<Uint8Array>;
    /** Opens the terminal for answers if standard input is a file or pipe. Undefined without a terminal. Callers destroy the stream. */
    keyboard?(): Promise<InputStream | undefined>;
  };
  readonly stdout: {
    readonly isTTY: boolean;
    readonly columns: number;
    readonly rows: number;
    readonly color: boolean;
    /** The number of colours, in bits: 4 for sixteen. */
    readonly depth: number;
  };
  /** The signs that this terminal can show. */
  readonly symbols: Symbols;
  readonly stderr: {
    readonly isTTY: boolean;
    readonly columns: number;
    readonly color: boolean;
    /** True if a written line can be erased: not on a dumb or very narrow terminal, nor on one that a pager behind a pipe may have. */
    readonly redraws: boolean;
    readonly stream: NodeJS.WritableStream;
  };
  /** The waits of crm at the moment, which progress.ts shows. */
  readonly waits: Waits;
  /**
   * Writes result text; resolves when the stream can take more. Off a terminal text may be held back until `flush`.
   * Throws StdoutClosed if the reader is gone, StdoutFailed if the text can't be written.
   */
  out(text: string): Promise<void>;
  /** Writes binary output after flushing the text. Throws like `out`. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /** Writes the text that `out` holds back; resolves when it has left the process. Throws like `out`. */
  flush(): Promise<void>;
  /** Writes to standard error with secrets masked. While the pager is open, the text waits until the pager is left. */
  err(text: string): void;
  /** Shows long results on a terminal. */
  readonly pager?: {
    /** Runs the work that writes a result. On a terminal a result longer than the screen goes to the pager. Throws like `out`. */
    during<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
    /** True while the pager has the terminal: nothing else may write there, and Ctrl-C is meant for the pager. */
    isOpen(): boolean;
  };
  /** Takes the notices held back so far (holdNotices). Taken notices are no longer written. */
  takeNotices?(): readonly string[];
  /**
   * While a command runs in place of crm, `to` gets each signal, and crm goes on. `last`: a sentence that is written when the process ends
   * in the middle of its run.
   */
  readonly signals: { to?: ((signal: EndingSignal) => void) | undefined; last?: string | undefined };
  /** Adds a secret, which every later `err` masks. */
  keepSecret(secret: string): void;
  /** True if a text holds a secret. */
  holdsSecret(text: string): boolean;
  /** Applies --color. */
  setColor(mode: ColorMode): void;
  /** Colours prompts like standard error. Sets FORCE_COLOR, because prompts use styleText of node:util, which looks at standard output. */
  colorPrompts(): void;
}

/** The reader of standard output is gone (EPIPE): the command ends quietly. */
export class StdoutClosed extends Error {}

/** Standard output can't be written: the disk is full, the device failed. Requests sent before have taken effect. */
export class StdoutFailed extends UnavailableError {}

/** The part of `process` that the streams need. */
export type ProcessStreams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

const heldCharacters = 64 * 1024;
/** The narrowest line that is drawn again and again, in columns. A terminal without a window tells 0 columns. */
const narrowestLine = 10;

/**
 * The streams of a process. Standard input is not touched before its first use. `whenClosed` is called when the pager is left before the
 * whole result is written, so that reading can stop.
 */
export function systemIo(process: ProcessStreams, whenClosed: (reason: StdoutClosed) => void = () => {}): Io {
  const { env } = process;
  const secrets = new Set<string>();
  let colorMode: ColorMode = 'auto';
  const waits = new Waits();
  const results = resultWriter(standardOutput(process.stdout, () => waits.hold()));
  let paging: Paging | undefined;
  let heldErrors: string[] = [];
  // Node makes the stream at the first access, and help needs no standard error.
  let errors: NodeJS.WriteStream | undefined;
  const stderr = (): NodeJS.WriteStream => {
    errors ??= process.stderr.on('error', () => {});
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
        return readable(process.stdin);
      },
      readAll: async (most, signal) => readAtMost(interruptible(readable(process.stdin), signal), most, 'Standard input'),
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
        const { isTTY, columns } = stderr();
        return isTTY === true && columns >= narrowestLine && env.TERM !== 'dumb' && !isPipe(process.stdout);
      },
      get stream() {
        return stderr();
      },
    },
    waits,
    signals: {},
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
          // Held back until the result is printed: above a long result nobody would see the complaint.
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
      if (secret !== '') secrets.add(secret);
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

/** Node reads a directory as empty. */
function readable(stdin: ProcessStreams['stdin']): InputStream {
  if (typeof stdin.fd === 'number' && !stdin.isTTY && fstatSync(stdin.fd).isDirectory())
    throw new UsageError('Standard input is a directory, not a file.');
  return stdin;
}

async function keyboard(): Promise<InputStream | undefined> {
  const { ReadStream } = process.getBuiltinModule('node:tty');
  const { platform } = process.getBuiltinModule('node:os');
  try {
    // Windows changes how the console reads only for who may write, too.
    return new ReadStream(platform() === 'win32' ? openSync(String.raw`\\.\CONIN$`, 'r+') : openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

/** The same streams with standard error held back until `release`. A JSON error takes the held texts, so that it stands there alone. */
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
 * The text with every secret replaced, also in JSON and in an address, longer ones first, so that no part of a secret remains. What is
 * below `leastMasked` characters stays, because it may be an ordinary word, such as `crm`.
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  const forms = [...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]);
  const long = forms.filter(({ length }) => length >= leastMasked);
  return long.sort((a, b) => b.length - a.length).reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** A secret of at least this many characters appears in no text by chance. */
const leastMasked = 8;

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

/** The target of results: standard output, or the file of --out. */
interface Sink {
  /** Results are written at once. */
  readonly isTTY: boolean;
  /** Writes a chunk. Throws the system's errors. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** The name of the sink in messages: `The output`. */
  readonly name: string;
  /** Calls `take` with errors that no write throws. */
  onError?(take: (error: Error) => void): void;
}

/** `piped` is called once before the first write into a pipe, whose reader may be a pager that takes the terminal. */
function standardOutput(stream: ProcessStreams['stdout'], piped: () => void): Sink {
  let isFirst = true;
  return {
    isTTY: stream.isTTY === true,
    name: 'The output',
    onError: (take) => void stream.on('error', take),
    write: (chunk) => {
      if (isFirst && isPipe(stream)) piped();
      isFirst = false;
      return writeChunk(stream, chunk);
    },
  };
}

/** After a failure every call throws its error. */
function resultWriter({ isTTY, write: writeTo, name, onError }: Sink): Pick<Io, 'out' | 'outBytes' | 'flush'> {
  let held: string[] = [];
  let heldLength = 0;
  let failure: Error | undefined;
  onError?.((error) => {
    failure ??= writeFailure(error, name);
  });

  const write = (chunk: string | Uint8Array): Promise<void> =>
    writeTo(chunk).catch((error: Error) => {
      failure ??= writeFailure(error, name);
      throw failure;
    });

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
    if (isTTY || heldLength >= heldCharacters) await flush();
  };

  const outBytes = async (bytes: Uint8Array): Promise<void> => {
    await flush();
    await write(bytes);
  };

  return { out, outBytes, flush };
}

/** The same streams with results going into an open file, as off a terminal. `name`: the file in messages. */
export function intoFile({ pager: _, ...io }: Io, file: number, { name, color }: { readonly name: string; readonly color: boolean }): Io {
  const { columns, rows, depth } = io.stdout;
  const write = async (chunk: string | Uint8Array): Promise<void> =>
    writeWhole(file, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return { ...io, stdout: { isTTY: false, columns, rows, color, depth }, ...resultWriter({ isTTY: false, name, write }) };
}

async function writeChunk(stream: ProcessStreams['stdout'], chunk: string | Uint8Array): Promise<void> {
  // Node's stream for a file takes a short write for a whole one.
  const isFile = !stream.isTTY && !isPipe(stream) && typeof stream.fd === 'number';
  if (isFile) return writeWhole(stream.fd, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  await new Promise<void>((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Node represents a pipe as a socket. */
const isPipe = (stream: NodeJS.WriteStream): boolean => !stream.isTTY && 'connecting' in stream;

const goneCodes = new Set(['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** The error for a result that can't be written. `name`: the sink in messages. */
export function writeFailure(error: NodeJS.ErrnoException, name: string): Error {
  const code = error.code ?? '';
  if (goneCodes.has(code)) return new StdoutClosed('The reader of standard output went away.', { cause: error });
  const disk = diskFailure(error);
  return new StdoutFailed(`${name} could not be written: ${disk?.why ?? error.message}.`, {
    code: disk?.isFull ? 'disk_full' : undefined,
    cause: error,
  });
}
