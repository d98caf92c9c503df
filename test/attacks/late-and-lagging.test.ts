// Writes that are carried out long after anybody waits for them, lists that lag, nodes whose clocks disagree: no row is there
// twice, and none is lost. Its time and ours run ten times as fast (fast-time.ts).

import { expect } from 'vitest';
import { fastEnv } from '../support/fast-time.ts';
import { type Script, saying, type Turn } from '../support/strange-service.ts';
import { attack, expectOnce, header, leadsFile, type Place, row, seedOf, titlesOf, titlesUpTo } from './place.ts';

const rows = 8;

const importing = (place: Place, ...more: string[]): string[] => [
  'leads',
  'import',
  place.write('leads.csv', leadsFile(rows)),
  '--json',
  '--concurrency',
  '4',
  ...more,
];

/** The nth creates get this turn. */
const creates =
  (turn: Turn, ...nths: number[]): Script =>
  ({ method, nth }) =>
    method === 'POST' && nths.includes(nth) ? turn : undefined;

const gateway: Turn = saying('<html><title>504 Gateway Timeout</title></html>', 504, 20_000);

const late: [name: string, turn: Turn, flags: string[]][] = [
  ['5 s after its connection was cut', { carried: 5000, answer: 'cut' }, []],
  ['12 s after its connection was cut', { carried: 12_000, answer: 'cut' }, []],
  ['25 s after its connection was cut', { carried: 25_000, answer: 'cut' }, []],
  ['20 s after a 500', saying({ message: 'Server Error' }, 500, 20_000), []],
  ['20 s after a 504, with a time-out of 10 s', gateway, ['--timeout', '10']],
  ['50 s after a 502', saying('<html><title>502 Bad Gateway</title></html>', 502, 50_000), []],
  ['45 s after its sending, with a time-out of 10 s', { carried: 45_000, answer: 'silence' }, ['--timeout', '10']],
  ['50 s after its sending, with a time-out of 20 s', { carried: 50_000, answer: 'silence' }, ['--timeout', '20']],
];

for (const [name, turn, flags] of late) {
  attack(`a create that is carried out ${name}: each row is there once`, async (place) => {
    place.service.script(creates(turn, 2, 5));
    const end = await place.crm(importing(place, ...flags));
    await place.service.settled();
    expectOnce(place, end, rows);
  });
}

attack('a create that is carried out 45 s after the process was killed: each row is there once', async (place) => {
  const { service } = place;
  service.script(creates({ carried: 45_000, answer: 'silence' }, 2, 3));
  const command = importing(place);
  const run = place.start(command);
  await service.came(({ method, nth }) => method === 'POST' && nth === 3);
  run.process.kill('SIGKILL');
  await run.ended;
  const end = await place.crm([...command, '--resume']);
  await service.settled();
  expectOnce(place, end, rows);
});

for (const lag of [5000, 14_000, 20_000]) {
  attack(
    `a list that lags ${lag / 1000} s: rows whose answers were cut off are there once`,
    async (place) => {
      place.service.script(creates({ answer: 'cut' }, 1, 3, 6));
      const end = await place.crm(importing(place));
      expectOnce(place, end, rows);
    },
    { lag },
  );

  attack(
    `a list that lags ${lag / 1000} s, and a kill: each row is there once, and nobody is asked`,
    async (place) => {
      const { service } = place;
      service.script(creates({ answer: 'silence' }, 3));
      const command = importing(place);
      const run = place.start(command);
      await service.came(({ method, nth }) => method === 'POST' && nth === 6);
      run.process.kill('SIGKILL');
      await run.ended;
      const end = await place.crm([...command, '--resume']);
      expectOnce(place, end, rows);
    },
    { lag },
  );
}

/** Somebody else makes a record right before the list is read for the first time, on the node that is ahead. */
const besideColleague =
  ({ service }: Place, script: Script): Script =>
  (incoming) => {
    if (incoming.method !== 'GET' || incoming.family !== 'leads' || incoming.nth > 1) return script(incoming);
    return { first: () => service.colleague.create('leads', { title: 'Theirs', 'status.id': 1, 'category.id': 1 }) };
  };

attack(
  'two nodes whose clocks are 90 s apart: rows whose answers were cut off are there once',
  async (place) => {
    place.service.script(besideColleague(place, creates({ answer: 'cut' }, 2, 3, 5, 6)));
    const end = await place.crm(importing(place));
    expect(titlesOf(place), end.stderr).toEqual([...titlesUpTo(rows), 'Theirs']);
    expect([0, 8]).toContain(end.status);
  },
  { clocks: [90_000, 0] },
);

attack(
  'two nodes whose clocks are 90 s apart, and a kill: each row is there once',
  async (place) => {
    const { service } = place;
    service.script(besideColleague(place, creates({ answer: 'silence' }, 3, 4)));
    const command = importing(place);
    const run = place.start(command);
    await service.came(({ method, nth }) => method === 'POST' && nth === 6);
    run.process.kill('SIGKILL');
    await run.ended;
    const end = await place.crm([...command, '--resume']);
    expect(titlesOf(place), end.stderr).toEqual([...titlesUpTo(rows), 'Theirs']);
    expect([0, 8]).toContain(end.status);
  },
  { clocks: [90_000, 0] },
);

for (const [name, ahead] of [
  ['back an hour (the end of summer time)', -3_600_000],
  ['ahead an hour (its beginning)', 3_600_000],
] as const) {
  attack(
    `local time that goes ${name} during an import: rows whose answers were cut off are there once`,
    async (place) => {
      const { service } = place;
      // What others made in the last hour.
      for (let number = 1; number <= 5; number += 1)
        service.colleague.create('leads', { title: `Theirs ${number}`, 'status.id': 1, 'category.id': 1 });
      service.script(({ method, nth }) => {
        if (method !== 'POST') return undefined;
        if (nth === 3) return { first: () => service.setClock(ahead) };
        return [4, 5, 7].includes(nth) ? { answer: 'cut' } : undefined;
      });
      const end = await place.crm(importing(place));
      const ours = titlesOf(place).filter((title) => title.startsWith('Lead'));
      expect(ours, end.stderr).toEqual(titlesUpTo(rows));
      expect([0, 8], end.stderr).toContain(end.status);
    },
    { localTime: true },
  );
}

attack('a run with an equal row, and a wall clock that was put back before it: neither loses its row', async (place) => {
  const { service } = place;
  const text = [header, row(1), row(2), row(3), ''].join('\n');
  const first = ['leads', 'import', place.write('one.csv', text), '--json', '--concurrency', '1'];
  // The second row never arrives. The import is killed, and goes on only after another run has made an equal record.
  service.script(creates({ carried: 'never', answer: 'silence' }, 2));
  const run = place.start(first, fastEnv({ ahead: 7_200_000 }));
  await service.came(({ method, nth }) => method === 'POST' && nth === 2);
  run.process.kill('SIGKILL');
  await run.ended;
  service.script(undefined);
  const values =
    "title: Lead 2, first-name: Jo, last-name: Last 2, email: jo2@rows.example, company-name: Company 2, phone: '+49 30 555002'";
  const file = place.write('equal.yaml', seedOf(`{ name: equal, type: lead, set: { ${values}, status: 1, category: 1 } }`));
  const second = await place.crm(['seed', 'apply', file, '--json'], { env: fastEnv({ ahead: -7_200_000 }) });
  expect(second.status, second.stderr).toBe(0);
  const resumed = await place.crm([...first, '--resume'], { env: fastEnv({ ahead: -7_100_000 }) });
  expect(titlesOf(place), resumed.stderr).toEqual(['Lead 1', 'Lead 2', 'Lead 2', 'Lead 3']);
  expect(resumed.status, resumed.stderr).toBe(0);
});

attack(
  'one candidate is left where the service rewrites titles: nobody is asked',
  async (place) => {
    const { service } = place;
    service.script(creates({ answer: 'silence' }, 3));
    const text = ['title,phone,status,category', ...[1, 2, 3, 4].map((number) => `Lead ${number},+49 30 55500${number},1,1`), ''].join(
      '\n',
    );
    const command = ['leads', 'import', place.write('leads.csv', text), '--json', '--concurrency', '1'];
    const run = place.start(command);
    await service.came(({ method, nth }) => method === 'POST' && nth === 3);
    run.process.kill('SIGKILL');
    await run.ended;
    service.script(undefined);
    const end = await place.crm([...command, '--resume']);
    expect(end.status, end.stderr).toBe(0);
    expect(service.there('leads')).toHaveLength(4);
  },
  { text: (text, path) => (path === 'title' ? `Deal no. ${text.replace(/\D/g, '')} (web)` : text) },
);

for (const [name, text] of [
  [
    'trims, lower-cases and cuts',
    (value: string, path: string) => (path.includes('email') ? value.toLowerCase() : value.trim().toLowerCase().slice(0, 60)),
  ],
  ['escapes HTML', (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
] as const) {
  attack(
    `a service that ${name}, in lists without order: each row is there once after a kill`,
    async (place) => {
      const { service } = place;
      service.script(creates({ answer: 'silence' }, 3));
      const command = importing(place);
      const run = place.start(command);
      await service.came(({ method, nth }) => method === 'POST' && nth === 6);
      run.process.kill('SIGKILL');
      await run.ended;
      service.script(undefined);
      const end = await place.crm([...command, '--resume']);
      expect(end.status, end.stderr).toBe(0);
      expect(service.there('leads')).toHaveLength(rows);
    },
    { text, shuffles: true },
  );
}
