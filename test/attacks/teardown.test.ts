// The end of a seed deletes what the run made and nothing else: it looks at each record right before it deletes it, and again
// before it repeats a delete.

import { describe, expect } from 'vitest';
import { at, type Kept, type Values } from '../support/strange-service.ts';
import { attack, type Place, seedLead, seedOf, titlesOf } from './place.ts';

const people = seedOf(seedLead('ada'), seedLead('ben'), seedLead('cleo'));
const offers = seedOf(
  ...['one', 'two'].map(
    (name) => `{ name: ${name}, type: proposal, set: { title: Offer ${name}, client: 1, category: 4, start: 2026-01-01 } }`,
  ),
);

const applying = (place: Place, text = people): string[] => [
  'seed',
  'apply',
  place.write('seed.yaml', text),
  '--json',
  '--concurrency',
  '1',
];
const destroying = (place: Place, ...more: string[]): string[] => [
  'seed',
  'destroy',
  `${place.folder}/seed.yaml`,
  '--concurrency',
  '1',
  ...more,
];

async function applied(place: Place, text = people, family = 'leads'): Promise<readonly Kept[]> {
  const end = await place.crm(applying(place, text));
  expect(end.status, end.stderr).toBe(0);
  return place.service.there(family);
}

const named = (records: readonly Kept[], place: Place, title: string): Kept => {
  const kept = records.find((one) => place.service.values(one).title === title);
  if (kept === undefined) throw new Error(`there is no ${title}`);
  return kept;
};

describe.concurrent('--keep-changed keeps what a colleague changed', () => {
  for (const when of ['while the seed was applied', 'after that'] as const) {
    attack(`a lead that was changed ${when}`, async (place) => {
      const { service } = place;
      service.script(({ method, nth }) =>
        method === 'POST' && nth === 3 && when !== 'after that'
          ? { first: () => service.colleague.edit(named(service.there('leads'), place, 'Deal of ada'), { 'contact.phone': 'theirs' }) }
          : undefined,
      );
      const records = await applied(place);
      const ada = named(records, place, 'Deal of ada');
      if (when === 'after that') service.colleague.edit(ada, { 'contact.phone': 'theirs' });
      const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
      expect(titlesOf(place), end.stderr).toEqual(['Deal of ada']);
    });
  }

  attack('a lead that was changed without a new time stamp', async (place) => {
    const [ada] = await applied(place);
    if (ada === undefined) return;
    place.service.colleague.edit(ada, { 'contact.phone': 'theirs' }, { unstamped: true });
    const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
    expect(titlesOf(place), end.stderr).toEqual(['Deal of ada']);
  });

  attack('a lead that is changed while the deletes run', async (place) => {
    const { service } = place;
    const records = await applied(place);
    const ada = named(records, place, 'Deal of ada');
    service.script(({ method, nth }) =>
      method === 'DELETE' && nth === 1 ? { first: () => service.colleague.edit(ada, { 'contact.phone': 'theirs' }) } : undefined,
    );
    const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
    expect(titlesOf(place), end.stderr).toEqual(['Deal of ada']);
    expect(service.harm).toEqual([]);
  });

  attack('a lead that is changed while the question stands', async (place) => {
    const { service } = place;
    const records = await applied(place);
    const ada = named(records, place, 'Deal of ada');
    const asked = place.onTerminal(destroying(place, '--keep-changed'), {
      typed: 'y\n',
      asked: () => service.colleague.edit(ada, { 'contact.phone': 'theirs' }),
    });
    const end = await asked;
    expect(titlesOf(place), end.stdout).toEqual(['Deal of ada']);
    expect(service.harm).toEqual([]);
  });

  attack('a proposal that the client has signed', async (place) => {
    const [offer] = await applied(place, offers, 'proposals');
    if (offer === undefined) return;
    place.service.colleague.sign(offer);
    const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
    expect(place.service.there('proposals'), end.stderr).toEqual([offer]);
    expect(end.stderr).toMatch(/\b1\b.*changed since/);
  });

  attack('a proposal whose text a colleague changed', async (place) => {
    const [offer] = await applied(place, offers, 'proposals');
    if (offer === undefined) return;
    place.service.colleague.edit(offer, { body: '<p>Theirs</p>' });
    const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
    expect(place.service.there('proposals'), end.stderr).toEqual([offer]);
  });

  const turns: [string, Values][] = [
    ['tagged', { tags: ['theirs'] }],
    ['assigned', { assigned: [{ id: 2, name: 'Ben Staff' }] }],
    ['archived', { active_state: 'archived' }],
    ['converted', { 'converted.is_converted': true, 'converted.client_id': 1 }],
  ];
  for (const [name, members] of turns) {
    attack(`a lead that was ${name}, without a new time stamp`, async (place) => {
      const [ada] = await applied(place);
      if (ada === undefined) return;
      place.service.colleague.edit(ada, members, { unstamped: true });
      const end = await place.crm(destroying(place, '--yes', '--keep-changed'));
      expect(titlesOf(place), end.stderr).toEqual(['Deal of ada']);
    });
  }
});

describe.concurrent('a delete that is repeated', () => {
  for (const [name, status] of [
    ['its connection was cut', 'cut'],
    ['a 500', 500],
    ['a 503', 503],
  ] as const) {
    attack(`after ${name}: a colleague's record that has the id by now stays`, async (place) => {
      const { service } = place;
      await applied(place);
      const reuse = (id: number): Kept => service.colleague.create('leads', { title: 'Theirs', 'status.id': 1, 'category.id': 1 }, id);
      service.script(({ method, nth, id = 0 }) =>
        method === 'DELETE' && nth === 1
          ? {
              answer: status === 'cut' ? 'cut' : { status, body: { message: 'Server Error' } },
              meanwhile: () => void reuse(id),
            }
          : undefined,
      );
      const end = await place.crm(destroying(place, '--yes'));
      expect(titlesOf(place), end.stderr).toEqual(['Theirs']);
      expect(service.harm).toEqual([]);
    });
  }

  attack("after a 429 with a pause: a colleague's record that has the id by now stays", async (place) => {
    const { service } = place;
    const records = await applied(place);
    service.script(({ method, nth, id }) => {
      if (method !== 'DELETE' || nth > 1) return undefined;
      return {
        carried: 'never',
        answer: { status: 429, headers: { 'retry-after': '5' }, body: { message: 'Too Many Attempts.' } },
        meanwhile: () => {
          const kept = records.find((one) => one.id === id);
          if (kept === undefined) return;
          service.colleague.remove(kept);
          service.colleague.create('leads', { title: 'Theirs', 'status.id': 1, 'category.id': 1 }, kept.id);
        },
      };
    });
    const end = await place.crm(destroying(place, '--yes'));
    expect(titlesOf(place), end.stderr).toEqual(['Theirs']);
    expect(service.harm).toEqual([]);
  });
});

describe.concurrent('what hangs on the records', () => {
  attack("colleagues' comments that would go along are counted", async (place) => {
    const { service } = place;
    const [ada, ben] = await applied(place);
    if (ada === undefined || ben === undefined) return;
    for (const text of ['Called', 'Called again']) service.colleague.comment(ada, text);
    service.colleague.comment(ben, 'Nobody at home');
    const end = await place.crm(destroying(place, '--yes'));
    const told = `${end.stdout}${end.stderr}`;
    // Deleted along with what they hang on, and counted; or left, with what they hang on.
    if (service.there('comments').length === 3) expect(end.status, told).toBe(8);
    else expect(told).toMatch(/\b3 comments\b/);
  });

  attack(
    "a service that ignores a list's filter: notes on other leads keep nothing from going",
    async (place) => {
      const { service } = place;
      const other = service.has('leads', { title: 'Theirs', 'status.id': 1, 'category.id': 1 });
      for (const title of ['One', 'Two']) {
        service.has('notes', { title, description: title, 'resource.type': 'lead', 'resource.id': other.id });
      }
      await applied(place);
      const end = await place.crm(destroying(place, '--yes'));
      expect(titlesOf(place), end.stderr).toEqual(['Theirs']);
      expect(end.status, end.stderr).toBe(0);
    },
    { ignores: ['resource_type', 'resource_id', 'lead_id'] },
  );

  attack("a colleague's note on a lead of the run keeps it", async (place) => {
    const { service } = place;
    const [ada] = await applied(place);
    if (ada === undefined) return;
    const note = service.colleague.create('notes', {
      title: 'Called',
      description: 'Twice',
      'resource.type': 'lead',
      'resource.id': ada.id,
    });
    const end = await place.crm(destroying(place, '--yes'));
    expect([service.isGone(note), service.isGone(ada)], end.stderr).toEqual([false, false]);
    expect(end.status).toBe(8);
  });
});

describe.concurrent("what is not the run's", () => {
  attack("the id of somebody else's record in a 201: it is not deleted", async (place) => {
    const { service } = place;
    const theirs = service.has('leads', { title: 'Theirs', 'status.id': 1, 'category.id': 1 });
    service.script(({ method, nth }) =>
      method === 'POST' && nth === 2
        ? { carried: 'never', answer: { status: 201, body: { data: { id: theirs.id, title: 'Deal of ben' }, message: 'Created.' } } }
        : undefined,
    );
    const end = await place.crm(applying(place));
    expect(service.isGone(theirs)).toBe(false);
    service.script(undefined);
    await place.crm(destroying(place, '--yes'));
    expect(service.isGone(theirs), end.stderr).toBe(false);
    expect(titlesOf(place)).toEqual(['Theirs']);
  });

  attack("a colleague's contact with our email is not ours: nobody can tell, and it is not deleted", async (place) => {
    const { service } = place;
    const text = seedOf(
      '{ name: jo, type: contact, set: { first-name: Jo, last-name: Ours, email: jo@rows.example, client: 1, phone: 030 1 } }',
      '{ name: al, type: contact, set: { first-name: Al, last-name: Ours, email: al@rows.example, client: 1, phone: 030 2 } }',
    );
    service.script(({ method, nth }) =>
      method === 'POST' && nth === 2
        ? {
            carried: 'never',
            answer: 'cut',
            meanwhile: () => {
              const email = service.requests.at(-1)?.body.email;
              service.colleague.create('contacts', {
                first_name: 'Zoe',
                last_name: 'Theirs',
                email,
                'client.id': 1,
                phone: '0900',
              });
            },
          }
        : undefined,
    );
    const end = await place.crm(applying(place, text));
    expect(end.status, end.stderr).not.toBe(0);
    service.script(undefined);
    await place.crm(destroying(place, '--yes'));
    expect(
      service.there('contacts').map((kept) => at(service.values(kept), 'first_name')),
      end.stderr,
    ).toContain('Zoe');
    expect(service.harm).toEqual([]);
  });
});

attack('an apply is killed, destroy is declined, apply again: every record is there', async (place) => {
  const { service } = place;
  service.script(({ method, nth }) => (method === 'POST' && nth === 2 ? { carried: 'never', answer: 'silence' } : undefined));
  const command = applying(place);
  const run = place.start(command);
  await service.came(({ method, nth }) => method === 'POST' && nth === 2);
  run.process.kill('SIGKILL');
  await run.ended;
  service.script(undefined);
  const declined = await place.crm(destroying(place));
  expect(declined.status, declined.stderr).toBe(9);
  expect(titlesOf(place)).toEqual(['Deal of ada']);
  const end = await place.crm(command);
  expect(end.status, end.stderr).toBe(0);
  expect(titlesOf(place)).toEqual(['Deal of ada', 'Deal of ben', 'Deal of cleo']);
});
