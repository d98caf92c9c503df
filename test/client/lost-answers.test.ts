// Single writes whose answer is lost: one look tells whether the write took effect. The service holds one lead and one proposal; `loses` says
// of each write how its answer is lost, and whether the write takes effect before.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../../src/client/library/client.ts';
import type { Crm } from '../support/crm.ts';
import { type HostileServer, hostileServer, html, http, json, type Peer, type Reply, reset } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { LEAD as WIRE_LEAD } from '../wire/records.ts';
import { expectFailure, key, settings } from './support.ts';

let server: HostileServer;
const folder = mkdtempSync(join(tmpdir(), 'crm-lost-'));
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const LEAD = { ...WIRE_LEAD, title: 'Shop', tags: ['warm'], assigned: [{ id: 5, name: 'Sam Hill' }], active_state: 'active' };
const PROPOSAL = { id: 12, title: 'Relaunch', status: 'new', signed: { date: null, first_name: null, last_name: null }, tags: [] };
const data = (record: unknown): Reply => json({ data: record, message: 'OK' });

/** An answer that gets lost. */
const losses: Readonly<Record<string, Reply>> = {
  'no answer': reset(),
  'an HTML page': html(200, 'Signed out'),
  'a 502': html(502, 'Bad Gateway'),
  'a 500': json({ message: 'Fault' }, 500),
};

interface Held {
  lead: Record<string, unknown> | undefined;
  proposal: Record<string, unknown>;
}

/** What a write does to the service. */
type Effect = (held: Held, body: URLSearchParams) => void;

/** `fates`: of each write, whether it takes effect, and its reply; the last one stands for all further writes. Default: as it is. */
interface Fate {
  readonly acts: boolean;
  readonly reply?: Reply;
}

let cases = 0;
function serviceOf(effect: Effect, fates: readonly Fate[], meanwhile?: (held: Held) => void): { peer: Peer; held: Held } {
  cases += 1;
  const held: Held = { lead: { ...LEAD }, proposal: { ...PROPOSAL } };
  let writes = 0;
  const peer = server.serve(`lost-${cases}`, (socket, seen) => {
    const path = seen.path.replace(/\?.*/, '');
    const record = path.startsWith('/api/proposals') ? held.proposal : held.lead;
    if (seen.method !== 'GET') {
      const fate = fates[Math.min(writes, fates.length - 1)] ?? { acts: true };
      writes += 1;
      if (fate.acts) effect(held, new URLSearchParams(seen.body));
      if (writes === 1) meanwhile?.(held);
      return (fate.reply ?? data(held.lead ?? null))(socket, seen);
    }
    if (path === '/api/leads') return json({ data: held.lead === undefined ? [] : [held.lead], meta: { total: 1 } })(socket, seen);
    return record === undefined ? json({ message: 'Lead not found.' }, 404)(socket, seen) : data(record)(socket, seen);
  });
  return { peer, held };
}

const update: Effect = ({ lead }, body) => Object.assign(lead ?? {}, { source: body.get('lead_source') });
const tags: Effect = ({ lead }, body) => Object.assign(lead ?? {}, { tags: body.getAll('tags[]') });
const assign: Effect = ({ lead }, body) =>
  Object.assign(lead ?? {}, { assigned: body.getAll('assigned[]').map((id) => ({ id: Number(id), name: `P${id}` })) });
const archive: Effect = ({ lead }) => Object.assign(lead ?? {}, { active_state: 'archived' });
const status: Effect = ({ proposal }, body) => Object.assign(proposal, { status: body.get('status') });
const remove: Effect = (held) => {
  held.lead = undefined;
};

const writes: readonly (readonly [name: string, argv: readonly string[], effect: Effect])[] = [
  ['update', ['leads', 'update', '12', '--source', 'Fair'], update],
  ['tags --add', ['leads', 'tags', '12', '--add', 'hot'], tags],
  ['tags', ['leads', 'tags', '12', 'hot', 'new'], tags],
  ['assign', ['leads', 'assign', '12', '--add', '8'], assign],
  ['archive', ['leads', 'archive', '12'], archive],
  ['status of a proposal', ['proposals', 'status', '12', 'accepted', '--yes'], status],
  ['delete', ['leads', 'delete', '12', '--yes'], remove],
];

async function run(argv: readonly string[], peer: Peer, tty = false): Promise<Crm & { asked: string[] }> {
  const env = { ...settings(peer.url), CRM_DATA_DIR: mkdtempSync(join(folder, 'data-')) };
  const crm = await runHere(argv, { env, tty });
  return { ...crm, asked: peer.seen.map(({ method }) => method) };
}

const told = /The answer to the write was lost\. A look shows (the change in|that) (lead|proposal) 12/;

describe.concurrent.each(writes)('%s', (_name, argv, effect) => {
  it.each(Object.entries(losses))('%s, and it took effect: 0, and that is told', async (_loss, reply) => {
    const { peer } = serviceOf(effect, [{ acts: true, reply }]);
    const crm = await run([...argv, '--retries', '1'], peer);
    expect([crm.status, told.test(crm.stderr)], crm.stderr).toEqual([0, true]);
    // The last request is the look.
    expect(crm.asked.at(-1)).toBe('GET');
  });

  it.each(Object.entries(losses))('%s, and it did not take effect: 7, and nothing more is sent', async (_loss, reply) => {
    const { peer } = serviceOf(effect, [{ acts: false, reply }]);
    const crm = await run([...argv, '--retries', '0'], peer);
    expectFailure(crm, 7, /The outcome of \w+ \S+ is unknown/);
    expect(crm.stderr).toMatch(/crm (leads|proposals) get 12$/m);
    expect(crm.asked.filter((method) => method !== 'GET')).toHaveLength(1);
  });
});

describe.concurrent('a lost answer', () => {
  it('whose repetition is answered is told as the change that it was, and noted for undo', async () => {
    const { peer } = serviceOf(tags, [{ acts: true, reply: reset() }, { acts: true }]);
    const env = { ...settings(peer.url), CRM_DATA_DIR: mkdtempSync(join(folder, 'data-')) };
    const crm = await runHere(['leads', 'tags', '12', '--add', 'hot'], { env, tty: true });
    expect([crm.status, crm.stderr.includes('as it was')], crm.stderr).toEqual([0, false]);
    expect(crm.stderr).toContain('+hot');
    const history = await runHere(['history', '--all', '--json'], { env });
    expect(history.stdout).toContain('tags 12 --add hot');
  });

  it("whose repetition finds a colleague's tag, too, keeps and does not claim it", async () => {
    const { peer, held } = serviceOf(tags, [{ acts: false, reply: reset() }, { acts: true }], ({ lead }) => {
      Object.assign(lead ?? {}, { tags: ['warm', 'vip'] });
    });
    const crm = await run(['leads', 'tags', '12', '--add', 'hot'], peer, true);
    expect([crm.status, held.lead?.tags], crm.stderr).toEqual([0, ['warm', 'vip', 'hot']]);
    expect(crm.stderr).not.toContain('+vip');
  });

  it.each([404, 409, 422])('of an archive, repeated and answered %d: it is looked at first', async (code) => {
    const again = json({ message: 'No.' }, code);
    const done = serviceOf(archive, [
      { acts: true, reply: reset() },
      { acts: false, reply: again },
    ]);
    const crm = await run(['leads', 'archive', '12'], done.peer);
    expect([crm.status, told.test(crm.stderr)], crm.stderr).toEqual([0, true]);
    const undone = serviceOf(archive, [
      { acts: false, reply: reset() },
      { acts: false, reply: again },
    ]);
    expect((await run(['leads', 'archive', '12'], undone.peer)).status).toBe({ 404: 3, 409: 10, 422: 5 }[code]);
  });

  it('without a loss before it, a 409 counts at once', async () => {
    const { peer } = serviceOf(archive, [{ acts: true, reply: json({ message: 'No.' }, 409) }]);
    const crm = await run(['leads', 'archive', '12'], peer);
    expect([crm.status, crm.asked]).toEqual([10, ['PUT']]);
  });

  it.each<[string, Reply]>([
    ['success: false', json({ success: false })],
    ['a 202', json({ data: null }, 202)],
    ['a 403', json({ message: 'No.' }, 403)],
  ])('is no denial: %s is never taken for one', async (_name, reply) => {
    const { peer } = serviceOf(update, [{ acts: true, reply }]);
    const crm = await run(['leads', 'update', '12', '--source', 'Fair'], peer);
    expect([4, 7]).toContain(crm.status);
    expect(crm.asked).toEqual(['GET', 'PATCH']);
  });

  it('after a time-out is looked for, too', async () => {
    const { peer } = serviceOf(update, [{ acts: true, reply: () => {} }]);
    const crm = await run(['leads', 'update', '12', '--source', 'Fair', '--timeout', '1'], peer);
    expect([crm.status, crm.asked], crm.stderr).toEqual([0, ['GET', 'PATCH', 'GET']]);
  });

  it('of --replace stays unknown: nothing was read', async () => {
    const { peer } = serviceOf(update, [{ acts: true, reply: reset() }]);
    const argv = ['leads', 'update', '12', '--replace', '--title', 'x', '--status', '3', '--category', '2', '--source', 'Fair'];
    const crm = await run(argv, peer);
    expect([crm.status, crm.asked], crm.stderr).toEqual([7, ['PATCH']]);
  });

  it('whose look fails leaves the 7', async () => {
    cases += 1;
    const gone = server.serve(`lost-${cases}`, data(LEAD), reset(), http(503, ''));
    expectFailure(await run(['leads', 'update', '12', '--source', 'Fair', '--retries', '0'], gone), 7, /The outcome of PATCH/);
  });

  it('of a value that the record held before is no change by a colleague: the other value stands, so nobody can tell', async () => {
    const { peer } = serviceOf(update, [{ acts: false, reply: reset() }], ({ lead }) => Object.assign(lead ?? {}, { source: 'Theirs' }));
    expectFailure(await run(['leads', 'update', '12', '--source', 'Fair'], peer), 7, /The outcome of PATCH/);
  });

  it('of a delete: gone by the read alone is not gone', async () => {
    cases += 1;
    const peer = server.serve(`lost-${cases}`, reset(), json({ message: 'Lead not found.' }, 404));
    expectFailure(await run(['leads', 'delete', '12', '--yes'], peer), 7, /The outcome of DELETE/);
  });
});

describe('the library', () => {
  it('returns the record that shows the change, and deletes', async () => {
    const changed = serviceOf(update, [{ acts: true, reply: reset() }]);
    const client = await openClient({ baseUrl: changed.peer.url, key });
    expect(await client.leads?.update(12, { source: 'Fair' })).toMatchObject({ id: 12, source: 'Fair' });
    const deleted = serviceOf(remove, [{ acts: true, reply: reset() }]);
    const other = await openClient({ baseUrl: deleted.peer.url, key });
    expect(await other.leads?.delete(12)).toBeUndefined();
    const kept = serviceOf(update, [{ acts: false, reply: reset() }]);
    const third = await openClient({ baseUrl: kept.peer.url, key });
    await expect(third.leads?.update(12, { source: 'Fair' })).rejects.toMatchObject({ code: 'outcome_unknown' });
    await Promise.all([client, other, third].map((one) => one.close()));
  });
});
