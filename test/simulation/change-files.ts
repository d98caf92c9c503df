// Stories of change files: one is written by `list --was` or `--plan`, edited, and applied, by one or by two at once, cut off and typed
// again, with colleagues at work since it was written.

import type { Kept } from './service.ts';
import { bodyOf, csvOf, type Ended, rowsOf, type Story } from './story.ts';

/** The column that is edited. */
export const edited = {
  leads: { column: 'source', wire: 'lead_source', path: 'source' },
  notes: { column: 'description', wire: 'note_description', path: 'description' },
  contacts: { column: 'phone', wire: 'phone', path: 'phone' },
} as const;

export async function changeFile(story: Story): Promise<void> {
  const { random, service, world } = story;
  const family = random.pick(['leads', 'leads', 'notes', 'contacts'] as const);
  const { column, wire, path } = edited[family];
  const old = Array.from({ length: random.between(2, 6) }, (_, index) => service.add(family, bodyOf(family, `old${index}`), 'setup'));
  await story.pause(5000);
  const written = world.now;
  const rows = await rowsFor(story, family, 'new', old);
  if (rows === undefined) return;
  const kept = rows.filter(() => random.chance(0.8));
  if (kept.length === 0) return;
  story.write('edited.csv', csvOf(kept));
  meddle(story, old, path);
  await story.pause(random.pick([0, 5000]));
  const end = await applied(story);
  await world.run();
  const byId = new Map(kept.map((row) => [Number(row.id), row]));
  for (const one of old) check(story, one, { row: byId.get(one.id), column, wire, path, written, end });
  if (end?.status === 0) await checkAgain(story);
}

/** The file's rows, edited: each value is a word and the record's id. Undefined where it can't be written. */
export async function rowsFor(
  story: Story,
  family: keyof typeof edited,
  word: string,
  old: readonly Kept[],
): Promise<Record<string, string>[] | undefined> {
  const { random, service, world } = story;
  const { column } = edited[family];
  service.isCalm = true;
  const isPlanned = random.chance(0.4);
  const plan = `plan${Math.floor(world.now)}.csv`;
  const ids = old.map(({ id }) => id).join(',');
  const argv = isPlanned
    ? [family, 'update', ids, `--${column}`, 'planned', '--plan', plan]
    : [family, 'list', '--was', '-o', 'csv', '--fields', ['id', column, ...(family === 'contacts' ? [] : ['tags'])].join(',')];
  const end = await story.crm(argv);
  service.isCalm = false;
  if (end?.status !== 0) {
    if (old.every(({ gone }) => gone === undefined)) story.wrong(`a change file ends with ${end?.status}`, end?.stderr ?? '');
    return undefined;
  }
  const rows = rowsOf(isPlanned ? (story.read(plan) ?? '') : end.stdout);
  const isTagged = rows.some(({ tags }) => tags !== undefined) && random.chance(0.5);
  return rows.map((row) => ({
    ...row,
    ...(isPlanned ? {} : { [column]: `${word} ${row.id}` }),
    ...(isTagged ? { tags: 'hot' } : {}),
  }));
}

/** Colleagues change what the file is about, or something else of its records, before it is applied or while it is. */
function meddle({ random, service, world, traits }: Story, old: readonly Kept[], path: string): void {
  if (traits.colleagues === 0) return;
  for (const one of old) {
    if (!random.chance(0.4)) continue;
    world.after(random.between(0, random.pick([2000, 20_000])), () => {
      const by = `theirs at ${Math.floor(world.now)}`;
      if (random.chance(0.1)) service.remove(one);
      else if (one.family !== 'contacts' && random.chance(0.3)) service.meddle(one, { tags: by });
      else service.meddle(one, { [random.chance(0.6) ? path : one.family === 'contacts' ? 'job_position' : 'title']: by });
    });
  }
}

/** Applies the file until its end, by two at once now and then; the last end. */
export async function applied(story: Story): Promise<Ended | undefined> {
  const { random, service } = story;
  const argv = ['apply', 'edited.csv', '--json'];
  if (random.chance(0.25)) {
    const ends = await story.crms([
      { argv, after: 0, cut: story.cut() },
      { argv, after: random.pick([0, 20, 300, 5000]) },
    ]);
    for (const end of ends) checkStatus(story, end);
  }
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    service.isCalm = attempt > 3;
    const end = await story.crm(argv, attempt > 3 ? undefined : story.cut());
    checkStatus(story, end);
    if (end?.status === 0) return end;
    await story.pause(random.pick([0, 3000, 60_000]));
  }
  return undefined;
}

function checkStatus(story: Story, end: Ended | undefined): void {
  if (end !== undefined && ![0, 3, 5, 6, 7, 8, 130].includes(end.status)) story.wrong(`ends with ${end.status}`, end.stderr);
}

interface Applied {
  /** Undefined: it was struck out. */
  readonly row: Readonly<Record<string, string>> | undefined;
  readonly column: string;
  readonly wire: string;
  readonly path: string;
  /** When the file was written. */
  readonly written: number;
  readonly end: Ended | undefined;
}

function check(story: Story, kept: Kept, { row, column, wire, path, written, end }: Applied): void {
  const name = `${kept.family} ${kept.id}`;
  const ours = story.service.sent.filter(({ about, committed }) => about === kept && committed !== undefined);
  if (row === undefined) {
    if (ours.length > 0) story.wrong('wrote what was struck out', name);
    return;
  }
  const wanted = row[column] ?? '';
  const theirs = kept.meddlings.filter(({ values }) => values.has(path));
  for (const { seen = 0, values } of ours) {
    const since = theirs.find(({ at }) => at > written && at < seen - 500);
    if (values[wire] === wanted && since !== undefined && !isBeforeOwn(since.at, seen))
      story.wrong('wrote over what was changed since the file was written', `${name}: changed at ${since.at}, seen at ${seen}`);
  }
  if (end?.status !== 0 || kept.gone !== undefined || theirs.length > 0) return;
  if (kept.values.get(path) !== wanted) story.wrong('said to be changed, and is not', name);
  if (row.tags === 'hot' && !kept.sets.get('tags')?.includes('hot')) story.wrong('said to be changed, and is not', `${name}: tags`);

  function isBeforeOwn(at: number, before: number): boolean {
    // A late copy of our own request has set it since: what is read then is what the row wants.
    return ours.some(({ committed = 0, values }) => values[wire] === wanted && committed > at && committed < before);
  }
}

/** Applied once more, it sends nothing. */
async function checkAgain(story: Story): Promise<void> {
  const { service } = story;
  const before = service.sent.length;
  service.isCalm = true;
  checkStatus(story, await story.crm(['apply', 'edited.csv', '--json']));
  for (const { method, path } of service.sent.slice(before)) story.wrong('wrote what was done', `${method} ${path}`);
}
