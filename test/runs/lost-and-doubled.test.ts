// What may never happen, one test each: a record doubled, a row lost without a word, somebody else's record touched.
// The program runs as a process against a CRM that is unlike the embedded one, and the tests assert on what that CRM holds.
// CRM_SLOW=1 runs those that wait for more than ten seconds, too.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Kept, OtherService, SeenWrite, Traits } from '../support/other-service.ts';
import { countsOf, inPlace, type Place } from './support.ts';

const slow = it.runIf(process.env.CRM_SLOW === '1');

/** A row of leads; everything else follows from its number, so each row has more than its title to be known by. */
const row = (number: number, title = `Lead ${number}`): string =>
  [title, 'Jo', `Last ${number}`, `jo${number}@rows.example`, `Company ${number}`, `+49 30 55500${number}`, 1, 1].join(',');

const header = 'title,first-name,last-name,email,company-name,phone,status,category';

const leadsFile = (count: number, titles: Readonly<Record<number, string>> = {}): string =>
  [header, ...Array.from({ length: count }, (_, index) => row(index + 1, titles[index + 1])), ''].join('\n');

const titlesUpTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `Lead ${index + 1}`);

const create = (file: string, ...more: string[]): string[] => ['leads', 'import', file, '--json', '--concurrency', '1', ...more];

/** The nth write is carried out and never answered. */
const holding =
  (nth: number) =>
  ({ number }: SeenWrite): 'hold' | undefined =>
    number === nth ? 'hold' : undefined;

/** A field of every record that we made, as we sent it: twice where it was made twice. */
function sent({ writes }: OtherService, family: string, wire: string): string[] {
  const made = writes.filter(({ method, path, status }) => method === 'POST' && path === `/api/${family}` && status === 201);
  return made.map(({ body }) => valueIn(body, wire)).toSorted();
}

const valueIn = (body: string, wire: string): string =>
  body
    .split('\n')
    .find((line) => line.startsWith(`${wire}=`))
    ?.slice(wire.length + 1) ?? '';

/** Records of others that we changed or deleted. */
const touchedOfOthers = ({ records }: OtherService): string[] =>
  records
    .filter(({ maker, touched }) => maker !== 'us' && touched.some(({ who }) => who === 'us'))
    .map(({ family, id }) => `${family} ${id}`);

const madeByWrite = ({ records }: OtherService, number: number): Kept => {
  const kept = records.find(({ write }) => write === number);
  if (kept === undefined) throw new Error(`write ${number} made nothing`);
  return kept;
};

/** An import of leads that was killed when its nth record was made and not answered. */
async function killedImport(place: Place, { count = 8, nth = 4, text = leadsFile(count) } = {}): Promise<string> {
  const file = place.write('leads.csv', text);
  place.service.onWrite(holding(nth));
  await place.killed(nth, create(file));
  place.service.onWrite(() => undefined);
  return file;
}

describe.concurrent('a killed import and its file', () => {
  const mended: [string, string][] = [
    ['a typo in a later row mended', leadsFile(8, { 7: 'Lead seven' })],
    ['saved again by a spreadsheet', `\uFEFF${leadsFile(8).replaceAll('\n', '\r\n').replaceAll('Jo,', '"Jo",')}`],
    ['its rows in another order', [header, ...Array.from({ length: 8 }, (_, index) => row(8 - index)), ''].join('\n')],
  ];
  it.each(mended)('%s: refused without --resume, and with it every row is there once', (_name, text) =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = await killedImport(place);
      writeFileSync(file, text);
      const before = service.writes.length;
      const refused = await place.crm(create(file));
      expect([refused.status, service.writes.length - before], refused.stderr).toEqual([10, 0]);
      expect(refused.stderr).toMatch(/\b3 done, up to 1 more may be there/);
      expect(refused.stderr).toContain('--resume');
      const resumed = await place.crm(create(file, '--resume'));
      expect(resumed.status, resumed.stderr).toBe(0);
      const titles = text.includes('seven') ? titlesUpTo(8).with(6, 'Lead seven') : titlesUpTo(8);
      expect(sent(service, 'leads', 'lead_title')).toEqual(titles.toSorted());
    }),
  );

  it('piped into the resume', () =>
    inPlace({}, async (place) => {
      await killedImport(place);
      const resumed = await place.crm(create('-', '--format', 'csv', '--resume'), { stdin: leadsFile(8) });
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(sent(place.service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
    }));

  it('a row that is lost does not take the record of an equal one that is still under way', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      service.onWrite(({ number }) => (number === 1 ? 'lose' : number === 2 ? 'hold' : undefined));
      const file = place.write('leads.csv', `title,status,category\n${'Twin,1,1\n'.repeat(2)}`);
      const moment = service.write(2);
      const run = place.start(['leads', 'import', file, '--json', '--concurrency', '4']);
      await moment;
      await sleep(3000);
      service.release();
      const { status, stderr } = await run.ended;
      expect(status, stderr).toBe(0);
      expect(service.there('leads')).toHaveLength(2);
    }));

  it('equal rows are counted, and nothing is asked', () =>
    inPlace({}, async (place) => {
      const text = `title,status,category\n${'Twin,1,1\n'.repeat(8)}`;
      const file = await killedImport(place, { text });
      const resumed = await place.crm(create(file, '--resume'));
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(countsOf(resumed)).toMatchObject({ created: 8, failed: 0, unknown: 0 });
      expect(sent(place.service, 'leads', 'lead_title')).toHaveLength(8);
    }));
});

describe.concurrent('the same service by another name', () => {
  const spellings: [string, (service: OtherService) => string][] = [
    ['localhost', ({ port }) => `http://localhost:${port}`],
    ['a slash behind', ({ baseUrl }) => `${baseUrl}/`],
    ['/api behind', ({ baseUrl }) => `${baseUrl}/api`],
    ['localhost and /api/', ({ port }) => `http://LOCALHOST:${port}/api/`],
  ];
  it.each(spellings)('%s: a resume goes on', (_name, spelling) =>
    inPlace({}, async (place) => {
      const file = await killedImport(place);
      const resumed = await place.crm(create(file, '--resume'), { env: { CRM_BASE_URL: spelling(place.service) } });
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(sent(place.service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
    }),
  );

  it('begun with a profile, gone on with from the environment', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const added = await place.crm(['profile', 'add', 'here', '--base-url', service.baseUrl, '--key-stdin', '--no-verify'], {
        stdin: `${service.key}\n`,
      });
      expect(added.status, added.stderr).toBe(0);
      const file = place.write('leads.csv', leadsFile(8));
      service.onWrite(holding(4));
      await place.killed(4, create(file, '--profile', 'here'));
      service.onWrite(() => undefined);
      const resumed = await place.crm(create(file, '--resume'));
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
    }));
});

describe.concurrent('a colleague edits the record that was on its way when the import was killed', () => {
  const edits: [string, Record<string, string>][] = [
    ['its title', { title: 'Renamed' }],
    ['its email', { 'contact.email': 'other@else.example' }],
    ['its title and its email', { title: 'Renamed', 'contact.email': 'other@else.example' }],
  ];
  it.each(edits)('%s: not sent again, and what nobody can tell is said', (_name, members) =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = await killedImport(place);
      service.edit(madeByWrite(service, 4), members);
      const resumed = await place.crm(create(file, '--resume'));
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
      expect(touchedOfOthers(service)).toEqual([]);
      expect([0, 8], resumed.stderr).toContain(resumed.status);
      const { unknown, failed } = countsOf(resumed);
      expect({ unknown, failed }).toEqual({ unknown: resumed.status === 8 ? 1 : 0, failed: 0 });
      const said = resumed.status === 8 ? resumed.stderr : 'line 5: --send-again, --arrived';
      for (const word of [/\b5\b/, /--send-again/, /--arrived/]) expect(said).toMatch(word);
    }),
  );
});

describe.concurrent('what else colleagues do meanwhile', () => {
  it('the lead that was on its way is archived: it is not sent again', () =>
    inPlace({ hidesArchived: true }, async (place) => {
      const { service } = place;
      const file = await killedImport(place);
      service.edit(madeByWrite(service, 4), { active_state: 'archived' });
      const resumed = await place.crm(create(file, '--resume'));
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
      expect([0, 8], resumed.stderr).toContain(resumed.status);
    }));

  it('a value that an update was to change is changed by somebody else: it is left, and said', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const leads = [1, 2, 3].map((number) =>
        service.add('leads', { lead_title: `Old ${number}`, lead_status: '1', lead_categoryid: '1' }, 'setup'),
      );
      const file = place.write('leads.csv', ['id,title', ...leads.map(({ id }, index) => `${id},New ${index + 1}`), ''].join('\n'));
      // The second one never arrives.
      service.onWrite(({ number }) => (number >= 2 ? 'lose' : undefined));
      await place.killed(2, create(file, '--mode', 'update'));
      service.onWrite(() => undefined);
      const [, second] = leads;
      if (second !== undefined) service.edit(second, { title: 'Theirs' });
      const resumed = await place.crm(create(file, '--mode', 'update', '--resume'));
      expect(leads.map(({ values }) => values.title)).toEqual(['New 1', 'Theirs', 'New 3']);
      expect(resumed.status, resumed.stderr).toBe(8);
      expect(countsOf(resumed)).toMatchObject({ total: 3, updated: 2, failed: 0, unknown: 1 });
    }));
});

describe.concurrent('services that keep values otherwise than they were sent', () => {
  const long = 'Very long title, '.repeat(15);
  // `unknown`: the service rewrites the lost row alone, so that nobody can tell whose the record is.
  const odd: [string, Traits, string, 'found' | 'unknown'][] = [
    ['HTML is escaped', { escapesHtml: true }, 'Smith & Sons <"best"> \'24', 'found'],
    ['Unicode is normalised (NFC)', { normalises: 'NFC' }, 'Cafe\u0301 Zu\u0308rich', 'unknown'],
    ['Unicode is normalised (NFKC)', { normalises: 'NFKC' }, 'ﬁne ① ｆｕｌｌ', 'unknown'],
    ['titles are cut at 191 characters', { cutsTitlesAt: 191 }, long, 'unknown'],
    ['blanks are trimmed', { trims: true }, ' Blanks   within ', 'unknown'],
    ['phone numbers are formatted', { formatsPhones: true }, 'Plain', 'found'],
    ['unset fields are filled', { defaults: true }, 'Plain', 'found'],
    [
      'all of it',
      { escapesHtml: true, normalises: 'NFKC', cutsTitlesAt: 191, trims: true, formatsPhones: true, defaults: true },
      `<ﬁ>${long}`,
      'unknown',
    ],
  ];
  it.each(odd)('%s', (_name, traits, title, end) =>
    inPlace(traits, async (place) => {
      const { service } = place;
      const quoted = `"${title.replaceAll('"', '""')}"`;
      const file = await killedImport(place, { text: leadsFile(8, { 4: quoted }) });
      const resumed = await place.crm(create(file, '--resume'));
      const unknown = end === 'unknown' ? 1 : 0;
      expect(resumed.status, resumed.stderr).toBe(unknown === 1 ? 8 : 0);
      expect(countsOf(resumed)).toMatchObject({ created: 8 - unknown, failed: 0, unknown });
      expect(sent(service, 'leads', 'lead_email')).toEqual(titlesUpTo(8).map((_title, index) => `jo${index + 1}@rows.example`));
    }),
  );

  slow('a contact that may have arrived and is then "already taken" is looked for once more', () =>
    inPlace({ lag: 60_000 }, async (place) => {
      const { service } = place;
      // Nothing else is made that would show how late the list is.
      const file = place.write('contacts.csv', 'first-name,last-name,email,client\nJo,One,jo@rows.example,1\n');
      service.onWrite(({ number, body }) => {
        // It comes into the lists only when it is sent a second time.
        if (number > 1 && body.includes('jo@')) service.change({});
        return number === 1 ? 'cut' : undefined;
      });
      const end = await place.crm(['contacts', 'import', file, '--json', '--concurrency', '1']);
      expect(end.status, end.stderr).toBe(0);
      expect(countsOf(end)).toMatchObject({ created: 1, failed: 0, unknown: 0 });
      expect(service.there('contacts')).toHaveLength(1);
    }),
  );
});

describe.concurrent('services that number and list records as they like', () => {
  const odd: [string, Traits][] = [
    ['ids downwards', { ids: 'descending' }],
    ['ids at random', { ids: 'random' }],
    ['several counters', { ids: 'counters' }],
    ['twenty digits', { ids: 'long' }],
    ['sort is ignored, oldest first', { order: 'oldest', page: 25 }],
    ['sort is ignored, no order at all', { order: 'scrambled', page: 3, ids: 'random' }],
    ['a clock two hours ahead, in whole seconds', { skew: 7_200_000, roughness: 1000, zone: '+05:30' }],
    ['a clock five hours behind, in whole minutes', { skew: -18_000_000, roughness: 60_000, zone: '-08:00' }],
    ['members in another order', { reorders: true }],
    ['lists that are three seconds late', { lag: 3000 }],
    ['lists that are late, ids at random, no order', { lag: 3000, ids: 'random', order: 'scrambled', roughness: 1000 }],
  ];
  it.each(odd)('%s', (_name, traits) =>
    inPlace(traits, async (place) => {
      const { service } = place;
      // Older records with the same titles: none of them is ours.
      for (const title of titlesUpTo(8)) service.add('leads', { lead_title: title, lead_status: '1', lead_categoryid: '1' }, 'setup');
      for (const kept of service.there('leads')) Object.assign(kept.values.dates as object, longAgo);
      const file = await killedImport(place);
      const resumed = await place.crm(create(file, '--resume'));
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(countsOf(resumed)).toMatchObject({ created: 8, failed: 0, unknown: 0 });
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(8));
    }),
  );
  const longAgo = { created: '2024-03-01T10:00:00.000000Z', updated: '2024-03-01T10:00:00.000000Z' };
});

describe.concurrent('writes that are carried out after nobody waits for them any more', () => {
  const clock = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
  const moved = (by: string): Record<string, string> => ({ LD_PRELOAD: clock, FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  const resumes: [string, string[], Record<string, string>][] = [
    ['with a time-out of a second', ['--timeout', '1'], {}],
    ['at one request a second', ['--timeout', '1', '--rate', '1'], {}],
    ['after the clock went an hour ahead', ['--timeout', '1'], moved('+1h')],
    ['after the clock went back an hour', ['--timeout', '1'], moved('-1h')],
  ];
  it.skipIf(!existsSync(clock)).each(resumes)('resumed %s: none is there twice', (_name, flags, env) =>
    inPlace({ lateBy: 5000 }, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(6));
      service.onWrite(({ number }) => (number <= 4 ? 'late' : undefined));
      const command = ['leads', 'import', file, '--json', '--concurrency', '4'];
      await place.killed(4, [...command, '--timeout', '30']);
      const resumed = await place.crm([...command, '--resume', ...flags], { env });
      await service.settled();
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(6));
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(countsOf(resumed)).toMatchObject({ created: 6, failed: 0, unknown: 0 });
    }),
  );
});

describe.concurrent('a write that is carried out long after it was sent again', () => {
  const env = { CRM_TEST_WAITS: '0.05' };
  const late = (service: OtherService): void => service.onWrite(({ number }) => (number === 2 ? 'late' : undefined));

  it('of an import: said at its end, and its resume names both records', () =>
    inPlace({ lateBy: 9000 }, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(4));
      late(service);
      const first = await place.crm(create(file, '--timeout', '1'), { env });
      expect([first.status, countsOf(first).created], first.stderr).toEqual([0, 4]);
      expect(first.stderr).toContain(
        '1 row was sent again because its answer was lost. To check that it is not there twice: crm leads import ',
      );
      await service.settled();
      const twins = service.there('leads').filter(({ values }) => values.title === 'Lead 2');
      expect(twins).toHaveLength(2);
      const resumed = await place.crm(create(file, '--resume'), { env });
      expect([resumed.status, countsOf(resumed)], resumed.stderr).toMatchObject([8, { created: 4, failed: 0, unknown: 0 }]);
      for (const { id } of twins) expect(resumed.stderr).toContain(id);
      expect(service.writes).toHaveLength(5);
    }));

  it('of a seed: applied again it names both records', () =>
    inPlace({ lateBy: 9000 }, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      late(service);
      const first = await place.crm(apply(file, '--timeout', '1'), { env });
      expect(first.status, first.stderr).toBe(0);
      expect(first.stderr).toContain(
        '1 record was sent again because its answer was lost. To check that it is not there twice: crm seed apply ',
      );
      await service.settled();
      const again = await place.crm(apply(file), { env });
      expect(again.status, again.stderr).toBe(8);
      for (const { id } of service.there('leads').filter(({ values }) => values.title === 'Deal of Ben'))
        expect(again.stderr).toContain(id);
      expect(service.writes).toHaveLength(4);
    }));
});

const seedOf = (records: string): string => `version: 1\nrecords:\n${records}`;
const people = seedOf(
  ['Ada', 'Ben', 'Cleo']
    .map(
      (name) =>
        `  - { name: ${name.toLowerCase()}, type: lead, set: { title: Deal of ${name}, status: 1, category: 1, first-name: ${name}, country: Norway } }\n`,
    )
    .join(''),
);
const apply = (file: string, ...more: string[]): string[] => ['seed', 'apply', file, '--json', '--concurrency', '1', ...more];
const destroy = (file: string, ...more: string[]): string[] => ['seed', 'destroy', file, '--yes', '--concurrency', '1', ...more];

describe.concurrent('seed destroy deletes what the run made, and nothing else', () => {
  const bodyOf = (name: string, title = `Deal of ${name}`) => ({
    lead_title: title,
    lead_status: '1',
    lead_categoryid: '1',
    lead_firstname: name,
    lead_country: 'Norway',
  });
  const others: [string, (service: OtherService) => Kept[]][] = [
    [
      'and the ids belong to other people',
      (service) => ['Ada', 'Ben', 'Cleo'].map((name) => service.add('leads', bodyOf(name, `Real ${name}`))),
    ],
    ['and a colleague applied the same file', (service) => ['Ada', 'Ben', 'Cleo'].map((name) => service.add('leads', bodyOf(name)))],
  ];
  it.each(others)('after the service was reset %s', (_name, add) =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      const applied = await place.crm(apply(file));
      expect(applied.status, applied.stderr).toBe(0);
      const ids = service.there('leads').map(({ id }) => id);
      await sleep(1500);
      service.reset();
      expect(add(service).map(({ id }) => id)).toEqual(ids);
      const end = await place.crm(destroy(file));
      expect(touchedOfOthers(service)).toEqual([]);
      expect(service.there('leads')).toHaveLength(3);
      for (const id of ids) expect(end.stdout + end.stderr).toMatch(new RegExp(`\\b${id}\\b`));
    }),
  );

  it('a lead with the note of a colleague is left, and named', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      expect((await place.crm(apply(file))).status).toBe(0);
      const [lead] = service.there('leads');
      const body = { note_title: 'Called', note_description: 'Wants two', noteresource_type: 'lead', noteresource_id: lead?.id };
      const note = service.add('notes', body);
      const end = await place.crm(destroy(file));
      expect([note.gone, lead?.gone], end.stderr).toEqual([false, false]);
      expect(service.there('leads')).toHaveLength(1);
      expect(end.stdout + end.stderr).toContain(lead?.id);
    }));

  it('a lead with the proposal of a colleague is left', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      expect((await place.crm(apply(file))).status).toBe(0);
      const [lead] = service.there('leads');
      const body = { doc_title: 'Offer', doc_lead_id: lead?.id, doc_date_start: '2027-01-01', doc_categoryid: '4' };
      const offer = service.add('proposals', body);
      const end = await place.crm(destroy(file));
      expect([offer.gone, lead?.gone], end.stderr).toEqual([false, false]);
    }));

  it('a record of its own that was changed since is said, and kept with --keep-changed', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      expect((await place.crm(apply(file))).status).toBe(0);
      const [, ben] = service.there('leads');
      await sleep(1100);
      if (ben !== undefined) service.edit(ben, { title: 'Won by Ben' });
      const kept = await place.crm(destroy(file, '--keep-changed'));
      expect(
        service.there('leads').map(({ values }) => values.title),
        kept.stderr,
      ).toEqual(['Won by Ben']);
      expect(kept.stdout + kept.stderr).toMatch(new RegExp(`\\b${ben?.id}\\b`));
      const end = await place.crm(destroy(file));
      expect(end.status, end.stderr).toBe(0);
      expect(end.stderr).toMatch(/\b1\b.*changed since/i);
      expect(service.there('leads')).toEqual([]);
    }));

  it('and the user of a conversion, also where lists were late with it', () =>
    inPlace({ lag: 3000 }, async (place) => {
      const { service } = place;
      const lead =
        '{ title: Won, status: 1, category: 1, first-name: Wanda, last-name: Onn, email: won@onn.example, company-name: Onn Ltd }';
      const file = place.write('won.yaml', seedOf(`  - { name: won, type: lead, set: ${lead}, then: [convert] }\n`));
      const applied = await place.crm(apply(file));
      expect(applied.status, applied.stderr).toBe(0);
      await sleep(3000);
      const end = await place.crm(destroy(file));
      expect(end.status, end.stderr).toBe(0);
      const [client] = service.there('clients').filter(({ maker }) => maker === 'us');
      expect(end.stderr).toContain(`so this stays: client ${client?.id}.`);
      expect([service.there('leads'), service.there('contacts')]).toEqual([[], []]);
    }));

  it('and a conversion whose answer was lost', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const lead =
        '{ title: Won, status: 1, category: 1, first-name: Wanda, last-name: Onn, email: won@onn.example, company-name: Onn Ltd }';
      const file = place.write('won.yaml', seedOf(`  - { name: won, type: lead, set: ${lead}, then: [convert] }\n`));
      service.onWrite(holding(2));
      await place.killed(2, apply(file));
      service.onWrite(() => undefined);
      const end = await place.crm(destroy(file));
      expect(end.status, end.stderr).toBe(0);
      expect([service.there('leads'), service.there('contacts')]).toEqual([[], []]);
    }));

  it('and says what may be there where nobody can tell', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      service.onWrite(holding(2));
      await place.killed(2, apply(file));
      service.onWrite(() => undefined);
      const ben = madeByWrite(service, 2);
      service.edit(ben, { title: 'Renamed' });
      const end = await place.crm(destroy(file));
      expect([end.status, ben.gone], end.stderr).toEqual([8, false]);
      for (const word of ['ben', ben.id, 'crm history forget people']) expect(end.stderr).toContain(word);
      expect(service.there('leads')).toHaveLength(1);
      expect(touchedOfOthers(service)).toEqual([]);
    }));

  it('nor the record of somebody else whose id an answer told', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const theirs = service.add('leads', bodyOf('Ben'));
      await sleep(1100);
      const file = place.write('people.yaml', people);
      service.onWrite(({ number }) => (number === 2 ? 'misnamed' : undefined));
      const applied = await place.crm(apply(file));
      expect(applied.status, applied.stderr).toBe(0);
      service.onWrite(() => undefined);
      const end = await place.crm(destroy(file));
      expect([end.status, service.there('leads')], end.stderr).toEqual([0, [theirs]]);
      expect(touchedOfOthers(service)).toEqual([]);
    }));

  it('history forget drops a run whose records are left', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      expect((await place.crm(apply(file))).status).toBe(0);
      const before = service.writes.length;
      const end = await place.crm(['history', 'forget', 'people', '--yes']);
      expect(end.status, end.stderr).toBe(0);
      expect(service.writes.length).toBe(before);
      expect((await place.crm(['history', '--json'])).stdout.trim()).toBe('[]');
    }));

  slow('not an equal record that an import made meanwhile', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const seed = place.write('note.yaml', seedOf('  - { name: n, type: note, set: { title: Shared note, description: Same } }\n'));
      service.onWrite(() => 'lose');
      const run = place.start(apply(seed, '--retries', '0'));
      await service.write(1);
      run.process.kill('SIGKILL');
      await run.ended;
      service.onWrite(() => undefined);
      const file = place.write('notes.csv', 'title,description\nShared note,Same\n');
      const imported = await place.crm(['notes', 'import', file, '--json']);
      expect(imported.status, imported.stderr).toBe(0);
      await place.crm(destroy(seed));
      expect(service.there('notes')).toHaveLength(1);
    }),
  );

  it('and one whose id was never told: it was looked for, and found', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      service.onWrite(({ number }) => (number === 2 ? 'nameless' : undefined));
      const applied = await place.crm(apply(file));
      expect(sent(service, 'leads', 'lead_firstname'), applied.stderr).toEqual(['Ada', 'Ben', 'Cleo']);
      await place.crm(apply(file));
      expect(sent(service, 'leads', 'lead_firstname')).toEqual(['Ada', 'Ben', 'Cleo']);
      await place.crm(destroy(file));
      expect(service.there('leads')).toEqual([]);
    }));
});

describe.concurrent('a 201 that tells no id', () => {
  it.each([[{}], [{ lag: 3000 }]])('is done: not sent again, not changed %j', (traits) =>
    inPlace(traits, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(5));
      service.onWrite(({ number }) => (number === 3 ? 'nameless' : undefined));
      const end = await place.crm(create(file));
      expect(end.status, end.stderr).toBe(0);
      expect(countsOf(end)).toMatchObject({ created: 5, failed: 0, unknown: 0 });
      expect((await place.crm(create(file, '--resume'))).stderr).not.toContain('TypeError');
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(5));
      expect(service.writes.every(({ method }) => method === 'POST')).toBe(true);
    }),
  );
});

describe.concurrent('two runs at once', () => {
  slow('imports of two files with an equal row: the second is refused, and --resume sends its others', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const shared = row(99, 'Shared');
      const one = place.write('one.csv', [header, shared, row(1), row(2), ''].join('\n'));
      const two = place.write('two.csv', [header, shared, row(3), row(4), ''].join('\n'));
      // The first one's is lost on its way; the second waits until the first is over.
      service.onWrite(({ number }) => (number === 1 ? 'lose' : undefined));
      const moment = service.write(1);
      const first = place.start(create(one));
      await moment;
      const second = await place.crm(create(two));
      const { status, stderr } = await first.ended;
      expect([status, second.status], stderr + second.stderr).toEqual([0, 10]);
      const resumed = await place.crm([...create(two), '--resume']);
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(sent(service, 'leads', 'lead_title')).toEqual(['Lead 1', 'Lead 2', 'Lead 3', 'Lead 4', 'Shared']);
    }),
  );

  it('the second waits for the first, and both come to their end', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const [one, two] = [place.write('one.csv', leadsFile(4)), place.write('two.csv', [header, row(11), row(12), ''].join('\n'))];
      service.onWrite(holding(2));
      const moment = service.write(2);
      const first = place.start(create(one));
      await moment;
      const second = place.start(create(two));
      await sleep(2000);
      const whileHeld = service.writes.length;
      service.release();
      const ends = [await first.ended, await second.ended];
      expect(
        ends.map(({ status }) => status),
        ends.map(({ stderr }) => stderr).join(''),
      ).toEqual([0, 0]);
      expect(whileHeld).toBe(2);
      expect(sent(service, 'leads', 'lead_title')).toEqual([...titlesUpTo(4), 'Lead 11', 'Lead 12'].toSorted());
    }));

  slow('after a minute the second is told which run is at work', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const [one, two] = [place.write('one.csv', leadsFile(4)), place.write('two.csv', [header, row(11), ''].join('\n'))];
      service.onWrite(holding(2));
      const moment = service.write(2);
      const first = place.start(create(one, '--timeout', '100'));
      await moment;
      const second = await place.crm(create(two));
      expect(second.status).toBe(10);
      expect(second.stderr).toContain('one.csv');
      service.release();
      expect((await first.ended).status).toBe(0);
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(4));
    }),
  );

  it('the history reads what is being written', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('people.yaml', people);
      service.onWrite(holding(2));
      const moment = service.write(2);
      const run = place.start(apply(file));
      await moment;
      const list = await place.crm(['history', '--json']);
      service.release();
      expect(list.status, list.stderr).toBe(0);
      const [entry] = JSON.parse(list.stdout) as { seed: string; state: string }[];
      expect(entry?.seed).toBe('people');
      expect(entry?.state).toBe('unfinished');
      const { status, stderr } = await run.ended;
      expect(status, stderr).toBe(0);
      expect(sent(service, 'leads', 'lead_firstname')).toEqual(['Ada', 'Ben', 'Cleo']);
    }));
});

describe.concurrent('what is said', () => {
  it('a refusal says how many are done and how many may be', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(300));
      service.onWrite(({ number }) => (number > 100 ? 'hold' : undefined));
      await place.killed(104, ['leads', 'import', file, '--json', '--concurrency', '4']);
      service.onWrite(() => undefined);
      const refused = await place.crm(['leads', 'import', file]);
      expect(refused.status).toBe(10);
      expect(refused.stderr).toContain('100 done, up to 4 more may be there');
      expect(refused.stderr).not.toContain('0 of 300');
    }));

  it('an upsert that is gone on with counts what the killed one changed', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      for (let number = 1; number <= 6; number += 1) {
        const body = { lead_title: `Old ${number}`, lead_status: '1', lead_categoryid: '1', lead_email: `jo${number}@rows.example` };
        service.add('leads', body, 'setup');
      }
      const file = place.write('leads.csv', leadsFile(6));
      const command = create(file, '--mode', 'upsert', '--match', 'email');
      service.onWrite(holding(4));
      await place.killed(4, command);
      service.onWrite(() => undefined);
      const resumed = await place.crm([...command, '--resume']);
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(countsOf(resumed)).toMatchObject({ total: 6, created: 0, updated: 6, unchanged: 0, failed: 0, unknown: 0 });
      expect(service.there('leads').map(({ values }) => values.title)).toEqual(titlesUpTo(6));
    }));

  const gone: [string, (place: Place) => string[]][] = [
    ['import', (place) => ['leads', 'import', place.write('leads.csv', leadsFile(6))]],
    ['seed', (place) => ['seed', 'apply', place.write('people.yaml', people)]],
  ];
  it.each(gone)('a run that ends because the service is gone says how to go on, and not to repeat it by hand: %s', (name, words) =>
    inPlace({}, async (place) => {
      const { service } = place;
      service.onWrite(({ number }) => {
        if (number === 3) service.change({ down: true });
        return number === 3 ? 'cut' : undefined;
      });
      const command = [...words(place), '--concurrency', '1'];
      const end = await place.crm([...command, '--retries', '0', '--timeout', '1']);
      expect(end.status, end.stderr).toBe(7);
      expect(end.stderr).toMatch(/Go on with|to go on/i);
      expect(end.stderr).not.toContain('before you repeat it');
      service.change({});
      const resumed = await place.crm(name === 'seed' ? command : [...command, '--resume']);
      expect(resumed.status, resumed.stderr).toBe(0);
      const titles = name === 'seed' ? ['Deal of Ada', 'Deal of Ben', 'Deal of Cleo'] : titlesUpTo(6);
      expect(sent(service, 'leads', 'lead_title')).toEqual(titles);
    }),
  );

  it('interrupted while an answer was awaited, the same', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(6));
      service.onWrite(holding(3));
      const moment = service.write(3);
      const run = place.start(['leads', 'import', file, '--concurrency', '1', '--timeout', '2']);
      await moment;
      run.process.kill('SIGINT');
      const { status, stderr } = await run.ended;
      expect(status).toBe(130);
      expect(stderr).toContain('--resume');
      expect(stderr).not.toContain('before you repeat it');
      service.onWrite(() => undefined);
      const resumed = await place.crm(create(file, '--resume'));
      expect(resumed.status, resumed.stderr).toBe(0);
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(6));
    }));
});

describe.concurrent('done already?', () => {
  it('after sandbox reset an import is not, and the history does not say so either', () =>
    inPlace({}, async (place) => {
      const env = { CRM_BASE_URL: 'sandbox:', CRM_API_KEY: '' };
      expect((await place.crm(['sandbox', 'init', '--empty'], { env })).status).toBe(0);
      const [file, seed] = [place.write('leads.csv', leadsFile(3)), place.write('people.yaml', people)];
      expect((await place.crm(create(file), { env })).status).toBe(0);
      expect((await place.crm(apply(seed), { env })).status).toBe(0);
      expect((await place.crm(['sandbox', 'reset', '--yes'], { env })).status).toBe(0);
      const list = await place.crm(['history', '--json'], { env });
      expect(list.status, list.stderr).toBe(0);
      expect(list.stdout.trim()).toBe('[]');
      const again = await place.crm(create(file), { env });
      expect(again.status, again.stderr).toBe(0);
      expect(countsOf(again)).toMatchObject({ created: 3 });
      const leads = await place.crm(['leads', 'list', '--all', '--json'], { env });
      expect(JSON.parse(leads.stdout)).toHaveLength(3);
    }));

  it('staging, then production: a run of its own', () =>
    inPlace({}, async (staging) => {
      await inPlace({ skew: 1000 }, async (production) => {
        const file = staging.write('leads.csv', leadsFile(4));
        expect((await staging.crm(create(file))).status).toBe(0);
        const { baseUrl, key } = production.service;
        await sleep(1100);
        const end = await staging.crm(create(file), { env: { CRM_BASE_URL: baseUrl, CRM_API_KEY: key } });
        expect(end.status, end.stderr).toBe(0);
        expect(sent(production.service, 'leads', 'lead_title')).toEqual(titlesUpTo(4));
      });
    }));

  it('a nightly upsert repeats freely, killed in between or not', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(4));
      const nightly = create(file, '--mode', 'upsert', '--match', 'email');
      for (let night = 0; night < 2; night += 1) {
        const end = await place.crm(nightly);
        expect(end.status, end.stderr).toBe(0);
      }
      writeFileSync(file, leadsFile(5, { 2: 'Lead two' }));
      const third = await place.crm(nightly);
      expect(third.status, third.stderr).toBe(0);
      expect(countsOf(third)).toMatchObject({ created: 1, updated: 1, unchanged: 3 });
      expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(5));
    }));

  it('a file most of whose rows are there is refused; --again begins on purpose', () =>
    inPlace({}, async (place) => {
      const { service } = place;
      const file = place.write('leads.csv', leadsFile(9));
      expect((await place.crm(create(file))).status).toBe(0);
      writeFileSync(file, leadsFile(10, { 2: 'Lead two' }));
      const refused = await place.crm(create(file));
      expect([refused.status, service.writes.length], refused.stderr).toEqual([10, 9]);
      const unasked = await place.crm(create(file, '--again'));
      expect([unasked.status, service.writes.length], unasked.stderr).toEqual([9, 9]);
      const again = await place.crm(create(file, '--again', '--yes'));
      expect(again.status, again.stderr).toBe(0);
      expect(sent(service, 'leads', 'lead_title')).toHaveLength(19);
    }));

  it('a file with a few rows of a finished import is refused, and --resume sends the others', () =>
    inPlace({}, async (place) => {
      const file = place.write('leads.csv', leadsFile(4));
      expect((await place.crm(create(file))).status).toBe(0);
      writeFileSync(file, [header, ...Array.from({ length: 9 }, (_, index) => row(index + 4)), ''].join('\n'));
      expect((await place.crm(create(file))).status).toBe(10);
      const end = await place.crm([...create(file), '--resume']);
      expect(end.status, end.stderr).toBe(0);
      expect(sent(place.service, 'leads', 'lead_title')).toHaveLength(12);
    }));
});

describe.concurrent('a row of which nobody can tell', () => {
  /** An import with such a row, line 5: its record was edited so that no telling value but a few agree. */
  async function untold(place: Place): Promise<{ file: string; record: Kept }> {
    const file = await killedImport(place);
    const record = madeByWrite(place.service, 4);
    place.service.edit(record, { title: 'Renamed', 'contact.email': 'other@else.example' });
    const end = await place.crm(create(file, '--resume', '--rejects', join(place.folder, 'rejects.csv')));
    expect(end.status, end.stderr).toBe(8);
    expect(countsOf(end)).toMatchObject({ created: 7, failed: 0, unknown: 1 });
    expect(end.stderr).toContain(record.id);
    for (const word of [/\b5\b/, /--send-again/, /--arrived/]) expect(end.stderr).toMatch(word);
    const rejects = join(place.folder, 'rejects.csv');
    expect(existsSync(rejects) ? readFileSync(rejects, 'utf8') : '').not.toContain('Lead 4');
    return { file, record };
  }

  it('is sent when told so, once', () =>
    inPlace({}, async (place) => {
      const { file } = await untold(place);
      const end = await place.crm(create(file, '--resume', '--send-again', '5'));
      expect(end.status, end.stderr).toBe(0);
      expect(sent(place.service, 'leads', 'lead_title')).toEqual([...titlesUpTo(8), 'Lead 4'].toSorted());
      const after = await place.crm(create(file, '--resume'));
      expect(place.service.writes.length, after.stderr).toBe(9);
    }));

  it('is done when told which record it is, and nothing is sent', () =>
    inPlace({}, async (place) => {
      const { file, record } = await untold(place);
      const end = await place.crm(create(file, '--resume', '--arrived', `5=${record.id}`));
      expect(end.status, end.stderr).toBe(0);
      expect(countsOf(end)).toMatchObject({ created: 8, failed: 0, unknown: 0 });
      expect(place.service.writes).toHaveLength(8);
    }));

  it('a line that is not in doubt is refused', () =>
    inPlace({}, async (place) => {
      const { file } = await untold(place);
      const end = await place.crm(create(file, '--resume', '--send-again', '2'));
      expect([end.status, place.service.writes.length], end.stderr).toEqual([2, 8]);
    }));
});

describe('a full disk', () => {
  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'ends the run with 7, and when there is room again it goes on',
    ({ skip }) =>
      inPlace({}, async (place) => {
        const { service } = place;
        const disk = join(place.folder, 'disk');
        mkdirSync(disk);
        if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', disk]).status !== 0) skip('no file system may be mounted here');
        try {
          const file = place.write('leads.csv', leadsFile(600));
          const env = { CRM_DATA_DIR: join(disk, 'data') };
          const moment = service.write(50);
          const command = ['leads', 'import', file, '--json', '--concurrency', '4'];
          const run = place.start(command, env);
          await moment;
          fill(join(disk, 'ballast'));
          const { status, stderr } = await run.ended;
          expect(status, stderr).toBe(7);
          expect(stderr).toMatch(/full|space|room/i);
          rmSync(join(disk, 'ballast'));
          const resumed = await place.crm([...command, '--resume'], { env });
          expect(resumed.status, resumed.stderr).toBe(0);
          expect(countsOf(resumed)).toMatchObject({ created: 600, failed: 0, unknown: 0 });
          expect(sent(service, 'leads', 'lead_title')).toEqual(titlesUpTo(600).toSorted());
        } finally {
          spawnSync('umount', ['-l', disk]);
        }
      }),
  );
});

/** Writes until there is no room left. */
function fill(ballast: string): void {
  for (const size of [262_144, 4096, 1]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(size));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}
