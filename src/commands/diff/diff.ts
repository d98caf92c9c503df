// `crm diff`: one family after the other, the older records are kept by their ids, and the newer ones are read past them; what is left
// over is gone.

import { resolve } from 'node:path';
import type { Answer } from '../../api/types.ts';
import { heldText, placeOf, type ValuePair } from '../../changes/file/change-cells.ts';
import { applyCommand, type ChangeRow, isWorkbookName, refuseExisting, writeChangeFile } from '../../changes/file/change-file.ts';
import type { Context } from '../../context.ts';
import { invalidValue, UsageError } from '../../errors.ts';
import { openSnapshot, type Snapshot } from '../../files/snapshot.ts';
import type { Input } from '../../flag.ts';
import type { Result } from '../../output/result.ts';
import { pluralOf, type Resource } from '../../resources/define.ts';
import { allFamilies } from '../../resources/index.ts';
import { parseJson, scalarText } from '../../values/json.ts';
import { keptId } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { howMany, listed } from '../../values/text/wording.ts';
import { brokenGate, gateOf } from '../../verbs/list/gate.ts';
import { favourMemory } from '../../verbs/list/lean-memory.ts';
import { familiesNamed, wholeFamily } from '../snapshot/take.ts';
import { comparison, type Difference, nounOf } from './compare.ts';
import { DiffScratch } from './scratch.ts';

/** What is printed, a row a value. Of a record that was added or is gone there is one row without a field. */
interface DiffRow {
  readonly family: string;
  readonly id: number | string;
  readonly title: string | null;
  readonly change: 'changed' | 'added' | 'gone' | 'renamed';
  readonly field: string | null;
  readonly old: string | null;
  readonly new: string | null;
}

/** A line of what a terminal shows: so many records, and the first few. */
interface SummaryLine {
  readonly family: string;
  readonly what: string;
  records: number;
  first: string;
}

/** What is asked for, checked. */
interface DiffRequest {
  readonly families: readonly Resource[];
  readonly before: Snapshot;
  readonly records: (family: Resource) => AsyncIterable<readonly unknown[]>;
  /** Families that only one side has. */
  readonly apart: readonly Resource[];
  readonly isGone: boolean;
  readonly plan?: string;
}

/** How many records are compared before signals are looked at, and how many rows are written at once. */
const pageSize = 500;
const firstFew = 3;

/** Compares. Throws UsageError for what is no whole snapshot, UnavailableError for a service's list that moved. */
export async function diff(context: Context, input: Input): Promise<Result> {
  const gate = gateOf(input);
  const asked = await askedFor(context, input);
  favourMemory();
  const scratch = new DiffScratch();
  const found = new Found(scratch, asked);
  for (const family of asked.families) await compareFamily(context, family, asked, found);
  if (asked.plan !== undefined) await writePlan(context, asked, found, input.args[0] ?? '');
  if (asked.apart.length > 0)
    context.afterwards.push(`Not compared, for one of the two has none: ${listed(asked.apart.map((one) => pluralOf(one)))}.`);
  const sum = found.sentence();
  const problem = brokenGate(gate, found.records, found.counted);
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
  return { kind: 'records', pages: pagesOf(scratch), shape, empty: () => (asked.isGone ? 'None is gone.' : sum), ...ending };
}

const columnsOf = (paths: readonly string[]) => paths.map((path) => ({ path }));
const rowPaths = ['family', 'id', 'title', 'change', 'field', 'old', 'new'];
const rowShape = { singular: 'difference', columns: columnsOf(rowPaths), record: rowPaths };
const summaryShape = {
  columns: [{ path: 'family' }, { path: 'what' }, { path: 'records', align: 'right' as const }, { path: 'first' }],
  record: ['family', 'what', 'records', 'first'],
};

async function askedFor(context: Context, { args: [old = '', later], flags }: Input): Promise<DiffRequest> {
  const named = typeof flags.family === 'string' ? familiesNamed(flags.family) : undefined;
  const isGone = flags.gone === true;
  const plan = typeof flags.plan === 'string' ? flags.plan : undefined;
  if (isGone && plan !== undefined) throw new UsageError("--gone can't be combined with --plan: what is gone can't be changed.");
  if ((isGone || plan !== undefined) && named?.length !== 1)
    throw new UsageError(`--${isGone ? 'gone' : 'plan'} is about one family: name it with --family.`);
  if (plan !== undefined) {
    isWorkbookName(plan);
    await refuseExisting(context, plan);
    const [family] = named ?? [];
    if (family?.readOnly) throw invalidValue('--family', `${family.name} can only be read.`);
  }
  const open = (typed: string): Snapshot => openSnapshot(resolve(context.cwd, typed), typed);
  const before = open(old);
  const after = later === undefined ? undefined : open(later);
  const has = (side: Snapshot | undefined, { name }: Resource): boolean => side === undefined || side.manifest.files[name] !== undefined;
  const wanted = named ?? allFamilies.filter((family) => has(before, family) || (after !== undefined && has(after, family)));
  const missing = named?.find((family) => !has(before, family) || !has(after, family));
  if (missing !== undefined) throw new UsageError(`${has(before, missing) ? later : old} has no ${pluralOf(missing)}.`);
  const families = wanted.filter((family) => has(before, family) && has(after, family));
  const api = after === undefined ? await context.api() : undefined;
  const records = (family: Resource): AsyncIterable<readonly unknown[]> =>
    api === undefined ? paged(after?.records(family.name) ?? []) : wholeFamily(context, api, family);
  const apart = wanted.filter((family) => !families.includes(family));
  return { families, before, records, apart, isGone, ...(plan === undefined ? {} : { plan }) };
}

async function* paged(records: Iterable<unknown>): AsyncGenerator<readonly unknown[]> {
  let page: unknown[] = [];
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
  const { scratch } = found;
  const compare = comparison(family);
  const turn = async (): Promise<void> => {
    await clock.turn();
    signal.throwIfAborted();
  };
  let n = 0;
  for await (const page of paged(before.records(family.name))) {
    await turn();
    for (const record of page) {
      n += 1;
      scratch.keep(idText(record), n, JSON.stringify(record));
    }
  }
  for await (const page of records(family)) {
    await turn();
    for (const record of page) {
      const text = scratch.take(idText(record));
      if (text === undefined) found.addOne(family, record, 'added');
      else if (text !== JSON.stringify(record)) {
        const old = parseJson(text);
        const { differences, renamed } = compare(old, record);
        for (const one of renamed) found.addRenamed(nounOf(one.kind), one);
        if (differences.length > 0) found.addChanged(family, record, differences);
      }
    }
  }
  for (const text of scratch.left()) found.addOne(family, parseJson(text), 'gone');
  scratch.forgetRecords();
}

const idText = (record: unknown): string => scalarText(valueAt(record, 'id'));

/** What is found: rows go into the scratch table, and are counted. */
class Found {
  readonly scratch: DiffScratch;
  readonly #asked: DiffRequest;
  readonly #lines = new Map<string, SummaryLine>();
  /** New names by noun and id. */
  readonly renamed = new Map<string, string>();
  /** For --plan: what differs, record by record. */
  readonly changed: { readonly record: unknown; readonly differences: readonly Difference[] }[] = [];
  /** How many records differ. */
  records = 0;

  constructor(scratch: DiffScratch, asked: DiffRequest) {
    this.scratch = scratch;
    this.#asked = asked;
  }

  get lines(): SummaryLine[] {
    return [...this.#lines.values()];
  }

  addOne(family: Resource, record: unknown, change: 'added' | 'gone'): void {
    this.records += 1;
    if (this.#asked.isGone) {
      if (change === 'gone') this.scratch.add(record as object);
      return;
    }
    this.#add({ ...rowOf(family, record), change, field: null, old: null, new: null }, change);
  }

  addChanged(family: Resource, record: unknown, differences: readonly Difference[]): void {
    this.records += 1;
    if (this.#asked.isGone) return;
    for (const { name, old, new: now } of differences)
      this.#add({ ...rowOf(family, record), change: 'changed', field: name, old, new: now }, name);
    if (this.#asked.plan !== undefined) this.changed.push({ record, differences });
  }

  addRenamed(noun: string, { id, old, new: now }: { readonly id: string; readonly old: string; readonly new: string }): void {
    const key = `${noun} ${id}`;
    if (this.renamed.has(key)) return;
    this.renamed.set(key, now);
    if (this.#asked.isGone) return;
    this.#add({ family: noun, id: keptId(id), title: now, change: 'renamed', field: null, old, new: now }, 'renamed');
  }

  sentence(): string {
    if (this.records === 0 && this.renamed.size === 0) return 'Nothing differs.';
    const renamed = this.renamed.size === 0 ? '' : `, ${this.renamed.size} renamed`;
    return `${this.counted}${renamed}.`;
  }

  get counted(): string {
    return `${howMany(this.records, 'record')} ${this.records === 1 ? 'differs' : 'differ'}`;
  }

  #add(row: DiffRow, what: string): void {
    this.scratch.add(row);
    const key = `${row.family} ${what}`;
    const line = this.#lines.get(key) ?? { family: row.family, what, records: 0, first: '' };
    this.#lines.set(key, line);
    line.records += 1;
    if (line.records > firstFew) return;
    const text =
      row.change === 'changed' || row.change === 'renamed' ? `${row.old || '(empty)'} -> ${row.new || '(empty)'}` : (row.title ?? '');
    line.first = `${line.first}${line.first === '' ? '' : '; '}${row.id} ${text}`.trim();
  }
}

function rowOf(family: Resource, record: unknown): Pick<DiffRow, 'family' | 'id' | 'title'> {
  const title = family.title === undefined ? '' : scalarText(valueAt(record, family.title));
  return { family: family.name, id: keptId(idText(record)), title: title === '' ? null : title };
}

async function* pagesOf(scratch: DiffScratch): AsyncGenerator<Answer> {
  for (const page of scratch.rows(pageSize)) {
    const data = page.map((text) => parseJson(text));
    yield { status: 200, data, envelope: data };
  }
}

/** Writes what puts the older values back; what no change file can hold is said. */
async function writePlan(context: Context, { families: [family], plan = '' }: DiffRequest, found: Found, shown: string): Promise<void> {
  if (family === undefined) return;
  const { title } = family;
  const titleName = family.fields.find(({ read }) => read === title)?.flag ?? title;
  let count = 0;
  const lost = new Map<string, number>();
  const rows = found.changed.flatMap(({ record, differences }): ChangeRow[] => {
    const values = new Map<string, ValuePair>();
    for (const { name, isWritable, kind, old, oldKey, new: now } of differences) {
      // Under the name that it has now.
      const back = kind === undefined ? old : (found.renamed.get(`${nounOf(kind)} ${oldKey}`) ?? old);
      if (isWritable) values.set(name, [back, now]);
      else lost.set(name, (lost.get(name) ?? 0) + 1);
    }
    count += values.size;
    const guards =
      titleName === undefined || values.has(titleName)
        ? new Map<string, string>()
        : new Map([[titleName, heldText(family, placeOf(family, titleName), record)]]);
    return values.size === 0 ? [] : [{ id: keptId(idText(record)), values, guards }];
  });
  await writeChangeFile(context, plan, family.name, rows);
  const kept =
    lost.size === 0 ? '' : ` What no change file can put back stays: ${listed([...lost].map(([name, times]) => `${name} (${times})`))}.`;
  context.afterwards.push(
    `${plan} puts back ${howMany(count, 'value')} of ${shown}.${kept} Nothing was sent. To carry it out: ${applyCommand(context, plan)}`,
  );
}
