// Tags of a file that nobody has: one that is misspelt is seen before it is written.

import type { Context } from '../context.ts';
import { newestPages } from '../names/pages.ts';
import { notice } from '../output/streams/notice.ts';
import type { Resource } from '../resources/define.ts';
import { firstOf, howMany, quotedWord } from '../values/text/wording.ts';

/** So many are named. */
const mostNamed = 5;

/**
 * Tells which of these tags no record has that was read so far, in this run or before. Where some aren't remembered, the newest records are
 * looked at, with one request. Throws what Api.read throws.
 */
export async function tellNewTags(context: Context, { name, singular, path }: Resource, tags: ReadonlySet<string>): Promise<void> {
  if (tags.size === 0) return;
  const names = await context.names();
  const unseen = (): string[] => {
    const seen = new Set(names.known().words.tags);
    return [...tags].filter((tag) => !seen.has(tag));
  };
  if (unseen().length === 0) return;
  await newestPages(await context.api(), name, path).next();
  const all = unseen();
  if (all.length === 0) return;
  await notice(
    context.io,
    context.flags,
    `${howMany(all.length, 'new tag')}, which no ${singular} read so far has: ${firstOf(all.map(quotedWord), mostNamed)}.`,
    'warning',
  );
}
