// `crm names`: lists the remembered names of records that have no list (statuses, units, tax rates), and the sources and tags in use.

import { UsageError } from '../base/errors.ts';
import { checkChoice } from '../base/values/parse.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import type { Named } from '../base/values/value-type.ts';
import { command } from '../cli/command.ts';
import type { Column } from '../model/define.ts';
import { namedKinds, unlisted, type Word, wordsSeenIn } from '../model/named.ts';
import { checkHasIds } from '../output/formats/ids.ts';
import type { Result } from '../output/result.ts';
import type { Context } from '../session/context.ts';
import type { KnownName, KnownNames } from '../session/names/known.ts';

/** The kinds of names, in the order shown. Undefined for words without an id. */
const kinds = { ...unlisted, sources: undefined, tags: undefined } as const satisfies {
  [kind in Word | keyof typeof unlisted]: Named | undefined;
};
type NamesKind = keyof typeof kinds;
const isWord = (kind: NamesKind): boolean => kinds[kind] === undefined;
const allKinds = Object.keys(kinds) as NamesKind[];

const columns: readonly Column[] = [{ path: 'kind' }, { path: 'id', align: 'right' }, { path: 'name' }];

export const namesCommand = command({
  path: ['names'],
  sends: ['leads', 'items', 'proposals', 'notes'].map((name) => ({ method: 'GET' as const, path: `/api/${name}` })),
  does: 'reads',
  prints: { json: 'array', members: { kind: 'text', id: 'id', name: 'text' } },
  summary: 'Show the names of statuses, units and the like',
  description:
    'The service has no list of lead statuses, units and tax rates. Their names are learnt from the records that were read, and ' +
    'remembered for a profile. So are the words used as sources and tags.',
  args: [{ name: 'kind', help: 'Only these', optional: true, choices: allKinds }],
  flags: [
    { name: 'forget', help: "Empty the profile's file of names and titles" },
    { name: 'refresh', help: 'Read the newest records first, at most five pages of each family' },
  ],
  topics: ['privacy'],
  examples: ['crm names statuses', 'crm names --refresh --json', 'crm names --forget'],
  run: async (context, { args, flags }) => {
    if (flags.forget) {
      if (args[0] !== undefined || flags.refresh) throw new UsageError('--forget forgets all names: give neither a kind nor --refresh.');
      return forgetNames(context);
    }
    const asked = args[0] === undefined ? allKinds : [checkChoice(args[0], allKinds, 'kind')];
    // Before anything is read: with words among the kinds, the ids would not be the whole list.
    checkHasIds(context.flags.output, { singular: 'name', record: asked.some(isWord) ? ['name'] : ['id'] });
    const names = await context.names();
    const read = flags.refresh ? await readNames(context, asked) : undefined;
    if (read !== undefined) await names.save(read.whole);
    const known = names.known(read?.whole);
    const data = asked.flatMap((kind) => nameRows(known, kind).map((row) => (asked.length === 1 ? row : { kind, ...row })));
    const shown = columns.filter(({ path }) => (path !== 'kind' || asked.length > 1) && (path !== 'id' || !asked.every(isWord)));
    const isNone = data.length === 0;
    const refresh = `${crmWith(context.flags.profile)} names --refresh`;
    const unread = isNone ? `No names are known yet. Read some: ${refresh}` : `These names were read so far. Read more: ${refresh}`;
    const notice = read?.notice ?? unread;
    return {
      kind: 'rows',
      data,
      shape: { singular: 'name', columns: shown, record: shown.map(({ path }) => path) },
      notice,
      isRead: true,
    };
  },
});

async function forgetNames(context: Context): Promise<Result> {
  const { rememberedAs } = await context.settings();
  if (rememberedAs === undefined) throw new UsageError('Without a profile no names are remembered.');
  if (context.flags.dryRun) return { kind: 'text', notice: `Would forget the names and titles of profile "${rememberedAs}".` };
  const { forgetKnown } = await import('../session/names/known.ts');
  forgetKnown(await context.dataDir(), rememberedAs);
  return { kind: 'text', notice: `Forgotten: the names and titles of profile "${rememberedAs}".` };
}

function nameRows(known: KnownNames, kind: NamesKind): readonly (KnownName | Pick<KnownName, 'name'>)[] {
  const of = kinds[kind];
  if (of !== undefined) return (known.names[of] ?? []).toSorted((a, b) => Number(a.id) - Number(b.id));
  return (known.words[kind as Word] ?? []).toSorted().map((name) => ({ name }));
}

/** Reads the newest records that hold names of these kinds. `whole`: the kinds of words for which every record was read. */
async function readNames(
  context: Context,
  asked: readonly NamesKind[],
): Promise<{ readonly notice: string; readonly whole: readonly Word[] }> {
  const { counted, newestPages } = await import('../session/names/pages.ts');
  const places = asked.flatMap((kind): readonly { readonly family: string; readonly path: string }[] => {
    const of = kinds[kind];
    return of === undefined ? wordsSeenIn[kind as Word] : namedKinds[of].seenIn;
  });
  const api = await context.api();
  const sentences: string[] = [];
  const cut = new Set<string>();
  for (const [path, family] of new Map(places.map((place) => [place.path, place.family]))) {
    let read = 0;
    let isWhole = false;
    for await (const { records, isLast } of newestPages(api, family, path)) {
      read += records.length;
      isWhole = isLast;
    }
    if (!isWhole) cut.add(path);
    sentences.push(`${isWhole ? '' : 'the newest '}${await counted(read, family)}`);
  }
  const isAll = (kind: NamesKind): kind is Word =>
    kinds[kind] === undefined && wordsSeenIn[kind as Word].every(({ path }) => !cut.has(path));
  return { notice: `Read ${sentences.join(', ')}.`, whole: asked.filter(isAll) };
}
