// The worker thread that runs jq. In a thread, the program can end an endless expression. The package limits jq's memory to 256 MiB. All
// input and output goes through messages.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type JqLoadOptions, loadJq } from 'jq-wasm';
import { type CompiledModule, type FromJq, type JqTask, sent, type ToJq, taken } from './messages.ts';

/** The bytes of values in one message, and how many messages may wait to be taken. */
const pieceSize = 64 * 1024;
const mostWaiting = 8;

/** The bytes remembered of jq's standard error. */
const mostErrors = 1024 * 1024;

async function run({ expression, perDocument, counters, module }: JqTask, port: MessagePort): Promise<void> {
  const say = (message: FromJq): void => port.postMessage(message);
  const errors: Uint8Array[] = [];
  let room = mostErrors;
  const values = valueStream(new Int32Array(counters), say);
  // With ndjson the values of a record are sent before jq waits for the next record.
  const waits = (): void => (perDocument ? values.send() : undefined);
  const streams: Streams = {
    read: inputStream(new Int32Array(counters), port, { ready: () => say({ kind: 'ready' }), begun: () => say({ kind: 'begun' }), waits }),
    write: (fd, bytes) => {
      if (fd === 1) return values.add(bytes);
      errors.push(bytes.slice(0, room));
      room = Math.max(0, room - bytes.length);
    },
  };
  let status: number | undefined;
  try {
    const jq = await loadJq({ instantiateWasm: withStreams(module, streams) });
    status = jq.raw('', expression, ['-c', '-r', ...(perDocument ? ['--unbuffered'] : []), '--']).exitCode;
  } catch (error) {
    if (errors.length === 0) errors.push(Buffer.from(String(error)));
  }
  values.send();
  say({ kind: 'end', status, errors: Buffer.concat(errors).toString() });
}

/** jq's streams. `read` fills a part of jq's memory and gives the number of bytes, 0 at the end. `write` copies the bytes. */
interface Streams {
  readonly read: (into: Uint8Array) => number;
  readonly write: (fd: number, bytes: Uint8Array) => void;
}

/** A function of WASI: a stream, the address of pairs of an address and a length, their count, and the address for the number of bytes. */
type StreamCall = (fd: number, vectors: number, count: number, counted: number) => number;

type Imports = Readonly<Record<string, StreamCall>>;

/** What is called of the platform. Node's types don't declare WebAssembly. */
declare const WebAssembly: {
  instantiate(module: CompiledModule, imports: { readonly a: Imports }): Promise<{ readonly exports: Readonly<Record<string, unknown>> }>;
  readonly Memory: new () => { readonly buffer: ArrayBuffer };
};

/**
 * Makes an instance of jq's module with streams of ours. The package's own take the whole input as a text and give the whole output as
 * another. Its streams are replaced among the imports of the module, which go by short names.
 */
function withStreams(module: CompiledModule, { read, write }: Streams): NonNullable<JqLoadOptions['instantiateWasm']> {
  let memory = (): ArrayBuffer => new ArrayBuffer(0);
  const each = (vectors: number, count: number, counted: number, act: (bytes: Uint8Array) => number): number => {
    const buffer = memory();
    const view = new DataView(buffer);
    let total = 0;
    for (let at = vectors; at < vectors + count * 8; at += 8) {
      const length = view.getUint32(at + 4, true);
      const done = length === 0 ? 0 : act(new Uint8Array(buffer, view.getUint32(at, true), length));
      total += done;
      if (done < length) break;
    }
    view.setUint32(counted, total, true);
    return 0;
  };
  const own: Imports = {
    _fd_read: (_fd, vectors, count, counted) => each(vectors, count, counted, read),
    _fd_write: (fd, vectors, count, counted) =>
      each(vectors, count, counted, (bytes) => {
        write(fd, bytes);
        return bytes.length;
      }),
  };
  return async ({ a: imports }: { readonly a: Imports }, take) => {
    const given = new Set(Object.values(imports).map(({ name }) => name));
    for (const name of Object.keys(own)) if (!given.has(name)) throw new Error(`The module of jq-wasm imports no ${name}.`);
    const replaced = Object.entries(imports).map(([short, one]) => [short, own[one.name] ?? one] as const);
    const instance = await WebAssembly.instantiate(module, { a: Object.fromEntries(replaced) });
    const exported = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory);
    if (exported !== undefined) memory = () => exported.buffer;
    take(instance, module);
  };
}

/** Fills jq's memory with its standard input, at most a piece at a time; 0 at the end. Blocks until the next piece arrives. */
function inputStream(
  counters: Int32Array,
  port: MessagePort,
  { ready, begun, waits }: { readonly ready: () => void; readonly begun: () => void; readonly waits: () => void },
): Streams['read'] {
  let piece: ToJq = new Uint8Array();
  let isReady = false;
  return (into) => {
    if (!isReady) ready();
    isReady = true;
    while (piece !== null && piece.length === 0) {
      waits();
      piece = nextPiece(counters, port);
      begun();
    }
    if (piece === null) return 0;
    const part = piece.subarray(0, into.length);
    into.set(part);
    piece = piece.subarray(part.length);
    return part.length;
  };
}

function nextPiece(counters: Int32Array, port: MessagePort): ToJq {
  for (;;) {
    const seen = Atomics.load(counters, sent);
    const received: { message: ToJq } | undefined = receiveMessageOnPort(port);
    if (received !== undefined) return received.message;
    Atomics.wait(counters, sent, seen);
  }
}

/** jq's standard output in pieces. Blocks while `mostWaiting` pieces wait to be taken. */
function valueStream(
  counters: Int32Array,
  say: (message: FromJq) => void,
): { readonly add: (bytes: Uint8Array) => void; readonly send: () => void } {
  const next = new Uint8Array(pieceSize);
  let length = 0;
  let pieces = 0;
  const send = (): void => {
    if (length === 0) return;
    for (let count = Atomics.load(counters, taken); pieces - count >= mostWaiting; count = Atomics.load(counters, taken)) {
      Atomics.wait(counters, taken, count);
    }
    say({ kind: 'values', bytes: next.slice(0, length) });
    pieces += 1;
    length = 0;
  };
  const add = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + pieceSize - length);
      next.set(part, length);
      length += part.length;
      at += part.length;
      if (length === pieceSize) send();
    }
  };
  return { add, send };
}

if (parentPort !== null) void run(workerData as JqTask, parentPort);
