// `crm leads merge`: leads that stand twice become one. What the kept lead lacks goes there first; only then are the others archived.

import { recordsOf } from '../../api/envelope.ts';
import { listPages } from '../../api/paging.ts';
import { readRecord } from '../../api/read-record.ts';
import { confirm, requireNamed } from '../../ask/confirm.ts';
import { attachedQuery } from '../../bodies/attached.ts';
import { textBody } from '../../bodies/operations.ts';
import { readBack } from '../../bodies/read-back.ts';
import { elementsOf } from '../../bodies/replaced-set.ts';
import { actionChange } from '../../changes/action.ts';
import { outcomesOfRun } from '../../changes/change-run.ts';
import { chained } from '../../changes/file/rows.ts';
import { shownValue } from '../../changes/question.ts';
import type { RecordChange } from '../../changes/record-change.ts';
import { setChangeOf } from '../../changes/replace-set.ts';
import { mergeChange } from '../../changes/update.ts';
import type { Context } from '../../context.ts';
import { ConflictError, CrmError, InterruptedError, UnauthorizedError, UsageError } from '../../errors.ts';
import { type Place, Problems, placeText } from '../../files/problems.ts';
import type { Input } from '../../flag.ts';
import { tableRows } from '../../import/change-file/change-rows.ts';
import { textIn } from '../../import/files/raw-row.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { displayText } from '../../records/display.ts';
import { standingOf } from '../../records/standing.ts';
import { type Field, pluralOf } from '../../resources/define.ts';
import { familyNamed } from '../../resources/index.ts';
import { leadComment, leads } from '../../resources/leads.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, parseId } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { areAlike } from '../../values/text/alike.ts';
import { howMany, listed } from '../../values/text/wording.ts';
import { outcomesResult } from '../../verbs/each-record.ts';
import { changesOf, effectOfChange, requestedMember, requestedOf, subjectOf, titleIn } from '../../verbs/effect.ts';
import { asShown, type Guard } from '../../verbs/guard.ts';
import { type Chosen, selectionOf } from '../../verbs/selection.ts';
import { commentChange, quoted } from './comments.ts';

/** The tag of a lead that was merged into another one. */
const mergedTag = 'merged';

/** What somebody asked for. */
interface Merge {
  readonly into: Id;
  readonly others: readonly Id[];
}

/** A lead as it was read. */
interface LeadRead {
  readonly id: Id;
  readonly record: unknown;
}

/** Merges leads. Throws UsageError, UnconfirmedError, and ConflictError for leads that can't be merged; of a file such ones are failures. */
export async function mergeLeads(context: Context, input: Input): Promise<Result> {
  const { from } = input.flags;
  const merges = typeof from === 'string' ? await mergesIn(context, from, input) : [mergeOf(input)];
  const all: { readonly one: Chosen; readonly change: RecordChange }[] = [];
  for (const merge of merges) {
    try {
      all.push(...(await planned(context, merge)));
    } catch (error) {
      if (from === undefined || !(error instanceof CrmError) || error instanceof InterruptedError || error instanceof UnauthorizedError)
        throw error;
      for (const id of [merge.into, ...merge.others]) all.push({ one: { id }, change: refusing(error) });
    }
  }
  const chosen = all.map(({ one }) => one);
  if (chosen.length > 0) await agree(context, merges, chosen);
  const changes = new Map(all.map(({ one, change }) => [one, change]));
  const run = outcomesOfRun(leads, context, chosen, (one) => changes.get(one) as RecordChange, { title: 'leads merge' });
  return outcomesResult(leads, context, chosen, run, { empty: 'No line of the file has a keep: nothing is merged.' });
}

function mergeOf(input: Input): Merge {
  const selection = selectionOf(leads, input);
  if (selection.kind !== 'one' && selection.kind !== 'listed')
    throw new UsageError('Give the leads that are merged by their ids, as in 87,88, or --from a file.');
  const typed = input.flags.into;
  if (typeof typed !== 'string') throw new UsageError('Say which lead is kept: --into ID.', { code: 'missing_value' });
  const into = parseId(typed, '--into');
  const others = selection.kind === 'one' ? [selection.id] : selection.ids;
  if (others.includes(into)) throw new UsageError(`Lead ${into} can't be merged into itself.`);
  return { into, others };
}

const at = (line: number, column: string): Place => ({ line, noun: 'column', column });

/** What a file says that `leads duplicates` wrote and somebody edited. Lines without a keep are left out, and counted. Throws UsageError. */
async function mergesIn(context: Context, name: string, { args, flags }: Input): Promise<Merge[]> {
  if (args.length > 0 || flags.into !== undefined) throw new UsageError('The leads stand in the file: give no ids beside --from.');
  const problems = new Problems();
  const merges = new Map<string, { into: Id; line: number; ids: Id[] }>();
  const lines = new Map<Id, number>();
  const keepOf = new Map<string, Id>();
  let header: readonly string[] = [];
  let leftOut = 0;
  for await (const { format, raw } of tableRows(context, name, `${name} is no table: it has to be CSV or xlsx.`)) {
    if ('problem' in raw) problems.addOfRow({ line: raw.line }, raw.problem);
    if ('header' in raw) header = namesIn(raw.header, name);
    if (!('values' in raw)) continue;
    const [group = '', keep = '', id = ''] = ['group', 'keep', 'id'].map((column) => {
      const text = textIn(raw.values[header.indexOf(column)] ?? '').trim();
      return format === 'csv' && !context.flags.csvRaw ? unguard(text) : text;
    });
    if (keep === '') leftOut += id === '' ? 0 : 1;
    if (keep === '') continue;
    problems.tryRow({ line: raw.line }, () => {
      const [into, own] = [parseId(keep, placeText(at(raw.line, 'keep'))), parseId(id, placeText(at(raw.line, 'id')))];
      const before = lines.get(own);
      if (before !== undefined) problems.addOfRow(at(raw.line, 'id'), `lead ${own} stands on line ${before}, too: one of both has to go.`);
      const other = keepOf.get(group) ?? into;
      if (other !== into) problems.addOfRow(at(raw.line, 'keep'), `it says ${into}, and ${other} above in the same group.`);
      lines.set(own, raw.line);
      keepOf.set(group, other);
      const merge = merges.get(`${group} ${into}`) ?? { into, line: raw.line, ids: [] };
      merges.set(`${group} ${into}`, merge);
      merge.ids.push(own);
      return true;
    });
  }
  for (const { into, line, ids } of merges.values())
    if (!ids.includes(into)) problems.addOfRow(at(line, 'keep'), `lead ${into} has no line in this group.`);
  problems.throwIfAny(name);
  if (leftOut > 0) await notice(context.io, context.flags, `${howMany(leftOut, 'line has', 'lines have')} no keep: not merged.`);
  return [...merges.values()]
    .map(({ into, ids }) => ({ into, others: ids.filter((id) => id !== into) }))
    .filter(({ others }) => others.length > 0);
}

function namesIn(header: readonly string[], name: string): readonly string[] {
  const missing = ['group', 'keep', 'id'].filter((column) => !header.includes(column));
  if (missing.length === 0) return header;
  throw new UsageError(`${name} has no column ${listed(missing)}.`, { hint: 'Such a file comes of: crm leads duplicates --csv' });
}

/** What is done with the leads of a merge, the kept one first. Tells what is not taken, and what stays. Throws ConflictError. */
async function planned(context: Context, { into, others }: Merge): Promise<{ readonly one: Chosen; readonly change: RecordChange }[]> {
  const api = await context.api();
  const read = async (id: Id): Promise<LeadRead> => ({ id, record: await readRecord(api, `${leads.path}/${id}`) });
  const kept = await read(into);
  refuse(kept, closed);
  const rest: LeadRead[] = [];
  for (const id of others) rest.push(await read(id));
  for (const one of rest) refuse(one, ['converted']);
  const { given, differing } = takenOver(kept, rest);
  for (const { id } of rest) {
    const differences = differing.get(id) ?? [];
    const texts = await Promise.all(
      differences.map(async ({ flag, text, own }) => `${flag} ${await shownValue(own)}, not ${await shownValue(text)}`),
    );
    if (texts.length > 0) await notice(context.io, context.flags, `Lead ${into}, beside lead ${id}, keeps ${texts.join('; ')}`);
    const stays = await staying(context, id);
    if (stays !== '') await notice(context.io, context.flags, `With lead ${id} stay ${stays}, which can't be moved.`);
  }
  const one: Chosen = {
    ...kept,
    guards: [notYet(closed), asShown(kept.record, ['title', ...pathsOf(given)], displayText)],
  };
  const change = chained(leads, keptSteps(kept, rest, given));
  const merged = await Promise.all(
    rest.map(async (other) => ({
      one: { ...other, guards: [notYet(['converted']), asShown(other.record, ['title'], displayText)], comesAfter: one },
      change: await otherSteps(kept, other),
    })),
  );
  return [...(change === undefined ? [] : [{ one, change }]), ...merged];
}

/** Nothing is merged into such a lead. */
const closed = ['converted', 'archived'];

const wordOf = (record: unknown): string | undefined =>
  leads.standing === undefined ? undefined : standingOf(leads.standing, record)?.word;

function refuse({ id, record }: LeadRead, words: readonly string[]): void {
  const word = wordOf(record);
  if (word !== undefined && words.includes(word)) throw new ConflictError(`Lead ${id} is ${word}: nothing is merged with it.`);
}

const notYet =
  (words: readonly string[]): Guard =>
  (record) => {
    const word = wordOf(record);
    return word !== undefined && words.includes(word) ? { state: `it is ${word} now` } : {};
  };

/** What belongs together: of an address or a name no part is taken where another part differs. */
const units = [
  ['street', 'city', 'state', 'zip', 'country'],
  ['first-name', 'last-name'],
];

const textOf = ({ read }: Field, record: unknown): string => scalarText(valueAt(record, read ?? '')).trim();

/** What a kept lead lacks and another one has, and what of the others differs from what it has. */
function takenOver(
  kept: LeadRead,
  others: readonly LeadRead[],
): { readonly given: Body; readonly differing: Map<Id, { readonly flag: string; readonly text: string; readonly own: string }[]> } {
  const given: Body = new Map();
  const now = new Map(leads.fields.map((field) => [field.flag, textOf(field, kept.record)]));
  const differing = new Map<Id, { flag: string; text: string; own: string }[]>();
  for (const { id, record } of others) {
    const own = new Map(leads.fields.map((field) => [field.flag, textOf(field, record)]));
    const differs = (flag: string): boolean =>
      [now, own].every((one) => one.get(flag)) && !areAlike(now.get(flag) ?? '', own.get(flag) ?? '');
    const apart = new Set(units.filter((unit) => unit.some(differs)).flat());
    for (const field of leads.fields) {
      const { flag } = field;
      const [held, text] = [now.get(flag) ?? '', own.get(flag) ?? ''];
      if (text === '' || (held !== '' && !differs(flag))) continue;
      if (held === '' && !apart.has(flag)) {
        for (const [wire, value] of readBack(field, record)) given.set(wire, value);
        now.set(flag, text);
      } else differing.set(id, [...(differing.get(id) ?? []), { flag, ...namesOf(field, record, kept.record, text, held) }]);
    }
  }
  return { given, differing };
}

/** A relation goes by its name. */
function namesOf({ read = '' }: Field, record: unknown, kept: unknown, text: string, held: string): { text: string; own: string } {
  const nameIn = (one: unknown): string => {
    const whole = read.endsWith('.id') ? valueAt(one, read.slice(0, -3)) : undefined;
    return isMembers(whole) ? displayText(whole.title ?? whole.name) : '';
  };
  return { text: nameIn(record) || text, own: nameIn(kept) || held };
}

const pathsOf = (given: Body): string[] => leads.fields.flatMap(({ wire, read }) => (given.has(wire) && read !== undefined ? read : []));

function keptSteps({ record: kept }: LeadRead, others: readonly LeadRead[], given: Body): RecordChange[] {
  const requested = requestedOf(leads, leads.fields, given);
  const fields: RecordChange = {
    ...mergeChange(leads, given, () => undefined),
    effect: ({ id, record }, before, after) => effectOfChange(leads, id, changesOf(requested, before, after), [after, before ?? record]),
  };
  const sets = (leads.sets ?? []).map((set) => {
    const wanted = others.flatMap(({ record }) => elementsOf(set, record, 'leads merge'));
    const add = [...new Set(wanted)].filter((one) => one !== mergedTag);
    const all = [kept, ...others.map(({ record }) => record)].flatMap((record) => valueAt(record, set.read));
    const names = new Map(all.filter(isMembers).map((one) => [scalarText(one.id), one]));
    const change = setChangeOf(leads, set, { kind: 'change', add, remove: [] }, names);
    // A lead that is archived by now is no longer one to merge into, whatever it holds.
    return { ...change, holds: (record: unknown) => !closed.includes(wordOf(record) ?? '') && change.holds(record) };
  });
  return [...(given.size === 0 ? [] : [fields]), ...sets];
}

async function otherSteps(kept: LeadRead, other: LeadRead): Promise<RecordChange> {
  const tags = leads.sets?.find(({ read }) => read === 'tags');
  const archive = leads.actions?.find(({ verb }) => verb === 'archive');
  if (tags === undefined || archive === undefined) throw new Error('leads have neither tags nor an archive');
  const title = displayText(valueAt(kept.record, 'title')).trim();
  const text = `Merged into lead ${kept.id}${title === '' ? '' : `: ${title}`}`;
  const comment = commentChange({ typed: text, text, body: textBody(leadComment, text, 'comment') }, await quoted(text));
  const says = (record: unknown): boolean => {
    const comments = valueAt(record, 'comments');
    return Array.isArray(comments) && comments.some((one) => areAlike(scalarText(valueAt(one, 'text')), text));
  };
  const steps: RecordChange[] = [
    setChangeOf(leads, tags, { kind: 'change', add: [mergedTag], remove: [] }, new Map()),
    // An earlier attempt may have come so far.
    { ...comment, holds: says },
    {
      ...actionChange(leads, archive, { args: [], flags: {} }, undefined),
      effect: ({ id }, before, after) =>
        effectOfChange(leads, id, changesOf([requestedMember(leads, 'active-state', 'archived')], before, after), []),
    },
  ];
  const change = chained(leads, steps, (id, changes, records) => ({
    subject: subjectOf(leads.singular, id),
    done: `merged into lead ${kept.id}`,
    ...titleIn(leads, ...records, other.record),
    ...(changes.length === 0 ? {} : { changes }),
  }));
  return change as RecordChange;
}

/** `2 comments and 1 proposal`: what hangs on a lead. */
async function staying(context: Context, id: Id): Promise<string> {
  const api = await context.api();
  const counts = await Promise.all(
    (leads.attached ?? []).map(async (attached) => {
      const family = 'filter' in attached ? familyNamed(attached.name) : undefined;
      if (family === undefined) {
        const request = { method: 'GET' as const, path: `${leads.path}/${id}/${'path' in attached ? attached.path : attached.name}` };
        return howManyOf(recordsOf(await api.read(request), request).length, 'comment', 'comments');
      }
      const request = { method: 'GET' as const, path: family.path, query: attachedQuery(family, attached, id) };
      for await (const { data, meta } of listPages(api, request, { kind: 'page', page: 1, size: 1 }, context.signal))
        return howManyOf(meta?.total ?? (data as readonly unknown[]).length, family.singular, pluralOf(family));
      return '';
    }),
  );
  return listed(counts.filter((text) => text !== ''));
}

const howManyOf = (count: number, one: string, several: string): string => (count === 0 ? '' : howMany(count, one, several));

/** A lead of a merge that is refused: nothing is sent to it. */
const refusing = (error: CrmError): RecordChange => ({
  kind: 'merge',
  write: () => ({ method: 'PUT' }),
  holds: () => false,
  shows: () => undefined,
  effect: ({ id }) => ({ subject: subjectOf(leads.singular, id), done: '' }),
  kept: () => ({}),
  leavesOut: () => error,
});

async function agree(context: Context, merges: readonly Merge[], chosen: readonly Chosen[]): Promise<void> {
  await requireNamed(context, { asks: true });
  const [first] = merges;
  const count = chosen.length - merges.length;
  const many = `Merge ${howMany(count, 'lead')} into ${merges.length} others?`;
  if (merges.length !== 1 || first === undefined) return confirm(context, many);
  const which = `Merge ${howMany(first.others.length, 'lead')} (${listed(first.others.map(String))}) into lead ${first.into}`;
  const title = await shownValue(scalarText(valueAt(chosen.find(({ id }) => id === first.into)?.record, 'title')));
  return confirm(context, `${which}?`, { inFull: async () => `${which} "${title}"?` });
}
