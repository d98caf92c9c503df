// A served embedded CRM for seed tests: the program in this process against it, and everything that is in it, to compare.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openHandler } from '../../src/sandbox/http/answer.ts';
import type { Crm } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { runHere } from '../support/run-here.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';

export interface Workplace {
  readonly folder: string;
  readonly server: ServedHere;
  readonly env: Record<string, string>;
  write(name: string, content: string): void;
  /** Sets members of a record by their paths, its id included, without a new time of change. */
  rewrite(list: string, id: number, members: Readonly<Record<string, unknown>>): void;
  /** Lets a record have been made at another time, in milliseconds from now. */
  made(list: string, id: number, milliseconds: number): void;
  /** Runs `crm` to its end in the folder, which holds `examples/`. */
  crm(args: readonly string[], options?: { stdin?: string; env?: Record<string, string> }): Promise<Crm>;
  /** A record as the service tells it. */
  record(list: string, id: number): Promise<Record<string, unknown>>;
  /** Every record of every list, by path; comments by lead. */
  everything(): Promise<Everything>;
  close(): Promise<void>;
}

export type Everything = Record<string, Record<string, unknown>[]>;

const lists = ['contacts', 'proposals', 'leads', 'items', 'notes', 'clients'];

/** Starts a service with demo data, with reference data only, or with the records of a file (prepared). */
export async function openWorkplace({ empty = false, from }: { empty?: boolean; from?: string } = {}): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-seed-'));
  cpSync(join(import.meta.dirname, '../../examples'), join(folder, 'examples'), { recursive: true });
  const file = join(folder, 'service.sqlite');
  const server = await serveHere(file, { empty, from });
  const env = {
    CRM_BASE_URL: server.baseUrl,
    CRM_API_KEY: server.key,
    CRM_DATA_DIR: join(folder, 'data'),
    CRM_CONFIG_DIR: join(folder, 'config'),
  };
  const rewrite: Workplace['rewrite'] = (list, id, members) => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(file);
    const set = database.prepare(`UPDATE ${list} SET doc = json_set(doc, ?, json(?)) WHERE id = ?`);
    for (const [path, value] of Object.entries(members)) set.run(`$.${path}`, JSON.stringify(value), id);
    if (members.id !== undefined) database.prepare(`UPDATE ${list} SET id = ? WHERE id = ?`).run(Number(members.id), id);
    database.close();
  };
  return {
    folder,
    server,
    env,
    write: (name, content) => writeFileSync(join(folder, name), content),
    made: (list, id, milliseconds) =>
      rewrite(list, id, { 'dates.created': new Date(Date.now() + milliseconds).toISOString().replace('Z', '000Z') }),
    rewrite,
    crm: (args, options = {}) => runHere(args, { ...options, cwd: folder, env: cleanEnv({ ...env, ...options.env }) }),
    record: (list, id) => asking(file, async (ask) => (await ask<Record<string, unknown>>(`/api/${list}/${id}`)).data),
    everything: () =>
      asking(file, async (ask) => {
        const everything: Everything = {};
        for (const name of lists) everything[name] = await all(ask, name);
        const comments: Record<string, unknown>[] = [];
        for (const { id } of everything.leads ?? []) comments.push({ lead: id, comments: await texts(ask, Number(id)) });
        return { ...everything, comments: comments.filter((one) => (one.comments as unknown[]).length > 0) };
      }),
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The workplace of the test that runs: a new one for each test of the file, where `work` has been done before, once. */
export function eachWorkplace(options: Parameters<typeof openWorkplace>[0] = {}, work?: (place: Workplace) => Promise<void>): Workplace {
  const place = {} as { -readonly [member in keyof Workplace]: Workplace[member] };
  let begin: Workplace | undefined;
  if (work !== undefined) {
    beforeAll(async () => {
      begin = await openWorkplace(options);
      await work(Object.assign(place, begin));
      await begin.server.stop();
    });
    afterAll(() => begin !== undefined && rmSync(begin.folder, { recursive: true }));
  }
  const from = (): object => (begin === undefined ? {} : { from: join(begin.folder, 'service.sqlite') });
  beforeEach(async () => void Object.assign(place, await openWorkplace({ ...options, ...from() })));
  afterEach(() => place.close());
  return place;
}

type Ask = <T = Record<string, unknown>[]>(path: string) => Promise<{ data: T; meta?: { last_page: number } }>;

/** Asks the service at a file without a socket: all that is in it takes more than fifty requests. */
async function asking<T>(file: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { answer, close } = openHandler(file);
  try {
    return await work(async (path) => JSON.parse((await answer({ method: 'GET', path })).body));
  } finally {
    close();
  }
}

async function all(ask: Ask, name: string): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, meta } = await ask(`/api/${name}?limit=100&page=${page}`);
    records.push(...data);
    last = meta?.last_page ?? 1;
  }
  return records.sort((a, b) => Number(a.id) - Number(b.id));
}

const texts = async (ask: Ask, lead: number): Promise<unknown[]> => (await ask(`/api/leads/${lead}/comments`)).data.map(({ text }) => text);

/** How many there are of each. */
export function countsOf(everything: Everything): Record<string, number> {
  return Object.fromEntries(Object.entries(everything).map(([name, records]) => [name, records.length]));
}

/** The same without ids and times: what two runs that did the same have in common, whatever order they did it in. */
export function contentOf(everything: Everything): Record<string, string[]> {
  const titles = new Map(everything.leads?.map(({ id, title }) => [Number(id), String(title)]));
  const plain = ({ id: _id, dates: _dates, lead, client, resource, converted, ...rest }: Record<string, unknown>): string => {
    const on = resource as { type: string | null; id: number | null } | undefined;
    return JSON.stringify({
      ...rest,
      lead: typeof lead === 'number' ? titles.get(lead) : (lead as { name?: string } | undefined)?.name,
      client: (client as { company_name?: string; name?: string } | undefined)?.company_name,
      ...(on?.type === 'lead' ? { on: titles.get(on.id ?? 0) } : {}),
      converted: (converted as { is_converted?: boolean } | undefined)?.is_converted,
    });
  };
  return Object.fromEntries(Object.entries(everything).map(([name, records]) => [name, records.map(plain).sort()]));
}

/** What the history tells of the latest run of a seed; undefined: nothing. */
export async function told(place: Workplace, seed: string, env = {}): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await place.crm(['history', '--json'], { env });
  return (JSON.parse(stdout) as Record<string, unknown>[]).find((row) => row.seed === seed);
}

/** Adds a protected profile of the place's service. */
export const addProtected = ({ crm, server }: Workplace, name: string): ReturnType<Workplace['crm']> =>
  crm(['profile', 'add', name, '--base-url', server.baseUrl, '--key-command', `echo ${server.key}`, '--protected', '--no-verify']);
