// Stories of `leads merge`: leads that stand twice become one, cut off and typed again, with colleagues at work on all of them; then it is
// taken back. What the others had is on the kept lead or named, and nothing that the kept lead had is overwritten.

import type { Kept } from './service.ts';
import { bodyOf, type Ended, type Story } from './story.ts';
import { checkOld, type Start, startOf, undoAll, work } from './undos.ts';

/** What a merge may take over: the name on the wire, where a record has it, and how a notice calls it. */
const taken = [
  ['lead_title', 'title', 'title'],
  ['lead_source', 'source', 'source'],
  ['lead_phone', 'contact.phone', 'phone'],
  ['lead_company_name', 'contact.company_name', 'company-name'],
  ['lead_description', 'description', 'description'],
] as const;

export async function leadsMerged(story: Story): Promise<void> {
  const { random, world } = story;
  const leads = Array.from({ length: random.between(2, 4) }, (_, index) => aLead(story, index));
  const [into, ...others] = leads as [Kept, ...Kept[]];
  const start = new Map(leads.map((kept): [Kept, Start] => [kept, startOf(kept)]));
  await story.pause(5000);
  const end = await merged(story, into, others);
  const over = world.now;
  for (const one of leads) checkOverwritten(story, one, start);
  if (end !== undefined) for (const other of others) checkMerged(story, into, other, { start, end });
  const pauses = random.pick([[0], [0, 1000, 90_000]]);
  const told = await undoAll(story, leads, pauses);
  if (told === undefined) return;
  await world.run();
  for (const [kept, was] of start) checkOld(story, kept, { was, passes: told, done: [], over });
}

function aLead({ service, random }: Story, index: number): Kept {
  const kept = service.add(
    'leads',
    {
      ...bodyOf('leads', `twin${index}`),
      lead_source: random.pick(['', 'Web', 'Fair']),
      lead_phone: random.pick(['', '0100', '0200']),
      lead_company_name: random.pick(['', 'Acme', 'Acme and Sons']),
      lead_description: random.pick(['', 'Wants a lamp']),
    },
    'setup',
  );
  kept.sets.set('tags', random.pick([[], ['old'], ['old', 'older']]));
  kept.sets.set('assigned', random.pick([[], ['1'], ['1', '2']]));
  return kept;
}

/** Merges until it has ended; undefined where a colleague deleted one of them. */
async function merged(story: Story, into: Kept, others: readonly Kept[]): Promise<Ended | undefined> {
  const { random, service } = story;
  const leads = [into, ...others];
  const which = [others.map(({ id }) => id).join(','), '--into', String(into.id)];
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    service.isCalm = attempt > 4;
    if (!service.isCalm) work(story, leads);
    const end = await story.crm(['leads', 'merge', ...which, '--yes', '--json'], service.isCalm ? undefined : story.cut());
    if (end !== undefined && ![0, 3, 5, 6, 7, 8, 10, 130].includes(end.status)) story.wrong(`ends with ${end.status}`, end.stderr);
    if (leads.some(({ gone }) => gone !== undefined)) return undefined;
    if (end?.status === 0) return end;
    // What an attempt that broke off has sent may still arrive for a minute, and is not sent again before: it says so.
    await story.pause(service.isCalm ? 60_000 : random.pick([0, 3000, 60_000]));
  }
  // What a service keeps, no attempt changes.
  if (story.traits.habit !== 'keeps values') story.wrong('typing it again comes to no end', which.join(' '));
  return undefined;
}

/** What a lead had, and was told to have, is never written over. */
function checkOverwritten(story: Story, lead: Kept, start: ReadonlyMap<Kept, Start>): void {
  for (const { about, committed, path: to, seen = 0, departed, values } of story.service.sent) {
    if (about !== lead || committed === undefined || !/\/\d+$/.test(to)) continue;
    for (const [wire, path] of taken) {
      const theirs = lead.meddlings.filter((one) => one.values.has(path));
      if (theirs.some(({ at }) => at >= seen - 500 && at <= departed)) continue;
      const had = theirs.findLast(({ at }) => at < seen)?.values.get(path) ?? start.get(lead)?.values.get(path) ?? '';
      const isBeforeOwn = story.service.sent.some(
        (one) => one.about === lead && (one.committed ?? Infinity) < seen && one.departed < departed && one.values[wire] === values[wire],
      );
      if (had !== '' && values[wire] !== had && !isBeforeOwn)
        story.wrong('wrote over what the lead had', `leads ${lead.id}: ${path} was '${had}', sent '${values[wire]}'`);
    }
  }
}

/** A merge that ended well: the other lead says so, and what it had is on the kept one or was named. */
function checkMerged(
  story: Story,
  into: Kept,
  other: Kept,
  { start, end }: { readonly start: ReadonlyMap<Kept, Start>; readonly end: Ended },
): void {
  const name = `lead ${other.id} into ${into.id}`;
  if (other.values.get('active_state') !== 'archived') story.wrong('said to be merged, and is not', `${name}: not archived`);
  if (!other.sets.get('tags')?.includes(`merged-into-${into.id}`)) story.wrong('said to be merged, and is not', `${name}: no tag`);
  const named = end.stderr.split('\n').find((line) => line.includes(`Where lead ${other.id} differs`)) ?? '';
  for (const [, path, flag] of taken) {
    const isTouched = [into, other].some(({ meddlings }) => meddlings.some(({ values }) => values.has(path)));
    const had = start.get(other)?.values.get(path) ?? '';
    if (isTouched || had === '' || into.values.get(path) === had || named.includes(`${flag} `)) continue;
    story.wrong('lost a value', `${name}: ${path} '${had}'`);
  }
  for (const [set, elements] of start.get(other)?.sets ?? [])
    for (const element of elements)
      if (into.sets.get(set)?.includes(element) !== true) story.wrong('lost an element', `${name}: ${set} ${element}`);
}
