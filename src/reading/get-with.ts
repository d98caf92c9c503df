// `crm <family> get ID --with comments,notes`: reads records and their attached records. When a part can't be read, the record and the
// other parts are still shown; the failure is named and sets the exit status.

import { CrmError, invalidValue, UsageError, withHints } from '../base/errors.ts';
import type { Input } from '../base/flag.ts';
import { holdsMembers, isDrawing } from '../base/global-flags.ts';
import { checkChoice, type Id, parseId, together, togetherEach } from '../base/values/parse.ts';
import { isMembers } from '../base/values/paths.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import type { Api } from '../client/client.ts';
import { recordOf, recordsOf } from '../client/envelope.ts';
import { largestPage, listPages } from '../client/paging.ts';
import type { Answer, ApiRequest } from '../client/types.ts';
import { attachedFilter, attachedQuery } from '../model/attached.ts';
import { type Attached, pluralOf, type Resource } from '../model/define.ts';
import { idText } from '../model/records/display.ts';
import { allFamilies } from '../model/resources/index.ts';
import type { Result, Section, Shape } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { eachRecord } from './each-record.ts';
import type { GetFlags } from './flags.ts';
import { offeredPages } from './list/list.ts';
import { isLookedAt, listNotices } from './list/list-facts.ts';
import { matchingPages } from './list/matching.ts';
import { type Chosen, choose, type Selection, selectionOf } from './selection.ts';

interface PartAsked {
  readonly attached: Attached;
  /** The family of the attached records; undefined for a list below the record's path. */
  readonly family: Resource | undefined;
}

interface PartRead {
  readonly records: readonly unknown[];
  /** For an incomplete part: a sentence on its records, and the command for all of them. */
  readonly cut?: string;
}

/** The most records of a part: a page of the newest records. */
const most = largestPage;

/** Reads records and the lists that --with names. Throws UsageError before anything is read. */
export async function getWith(resource: Resource, context: Context, input: Input<GetFlags>): Promise<Result> {
  const [selection, parts] = together(
    () => selectionOf(resource, input, { areIds: true }),
    () => partsAsked(resource, input.flags.with ?? []),
  );
  refuseFormat(context, selection);
  const cuts = new Map<unknown, string>();
  const sections = parts.map(({ attached: { name }, family, attached }): Section => {
    const shape: Shape | undefined = family ?? ('records' in attached ? attached.records : undefined);
    return { name, shape: shape ?? resource, cut: (records) => cuts.get(records) };
  });
  const isDrawn = isLookedAt(context);
  const chosen = await chosenRecords(resource, context, selection);
  const api = await context.api();
  return eachRecord({ ...resource, sections }, context, selection, chosen, async (one) => {
    const { answer, found, problem } = await readWith(resource, parts, one, context, api);
    for (const { records, cut } of found.values()) {
      if (cut === undefined) continue;
      cuts.set(records, cut);
      if (!isDrawn) await notice(context.io, context.flags, `${resource.singular} ${one.id}: ${cut}`);
    }
    const lists = Object.fromEntries([...found].map(([name, { records }]) => [name, records]));
    const data = { ...(isMembers(answer.data) ? answer.data : {}), ...lists };
    return { answer: { ...answer, data }, ...(problem === undefined ? {} : { problem }) };
  });
}

function partsAsked({ attached = [] }: Resource, lists: readonly string[]): PartAsked[] {
  const names = attached.map(({ name }) => name);
  const words = lists.flatMap((text) => text.split(','));
  if (words.some((word) => word.trim() === '')) throw invalidValue('--with', `give names separated by commas: ${names.join(', ')}.`);
  const wanted = togetherEach(words, (word) => checkChoice(word.trim(), names, '--with'));
  const twice = wanted.find((name, index) => wanted.indexOf(name) !== index);
  if (twice !== undefined) throw invalidValue('--with', `${twice} is given twice.`);
  return wanted
    .flatMap((name) => attached.filter((one) => one.name === name))
    .map((one) => ({ attached: one, family: 'filter' in one ? allFamilies.find(({ name }) => name === one.name) : undefined }));
}

/** Refuses output formats that can't show lists. JSON, YAML, a terminal, and the lines of a single record off a terminal can show lists. */
function refuseFormat({ io, flags }: Context, { kind }: Selection): void {
  if (flags.envelope)
    throw new UsageError('--envelope prints one answer of the service, and --with reads several: give only one of the two.');
  if (holdsMembers(flags.output)) return;
  const isShown = isDrawing(flags.output) && (kind === 'one' || io.stdout.isTTY);
  const what = isDrawing(flags.output) ? 'a table off a terminal' : `-o ${flags.output}`;
  if (!isShown) throw new UsageError(`The lists of --with have no place in ${what}: choose --json, -o ndjson or -o yaml.`);
}

/** The records of a selection, all chosen before any part is read. Records selected by conditions come from the list itself. */
async function chosenRecords(resource: Resource, context: Context, selection: Selection): Promise<readonly Chosen[]> {
  if (selection.kind !== 'where') return choose(resource, context, selection);
  const requests: ApiRequest[] = [{ method: 'GET', path: resource.path }];
  const chosen: Chosen[] = [];
  const { conditions } = selection;
  for await (const { data } of matchingPages(resource, context, { conditions, match: 'part', requests, extent: { kind: 'all' } })) {
    for (const record of Array.isArray(data) ? data : []) chosen.push({ id: parseId(idText(record), resource.singular), record });
  }
  return chosen;
}

/** Reads a record and its parts. If the record can't be read, stops reading the parts and throws that error. */
async function readWith(
  resource: Resource,
  parts: readonly PartAsked[],
  { id, record }: Chosen,
  context: Context,
  api: Api,
): Promise<{ readonly answer: Answer; readonly found: ReadonlyMap<string, PartRead>; readonly problem: Error | undefined }> {
  const cancel = new AbortController();
  const signal = AbortSignal.any([context.signal, cancel.signal]);
  const path = `${resource.path}/${id}`;
  const readOwn = async (): Promise<Answer> => {
    if (record !== undefined) return { status: 200, data: record, envelope: undefined };
    const read = await api.read({ method: 'GET', path });
    return { ...read, data: recordOf(read, path) };
  };
  const own = readOwn();
  const others = Promise.allSettled(parts.map((part) => readPart(resource, part, id, { context, api, signal })));
  let answer: Answer;
  try {
    answer = await own;
  } catch (error) {
    cancel.abort(error);
    await others;
    throw error;
  }
  const results = await others;
  context.signal.throwIfAborted();
  const found = new Map<string, PartRead>();
  const failed: unknown[] = [];
  for (const [index, { attached }] of parts.entries()) {
    const one = results[index];
    if (one?.status === 'fulfilled') found.set(attached.name, one.value);
    else {
      const error: unknown = one?.reason;
      if (error instanceof CrmError) error.message = `The ${attached.name} of ${resource.singular} ${id} are missing: ${error.message}`;
      failed.push(error);
    }
  }
  return { answer, found, problem: oneProblem(failed) };
}

async function readPart(
  resource: Resource,
  { attached, family }: PartAsked,
  id: Id,
  { context, api, signal }: { readonly context: Context; readonly api: Api; readonly signal: AbortSignal },
): Promise<PartRead> {
  if (family === undefined || !('filter' in attached)) {
    const below = 'path' in attached ? attached.path : attached.name;
    const request: ApiRequest = { method: 'GET', path: `${resource.path}/${id}/${below}` };
    const all = recordsOf(await api.read(request, signal), request);
    const records = highestIds(all, most);
    if (records.length === all.length) return { records: all };
    const command = `${crmWith(context.flags.profile)} ${resource.name} ${below} list ${id}`;
    return { records, cut: `the newest ${records.length} of ${all.length} ${attached.name}. All of them: ${command}` };
  }
  const newest = [
    ['sort', family.sort.created ?? 'created'],
    ['order', 'desc'],
  ] as const;
  const request: ApiRequest = { method: 'GET', path: family.path, query: [...attachedQuery(family, attached, id), ...newest] };
  const notices = { ...listNotices(context), more: () => {} };
  const pages = listPages({ ...api, read: (one) => api.read(one, signal) }, request, { kind: 'count', count: most }, signal, notices);
  const records: unknown[] = [];
  let total: number | undefined;
  for await (const { data, meta } of family.readOnly ? offeredPages(pages, family) : pages) {
    for (const record of data as readonly unknown[]) records.push(record);
    total = meta?.total;
  }
  if (total === undefined || total <= records.length) return { records };
  const [flag, value] = attachedFilter(attached, id) ?? ['', ''];
  return {
    records,
    cut: `the newest ${records.length} of ${total} ${pluralOf(family)}. All of them: ${crmWith(context.flags.profile)} ${family.name} list --${flag} ${value} --all`,
  };
}

/** The `count` records with the highest ids, in the order of the answer. All records when an id is no number. */
function highestIds(records: readonly unknown[], count: number): readonly unknown[] {
  const ids = records.map(idText);
  if (records.length <= count || !ids.every((id) => /^\d{1,15}$/.test(id))) return records;
  const lowest = ids.map(Number).sort((a, b) => b - a)[count - 1] ?? 0;
  return records.filter((_, index) => Number(ids[index]) >= lowest).slice(0, count);
}

/** A single error for all parts that could not be read: the first error, with the messages of all errors. */
function oneProblem([first, ...others]: readonly unknown[]): Error | undefined {
  if (first === undefined) return undefined;
  const error = withHints(
    first,
    others.map((other) => (other instanceof Error ? other.message : String(other))),
  );
  return error instanceof Error ? error : new Error(String(error));
}
