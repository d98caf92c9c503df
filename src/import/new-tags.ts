// Names the new tags of a file before anything is written: a new tag may be a misspelt old tag.

import { firstOf, howMany, quotedWord } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { newestPages } from '../session/names/pages.ts';

/**
 * Warns about tags that no record has had so far. Tags of earlier commands are remembered. For other tags, one request reads the newest
 * records. Throws like Api.read.
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
    `${howMany(all.length, 'new tag')}, seen on no ${singular} so far: ${firstOf(all.map(quotedWord))}.`,
    'warning',
  );
}
