// The built command as a process, the way a user runs it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanEnv } from './environment.ts';

/** The file of the command; CRM_BIN names the file of another build to test. */
export const bin = process.env.CRM_BIN ?? fileURLToPath(new URL('../../bin/crm.js', import.meta.url));

export interface Crm {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program that starts `crm` with these arguments, and all arguments of the program. */
export function crmCommand(args: readonly string[]): [string, string[]] {
  return bin.endsWith('.js') ? [process.execPath, [bin, ...args]] : [bin, [...args]];
}

/** The beginning of a shell's command line that starts `crm`. */
export function shellCommand(): string {
  const [command, args] = crmCommand([]);
  return [command, ...args].map((word) => `'${word}'`).join(' ');
}

/** Runs `crm` to its end. `stdin`: the text on standard input, which is never a terminal. */
export async function runCrm(
  args: readonly string[],
  options: { env?: Record<string, string>; stdin?: string; cwd?: string } = {},
): Promise<Crm> {
  const [command, all] = crmCommand(args);
  const child = spawn(command, all, { env: cleanEnv(options.env), cwd: options.cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined).end(options.stdin ?? '');
  const [stdout, stderr, [status]] = await Promise.all([collect(child.stdout), collect(child.stderr), once(child, 'close')]);
  return { status: status as number | null, stdout, stderr };
}

export interface SandboxServer {
  readonly baseUrl: string;
  readonly key: string;
  readonly process: ChildProcess;
  /** Sends SIGTERM and waits for a clean end. */
  stop(): Promise<void>;
}

/** Starts `crm sandbox serve` on a free port and waits until it accepts connections. */
export async function startSandbox(args: readonly string[], env: Record<string, string> = {}): Promise<SandboxServer> {
  const [command, all] = crmCommand(['sandbox', 'serve', '--port', '0', '--json', ...args]);
  const child = spawn(command, all, { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await firstLine(child);
  const { base_url: baseUrl, api_key: key } = JSON.parse(line) as { base_url: string; api_key: string };
  return {
    baseUrl,
    key,
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      const [status] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
      if (status !== 0) throw new Error(`sandbox serve ended with status ${status}`);
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  throw new Error(`sandbox serve ended before it printed a line: ${text}`);
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
