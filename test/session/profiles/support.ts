// What the profile tests share: a context that touches nothing but a folder of its own, and children that use the store.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ResolvedInput } from '../../../src/base/flag.ts';
import type { GlobalFlags } from '../../../src/base/global-flags.ts';
import { readGlobalFlags } from '../../../src/base/global-flags.ts';
import type { Io } from '../../../src/output/streams/io.ts';
import { symbolsFor } from '../../../src/output/streams/symbols.ts';
import { Waits } from '../../../src/output/streams/waits.ts';
import type { Context } from '../../../src/session/context.ts';
import { createContext } from '../../../src/session/context.ts';
import type { Profile } from '../../../src/session/profiles/profile.ts';

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-profiles-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface FakeOptions {
  readonly configDir: string;
  readonly env?: Context['env'];
  readonly flags?: Partial<GlobalFlags>;
  readonly stdin?: string;
  readonly terminal?: boolean;
  readonly signal?: AbortSignal;
}

export interface FakeContext extends Context {
  /** Every text handed to `keepSecret`, in order. */
  readonly secrets: string[];
  /** What was written to standard error. */
  readonly shown: () => string;
  /** Types on the terminal. */
  readonly type: (text: string) => void;
}

/** The real context over streams in memory; its settings come from the folder and the given environment. */
export function fakeContext({ configDir, env = {}, flags = {}, stdin = '', terminal = false, signal }: FakeOptions): FakeContext {
  const secrets: string[] = [];
  const input = new PassThrough();
  const output = new PassThrough();
  // A question ends what it writes to; a process's standard error outlives that.
  output.end = () => output;
  let shown = '';
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const io: Io = {
    stdin: { isTTY: terminal, readAll: async () => new TextEncoder().encode(stdin), stream: input },
    stdout: { isTTY: terminal, columns: 80, rows: 24, color: false, depth: 4 },
    symbols: symbolsFor({}),
    stderr: { isTTY: terminal, columns: 80, color: false, redraws: terminal, stream: output },
    waits: new Waits(),
    signals: {},
    out: async () => {},
    outBytes: async () => {},
    flush: async () => {},
    err: (text) => {
      shown += text;
    },
    colorPrompts: () => {},
    holdsSecret: () => false,
    keepSecret: (secret) => {
      secrets.push(secret);
    },
    setColor: () => {},
  };
  const surroundings = {
    io,
    env: { PATH: process.env.PATH, CRM_CONFIG_DIR: configDir, CRM_DATA_DIR: configDir, ...env },
    cwd: configDir,
    signal: signal ?? new AbortController().signal,
  };
  const context = createContext(surroundings, { ...readGlobalFlags({}), ...flags });
  return { ...context, secrets, shown: () => shown, type: (text) => void input.write(text) };
}

/** A profile of https://acme.test with a key. */
export function acme(changes: Partial<Profile> = {}): Profile {
  return { baseUrl: 'https://acme.test', key: 'crm_acme_0123456789', encoding: 'form', insecureHttp: false, protected: false, ...changes };
}

export function typed(args: readonly string[], flags: ResolvedInput['flags'] = {}): ResolvedInput {
  return { args, flags, typed: { args, flags } };
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script beside this file in a Node process of its own, under a umask. */
export function runScript(script: string, args: readonly string[], umask = '022', env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const file = fileURLToPath(new URL(`./children/${script}`, import.meta.url));
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}
