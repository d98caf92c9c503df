// Whose record the answer to a create tells: services that keep titles otherwise, that answer with a record that was there, or that only
// put a request into a queue.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openClient } from '../../src/client/library/client.ts';
import type { Crm } from '../support/crm.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { type Oddities, type OddService, oddLead, oddService } from '../support/odd-service.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
let service: OddService;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-whose-'));
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const serve = async (odd: Oddities, ids: readonly number[] = []): Promise<void> => {
  service = await oddService(
    folder,
    ids.map((id) => oddLead(id)),
    odd,
  );
};
const crm = (...args: string[]): Promise<Crm> => runHere(args, { env: service.env, cwd: folder });
const read = (name: string): string => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
const importOf = async (titles: readonly string[], ...flags: string[]): Promise<Crm> => {
  writeFileSync(join(folder, 'f.csv'), `title,status,category\n${titles.map((title) => `${title},1,1\n`).join('')}`);
  return crm('leads', 'import', 'f.csv', '--json', '--rejects', 'rejects.csv', '--results', 'results.csv', ...flags);
};
const posts = (): number => service.requests.filter((one) => one === 'POST /api/leads').length;
const reads = (): string[] => service.requests.filter((one) => /^GET \/api\/leads\/\d/.test(one));

const rewriting: readonly (readonly [string, (title: string) => string, readonly [string, string]])[] = [
  ['keeps three bytes of a letter', (title) => title.replace(/ [\u{10000}-\u{10ffff}].*/u, ''), ['Kickoff 🚀 Berlin', 'Kickoff']],
  [
    'cuts titles at 40',
    (title) => title.slice(0, 40).trim(),
    ['A fair in the northern part of the town and more', 'A fair in the northern part of the town'],
  ],
  ['writes ss for ß', (title) => title.replaceAll('ß', 'ss'), ['Große Straße', 'Grosse Strasse']],
  ['puts a prefix before titles', (title) => `L-2026: ${title}`, ['Fair', 'L-2026: Fair']],
];

describe.each(rewriting)('a service that %s', (_how, rewrite, [sent, kept]) => {
  const keeps: Oddities['keeps'] = (lead, { what }) => {
    if (what === 'POST') lead.title = rewrite(lead.title);
  };
  const told = `The service keeps titles otherwise: '${sent}' as '${kept}'.`;

  it('an import creates its rows once, and says once how titles are kept; undo takes all of them back', async () => {
    await serve({ keeps }, [3, 8]);
    const { status, stdout, stderr } = await importOf([sent, `${sent} `, 'Plain'].map((title) => `"${title}"`));
    expect([status, JSON.parse(stdout)], stderr).toMatchObject([0, { created: 3, unknown: 0, rejects: null }]);
    expect([posts(), reads()]).toEqual([3, ['GET /api/leads/9']]);
    expect(stderr.split('\n').filter((line) => line.includes(' otherwise: '))).toEqual([told]);
    const { run } = JSON.parse(stdout) as { run: string };
    expect((await crm('undo', run, '--yes')).status).toBe(0);
    expect([...service.leads.keys()]).toEqual([3, 8]);
  });

  it('where answers tell only id and title, each such row is read; undo takes all of them back', async () => {
    await serve({ keeps, answers: ({ id, title }) => ({ data: { id, title } }) }, [3]);
    const { status, stdout } = await importOf([sent, sent, 'Plain'].map((title, index) => `"${title}${' '.repeat(index)}"`));
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { created: 3 }]);
    const { run } = JSON.parse(stdout) as { run: string };
    expect((await crm('undo', run, '--yes')).status).toBe(0);
    expect([...service.leads.keys()]).toEqual([3]);
  });

  it('a row that was sent again is looked for by the title that the service keeps', async () => {
    await serve({ keeps }, [3]);
    const proxy = await startFaultyProxy(service.env.CRM_BASE_URL ?? '', {
      answer: ({ write, method }) => (method === 'POST' && write === 1 ? { carried: 'never', answer: 'cut' } : undefined),
    });
    const direct = service.env.CRM_BASE_URL ?? '';
    Object.assign(service.env, { CRM_BASE_URL: proxy.baseUrl, CRM_TEST_WAITS: '0.01' });
    const { status, stderr } = await importOf([`"${sent}"`]);
    await proxy.close();
    expect(status, stderr).toBe(0);
    service.env.CRM_BASE_URL = direct;
    const title = /^ {2}crm leads list --where '?(title=.*?)'?$/m.exec(stderr)?.[1] ?? expect.fail(stderr);
    expect((await crm('leads', 'list', '--where', title, '-o', 'ids')).stdout).toBe('4\n');
  });

  it('a single create reads its record by its id, and says the same', async () => {
    await serve({ keeps }, [3]);
    const { status, stdout, stderr } = await crm('leads', 'create', '--title', sent, '--status', '1', '--category', '1', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { id: 4, title: kept }]);
    expect([stderr.includes(told), posts(), reads()]).toEqual([true, 1, ['GET /api/leads/4']]);
  });
});

const full = Array.from({ length: 300 }, (_, index) => index + 1);

/** What a service answers that made nothing, or not yet; and what is said. */
const doubts: readonly (readonly [string, readonly number[], Oddities, string])[] = [
  [
    'answers 202 with the number of a job',
    [3, 17],
    { ignores: ({ what }) => what === 'POST', answers: () => ({ status: 202, data: { id: 17 } }) },
    'The service answered 202 with lead 17, which was there before.',
  ],
  [
    'answers 202 with an id that is not there yet',
    [3],
    { ignores: ({ what }) => what === 'POST', answers: () => ({ status: 202, data: { id: 17 } }) },
    'The service answered 202 with lead 17, but there is no lead 17.',
  ],
  [
    'answers 201 without its record, which is not there',
    [3],
    { ignores: ({ what }) => what === 'POST', answers: ({ id }) => ({ data: { id } }) },
    'The service answered 201 with lead 4, but there is no lead 4.',
  ],
  [
    'answers 200 with a record below all that was read before',
    full,
    { ignores: ({ what }) => what === 'POST', answers: ({ title }) => ({ status: 200, data: oddLead(5, { title }) }) },
    'The service answered 200 with lead 5, which was there before.',
  ],
  [
    'answers 200 with a record that was read before',
    [3, 17],
    { ignores: ({ what }) => what === 'POST', answers: ({ title }) => ({ status: 200, data: oddLead(17, { title }) }) },
    'The service answered 200 with lead 17, which was there before.',
  ],
];

describe.each(doubts)('a service that %s', (_how, ids, odd, sentence) => {
  const id = /lead (\d+)/.exec(sentence)?.[1] ?? '';

  it('the row is unknown at once, with the id; it is never sent again, and nobody loses a lead', async () => {
    await serve(odd, ids);
    const { status, stdout, stderr } = await importOf(['Fair']);
    expect([status, JSON.parse(stdout)], stderr).toMatchObject([8, { created: 0, unknown: 1 }]);
    expect(stderr).not.toContain('Waiting');
    expect(JSON.parse(stderr.split('\n').findLast((line) => line.startsWith('{')) ?? '')).toMatchObject({
      error: { fields: [{ name: 'line 2', messages: [sentence] }] },
    });
    expect(read('rejects.csv')).toBe(`title,status,category,_line,_status,_error,_id\nFair,1,1,2,unknown,"${sentence}",${id}\n`);
    expect(read('results.csv')).toBe(`title,status,category,id,outcome,error\nFair,1,1,${id},unknown,"${sentence}"\n`);
    const { run } = JSON.parse(stdout) as { run: string };
    await crm('leads', 'import', 'f.csv', '--json', '--resume');
    await crm('undo', run, '--yes');
    expect([posts(), [...service.leads.keys()]]).toEqual([1, ids]);
  });
});

it('a queue that makes the lead later: --resume finds it, and sends nothing again', async () => {
  await serve({ ignores: ({ what }) => what === 'POST', answers: ({ id }) => ({ status: 202, data: { id } }) }, [3]);
  expect((await importOf(['Fair'])).status).toBe(8);
  service.leads.set(4, oddLead(4, { title: 'Fair' }));
  const { status, stdout } = await crm('leads', 'import', 'f.csv', '--json', '--resume');
  expect([status, JSON.parse(stdout), posts()]).toMatchObject([0, { created: 1, unknown: 0 }, 1]);
});

it('the rejects of such rows are imported again without their columns', async () => {
  await serve({ ignores: ({ what }) => what === 'POST', answers: () => ({ status: 202, data: { id: 17 } }) }, [3]);
  await importOf(['Fair']);
  service.odd = {};
  const { status, stdout, stderr } = await crm('leads', 'import', 'rejects.csv', '--json');
  expect([status, JSON.parse(stdout)], stderr).toMatchObject([0, { created: 1 }]);
});

describe('a single create', () => {
  const argv = ['leads', 'create', '--title', 'Fair', '--status', '1', '--category', '1', '--json'];

  it.each([
    ['202, and the record is there', { status: 202 }, 0, ''],
    ['202 with a job', { status: 202, data: { id: 17 } }, 7, 'there is no lead 17'],
    ['202 with the id of another', { status: 202, data: { id: 3 } }, 7, 'has only accepted the request, and lead 3 holds other values'],
    ['201 with other values, and no record', { data: oddLead(17, { title: 'Other' }) }, 7, 'there is no lead 17'],
  ] as const)('that is answered %s', async (_how, answer, status, why) => {
    await serve({ answers: (_lead, { what }) => (what === 'POST' ? answer : undefined) }, [3]);
    const ended = await crm(...argv);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(why)]);
    const client = await openClient({ baseUrl: service.env.CRM_BASE_URL ?? '', key: 'a-key-of-this-test' });
    const made = client.leads.create({ title: 'Fair', status: 1, category: 1 });
    if (status === 0) expect(await made).toMatchObject({ title: 'Fair' });
    else await expect(made).rejects.toThrow(why);
    expect(posts()).toBe(2);
  });

  it('whose answer shows its values is not read', async () => {
    await serve({}, [3]);
    expect((await crm(...argv)).status).toBe(0);
    expect(service.requests).toEqual(['POST /api/leads']);
  });
});
