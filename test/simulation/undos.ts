// Stories of writes and their undo: runs of all verbs, imports, change files and edits, cut off and typed again, colleagues at work between them, then the undo
// of everything, newest first, cut off as well. What nobody else touched is as it was at the start; what somebody touched is as they left
// it, value by value, and each value that was kept for them was named.

import type { Random } from '../support/random.ts';
import { applied, type edited, rowsFor } from './change-files.ts';
import { anEdit } from './edits.ts';
import type { Kept, Sent } from './service.ts';
import { checkGiven, corrected, csvOf, imported, isTaken, type Story } from './story.ts';

/** A value that a deed writes. */
interface Written {
  /** Where a record has it. */
  readonly path: string;
  /** The name by which a body, or the end of a path, has it. */
  readonly wire: string;
  /** How an undo names it. */
  readonly name: string;
}

const written = (path: string, wire: string, name: string): Written => ({ path, wire, name });

/** What may be done with several records of a family. `words`: behind the ids. */
interface Deed {
  readonly family: string;
  readonly words: (random: Random) => readonly string[];
  readonly writes: readonly Written[];
}

const source = written('source', 'lead_source', 'source');
const phone = written('contact.phone', 'lead_phone', 'phone');
const contacted = written('last_contacted', 'lead_last_contacted', 'last-contacted');
const text = (random: Random): string =>
  random.pick(['Fair', 'OLD', '  Desk  two ', 'Lamp', 'A rather long word that somebody typed in a hurry', '']);

const deeds: readonly Deed[] = [
  { family: 'leads', words: (random) => ['update', '--source', text(random)], writes: [source] },
  { family: 'leads', words: (random) => ['update', '--source', text(random), '--phone', '0123'], writes: [source, phone] },
  {
    family: 'leads',
    words: () => ['update', '--value', '7', '--title', 'Same'],
    writes: [written('value', 'lead_value', 'value'), written('title', 'lead_title', 'title')],
  },
  { family: 'leads', words: () => ['contacted', '--on', '2026-02-03', '--text', 'Called'], writes: [contacted] },
  { family: 'leads', words: (random) => ['status', '--to', random.pick(['2', '3'])], writes: [written('status.id', '/status', 'status')] },
  { family: 'leads', words: (random) => ['tags', '--add', random.pick(['hot', 'old', 'Hot', 'R&D'])], writes: [] },
  { family: 'leads', words: (random) => ['tags', '--remove', random.pick(['hot', 'old'])], writes: [] },
  { family: 'leads', words: (random) => ['assign', random.pick(['--add', '--remove']), random.pick(['1', '2'])], writes: [] },
  { family: 'leads', words: () => ['archive'], writes: [] },
  { family: 'leads', words: () => ['activate'], writes: [] },
  { family: 'leads', words: () => ['delete'], writes: [] },
  { family: 'leads', words: () => ['comments', 'add', '--text', 'Hello'], writes: [] },
  { family: 'notes', words: () => ['update', '--title', 'Noted'], writes: [written('title', 'note_title', 'title')] },
  { family: 'notes', words: () => ['tags', '--add', 'hot'], writes: [] },
  { family: 'contacts', words: () => ['update', '--phone', '0123'], writes: [written('phone', 'phone', 'phone')] },
  { family: 'items', words: () => ['update', '--notes', 'dear'], writes: [written('notes', 'item_notes', 'notes')] },
  { family: 'proposals', words: () => ['status', '--to', 'accepted'], writes: [written('status', '/status', 'status')] },
  { family: 'proposals', words: () => ['update', '--title', 'Offered'], writes: [written('title', 'doc_title', 'title')] },
];

/** What was written on purpose, and when. */
interface Done {
  readonly writes: readonly Written[];
  readonly from: number;
  readonly to: number;
}

interface Row {
  readonly outcome: string;
  readonly family: string;
  readonly what: string;
  readonly ids: readonly number[];
}

/** What the undo of a run told in the end. */
interface Pass {
  /** When the run began, and the last pass over it, in milliseconds of the world. */
  readonly began: number;
  readonly from: number;
  readonly rows: readonly Row[];
}

export interface Start {
  readonly values: ReadonlyMap<string, string>;
  readonly sets: ReadonlyMap<string, readonly string[]>;
}

/** Does something with records that are there; gives what it was to write. */
type Doing = (story: Story, family: string, old: readonly Kept[]) => Promise<readonly Written[]>;

export const writesAndUndos = (story: Story): Promise<void> =>
  doneAndUndone(story, ['leads', 'leads', 'leads', 'notes', 'contacts', 'items', 'proposals'], aWrite);

const aWrite: Doing = (story, family, old) =>
  family !== 'items' && story.random.chance(0.3) ? anImport(story, family, old) : aDeed(story, family, old);

/** The same with change files that are applied, and records that are open in an editor. */
export const changesAndUndos = (story: Story): Promise<void> =>
  doneAndUndone(story, ['leads', 'leads', 'notes', 'contacts'], (...of) =>
    story.random.pick([anApply, anApply, someEdits, someEdits, aWrite])(...of),
  );

async function doneAndUndone(story: Story, families: readonly string[], doing: Doing): Promise<void> {
  const { random, service, world } = story;
  const family = random.pick(families);
  const old = Array.from({ length: random.between(2, 5) }, (_, index) => oldOne(story, family, index));
  const start = new Map(old.map((kept): [Kept, Start] => [kept, startOf(kept)]));
  await story.pause(5000);
  const pauses = random.pick([[0], [0, 1000, 90_000]]);
  const done: Done[] = [];
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    work(story, old);
    const from = world.now;
    const writes = await doing(story, family, old);
    done.push({ writes, from, to: world.now });
    await story.pause(random.pick(pauses));
  }
  const over = world.now;
  const told = await undoAll(story, old, pauses);
  if (told === undefined) return;
  await world.run();
  for (const [kept, was] of start) checkOld(story, kept, { was, passes: told, done, over });
  for (const { about, departed, committed, path, seen } of service.sent)
    if (
      about?.maker === 'colleague' &&
      departed > over &&
      committed !== undefined &&
      !isTwin(story, about) &&
      couldBeKnown(about, departed, seen)
    )
      story.wrong("an undo wrote to a colleague's", path);
  const rows = told.flatMap((pass) => pass.rows);
  for (const kept of service.records) if (kept.maker === 'us') checkMade(story, kept, rows, over);
}

/** Whether a write could know that another record has the id by now: one that gets it between a read and its write nobody sees. */
const couldBeKnown = ({ made }: Kept, departed: number, seen: number | undefined): boolean =>
  made <= departed && (seen !== undefined || made < departed - 10_000);

/** Whether a record has the id of an earlier one, and tells the same time of creation, to the second: nobody can tell them apart. */
const isTwin = ({ service }: Story, { id, family, created, made }: Kept): boolean =>
  service.records.some((one) => one.id === id && one.family === family && one.made < made && secondOf(one.created) === secondOf(created));
const secondOf = (stamp: string): number => Math.floor(Date.parse(stamp) / 1000);

function oldOne({ service, random }: Story, family: string, index: number): Kept {
  const kept = service.add(family, bodies[family]?.(`old${index}`) ?? {}, 'setup');
  if (kept.sets.has('tags')) kept.sets.set('tags', random.pick([[], ['old'], ['old', 'older']]));
  if (kept.sets.has('assigned')) kept.sets.set('assigned', random.pick([[], ['1'], ['1', '2']]));
  if (family === 'leads' && random.chance(0.2)) kept.values.set('active_state', 'archived');
  return kept;
}

const bodies: Readonly<Record<string, (mark: string) => Record<string, string>>> = {
  leads: (mark) => ({
    lead_title: mark,
    lead_status: '1',
    lead_categoryid: '1',
    lead_email: `${mark}@example.com`,
    lead_source: 'Old',
    lead_phone: '0100',
    lead_value: '100.00',
    lead_description: 'as it was',
  }),
  notes: (mark) => ({ note_title: mark, note_description: 'Old' }),
  contacts: (mark) => ({ first_name: 'Old', last_name: mark, email: `${mark}@example.com`, clientid: '1', phone: '0100' }),
  items: (mark) => ({
    item_description: mark,
    item_rate: '3.00',
    item_categoryid: '1',
    item_default_tax: '1',
    item_unit: '1',
    item_notes: 'Old',
  }),
  proposals: (mark) => ({
    doc_title: mark,
    customer_type: 'client',
    doc_client_id: '1',
    doc_date_start: '2026-01-01',
    doc_categoryid: '4',
  }),
};

export const startOf = ({ values, sets }: Kept): Start => ({
  values: new Map(values),
  sets: new Map([...sets].map(([name, elements]) => [name, [...elements]])),
});

/** Colleagues work on some of these, now and later. `again`: they make records after those they delete, which may get the same ids. */
export function work({ random, service, world, traits }: Story, kept: readonly Kept[], again = false): void {
  if (traits.colleagues === 0) return;
  for (const one of kept) {
    if (!random.chance(0.4)) continue;
    const within = random.pick([500, 5000, 60_000]);
    world.after(random.between(0, within), () => {
      if (random.chance(again ? 0.2 : 0.05)) {
        service.remove(one);
        if (again) service.add(one.family, bodies[one.family]?.(`again${Math.floor(world.now)}`) ?? {}, 'colleague');
      } else if (one.family === 'leads' && random.chance(0.1)) service.comment(one, 'mine', 'colleague');
      else service.meddle(one, workOf(random, one, Math.floor(world.now)));
    });
  }
}

function workOf(random: Random, { family, sets, values }: Kept, now: number): Record<string, string> {
  const by = `theirs at ${now}`;
  const written = ['source', 'title', 'notes', 'phone', 'contact.phone', 'description'].filter((path) => (values.get(path) ?? '') !== '');
  if (written.length > 0 && random.chance(0.25)) {
    const path = random.pick(written);
    return { [path]: corrected(values.get(path) ?? '') };
  }
  if (family === 'contacts') return random.pick([{ phone: by }, { job_position: by }]);
  if (family === 'items') return random.pick([{ notes: by }, { estimation_notes: by }]);
  if (family === 'notes') return random.pick([{ title: by }, { description: by }, { tags: by }]);
  if (family === 'proposals') return random.pick<Record<string, string>>([{ title: by }, { status: 'revised' }, { tags: by }]);
  const people: Record<string, string> = sets.get('assigned')?.includes('3') === true ? { tags: by } : { assigned: '3' };
  return random.pick<Record<string, string>>([
    { source: by },
    { source: by, 'contact.phone': by },
    { title: by },
    { description: by },
    { value: `${now}.00` },
    { last_contacted: '2026-02-28' },
    { 'status.id': '9' },
    { tags: by },
    people,
  ]);
}

/** A run over a selection, typed again where it was cut off. */
async function aDeed(story: Story, family: string, old: readonly Kept[]): Promise<readonly Written[]> {
  const { random, service } = story;
  const { words, writes } = random.pick(deeds.filter((one) => one.family === family));
  const [verb = '', ...flags] = words(random);
  const behind = verb === 'comments' ? flags.shift() : undefined;
  const chosen = old.filter(() => random.chance(0.8));
  const ids = (chosen.length > 1 ? chosen : old).map(({ id }) => id).join(',');
  const selected = family === 'leads' && random.chance(0.2) ? ['--where', 'source=Old'] : [ids];
  const argv = [family, verb, ...(behind === undefined ? [] : [behind]), ...selected, ...flags, '--yes', '--json'];
  service.isCalm = false;
  for (let attempt = random.between(1, 4); attempt > 0; attempt -= 1) {
    const ended = await story.crm(argv, story.cut());
    if (ended?.status === 0) break;
    if (ended !== undefined && ![3, 5, 6, 7, 8, 130].includes(ended.status)) story.wrong(`ends with ${ended.status}`, ended.stderr);
    await story.pause(random.pick([0, 3000]));
  }
  return writes;
}

/** An import of what is new, or of changes; resumed where it was cut off, or left so. */
async function anImport(story: Story, family: string, old: readonly Kept[]): Promise<readonly Written[]> {
  const { random, service } = story;
  service.isCalm = false;
  const isNew = family === 'proposals' || random.chance(0.5);
  const { column, write } = changes[family] ?? changes.proposals;
  const more: Record<string, string> =
    ['leads', 'notes'].includes(family) && random.chance(0.4) ? { tags: random.pick(['hot', 'hot; old', '']) } : {};
  if (family === 'leads' && random.chance(0.4)) more.assigned = random.pick(['2', '1; 2']);
  const rows = isNew
    ? Array.from({ length: random.between(1, 4) }, (_, index) => ({
        ...newRows[family]?.(`n${index}x${random.between(100, 999)}`),
        ...more,
      }))
    : old.map(({ id }) => ({ id: String(id), [column]: `new ${id}`, ...more }));
  // An import writes what an export shows beside the fields, too: further requests of a row.
  const file = `rows${Math.floor(story.world.now)}.csv`;
  story.write(file, csvOf(rows));
  const argv = [family, 'import', file, ...(isNew ? [] : ['--mode', 'update']), '--yes', '--json', '--results', `results-${file}`];
  const [records, sent] = [service.records.length, service.sent.length];
  const ended = random.chance(0.3) ? await story.crm(argv, story.cut()) : await imported(story, argv);
  if (!isNew) return [write];
  for (const { about, committed, path } of service.sent.slice(sent))
    if (about !== undefined && about.maker !== 'us' && committed !== undefined)
      story.wrong("an import of new rows wrote to another's", path);
  const made = service.records.slice(records).filter(({ maker }) => maker === 'us');
  const elements = (text = ''): string[] => text.split('; ').filter(Boolean);
  if (ended?.status === 0) checkGiven(story, made, { tags: elements(more.tags), assigned: elements(more.assigned) });
  return [];
}

/** A change file that is written, edited, and applied by one or by two at once. */
async function anApply(story: Story, name: string, old: readonly Kept[]): Promise<readonly Written[]> {
  const { random } = story;
  const family = name as keyof typeof edited;
  const there = old.filter(({ gone }) => gone === undefined);
  const rows = there.length === 0 ? undefined : await rowsFor(story, family, 'applied', there);
  const kept = rows?.filter(() => random.chance(0.8)) ?? [];
  if (kept.length === 0) return [];
  story.write('edited.csv', csvOf(kept));
  await story.pause(random.pick([0, 5000]));
  await applied(story);
  return [changedIn(family)];
}

/** Records that are opened in an editor, one after the other, until each is saved, or nobody goes on. */
async function someEdits(story: Story, family: string, old: readonly Kept[]): Promise<readonly Written[]> {
  const { random, service } = story;
  service.isCalm = false;
  for (const one of old.filter((_, index) => index === 0 || random.chance(0.3))) {
    for (let attempt = random.between(1, 3); attempt > 0 && one.gone === undefined; attempt -= 1) {
      const end = await anEdit(story, one, true, []);
      if (end?.status === 0) break;
      await story.pause(random.pick([0, 3000]));
    }
  }
  return [changedIn(family)];
}

const changedIn = (family: string): Written => (changes[family] ?? changes.proposals).write;

const changes: Readonly<Record<string, { readonly column: string; readonly write: Written }>> & {
  readonly proposals: { readonly column: string; readonly write: Written };
} = {
  leads: { column: 'source', write: source },
  notes: { column: 'description', write: written('description', 'note_description', 'description') },
  contacts: { column: 'phone', write: written('phone', 'phone', 'phone') },
  proposals: { column: 'title', write: written('title', 'doc_title', 'title') },
};

const newRows: Readonly<Record<string, (mark: string) => Record<string, string>>> = {
  leads: (mark) => ({ title: `${mark} new`, status: '1', category: '1', source: 'Imported', email: `${mark}@example.com` }),
  notes: (mark) => ({ title: `${mark} new`, description: `Imported ${mark}` }),
  contacts: (mark) => ({ 'first-name': 'New', 'last-name': mark, email: `${mark}@example.com`, client: '1', phone: mark }),
  proposals: (mark) => ({ title: `${mark} new`, client: '1', start: '2026-01-01', category: '4' }),
};

interface Listed {
  readonly run: string;
  readonly at: string;
  readonly kind: string;
}

/** Takes back everything, the newest first. Gives what the undos told; undefined where one came to no end. */
export async function undoAll(story: Story, old: readonly Kept[], pauses: readonly number[]): Promise<readonly Pass[] | undefined> {
  const { random, service, world } = story;
  const history = await story.crm(['history', '--json']);
  const runs = (JSON.parse(history?.stdout ?? '[]') as Listed[]).toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const passes: Pass[] = [];
  for (const { run, at } of runs) {
    work(story, old, true);
    await story.pause(random.pick(pauses));
    service.isCalm = false;
    const ended = await undone(story, run);
    if (ended === undefined) return undefined;
    passes.push({ began: Date.parse(at) - world.wall().getTime() + world.now, ...ended });
  }
  return passes;
}

/** How often an undo is typed at the most, in calm at last. */
const mostTries = 9;

async function undone(story: Story, run: string): Promise<Omit<Pass, 'began'> | undefined> {
  const { random, service, world } = story;
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    if (attempt > 4) service.isCalm = true;
    story.mayGoAway();
    const from = world.now;
    const ended = await story.crm(['undo', run, '--yes', '--json'], attempt > 4 ? undefined : story.cut());
    if (ended?.status === 0 || ended?.status === 8) {
      const rows = JSON.parse(ended.stdout) as Row[];
      const isLeft = rows.some(({ outcome }) => /^(failed|unknown)$/.test(outcome));
      if (!isLeft || attempt > 6) return { from, rows };
    }
    if (ended !== undefined && ![6, 7, 8, 130].includes(ended.status)) {
      story.wrong(`undo ends with ${ended.status}`, ended.stderr);
      return undefined;
    }
    await story.pause(random.pick([0, 100, 3000, 30_000]));
  }
  story.wrong('an undo comes to no end', run);
  return undefined;
}

interface Ledger {
  readonly was: Start;
  readonly passes: readonly Pass[];
  readonly done: readonly Done[];
  /** When the undos began. */
  readonly over: number;
}

/** What was there before is as it was, but for what colleagues did. */
export function checkOld(story: Story, kept: Kept, ledger: Ledger): void {
  const { was, passes, over } = ledger;
  const name = `${kept.family} ${kept.id}`;
  if (kept.gone !== undefined) {
    const deleted = story.service.sent.find((one) => one.about === kept && one.method === 'DELETE');
    if (kept.gone.who === 'us' && deleted !== undefined && deleted.departed > over)
      story.wrong('an undo deleted what was there before', name);
    return;
  }
  const sent = story.service.sent.filter(({ about, committed }) => about === kept && committed !== undefined);
  // What is repeated and arrives after that undid it can't be known.
  if (sent.some(isOvertaken)) return;
  // A write of a killed run that arrives after its undo began may stay: the undo is typed again.
  const undoOf = (departed: number): Pass | undefined => passes.find(({ began }) => began <= departed);
  if (sent.some(({ departed, committed = 0 }) => departed <= over && committed > (undoOf(departed)?.from ?? committed))) return;
  const isNamed = (what: string, among = passes): boolean => among.some(({ rows }) => rows.some((row) => isAbout(row, kept, what)));
  for (const path of new Set([...was.values.keys(), ...kept.values.keys()])) {
    const [before = '', now = ''] = [was.values.get(path), kept.values.get(path)];
    const theirs = kept.meddlings.filter(({ values }) => values.has(path));
    const last = theirs.at(-1);
    if (theirs.some(({ at }) => isBetween(sent, at))) continue;
    const wanted = last === undefined ? before : (last.values.get(path) ?? '');
    // What a colleague wrote just as the run had written it can't be told from that.
    if (last !== undefined && sent.some(({ values }) => Object.values(values).includes(wanted))) continue;
    if (!alike(now, wanted) && !isNamed(path.split('.')[0] ?? ''))
      story.wrong(last === undefined ? 'did not go back' : 'not as a colleague left it', `${name}: ${path} is '${now}', not '${wanted}'`);
    const isFirst = theirs.filter(({ values }) => values.get(path) === wanted).length === 1;
    if (last !== undefined && isFirst)
      for (const one of ledger.done) checkNamed(story, kept, { ...ledger, sent, path, last: last.at, done: [one] });
  }
  for (const [path, elements] of was.sets) {
    const put = (isSure: boolean): string[] =>
      kept.meddlings.flatMap(({ at, values }) => (isBetween(sent, at) === isSure ? [] : (values.get(path) ?? [])));
    const wanted = new Set([...elements, ...put(true)]);
    const held = new Set(kept.sets.get(path));
    const off = wanted.symmetricDifference(held).difference(new Set(put(false)));
    if (off.size > 0 && !isNamed(''))
      story.wrong('did not go back', `${name}: ${path} are ${[...held].join(', ')}, not ${[...wanted].join(', ')}`);
  }
}

const isAbout = ({ outcome, ids, what, family }: Row, kept: Kept, text: string): boolean =>
  /^(kept|failed|unknown)$/.test(outcome) && family === kept.family && ids.includes(Number(kept.id)) && what.includes(text);

/** What a colleague wrote after a run, and before its undo looked, is named. */
function checkNamed(
  story: Story,
  kept: Kept,
  { done: [one], sent, path, last, passes }: Ledger & { readonly sent: readonly Sent[]; readonly path: string; readonly last: number },
): void {
  const write = one?.writes.find((some) => some.path === path);
  if (one === undefined || write === undefined) return;
  const { from, to } = one;
  const over = passes.filter(({ began }) => began >= from && began <= to);
  const ours = sent.filter(
    (some) =>
      some.departed >= from &&
      some.departed <= one.to &&
      (some.path.endsWith(write.wire) || write.wire in some.values) &&
      isTaken(some, write.path),
  );
  // A lost write that a colleague wrote over during the run is a conflict, which the run itself names.
  if (last <= one.to && ours.some(({ isTold }) => isTold !== true)) return;
  const isOurs = ours.some(({ committed = 0 }) => committed < last && !kept.meddlings.some(({ at }) => at > committed && at < last));
  const isLast = ours.every(({ committed = 0 }) => committed < last);
  const isSeen = isLast && over.every((pass) => last < pass.from);
  if (isOurs && isSeen && !over.some(({ rows }) => rows.some((row) => isAbout(row, kept, write.name))))
    story.wrong('kept, and not named', `${kept.family} ${kept.id}: ${write.name}`);
}

/** Whether a write arrived after one that was sent later. */
const isOvertaken = ({ departed, committed = 0 }: Sent, _at: number, sent: readonly Sent[]): boolean =>
  sent.some((one) => one.departed > departed && (one.committed ?? 0) < committed);

/** Between a read and its write lies one round trip, and what somebody does then nobody sees. */
const isBetween = (sent: readonly Sent[], at: number): boolean =>
  sent.some(({ seen, departed, committed = 0 }) => at > (seen ?? departed) - 500 && at <= committed);

const alike = (one: string, other: string): boolean => normal(one) === normal(other);
const normal = (value: string): string => value.trim().replaceAll(/ {2,}/g, ' ').slice(0, 40);

/** Whether somebody changed a record before the process that made or found it last looked, within a second of its create. */
const isTouchedAtOnce = ({ made, seen, meddlings }: Kept): boolean => {
  const [looked = 0] = seen.values();
  return meddlings.some(({ at }) => at < Math.min(looked, made + 1000));
};

const isSameRow = ({ family, maker, sent }: Kept, kept: Kept): boolean =>
  family === kept.family && maker === 'us' && JSON.stringify(sent) === JSON.stringify(kept.sent);

/** What a run made is gone, or it is said why not. */
function checkMade(story: Story, kept: Kept, told: readonly Row[], over: number): void {
  const name = `${kept.family} ${kept.id}`;
  const rows = told.filter(({ ids }) => ids.includes(Number(kept.id)));
  const theirs = kept.meddlings.filter(({ at }) => at > over);
  if (kept.gone === undefined) {
    // The id of somebody's that was there when the run looked says that it is theirs.
    const isUsedAgain = story.service.records.some((one) => one !== kept && one.family === kept.family && one.id === kept.id);
    // Of a lost create whose record somebody rewrote before it was found there are two, and its row is named by the import.
    const isRewritten = kept.meddlings.length > 0 && story.service.records.some((one) => one !== kept && isSameRow(one, kept));
    if (!isUsedAgain && !isRewritten && !told.some(({ outcome }) => /^(kept|failed|unknown)$/.test(outcome)))
      story.wrong('made, and neither gone nor named', name);
    // What somebody writes into a run's first record before it is read back counts as what the service makes of values.
    const isMisread = story.service.records.some(
      (one) => one !== kept && one.family === kept.family && one.maker === 'us' && isTouchedAtOnce(one),
    );
    const isTouched = isMisread || kept.meddlings.length > 0 || kept.comments.some(({ who }) => who === 'colleague');
    if (!isTouched && rows.some(({ outcome, what }) => outcome === 'kept' && /^changed since/.test(what)))
      story.wrong('kept as changed, and nobody changed it', `${name}: ${JSON.stringify(rows)}`);
    return;
  }
  const deleted = story.service.sent.find(
    ({ about, method, committed }) => about === kept && method === 'DELETE' && committed !== undefined,
  );
  if (kept.gone.who !== 'us' || deleted === undefined) return;
  const comments = kept.comments.filter(({ who, made }) => who === 'colleague' && made > over);
  const { seen = 0 } = deleted;
  const visible = theirs.filter(({ erased }) => erased === undefined || erased > seen);
  if ([...visible.map(({ at }) => at), ...comments.map(({ made }) => made)].some((at) => at < seen - 500))
    story.wrong('deleted what a colleague had changed', name);
}
