// Runs that are killed with -9 at one request after the other, behind a service that loses answers: in the end everything
// is there once, as if nothing had happened. CRM_CRASH_SEEDS makes it the large test.

import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Faults, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { startCrm } from '../support/start-crm.ts';
import { contentOf, type Everything, openWorkplace, type Workplace } from './support.ts';

const seeds = Array.from({ length: Number(process.env.CRM_CRASH_SEEDS ?? 1) }, (_, index) => index + 1);

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

const services: [string, Faults, readonly string[]][] = [
  ['a reliable service, one request after the other', {}, ['--concurrency', '1']],
  ['a reliable service, eight requests at once', {}, ['--concurrency', '8']],
  ['a service that acts and loses answers', { cutEvery: 29, badGatewayEvery: 17 }, []],
];

/** After each kill a run waits for what may still be under way, 15 s at the most. */
const longest = 240_000;

/** Every write of the file: how many there are when nothing goes wrong. */
const writes = 12 + 12 + 6 + 6 * 5 + 6 + 6 * 3 + 2 + 2 + 2 + 1;

let plain: Promise<Everything> | undefined;

/** What an apply that nothing disturbs leaves. */
function undisturbed(): Promise<Everything> {
  plain ??= apply(async (place) => {
    const end = await place.crm(['seed', 'apply', 'crash.yaml']);
    expect(end.status, end.stderr).toBe(0);
  });
  return plain;
}

describe.concurrent('killed again and again, then applied to the end', () => {
  describe.concurrent.each(services)('%s', (_name, faults, flags) => {
    it.concurrent.each(seeds)(
      'seed %i',
      async (seed) => {
        const random = randomFrom(seed);
        const everything = await apply(async (place) => {
          const proxy = await startFaultyProxy(place.server.baseUrl, faults);
          try {
            const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
            const command = ['seed', 'apply', `${place.folder}/crash.yaml`, '--json', '--timeout', '5', ...flags];
            for (let kill = 0; kill < 4; kill += 1) await runAndKill(command, env, proxy, Math.ceil((random() * writes) / 4));
            const end = await startCrm(command, env).ended;
            expect(end.status, end.stderr).toBe(0);
            const again = await startCrm(command, env).ended;
            expect(JSON.parse(again.stdout)).toEqual(JSON.parse(end.stdout));
          } finally {
            await proxy.close();
          }
        });
        expect(contentOf(everything)).toEqual(contentOf(await undisturbed()));
      },
      longest,
    );
  });

  it(
    'and destroyed in between and after, nothing is left',
    async () => {
      const random = randomFrom(99);
      const place = await openWorkplace({ empty: true });
      try {
        const before = await place.everything();
        place.write('crash.yaml', file.slice(0, file.indexOf('  - name: won')));
        const proxy = await startFaultyProxy(place.server.baseUrl, { cutEvery: 23 });
        const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
        await runAndKill(['seed', 'apply', `${place.folder}/crash.yaml`, '--timeout', '5'], env, proxy, 40);
        const destroy = ['seed', 'destroy', '--run', 'crash', '--yes', '--timeout', '5'];
        for (let kill = 0; kill < 3; kill += 1) await runAndKill(destroy, env, proxy, Math.ceil(random() * 8));
        const end = await startCrm(destroy, env).ended;
        expect(end.status, end.stderr).toBe(0);
        expect(await place.everything()).toEqual(before);
        await proxy.close();
      } finally {
        await place.close();
      }
    },
    longest,
  );
});

it.concurrent('what a conversion made is not forgotten when it could not be deleted, and the run is applied again', async () => {
  const everything = await apply(async (place) => {
    place.write('sold.yaml', `version: 1\nrecords:\n${file.slice(file.indexOf('  - name: sold'), file.indexOf('  - { name: bill'))}`);
    const proxy = await startFaultyProxy(place.server.baseUrl);
    const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
    const [again, destroy] = [
      ['seed', 'apply', `${place.folder}/sold.yaml`],
      ['seed', 'destroy', '--run', 'sold', '--yes'],
    ];
    expect((await startCrm(again, env).ended).status).toBe(0);
    proxy.change({ answer: ({ method }) => (method === 'DELETE' ? 422 : undefined) });
    expect((await startCrm(destroy, env).ended).status).toBe(8);
    proxy.change();
    const end = await startCrm(again, env).ended;
    expect(end.status, end.stderr).toBe(0);
    expect((await startCrm(destroy, env).ended).status).toBe(0);
    await proxy.close();
  });
  expect([everything.leads, everything.contacts]).toEqual([[], []]);
});

it.concurrent('a service that fails altogether ends a destroy, which can be gone on with', async () => {
  const everything = await apply(async (place) => {
    const proxy = await startFaultyProxy(place.server.baseUrl);
    const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
    place.write('three.yaml', 'version: 1\nrecords:\n  - { name: n, type: note, count: 3, set: { title: T, description: D } }\n');
    expect((await startCrm(['seed', 'apply', `${place.folder}/three.yaml`], env).ended).status).toBe(0);
    proxy.change({ answer: () => 503 });
    const destroy = ['seed', 'destroy', '--run', 'three', '--yes'];
    const failed = await startCrm([...destroy, '--retries', '0'], env).ended;
    expect([failed.status, failed.stderr]).toEqual([
      7,
      expect.stringContaining('3 records are to go.\nGo on with: crm seed destroy --run three'),
    ]);
    proxy.change();
    expect((await startCrm(destroy, env).ended).status).toBe(0);
    await proxy.close();
  });
  expect(everything.notes).toEqual([]);
});

describe.concurrent('Ctrl-C', () => {
  it('finishes what is under way and can be gone on with', async () => {
    const everything = await apply(async (place) => {
      const proxy = await startFaultyProxy(place.server.baseUrl);
      const env = { ...place.env, CRM_BASE_URL: proxy.baseUrl };
      const command = ['seed', 'apply', `${place.folder}/crash.yaml`, '--json', '--timeout', '5'];
      const moment = proxy.write(40);
      const run = startCrm(command, env);
      await moment;
      run.process.kill('SIGINT');
      const { status, stdout, stderr } = await run.ended;
      expect([status, stdout]).toEqual([130, '']);
      expect(JSON.parse(stderr).error).toMatchObject({
        message: expect.stringMatching(/^Interrupted\. \d+ records are there\.$/),
        hint: 'Apply it again to go on, or undo it: crm seed destroy --run crash',
      });
      const second = startCrm(command, env);
      expect((await second.ended).status).toBe(0);
      await proxy.close();
    });
    expect(contentOf(everything)).toEqual(contentOf(await undisturbed()));
  });
});

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

/** Kills a run the moment its nth write has arrived; the service acts all the same. */
async function runAndKill(command: readonly string[], env: Record<string, string>, proxy: FaultyProxy, nth: number): Promise<void> {
  const moment = proxy.write(nth);
  const run = startCrm(command, env);
  const ended = once(run.process, 'exit');
  await Promise.race([moment, ended]);
  run.process.kill('SIGKILL');
  await run.ended;
}

function randomFrom(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
