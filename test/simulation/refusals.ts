// Stories of a service that refuses: one kind of requests alone for a while, or every request that comes too soon behind the one before. What
// is waited for is done in the end, and the service is not asked again and again.

import type { Fate, Kept, Sent } from './service.ts';
import { bodyOf, type Story } from './story.ts';

/** The most refusals in ten minutes, and of each record of a service that spaces requests. */
const mostRefusals = 40;
const mostOfRecord = 15;

const changes: readonly { readonly argv: (ids: string) => string[]; readonly isDone: (kept: Kept) => boolean }[] = [
  {
    argv: (ids) => ['leads', 'update', ids, '--source', 'selected'],
    isDone: ({ values }) => values.get('source') === 'selected',
  },
  { argv: (ids) => ['leads', 'tags', ids, '--add', 'selected'], isDone: ({ sets }) => sets.get('tags')?.includes('selected') === true },
  { argv: (ids) => ['leads', 'archive', ids], isDone: ({ values }) => values.get('active_state') === 'archived' },
];

interface Played {
  readonly status: number | undefined;
  readonly refused: number;
  readonly isSingle: boolean;
  /** A colleague changed one of the leads meanwhile: then it may be left as it is. */
  readonly isMeddled: boolean;
}

/** Changes some leads while the service refuses what `refuses` tells. */
async function played(story: Story, refuses: (sent: Sent) => Fate | undefined): Promise<Played> {
  const { random, service } = story;
  const leads = Array.from({ length: random.between(1, 4) }, (_, index) => service.add('leads', bodyOf('leads', `old${index}`), 'setup'));
  const { argv, isDone } = random.pick(changes);
  await story.pause(5000);
  let refused = 0;
  service.script = (sent) => {
    const fate = refuses(sent);
    if (fate !== undefined) refused += 1;
    return fate ?? { answer: 'as it is' };
  };
  const end = await story.crm([...argv(leads.map(({ id }) => id).join(',')), '--yes', '--json']);
  if (end?.status === 0 && !leads.every((kept) => isDone(kept) || kept.meddlings.length > 0))
    story.wrong('said to be changed, and is not', argv('').join(' '));
  const isMeddled = leads.some(({ meddlings }) => meddlings.length > 0);
  return { status: end?.status, refused, isSingle: leads.length === 1, isMeddled };
}

export async function kindRefused(story: Story): Promise<void> {
  const { random, world } = story;
  const isOfWrites = random.chance(0.7);
  const [lasts, asks] = [random.pick([5000, 20_000, 200_000, 700_000]), random.chance(0.5)];
  let until: number | undefined;
  const { status, refused, isSingle, isMeddled } = await played(story, ({ method }) => {
    if ((method === 'GET') === isOfWrites) return undefined;
    until ??= world.now + lasts;
    if (world.now >= until) return undefined;
    return { answer: 429, asks: asks ? Math.ceil((until - world.now) / 1000) : 'nothing' };
  });
  const told = `${isOfWrites ? 'writes' : 'reads'} for ${lasts} ms${asks ? ', with Retry-After' : ''}: ${refused} times, ended with ${status}`;
  if (refused > mostRefusals) story.wrong('asked again and again', told);
  if (isMeddled && (status === 8 || status === 10)) return;
  if (status !== 0 && status !== 6) story.wrong('refused, and ended otherwise', told);
  const isWaitedFor = isSingle ? asks && lasts <= 20_000 : asks || lasts <= 200_000;
  if (isWaitedFor && status !== 0) story.wrong('refused, and not waited for', told);
}

export async function requestsSpaced(story: Story): Promise<void> {
  const { random, world } = story;
  const gap = random.pick([100, 1000]);
  let last = Number.NEGATIVE_INFINITY;
  const { status, refused, isMeddled } = await played(story, () => {
    if (world.now - last < gap) return { answer: 429, asks: 'nothing' };
    last = world.now;
    return undefined;
  });
  const told = `one request in ${gap} ms: ${refused} refusals, ended with ${status}`;
  if (status !== 0 && !(isMeddled && (status === 8 || status === 10))) story.wrong('spaced, and not done', told);
  if (refused > 4 * mostOfRecord) story.wrong('asked again and again', told);
}
