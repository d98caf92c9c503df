// Updates by percents against a service that is typed by hand: what is sent, and that no later attempt raises a value again.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const fails: { before?: (id: number) => Reply | undefined; after?: (id: number) => Reply | undefined } = {};
  const reply: Reply = (socket, request) => {
    const id = Number(/\d+$/.exec(request.path)?.[0]);
    const found = leads.get(id);
    if (found === undefined) return json({ message: 'Not found' }, 404)(socket, request);
    if (request.method === 'GET') return answer(found)(socket, request);
    const value = new URLSearchParams(request.body).get('lead_value') ?? '';
    sent.push(`${id} ${value}`);
    const refused = fails.before?.(id);
    if (refused !== undefined) return refused(socket, request);
    found.value = value;
    return (fails.after?.(id) ?? answer(found))(socket, request);
  };
  const peer = server.serve(`percents-${cases}`, reply);
  const env = settings(peer.url, { CRM_DATA_DIR: join(folder, String(cases)), CRM_TEST_WAITS: '0.02' });
  const crm = (...argv: string[]): Promise<Crm> => runHere(['leads', 'update', ...argv], { env, cwd: folder });
  return { leads, sent, fails, crm, value: (id: number) => leads.get(id)?.value };
}

describe('update by percents', () => {
  it('of one: an object, as with a number', async () => {
    const { sent, crm } = service(['145.00']);
    const { status, stdout, stderr } = await crm('12', '--value', '-10%', '--json');
    expect([status, stderr]).toEqual([0, expect.stringContaining('Undo: crm undo')]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 12, value: '130.50' });
    expect(sent).toEqual(['12 130.50']);
  });

  it('of several, each from its own value; -500 is a number', async () => {
    const many = service(['100.00', '33', '0.1250']);
    expect(await many.crm('12,13,14', '--value', '+3%', '--yes')).toMatchObject({ status: 0 });
    expect(many.sent.sort()).toEqual(['12 103.00', '13 33.99', '14 0.1288']);
    const one = service(['100.00']);
    expect(await one.crm('12', '--value', '-500')).toMatchObject({ status: 0 });
    expect(one.sent).toEqual(['12 -500']);
  });

  it('is shown in a dry run and written to a plan; nothing is sent', async () => {
    const { sent, crm } = service(['100.00', '50.00']);
    const dry = await crm('12,13', '--value', '+3%', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject([{ fields: { lead_value: '103.00' } }, { fields: { lead_value: '51.50' } }]);
    const single = await crm('12', '--value', '+3%', '--dry-run', '--json');
    expect(single.stdout).toContain('"lead_value": "103.00"');
    const plan = join(folder, `${cases}.csv`);
    expect(await crm('12,13', '--value', '+3%', '--plan', plan)).toMatchObject({ status: 0 });
    expect(readFileSync(plan, 'utf8').trimEnd().split('\r\n').slice(1)).toEqual([
      'leads,12,Shop 12,103.00,100.00',
      'leads,13,Shop 13,51.50,50.00',
    ]);
    expect(sent).toEqual([]);
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

  it('typed again after some failed: each value is raised once; after all went through it is raised again', async () => {
    const { sent, fails, crm, value } = service(['100.00', '200.00']);
    const again = () => crm('12,13', '--value', '+3%', '--yes');
    fails.before = (id) => (id === 13 ? json({ message: 'Refused' }, 422) : undefined);
    expect(await again()).toMatchObject({ status: 8 });
    expect(await again()).toMatchObject({ status: 8 });
    delete fails.before;
    expect(await again()).toMatchObject({ status: 0 });
    expect([value(12), value(13)]).toEqual(['103.00', '206.00']);
    expect(sent).toEqual(['12 103.00', '13 206.00', '13 206.00', '13 206.00']);
    expect(await again()).toMatchObject({ status: 0 });
    expect([value(12), value(13)]).toEqual(['106.09', '212.18']);
  });

  it('typed again where somebody changed a value since: it is left as it is', async () => {
    const { leads, fails, crm, value } = service(['100.00', '200.00']);
    fails.before = (id) => (id === 13 ? json({ message: 'Refused' }, 422) : undefined);
    expect(await crm('12,13', '--value', '+3%', '--yes')).toMatchObject({ status: 8 });
    leads.set(12, lead(12, '150.00'));
    const { status, stderr } = await crm('12,13', '--value', '+3%', '--yes');
    expect([status, stderr]).toEqual([8, expect.stringMatching(/lead 12: .*raised the value already, and somebody changed it since/)]);
    expect(value(12)).toBe('150.00');
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
