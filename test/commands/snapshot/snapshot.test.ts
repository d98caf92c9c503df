// A snapshot: every record as the service told it, whole or not at all.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { attack, leadOf, type Place } from '../../attacks/place.ts';
import { cleanEnv, runCrm, shellCommand } from '../../support/crm.ts';
import type { Script, Told } from '../../support/strange-service.ts';

const lines = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const leads = (place: Place, count: number): void => {
  for (let number = 1; number <= count; number += 1) leadOf(place, number);
};

/** What befalls one page of the leads' list. */
const onPage =
  (wanted: string, change: (body: { data: unknown[]; meta: { total: number } }) => object): Script =>
  ({ family, query, action }) =>
    family === 'leads' && action === '' && query.get('page') === wanted && !query.has('active_state')
      ? { answer: (meant: Told) => ({ ...meant, body: change(meant.body as never) }) }
      : undefined;

/** A snapshot of leads whose third page never comes. */
async function startedAndStuck(place: Place, dir: string): Promise<ReturnType<Place['start']>> {
  const reached = new Promise<void>((resolve) =>
    place.service.script(({ family, query }) => {
      if (family !== 'leads' || query.get('page') !== '3') return undefined;
      setTimeout(resolve, 100);
      return { answer: 'silence' };
    }),
  );
  const run = place.start(['snapshot', dir, '--family', 'leads']);
  await reached;
  return run;
}

describe.concurrent('a snapshot', () => {
  attack('holds every record in a line, and says of each file what is in it', async (place) => {
    const { folder, service } = place;
    leads(place, 230);
    place.service.has('contacts', { first_name: 'Jo', last_name: 'Doe', email: 'jo@doe.example', 'client.id': 1 });
    const dir = join(folder, 'monday');
    const { status, stdout, stderr } = await place.crm(['snapshot', dir, '--json']);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ folder: dir, service: service.baseUrl, records: { leads: 230, contacts: 1, notes: 0 } });
    expect(lines(join(dir, 'leads.ndjson'))).toHaveLength(230);
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ service: service.baseUrl, taken: expect.stringMatching(/^20\d\d-.*Z$/) });
    const bytes = readFileSync(join(dir, 'leads.ndjson'));
    expect(manifest.files.leads).toEqual({ records: 230, sha256: createHash('sha256').update(bytes).digest('hex') });
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const all = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
    expect(all.join('').includes(service.key)).toBe(false);
    expect(stderr).toContain('It is no backup: nothing can restore it into the service.');
  });

  attack('keeps numbers as they were written', async (place) => {
    leads(place, 1);
    place.service.script(({ family }) =>
      family === 'leads'
        ? {
            answer: { status: 200, body: '{"data":[{"id":12345678901234567890,"value":1.10,"odd":1e2}],"meta":{"total":1,"last_page":1}}' },
          }
        : undefined,
    );
    const dir = join(place.folder, 'monday');
    expect((await place.crm(['snapshot', dir, '--family', 'leads', '-q'])).status).toBe(0);
    expect(readFileSync(join(dir, 'leads.ndjson'), 'utf8')).toBe('{"id":12345678901234567890,"value":1.10,"odd":1e2}\n');
  });

  attack('holds archived leads also where the list of all leaves them out', async (place) => {
    const { service } = place;
    leads(place, 2);
    leadOf(place, 3, { active_state: 'archived' });
    service.script(({ family, query }) =>
      family === 'leads' && !query.has('active_state')
        ? {
            answer: (meant) => {
              const { data, meta } = meant.body as { data: { active_state: string }[]; meta: object };
              const active = data.filter((one) => one.active_state === 'active');
              return { ...meant, body: { data: active, meta: { ...meta, total: active.length } } };
            },
          }
        : undefined,
    );
    const dir = join(place.folder, 'monday');
    expect((await place.crm(['snapshot', dir, '--family', 'leads', '-q'])).status).toBe(0);
    expect(lines(join(dir, 'leads.ndjson'))).toHaveLength(3);
  });

  attack(
    'holds each lead once where the service takes no notice of a filter',
    async (place) => {
      leads(place, 120);
      leadOf(place, 121, { active_state: 'archived' });
      const dir = join(place.folder, 'monday');
      expect((await place.crm(['snapshot', dir, '--family', 'leads', '-q'])).status).toBe(0);
      expect(new Set(lines(join(dir, 'leads.ndjson')).map((lead) => (lead as { id: number }).id)).size).toBe(121);
      expect(lines(join(dir, 'leads.ndjson'))).toHaveLength(121);
    },
    { ignores: ['active_state'] },
  );

  attack('leaves out, and names, the families that this installation does not list', async (place) => {
    place.service.script(({ family }) =>
      family === 'projects' ? { answer: { status: 404, body: { message: 'Not found.' } } } : undefined,
    );
    const dir = join(place.folder, 'monday');
    const { status, stderr } = await place.crm(['snapshot', dir]);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/This service has no list of .*projects/);
    expect(existsSync(join(dir, 'projects.ndjson'))).toBe(false);
    const asked = await place.crm(['snapshot', `${dir}2`, '--family', 'projects']);
    expect([asked.status, existsSync(`${dir}2`)]).toEqual([3, false]);
  });

  attack('--comments says how many requests it takes, and keeps whose they are', async (place) => {
    const lead = leadOf(place, 1);
    leads(place, 9);
    place.service.has('comments', { lead_id: lead.id, text: 'Called', creator: { id: 1, name: 'Ada' } });
    const dir = join(place.folder, 'monday');
    const { status, stderr } = await place.crm(['snapshot', dir, '--family', 'leads', '--comments']);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/Comments take 10 requests, one for each lead: about \d+ s\./);
    expect(lines(join(dir, 'comments.ndjson'))).toMatchObject([{ lead_id: lead.id, text: 'Called' }]);
    expect((await place.crm(['snapshot', `${dir}2`, '--family', 'items', '--comments'])).status).toBe(2);
  });
});

describe.concurrent('there is no manifest', () => {
  const expectNone = async (place: Place, script: Script): Promise<void> => {
    leads(place, 250);
    place.service.script(script);
    const dir = join(place.folder, 'monday');
    const { status, stdout, stderr } = await place.crm(['snapshot', dir, '--family', 'leads']);
    expect([status, stdout], stderr).toEqual([7, '']);
    expect(existsSync(join(dir, 'manifest.json'))).toBe(false);
    place.service.script(undefined);
    const again = await place.crm(['snapshot', dir, '--family', 'leads', '--json']);
    expect(JSON.parse(again.stdout).records, again.stderr).toEqual({ leads: 250 });
  };

  attack('of a list that a record came into meanwhile', (place) =>
    expectNone(
      place,
      onPage('2', ({ data, meta }) => ({ data, meta: { ...meta, total: meta.total + 1 } })),
    ),
  );

  attack('of a page that moved: a record came twice', (place) => {
    let first: unknown;
    const page1 = onPage('1', (body) => {
      first = body.data[99];
      return body;
    });
    const page2 = onPage('2', (body) => ({ ...body, data: [first, ...body.data.slice(0, 99)] }));
    return expectNone(place, (incoming) => page1(incoming) ?? page2(incoming));
  });

  attack('of a count that lies', (place) =>
    expectNone(
      place,
      onPage('3', ({ data, meta }) => ({ data: data.slice(1), meta })),
    ),
  );

  attack('of a lead that was archived between the two lists', (place) =>
    expectNone(place, ({ family, query }) => {
      if (family !== 'leads' || query.get('active_state') !== 'archived' || query.get('page') !== '1') return undefined;
      return {
        answer: (meant) => {
          const archived = { id: place.service.there('leads')[0]?.id, title: 'Lead 1', active_state: 'archived' };
          return { ...meant, body: { ...(meant.body as object), data: [archived], meta: { total: 1, last_page: 1 } } };
        },
      };
    }),
  );

  attack('after a kill, and every command that meets the folder says so', async (place) => {
    leads(place, 250);
    const dir = join(place.folder, 'monday');
    const run = await startedAndStuck(place, dir);
    run.process.kill('SIGKILL');
    await run.ended;
    place.service.script(undefined);
    expect([existsSync(join(dir, 'leads.ndjson')), existsSync(join(dir, 'manifest.json'))]).toEqual([true, false]);
    const again = await place.crm(['snapshot', dir]);
    expect(again.status).toBe(10);
    expect(again.stderr).toContain('no whole snapshot: it has no manifest.json');
  });

  attack('of a disk that is full, and nothing is left', async (place) => {
    leads(place, 250);
    const dir = join(place.folder, 'monday');
    const script = `ulimit -f 8; exec ${shellCommand()} snapshot '${dir}' --family leads --json </dev/null`;
    const env = cleanEnv({ ...place.env, NODE_DISABLE_COMPILE_CACHE: '1' });
    const end = await new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) =>
      execFile('bash', ['--norc', '-c', script], { env }, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
    );
    expect([end.status, end.stdout, existsSync(dir)]).toEqual([7, '', false]);
    expect(JSON.parse(end.stderr).error).toMatchObject({ code: 'disk_full', message: expect.stringContaining('nothing of it is left') });
  });

  attack('after Ctrl-C, and nothing is left', async (place) => {
    leads(place, 250);
    const dir = join(place.folder, 'monday');
    const run = await startedAndStuck(place, dir);
    run.process.kill('SIGINT');
    expect([(await run.ended).status, existsSync(dir)]).toEqual([130, false]);
  });
});

describe('beside the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-snapshot-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const env = { CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config'), NODE_DISABLE_COMPILE_CACHE: '1' };

  it('a dry run writes nothing, and a folder that is there is left alone', async () => {
    await runCrm(['sandbox', 'init', '-q'], { env });
    const dry = await runCrm(['snapshot', join(folder, 'dry'), '--dry-run'], { env });
    expect([dry.status, existsSync(join(folder, 'dry'))]).toEqual([0, false]);
    const there = await runCrm(['snapshot', folder], { env });
    expect(there.status).toBe(10);
    expect(readdirSync(folder)).toContain('data');
    expect((await runCrm(['snapshot', join(folder, 'no', 'such')], { env })).status).toBe(2);
  });
});
