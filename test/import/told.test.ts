// What runs say when something is not as it should be, at a service unlike the embedded CRM: a row of the table a sentence.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { InterruptedError } from '../../src/base/errors.ts';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from '../support/fake-io.ts';
import { type Fate, type FaultyProxy, type SeenRequest, startFaultyProxy } from '../support/faulty-proxy.ts';
import { atRun } from '../support/journal.ts';
import { type OddService, oddLead, oddService, people } from '../support/odd-service.ts';

let folder: string;
let service: OddService;
let proxy: FaultyProxy;
/** Ends the process of the test, as Ctrl-C does. */
let abort: AbortController;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-told-'));
  service = await oddService(folder, []);
  proxy = await startFaultyProxy(service.env.CRM_BASE_URL ?? '');
  abort = new AbortController();
});
afterEach(async () => {
  await proxy.close().catch(() => {});
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** A clock that goes 200 times as fast. */
const quick = {
  ...systemClock,
  steady: () => systemClock.steady() * 200,
  after: (milliseconds: number, work: () => void) => systemClock.after(milliseconds / 200, work),
};

async function crm(argv: readonly string[], options: Parameters<typeof fakeIo>[0] = {}, clock = systemClock) {
  const io = fakeIo({ columns: 200, ...options });
  const env = { ...service.env, CRM_BASE_URL: proxy.baseUrl, CRM_TEST_WAITS: '0.01' };
  const status = await main(argv, { io, env, cwd: folder, signal: abort.signal, clock });
  return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
}

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
const imported = (...flags: string[]) => crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '1', ...flags], {}, quick);
const isPost = ({ method }: SeenRequest, body: SeenRequest['body'], title: string): boolean => method === 'POST' && body.includes(title);

/** Rows with these titles; a blank one is invalid. */
const rows = (...titles: readonly string[]): string => `title,status,category\n${titles.map((title) => `${title},1,1\n`).join('')}`;

interface Row {
  readonly file: string;
  readonly flags?: readonly string[];
  readonly fate: (request: SeenRequest) => Fate;
  readonly status: number;
  readonly says: RegExp;
  readonly rejects?: string;
}

describe.each<[string, Row]>([
  [
    'a service that goes away in the middle',
    {
      file: rows('Aa', 'Bb', 'Cc'),
      flags: ['--retries', '0'],
      fate: (one) => (isPost(one, one.body, 'Aa') ? { meanwhile: () => setImmediate(() => void proxy.close()) } : undefined),
      status: 7,
      says: /^The service does not answer: going on in \d s\.\n(?:.*\n)*error: 1 of 3 rows went through, 2 were not sent: nothing listens at 127\.0\.0\.1[^\n]*\.\n/,
    },
  ],
  [
    'answers that are cut, one after the other, beside an invalid row',
    {
      file: rows(...Array.from({ length: 12 }, (_, n) => `Row ${n}.`), ''),
      flags: ['--skip-invalid', '--rejects', 'r.csv'],
      fate: (one) => (one.method === 'POST' && !one.body.includes('Row+0.') ? { carried: 'never', answer: 'cut' } : undefined),
      status: 7,
      says: /^error: 1 of 13 rows went through, 1 failed, 8 are unknown, 3 were not sent: the connection to [^\n ]* broke before the answer began\.\n/m,
      rejects: 'title,status,category,_line,_status,_error\n,1,1,14,,"title: it is blank, and a new lead needs it."\n',
    },
  ],
  [
    'a page of a proxy in place of a refusal',
    {
      file: rows('Aa'),
      fate: ({ method }) =>
        method === 'POST'
          ? { carried: 'never', answer: { status: 400, headers: { 'content-type': 'text/html' }, body: '<title>Squid</title>Denied' } }
          : undefined,
      status: 8,
      says: /line 2: The request was refused \(400\) with a page in place of JSON, perhaps by a proxy: Squid\.\n/,
    },
  ],
  [
    'a row that is refused, and rows that are left out',
    {
      file: rows('Aa', 'Bb', '', ''),
      flags: ['--skip-invalid', '--json'],
      fate: (one) => (isPost(one, one.body, 'Bb') ? { carried: 'never', answer: { status: 422, body: { message: 'No.' } } } : undefined),
      status: 8,
      says: /1 failed/,
    },
  ],
])('%s', (_what, { file, flags = [], fate, status, says, rejects }) => {
  it('is told in one sentence about the run', async () => {
    write('f.csv', file);
    proxy.change({ answer: fate });
    const ended = await imported(...flags);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringMatching(says)]);
    expect(ended.stderr).not.toMatch(/Nothing was sent|The outcome of POST/);
    if (rejects !== undefined) expect(read('r.csv')).toBe(rejects);
    if (flags.includes('--json')) expect(JSON.parse(ended.stdout)).toMatchObject({ created: 1, failed: 1, left_out: 2 });
  });
});

it('a service that stays away: told that it does not answer, and 7 after the time for a connection', async () => {
  write('f.csv', rows('Aa', 'Bb'));
  proxy.change({
    answer: (one) => (isPost(one, one.body, 'Aa') ? { meanwhile: () => setImmediate(() => void proxy.close()) } : undefined),
  });
  const argv = ['leads', 'import', 'f.csv', '--yes', '--concurrency', '1', '--timeout', '3600'];
  const { status, stderr } = await crm(argv, {}, quick);
  expect(status).toBe(7);
  expect(stderr).toMatch(/^The service does not answer: going on in \d+ s\. crm waits up to 60 s for a connection\.$/m);
  expect(stderr).not.toContain("can't take more");
  expect(stderr).toMatch(/^error: 1 of 2 rows went through, 1 was not sent: nothing listens at /m);
});

it('rows of which nobody can tell what became are named in the JSON error', async () => {
  write('f.csv', rows('Aa', 'Bb', 'Cc'));
  // Meanwhile a colleague writes the title anew, so that the lead is only alike.
  const rename = (): void => void Object.assign(service.leads.get(2) ?? {}, { title: 'bb' });
  proxy.change({ answer: (one) => (isPost(one, one.body, 'Bb') ? { answer: 'cut', meanwhile: rename } : undefined) });
  const { status, stdout, stderr } = await imported('--json');
  expect([status, JSON.parse(stdout)]).toMatchObject([8, { created: 2, unknown: 1 }]);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: '3 rows, 1 of unknown outcome.',
    retry: 'look',
    fields: [{ name: 'line 3', messages: ['The request may have made leads 2, unless somebody else did.'] }],
    hint: expect.not.stringContaining('more row'),
  });
});

it('of very many rows of which nobody can tell, a hundred are named and the others are counted', async () => {
  write('f.csv', rows(...Array.from({ length: 102 }, (_, n) => `Row ${n + 100}.`)));
  await crm(['leads', 'import', 'f.csv', '--yes']);
  const path = atRun(join(folder, 'data'), undefined, ({ file }) => file.path ?? '');
  const database = new DatabaseSync(path);
  database.exec('UPDATE steps SET state = 1, target = NULL, did = NULL, sent_at = sent_at - 3600000; DELETE FROM made');
  database.close();
  for (const lead of service.leads.values()) lead.title = lead.title.toLowerCase();
  const { status, stderr } = await crm(['leads', 'import', 'f.csv', '--yes', '--resume', '--json']);
  const { message, fields, hint } = JSON.parse(stderr).error;
  expect([status, message]).toEqual([8, '102 rows, 102 of unknown outcome.']);
  expect(fields.map(({ name }: { name: string }) => name)).toEqual(Array.from({ length: 100 }, (_, n) => `line ${n + 2}`));
  expect(hint).toContain('And 2 more rows.\n');
});

it('Ctrl-C: what is created and what it lacks; --resume sends that, and a further one says that nothing was left', async () => {
  write('f.csv', 'title,status,category,tags\nAa,1,1,hot\nBb,1,1,hot\nCc,1,1,hot\n');
  proxy.change({
    answer: (one) => (isPost(one, one.body, 'Bb') ? { meanwhile: () => abort.abort(new InterruptedError('SIGINT')) } : undefined),
  });
  const stopped = await crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '1'], { tty: true });
  expect([stopped.status, stopped.stderr]).toEqual([
    130,
    expect.stringContaining('2 leads created; 1 of them still lacks tags; --resume sends it.\n'),
  ]);
  abort = new AbortController();
  expect(await imported('--resume')).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Undo, also of what was done before: crm undo \w{4}$/m),
  });
  expect([...service.leads.values()].map(({ tags }) => tags)).toEqual([['hot'], ['hot'], ['hot']]);
  const { length } = service.requests;
  const idle = await imported('--resume');
  expect(idle).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Nothing was left to do: the run ended on \d{4}-\d\d-\d\d\.\n$/),
  });
  expect(service.requests.slice(length).filter((one) => !one.startsWith('GET'))).toEqual([]);
});

it('a blank title of a change file: the row is refused, and a dry run promises nothing', async () => {
  service.leads.set(1, oddLead(1));
  write('f.csv', 'family,id,title,was.title\nleads,1,,Lead 1\n');
  for (const flags of [['--dry-run'], []]) {
    const { status, stdout, stderr } = await crm(['apply', 'f.csv', ...flags]);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining("title: it is blank, and can't be cleared")]);
  }
  expect(service.leads.get(1)?.title).toBe('Lead 1');
});

it('the plan that merges duplicates: the dry run, the question and the end speak one number', async () => {
  for (let id = 1; id <= 8; id += 1) {
    const contact = { ...oddLead(id).contact, email: `p${Math.ceil(id / 2)}@x.example` };
    // The first lead of the first group lacks a value; the other three that are kept lack none.
    const source = id === 1 ? null : 'Web';
    service.leads.set(id, oddLead(id, { contact, source, assigned: people.slice(0, 1), tags: ['a'] }));
  }
  await crm(['leads', 'duplicates', '--plan', 'm.csv']);
  const asked = await crm(['apply', 'm.csv'], { tty: true, stdin: 'n\n' });
  expect([asked.status, asked.stderr]).toEqual([9, expect.stringContaining('? Change 5 leads?')]);
  const dry = await crm(['apply', 'm.csv', '--dry-run']);
  const done = await crm(['apply', 'm.csv', '--yes'], { tty: true });
  for (const { stderr } of [asked, dry, done]) {
    expect(stderr).toMatch(/5 of 8 (?:would be )?changed[;,] 3 unchanged/);
    expect(stderr).not.toContain('other values than the file');
  }
});
