// `crm seed from`: writes a seed file of records that are there.

import { UsageError } from '../../base/errors.ts';
import { isFolder } from '../../base/files/make-folder.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { openSnapshot, type Snapshot } from '../../base/files/snapshot.ts';
import { scalarText } from '../../base/values/json.ts';
import { parseId, togetherEach } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { howMany, listed } from '../../base/values/text/wording.ts';
import { command } from '../../cli/command.ts';
import { readRecord, readRecords } from '../../client/read-record.ts';
import type { Resource } from '../../model/define.ts';
import { resources } from '../../model/resources/index.ts';
import { leadComments, leads } from '../../model/resources/leads.ts';
import { notice } from '../../output/streams/notice.ts';
import { selectedRecords } from '../../reading/list/matching.ts';
import { wholeFamily } from '../../reading/list/whole-family.ts';
import type { SeedSource } from '../../seed/from.ts';
import { familyOf } from '../../seed/language/find.ts';
import type { Context } from '../../session/context.ts';

export const seedFrom = command({
  path: ['seed', 'from'],
  sends: [
    { method: 'GET', path: '/api/{family}' },
    { method: 'GET', path: '/api/{family}/{id}' },
  ],
  does: 'reads',
  prints: { json: 'text' },
  summary: 'Write a seed file of records that are there',
  description:
    'Writes a seed file that makes the same records somewhere else: leads:12,17, a family with --where, or a snapshot (a path with a slash). ' +
    'Records that point to each other are references. Clients, team members, categories, projects and tasks are found there by name, ' +
    'statuses and units stand by name. Tags, assignees, states and comments follow in `then`. A converted lead is made open. What a seed ' +
    "can't say is counted. Contacts can't be made a second time where they came from, because their emails are unique.",
  args: [{ name: 'records', help: 'leads:12,17, a family beside --where, or the folder of a snapshot: ./monday', many: true }],
  flags: [
    {
      name: 'where',
      value: 'condition',
      help: 'The records of the family that meet the condition; repeatable',
      repeatable: true,
      group: 'Selection',
    },
    { name: 'comments', help: 'Also the comments of leads: a request for each lead', group: 'Selection' },
  ],
  topics: ['seeds'],
  examples: ['crm seed from leads:12,17', 'crm seed from leads --where source=Referral'],
  run: async (context, { args, flags: { where = [], comments = false } }) => {
    const { seedOf } = await import('../../seed/from.ts');
    const { text, records, lost } = await seedOf(await sourceOf(context, args, where, comments));
    if (lost.length > 0) await notice(context.io, context.flags, `A seed can't say: ${listed(lost)}.`, 'warning');
    await notice(context.io, context.flags, `The file makes ${howMany(records, 'record')}.`);
    return { kind: 'text', text };
  },
});

async function sourceOf(context: Context, words: readonly string[], where: readonly string[], comments: boolean): Promise<SeedSource> {
  const folder = words.find((word) => /[/\\]/.test(word));
  if (folder === undefined) return fromService(context, await chosenAt(context, words, where), comments);
  if (words.length > 1 || where.length > 0) throw new UsageError(`"${folder}" is a snapshot, which stands alone.`);
  const snapshot = openSnapshot(pathIn(context, folder), folder);
  return {
    chosen: new Map(resources.map((family) => [family, [...snapshot.records(family.name)]])),
    all: async ({ name }) => [...snapshot.records(name)],
    ...(comments ? { comments: snapshotComments(snapshot) } : {}),
  };
}

/** The comments of a snapshot by lead. The file is read once, for the first lead. */
function snapshotComments(snapshot: Snapshot): NonNullable<SeedSource['comments']> {
  let byLead: Map<string, Members[]> | undefined;
  return async (id) => {
    byLead ??= Map.groupBy(snapshot.records('comments'), (one) => scalarText(one.lead_id));
    return byLead.get(id) ?? [];
  };
}

function fromService(context: Context, chosen: SeedSource['chosen'], comments: boolean): SeedSource {
  const families = new Map<Resource, Promise<readonly Members[]>>();
  const wholeOf = async (family: Resource): Promise<readonly Members[]> => {
    const pages = await Array.fromAsync(wholeFamily(context, await context.api(), family));
    return pages.flat().filter(isMembers);
  };
  return {
    chosen,
    all: (family) => {
      const known = families.get(family) ?? wholeOf(family);
      families.set(family, known);
      return known;
    },
    ...(comments
      ? {
          comments: async (id) => (await readRecords(await context.api(), `${leads.path}/${id}/${leadComments.path}`)).filter(isMembers),
        }
      : {}),
  };
}

/** The error for a word that names no family, with the line that works for ids (`leads 47,48`) and for a folder (`monday`). */
function noRecords(context: Context, words: readonly string[], name: string): UsageError {
  const numbers = words.filter((word) => /^[\d,]+$/.test(word));
  const family = words.map(familyOf).find((one) => one !== undefined) ?? leads;
  const folder = isFolder(pathIn(context, name)) ? quoteWord(`./${name}`) : undefined;
  const works = numbers.includes(name) ? `${family.name}:${numbers.join(',')}` : folder;
  if (works !== undefined) return new UsageError(`"${name}" names no records. Try: ${crmWith(context.flags.profile)} seed from ${works}`);
  const names = resources.map((one) => one.name);
  return new UsageError(`There are no records called "${name}".${suggestion(name, names)}`);
}

/** The records of `leads:12,17`, or of a family beside --where. Throws UsageError, and NotFoundError for an id that no record has. */
async function chosenAt(context: Context, words: readonly string[], where: readonly string[]): Promise<SeedSource['chosen']> {
  const asked = togetherEach(words, (word) => {
    const [, name = '', ids] = /^([^:]*)(?::(.*))?$/s.exec(word) ?? [];
    const family = familyOf(name);
    if (family === undefined) throw noRecords(context, words, name);
    return { family, ids: ids?.split(',').map((id) => parseId(id.trim(), family.singular)) };
  });
  const chosen = new Map<Resource, Members[]>();
  const [first] = asked;
  if (where.length > 0) {
    if (asked.length !== 1 || first === undefined || first.ids !== undefined)
      throw new UsageError('--where goes with one family: crm seed from leads --where source=Fair');
    const { records } = await selectedRecords(first.family, context, where);
    chosen.set(first.family, (await Array.fromAsync(records)).filter(isMembers));
    return chosen;
  }
  const without = asked.find(({ ids }) => ids === undefined);
  if (without !== undefined)
    throw new UsageError(`Say which ${without.family.name}: ${without.family.name}:12,17, or --where.`, { code: 'missing_value' });
  const api = await context.api();
  for (const { family, ids = [] } of asked) {
    const there = chosen.get(family) ?? [];
    for (const id of new Set(ids)) {
      if (there.some((one) => scalarText(one.id) === String(id))) continue;
      const record = await readRecord(api, `${family.path}/${id}`);
      if (isMembers(record)) there.push(record);
    }
    chosen.set(family, there);
  }
  return chosen;
}
