// A folder that holds `crm`, for the PATH of a script.

import { once } from 'node:events';
import { appendFileSync, chmodSync, constants, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type ProcessStreams, systemIo } from '../../src/output/streams/io.ts';
import { shellCommand } from './crm.ts';
import { statusHere } from './run-here.ts';

export interface OnPath {
  readonly folder: string;
  stop(): void;
}

/** Makes a folder whose `crm` is a command as a shell would start it, the built one unless another is given. */
export function builtOnPath(parent: string, command = shellCommand()): OnPath {
  return { folder: folderWith(parent, `#!/bin/sh\nexec ${command} "$@"\n`), stop: () => undefined };
}

/**
 * Makes a folder whose `crm` runs in this process, ten times as fast as in a process of its own: a shell hands over its words, its
 * variables, which of its streams are a terminal, and all of its standard input, and shows what comes back. This process itself writes to
 * the terminal, which the variable TTY names; nobody can answer a question there, and no pager opens. `clockOf` gives the clock of a call.
 */
export async function hereOnPath(parent: string, clockOf: () => Clock = () => systemClock): Promise<OnPath> {
  const server = createServer(async (socket) => {
    for await (const call of createInterface(socket)) socket.end(`${await answer(call, clockOf())}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const script = `#!/bin/bash
call='${parent}/call-'$$
terminals=
for n in 0 1 2; do [ -t $n ] && terminals+=$n; done
[ -t 0 ] || cat >"$call-stdin"
printf '%s\\0' "$PWD" "$terminals" "$@" >"$call-words"
env -0 >"$call-env"
: >"$call-stdout" >"$call-stderr"
exec 3<>/dev/tcp/127.0.0.1/${port}
echo "$call" >&3
read -r status <&3
[ -s "$call-stdout" ] && cat "$call-stdout"
[ -s "$call-stderr" ] && cat "$call-stderr" >&2
exit "$status"
`;
  return { folder: folderWith(parent, script), stop: () => server.close() };
}

/** Runs the call whose files begin with this path, and leaves in others what it printed off the terminal. Gives its exit status. */
async function answer(call: string, clock: Clock): Promise<number> {
  const read = (name: string): string => readFileSync(`${call}-${name}`, 'utf8');
  const [cwd = '', terminals = '', ...args] = read('words').split('\0').slice(0, -1);
  const variables = read('env').split('\0').slice(0, -1);
  const env = Object.fromEntries(variables.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
  const isTTY = terminals.includes('0');
  const stdin = Object.assign(Readable.from(isTTY ? [] : [readFileSync(`${call}-stdin`)]), { isTTY });
  // One stream for both: a line of progress is erased before what else is written to its stream.
  const terminal = /[12]/.test(terminals) ? terminalAt(env.TTY ?? '') : undefined;
  const stdout = (terminals.includes('1') && terminal) || fileAt(`${call}-stdout`);
  const stderr = (terminals.includes('2') && terminal) || fileAt(`${call}-stderr`);
  // A pager would get the streams of this process.
  const { pager: _, ...io } = systemIo({ stdin, stdout, stderr, env } as unknown as ProcessStreams);
  try {
    return await statusHere(args, io, { env, cwd, clock });
  } finally {
    terminal?.destroy();
  }
}

/** A stream to a terminal: it tells the terminal's size and colours, and has written when `write` returns. */
const terminalAt = (device: string): WriteStream => new WriteStream(openSync(device, constants.O_RDWR | constants.O_NOCTTY));

/** A stream to the end of a file. It has written when `write` returns. */
const fileAt = (path: string): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      appendFileSync(path, chunk);
      done();
    },
  });

function folderWith(parent: string, script: string): string {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'crm'), script);
  chmodSync(join(folder, 'crm'), 0o755);
  return folder;
}
