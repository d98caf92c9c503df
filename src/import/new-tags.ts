// Names the new tags of a file before anything is written: a new tag may be a misspelt old tag.

import { firstOf, howMany, quotedWord } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { newestPages } from '../session/names/pages.ts';

/** Warns about the new tags. Throws like Api.read. */
export async function tellNewTags(context: Context, resource: Resource, tags: ReadonlySet<string>): Promise<void> {
  await tellOfTags(context, await newTagsText(context, resource, tags));
}

/** Prints the sentence of `newTagsText`. */
export async function tellOfTags({ io, flags }: Context, sentence: string | undefined): Promise<void> {
  if (sentence !== undefined) await notice(io, flags, sentence, 'warning');
}

/**
 * A sentence about the tags that no record has had so far; undefined without such tags. Tags of earlier commands are remembered. For other
 * tags, one request reads the newest records, whose names are then known, too. Throws like Api.read.
 */
export async function newTagsText(
  context: Context,
  { name, singular, path }: Resource,
  tags: ReadonlySet<string>,
): Promise<string | undefined> {
  if (tags.size === 0) return undefined;
  const names = await context.names();
  const unseen = (): string[] => {
    const seen = new Set(names.known().words.tags);
    return [...tags].filter((tag) => !seen.has(tag));
  };
  if (unseen().length === 0) return undefined;
  await newestPages(await context.api(), name, path).next();
  const all = unseen();
  return all.length === 0
    ? undefined
    : `${howMany(all.length, 'new tag')}, seen on no ${singular} so far: ${firstOf(all.map(quotedWord))}.`;
}
