// Updates by percents against a service that is typed by hand: what is sent, and that no later attempt raises a value again.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../client/support.ts';
import type { Crm } from '../support/crm.ts';
import { type HostileServer, hostileServer, json, type Reply } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { LEAD } from '../wire/records.ts';

let server: HostileServer;
let folder: string;
beforeAll(async () => {
  server = await hostileServer();
  folder = mkdtempSync(join(tmpdir(), 'crm-percents-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const lead = (id: number, value: string | null) => ({ ...LEAD, id, title: `Shop ${id}`, value });

const answer = (record: unknown): Reply => json({ data: record, message: 'OK' });
const down = json({ message: 'Not now' }, 503);

let cases = 0;

/** Leads 12, 13, … with these values, and what was sent to them. `fails`: takes the place of an answer to a write, before or after it took effect. */
function service(values: readonly (string | null)[]) {
  cases += 1;
  const leads = new Map(values.map((value, place) => [12 + place, lead(12 + place, value)]));
  const sent: string[] = [];
  let reads = 0;
  const fails: { before?: (id: number) => Reply | undefined; after?: (id: number) => Reply | undefined; read?: Promise<unknown> } = {};
  const slowRead = (reply: Reply, ...[socket, request]: Parameters<Reply>): void => {
    void Promise.resolve(fails.read).then(() => reply(socket, request));
  };
  const reply: Reply = (socket, request) => {
    const id = Number(/\d+$/.exec(request.path)?.[0]);
    if (request.method === 'GET') reads += 1;
    const found = leads.get(id);
    if (found === undefined) return json({ message: 'Not found' }, 404)(socket, request);
    if (request.method === 'GET') return slowRead(answer({ ...found }), socket, request);
    const body = new URLSearchParams(request.body);
    const value = body.get('lead_value') ?? '';
    sent.push(`${id} ${value}`);
    const refused = fails.before?.(id);
    if (refused !== undefined) return refused(socket, request);
    Object.assign(found, { value, title: body.get('lead_title') });
    return (fails.after?.(id) ?? answer(found))(socket, request);
  };
  const peer = server.serve(`percents-${cases}`, reply);
  const env = settings(peer.url, { CRM_DATA_DIR: join(folder, String(cases)), CRM_TEST_WAITS: '0.02' });
  const crm = (...argv: string[]): Promise<Crm> => runHere(['leads', 'update', ...argv], { env, cwd: folder });
  const apply = (plan: string): Promise<Crm> => runHere(['apply', plan], { env, cwd: folder });
  return { sent, fails, crm, apply, reads: () => reads, value: (id: number) => leads.get(id)?.value, title: () => leads.get(12)?.title };
}

describe('update by percents', () => {
  it('of one: an object, as with a number', async () => {
    const { sent, crm } = service(['145.00']);
    const { status, stdout, stderr } = await crm('12', '--value', '-10%', '--json');
    expect([status, stderr]).toEqual([0, expect.stringContaining('Undo: crm undo')]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 12, value: '130.50' });
    expect(sent).toEqual(['12 130.50']);
  });

  it('of one holds its record: the value and a title that is set beside it are both kept', async () => {
    const { fails, crm, reads, value, title } = service(['100.00']);
    const seen = async (count: number): Promise<void> => {
      for (let tries = 0; tries < 20 && reads() < count; tries += 1) await sleep(20);
    };
    const { promise, resolve } = Promise.withResolvers();
    fails.read = promise;
    const raised = crm('12', '--value', '+3%');
    await seen(1);
    const named = crm('12', '--title', 'Renamed');
    // A second command that doesn't wait reads the old value now.
    await seen(2);
    resolve(undefined);
    expect(await Promise.all([raised, named])).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect([value(12), title()]).toEqual(['103.00', 'Renamed']);
  });

  it('-500 is a number', async () => {
    const one = service(['100.00']);
    expect(await one.crm('12', '--value', '-500')).toMatchObject({ status: 0 });
    expect(one.sent).toEqual(['12 -500']);
  });

  it('of one is shown in a dry run', async () => {
    const { sent, crm } = service(['100.00']);
    const single = await crm('12', '--value', '+3%', '--dry-run', '--json');
    expect(single.stdout).toContain('"lead_value": "103.00"');
    expect(sent).toEqual([]);
  });

  it('of several is written to a plan, each from its own value; the plan, applied twice, raises each value once', async () => {
    const { sent, fails, crm, apply, value } = service(['100.00', '33', '0.1250']);
    const plan = join(folder, `${cases}.csv`);
    const { status, stdout } = await crm('12,13,14', '--value', '+3%', '--plan', plan, '--json');
    expect([status, sent]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toMatchObject([{ fields: { lead_value: '103.00' } }, { fields: { lead_value: '33.99' } }, {}]);
    expect(readFileSync(plan, 'utf8').trimEnd().split('\r\n').slice(1)).toEqual([
      'leads,12,Shop 12,103.00,100.00',
      'leads,13,Shop 13,33.99,33',
      'leads,14,Shop 14,0.1288,0.1250',
    ]);
    fails.before = (id) => (id === 13 ? json({ message: 'Refused' }, 422) : undefined);
    expect(await apply(plan)).toMatchObject({ status: 8 });
    delete fails.before;
    expect(await apply(plan)).toMatchObject({ status: 0 });
    expect(await apply(plan)).toMatchObject({ status: 0 });
    expect([value(12), value(13), value(14)]).toEqual(['103.00', '33.99', '0.1288']);
    expect(sent.sort()).toEqual(['12 103.00', '13 33.99', '13 33.99', '14 0.1288']);
  });

  it.each([
    ['12,13', '--yes'],
    ['12,13', '--dry-run'],
    ['--where', 'title~Shop', '--yes'],
  ])('of %s %s is refused without --plan, and nothing is read', async (...which) => {
    const { reads, sent, crm } = service(['100.00', '50.00']);
    const { status, stderr } = await crm(...which, '--value', '+3%');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--value: a percent over several records needs --plan FILE.')]);
    expect([reads(), sent]).toEqual([0, []]);
  });

  it('of one whose answer was lost: what arrived is not raised again', async () => {
    const { sent, fails, crm, value } = service(['100.00']);
    fails.after = () => (sent.length === 1 ? down : undefined);
    expect(await crm('12', '--value', '+3%')).toMatchObject({ status: 0 });
    expect([value(12), sent]).toEqual(['103.00', ['12 103.00']]);
  });

  it('what did not arrive is sent with the value that was worked out first', async () => {
    const { sent, fails, crm, value } = service(['100.00']);
    fails.before = () => (sent.length === 1 ? down : undefined);
    expect(await crm('12', '--value', '+3%')).toMatchObject({ status: 0 });
    expect([value(12), sent]).toEqual(['103.00', ['12 103.00', '12 103.00']]);
  });

  it.each<[string, string[], RegExp]>([
    ['without a sign', ['12', '--value', '3%'], /--value: "3%" is not a decimal number.*with its sign: \+3%/],
    ['with --replace', ['12', '--value', '+3%', '--replace'], /--value: a percent needs the record's value/],
    ['in --set', ['12', '--set', 'lead_value=+3%'], /--set lead_value: "\+3%" is not a decimal number/],
    ['of a text', ['12', '--data', '{"value":"+3%"}'], /--data value: "\+3%" is not a decimal number/],
    ['of no value', ['13', '--value', '+3%'], /--value: the record has no value to take \+3% of/],
  ])('%s is refused', async (_name, argv, says) => {
    const { sent, crm } = service(['100.00', null]);
    const { status, stderr } = await crm(...argv);
    expect([status, sent]).toEqual([2, []]);
    expect(stderr).toMatch(says);
  });
});
