// One campaign: what a seed says of a service, a file and the moments of kill -9; carried out with the program as a
// process; and what is wrong with the service's records in the end. The same seed is the same campaign.

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Crm, type SandboxServer, startSandbox } from '../support/crm.ts';
import { type Faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { at, type Fault, type OtherService, type SeenWrite, type Traits, type Values } from '../support/other-service.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { type Counts, countsOf, endOf, inPlace, type Place } from './support.ts';

export interface Campaign {
  readonly seed: number;
  readonly traits: Traits;
  readonly job: Job;
  readonly kills: number;
  readonly concurrency: number;
}

/** A file and the words that send it. */
interface Job {
  readonly name: string;
  readonly words: readonly string[];
  readonly file: string;
  readonly text: string;
  /** An import's rows as bodies, by wire names. */
  readonly bodies: readonly Values[];
  readonly family: string;
  /** The wire name by whose value an upsert finds records. */
  readonly match?: string;
}

/** What was wrong in the end; nothing where all is well. `log` is what was run and how it ended. */
export interface Verdict {
  readonly wrong: readonly string[];
  readonly log: readonly string[];
}

const longText = 'A long text that goes on and on, as texts of customers do. ';

// Flag name, wire name, and path in a record.
const columns: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  leads: [
    ['title', 'lead_title', 'title'],
    ['status', 'lead_status', 'status.id'],
    ['category', 'lead_categoryid', 'category.id'],
    ['first-name', 'lead_firstname', 'contact.first_name'],
    ['last-name', 'lead_lastname', 'contact.last_name'],
    ['email', 'lead_email', 'contact.email'],
    ['phone', 'lead_phone', 'contact.phone'],
    ['company-name', 'lead_company_name', 'contact.company_name'],
    ['description', 'lead_description', 'description'],
  ],
  contacts: [
    ['first-name', 'first_name', 'first_name'],
    ['last-name', 'last_name', 'last_name'],
    ['email', 'email', 'email'],
    ['client', 'clientid', 'client.id'],
    ['phone', 'phone', 'phone'],
    ['job-position', 'position', 'job_position'],
  ],
  notes: [
    ['title', 'note_title', 'title'],
    ['description', 'note_description', 'description'],
    ['visibility', 'note_visibility', 'visibility'],
  ],
};

/** Titles that are hard to tell apart or to keep as they are. */
function titleOf(random: Random, number: number): string {
  return random.pick([
    `T ${number}`,
    `T ${number}0`,
    `Cafe\u0301 ﬁ ${number}`,
    `<b>A & B</b> "${number}"`,
    `Ｆｕｌｌ  width ${number}`,
    `${number} ${longText.repeat(4)}`,
  ]);
}

/** A body that leaves out what chance leaves out. */
function bodyOf(random: Random, family: string, number: number): Values {
  const sometimes = (values: Values): Values => (random.chance(0.5) ? values : {});
  const title = titleOf(random, number);
  if (family === 'contacts') {
    const name = { first_name: title.slice(0, 60).trim(), last_name: `Last ${number}` };
    return {
      ...name,
      email: `c${number}@rows.example`,
      clientid: '1',
      ...sometimes({ phone: `+49 (0)30 ${1000 + number}` }),
      ...sometimes({ position: 'Boss' }),
    };
  }
  if (family === 'notes') {
    const description = random.chance(0.3) ? longText.repeat(8).trim() : `Text ${number}`;
    return { note_title: title.trim(), note_description: description, ...sometimes({ note_visibility: 'private' }) };
  }
  return {
    lead_title: title.trim(),
    lead_status: '1',
    lead_categoryid: '1',
    ...sometimes({ lead_firstname: 'Jo', lead_lastname: `Last ${number}` }),
    ...sometimes({ lead_email: `l${number}@rows.example` }),
    ...sometimes({ lead_phone: `+49 (0)30 ${1000 + number}` }),
    ...sometimes({ lead_company_name: `Company & Sons ${number}` }),
    ...sometimes({ lead_description: longText.repeat(3).trim() }),
  };
}

function textOf(family: string, bodies: readonly Values[]): string {
  const quoted = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const used = columns[family] ?? [];
  const lines = bodies.map((body) => used.map(([, wire]) => quoted(body[wire])).join(','));
  return [used.map(([flag]) => flag).join(','), ...lines, ''].join('\n');
}

function importOf(random: Random, count: number): Job {
  const [family, mode] = random.pick([
    ['leads', 'create'],
    ['leads', 'create'],
    ['leads', 'upsert'],
    ['contacts', 'create'],
    ['contacts', 'upsert'],
    ['notes', 'create'],
  ] as const);
  const bodies: Values[] = [];
  for (let number = 1; number <= count; number += 1) {
    const body = bodyOf(random, family, number);
    const email = mode === 'upsert' && family === 'leads' ? { lead_email: `l${number}@rows.example` } : {};
    const isRepeated = mode === 'create' && family !== 'contacts' && bodies.length > 0 && random.chance(0.25);
    bodies.push(isRepeated ? random.pick(bodies) : { ...body, ...email });
  }
  const file = `${family}.csv`;
  const flags = mode === 'upsert' ? ['--mode', 'upsert', '--match', 'email'] : [];
  const match = family === 'leads' ? 'lead_email' : 'email';
  return {
    name: `${family} import, ${mode}`,
    words: [family, 'import', file, ...flags],
    file,
    text: textOf(family, bodies),
    bodies,
    family,
    ...(mode === 'upsert' ? { match } : {}),
  };
}

const seedText = `version: 1
records:
  - { name: twin, type: note, count: 6, set: { title: Twin, description: All the same }, then: [tags: [twin]] }
  - name: lead
    type: lead
    count: 5
    set: { title: 'Deal \${number}', status: 1, category: 1, first-name: Jo, email: 'jo\${number}@seed.example' }
    then: [comment: Called, status: 2, comment: 'Called again', archive]
  - name: offer
    type: proposal
    count: 5
    set: { title: 'Offer \${number}', lead: '\${lead[index].id}', start: 2027-01-01, category: 4 }
    then: [status: new]
  - { name: person, type: contact, count: 3, set: { first-name: Jo, last-name: 'Last \${number}', email: 'p\${number}@seed.example', client: 1 } }
  - name: won
    type: lead
    set: { title: Won, status: 1, category: 1, first-name: Wanda, last-name: Onn, email: won@seed.example, company-name: Onn Ltd }
    then: [convert, comment: Done]
  - { name: thing, type: item, count: 3, set: { description: Thing, rate: 1.10, category: 6, default-tax: 1, unit: 1 } }
`;

const seedJob: Job = {
  name: 'seed apply, seed destroy',
  words: ['seed', 'apply', 'fair.yaml'],
  file: 'fair.yaml',
  text: seedText,
  bodies: [],
  family: '',
};

/** How often the seed's file makes what: the family and the value that it is told by. */
const seedMakes: Readonly<Record<string, number>> = {
  'notes Twin': 6,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((n) => [
      [`leads Deal ${n}`, 1],
      [`proposals Offer ${n}`, 1],
    ]),
  ),
  ...Object.fromEntries([1, 2, 3].map((n) => [`contacts p${n}@seed.example`, 1])),
  'leads Won': 1,
  'items Thing': 3,
};

const seedComments = 11;

/** What a seed says; `kind` narrows what is done. */
export function chooseCampaign(seed: number, kind: 'any' | 'import' | 'seed' = 'any', count = 30): Campaign {
  const random = randomFrom(seed * 7919);
  const isSeed = kind === 'seed' || (kind === 'any' && random.chance(0.3));
  const job = isSeed ? seedJob : importOf(random, count);
  const maybe = <T>(often: number, values: T): T | Record<string, never> => (random.chance(often) ? values : {});
  const faults: { [kind in Fault]?: number } = {};
  for (const fault of ['cut', 'lose', 'fail', 'refuse', 'nameless', 'late', 'limit'] as const) if (random.chance(0.3)) faults[fault] = 0.05;
  const colleagues = {
    ...maybe(0.5, { edit: 0.1, emails: job.match === undefined }),
    ...(job.match === undefined ? { ...maybe(0.5, { near: 0.15 }), ...maybe(0.5, { equal: 0.1 }) } : {}),
  };
  const traits: Traits = {
    ...maybe(0.3, { trims: true }),
    ...maybe(0.3, { escapesHtml: true }),
    ...maybe(0.3, { normalises: random.pick(['NFC', 'NFD', 'NFKC'] as const) }),
    ...maybe(0.3, { cutsTitlesAt: 191 }),
    ...maybe(0.3, { formatsPhones: true }),
    ...maybe(0.3, { defaults: true }),
    ids: random.pick(['ascending', 'descending', 'random', 'counters', 'long'] as const),
    ...maybe(0.4, { roughness: random.pick([1000, 60_000]) }),
    ...maybe(0.4, { skew: random.between(-8, 8) * 3_600_000 }),
    ...maybe(0.4, { zone: random.pick(['+05:30', '-08:00'] as const) }),
    order: random.pick(['asked', 'asked', 'oldest', 'scrambled'] as const),
    ...maybe(0.3, { page: 25 }),
    ...maybe(0.3, { lag: random.between(200, 3000) }),
    ...maybe(0.3, { reorders: true, hidesArchived: true }),
    ...maybe(0.6, { faults, lateBy: 4000 }),
    ...maybe(0.5, { colleagues }),
  };
  return { seed, traits, job, kills: random.between(1, 3), concurrency: random.pick([1, 4, 8]) };
}

/** The same with nobody and nothing in the way. */
export function undisturbed({ traits: { faults: _faults, colleagues: _colleagues, ...traits }, ...campaign }: Campaign): Campaign {
  return { ...campaign, traits, kills: 0 };
}

/** Carries a campaign out on a service that is unlike the embedded one. */
export async function carryOut(campaign: Campaign): Promise<Verdict> {
  const { seed, traits, job } = campaign;
  const random = randomFrom(seed * 31 + 7);
  const log: string[] = [];
  const wrong: string[] = [];
  await inPlace(
    traits,
    async (place) => {
      setUp(place.service, job, random);
      place.write(job.file, job.text);
      const run = runOf(
        campaign,
        place,
        random,
        log,
        (nth) => place.service.write(nth),
        () => place.service.writes.length,
      );
      const end = await run.toItsEnd(job.words);
      await place.service.settled();
      const isQuiet = traits.faults === undefined && traits.colleagues === undefined;
      if (isQuiet && end?.status === 8) wrong.push('Something failed or was asked though nothing was in the way but kills.');
      if (end === undefined) wrong.push('It came to no end.');
      else if (job.match !== undefined) wrong.push(...wrongOfUpsert(place.service, campaign, countsOf(end)));
      else if (job === seedJob) wrong.push(...wrongOfSeed(place.service, end), ...(await destroy(place.service, run, isQuiet)));
      else wrong.push(...wrongOfImport(place.service, campaign, countsOf(end)));
    },
    seed,
    (write) => isSingle(job, write),
  );
  return { wrong, log };
}

/** Whether a job makes a record like this one only once. */
function isSingle(job: Job, { values, path }: SeenWrite): boolean {
  if (job === seedJob) return path === '/api/leads' || path === '/api/proposals';
  const key = keyOf(job.family, values);
  return job.bodies.filter((body) => keyOf(job.family, body) === key).length === 1;
}

/** Records from before: of an upsert, those that it shall find. */
function setUp(service: OtherService, { match, bodies, family }: Job, random: Random): void {
  if (match === undefined) return;
  const title = family === 'contacts' ? 'last_name' : 'lead_title';
  for (const body of bodies) if (random.chance(0.4)) service.add(family, { ...body, [title]: 'Before' }, 'setup');
}

interface Run {
  /** Runs, kills and goes on until it ends with 0 or 8; how it ended then. */
  toItsEnd(words: readonly string[]): Promise<Crm | undefined>;
}

function runOf(
  { kills, concurrency, job }: Campaign,
  place: Place,
  random: Random,
  log: string[],
  write: (nth: number) => Promise<void>,
  writes: () => number,
  env: Record<string, string> = {},
): Run {
  const size = job === seedJob ? 50 : job.bodies.length;
  const command = (words: readonly string[], resume: boolean): string[] => [
    ...words.map((word) => (word === job.file ? join(place.folder, word) : word)),
    ...(words.includes('import') ? ['--json'] : []),
    ...['--concurrency', String(concurrency), '--timeout', '2'],
    ...(resume ? ['--resume'] : []),
  ];
  /** Goes on where there is something to go on with, else begins. */
  const once = async (words: readonly string[], resume: boolean, moment?: Promise<unknown>): Promise<Crm> => {
    const before = writes();
    const args = command(words, resume);
    const run = place.start(args, env);
    if (moment !== undefined) {
      await Promise.race([moment, run.ended]);
      run.process.kill('SIGKILL');
    }
    const end = await endOf(run, args);
    log.push(
      `crm ${args.join(' ')} -> ${end.status ?? 'killed'}, ${writes() - before} writes\n    ${end.stderr.trim().split('\n').slice(-6).join('\n    ')}`,
    );
    return end.status === 2 && resume && writes() === before ? once(words, false, moment) : end;
  };
  return {
    toItsEnd: async (words) => {
      const resumes = words.includes('import');
      for (let kill = 0; kill < kills; kill += 1) {
        const moment = write(random.between(1, Math.ceil(size / (kills + 1)))).then(() => sleep(random.between(0, 20)));
        const { status } = await once(words, resumes && kill > 0, moment);
        if (status !== null) break;
      }
      for (let attempt = 0; attempt < 8; attempt += 1) {
        const end = await once(words, resumes);
        if (end.status === 0 || end.status === 8) return end;
        if (end.status !== 7 && end.status !== 6) return undefined;
      }
      return undefined;
    },
  };
}

/** A body by the values that its family's file has columns for. */
const keyOf = (family: string, values: Values): string =>
  JSON.stringify(
    (columns[family] ?? []).map(([, wire]) => String(values[wire] ?? '')).map((value, index) => (index === 0 ? value : value.slice(0, 40))),
  );

function tally(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const createsOf = ({ writes }: OtherService, family: string): SeenWrite[] =>
  writes.filter(({ method, path, status }) => method === 'POST' && path === `/api/${family}` && status === 201);

/** Writes of which the program can't have known how they ended. */
const doubtful = ({ writes }: OtherService): number => writes.filter(({ fault }) => fault !== undefined && fault !== 'limit').length;

function wrongOfImport(service: OtherService, { job, kills, concurrency, traits }: Campaign, counts: Counts): string[] {
  const wrong: string[] = [];
  const wanted = tally(job.bodies.map((body) => keyOf(job.family, body)));
  const made = tally(createsOf(service, job.family).map(({ values }) => keyOf(job.family, values)));
  let missing = 0;
  for (const [key, count] of made)
    if (count > (wanted.get(key) ?? 0)) wrong.push(`doubled: ${count} instead of ${wanted.get(key) ?? 0} of ${key}`);
  const lost: string[] = [];
  for (const [key, count] of wanted) {
    missing += Math.max(0, count - (made.get(key) ?? 0));
    if (count > (made.get(key) ?? 0)) lost.push(key);
  }
  const { created, failed, unknown, total } = counts;
  if (missing > failed + unknown)
    wrong.push(`lost without a word: ${missing} missing, ${failed} failed and ${unknown} unknown: ${lost.join(' ')}`);
  if (failed > missing) wrong.push(`${failed} said to have failed, but only ${missing} are missing`);
  if (created + failed + unknown !== total || total !== job.bodies.length) wrong.push(`counts don't add up: ${JSON.stringify(counts)}`);
  const most = doubtful(service) + kills * concurrency;
  if (unknown > most) wrong.push(`${unknown} unknown where at most ${most} can be`);
  if (unknown > 0 && canTell(traits)) wrong.push(`${unknown} unknown though nobody else was there`);
  const others = service.writes.filter(({ method }) => method !== 'POST');
  if (others.length > 0) wrong.push(`records were changed: ${others.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
  return wrong;
}

function wrongOfUpsert(service: OtherService, { job, kills, concurrency, traits }: Campaign, counts: Counts): string[] {
  const wrong: string[] = [];
  const wire = job.match ?? '';
  const path = columns[job.family]?.find((column) => column[1] === wire)?.[2] ?? '';
  let missing = 0;
  for (const body of job.bodies) {
    const records = service.there(job.family).filter(({ values }) => at(values, path) === body[wire]);
    if (records.length > 1) wrong.push(`doubled: ${records.length} of ${body[wire]}`);
    const sent = service.writes.some(
      ({ values, status }) =>
        status > 0 && status < 300 && keyOf(job.family, { ...body, ...values }) === keyOf(job.family, body) && values[wire] === body[wire],
    );
    if (!sent) missing += 1;
  }
  const { failed, unknown, unchanged, total } = counts;
  if (missing > failed + unknown + unchanged) wrong.push(`lost without a word: ${missing} missing, ${JSON.stringify(counts)}`);
  if (total !== job.bodies.length) wrong.push(`counts don't add up: ${JSON.stringify(counts)}`);
  const most = doubtful(service) + kills * concurrency;
  if (unknown > most) wrong.push(`${unknown} unknown where at most ${most} can be`);
  if (unknown > 0 && canTell(traits)) wrong.push(`${unknown} unknown though nobody else was there`);
  const emails = new Set(job.bodies.map((body) => body[wire]));
  const others = service.records.filter(
    ({ maker, touched, values }) => maker !== 'us' && touched.some(({ who }) => who === 'us') && !emails.has(at(values, path)),
  );
  if (others.length > 0) wrong.push(`records of others were changed: ${others.map(({ id }) => id).join(', ')}`);
  return wrong;
}

function wrongOfSeed(service: OtherService, { status }: Crm): string[] {
  const told = { notes: 'note_title', leads: 'lead_title', proposals: 'doc_title', contacts: 'email', items: 'item_description' };
  const keys = Object.entries(told).flatMap(([family, wire]) =>
    createsOf(service, family).map(({ values }) => `${family} ${values[wire]}`),
  );
  const made = tally(keys);
  const wrong = [...made].filter(([key, count]) => count > (seedMakes[key] ?? 0)).map(([key, count]) => `doubled: ${count} of ${key}`);
  const comments = service.writes.filter(({ path, status, method }) => method === 'POST' && path.endsWith('/comments') && status === 201);
  for (const [key, count] of tally(comments.map(({ path, body }) => `${path} ${body}`)))
    if (count > 1) wrong.push(`commented ${count} times: ${key}`);
  if (status === 0) {
    for (const [key, count] of Object.entries(seedMakes))
      if ((made.get(key) ?? 0) < count) wrong.push(`lost without a word: ${made.get(key) ?? 0} of ${count} of ${key}`);
    if (comments.length < seedComments) wrong.push(`lost without a word: ${comments.length} of ${seedComments} comments`);
  }
  return [...wrong, ...touched(service)];
}

const touched = ({ records }: OtherService): string[] =>
  records
    .filter(({ maker, touched }) => maker === 'colleague' && touched.some(({ who }) => who === 'us'))
    .map(({ family, id, touched }) => `somebody else's record was touched: ${family} ${id} ${JSON.stringify(touched)}`);

/** Destroys what the seed made, killed on the way: nothing of others goes, and of ours stays what could not be known. */
async function destroy(service: OtherService, run: Run, isQuiet: boolean): Promise<string[]> {
  const applied = service.writes.length;
  const end = await run.toItsEnd(['seed', 'destroy', 'fair.yaml', '--yes']);
  await service.settled();
  const wrong = touched(service);
  if (end === undefined) return [...wrong, 'destroy came to no end'];
  if (isQuiet && end.status !== 0) wrong.push('Destroy left something though nothing was in the way but kills.');
  const clean = (write: number | undefined): boolean => write !== undefined && service.writes[write - 1]?.fault === undefined;
  const hung = new Set(
    service.records
      .filter(({ maker, gone }) => maker === 'colleague' && !gone)
      .flatMap(({ values }) => [at(values, 'lead.id'), at(values, 'resource.id')]),
  );
  const left = service.records.filter(
    ({ maker, gone, id, touched, write }) =>
      maker === 'us' && !gone && clean(write) && !hung.has(id) && touched.every(({ who }) => who === 'us'),
  );
  const deleted = service.writes.slice(applied).length;
  if (end.status === 0 && left.length > 0 && !/\bleft\b/.test(end.stdout + end.stderr)) {
    wrong.push(`left without a word after ${deleted} writes: ${left.map(({ family, id }) => `${family} ${id}`).join(', ')}`);
  }
  return wrong;
}

/** Faults of a connection to the embedded CRM; the CRM itself is as reliable as it is. */
const connections: readonly Faults[] = [
  {},
  {},
  { cutEvery: 13 },
  { cutEvery: 23, loseEvery: 17, badGatewayEvery: 19 },
  { emptyEvery: 11, bursts: { every: 20, length: 3, retryAfter: '0.1' } },
];

/** Carries a campaign out on the embedded CRM: nothing is asked, nothing fails, everything is there once. */
export async function carryOutOrdinary(campaign: Campaign): Promise<Verdict> {
  const { seed, job } = campaign;
  const random = randomFrom(seed * 31 + 7);
  const log: string[] = [];
  const wrong: string[] = [];
  await inPlace({}, async (place) => {
    const server = await startSandbox(['--db', join(place.folder, 'service.sqlite'), '--empty']);
    const proxy = await startFaultyProxy(server.baseUrl, random.pick(connections));
    try {
      place.write(job.file, job.text);
      const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key };
      const before = await recordsOf(server);
      const run = runOf(campaign, place, random, log, proxy.write, () => proxy.seen.writes, env);
      const end = await run.toItsEnd(job.words);
      if (end?.status !== 0) wrong.push(`It ended with ${end?.status}.`);
      else if (job === seedJob) {
        const found = tally(
          (await recordsOf(server)).map(({ family, values }) => `${family} ${values.email ?? values.title ?? values.description}`),
        );
        for (const [key, count] of Object.entries(seedMakes))
          if (found.get(key) !== count) wrong.push(`${found.get(key) ?? 0} instead of ${count} of ${key}`);
        const gone = await run.toItsEnd(['seed', 'destroy', 'fair.yaml', '--yes']);
        const left = await recordsOf(server);
        if (gone?.status !== 0 || left.length !== before.length)
          wrong.push(`destroy ended with ${gone?.status} and left ${left.length - before.length}`);
      } else {
        const counts = countsOf(end);
        if (counts.failed + counts.unknown > 0 || counts.total !== job.bodies.length) wrong.push(`not all done: ${JSON.stringify(counts)}`);
        const paths = columns[job.family] ?? [];
        const asKept = ({ values }: { values: Values }): string =>
          JSON.stringify(paths.map(([, , path]) => String(at(values, path) ?? '')));
        const wanted = job.bodies.map((body) =>
          JSON.stringify(paths.map(([, wire]) => String(body[wire] ?? (wire === 'note_visibility' ? 'public' : '')))),
        );
        const found = tally((await recordsOf(server)).filter(({ family }) => family === job.family).map(asKept));
        for (const [key, count] of tally(wanted)) {
          if (found.get(key) !== count) wrong.push(`${found.get(key) ?? 0} instead of ${count} of ${key}`);
        }
        const all = [...found.values()].reduce((sum, count) => sum + count, 0);
        if (all !== wanted.length) wrong.push(`${all} records instead of ${wanted.length}`);
      }
    } finally {
      await proxy.close();
      server.process.kill('SIGKILL');
      if (server.process.exitCode === null && server.process.signalCode === null) await once(server.process, 'exit');
    }
  });
  return { wrong, log };
}

async function recordsOf({ baseUrl, key }: SandboxServer): Promise<{ family: string; values: Values }[]> {
  const records: { family: string; values: Values }[] = [];
  for (const family of ['contacts', 'proposals', 'leads', 'items', 'notes']) {
    for (let page = 1, last = 1; page <= last; page += 1) {
      const response = await fetch(`${baseUrl}/api/${family}?limit=100&page=${page}`, { headers: { authorization: `Bearer ${key}` } });
      const { data, meta } = (await response.json()) as { data: Values[]; meta: { last_page: number } };
      records.push(...data.map((values) => ({ family, values })));
      last = meta.last_page;
    }
  }
  return records;
}

/** True when nobody else makes records, and the service keeps texts: a rewritten text of a lost row may be somebody else's. */
const canTell = ({ colleagues, trims, normalises, cutsTitlesAt, formatsPhones }: Traits): boolean =>
  colleagues === undefined && !trims && normalises === undefined && cutsTitlesAt === undefined && !formatsPhones;
