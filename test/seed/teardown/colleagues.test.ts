// The end of a seed deletes what its run made and nothing else, while colleagues are at work and answers get lost: each record is looked at
// right before its delete, and again before the delete is repeated.

import { beforeEach, describe, expect, it } from 'vitest';
import { eachBehindProxy } from '../../commands/history/support.ts';
import type { Crm } from '../../support/crm.ts';
import type { Fate, SeenRequest, Told } from '../../support/faulty-proxy.ts';

const at = eachBehindProxy({ empty: true });
const { crm } = at;

const destroy = (...more: string[]): Promise<Crm> =>
  crm('seed', 'destroy', '--run', 'seed', '--concurrency', '1', '--timeout', '1', '--yes', ...more);

const lead = (name: string): string =>
  `{ name: ${name}, type: lead, set: { title: Deal of ${name}, status: 1, category: 1, first-name: ${name} } }`;
const offer = '{ name: offer, type: proposal, set: { title: Offer, client: 1, category: 4, start: 2026-01-01 } }';

/** Applies a seed of these records. */
async function apply(...records: string[]): Promise<Crm> {
  at.place.write('seed.yaml', `version: 1\nrecords:\n${records.map((one) => `  - ${one}\n`).join('')}`);
  return crm('seed', 'apply', `${at.place.folder}/seed.yaml`, '--json', '--concurrency', '1', '--timeout', '1');
}

/** The ids of ada, ben and cleo. */
async function people(): Promise<{ ada: number; ben: number; cleo: number }> {
  const { status, stdout, stderr } = await apply(lead('ada'), lead('ben'), lead('cleo'));
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const titles = async (list = 'leads'): Promise<unknown[]> =>
  ((await at.place.everything())[list] ?? []).map(({ title }) => title).toSorted();

/** Makes a colleague's lead; gives its id. */
async function theirs(): Promise<number> {
  const { stdout } = await at.place.crm(['leads', 'create', '--title', 'Theirs', '--status', '1', '--category', '1', '--json']);
  return JSON.parse(stdout).id;
}

/** One thing befalls the nth request of this method. */
const onThe = (wanted: number, method: string, fate: (request: SeenRequest) => Fate): void =>
  at.proxy.change({ answer: (request) => (request.method === method && request.nth === wanted ? fate(request) : undefined) });

describe('--keep-changed keeps what a colleague changed', () => {
  const phone = { 'contact.phone': 'theirs' };

  it.each([
    ['phone', 'leads', phone],
    ['tags', 'leads', { tags: ['theirs'] }],
    ['owners', 'leads', { assigned: [{ id: 2, name: 'Ben Staff' }] }],
    ['state', 'leads', { active_state: 'archived' }],
    ['conversion', 'leads', { converted: { is_converted: true, client_id: 1, date: null } }],
    ['text', 'proposals', { body: '<p>Theirs</p>' }],
    ['signature', 'proposals', { status: 'accepted', signed: { date: '2026-11-22', first_name: 'Olga', last_name: 'Client' } }],
  ])('the %s of one of the %s, without a new time of change', async (_what, list, members) => {
    const { stdout } = await apply(lead('ada'), lead('ben'), offer);
    const ids = JSON.parse(stdout);
    at.place.rewrite(list, list === 'leads' ? ids.ada : ids.offer, members);
    expect((await destroy('--keep-changed')).stderr).toMatch(/\b1\b.*changed since/);
    expect([await titles(), await titles('proposals')]).toEqual(list === 'leads' ? [['Deal of ada'], []] : [[], ['Offer']]);
  });

  it('while the seed is applied', async () => {
    onThe(3, 'POST', () => ({ first: async () => at.place.rewrite('leads', Number((await at.place.everything()).leads?.[0]?.id), phone) }));
    await people();
    await destroy('--keep-changed');
    expect(await titles()).toEqual(['Deal of ada']);
  });

  it.each([[['--keep-changed']], [[]]])('while the deletes run, whatever the flags say: %s', async (flags) => {
    const { ada } = await people();
    onThe(1, 'DELETE', () => ({ first: () => at.place.rewrite('leads', ada, phone) }));
    await destroy(...flags);
    expect(await titles()).toEqual(['Deal of ada']);
  });
});

describe("a colleague's record that has the id by now stays when a delete is repeated", () => {
  let other: number;
  beforeEach(async () => {
    await people();
    other = await theirs();
  });
  const give = (id: number | undefined): void => at.place.rewrite('leads', other, { id, 'dates.created': '2030-01-01T00:00:00.000000Z' });

  it.each<[string, 'cut' | Told]>([
    ['its connection was cut', 'cut'],
    ['a 500', { status: 500, body: {} }],
    ['a 503', { status: 503, body: {} }],
  ])('after %s', async (_name, answer) => {
    onThe(1, 'DELETE', ({ id }) => ({ answer, meanwhile: () => give(id) }));
    await destroy();
    expect(await titles()).toEqual(['Theirs']);
  });

  it('after a 429 with a pause', async () => {
    const remove = ({ id }: SeenRequest): Promise<Crm> => at.place.crm(['leads', 'delete', String(id), '--yes']);
    onThe(1, 'DELETE', (request) => ({
      carried: 'never',
      answer: { status: 429, headers: { 'retry-after': '0.1' }, body: {} },
      meanwhile: () => remove(request).then(() => give(request.id)),
    }));
    await destroy();
    expect(await titles()).toEqual(['Theirs']);
  });
});

describe("what is not the run's", () => {
  it("the id of somebody else's record in a 201 is not deleted", async () => {
    const id = await theirs();
    onThe(2, 'POST', () => ({
      carried: 'never',
      answer: { status: 201, body: { data: { id, title: 'Deal of ben' }, message: 'Created.' } },
    }));
    await apply(lead('ada'), lead('ben'));
    at.proxy.change();
    await destroy();
    expect(await titles()).toEqual(['Theirs']);
  });

  it("a colleague's contact with the email of a lost create is not deleted", async () => {
    const contact = (name: string): string =>
      `{ name: ${name}, type: contact, set: { first-name: ${name}, last-name: Ours, email: ${name}@rows.example, client: 1, phone: 030 1 } }`;
    const create = ['contacts', 'create', '--first-name', 'Zoe', '--last-name', 'Theirs', '--email', 'al@rows.example', '--client', '1'];
    onThe(2, 'POST', () => ({ first: () => at.place.crm(create), carried: 'never', answer: 'cut' }));
    expect((await apply(contact('jo'), contact('al'))).status).not.toBe(0);
    at.proxy.change();
    await destroy();
    expect((await at.place.everything()).contacts).toMatchObject([{ first_name: 'Zoe' }]);
  });

  it('notes on another lead keep nothing, where a service takes no notice of the filter', async () => {
    const id = await theirs();
    await at.place.crm(['notes', 'create', '--title', 'One', '--description', 'x', '--resource', `lead:${id}`]);
    const notes = (await at.place.everything()).notes ?? [];
    await people();
    at.proxy.change({
      answer: ({ family, query }) =>
        family === 'notes' && query.has('resource_id')
          ? { answer: { status: 200, body: { data: notes, meta: { current_page: 1, per_page: 100, total: 1, last_page: 1 } } } }
          : undefined,
    });
    expect((await destroy()).status).toBe(0);
    expect(await titles()).toEqual(['Theirs']);
  });
});

it('what a conversion made is not forgotten when its delete was refused, and the run is applied again', async () => {
  const sold =
    '{ name: sold, type: lead, set: { title: Sold, status: 2, category: 2, first-name: Sam, last-name: Old, email: sam@old.example, company-name: Old Ltd }, then: [convert] }';
  expect((await apply(sold)).status).toBe(0);
  at.proxy.change({ answer: ({ method, family }) => (method === 'DELETE' && family === 'contacts' ? 422 : undefined) });
  expect((await destroy()).status).toBe(8);
  expect(await titles()).toEqual(['Sold']);
  at.proxy.change();
  expect((await apply(sold)).status).toBe(0);
  expect((await destroy()).status).toBe(0);
  const { leads, contacts } = await at.place.everything();
  expect([leads, contacts]).toEqual([[], []]);
});

it('a service that fails altogether ends it, and it can be gone on with', async () => {
  await people();
  at.proxy.change({ answer: () => 503 });
  const { status, stderr } = await destroy('--retries', '0');
  expect([status, stderr]).toEqual([7, expect.stringContaining('3 records are to go.\nGo on with: crm seed destroy --run seed')]);
  at.proxy.change();
  expect((await destroy()).status).toBe(0);
  expect(await titles()).toEqual([]);
});

it('a create that never arrived is sent by the next apply, once a destroy has looked for it', async () => {
  let isLost = false;
  at.proxy.change({
    answer: ({ method, nth }) => {
      if (isLost) return 401;
      isLost = method === 'POST' && nth === 2;
      return isLost ? { carried: 'never', answer: 'cut' } : undefined;
    },
  });
  expect((await apply(lead('ada'), lead('ben'), lead('cleo'))).status).not.toBe(0);
  at.proxy.change();
  const declined = await crm('seed', 'destroy', '--run', 'seed');
  expect([declined.status, await titles()], declined.stderr).toEqual([9, ['Deal of ada']]);
  await people();
  expect(await titles()).toEqual(['Deal of ada', 'Deal of ben', 'Deal of cleo']);
});
