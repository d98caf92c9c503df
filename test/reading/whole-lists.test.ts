// What a program reads of a list is whole, or the status is 7: what came is printed, in every format, and --quiet hides nothing of that.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-whole-'));
afterAll(() => rmSync(folder, { recursive: true }));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** What a service answers to a page of a list. */
type Answer = (page: number, size: number) => unknown;

/** Runs `crm` against a service whose lists are answered by a function. `asked`: the requests, `METHOD page×limit`. */
async function against(answer: Answer, args: readonly string[], tty = false): Promise<Crm & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    asked.push(`${request.method} ${query.get('page') ?? '-'}×${query.get('limit') ?? '-'}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(Number(query.get('page') ?? 1), Number(query.get('limit') ?? 25))));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    CRM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CRM_API_KEY: 'whole-key-0123456789',
    CRM_CONFIG_DIR: folder,
    CRM_DATA_DIR: join(folder, 'data'),
  };
  return { ...(await runHere(args, { env, tty })), asked };
}

const notes = (from: number, to: number): unknown[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, title: `Note ${from + at}`, description: 'x' }));
const tells5Sends1: Answer = (page) => ({ data: page === 1 ? notes(1, 1) : [], meta: { total: 5, last_page: 1, current_page: page } });

describe('a service that tells 5 and sends 1', () => {
  const says = 'The service says that there are 5 records, but only 1 came: the list is not complete.';
  it.each([
    ['json', (text: string) => expect(JSON.parse(text)).toHaveLength(1)],
    ['ndjson', (text: string) => expect(JSON.parse(text)).toMatchObject({ id: 1 })],
    ['csv', (text: string) => expect(text.split('\r\n')).toHaveLength(3)],
    ['yaml', (text: string) => expect(text).toContain('title: Note 1')],
    ['ids', (text: string) => expect(text).toBe('1\n')],
    ['table', (text: string) => expect(text).toContain('\tNote 1')],
  ])('-o %s prints what came, and ends with 7', async (format, check) => {
    const { status, stdout, stderr, asked } = await against(tells5Sends1, ['notes', 'list', '-o', format, '-q']);
    expect([status, asked]).toEqual([7, ['GET 1×100', 'GET 1×100', 'GET 1×100']]);
    expect(stderr).toContain(says);
    check(stdout);
  });

  it('with --json the error stands alone, and jq gets what came', async () => {
    const { status, stdout, stderr } = await against(tells5Sends1, ['notes', 'list', '--jq', 'length']);
    expect([status, stdout, JSON.parse(stderr).error.code]).toEqual([7, '1\n', 'unavailable']);
  });

  it('a selection for a write sends nothing', async () => {
    const { status, stdout, stderr, asked } = await against(tells5Sends1, [
      'notes',
      'update',
      '--where',
      'title~Note',
      '--title',
      'x',
      '--yes',
    ]);
    expect([status, stdout, asked.filter((one) => !one.startsWith('GET'))]).toEqual([7, '', []]);
    expect(stderr).toContain(`${says} Nothing was sent.`);
  });

  it.each([
    ['notes', 'list', '--count', '--where', 'title~Note', '--at-most', '3'],
    ['notes', 'get', '--where', 'title~Note', '--json'],
  ])('%s %s %s is 7', async (...args) => {
    expect((await against(tells5Sends1, args)).status).toBe(7);
  });

  it('a table on a terminal is one reading, with a notice', async () => {
    const { status, stderr, asked } = await against(tells5Sends1, ['notes', 'list', '--all'], true);
    expect([status, asked]).toEqual([0, ['GET 1×100']]);
    expect(stderr).toContain('The list changed while it was being read: some records may be missing.');
  });
});

/** Answers two readings: in the first one a record goes away between the pages, so that note 3 moves to page 1. */
function movedOnce(): Answer {
  let asked = 0;
  return (page) => {
    asked += 1;
    const pages = asked <= 2 ? [notes(1, 2), notes(4, 4)] : [notes(2, 3), notes(4, 4)];
    return { data: pages[page - 1] ?? [], meta: { total: asked === 1 ? 4 : 3, last_page: 2, current_page: page } };
  };
}

it('records that were missed stand at the end, and a notice says so', async () => {
  const { status, stdout, stderr } = await against(movedOnce(), ['notes', 'list', '-o', 'ids']);
  expect([status, stdout]).toEqual([0, '1\n2\n4\n3\n']);
  expect(stderr).toBe('The list changed while it was being read, so it was read again: 1 missed record stands at the end.\n');
});

it('a snapshot holds the records that only the second reading has', async () => {
  const dir = join(folder, 'moved');
  const { status, stderr, asked } = await against(movedOnce(), ['snapshot', dir, '--family', 'notes']);
  expect([status, asked.length]).toEqual([0, 4]);
  expect(stderr).not.toContain('not complete');
  const lines = readFileSync(join(dir, 'notes.ndjson'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual([1, 2, 3, 4]);
  expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))).toMatchObject({ files: { notes: { records: 4 } } });
});

describe('lists without meta', () => {
  it.each<[string, Answer]>([
    ['a bare array', () => notes(1, 30)],
    ['data alone', () => ({ data: notes(1, 30), message: 'OK' })],
  ])('%s that is not paged is the list', async (_name, answer) => {
    const { status, stdout, asked } = await against(answer, ['notes', 'list', '--json']);
    expect([status, JSON.parse(stdout).length, asked]).toEqual([0, 30, ['GET 1×100', 'GET 2×100', 'GET 1×1']]);
  });

  it('a service that ignores the page and caps at 25 is 7', async () => {
    const { status } = await against((_page, size) => notes(1, Math.min(25, size)), ['notes', 'list', '--json']);
    expect(status).toBe(7);
  });
});
