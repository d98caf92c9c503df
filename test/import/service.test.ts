// Imports over HTTP: signals to processes, two at once, and services that fail in ways that need a decision.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Crm, cleanEnv, crmCommand, type SandboxServer, startSandbox } from '../support/crm.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { atRun } from '../support/journal.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
let server: SandboxServer;
/** Where tests change records: what somebody changed since could be what a lost request of another test made. */
let changing: SandboxServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-service-'));
  server = await startSandbox(['--db', join(folder, 'service.sqlite'), '--empty']);
  changing = await startSandbox(['--db', join(folder, 'changing.sqlite'), '--empty']);
});

afterAll(async () => {
  await server.stop();
  await changing.stop();
  rmSync(folder, { recursive: true });
});

interface Running {
  kill(signal: NodeJS.Signals): void;
  /** Resolves when standard error holds this text. */
  says(text: string): Promise<void>;
  readonly ended: Promise<Crm>;
}

/** A folder and a proxy of one test's own; leads are told from other tests' by their name. */
class Bench {
  readonly name: string;
  readonly folder: string;
  readonly proxy: FaultyProxy;
  readonly server: SandboxServer;

  constructor(name: string, proxy: FaultyProxy, server: SandboxServer) {
    this.name = name;
    this.proxy = proxy;
    this.server = server;
    this.folder = mkdtempSync(join(folder, 'bench-'));
    mkdirSync(join(this.folder, 'tmp'));
  }

  /** Writes a file of so many leads and gives its name. */
  leads(count: number): string {
    const rows = Array.from({ length: count }, (_, index) => `${this.name} ${index},1,1\n`);
    return this.write('leads.csv', `title,status,category\n${rows.join('')}`);
  }

  write(file: string, text: string): string {
    writeFileSync(join(this.folder, file), text);
    return file;
  }

  /** Starts a process. */
  start(args: string[], { stdin = '' } = {}): Running {
    const [program, all] = crmCommand(args);
    const child = spawn(program, all, {
      env: cleanEnv({ ...this.#env(this.proxy.baseUrl), TMPDIR: join(this.folder, 'tmp') }),
      cwd: this.folder,
    });
    child.stdin.end(stdin);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (text) => {
        texts[name] += text;
      });
    }
    return {
      kill: (signal) => child.kill(signal),
      says: async (text) => {
        while (!texts.stderr.includes(text)) await once(child.stderr, 'data');
      },
      ended: once(child, 'close').then(([status]) => ({ status, ...texts })),
    };
  }

  /** Runs to its end, in this process. */
  crm(...args: string[]): Promise<Crm> {
    return runHere(args, { env: this.#env(this.proxy.baseUrl), cwd: this.folder });
  }

  #env(baseUrl: string): Record<string, string> {
    const data = join(this.folder, 'data');
    return { CRM_BASE_URL: baseUrl, CRM_API_KEY: this.server.key, CRM_DATA_DIR: data, CRM_CONFIG_DIR: data };
  }

  async records(): Promise<{ id: number; title: string; value: string | null }[]> {
    const args = ['leads', 'list', '--search', `${this.name} `, '--all', '--json'];
    const { stdout } = await runHere(args, { env: this.#env(this.server.baseUrl), cwd: this.folder });
    return JSON.parse(stdout);
  }

  /** How many leads there are, and how many different ones. */
  async count(): Promise<[records: number, titles: number]> {
    const records = await this.records();
    return [records.length, new Set(records.map(({ title }) => title)).size];
  }
}

const summary = ({ stdout }: Crm): Record<string, unknown> => JSON.parse(stdout);
const errorOf = ({ stderr }: Crm): Record<string, unknown> => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;

async function bench(name: string, at = server): Promise<Bench> {
  return new Bench(name, await startFaultyProxy(at.baseUrl), at);
}

describe.concurrent('signals', () => {
  it.each([
    ['SIGINT', 130, 'Interrupted.'],
    ['SIGTERM', 143, 'Terminated.'],
  ] as const)(
    '%s once: what flies lands, the rest waits',
    async (signal, status, word) => {
      const one = await bench(signal);
      one.proxy.change({ delay: 20 });
      const file = one.leads(150);
      const run = one.start(['leads', 'import', file]);
      await one.proxy.write(60);
      run.kill(signal);
      const ended = await run.ended;
      expect(ended.status).toBe(status);
      const created = Number(/^created\t(\d+)$/m.exec(ended.stdout)?.[1]);
      expect(ended.stdout).toMatch(/^unknown\t0$/m);
      expect(created).toBeLessThan(100);
      expect(await one.count()).toEqual([created, created]);
      expect(ended.stderr).toContain(`${word} ${150 - created} rows are to go.\nGo on with: crm leads import ${file} --resume`);
      expect(summary(await one.crm('leads', 'import', file, '--resume', '--json'))).toMatchObject({ created: 150, unknown: 0 });
      expect(await one.count()).toEqual([150, 150]);
      await one.proxy.close();
    },
    180_000,
  );

  it('one signal that comes twice, as from timeout: once', async () => {
    const one = await bench('Echoed');
    one.proxy.change({ delay: 20 });
    const file = one.leads(200);
    const run = one.start(['leads', 'import', file]);
    await one.proxy.write(20);
    run.kill('SIGINT');
    run.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.status).toBe(130);
    expect(ended.stderr).toContain(`Go on with: crm leads import ${file} --resume`);
    expect(ended.stdout).toMatch(/^unknown\t0$/m);
    await one.proxy.close();
  });

  it('twice: gone at once, and still resumable', async () => {
    const one = await bench('Twice');
    one.proxy.change({ answer: ({ method }) => (method === 'POST' ? 'hold' : undefined) });
    const file = one.leads(40);
    const run = one.start(['leads', 'import', file, '--timeout', '600']);
    await one.proxy.write(4);
    run.kill('SIGINT');
    await sleep(100);
    run.kill('SIGINT');
    const { stderr } = await run.ended;
    expect(stderr).toBe(
      `Finishing what was sent; a second Ctrl-C leaves at once. Go on with: crm leads import ${file} --timeout 600 --resume\n`,
    );
    one.proxy.change();
    expect(summary(await one.crm('leads', 'import', file, '--resume', '--json'))).toMatchObject({ created: 40, unknown: 0 });
    expect(await one.count()).toEqual([40, 40]);
    await one.proxy.close();
  });

  it('a pause does not hold it up', async () => {
    const one = await bench('Paused');
    one.proxy.change({ answer: ({ method }) => (method === 'POST' ? 429 : undefined), retryAfter: '600' });
    const run = one.start(['leads', 'import', one.leads(5), '--concurrency', '1']);
    await run.says('Waiting 600 s');
    run.kill('SIGINT');
    const { status, stderr } = await run.ended;
    expect(status).toBe(130);
    // Nothing was sent, so there is nothing to resume.
    expect(stderr).toMatch(/No row was sent\.\n$/);
    expect(stderr).not.toContain('--resume');
    expect(JSON.parse((await one.crm('history', '--json')).stdout)).toEqual([]);
    await one.proxy.close();
  });
});

describe.concurrent('one run beside and after another', () => {
  it('standard input leaves nothing behind, and can be resumed', async () => {
    const one = await bench('Piped');
    one.proxy.change({ answer: ({ method, number }) => (method === 'POST' && number > 20 ? 401 : undefined) });
    const stdin = `title;status;category\n${Array.from({ length: 50 }, (_, index) => `Piped ${index};1;1\n`).join('')}`;
    const stopped = await one.start(['leads', 'import', '-', '--json'], { stdin }).ended;
    expect(stopped.status).toBe(4);
    expect(summary(stopped)).toMatchObject({ total: 50, failed: 0, unknown: 0 });
    expect(errorOf(stopped).hint).toMatch(/\nGo on with the same input and: crm leads import - --json --resume$/);
    expect(readdirSync(join(one.folder, 'tmp'))).toEqual([]);
    one.proxy.change();
    const resumed = await one.start(['leads', 'import', '-', '--json', '--resume'], { stdin }).ended;
    expect([resumed.status, summary(resumed)]).toMatchObject([0, { total: 50, created: 50 }]);
    expect(await one.count()).toEqual([50, 50]);
    await one.proxy.close();
  });

  it('--resume --dry-run tells what the resume would send, and changes nothing', async () => {
    const one = await bench('Dry');
    const none = await one.crm('leads', 'import', one.leads(40), '--resume', '--dry-run');
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('There is no import of leads.csv to resume.')]);
    one.proxy.change({
      answer: ({ method, body, number }) => {
        if (method === 'POST' && number > 20) return 401;
        return body.includes('Dry+5&') ? 422 : undefined;
      },
    });
    const file = one.leads(40);
    const stopped = await one.crm('leads', 'import', file, '--json');
    const { run, created } = summary(stopped) as { run: string; created: number };
    expect([stopped.status, summary(stopped)]).toMatchObject([4, { failed: 1, unknown: 0 }]);
    const states = (): unknown[] => atRun(join(one.folder, 'data'), run, (open) => [...open.steps()]);
    const before = states();
    one.proxy.change();
    const dry = await one.crm('leads', 'import', file, '--json', '--resume', '--dry-run');
    expect([dry.status, summary(dry)]).toEqual([
      0,
      {
        rows: expect.any(Array),
        counts: { rows: 39 - created, would_create: 39 - created, would_change: 0, unchanged: 0, conflicts: 0, invalid: 0, unknown: 0 },
      },
    ]);
    expect(dry.stderr).toBe(`${created + 1} of 40 rows are done; this tells of the others.\n`);
    expect([states(), await one.count()]).toEqual([before, [created, created]]);
    const other = await one.crm('leads', 'import', file, '--mode', 'upsert', '--match', 'title', '--resume', '--dry-run');
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('There is no import of leads.csv to resume.')]);
    await one.proxy.close();
  });

  it('a file that changes meanwhile is imported as it was read', async () => {
    const one = await bench('Changed');
    const text = `title,status,category\n${Array.from({ length: 600 }, (_, index) => `Changed ${index},${index === 2 ? 99 : 1},1\n`).join('')}`;
    const file = one.write('f.csv', text);
    const run = one.start(['leads', 'import', file, '--rejects', 'r.csv', '--json', '--concurrency', '16']);
    await one.proxy.write(60);
    one.write(file, 'title,status,category\nOther,1,1\n');
    const ended = await run.ended;
    expect([ended.status, summary(ended)]).toMatchObject([8, { total: 600, created: 599, failed: 1, rejects: 'r.csv' }]);
    expect(readFileSync(join(one.folder, 'r.csv'), 'utf8')).toContain('Changed 2,99,1,4,422,');
    expect(await one.count()).toEqual([599, 599]);
    await one.proxy.close();
  }, 300_000);

  it('a pipe with a name of its own, too', async () => {
    const one = await bench('Fifo');
    execFileSync('mkfifo', [join(one.folder, 'pipe')]);
    const run = one.start(['leads', 'import', 'pipe', '--max-errors', '1', '--concurrency', '1']);
    await writeFile(join(one.folder, 'pipe'), 'title,status,category\nFifo 1,99,1\nFifo 2,1,1\n');
    const { status, stderr } = await run.ended;
    expect([status, stderr]).toEqual([8, expect.stringContaining('Stopped after 1 failure, with 1 row to go: 2 rows, 1 failed.')]);
    const command = 'crm leads import pipe --concurrency 1 --max-errors 1 --resume';
    expect(stderr).toContain(
      `The failed rows as a file with the same input and: ${command} --rejects FILE\nGo on with the same input and: ${command}\n`,
    );
    await one.proxy.close();
  });

  it('standard input that can not be copied', async () => {
    const one = await bench('Uncopied');
    rmSync(join(one.folder, 'tmp'), { recursive: true });
    const ended = await one.start(['leads', 'import', '-'], { stdin: 'title,status,category\nA,1,1\n' }).ended;
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringMatching(/^error: The input can't be copied to .* \(ENOENT\)\.\n$/)]);
    await one.proxy.close();
  });
});

describe.concurrent('services that fail', () => {
  it('forbidding a row, it is rejected; forbidding them all, the run stops', async () => {
    const one = await bench('Forbidden');
    const file = one.leads(60);
    one.proxy.change({ answer: ({ method }) => (method === 'POST' ? 403 : undefined) });
    const stopped = await one.crm('leads', 'import', file, '--json');
    expect([stopped.status, stopped.stdout]).toEqual([4, '']);
    one.proxy.change({ answer: ({ body }) => (body.includes('Forbidden+7&') || /Forbidden\+[345]\d&/.test(body) ? 403 : undefined) });
    const later = await one.crm('leads', 'import', file, '--json', '--concurrency', '1');
    expect([later.status, summary(later)]).toMatchObject([4, { created: 29, failed: 8, unknown: 0 }]);
    one.proxy.change();
    const resumed = await one.crm('leads', 'import', file, '--json', '--resume');
    expect([resumed.status, summary(resumed)]).toMatchObject([8, { total: 60, created: 52, failed: 8, unknown: 0 }]);
    expect(await one.count()).toEqual([52, 52]);
    await one.proxy.close();
  });

  it('altogether: the run stops, and the rest can be resumed', async () => {
    const one = await bench('Gone');
    one.proxy.change({ answer: ({ method, number }) => (method === 'POST' && number > 20 ? 502 : undefined) });
    const file = one.leads(500);
    const stopped = await one.crm('leads', 'import', file, '--json');
    expect([stopped.status, errorOf(stopped)]).toMatchObject([7, { code: 'outcome_unknown', hint: expect.stringContaining('--resume') }]);
    expect(Number(summary(stopped).unknown)).toBeLessThan(30);
    one.proxy.change();
    expect(summary(await one.crm('leads', 'import', file, '--json', '--resume'))).toMatchObject({ created: 500, unknown: 0 });
    expect(await one.count()).toEqual([500, 500]);
    await one.proxy.close();
  }, 300_000);

  it('not there at all: the run stops soon enough', async () => {
    const one = await bench('Absent');
    await one.proxy.close();
    const ended = await one.crm('leads', 'import', one.leads(5), '--json');
    expect([ended.status, errorOf(ended)]).toMatchObject([7, { message: expect.stringContaining('connection refused') }]);
  }, 120_000);

  it('unchanged rows are told by the list alone, whatever cells are blank', async () => {
    const one = await bench('Blanks', changing);
    await one.crm('leads', 'import', one.leads(250));
    const records = await one.records();
    const cells = (id: number): string => ['1,,', ',1,', ',,', '1,1,'][id % 4] ?? '';
    const rows = records.map(({ id, title }, index) => `${id},${index === 7 ? 'Blanks other' : index % 3 ? title : ''},${cells(id)}\n`);
    const file = one.write('u.csv', `id,title,status,category,value\n${rows.join('')}`);
    const before = one.proxy.seen.length;
    const updated = await one.crm('leads', 'import', file, '--mode', 'update', '--json');
    expect(summary(updated)).toMatchObject({ total: 250, updated: 1, unchanged: 249 });
    expect(one.proxy.seen.length - before).toBeLessThan(100);
    await one.proxy.close();
  });

  it('a unit is known by its id and by its name, a custom field by its number', async () => {
    const one = await bench('Units');
    const columns = 'rate,category,default-tax';
    const items = Array.from({ length: 210 }, (_, index) => `Units ${index},1,6,2,each,"a ${index}",${index % 2 ? 'b' : ''}\n`);
    const made = one.write('i.csv', `description,${columns},unit,custom-field-1,custom-field-2\n${items.join('')}`);
    expect(summary(await one.crm('items', 'import', made, '--new-unit', '--json'))).toMatchObject({ created: 210 });
    const unchanged = async (flags: string[], expected: object): Promise<number> => {
      const before = one.proxy.seen.length;
      const ended = await one.crm('items', 'import', made, '--mode', 'update', '--match', 'description', '--json', ...flags);
      expect(summary(ended)).toMatchObject(expected);
      return one.proxy.seen.length - before;
    };
    expect(await unchanged([], { total: 210, unchanged: 210 })).toBeLessThan(100);
    one.write('i.csv', `description,unit\nUnits 1,each\nUnits 2,none such\n`);
    await unchanged(['--new-unit'], { total: 2, updated: 1, unchanged: 1 });
    const { id } = JSON.parse((await one.crm('items', 'list', '--search', 'Units 1', '--json')).stdout)[0];
    one.write('i.csv', `id,unit\n${id},each\n`);
    expect(summary(await one.crm('items', 'import', made, '--mode', 'update', '--json'))).toMatchObject({ unchanged: 1 });
    await one.proxy.close();
  });
});

it('--rate holds, and progress is a line every five seconds', async () => {
  const one = await bench('Slow');
  const { status, stderr } = await one.crm('leads', 'import', one.leads(60), '--rate', '10');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^(Importing leads: \d+ of 60, \d+\/s, \d+ s left\n)+Undo: crm undo \w{4}\n$/);
  await one.proxy.close();
});
