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

async function outcome(child: RunningCrm['process']): Promise<Crm> {
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status: status as number | null };
}

async function text(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
