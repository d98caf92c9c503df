// The requests of ordinary imports, selections and undos on an ordinary service, each with its reason. Numbers and reasons are typed by hand:
// one request more has to be wanted.

import { beforeEach, describe, expect, it } from 'vitest';
import { eachBehindProxy } from './support.ts';

const at = eachBehindProxy();
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  at.proxy.change({ answer: ({ method, path }) => void asked.push(`${method} ${path.replaceAll(/(?<=\/|_id=)\d+/g, 'ID')}`) });
});

/** Types a command that ends with 0. Gives what was printed. */
async function crm(...argv: string[]): Promise<string> {
  const { status, stdout, stderr } = await at.place.crm(argv, { env: { CRM_BASE_URL: at.proxy.baseUrl } });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The requests of a command: how often each, by the path with ID in place of ids. */
async function requests(...argv: string[]): Promise<Record<string, number>> {
  asked = [];
  await crm(...argv);
  return Object.fromEntries([...Map.groupBy(asked, (one) => one)].map(([one, all]) => [one, all.length]));
}

const undo = async (): Promise<Record<string, number>> =>
  requests('undo', (JSON.parse(await crm('history', '--json')) as { run: string }[])[0]?.run ?? '', '--yes', '-q');

const page = '&limit=100&page=1';
const newest = `GET /api/leads?sort=lead_created&order=desc${page}`;

describe('three new leads', () => {
  const rows = 'title,status,category\nA,1,1\nB,1,1\nC,1,1\n';

  it('are imported with five requests, and taken back with fifteen', async () => {
    at.place.write('new.csv', rows);
    expect(await requests('leads', 'import', 'new.csv', '--yes', '-q', '--concurrency', '1')).toEqual({
      // The baseline before the first create.
      [newest]: 1,
      // What the service makes of values, which its answers don't show: read of the first one alone.
      'GET /api/leads/ID': 1,
      'POST /api/leads': 3,
    });
    expect(await undo()).toEqual({
      // What hangs on each, asked in the turn of its delete.
      'GET /api/leads/ID/comments': 3,
      'GET /api/proposals?lead_id=ID&limit=100&page=1': 3,
      'GET /api/notes?resource_type=lead&resource_id=ID&limit=100&page=1': 3,
      // Each as it is right before its delete.
      'GET /api/leads/ID': 3,
      'DELETE /api/leads/ID': 3,
    });
  });
});

describe.each([
  ['leads', 'source', 'lead_created', 0],
  // The answer to an update of a contact shows its id and name alone: each is read behind its write.
  ['contacts', 'phone', 'created', 2],
] as const)('two %s', (family, column, created, behind) => {
  const ids = async (): Promise<string[]> => (await crm(family, 'list', '--limit', '2', '-o', 'ids')).trim().split('\n');
  // Each is read in the turn of its write.
  const each = { [`GET /api/${family}/ID`]: 2 + behind, [`PATCH /api/${family}/ID`]: 2 };

  it(`are changed, and taken back, with ${4 + behind} requests each`, async () => {
    expect(await requests(family, 'update', (await ids()).join(','), `--${column}`, '0123', '--yes', '-q')).toEqual(each);
    expect(await undo()).toEqual(each);
  });

  it('are changed by a file with two requests more', async () => {
    at.place.write('changes.csv', `id,${column}\n${(await ids()).map((id) => `${id},0123\n`).join('')}`);
    expect(await requests(family, 'import', 'changes.csv', '--mode', 'update', '--yes', '-q')).toEqual({
      // How many pages the list has: few are cheaper than a read of each row's record.
      [`GET /api/${family}?limit=100&page=1`]: 1,
      // The list itself, in which the records of the rows are looked up before anything is sent.
      [`GET /api/${family}?sort=${created}&order=asc${page}`]: 1,
      ...each,
    });
    expect(await undo()).toEqual(each);
  });
});
