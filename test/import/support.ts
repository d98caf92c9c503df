// An embedded CRM in a folder of its own, and the program in this process against it.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { main } from '../../src/entry/main.ts';
import { type FakeIoOptions, fakeIo } from '../support/fake-io.ts';
import { makeSandbox } from '../support/make-sandbox.ts';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard error, write by write. */
  readonly writes: readonly string[];
  /** Standard output as JSON. */
  json(): unknown;
}

type Member = Readonly<Record<string, unknown>>;

export interface Workshop {
  readonly folder: string;
  readonly env: Record<string, string>;
  write(name: string, content: string | Uint8Array): void;
  read(name: string): string;
  /** Runs `crm` with these words. */
  crm(argv: readonly string[], options?: FakeIoOptions & { signal?: AbortSignal; env?: Record<string, string> }): Promise<Ended>;
  /** The value that each lead holds at a path, or null; in ascending order of `sort`. */
  held(path: string, sort: string): Promise<unknown[]>;
  remove(): void;
}

/** A folder with an embedded CRM: with demo data, or with reference data only. */
export function openWorkshop({ demo = false }: { demo?: boolean } = {}): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bulk-'));
  mkdirSync(join(folder, 'data'));
  makeSandbox(join(folder, 'data', 'sandbox.sqlite'), { demo });
  const own = { CRM_BASE_URL: 'sandbox:', CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config') };
  const crm: Workshop['crm'] = async (argv, { signal = new AbortController().signal, env, ...options } = {}) => {
    const io = fakeIo(options);
    const status = await main(argv, { io, env: { ...own, ...env }, cwd: folder, signal });
    const [stdout, stderr] = [io.stdoutText(), io.stderrText()];
    const writes = io.log().flatMap(({ stream, text }) => (stream === 'stderr' ? [text] : []));
    return { status, stdout, stderr, writes, json: () => JSON.parse(stdout) };
  };
  return {
    folder,
    env: own,
    write: (name, content) => writeFileSync(join(folder, name), content),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    crm,
    held: async (path, sort) => {
      const leads = (await crm(['leads', 'list', '--all', '--json', '--sort', sort, '--order', 'asc'])).json() as Member[];
      return leads.map((lead) => path.split('.').reduce<unknown>((one, name) => (one as Member)[name], lead) ?? null);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The workshop of the test that runs: a new one for each test of the file. */
export function eachWorkshop(options: Parameters<typeof openWorkshop>[0] = {}): Workshop {
  const shop = {} as { -readonly [member in keyof Workshop]: Workshop[member] };
  beforeEach(() => void Object.assign(shop, openWorkshop(options)));
  afterEach(() => shop.remove());
  return shop;
}
