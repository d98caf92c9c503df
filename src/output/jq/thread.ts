// The worker thread that runs jq. In a thread, the program can end an endless expression. The package limits jq's memory to 256 MiB. All
// input and output goes through messages.

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import createJq from 'jq-wasm/dist/build/jq.js';
import { type FromJq, type JqTask, sent, type ToJq, taken } from './messages.ts';

/** The bytes of values in one message, and how many messages may wait to be taken. */
const pieceSize = 64 * 1024;
const mostWaiting = 8;

/** The bytes kept of jq's standard error. */
const mostErrors = 1024 * 1024;

async function run({ expression, perDocument, counters }: JqTask, port: MessagePort): Promise<void> {
  const say = (message: FromJq): void => port.postMessage(message);
  const errors: number[] = [];
  const values = valueStream(new Int32Array(counters), say);
  // With ndjson the values of a record are sent before jq waits for the next record.
  const waits = (): void => (perDocument ? values.send() : undefined);
  const jq = await createJq({
    thisProgram: 'jq',
    stdin: inputStream(new Int32Array(counters), port, { ready: () => say({ kind: 'ready' }), begun: () => say({ kind: 'begun' }), waits }),
    stdout: values.add,
    stderr: (byte: number | null) => {
      if (byte !== null && errors.length < mostErrors) errors.push(byte);
    },
    // Removes the package's own streams, which copy their whole buffer for each byte.
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

/** jq's standard input, byte by byte; null at the end. Blocks until the next piece arrives. */
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

/** jq's standard output in pieces. Blocks while `mostWaiting` pieces wait to be taken. The package flushes with a null. */
function valueStream(
  counters: Int32Array,
  say: (message: FromJq) => void,
): { readonly add: (byte: number | null) => void; readonly send: () => void } {
  const bytes = new Uint8Array(pieceSize);
  let length = 0;
  let pieces = 0;
  const send = (): void => {
    if (length === 0) return;
    for (let count = Atomics.load(counters, taken); pieces - count >= mostWaiting; count = Atomics.load(counters, taken)) {
      Atomics.wait(counters, taken, count);
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

if (parentPort !== null) void run(workerData as JqTask, parentPort);
