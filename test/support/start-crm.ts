// Starts the built command as a process that a test watches or signals.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Crm, crmCommand } from './crm.ts';
import { cleanEnv } from './environment.ts';

export interface RunningCrm {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Crm>;
}

/** Starts `crm` with an empty standard input. `node`: options for Node. */
export function startCrm(args: readonly string[], env: Record<string, string> = {}, node: readonly string[] = []): RunningCrm {
  const [command, all] = crmCommand(args);
  const options = node.length > 0 ? { NODE_OPTIONS: node.join(' ') } : {};
  const child = spawn(command, all, { env: cleanEnv({ ...options, ...env }), stdio: ['ignore', 'pipe', 'pipe'] });
  return { process: child, ended: outcome(child) };
}

/** Waits until a command says something on standard error; from here on, so it is called before there was time to say it. */
export async function told({ process: child, ended }: RunningCrm, text: RegExp): Promise<void> {
  let said = '';
  const heard = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (text.test(said)) resolve();
    });
  });
  await Promise.race([heard, ended]);
  if (!text.test(said)) throw new Error(`It never said ${text}:\n${said}`);
}

async function outcome(child: RunningCrm['process']): Promise<Crm> {
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status: status as number | null };
}

async function text(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
