// Records of a run that somebody else may own by now: filled in where crm can't write, made long after the run, or not seen by this key.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eachWorkplace } from '../support.ts';

const place = eachWorkplace();

const file = `version: 1
records:
  - { name: c, count: 3, type: contact, set: { first-name: Ada, last-name: Lovelace, email: "ada\${index}@x.example", client: 1 } }
  - { name: p, count: 2, type: proposal, set: { title: "Offer \${index}", client: 1, start: 2026-11-01, category: 4 } }
`;

interface Ended {
  readonly status: number | null;
  readonly rows: { name?: string; state?: string; outcome?: string; ids?: number[]; what?: string }[];
  readonly stderr: string;
}

async function json(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { status, stdout, stderr } = await place.crm([...args, '--json'], { env });
  return { status, rows: stdout === '' ? [] : JSON.parse(stdout), stderr };
}

async function seeded(env: Record<string, string> = {}): Promise<{ c: [number, number, number]; p: [number, number] }> {
  place.write('f.yaml', file);
  const { stdout, stderr } = await place.crm(['seed', 'apply', 'f.yaml', '--json'], { env });
  expect(stderr).not.toContain('error');
  return JSON.parse(stdout);
}

const destroy = (...flags: string[]) => json(['seed', 'destroy', '--run', 'f', '--yes', ...flags]);
const stateOf = ({ rows }: Ended, name: string) => rows.find((row) => row.name === name)?.state;

describe('a record in which somebody filled what crm cannot write', () => {
  const fill = async (): Promise<void> => {
    const { c, p } = await seeded();
    place.rewrite('contacts', c[1], { social: { facebook: null, twitter: null, linkedin: 'ada', github: null, dribbble: null } });
    place.rewrite('proposals', p[1], { project_id: 3 });
  };

  it('is kept and named by seed destroy --keep-changed', async () => {
    await fill();
    const ended = await destroy('--keep-changed');
    expect(ended.rows.map(({ name, state }) => [name, state]).toSorted()).toEqual([
      ['c[0]', 'deleted'],
      ['c[1]', 'left'],
      ['c[2]', 'deleted'],
      ['p[0]', 'deleted'],
      ['p[1]', 'left'],
    ]);
    expect(ended.stderr).toContain('2 were changed since, and kept.');
  });

  it('counts as changed in the question of seed destroy, which takes the record', async () => {
    await fill();
    const ended = await destroy();
    expect(ended.stderr).toContain('2 records of run "f" were changed since; --keep-changed leaves such records.');
    expect([ended.status, new Set(ended.rows.map(({ state }) => state))]).toEqual([0, new Set(['deleted'])]);
  });

  it('is kept and named by the undo of an import', async () => {
    place.write('c.csv', 'first-name,last-name,email,client\nA,B,a@x.example,1\nC,D,c@x.example,1\n');
    const imported = await place.crm(['contacts', 'import', 'c.csv', '--json']);
    const { run } = JSON.parse(imported.stdout) as { run: string };
    const last = (await place.everything()).contacts?.at(-1)?.id as number;
    place.rewrite('contacts', last, { social: { linkedin: 'a' } });
    const { status, rows } = await json(['undo', run, '--yes']);
    expect([status, rows.map(({ outcome, what, ids }) => [outcome, what, ids])]).toEqual([
      8,
      [
        ['deleted', 'created by the run', [last - 1]],
        ['kept', 'changed since', [last]],
      ],
    ]);
  });
});

const minute = 60_000;

describe('a record with the id and the values of the run', () => {
  it('is another’s where it was made more than an hour after the last write', async () => {
    const { c } = await seeded();
    place.made('contacts', c[1], 90 * minute);
    place.made('contacts', c[2], 30 * minute);
    const ended = await destroy();
    expect(c.map((_, at) => stateOf(ended, `c[${at}]`))).toEqual(['deleted', 'left', 'deleted']);
    expect(ended.stderr).toContain('Ids of the run belong to other records now; the other records were left alone.');
  });

  it('is the run’s where its time has no zone', async () => {
    const { c } = await seeded();
    place.rewrite('contacts', c[1], { 'dates.created': '2126-11-01 10:00:00' });
    expect(stateOf(await destroy(), 'c[1]')).toBe('deleted');
  });
});

/** The service as a key sees it that may see no record, for a time. */
async function blindable() {
  const eyes = { isBlind: false };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const isBlind = eyes.isBlind && method === 'GET';
    const { status, text } = isBlind
      ? /\/\d+$/.test(url)
        ? { status: 404, text: '{"message":"Not found"}' }
        : { status: 200, text: '{"data":[],"meta":{"current_page":1,"last_page":1,"per_page":25,"total":0}}' }
      : await fetch(place.server.baseUrl + url, {
          method,
          headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { CRM_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return { eyes, env, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('a key that sees nothing', () => {
  const doubt = 'As this key sees it, every record of the run is gone. A key that sees more finds them: the same command looks again.';

  it('is told as a doubt by seed destroy, and the next destroy finds the records', async () => {
    const { eyes, env, close } = await blindable();
    await seeded(env);
    eyes.isBlind = true;
    const blind = await json(['seed', 'destroy', '--run', 'f', '--yes'], env);
    expect([blind.status, new Set(blind.rows.map(({ state }) => state))]).toEqual([0, new Set(['gone'])]);
    expect(blind.stderr).toContain(doubt);
    eyes.isBlind = false;
    const seeing = await json(['seed', 'destroy', '--run', 'f', '--yes'], env);
    expect([seeing.status, new Set(seeing.rows.map(({ state }) => state))]).toEqual([0, new Set(['deleted'])]);
    expect(seeing.stderr).not.toContain('As this key sees it');
    expect((await json(['seed', 'destroy', '--run', 'f', '--yes'], env)).stderr).toContain('Nothing of run "f" is left to delete.');
    await close();
  });

  it('is told as a doubt by undo, and the next undo finds the records', async () => {
    const { eyes, env, close } = await blindable();
    place.write('n.csv', 'title,description\nA,a\nB,b\n');
    const { run } = JSON.parse((await place.crm(['notes', 'import', 'n.csv', '--json'], { env })).stdout) as { run: string };
    eyes.isBlind = true;
    const blind = await json(['undo', run, '--yes'], env);
    expect([blind.status, blind.rows.map(({ outcome, ids }) => [outcome, ids?.length])]).toEqual([0, [['gone', 2]]]);
    expect(blind.stderr).toContain(doubt);
    eyes.isBlind = false;
    const seeing = await json(['undo', run, '--yes'], env);
    expect([seeing.status, seeing.rows.map(({ outcome, ids }) => [outcome, ids?.length])]).toEqual([0, [['deleted', 2]]]);
    await close();
  });
});

it('a contact that another one of the seed took the account from is as the seed made it', async () => {
  place.write(
    'f.yaml',
    `version: 1
records:
  - { name: first, type: contact, set: { first-name: Ada, last-name: Lovelace, email: ada@x.example, client: 1 }, then: [account-owner] }
  - { name: second, type: contact, set: { first-name: Ben, last-name: Lovelace, email: ben@x.example, client: 1 } }
`,
  );
  const { stdout } = await place.crm(['seed', 'apply', 'f.yaml', '--json']);
  const { first, second } = JSON.parse(stdout);
  place.rewrite('contacts', first, { is_account_owner: false });
  place.rewrite('contacts', second, { is_account_owner: true });
  const ended = await destroy('--keep-changed');
  expect([stateOf(ended, 'first'), ended.stderr]).toEqual(['deleted', expect.not.stringContaining('changed since')]);
});
