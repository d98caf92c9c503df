// A seed that is interrupted, then killed with -9 at one request after the other, behind a service that fails in every way: in the end
// everything is there once, as if nothing had happened, and a destroy that is killed as often leaves nothing.

import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { failsInEveryWay } from '../support/fails-in-every-way.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { randomFrom } from '../support/random.ts';
import { startCrm } from '../support/start-crm.ts';
import { contentOf, type Everything, openWorkplace, type Workplace } from './support.ts';

// Twins that nothing tells apart, comments with the same words, and something of every kind.
const file = `version: 1
records:
  - name: twin
    type: note
    count: 12
    set: { title: Twin, description: All the same }
    then: [tags: [twin]]
  - name: lead
    type: lead
    count: 6
    set:
      title: Deal \${number} with \${fake.company.name}
      status: 1
      category: 1
      first-name: \${fake.person.firstName}
      last-name: \${fake.person.lastName}
      email: \${fake.person.lastName}.\${number}@crash.example
      value: \${fake.number.int({"min":10,"max":99})}.50
    then: [comment: Called, status: 2, comment: Called, comment: 'Told them about \${twin[index].title}', archive]
  - name: offer
    type: proposal
    count: 6
    set: { title: 'Offer \${number}', lead: '\${lead[index].id}', start: 2027-01-01, category: 4 }
    then: [status: new, tags: [a, b], status: revised]
  - name: won
    type: lead
    set: { title: Won, status: 2, category: 2, first-name: Wanda, last-name: Onn, email: wanda@onn.example, company-name: Onn Ltd }
    then: [convert, comment: Done]
  - name: sold
    type: lead
    set: { title: Sold, status: 2, category: 2, first-name: Sam, last-name: Old, email: sam@old.example, company-name: Old Ltd }
    then: [convert: { invoice-due-days: 30 }]
  - { name: bill, type: proposal, set: { title: Bill, client: '\${sold.converted.client_id}', start: 2027-01-01, category: 4 } }
  - { name: wide, type: item, set: { description: 'Of \${won.title}', rate: 1.10, category: 6, default-tax: 1, unit: palette } }
`;

/** Every write of the file: how many there are when nothing goes wrong. */
const writes = 12 + 12 + 6 + 6 * 5 + 6 + 6 * 3 + 2 + 2 + 2 + 1;

it('interrupted, killed again and again, then applied to the end; and destroyed in the same way', async () => {
  const { next: random } = randomFrom(2654435761);
  const undisturbed = await apply(async (place) => {
    const end = await place.crm(['seed', 'apply', 'crash.yaml']);
    expect(end.status, end.stderr).toBe(0);
  });
  await apply(async (place) => {
    const before = await place.everything();
    const proxy = await startFaultyProxy(place.server.baseUrl, { answer: failsInEveryWay });
    const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
    const command = ['seed', 'apply', `${place.folder}/crash.yaml`, '--json', '--timeout', '5'];
    const { status, stdout, stderr } = await runAndEnd(command, env, proxy, 30, 'SIGINT');
    expect([status, stdout]).toEqual([130, '']);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: expect.stringMatching(/^Interrupted\. \d+ records are there\.$/),
      hint: 'Apply the file again to go on, or destroy the run: crm seed destroy --run crash',
    });
    for (let kill = 0; kill < 4; kill += 1) await runAndEnd(command, env, proxy, Math.ceil((random() * writes) / 5));
    const end = await startCrm(command, env).ended;
    expect(end.status, end.stderr).toBe(0);
    expect(JSON.parse((await startCrm(command, env).ended).stdout)).toEqual(JSON.parse(end.stdout));
    expect(contentOf(await place.everything())).toEqual(contentOf(undisturbed));
    const destroy = ['seed', 'destroy', '--run', 'crash', '--yes', '--timeout', '5'];
    for (let kill = 0; kill < 3; kill += 1) await runAndEnd(destroy, env, proxy, Math.ceil(random() * 8));
    const destroyed = await startCrm(destroy, env).ended;
    expect(destroyed.status, destroyed.stderr).toBe(0);
    // What a conversion made of a company stays.
    const { clients: _clients, ...rest } = await place.everything();
    const { clients: _before, ...expected } = before;
    expect(rest).toEqual(expected);
    await proxy.close();
  });
}, 480_000);

/** Everything in a fresh service once `work` has had it. */
async function apply(work: (place: Workplace) => Promise<void>): Promise<Everything> {
  const place = await openWorkplace({ empty: true });
  try {
    place.write('crash.yaml', file);
    await work(place);
    return await place.everything();
  } finally {
    await place.close();
  }
}

/** Starts a run and ends it with a signal the moment its nth write has arrived; the service acts all the same. */
async function runAndEnd(
  command: readonly string[],
  env: Record<string, string>,
  proxy: FaultyProxy,
  nth: number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<Crm> {
  const moment = proxy.write(nth);
  const run = startCrm(command, env);
  await Promise.race([moment, once(run.process, 'exit')]);
  run.process.kill(signal);
  return run.ended;
}
