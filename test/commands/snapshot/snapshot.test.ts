// A snapshot: every record as the service told it, whole or not at all.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { attack, makeLeads, type Place } from '../../attacks/place.ts';
import { shellCommand } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';
import type { Fate, SeenRequest } from '../../support/faulty-proxy.ts';

const lines = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

interface Page {
  readonly data: { id: number; active_state: string }[];
  readonly meta: { total: number };
}

/** Changes the pages of the leads' list that match. */
const onPages =
  (matches: (query: URLSearchParams) => boolean, change: (page: Page) => object) =>
  ({ family, query, action }: SeenRequest): Fate =>
    family === 'leads' && action === '' && matches(query)
      ? { answer: (meant) => ({ ...meant, body: change(meant.body as Page) }) }
      : undefined;

/** Changes one page of the list of all leads. */
const onPage = (wanted: string, change: (page: Page) => object): ReturnType<typeof onPages> =>
  onPages((query) => query.get('page') === wanted && !query.has('active_state'), change);

/** A snapshot of leads into `monday`, in this process; gives the folder too. */
async function taken({ folder, here }: Place, ...flags: string[]) {
  const dir = join(folder, 'monday');
  return { dir, ...(await here('snapshot', dir, '--family', 'leads', ...flags)) };
}

/** A snapshot of leads whose third page never comes, once that page is asked for. */
async function startedAndStuck(place: Place): Promise<{ dir: string; run: ReturnType<Place['start']> }> {
  await makeLeads(place, 250);
  const dir = join(place.folder, 'monday');
  const isThird = ({ family, query }: SeenRequest): boolean => family === 'leads' && query.get('page') === '3';
  place.proxy.change({ answer: (request) => (isThird(request) ? 'hold' : undefined) });
  const asked = place.proxy.came(isThird);
  const run = place.start(['snapshot', dir, '--family', 'leads']);
  await asked;
  return { dir, run };
}

describe.concurrent('a snapshot', () => {
  attack('holds every record in a line, and says of each file what is in it', async (place) => {
    const { folder, proxy, here } = place;
    await makeLeads(place, 230);
    await place.ask('POST', '/api/contacts', { first_name: 'Jo', last_name: 'Doe', email: 'jo@doe.example', clientid: 1 });
    const dir = join(folder, 'monday');
    const { status, stdout, stderr } = await here('snapshot', dir, '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ folder: dir, service: proxy.baseUrl, records: { leads: 230, contacts: 1, notes: 0 } });
    const bytes = readFileSync(join(dir, 'leads.ndjson'));
    expect(lines(join(dir, 'leads.ndjson'))).toHaveLength(230);
    expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))).toMatchObject({
      service: proxy.baseUrl,
      taken: expect.stringMatching(/^20\d\d-.*Z$/),
      files: { leads: { records: 230, sha256: createHash('sha256').update(bytes).digest('hex') } },
    });
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const all = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
    expect(all.join('').includes(place.key)).toBe(false);
    expect(stderr).toContain('A snapshot is no backup: nothing can restore it into the service.');
  });

  attack('keeps numbers as they were written', async (place) => {
    const body = '{"data":[{"id":12345678901234567890,"value":1.10,"odd":1e2}],"meta":{"total":1,"last_page":1}}';
    place.proxy.change({ answer: () => ({ answer: { status: 200, body } }) });
    const { dir, status } = await taken(place, '-q');
    expect([status, readFileSync(join(dir, 'leads.ndjson'), 'utf8')]).toEqual([0, '{"id":12345678901234567890,"value":1.10,"odd":1e2}\n']);
  });

  attack('holds archived leads also where the list of all leaves them out', async (place) => {
    await makeLeads(place, 3, (number) => number === 3);
    const active = onPages(
      (query) => !query.has('active_state'),
      ({ data, meta }) => ({ data: data.filter((one) => one.active_state === 'active'), meta: { ...meta, total: 2 } }),
    );
    place.proxy.change({ answer: active });
    const { dir, status } = await taken(place, '-q');
    expect([status, lines(join(dir, 'leads.ndjson'))]).toEqual([0, expect.objectContaining({ length: 3 })]);
  });

  attack('holds each lead once where the service takes no notice of a filter', async (place) => {
    await makeLeads(place, 80, (number) => number === 80);
    const everyone = await place.ask('GET', '/api/leads?limit=100');
    const all = onPages(
      (query) => query.has('active_state'),
      ({ meta }) => ({ data: everyone, meta: { ...meta, total: 80, last_page: 1 } }),
    );
    place.proxy.change({ answer: all });
    const { dir, status } = await taken(place, '-q');
    const ids = lines(join(dir, 'leads.ndjson')).map(({ id }) => id);
    expect([status, ids.length, new Set(ids).size]).toEqual([0, 80, 80]);
  });

  attack('leaves out, and names, the families that this installation does not list', async (place) => {
    place.proxy.change({ answer: ({ family }) => (family === 'projects' ? 404 : undefined) });
    const dir = join(place.folder, 'monday');
    const { status, stderr } = await place.here('snapshot', dir);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/This service has no list of .*projects/)]);
    expect(existsSync(join(dir, 'projects.ndjson'))).toBe(false);
    const asked = await place.here('snapshot', `${dir}2`, '--family', 'projects');
    expect([asked.status, existsSync(`${dir}2`)]).toEqual([3, false]);
  });

  attack('--comments says how many requests it takes, and keeps whose they are', async (place) => {
    await makeLeads(place, 10);
    await place.ask('POST', '/api/leads/1/comments', { comment: 'Called' });
    const { dir, status, stderr } = await taken(place, '--comments');
    expect([status, stderr]).toEqual([0, expect.stringMatching(/Comments take 10 requests, one for each lead: about \d+ s\./)]);
    expect(lines(join(dir, 'comments.ndjson'))).toMatchObject([{ lead_id: 1, text: 'Called' }]);
    expect((await place.here('snapshot', `${dir}2`, '--family', 'items', '--comments')).status).toBe(2);
  });

  attack('writes nothing in a dry run, and leaves a folder alone that is there', async (place) => {
    const { folder, here } = place;
    expect([(await here('snapshot', join(folder, 'dry'), '--dry-run')).status, existsSync(join(folder, 'dry'))]).toEqual([0, false]);
    expect([(await here('snapshot', folder)).status, readdirSync(folder)]).toEqual([10, expect.arrayContaining(['service.sqlite'])]);
    expect((await here('snapshot', join(folder, 'no', 'such'))).status).toBe(2);
  });
});

let first: unknown;
const moved = onPage('1', (page) => {
  first = page.data[99];
  return page;
});
const again = onPage('2', (page) => ({ ...page, data: [first, ...page.data.slice(0, 99)] }));

describe.concurrent('there is no manifest', () => {
  const lists: [string, (request: SeenRequest) => Fate][] = [
    ['a list that a record came into meanwhile', onPage('2', ({ data, meta }) => ({ data, meta: { ...meta, total: meta.total + 1 } }))],
    ['a page that moved: a record came twice', (request) => moved(request) ?? again(request)],
    ['a count that lies', onPage('3', ({ data, meta }) => ({ data: data.slice(1), meta }))],
    [
      'a lead that was archived between the two lists',
      onPages(
        (query) => query.get('active_state') === 'archived' && query.get('page') === '1',
        () => ({ data: [{ id: 1, title: 'Lead 1', active_state: 'archived' }], meta: { total: 1, last_page: 1 } }),
      ),
    ],
  ];
  for (const [name, answer] of lists) {
    attack(`of ${name}`, async (place) => {
      await makeLeads(place, 250);
      place.proxy.change({ answer });
      const { dir, status, stdout, stderr } = await taken(place);
      expect([status, stdout, existsSync(join(dir, 'manifest.json'))], stderr).toEqual([7, '', false]);
      place.proxy.change();
      expect(JSON.parse((await taken(place, '--json')).stdout).records).toEqual({ leads: 250 });
    });
  }

  attack('after a kill, and every command that meets the folder says so', async (place) => {
    const { dir, run } = await startedAndStuck(place);
    run.process.kill('SIGKILL');
    await run.ended;
    place.proxy.change();
    expect([existsSync(join(dir, 'leads.ndjson')), existsSync(join(dir, 'manifest.json'))]).toEqual([true, false]);
    const { status, stderr } = await place.here('snapshot', dir);
    expect([status, stderr]).toEqual([10, expect.stringContaining('not a complete snapshot: it has no manifest.json')]);
  });

  attack('after Ctrl-C, and nothing is left', async (place) => {
    const { dir, run } = await startedAndStuck(place);
    run.process.kill('SIGINT');
    expect([(await run.ended).status, existsSync(dir)]).toEqual([130, false]);
  });

  attack('of a disk that is full, and nothing is left', async (place) => {
    await makeLeads(place, 250);
    const dir = join(place.folder, 'monday');
    const script = `ulimit -f 8; exec ${shellCommand()} snapshot '${dir}' --family leads --json </dev/null`;
    const env = cleanEnv({ ...place.env, NODE_DISABLE_COMPILE_CACHE: '1' });
    const end = await new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) =>
      execFile('bash', ['--norc', '-c', script], { env }, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
    );
    expect([end.status, end.stdout, existsSync(dir)]).toEqual([7, '', false]);
    expect(JSON.parse(end.stderr).error).toMatchObject({ code: 'disk_full', message: expect.stringContaining('nothing of it is left') });
  });
});
