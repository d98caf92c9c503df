// The thread in which jq runs: an expression without an end stops nobody from ending it, and its memory has a bound. jq reads
// and writes nothing but what the messages bring and take.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import createJq from 'jq-wasm/dist/build/jq.js';
import { type FromJq, type JqTask, sent, type ToJq, taken } from './messages.ts';

/** How many bytes of values go in one message, and how many messages may wait to be taken. */
const pieceSize = 64 * 1024;
const mostWaiting = 8;

/** How many bytes of jq's standard error are kept. */
const mostErrors = 1024 * 1024;

/** The most memory, in pages of 64 KiB: 1 GiB. It holds 100,000 leads as one document; the package has 256 MiB. */
const mostPages = 16_383;

async function run({ expression, perDocument, counters }: JqTask, port: MessagePort): Promise<void> {
  const say = (message: FromJq): void => port.postMessage(message);
  const errors: number[] = [];
  const values = valueStream(new Int32Array(counters), say);
  // Whoever gets record by record waits for no other one.
  const waits = (): void => (perDocument ? values.send() : undefined);
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = withMemory(instantiate);
  const jq = await createJq({
    thisProgram: 'jq',
    stdin: inputStream(new Int32Array(counters), port, { ready: () => say({ kind: 'ready' }), begun: () => say({ kind: 'begun' }), waits }),
    stdout: values.add,
    stderr: (byte: number | null) => {
      if (byte !== null && errors.length < mostErrors) errors.push(byte);
    },
    // The package's own streams, which it sets up here, copy all they hold for each byte.
    monitorRunDependencies(this: { preRun: unknown }) {
      this.preRun = [];
    },
  });
  let status: number | undefined;
  try {
    status = jq.callMain(['-c', '-r', ...(perDocument ? ['--unbuffered'] : []), '--', expression]);
  } catch (error) {
    errors.push(...Buffer.from(errors.length > 0 ? '' : String(error)));
  }
  values.send();
  say({ kind: 'end', status, errors: Buffer.from(errors).toString() });
}

/** jq's standard input: waits for the next piece when one is used up. */
function inputStream(
  counters: Int32Array,
  port: MessagePort,
  { ready, begun, waits }: { readonly ready: () => void; readonly begun: () => void; readonly waits: () => void },
): () => number | null {
  let piece: ToJq = new Uint8Array();
  let at = 0;
  let isReady = false;
  return () => {
    if (!isReady) ready();
    isReady = true;
    while (piece !== null && at === piece.length) {
      waits();
      piece = nextPiece(counters, port);
      at = 0;
      begun();
    }
    return piece === null ? null : (piece[at++] ?? null);
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

/** jq's standard output, in pieces: no more than a few wait to be taken. The package flushes with a null. */
function valueStream(
  counters: Int32Array,
  say: (message: FromJq) => void,
): { readonly add: (byte: number | null) => void; readonly send: () => void } {
  const bytes = new Uint8Array(pieceSize);
  let length = 0;
  let pieces = 0;
  const send = (): void => {
    if (length === 0) return;
    for (let known = Atomics.load(counters, taken); pieces - known >= mostWaiting; known = Atomics.load(counters, taken)) {
      Atomics.wait(counters, taken, known);
    }
    say({ kind: 'values', bytes: bytes.slice(0, length) });
    pieces += 1;
    length = 0;
  };
  const add = (byte: number | null): void => {
    if (byte === null) return;
    bytes[length++] = byte;
    if (length === pieceSize) send();
  };
  return { add, send };
}

/** Instantiates jq with all the memory that it may have: what it doesn't touch costs nothing, and it need not ask for more. */
function withMemory(instantiate: typeof WebAssembly.instantiate): typeof instantiate {
  return async (code, imports) => {
    allowPages(code, mostPages);
    const made = await instantiate(code, imports);
    for (const one of Object.values(made.instance.exports)) {
      if (one instanceof WebAssembly.Memory) one.grow(mostPages - one.buffer.byteLength / 65_536);
    }
    return made;
  };
}

/** Changes the most memory that a module declares. Both numbers are of two bytes, LEB128. */
function allowPages(code: Uint8Array, pages: number): void {
  const memorySection = 5;
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = code[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < code.length) {
    const section = code[at++];
    const length = number();
    if (section !== memorySection) {
      at += length;
      continue;
    }
    const [_count, hasMost, _least] = [number(), number(), number()];
    const place = at;
    number();
    if (hasMost !== 1 || at - place !== 2) throw new Error('The WebAssembly module of jq declares its memory in another way.');
    code.set([(pages & 0x7f) | 0x80, pages >> 7], place);
    return;
  }
}

if (parentPort !== null) void run(workerData as JqTask, parentPort);
