// Single commands against a service that pauses or fails in passing while a colleague is at work: what rests on a read is read anew before
// each repetition. Every exchange is typed by hand.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectFailure, expectJsonFailure, settings } from '../client/support.ts';
import type { Crm } from '../support/crm.ts';
import { type HostileServer, hostileServer, http, json, type Peer, type Reply, reset } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { LEAD as WIRE_LEAD } from '../wire/records.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

const LEAD = { ...WIRE_LEAD, title: 'Shop', tags: ['warm'], assigned: [{ id: 5, name: 'Sam Hill' }] };
const EDITED = { ...LEAD, description: 'Three floors', tags: ['warm', 'vip'], assigned: [...LEAD.assigned, { id: 8, name: 'Kim Park' }] };
const PROPOSAL = { id: 5, title: 'Relaunch', status: 'new', signed: { date: null, first_name: null, last_name: null }, tags: [] };
const SIGNED = { ...PROPOSAL, status: 'accepted', signed: { date: '2026-03-05', first_name: 'Jane', last_name: 'Doe' } };

const data = (record: unknown, status = 200): Reply => json({ data: record, message: 'OK' }, status);
const pause: Reply = json({ message: 'Too Many Attempts.' }, 429, { 'retry-after': '0' });
const failure: Reply = json({ message: 'Not now' }, 503);

let cases = 0;
async function run(argv: string[], ...replies: Reply[]): Promise<{ crm: Crm; peer: Peer; asked: string[] }> {
  cases += 1;
  const peer = server.serve(`look-${cases}`, ...replies);
  const crm = await runHere(argv, { env: settings(peer.url) });
  return { crm, peer, asked: peer.seen.map(({ method, path }) => `${method} ${path}`) };
}
const bodyOf = ({ seen }: Peer, n: number): [string, string][] => [...new URLSearchParams(seen[n]?.body)];

describe.concurrent('after a pause', () => {
  it('update merges with what a colleague wrote meanwhile', async () => {
    const after = { ...EDITED, title: 'Shop sign' };
    const { crm, peer, asked } = await run(['leads', 'update', '12', '--title', 'Shop sign'], data(LEAD), pause, data(EDITED), data(after));
    expect(crm.status, crm.stderr).toBe(0);
    expect(asked).toEqual(['GET /api/leads/12', 'PATCH /api/leads/12', 'GET /api/leads/12', 'PATCH /api/leads/12']);
    expect(bodyOf(peer, 1)).toContainEqual(['lead_description', 'Two floors']);
    expect(bodyOf(peer, 3)).toContainEqual(['lead_description', 'Three floors']);
    expect(bodyOf(peer, 3)).toContainEqual(['lead_title', 'Shop sign']);
  });

  it('contacted does the same with the date', async () => {
    const { crm, peer } = await run(
      ['leads', 'contacted', '12', '--on', '2026-05-01'],
      data(LEAD),
      pause,
      data(EDITED),
      data({ ...EDITED, last_contacted: '2026-05-01' }),
    );
    expect(crm.status, crm.stderr).toBe(0);
    expect(bodyOf(peer, 3)).toContainEqual(['lead_description', 'Three floors']);
  });

  it('update --replace reads nothing, and sends the same again', async () => {
    const argv = ['leads', 'update', '12', '--replace', '--title', 'x', '--status', '3', '--category', '2'];
    const { crm, peer, asked } = await run(argv, pause, data({ ...LEAD, title: 'x' }));
    expect(crm.status, crm.stderr).toBe(0);
    expect(asked).toEqual(['PATCH /api/leads/12', 'PATCH /api/leads/12']);
    expect(peer.seen[1]?.body).toBe(peer.seen[0]?.body);
  });

  it.each([
    ['a 429', pause],
    ['a 503, which may have taken effect', failure],
  ])('tags --add and assign --remove keep what came in between, after %s', async (_name, passing) => {
    const tags = await run(
      ['leads', 'tags', '12', '--add', 'hot'],
      data(LEAD),
      passing,
      data(EDITED),
      data({ ...EDITED, tags: ['warm', 'vip', 'hot'] }),
    );
    expect(tags.crm.status, tags.crm.stderr).toBe(0);
    expect(bodyOf(tags.peer, 3)).toEqual([
      ['tags[]', 'warm'],
      ['tags[]', 'vip'],
      ['tags[]', 'hot'],
    ]);
    const assign = await run(
      ['leads', 'assign', '12', '--remove', '5'],
      data(LEAD),
      passing,
      data(EDITED),
      data({ ...EDITED, assigned: [{ id: 8, name: 'Kim Park' }] }),
    );
    expect(assign.crm.status, assign.crm.stderr).toBe(0);
    expect(bodyOf(assign.peer, 3)).toEqual([['assigned[]', '8']]);
  });

  it('a proposal that was signed meanwhile keeps its status, also with --yes', async () => {
    for (const flags of [[], ['--yes']]) {
      const { crm, asked } = await run(['proposals', 'status', '5', 'revised', ...flags], data(PROPOSAL), pause, data(SIGNED));
      expectFailure(crm, 10, /Proposal 5 was signed meanwhile/);
      expect(asked).toEqual(['GET /api/proposals/5', 'PUT /api/proposals/5/status', 'GET /api/proposals/5']);
    }
  });

  it('a signature that was agreed to go may still go; another one may not', async () => {
    const argv = ['proposals', 'status', '5', 'revised', '--yes'];
    const cleared = { ...PROPOSAL, status: 'revised' };
    const same = await run(argv, data(SIGNED), pause, data(SIGNED), data(cleared));
    expect(same.crm.status, same.crm.stderr).toBe(0);
    const other = { ...SIGNED, signed: { ...SIGNED.signed, first_name: 'John' } };
    const { crm, asked } = await run(argv, data(SIGNED), pause, data(other));
    expectFailure(crm, 10, /signed meanwhile/);
    expect(asked.filter((one) => one.startsWith('PUT'))).toHaveLength(1);
  });

  it('clone and convert take what the source holds by then', async () => {
    const clone = await run(['leads', 'clone', '12'], data(LEAD), pause, data({ ...LEAD, title: 'Barn' }), data({ id: 40 }, 201));
    expect(clone.crm.status, clone.crm.stderr).toBe(0);
    expect(bodyOf(clone.peer, 3)).toContainEqual(['lead_title', 'Barn (copy)']);
    const married = { ...LEAD, contact: { ...LEAD.contact, last_name: 'Lee-Hill' } };
    const convert = await run(['leads', 'convert', '12'], data(LEAD), pause, data(married), data({ id: 7 }, 201));
    expect(convert.crm.status, convert.crm.stderr).toBe(0);
    expect(bodyOf(convert.peer, 3)).toContainEqual(['last_name', 'Lee-Hill']);
  });

  it('a read that fails then says that the first attempt may have taken effect', async () => {
    const argv = ['leads', 'tags', '12', '--add', 'hot', '--json'];
    const { crm } = await run(argv, data(LEAD), failure, json({ message: 'Lead not found.' }, 404));
    expect(crm.status).toBe(3);
    expect(crm.stderr).toMatch(/The outcome of PUT \/api\/leads\/12\/tags is unknown.*leads get 12/);
    const plain = await run(argv, data(LEAD), pause, json({ message: 'Lead not found.' }, 404));
    expect(plain.crm.stderr).not.toMatch(/unknown/);
  });
});

describe.concurrent('an answer that says success and shows none', () => {
  const archived = data({ ...LEAD, active_state: 'archived' });
  const lies: Record<string, unknown> = {
    'success: false': { success: false },
    'an error': { error: 'denied' },
    'an error beside the record': { data: { ...LEAD, title: 'x' }, error: { code: 7 } },
    'another record': { data: { ...LEAD, id: 13, title: 'x' } },
  };
  for (const [name, document] of Object.entries(lies)) {
    it(`${name} is no update and no action`, async () => {
      const update = await run(['leads', 'update', '12', '--title', 'x', '--json'], data(LEAD), json(document));
      expectJsonFailure(
        update.crm,
        7,
        'outcome_unknown',
        /The service answered 200, but .* The outcome of PATCH \/api\/leads\/12 is unknown/,
      );
      expect(update.asked).toHaveLength(2);
      const archive = await run(['leads', 'archive', '12', '--json'], json(document));
      expectJsonFailure(archive.crm, 7, 'outcome_unknown', /The outcome of PUT \/api\/leads\/12\/archive is unknown/);
      const remove = await run(['leads', 'delete', '12', '--yes', '--json'], json(document));
      expectJsonFailure(remove.crm, 7, 'outcome_unknown', /The outcome of DELETE \/api\/leads\/12 is unknown/);
    });
  }

  it('what was only accepted is not done', async () => {
    const { crm } = await run(['leads', 'archive', '12', '--json'], json({ data: { ...LEAD, active_state: 'archived' } }, 202));
    expectJsonFailure(crm, 7, 'outcome_unknown', /The service answered 202, but has only accepted the request\./);
  });

  it('says what the service said', async () => {
    const { crm } = await run(['leads', 'archive', '12'], json({ success: false, message: 'Not on weekends' }));
    expectFailure(crm, 7, /says that it failed: "Not on weekends"\./);
  });

  const silent: Record<string, Reply> = {
    '"ok"': json('ok'),
    '[]': json([]),
    '{"data": null}': json({ data: null }),
    'a message alone': json({ message: 'Done.' }),
    'an empty body': http(200, ''),
    'a 204': http(204, ''),
  };
  for (const [name, reply] of Object.entries(silent)) {
    it(`${name} counts where a read agrees, and where it does not it is no success`, async () => {
      const update = ['leads', 'update', '12', '--title', 'x'];
      const done = await run(update, data(LEAD), reply, data({ ...LEAD, title: 'x' }));
      expect(done.crm.status, done.crm.stderr).toBe(0);
      expect(done.crm.stderr).toContain('title Shop -> x');
      const undone = await run(update, data(LEAD), reply, data(LEAD));
      expectFailure(undone.crm, 7, /but without the record, and a read does not show the write\. The outcome of PATCH/);
      expect(undone.crm.stderr).not.toContain('changed');
      expect(undone.asked).toEqual(['GET /api/leads/12', 'PATCH /api/leads/12', 'GET /api/leads/12']);

      const remove = ['leads', 'delete', '12', '--yes'];
      const gone = await run(remove, reply, json({ message: 'Lead not found.' }, 404));
      expect(gone.crm.status, gone.crm.stderr).toBe(0);
      const there = await run(remove, reply, data(LEAD));
      expectFailure(there.crm, 7, /the record is still there/);
    });
  }

  it('so do actions and sets', async () => {
    const reply = http(204, '');
    const archive = await run(['leads', 'archive', '12'], reply, archived);
    expect(archive.crm.status, archive.crm.stderr).toBe(0);
    const active = await run(['leads', 'archive', '12'], reply, data(LEAD));
    expectFailure(active.crm, 7, /a read does not show the write/);

    const tags = await run(['leads', 'tags', '12', 'hot'], reply, data({ ...LEAD, tags: ['hot'] }));
    expect(tags.crm.status, tags.crm.stderr).toBe(0);
    const untagged = await run(['leads', 'tags', '12', 'hot'], reply, data(LEAD));
    expectFailure(untagged.crm, 7, /a read does not show the write/);
  });

  it('a create without an id is no create, and says where to look', async () => {
    const answers: Reply[] = [
      ...Object.values(silent),
      json({ data: { title: 'x' } }, 201),
      json({ success: false }),
      json({ data: { id: 'x' } }, 201),
    ];
    for (const reply of answers) {
      const { crm } = await run(['notes', 'create', '--title', 'x', '--description', 'y', '-o', 'ids'], reply);
      expectFailure(crm, 7, /The outcome of POST \/api\/notes is unknown/);
      expect(crm.stderr).toContain('notes list --sort created --order desc --limit 10');
    }
  });

  it('a comment, a clone and a conversion need an id as well', async () => {
    for (const argv of [
      ['leads', 'comments', 'add', '12', 'hello'],
      ['leads', 'clone', '12', '--title', 'x', '--status', '3'],
    ]) {
      const { crm } = await run(argv, json({ data: null }, 201));
      expectFailure(crm, 7, /without the id of the new record/);
    }
    const { crm } = await run(['leads', 'convert', '12'], data(LEAD), json({ success: true }, 201));
    expectFailure(crm, 7, /without the id of the new record/);
  });

  it('a 408 to a write leaves its outcome unknown', async () => {
    const { crm } = await run(['leads', 'archive', '12', '--retries', '0', '--json'], json({ message: 'Request Timeout' }, 408));
    expectJsonFailure(crm, 7, 'outcome_unknown', /\(408\): Request Timeout\. The outcome of PUT \/api\/leads\/12\/archive is unknown/);
    const create = await run(['leads', 'comments', 'add', '12', 'x', '--json'], json({}, 408), data({ id: 1 }, 201));
    expectJsonFailure(create.crm, 7, 'outcome_unknown', /The outcome of POST/);
    expect(create.asked).toHaveLength(1);
  });
});

describe.concurrent('an answer that was lost', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const peerOf = (name: string, reply: (request: string) => Reply): { peer: Peer; cwd: string; env: Record<string, string> } => {
    const cwd = mkdtempSync(join(tmpdir(), 'crm-look-'));
    folders.push(cwd);
    const peer = server.serve(name, (socket, seen) => reply(`${seen.method} ${seen.path.replace(/\?.*/, '')}`)(socket, seen));
    return { peer, cwd, env: { ...settings(peer.url), CRM_DATA_DIR: cwd, CRM_TEST_WAITS: '0.02' } };
  };

  it('of a value that was to be emptied is no success where the record still has it: it is sent again', async () => {
    let source: string | null = 'Web';
    let writes = 0;
    const { peer, cwd, env } = peerOf('lost-blank', (request) => {
      if (request !== 'PATCH /api/leads/12') return data(request.endsWith('/13') ? { ...LEAD, id: 13, source: null } : { ...LEAD, source });
      writes += 1;
      if (writes === 1) return reset();
      source = null;
      return data({ ...LEAD, source });
    });
    const crm = await runHere(['leads', 'update', '12,13', '--source', '', '--yes', '--json'], { env, cwd });
    expect(crm.status, crm.stderr).toBe(0);
    const sent = peer.seen
      .filter(({ method }) => method === 'PATCH')
      .map(({ path, body }) => [path, new URLSearchParams(body).get('lead_source')]);
    expect(sent).toEqual([
      ['/api/leads/12', ''],
      ['/api/leads/12', ''],
    ]);
  });

  it('of a value that the service does not show: nobody can tell, and it is not sent again', async () => {
    const { description: _unshown, ...shown } = LEAD;
    const { peer, cwd, env } = peerOf('lost-unshown', (request) => {
      if (request === 'PATCH /api/leads/12') return reset();
      return data({ ...shown, id: request.endsWith('/13') ? 13 : 12 });
    });
    const crm = await runHere(['leads', 'update', '12,13', '--description', 'Three floors', '--yes', '--json'], { env, cwd });
    expect([crm.status, crm.stderr]).toEqual([8, expect.stringContaining('Nobody can tell whether the write changed lead 12')]);
    expect(peer.seen.filter(({ method }) => method === 'PATCH').map(({ path }) => path)).toEqual(['/api/leads/12', '/api/leads/13']);
  });

  it('of a comment on a lead that was deleted meanwhile: the comment has failed, and the other one is there', async () => {
    let isGone = false;
    const comments: unknown[] = [];
    const { cwd, env } = peerOf('lost-comment-gone', (request) => {
      if (request === 'POST /api/leads/12/comments') {
        isGone = true;
        return reset();
      }
      if (isGone && request.startsWith('GET /api/leads/12')) return json({}, 404);
      if (request === 'GET /api/leads/12/comments' || request === 'GET /api/leads') return data([]);
      if (request === 'GET /api/leads/13/comments') return data(comments);
      if (request !== 'POST /api/leads/13/comments') return data({ ...LEAD, id: request.endsWith('/13') ? 13 : 12 });
      comments.push({ id: 5, text: 'Rang', comment: 'Rang' });
      return data(comments[0], 201);
    });
    const crm = await runHere(['leads', 'comments', 'add', '12,13', '--text', 'Rang', '--yes', '--json'], { env, cwd });
    expect([crm.status, crm.stdout], crm.stderr).toEqual([8, expect.stringContaining('"id": 5')]);
    expect(crm.stderr).not.toContain('which is a list');
    expect(comments).toHaveLength(1);
  });

  it('of a comment that is not there: it is sent again, and named', async () => {
    const comments: unknown[] = [];
    let writes = 0;
    const { cwd, env } = peerOf('lost-comment', (request) => {
      if (request === 'GET /api/leads/12/comments') return data(comments);
      if (request === 'GET /api/leads/12') return data(LEAD);
      const meta = { current_page: 1, per_page: 100, total: 1, last_page: 1 };
      if (request === 'GET /api/leads') return json({ data: [LEAD], message: '', meta });
      writes += 1;
      if (writes === 1) return reset();
      comments.push({ id: 5, text: 'Rang', comment: 'Rang' });
      return data(comments[0], 201);
    });
    const crm = await runHere(['leads', 'comments', 'add', '--where', 'title=Shop', '--text', 'Rang', '--yes', '--json'], { env, cwd });
    expect(crm.stderr).toContain(
      '1 comment was sent again because its answer was lost: lead 12. Look whether it is there twice:\n  crm leads comments list 12\n',
    );
    expect([crm.status, writes]).toEqual([0, 2]);
  });

  it('or not, a value that the service rewrote is put back only as it was answered, not as it was sent', async () => {
    const held: Record<string, string> = { 12: 'Web', 13: 'Web' };
    const { peer, cwd, env } = peerOf('undo-rewritten', (request) => {
      const id = request.replace(/.*\//, '');
      const body = peer.seen.at(-1)?.body ?? '';
      if (request.startsWith('PATCH')) held[id] = (new URLSearchParams(body).get('lead_source') ?? '').toLowerCase();
      return data({ ...LEAD, id: Number(id), source: held[id] });
    });
    const changed = await runHere(['leads', 'update', '12,13', '--source', 'ACME', '--yes'], { env, cwd });
    const run = /crm undo (\w+)/.exec(changed.stderr)?.[1] ?? '';
    held[12] = 'ACME';
    const undone = await runHere(['undo', run, '--yes', '--json'], { env, cwd });
    expect([undone.status, held], undone.stderr).toEqual([8, { 12: 'ACME', 13: 'web' }]);
  });

  it('about a lead that an import made has it looked at before its tags are written: a colleague may have found it', async () => {
    const made = { ...LEAD, id: 90, title: 'New', assigned: [] as unknown[], tags: [] as string[] };
    const { peer, cwd, env } = peerOf('lost-extra', (request) => {
      if (request === 'POST /api/leads') return data(made, 201);
      if (request === 'PUT /api/leads/90/assigned') {
        made.assigned = [{ id: 5, name: 'Sam Hill' }];
        made.tags = ['by a colleague'];
        return reset();
      }
      if (request === 'PUT /api/leads/90/tags') made.tags = ['by a colleague', 'hot'];
      if (request === 'GET /api/leads/90' || request === 'PUT /api/leads/90/tags') return data(made);
      return json({ data: [], message: '', meta: { current_page: 1, per_page: 100, total: 0, last_page: 1 } });
    });
    writeFileSync(join(cwd, 'new.csv'), 'title,status,category,assigned.id,tags\nNew,1,1,5,hot\n');
    const crm = await runHere(['leads', 'import', 'new.csv', '--yes', '--json'], { env, cwd });
    expect(crm.status, crm.stderr).toBe(0);
    const [tags] = peer.seen.filter(({ method, path }) => method === 'PUT' && path === '/api/leads/90/tags');
    expect([...new URLSearchParams(tags?.body).values()].sort()).toEqual(['by a colleague', 'hot']);
  });
});
