// What an import says and writes that did not go through: the run's own words, and every row where it belongs.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import { type Faults, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { atRun } from '../support/journal.ts';
import { serveHere } from '../support/serve-here.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();
let server: Awaited<ReturnType<typeof serveHere>>;
let proxy: FaultyProxy | undefined;
beforeEach(async () => {
  server = await serveHere(join(shop.folder, 'served.sqlite'), { empty: true });
});
afterEach(async () => {
  await proxy?.close();
  await server.stop();
});

const through = async (answer: NonNullable<Faults['answer']>): Promise<Record<string, string>> => {
  await proxy?.close();
  proxy = await startFaultyProxy(server.baseUrl, { answer });
  return { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_TEST_WAITS: '0.01' };
};

const rows = (count: number): string => Array.from({ length: count }, (_, n) => `Row ${n},1,1\n`).join('');
const imported = (env: Record<string, string>, ...flags: string[]) =>
  shop.crm(['leads', 'import', 'f.csv', '--yes', '--skip-invalid', '--concurrency', '8', ...flags], { env });

it('a stopped run says what became of its rows, first and alone; its rejects have the invalid rows it did not come to', async () => {
  shop.write('f.csv', `title,status,category\n${rows(30)},1,1\n`);
  const env = await through(({ method, body }) =>
    method === 'POST' && !/Row\+[0-2]\b/.test(body) ? { carried: 'never', answer: 'cut' } : undefined,
  );
  const { status, stdout, stderr } = await imported(env, '--rejects', 'r.csv');
  expect([status, stdout]).toEqual([7, expect.stringMatching(/^total\t31\ncreated\t3\n/)]);
  const [, done, unknown, unsent] =
    /^error: (\d+) of 31 rows went through, 1 failed, (\d+) are unknown, (\d+) were not sent: the connection to \S+ broke before the answer [^\n]*\n/.exec(
      stderr,
    ) ?? [stderr];
  expect(Number(done)).toBe(3);
  expect(Number(unknown) + Number(unsent)).toBe(27);
  expect(stderr).not.toMatch(/created|Nothing was sent|outcome of POST/);
  expect(shop.read('r.csv')).toMatch(/^title,status,category,_line,_status,_error\r\n,1,1,32,,"?title: it is blank[^\n]*\r\n$/);
  const json = JSON.parse((await imported(env, '--resume', '--json')).stderr).error;
  expect(json).toMatchObject({ code: 'outcome_unknown', message: expect.stringMatching(/^\d+ of 31 rows went through, /) });
});

it('counts what the service refused apart from what was left out', async () => {
  shop.write('f.csv', `title,status,category\n${rows(3)},1,1\n,1,1\n`);
  const env = await through(({ method, body }) => (method === 'POST' && body.includes('Row+1') ? 422 : undefined));
  const { status, json } = await imported(env, '--json');
  expect([status, json()]).toMatchObject([8, { total: 5, created: 2, failed: 1, left_out: 2 }]);
});

it('a run that is interrupted says which parts its rows still lack', async () => {
  shop.write('f.csv', 'title,status,category,tags\nRow 0,1,1,hot\nRow 1,1,1,hot\nRow 2,1,1,hot\n');
  const abort = new AbortController();
  const env = await through(({ method, body }) =>
    method === 'POST' && body.includes('Row+1') ? { meanwhile: () => abort.abort(new InterruptedError('SIGINT')) } : undefined,
  );
  const stopped = await shop.crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '1'], {
    env,
    signal: abort.signal,
    tty: true,
    columns: 160,
  });
  expect(stopped.status).toBe(130);
  expect(stopped.stderr).toContain('2 leads created; 1 of them still lacks tags; --resume sends it.\n');
  const resumed = await shop.crm(['leads', 'import', 'f.csv', '--yes', '--resume'], { env });
  expect([resumed.status, resumed.stdout]).toEqual([0, expect.stringContaining('created\t3\n')]);
});

it('--resume of a finished import says so, and sends nothing', async () => {
  shop.write('f.csv', `title,status,category\n${rows(2)}`);
  let writes = 0;
  const env = await through(({ method }) => {
    if (method !== 'GET') writes += 1;
    return writes === 1 && method === 'POST' ? { carried: 'never', answer: 'cut' } : undefined;
  });
  const first = await imported(env);
  expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('sent again')]);
  const sent = writes;
  const again = await imported(env, '--resume');
  expect(again).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Nothing was left to do: the run ended on \d{4}-\d\d-\d\d\.\n$/),
  });
  expect((await imported(env, '--resume', '--json')).json()).toMatchObject({ created: 2 });
  expect(writes).toBe(sent);
  // It is as finished as before: nothing advises to resume it.
  expect((await shop.crm(['history', '--json'], { env })).json()).toEqual([expect.objectContaining({ state: 'done' })]);
  expect((await imported(env, '--json')).stderr).toContain('"code":"already_imported"');
});

it('a page in place of an answer is not told as words of the service', async () => {
  shop.write('f.csv', `title,status,category\n${rows(1)}`);
  const page = { status: 400, headers: { 'content-type': 'text/html' }, body: '<html><title>400 Bad Request</title><h1>squid</h1></html>' };
  const env = await through(({ method }) => (method === 'POST' ? { carried: 'never', answer: page } : undefined));
  const { status, stderr } = await imported(env);
  expect(status).toBe(8);
  expect(stderr).toContain('The request was refused (400) with a page in place of JSON, perhaps by a proxy: 400 Bad Request.');
});

it('an undo says why a record stays in one sentence, with its id behind it', async () => {
  shop.write('f.csv', `title,status,category\n${rows(2)}`);
  const env = await through(() => undefined);
  const { run } = (await imported(env, '--json')).json() as { run: string };
  const [one] = (await shop.crm(['leads', 'list', '--json'], { env })).json() as { id: number }[];
  await shop.crm(['leads', 'comments', 'add', String(one?.id), 'hello'], { env });
  const { status, stdout, stderr } = await shop.crm(['undo', run, '--yes'], { env, tty: true, columns: 200 });
  expect(status).toBe(8);
  expect(`${stdout}${stderr}`).toContain(`which the run did not make: ${one?.id}`);
});

it('--resume of a finished import leaves what a colleague changed since', async () => {
  await shop.crm(['leads', 'create', '--title', 'Old', '--status', '1', '--category', '1']);
  await shop.crm(['leads', 'tags', '1', 'hot']);
  shop.write('f.csv', 'id,title,tags\n1,New,hot\n');
  const update = (...flags: string[]) => shop.crm(['leads', 'import', 'f.csv', '--mode', 'update', '--yes', ...flags]);
  expect((await update()).status).toBe(0);
  await shop.crm(['leads', 'tags', '1', '--clear']);
  const again = await update('--resume');
  expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/^Nothing was left to do: /)]);
  expect((await shop.crm(['leads', 'get', '1', '--json'])).json()).toMatchObject({ title: 'New', tags: [] });
});

it('a finished import ends anew with the parts that --resume sends', async () => {
  shop.write('f.csv', 'title,status,category,tags\nRow 0,1,1,hot\n');
  let puts = 0;
  const env = await through(({ method }) => {
    if (method === 'PUT') puts += 1;
    return method === 'PUT' && puts === 1 ? 422 : undefined;
  });
  const ended = (): number => Date.parse(atRun(join(shop.folder, 'data'), undefined, (run) => run.ended) ?? '');
  expect((await imported(env)).status).toBe(8);
  const first = ended();
  expect([(await imported(env, '--resume')).status, puts]).toEqual([0, 2]);
  expect(ended()).toBeGreaterThan(first);
});

it('a run that was stopped behind its last row says again which rows were sent again', async () => {
  shop.write('f.csv', `title,status,category\n${rows(2)}`);
  const abort = new AbortController();
  let posts = 0;
  const env = await through(({ method }) => {
    if (method !== 'POST') return undefined;
    posts += 1;
    if (posts === 1) return { carried: 'never', answer: 'cut' };
    return posts === 3 ? { meanwhile: () => abort.abort(new InterruptedError('SIGINT')) } : undefined;
  });
  const argv = ['leads', 'import', 'f.csv', '--yes', '--concurrency', '1'];
  const stopped = await shop.crm(argv, { env, signal: abort.signal });
  expect([stopped.status, stopped.stderr]).toEqual([130, expect.stringContaining('Every row was done.')]);
  const resumed = await shop.crm([...argv, '--resume'], { env });
  expect([resumed.status, resumed.stderr]).toEqual([
    0,
    expect.stringContaining('1 row was sent again because its answer was lost: line 2.'),
  ]);
  expect(posts).toBe(3);
});

it('--resume does not send what another import made since', async () => {
  shop.write('f.csv', `title,status,category\n${rows(3)}`);
  shop.write('g.csv', 'title,status,category\nRow 1,1,1\n');
  const abort = new AbortController();
  const sent: string[] = [];
  const env = await through(({ method, body }) => {
    if (method !== 'POST') return undefined;
    sent.push(/Row\+\d/.exec(body)?.[0] ?? body);
    return sent.length === 1 ? { meanwhile: () => abort.abort(new InterruptedError('SIGINT')) } : undefined;
  });
  const importOf = (file: string, ...flags: string[]) => ['leads', 'import', file, '--yes', '--concurrency', '1', ...flags];
  expect((await shop.crm(importOf('f.csv'), { env, signal: abort.signal })).status).toBe(130);
  expect((await shop.crm(importOf('g.csv'), { env })).status).toBe(0);
  expect((await shop.crm(importOf('f.csv', '--resume'), { env })).status).toBe(0);
  expect(sent).toEqual(['Row+0', 'Row+1', 'Row+2']);
});
