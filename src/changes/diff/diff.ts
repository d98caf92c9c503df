// `crm diff`, one family after the other. Keeps the id, a digest and the place in the file of each older record, then reads the newer
// records. An older record without a newer record is gone.

import { hash } from 'node:crypto';
import { fileNamed, isSandbox } from '../../base/base-url.ts';
import { invalidValue, UsageError } from '../../base/errors.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { type ByteRange, openSnapshot, type Snapshot } from '../../base/files/snapshot.ts';
import { limits } from '../../base/limits.ts';
import { scalarText } from '../../base/values/json.ts';
import { storedId } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { quoteWord } from '../../base/values/text/shell-word.ts';
import { howMany, listed } from '../../base/values/text/wording.ts';
import type { Answer } from '../../client/types.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { type Difference, newOnly, plainDifference, saying } from '../../model/records/difference.ts';
import { idText } from '../../model/records/display.ts';
import { allFamilies } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { brokenGate, type Gate } from '../../reading/list/gate.ts';
import { favourMemory } from '../../reading/list/lean-memory.ts';
import { familiesNamed, wholeFamily } from '../../reading/list/whole-family.ts';
import type { Context } from '../../session/context.ts';
import { sandboxPath } from '../../session/open-client.ts';
import { serviceOf } from '../../session/served.ts';
import { titleGuard } from '../file/change-cells.ts';
import { applyCommand, type ChangeRow, checkPlanName, writeChangeFile } from '../file/change-file.ts';
import { comparison, type Differing, kindNoun } from './compare.ts';

/** The members of an output row beside the difference. An added or gone record has a single row, without a field. */
interface DiffRow {
  readonly family: string;
  readonly id: number | string;
  readonly title: string | null;
  readonly change: 'changed' | 'added' | 'gone' | 'renamed';
}

/** A line of the summary on a terminal: a count of records, and the first few. */
interface SummaryLine {
  readonly family: string;
  readonly what: string;
  records: number;
  first: string;
}

/** The arguments and flags. */
interface DiffAsked {
  readonly old: string;
  /** The folder of the later snapshot. Absent: the service as it is now. */
  readonly later: string | undefined;
  /** The names of families, separated by commas. */
  readonly families: string | undefined;
  readonly isGone: boolean;
  readonly plan: string | undefined;
  readonly gate: Gate | undefined;
}

/** The checked arguments and flags. */
interface DiffRequest {
  readonly families: readonly Resource[];
  readonly before: Snapshot;
  readonly records: (family: Resource) => AsyncIterable<readonly unknown[]>;
  /** Families that only one of the two snapshots has. */
  readonly apart: readonly Resource[];
  readonly isGone: boolean;
  readonly plan?: string;
}

/** The number of records or rows after which an interruption is looked for. */
const pageSize = 500;
const firstFew = 3;

/**
 * Compares two snapshots, or a snapshot with the service. Throws UsageError for an incomplete snapshot, UnavailableError for a list that
 * changed while it was read.
 */
export async function diff(context: Context, typed: DiffAsked): Promise<Result> {
  const asked = await askedFor(context, typed);
  favourMemory('young', 'old');
  const found = new Found(asked, context.io.symbols.arrow);
  for (const family of asked.families) await compareFamily(context, family, asked, found);
  if (asked.plan !== undefined) await writePlan(context, asked, found, typed.old);
  if (asked.apart.length > 0)
    context.afterwards.push(
      `Not compared, because only one of the snapshots has them: ${listed(asked.apart.map((one) => pluralOf(one)))}.`,
    );
  const sum = found.sentence();
  const problem = brokenGate(typed.gate, found.records, found.counted);
  const ending = problem === undefined ? {} : { problem };
  const { io, flags } = context;
  const isDrawn = io.stdout.isTTY && !flags.outputNamed && flags.fields === undefined && !asked.isGone;
  if (isDrawn && found.lines.length > 0) {
    context.afterwards.unshift(`${sum} Every value: --csv`);
    return { kind: 'rows', data: found.lines, shape: summaryShape, isRead: true, ...ending };
  }
  const [family] = asked.families;
  const shape = asked.isGone && family !== undefined ? family : rowShape;
  if (!asked.isGone && found.lines.length > 0) context.afterwards.unshift(sum);
  return { kind: 'records', pages: pagesOf(found.rows), shape, empty: () => (asked.isGone ? 'No record is gone.' : sum), ...ending };
}

const rowPaths = ['family', 'id', 'title', 'change', 'field', 'old', 'new'];
const rowShape = { singular: 'difference', columns: rowPaths.map((path) => ({ path })), record: rowPaths };
const summaryShape = {
  columns: [{ path: 'family' }, { path: 'what' }, { path: 'records', align: 'right' as const }, { path: 'first' }],
  record: ['family', 'what', 'records', 'first'],
};

async function askedFor(context: Context, { old, later, families: typed, isGone, plan }: DiffAsked): Promise<DiffRequest> {
  const named = typed === undefined ? undefined : familiesNamed(typed);
  if (isGone && plan !== undefined) throw new UsageError("--gone can't be combined with --plan: a gone record can't be changed.");
  if ((isGone || plan !== undefined) && named?.length !== 1)
    throw new UsageError(`--${isGone ? 'gone' : 'plan'} is about one family: name it with --family.`);
  if (plan !== undefined) {
    await checkPlanName(context, plan);
    const [family] = named ?? [];
    if (family?.readOnly) throw invalidValue('--family', `${family.name} can only be read.`);
  }
  const open = (folder: string): Snapshot => openSnapshot(pathIn(context, folder), folder);
  const before = open(old);
  const after = later === undefined ? undefined : open(later);
  for (const [side, shown] of [[before, old] as const, [after, later ?? ''] as const])
    if (side?.manifest.masked === true)
      await refuseOthers(context, side, { shown, isAlone: later === undefined, hasPlan: plan !== undefined });
  const holdsFamily = (side: Snapshot | undefined, { name }: Resource): boolean =>
    side === undefined || side.manifest.files[name] !== undefined;
  const wanted =
    named ?? allFamilies.filter((family) => holdsFamily(before, family) || (after !== undefined && holdsFamily(after, family)));
  const missing = named?.find((family) => !holdsFamily(before, family) || !holdsFamily(after, family));
  if (missing !== undefined) throw new UsageError(`${holdsFamily(before, missing) ? later : old} has no ${pluralOf(missing)}.`);
  const families = wanted.filter((family) => holdsFamily(before, family) && holdsFamily(after, family));
  const api = after === undefined ? await context.api() : undefined;
  const records = (family: Resource): AsyncIterable<readonly unknown[]> =>
    api === undefined ? paged(after?.records(family.name) ?? []) : wholeFamily(context, api, family);
  const apart = wanted.filter((family) => !families.includes(family));
  return { families, before, records, apart, isGone, ...(plan === undefined ? {} : { plan }) };
}

/** Throws UsageError unless a masked snapshot is compared with the embedded CRM that was made from it. */
async function refuseOthers(
  context: Context,
  { dir }: Snapshot,
  { shown, isAlone, hasPlan }: { readonly shown: string; readonly isAlone: boolean; readonly hasPlan: boolean },
): Promise<void> {
  if (hasPlan) throw new UsageError(`${shown} is masked, so --plan would put made-up values back.`);
  const service = await serviceOf(context, (await context.settings()).baseUrl);
  if (isAlone && isSandbox(service)) {
    const { madeFrom } = await import('../../sandbox/create.ts');
    if (madeFrom(fileNamed(service) || (await sandboxPath(context))) === dir) return;
  }
  throw new UsageError(`${shown} is masked: it can only be compared with an embedded CRM that was made from it.`, {
    hint: `Make one: crm sandbox init --profile masked --from ${quoteWord(shown)}. Then: crm diff ${quoteWord(shown)} --profile masked`,
  });
}

async function* paged<T>(records: Iterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for (const record of records) {
    page.push(record);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function compareFamily(context: Context, family: Resource, { before, records }: DiffRequest, found: Found): Promise<void> {
  const { clock, signal } = context;
  const compare = comparison(family);
  const lookForSignal = async (): Promise<void> => {
    await clock.tick();
    signal.throwIfAborted();
  };
  refuseMany(family, before.manifest.files[family.name]?.records ?? 0);
  const older = new Map<string, { readonly digest: string; readonly place: ByteRange }>();
  for await (const page of paged(before.placed(family.name))) {
    await lookForSignal();
    for (const { record, place } of page) older.set(idText(record), { digest: recordDigest(record), place });
  }
  const oldAt = (place: ByteRange): unknown => before.recordAt(family.name, place);
  let count = 0;
  for await (const page of records(family)) {
    await lookForSignal();
    count += page.length;
    refuseMany(family, count);
    for (const record of page) {
      const old = older.get(idText(record));
      older.delete(idText(record));
      if (old === undefined) found.addOne(family, record, 'added');
      else if (old.digest !== recordDigest(record)) {
        const { differences, renamed } = compare(oldAt(old.place), record);
        for (const one of renamed) found.addRenamed(kindNoun(one.kind), one);
        if (differences.length > 0) found.addChanged(family, record, differences);
      }
    }
  }
  for (const { place } of older.values()) found.addOne(family, oldAt(place), 'gone');
}

const recordDigest = (record: unknown): string => hash('sha256', JSON.stringify(record), 'base64');

function refuseMany(family: Resource, count: number): void {
  if (count > limits.compared)
    throw new UsageError(`There are more than ${limits.compared} ${pluralOf(family)}, the most that can be compared.`);
}

class Found {
  readonly rows: object[] = [];
  readonly #asked: DiffRequest;
  readonly #arrow: string;
  readonly #lines = new Map<string, SummaryLine>();
  /** New names, by noun and id. */
  readonly renamed = new Map<string, string>();
  /** The changed records, for --plan. */
  readonly changed: { readonly record: unknown; readonly differences: readonly Differing[] }[] = [];
  /** The number of records that differ. */
  records = 0;

  /** `arrow`: stands between old and new values on a terminal. */
  constructor(asked: DiffRequest, arrow: string) {
    this.#asked = asked;
    this.#arrow = arrow;
  }

  get lines(): SummaryLine[] {
    return [...this.#lines.values()];
  }

  addOne(family: Resource, record: unknown, change: 'added' | 'gone'): void {
    this.records += 1;
    if (this.#asked.isGone) {
      if (change === 'gone') this.rows.push(record as object);
      return;
    }
    this.#add({ ...recordRow(family, record), change }, newOnly('', ''), change);
  }

  addChanged(family: Resource, record: unknown, differences: readonly Differing[]): void {
    this.records += 1;
    if (this.#asked.isGone) return;
    for (const one of differences) this.#add({ ...recordRow(family, record), change: 'changed' }, one);
    if (this.#asked.plan !== undefined) this.changed.push({ record, differences });
  }

  addRenamed(noun: string, { id, old, new: now }: { readonly id: string; readonly old: string; readonly new: string }): void {
    const key = `${noun} ${id}`;
    if (this.renamed.has(key)) return;
    this.renamed.set(key, now);
    if (this.#asked.isGone) return;
    this.#add({ family: noun, id: storedId(id), title: now, change: 'renamed' }, { field: '', old, new: now }, 'renamed');
  }

  sentence(): string {
    if (this.records === 0 && this.renamed.size === 0) return 'Nothing differs.';
    const renamed = this.renamed.size === 0 ? '' : `, ${this.renamed.size} renamed`;
    return `${this.counted}${renamed}.`;
  }

  get counted(): string {
    return `${howMany(this.records, 'record')} ${this.records === 1 ? 'differs' : 'differ'}`;
  }

  #add(row: DiffRow, one: Difference, what = one.field): void {
    this.rows.push({ ...row, ...plainDifference(one) });
    const key = `${row.family} ${what}`;
    const line = this.#lines.get(key) ?? { family: row.family, what, records: 0, first: '' };
    this.#lines.set(key, line);
    line.records += 1;
    if (line.records > firstFew) return;
    const text = row.change === 'changed' || row.change === 'renamed' ? saying(one, this.#arrow) : (row.title ?? '');
    line.first = `${line.first}${line.first === '' ? '' : '; '}${row.id} ${text}`.trim();
  }
}

function recordRow(family: Resource, record: unknown): Omit<DiffRow, 'change'> {
  const title = family.title === undefined ? '' : scalarText(valueAt(record, family.title));
  return { family: family.name, id: storedId(idText(record)), title: title === '' ? null : title };
}

async function* pagesOf(rows: readonly object[]): AsyncGenerator<Answer> {
  for (let from = 0; from < rows.length; from += pageSize) {
    const data = rows.slice(from, from + pageSize);
    yield { status: 200, data, envelope: data };
  }
}

async function writePlan(context: Context, { families: [family], plan = '' }: DiffRequest, found: Found, shown: string): Promise<void> {
  if (family === undefined) return;
  let count = 0;
  const lost = new Map<string, number>();
  const rows = found.changed.flatMap(({ record, differences }): ChangeRow[] => {
    const changes: Difference[] = [];
    for (const { field, isWritable, kind, old, oldKey, new: now } of differences) {
      // The relation's present name, since a change file looks names up.
      const back = kind === undefined ? old : (found.renamed.get(`${kindNoun(kind)} ${oldKey}`) ?? old);
      if (isWritable) changes.push({ field, old: now, new: back });
      else lost.set(field, (lost.get(field) ?? 0) + 1);
    }
    count += changes.length;
    const guards = titleGuard(
      family,
      changes.map(({ field }) => field),
      record,
    );
    return changes.length === 0 ? [] : [{ id: storedId(idText(record)), changes, guards }];
  });
  await writeChangeFile(context, plan, family.name, rows);
  const staysText =
    lost.size === 0 ? '' : ` Values that no change file can put back: ${listed([...lost].map(([name, times]) => `${name} (${times})`))}.`;
  context.afterwards.push(
    `${plan} puts back ${howMany(count, 'value')} of ${shown}.${staysText} Nothing was sent. To carry it out: ${applyCommand(context, plan)}`,
  );
}
