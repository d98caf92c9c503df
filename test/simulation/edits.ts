// Stories of `edit`: a record is open in an editor for a while, saved with changes, with mistakes, or given up, and colleagues change them
// meanwhile; cut off and typed again.

import { edited } from './change-files.ts';
import type { Kept } from './service.ts';
import { bodyOf, type Edited, type Ended, type Story } from './story.ts';

/** What somebody saw in an editor, and left there. */
interface Visit {
  /** When the record that was shown had been told. */
  readonly shownAt: number;
  readonly opened: number;
  /** How they leave: with what they wrote, by giving up, or by a failure of the editor. */
  readonly leaves: 'saving' | 'emptying' | 'failing';
  /** Whether anything that was saved is different from what was shown first. */
  isChanged: boolean;
}

export async function recordsInEditor(story: Story): Promise<void> {
  const { random, service, world } = story;
  const family = random.pick(['leads', 'leads', 'notes', 'contacts'] as const);
  const one = service.add(family, bodyOf(family, 'old0'), 'setup');
  const isMeant = random.chance(0.9);
  await story.pause(5000);
  const visits: Visit[] = [];
  let end: Ended | undefined;
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    service.isCalm = attempt > 3;
    if (one.gone !== undefined) break;
    end = await anEdit(story, one, isMeant, visits);
    if (end?.status === 0 && visits.at(-1)?.leaves !== 'emptying') break;
    await story.pause(random.pick([0, 3000, 60_000]));
  }
  await world.run();
  const isDone = end?.status === 0 && visits.at(-1)?.leaves === 'saving';
  check(story, one, { isMeant, visits, isDone });
}

const wantedOf = ({ id }: Kept): string => `new ${id}`;
const familyOf = ({ family }: Kept): (typeof edited)[keyof typeof edited] => edited[family as keyof typeof edited];

/** One call: what it sends and keeps is what the editor was left with. */
export async function anEdit(story: Story, one: Kept, isMeant: boolean, visits: Visit[]): Promise<Ended | undefined> {
  const { random, service, world } = story;
  const { family, id } = one;
  const leaves = service.isCalm ? 'saving' : random.pick(['saving', 'saving', 'saving', 'saving', 'emptying', 'failing'] as const);
  let errs = random.chance(0.2);
  let visit: Visit | undefined;
  let shown: string | undefined;
  const editor = (text: string): Edited => {
    visit ??= { shownAt: Math.max(-1, ...one.seen.values()), opened: world.now, leaves, isChanged: false };
    if (visits.at(-1) !== visit) visits.push(visit);
    const takes = random.pick([0, 3000, 60_000]);
    meddle(story, one, takes);
    if (leaves === 'emptying') return { text: '', takes, status: 0 };
    shown ??= withoutHints(text);
    const right = written(text.replace(/^nonsense.*\n/m, ''), one, isMeant);
    visit.isChanged = withoutHints(right) !== shown;
    const wrong = errs ? `${right}nonsense: 1\n` : right;
    errs = false;
    return { text: wrong, takes, status: leaves === 'failing' ? 1 : 0 };
  };
  const before = service.sent.length;
  const fields = random.chance(0.5) ? ['--fields', `${familyOf(one).column},${family === 'contacts' ? 'email' : 'title'}`] : [];
  const argv = [family, 'edit', String(id), ...fields, '--yes', '--json', '--quiet'];
  const [end] = await story.crms([{ argv, after: 0, cut: service.isCalm ? undefined : story.cut(), editor }]);
  const about = `${argv.join(' ')}: ${leaves}`;
  if (leaves !== 'saving' || visit?.isChanged !== true)
    for (const { method, path } of service.sent.slice(before)) story.wrong('wrote what was given up', `${about}: ${method} ${path}`);
  if (end === undefined) return undefined;
  if (![0, 3, 5, 6, 7, 8, 9, 130].includes(end.status)) story.wrong(`ends with ${end.status}`, end.stderr);
  if (end.status === 0 && leaves === 'failing') story.wrong('an end that is not so', about);
  if (end.status !== 0 && visit?.isChanged === true && isMeant) checkKept(story, end, one);
  return end;
}

const withoutHints = (text: string): string => text.replaceAll(/^#.*\n/gm, '');

/** The file with what is meant written into it. */
function written(text: string, one: Kept, isMeant: boolean): string {
  const { column } = familyOf(one);
  return isMeant ? text.replace(new RegExp(`^${column}:.*$`, 'm'), `${column}: ${wantedOf(one)}`) : text;
}

/** Colleagues change what is open, while it is and once it is sent. */
function meddle({ random, service, world, traits }: Story, one: Kept, takes: number): void {
  if (traits.colleagues === 0 || !random.chance(0.3)) return;
  world.after(random.between(0, takes + 2000), () => {
    const by = `theirs at ${Math.floor(world.now)}`;
    if (random.chance(0.1)) service.remove(one);
    else if (one.family !== 'contacts' && random.chance(0.3)) service.meddle(one, { tags: by });
    else service.meddle(one, { [random.chance(0.6) ? familyOf(one).path : one.family === 'contacts' ? 'job_position' : 'title']: by });
  });
}

/** What was written and not sent is in a file that is named. */
function checkKept(story: Story, { stderr, status }: Ended, one: Kept): void {
  const path = /is kept in FOLDER\/([^\s"\\]+)/.exec(stderr)?.[1];
  const text = path === undefined ? undefined : story.read(path);
  if (text?.includes(wantedOf(one)) !== true) story.wrong('lost what was typed', `${one.family} ${one.id}, status ${status}: ${stderr}`);
}

function check(
  story: Story,
  kept: Kept,
  { isMeant, visits, isDone }: { readonly isMeant: boolean; readonly visits: readonly Visit[]; readonly isDone: boolean },
): void {
  const name = `${kept.family} ${kept.id}`;
  const { wire, path } = familyOf(kept);
  const wanted = wantedOf(kept);
  const ours = story.service.sent.filter(({ about, committed }) => about === kept && committed !== undefined);
  if (!isMeant && ours.length > 0) story.wrong('wrote what was not edited', name);
  if (!isMeant) return;
  const theirs = kept.meddlings.filter(({ values }) => values.has(path));
  for (const { departed, seen = 0, values } of ours) {
    const shown = visits.findLast(({ opened }) => opened <= departed)?.shownAt ?? 0;
    const since = theirs.find(({ at }) => at > shown && at < seen - 500);
    // A late copy of our own request has set it since: what is read then is what the file wants.
    const isBeforeOwn = ours.some(({ committed = 0 }) => since !== undefined && committed > since.at && committed < seen);
    if (values[wire] === wanted && since !== undefined && !isBeforeOwn)
      story.wrong('wrote over what was changed since it was shown', `${name}: changed at ${since.at}, seen at ${seen}`);
  }
  if (isDone && kept.gone === undefined && theirs.length === 0 && kept.values.get(path) !== wanted)
    story.wrong('said to be changed, and is not', name);
}
