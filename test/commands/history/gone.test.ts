// What a service that answers 404, or nothing at all, is believed: a record is gone only where the list of its family answers.

import { describe, expect, it } from 'vitest';
import type { Fate, Faults, SeenRequest } from '../../support/faulty-proxy.ts';
import { eachBehindProxy } from './support.ts';

const at = eachBehindProxy();
const { crm, history } = at;

const leadsOf = async (title: string): Promise<number[]> =>
  ((await at.place.everything()).leads ?? []).filter((lead) => String(lead.title).startsWith(title)).map(({ id }) => Number(id));
const source = async (id: number): Promise<unknown> => (await at.place.everything()).leads?.find((lead) => lead.id === id)?.source;

/** Imports or seeds so many leads and a note; gives the name of the run. */
async function made(count: number, how: 'import' | 'seed' = 'import'): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `Gone ${index},1,1\n`);
  at.place.write('new.csv', `title,status,category\n${rows.join('')}`);
  at.place.write(
    'team.yaml',
    `version: 1\nrecords:\n  - { name: lead, type: lead, count: ${count}, set: { title: 'Gone \${number}', status: 1, category: 1 } }\n`,
  );
  const argv = how === 'seed' ? ['seed', 'apply', 'team.yaml'] : ['leads', 'import', 'new.csv'];
  const { status, stderr } = await crm(...argv, '--yes', '-q');
  expect(status, stderr).toBe(0);
  return (await history())[0]?.run ?? '';
}

/** Every request is answered with 404. */
const nothingThere: Faults = { answer: () => 404 };
/** The same from the first request that matches on, for so many more. */
function nothingFrom(matches: (request: SeenRequest) => boolean, requests: number): Faults {
  let from: number | undefined;
  return {
    answer: (request) => {
      if (from === undefined && matches(request)) from = request.number;
      return from !== undefined && request.number <= from + requests ? 404 : undefined;
    },
  };
}

describe('a service that answers everything with 404 for a while', () => {
  it('has an undo of a change end with 7, conclude nothing, and do it later', async () => {
    const before = await source(12);
    expect((await crm('leads', 'update', '12,13', '--source', 'Fair', '--yes', '-q')).status).toBe(0);
    const run = (await history())[0]?.run ?? '';
    at.proxy.change(nothingThere);
    const { status, stderr } = await crm('undo', run, '--yes', '--json');
    expect(status).toBe(7);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        message: "2 not sent: the service answers 404 to /api/leads, which is a list: crm can't tell which records exist.",
        hint: expect.stringContaining(`Go on with: crm undo ${run}`),
      },
    });
    at.proxy.change();
    expect(await history()).toContainEqual(expect.objectContaining({ run, state: 'done', left: expect.stringContaining('partly undone') }));
    expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
    expect(await source(12)).toBe(before);
    expect(await history()).toContainEqual(expect.objectContaining({ run, state: 'undone' }));
  });

  // One record is read by its id, several are looked for in the list.
  it.each([1, 3])('has an undo of %d records that were made end with 7, and delete them later', async (count) => {
    const run = await made(count);
    at.proxy.change(nothingThere);
    expect((await crm('undo', run, '--yes', '--json')).status).toBe(7);
    at.proxy.change();
    expect(await leadsOf('Gone')).toHaveLength(count);
    expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
    expect(await leadsOf('Gone')).toEqual([]);
  });

  it.each([
    [1, ['seed', 'destroy', '--run', 'team']],
    [3, ['seed', 'destroy', '--run', 'team']],
    [1, ['undo', 'team']],
    [3, ['undo', 'team']],
  ])('has a seed of %d records stand until it is there again: %s', async (count, argv) => {
    await made(count, 'seed');
    at.proxy.change(nothingThere);
    expect((await crm(...argv, '--yes', '--json')).status).toBe(7);
    at.proxy.change();
    expect(await history()).toMatchObject([{ state: 'done', left: null }]);
    expect((await crm(...argv, '--yes', '--json')).status).toBe(0);
    expect(await leadsOf('Gone')).toEqual([]);
  });

  it('in the midst of the deletes of an undo is waited for, or ends it with 7', async () => {
    const run = await made(4);
    at.proxy.change(nothingFrom(({ method }) => method === 'DELETE', 6));
    const { status, stdout } = await crm('undo', run, '--yes', '--json');
    const left = await leadsOf('Gone');
    // What was found to be there is no record that is gone.
    const told = stdout === '' ? [] : (JSON.parse(stdout) as { outcome: string; ids: number[] }[]);
    expect(told.flatMap(({ outcome, ids }) => (outcome === 'failed' ? ids : [])).toSorted()).toEqual(left);
    expect([7, 8]).toContain(status);
    at.proxy.change();
    expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
    expect(await leadsOf('Gone')).toEqual([]);
  });
});

describe('a delete without evidence', () => {
  it.each([404, 200] as const)('that is answered with %d for what is still there has deleted nothing', async (status) => {
    const run = await made(2);
    at.proxy.change({ answer: ({ method }) => (method === 'DELETE' ? status : undefined) });
    const undo = await crm('undo', run, '--yes', '--json');
    expect(undo.status, undo.stdout).toBe(8);
    expect(JSON.parse(undo.stdout)).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }]);
    expect(await leadsOf('Gone')).toHaveLength(2);
    expect(await history()).toContainEqual(expect.objectContaining({ run, state: 'done', left: expect.stringContaining('partly undone') }));
    at.proxy.change();
    expect((await crm('undo', run, '--yes', '--json')).status).toBe(0);
    expect(await leadsOf('Gone')).toEqual([]);
  });

  it('of a selection that is answered with 404 for what is still there is a failure, and no record that was gone', async () => {
    await made(2);
    at.proxy.change({ answer: ({ method }) => (method === 'DELETE' ? 404 : undefined) });
    const ids = (await leadsOf('Gone')).join(',');
    const { status, stderr } = await crm('leads', 'delete', ids, '--yes', '--json');
    expect(status).toBe(8);
    expect(stderr).toContain('The service answered 404 to the delete of lead');
  });
});

it.each([
  [
    'comes without a word',
    { answer: ({ method }: SeenRequest): Fate => (method === 'GET' ? undefined : { answer: ({ status }) => ({ status }) }) },
  ],
  ['is lost', { answer: ({ method, number }: SeenRequest) => (method === 'DELETE' && number % 2 === 0 ? ('cut' as const) : undefined) }],
])('a delete of several whose answer %s shows ids, and no null', async (_name, faults: Faults) => {
  at.proxy.change(faults);
  const { status, stdout } = await crm('leads', 'delete', '12,13,14', '--timeout', '1', '--yes', '--json');
  expect([status, JSON.parse(stdout)]).toEqual([0, [{ id: 12 }, { id: 13 }, { id: 14 }]]);
});

describe('an id that was given again', () => {
  /** The record of an id is a colleague's from now on. */
  const givenAgain = (id: number): void => at.place.made('leads', id, 5000);
  const lead = async (id: number): Promise<Record<string, unknown> | undefined> =>
    (await at.place.everything()).leads?.find((one) => one.id === id);

  it('is no record that an undo writes to', async () => {
    expect((await crm('leads', 'update', '12,13', '--source', 'Fair', '--yes', '-q')).status).toBe(0);
    const run = (await history())[0]?.run ?? '';
    givenAgain(12);
    const { status, stdout } = await crm('undo', run, '--yes', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { outcome: 'put back', ids: [13] },
      { outcome: 'gone', ids: [12] },
    ]);
    expect(await source(12)).toBe('Fair');
  });

  it.each([
    [['leads', 'delete', '12,13'], 0],
    [['leads', 'update', '12,13', '--source', 'Fair'], 8],
  ] as const)('while the answer of %s was lost is left alone', async (argv, status) => {
    const before = await lead(12);
    at.proxy.change({
      answer: ({ method, path }) => {
        if (method === 'GET' || !path.endsWith('/12')) return undefined;
        at.proxy.change();
        givenAgain(12);
        return 502;
      },
    });
    expect(await crm(...argv, '--timeout', '1', '--yes', '--json')).toMatchObject({ status });
    expect(await lead(12)).toEqual({ ...before, dates: { ...(before?.dates as object), created: expect.any(String) } });
  });
});

describe('what hangs on a lead', () => {
  it('is not told by a 404: the lead stays', async () => {
    const run = await made(1);
    const [id] = await leadsOf('Gone');
    at.proxy.change({ answer: ({ path }) => (path.endsWith('/comments') ? 404 : undefined) });
    const { status, stdout } = await crm('undo', run, '--yes', '--json');
    expect(status).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([
      { outcome: 'kept', ids: [id], what: expect.stringContaining('nobody can tell which comments would be deleted') },
    ]);
    expect(await leadsOf('Gone')).toEqual([id]);
  });

  it('is asked in the turn of its delete: a note that comes while others are deleted keeps it', async () => {
    const run = await made(6);
    const ids = await leadsOf('Gone');
    let hung: Promise<unknown> | undefined;
    at.proxy.change({
      answer: ({ method }) => {
        // The oldest is the last one to go.
        if (method === 'DELETE')
          hung ??= at.place.crm(['notes', 'create', '--title', 'Theirs', '--description', 'x', '--resource', `lead:${ids[0]}`]);
        return undefined;
      },
      delayWrites: 100,
    });
    const { status, stdout } = await crm('undo', run, '--yes', '--json', '--concurrency', '1');
    await hung;
    expect(status, stdout).toBe(8);
    expect(await leadsOf('Gone')).toEqual([ids[0]]);
    expect((await at.place.everything()).notes?.some(({ title }) => title === 'Theirs')).toBe(true);
  });
});
