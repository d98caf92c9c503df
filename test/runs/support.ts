// A folder with files, a CRM that is nothing like the embedded one, and the program as a process between the two.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Crm, runCrm } from '../support/crm.ts';
import { type OtherService, type SeenWrite, startOtherService, type Traits } from '../support/other-service.ts';
import { type RunningCrm, startCrm } from '../support/start-crm.ts';

export interface Place {
  readonly folder: string;
  readonly service: OtherService;
  /** Settings of the environment that reach the service. */
  readonly env: Record<string, string>;
  /** Writes a file into the folder; its path. */
  write(name: string, content: string | Uint8Array): string;
  /** Runs the program to its end, a minute and a half at the most. */
  crm(args: readonly string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Crm>;
  start(args: readonly string[], env?: Record<string, string>): RunningCrm;
  /** Starts the program and ends it with kill -9 once its nth write has come. */
  killed(nth: number, args: readonly string[], env?: Record<string, string>): Promise<void>;
}

const longest = 90_000;

/** Opens a place, hands it over and clears it away. */
export async function inPlace(
  traits: Traits,
  work: (place: Place) => Promise<void>,
  seed = 1,
  mayCopy?: (write: SeenWrite) => boolean,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-runs-'));
  const service = await startOtherService(traits, seed, mayCopy);
  const env = {
    CRM_BASE_URL: service.baseUrl,
    CRM_API_KEY: service.key,
    CRM_DATA_DIR: join(folder, 'data'),
    CRM_CONFIG_DIR: join(folder, 'config'),
  };
  const started: RunningCrm[] = [];
  const start = (args: readonly string[], more: Record<string, string> = {}): RunningCrm => {
    const run = startCrm(args, { ...env, ...more });
    started.push(run);
    return run;
  };
  try {
    await work({
      folder,
      service,
      env,
      write: (name, content) => {
        writeFileSync(join(folder, name), content);
        return join(folder, name);
      },
      crm: async (args, options = {}) => {
        if (options.stdin !== undefined) return runCrm(args, { env: { ...env, ...options.env }, stdin: options.stdin });
        const run = start(args, options.env);
        return endOf(run, args);
      },
      start,
      killed: async (nth, args, more) => {
        const moment = service.write(nth);
        const run = start(args, more);
        const outcome = await Promise.race([moment, run.ended]);
        if (outcome !== undefined) throw new Error(`It ended before its write ${nth}: ${outcome.status}\n${outcome.stderr}`);
        run.process.kill('SIGKILL');
        await run.ended;
      },
    });
  } finally {
    for (const { process } of started) process.kill('SIGKILL');
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How a run ended; one that never does is killed and said. */
export async function endOf(run: RunningCrm, args: readonly string[]): Promise<Crm> {
  const overdue = sleep(longest + 1, undefined, { ref: false }).then(() => undefined);
  const end = await Promise.race([run.ended, overdue]);
  if (end !== undefined) return end;
  run.process.kill('SIGKILL');
  const { stderr } = await run.ended;
  throw new Error(`crm ${args.join(' ')} did not end within ${longest / 1000} s\n${stderr}`);
}

/** How many rows came to what, as an import says it with --json. */
export interface Counts {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly unknown: number;
}

/** What an import says on standard output. */
export function countsOf({ stdout, stderr, status }: Crm): Counts {
  try {
    return JSON.parse(stdout) as Counts;
  } catch {
    throw new Error(`no counts on standard output, status ${status}: ${stdout}\n${stderr}`);
  }
}
