// Answers without evidence: a success that isn't one, nothing at all, another record. What is said is what was done, in single
// writes, in runs and in the library.

import { describe, expect } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { type Script, saying, type Turn } from '../support/strange-service.ts';
import { attack, countsOf, leadOf, leadsFile, type Place, titlesOf, titlesUpTo } from './place.ts';

/** What a service says that did nothing, with a status of success. */
const lies: readonly [name: string, body: unknown, status: number][] = [
  ['{"success": false}', { success: false }, 200],
  ['{"error": "denied"}', { error: 'denied' }, 200],
  ['"ok"', '"ok"', 200],
  ['[]', [], 200],
  ['{"data": null}', { data: null, message: 'Done.' }, 200],
  ['202', { message: 'Accepted.' }, 202],
  ['204', undefined, 204],
];

/** For verbs that share what they do with those that meet all of them. */
const someLies = lies.filter(([name]) => ['{"success": false}', '[]', '202'].includes(name));

const writes =
  (turn: Turn): Script =>
  ({ method }) =>
    method === 'GET' ? undefined : turn;

/** Nothing was done, and nothing else was said: no success, no result on standard output. */
function expectNoSuccess({ status, stdout, stderr }: Crm): void {
  expect(status, `${stdout}\n${stderr}`).not.toBe(0);
  expect(stdout.trim()).toMatch(/^(\[\])?$/);
  expect(stderr, 'what is to be typed is a whole command').not.toMatch(/before you repeat it: (?!crm )/);
  expect(stderr).not.toMatch(/^\S* ?Lead \d+ (changed|created|deleted|archived|converted)/m);
}

describe.concurrent('nothing was done, and the service says', () => {
  for (const [name, body, status] of lies) {
    attack(`${name} to leads create`, async (place) => {
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'create', '--title', 'New', '--status', '1', '--category', '1', '-o', 'ids']));
      expect(place.service.writes()).toHaveLength(1);
    });

    attack(`${name} to leads update`, async (place) => {
      const lead = leadOf(place, 1);
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'update', String(lead.id), '--title', 'New', '-o', 'ids']));
    });

    attack(
      `${name} to every second create of an import: none of these counts as created, and none is sent twice unlooked-for`,
      async (place) => {
        const { service } = place;
        const file = place.write('leads.csv', leadsFile(6));
        service.script(({ method, nth }) => (method === 'POST' && [2, 4].includes(nth) ? saying(body, status) : undefined));
        const end = await place.crm(['leads', 'import', file, '--json', '--concurrency', '1']);
        const titles = titlesOf(place);
        expect(new Set(titles).size, String(titles)).toBe(titles.length);
        expect(countsOf(end).created, end.stderr).toBe(titles.length);
        if (end.status === 0) expect(titles).toEqual(titlesUpTo(6));
      },
    );
  }

  for (const [name, body, status] of someLies) {
    attack(`${name} to leads tags --add`, async (place) => {
      const lead = leadOf(place, 1);
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'tags', String(lead.id), '--add', 'hot', '-o', 'ids']));
    });

    attack(`${name} to leads update of several`, async (place) => {
      const ids = [leadOf(place, 1).id, leadOf(place, 2).id].join(',');
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'update', ids, '--title', 'New', '-o', 'ids']));
    });

    attack(`${name} to leads delete`, async (place) => {
      const lead = leadOf(place, 1);
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'delete', String(lead.id), '--yes', '-o', 'ids']));
    });

    attack(`${name} to leads archive`, async (place) => {
      const lead = leadOf(place, 1);
      place.service.script(writes(saying(body, status)));
      expectNoSuccess(await place.crm(['leads', 'archive', String(lead.id), '-o', 'ids']));
    });

    attack(`${name} to the updates of a selection: none of these counts as changed`, async (place) => {
      const { service } = place;
      const leads = [1, 2, 3].map((number) => leadOf(place, number, { source: 'Fair' }));
      service.script(writes(saying(body, status)));
      const end = await place.crm(['leads', 'update', '--where', 'source=Fair', '--value', '7', '--yes', '--json']);
      expect(leads.map((lead) => service.values(lead).value)).toEqual([null, null, null]);
      expect([7, 8], `${end.stdout}\n${end.stderr}`).toContain(end.status);
      expect(end.stdout.trim()).toBe('[]');
    });
  }
});

describe.concurrent('it was done, and the service says', () => {
  for (const [name, body, status] of lies.slice(2)) {
    attack(`${name} to creates of an import: each row is there once, and counted`, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(6));
      service.script(({ method, nth }) => (method === 'POST' && [2, 4].includes(nth) ? saying(body, status, 0) : undefined));
      const end = await place.crm(['leads', 'import', file, '--json', '--concurrency', '1']);
      expect(titlesOf(place), end.stderr).toEqual(titlesUpTo(6));
      expect(countsOf(end), end.stderr).toMatchObject({ created: 6, failed: 0, unknown: 0 });
    });
  }

  attack('204 to leads update: a read agrees, and it counts', async (place) => {
    const lead = leadOf(place, 1);
    place.service.script(writes(saying(undefined, 204, 0)));
    const end = await place.crm(['leads', 'update', String(lead.id), '--title', 'New', '-o', 'ids']);
    expect([end.status, end.stdout.trim()], end.stderr).toEqual([0, String(lead.id)]);
  });

  attack(
    '204 to leads archive and activate: it counts',
    async (place) => {
      const lead = leadOf(place, 1);
      for (const verb of ['archive', 'activate']) {
        const end = await place.crm(['leads', verb, String(lead.id), '-o', 'ids']);
        expect(end.status, end.stderr).toBe(0);
      }
    },
    { mute: ['archive', 'activate'] },
  );
});

describe.concurrent('another record', () => {
  attack('in the answer to an update: it is not called done', async (place) => {
    const lead = leadOf(place, 1);
    const other = leadOf(place, 2);
    place.service.script(writes(saying({ data: { id: other.id, title: 'New' }, message: 'Done.' })));
    expectNoSuccess(await place.crm(['leads', 'update', String(lead.id), '--title', 'New', '-o', 'ids']));
  });

  attack("somebody else's id in the 201 of an import's row: it is not called made for certain, and no row is lost", async (place) => {
    const { service } = place;
    const theirs = leadOf(place, 70);
    const file = place.write('leads.csv', leadsFile(4));
    service.script(({ method, nth }) =>
      method === 'POST' && nth === 2
        ? saying({ data: { id: theirs.id, title: 'Lead 2', status: { id: 1 } }, message: 'Created.' }, 201)
        : undefined,
    );
    const results = `${place.folder}/results.csv`;
    const end = await place.crm(['leads', 'import', file, '--json', '--concurrency', '1', '--results', results]);
    const ours = titlesOf(place).filter((title) => title !== 'Lead 70');
    if (end.status === 0) expect(ours, end.stderr).toEqual(titlesUpTo(4));
    else expect([8, countsOf(end).created + countsOf(end).unknown], end.stderr).toEqual([8, 4]);
  });
});

describe.concurrent('408', () => {
  attack('to a single write: nobody knows, 7', async (place) => {
    const lead = leadOf(place, 1);
    place.service.script(writes(saying({ message: 'Request Timeout' }, 408, 0)));
    const end = await place.crm(['leads', 'update', String(lead.id), '--title', 'New', '--json']);
    expect(end.status, end.stderr).toBe(7);
    expect(end.stderr).not.toMatch(/refused/i);
  });

  attack('to a single create: nobody knows, 7', async (place) => {
    place.service.script(writes(saying({ message: 'Request Timeout' }, 408, 0)));
    const end = await place.crm(['leads', 'create', '--title', 'New', '--status', '1', '--category', '1', '--json']);
    expect(end.status, end.stderr).toBe(7);
    expect(end.stderr).not.toMatch(/refused/i);
  });
});

describe.concurrent('the library', () => {
  for (const [name, body, status] of lies) {
    attack(`${name} to an update and a create, which did nothing: both reject`, async (place) => {
      const lead = leadOf(place, 1);
      place.service.script(writes(saying(body, status)));
      expect(await libraryCalls(place, lead.id)).toEqual(['update rejected', 'create rejected']);
    });
  }
});

/** What became of an update and a create of the library's client, in this process. */
async function libraryCalls({ service }: Place, id: number): Promise<string[]> {
  const { openClient } = await import('../../src/library/client.ts');
  const client = await openClient({ baseUrl: service.baseUrl, key: service.key, retries: 0 });
  const told = (name: string, work: Promise<unknown>): Promise<string> =>
    work.then(
      () => `${name} resolved`,
      () => `${name} rejected`,
    );
  try {
    return [
      await told('update', client.leads.update(id, { title: 'New' })),
      await told('create', client.leads.create({ title: 'New', status: 1, category: 1 })),
    ];
  } finally {
    await client.close();
  }
}
