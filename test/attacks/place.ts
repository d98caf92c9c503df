// A folder, a service at its worst and the program as a process between the two; and the attacks themselves.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Crm, cleanEnv, runCrm, shellCommand } from '../support/crm.ts';
import { fastEnv } from '../support/fast-time.ts';
import { type RunningCrm, startCrm } from '../support/start-crm.ts';
import { type Kept, type Manners, type StrangeService, startStrangeService, type Values } from '../support/strange-service.ts';

export interface Place {
  readonly folder: string;
  readonly service: StrangeService;
  readonly env: Record<string, string>;
  /** Writes a file into the folder; its path. */
  write(name: string, content: string): string;
  /** Runs the program to its end. */
  crm(args: readonly string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Crm>;
  start(args: readonly string[], env?: Record<string, string>): RunningCrm;
  /** Runs the program on a terminal; what it shows is its standard output. */
  onTerminal(args: readonly string[], options?: OnTerminal): Promise<Crm>;
  /** The files below the data folder that hold journals. */
  journals(): string[];
}

export interface OnTerminal {
  /** What the editor does, as a shell script; $1 is the file. */
  readonly editor?: string;
  /** Typed once there is a question; `asked` is called before. */
  readonly typed?: string;
  readonly asked?: () => void;
  readonly env?: Record<string, string>;
}

/** What the longest attack waits for at the most, in milliseconds. */
const longest = 300_000;

async function inPlace(manners: Manners, work: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-attack-'));
  const service = await startStrangeService(manners);
  const env = {
    CRM_BASE_URL: service.baseUrl,
    CRM_API_KEY: service.key,
    CRM_DATA_DIR: join(folder, 'data'),
    CRM_CONFIG_DIR: join(folder, 'config'),
    ...fastEnv(),
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
      crm: (args, options = {}) => {
        if (options.stdin !== undefined) return runCrm(args, { env: { ...env, ...options.env }, stdin: options.stdin });
        return start(args, options.env).ended;
      },
      start,
      onTerminal: (args, options = {}) => onTerminal(folder, { ...env, ...options.env }, args, options),
      journals: () => journalsBelow(join(folder, 'data')),
    });
  } finally {
    for (const { process } of started) process.kill('SIGKILL');
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `script` gives it a terminal of its own. */
async function onTerminal(
  folder: string,
  env: Record<string, string>,
  args: readonly string[],
  { editor, typed, asked }: OnTerminal,
): Promise<Crm> {
  const quoted = args.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const own = editor === undefined ? env : { ...env, EDITOR: editorOf(folder, editor) };
  const line = `stty rows 40 cols 100; ${shellCommand()} ${quoted}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...cleanEnv(own), SHELL: '/bin/sh', TERM: 'xterm' } });
  child.stdin.on('error', () => undefined);
  let stdout = '';
  let isAsked = false;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
    if (isAsked || typed === undefined || !/\(y\/N\)/i.test(stdout)) return;
    isAsked = true;
    asked?.();
    child.stdin.write(typed);
  });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, stdout, stderr: '' };
}

/** An editor that is a script; $1 is the file. */
function editorOf(folder: string, script: string): string {
  const path = join(folder, 'editor.sh');
  writeFileSync(path, `#!/bin/sh\nset -e\n${script}\n`, { mode: 0o755 });
  return path;
}

function journalsBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true });
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.sqlite') && /\/(runs|journals)(\/|$)/.test(file.parentPath))
    .map((file) => join(file.parentPath, file.name));
}

/** An attack that must come to nothing. */
export function attack(name: string, work: (place: Place) => Promise<void>, manners: Manners = {}): void {
  it.concurrent(name, () => inPlace(manners, work), longest);
}

export const header = 'title,first-name,last-name,email,company-name,phone,status,category';

/** A row of leads; everything follows from its number. */
export const row = (number: number): string =>
  [`Lead ${number}`, 'Jo', `Last ${number}`, `jo${number}@rows.example`, `Company ${number}`, `+49 30 55500${number}`, 1, 1].join(',');

/** A file of so many leads. */
export const leadsFile = (count: number): string => [header, ...Array.from({ length: count }, (_, index) => row(index + 1)), ''].join('\n');

export const titlesUpTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `Lead ${index + 1}`).toSorted();

/** The titles that are there, sorted: one twice where it was made twice. */
export const titlesOf = ({ service }: Place, family = 'leads', path = 'title'): string[] =>
  service
    .there(family)
    .map((kept) => String(service.values(kept)[path]))
    .toSorted();

/** A lead that was there before. */
export const leadOf = ({ service }: Place, number: number, more: Values = {}): Kept =>
  service.has('leads', {
    title: `Lead ${number}`,
    'status.id': 1,
    'category.id': 1,
    'contact.first_name': 'Jo',
    'contact.phone': `030 ${number}`,
    'contact.email': `jo${number}@rows.example`,
    ...more,
  });

export interface Counts {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  readonly unknown: number;
  readonly conflicts?: number;
}

/** What an import says on standard output. */
export function countsOf({ stdout, stderr, status }: Crm): Counts {
  try {
    return JSON.parse(stdout) as Counts;
  } catch {
    throw new Error(`no counts on standard output, status ${status}: ${stdout}\n${stderr}`);
  }
}

/** Of an import of so many rows: each is there once, or told as unknown and there at most once; what was said is true. */
export function expectOnce(place: Place, end: Crm, rows: number, { asks = false } = {}): void {
  const titles = titlesOf(place);
  expect(new Set(titles).size, `doubled: ${titles}\n${end.stderr}`).toBe(titles.length);
  const { created, unknown, failed } = countsOf(end);
  if (!asks)
    expect({ status: end.status, created, unknown, failed }, end.stderr).toEqual({ status: 0, created: rows, unknown: 0, failed: 0 });
  expect(created, end.stderr).toBeLessThanOrEqual(titles.length);
  expect(created + unknown, end.stderr).toBeGreaterThanOrEqual(titles.length);
  if (created === rows) expect(titles).toEqual(titlesUpTo(rows));
}

/** A seed file of records. */
export const seedOf = (...records: string[]): string => `version: 1\nrecords:\n${records.map((one) => `  - ${one}\n`).join('')}`;

export const seedLead = (name: string, more = ''): string =>
  `{ name: ${name}, type: lead, set: { title: Deal of ${name}, status: 1, category: 1, first-name: ${name}${more} } }`;
