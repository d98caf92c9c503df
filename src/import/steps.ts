// The rows of a file as steps of a run: what is sent for them, and how a request of one is told.

import type { Api } from '../api/client.ts';
import { readRecord } from '../api/read-record.ts';
import type { RecordWrite } from '../api/write-record.ts';
import { type Extra, extrasOf } from '../bodies/extras.ts';
import { holdsAll } from '../bodies/held.ts';
import { asMember } from '../bodies/names.ts';
import { updateShape } from '../bodies/shape.ts';
import { preparedWrite, type Telling, traceTo } from '../changes/write.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { placeText } from '../files/problems.ts';
import { plainUpdate } from '../records/plain-change.ts';
import type { Resource } from '../resources/define.ts';
import { createdRecord } from '../runs/doubts/newest.ts';
import { fieldKey } from '../runs/field-key.ts';
import type { Run } from '../runs/journal/run.ts';
import type { Conflicting, Part, Plan, PreparedRequest, SentRequest, Settled, Step, Trace, Verdict, World } from '../runs/step.ts';
import { scalarText } from '../values/json.ts';
import { type Id, keptId } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import { newestCommand } from '../verbs/create.ts';
import { type ExtraWrite, extraKept, extraSent, extraShown, extraWrites, refuseClearing } from './columns/extras.ts';
import { givenBefore, givenFor } from './match/compare.ts';
import type { HeldAt, ImportPlan } from './plan.ts';
import type { ImportRequest } from './request.ts';
import { changeOf, matchOf, type RowChange, type RowWork, tellingOf, updateWith } from './row-change.ts';
import { type RowAgain, rowsAgain } from './rows/check.ts';
import { digestOf, type Row } from './rows/row.ts';
import type { RowNotes } from './rows/row-notes.ts';
import { settledForCreation } from './rows/rows.ts';

/** What the steps of an import need. */
interface ImportWork extends RowWork {
  readonly request: ImportRequest;
  readonly run: Run;
  /** Which rows are wrong. */
  readonly notes: RowNotes;
  /** Of a row that was done before: whether a part of it may be lacking. */
  mayGoOn(n: number): boolean;
}

/** The file as a plan: it is read again each time, and holds no rows but the few that are under way. */
export function importSteps(work: ImportWork): Plan {
  const { plan, request, notes } = work;
  const parts = extrasOf(plan.resource).length + 1;
  const isOpen = (isWanted: (n: number, part?: number) => boolean, n: number): boolean => {
    if (isWanted(n)) return true;
    for (let part = 1; part <= parts && work.mayGoOn(n); part += 1) if (isWanted(n, part)) return true;
    return false;
  };
  return {
    async *steps(isWanted) {
      for await (const some of rowsAgain(request, notes, (n) => !isOpen(isWanted, n))) {
        for (const one of some) {
          if (one.row === undefined) yield invalidStep(plan, one);
          else yield new RowStep(work, one.row, isWanted(one.number) || work.mayGoOn(one.number) ? givenParts(plan, one.row) : []);
        }
      }
    },
  };
}

/** A row that is wrong: it fails without being sent. */
function invalidStep({ resource }: ImportPlan, { number, line, problem = '' }: RowAgain): Step {
  return {
    n: number,
    key: placeText({ line }),
    family: resource.name,
    prepare: () => Promise.reject(new UsageError(problem, { isAsked: true })),
    trace: () => ({ kind: 'repeatable' }),
  };
}

/** What a row needs beside its first write, once that knows. */
interface Needs {
  /** The parts that differ from its record. */
  readonly parts: ReadonlySet<number>;
  /** The record as the first write found it; undefined for one that was made. */
  readonly record: unknown;
}

/** The step of a row. Many wait at once to be sent, so each holds its row and works out everything else when it is asked for. */
class RowStep implements Step {
  readonly parts: readonly Part[];
  readonly #work: ImportWork;
  readonly #row: Row;
  #needs: Needs | undefined;

  constructor(work: ImportWork, row: Row, parts: readonly Pick<Part, 'part' | 'name'>[]) {
    this.#work = work;
    this.#row = row;
    this.parts = parts.map((part) => this.#partOf(part));
  }

  get n(): number {
    return this.#row.number;
  }

  get key(): string {
    return placeText({ line: this.#row.line });
  }

  get family(): string {
    return this.#work.plan.resource.name;
  }

  get digest(): Uint8Array {
    return Buffer.from(digestOf(this.#row), 'latin1');
  }

  prepare(world: World): Promise<PreparedRequest | Settled | Conflicting> {
    return prepare(this.#work, this.#row, world, (needs) => {
      this.#needs = needs;
    });
  }

  trace(sent: SentRequest): Trace {
    this.#isInDoubt();
    return traceOf(this.#work.plan, this.#row, sent);
  }

  /** An answer about a record that the row made was lost, and somebody may have found it since: it is looked at before more is written. */
  #isInDoubt(): void {
    if (this.#needs?.record === undefined) this.#needs = undefined;
  }

  #partOf({ part, name }: Pick<Part, 'part' | 'name'>): Part {
    let isAgain = false;
    return {
      part,
      name,
      key: placeText({ line: this.#row.line, column: name }),
      prepare: (world) => {
        if (isAgain) this.#isInDoubt();
        isAgain = true;
        return this.#preparePart(part, world);
      },
      trace: (sent) => {
        this.#isInDoubt();
        return furtherTrace(this.#work.plan, this.#row, sent);
      },
    };
  }

  /** A part looks at the record, and does what is lacking still. */
  async #preparePart(part: number, { api }: World): Promise<PreparedRequest | Settled> {
    const { plan, run } = this.#work;
    const { resource } = plan;
    const [first] = run.pastAt([this.n]);
    if (first?.id === undefined) throw new UsageError(`Nobody can tell which of the ${resource.name} is this row's.`);
    const id = keptId(first.id);
    const unchanged: Settled = { settled: 'unchanged', made: [], target: id };
    const needs = this.#needs;
    if (needs !== undefined && !needs.parts.has(part)) return unchanged;
    const isNew = first.kind === 'create';
    // What was made a moment ago holds nothing of others' yet.
    const isJustMade = isNew && needs !== undefined;
    const record = isJustMade ? undefined : await readRecord(api, `${resource.path}/${id}`);
    if (part === fieldsPart) return this.#fields(id, record) ?? unchanged;
    const held: HeldAt | undefined = isJustMade ? undefined : (member) => valueAt(record, member);
    // The set of a record that the row made is the row's; what somebody has put there since stays.
    const sets = isJustMade ? 'replace' : 'add';
    const write = extraWrites(isNew ? { ...plan, sets } : plan, this.#row.extras ?? [], held).find((one) => partOf(plan, one) === part);
    if (write === undefined) return unchanged;
    if (needs?.record !== undefined && JSON.stringify(extraKept(write, needs.record)) !== JSON.stringify(extraKept(write, record)))
      throw new ConflictError('changed meanwhile, so left as it is.');
    if (!isJustMade) refuseClearing(plan, write, id, record);
    return extraOperation(plan, id, write, record);
  }

  #fields(id: Id, record: unknown): PreparedRequest | undefined {
    const { plan } = this.#work;
    const given = givenFor(plan, this.#row, (member) => valueAt(record, member));
    return holdsAll(updateShape(plan.resource).fields, record, given) ? undefined : updateWith(this.#work, id, record, given);
  }
}

/** Tells what a row needs beside its first write. */
type TellNeeds = (needs: Needs) => void;

async function prepare(work: ImportWork, row: Row, { api }: World, needs: TellNeeds): Promise<PreparedRequest | Settled | Conflicting> {
  const { plan } = work;
  const change = await changeOf(work, row, await matchOf(work, row, api), api);
  if (change.kind === 'create') return createOf(work, row, change, needs);
  const { id } = change;
  needs({ parts: new Set(), record: undefined });
  if (change.kind === 'unchanged') return { settled: 'unchanged', made: [], target: id };
  if (change.conflict !== undefined) return { conflict: change.conflict, target: id };
  const [first, ...others] = operationsOf(plan, change);
  needs({ parts: new Set(others.map(({ part }) => part)), record: change.record });
  return first === undefined ? { settled: 'unchanged', made: [], target: id } : first.operation;
}

function createOf(work: ImportWork, row: Row, { body, extras }: Extract<RowChange, { kind: 'create' }>, needs: TellNeeds): PreparedRequest {
  const { plan } = work;
  const { resource } = plan;
  needs({ parts: new Set(extras.map((one) => partOf(plan, one))), record: undefined });
  return {
    request: { method: 'POST', path: resource.path, body, check: newestCommand(resource) },
    sent: { kind: 'create', body },
    did: 'created',
    took: ({ data }) => {
      tellOtherKey(work, row, data);
      return { made: [createdRecord(resource, data)] };
    },
  };
}

/** Says where a record came out with another key than its row has: the row would make another one each time. */
function tellOtherKey({ plan: { match }, tell }: ImportWork, { key }: Row, made: unknown): void {
  if (key === undefined || match?.kind !== 'field') return;
  const { flag } = match.field;
  const held = scalarText(valueAt(made, match.read));
  if (held === '' || fieldKey(match.field, held) === key) return;
  const isCut = key.startsWith(fieldKey(match.field, held));
  const keeps = isCut ? `${[...held].length} characters of ${flag}: a row with more` : `another ${flag} than it is sent: such a row`;
  tell(`The service keeps ${keeps} will not be found by it again.`, `the key ${flag}`);
}

/** The writes of a change, in their order: its fields between the extras. */
function operationsOf(plan: ImportPlan, { id, record, extras, update }: Extract<RowChange, { kind: 'change' }>) {
  const writesOf = (some: readonly ExtraWrite[]) =>
    some.map((one) => ({ part: partOf(plan, one), operation: extraOperation(plan, id, one, record) }));
  return [
    ...writesOf(extras.filter(({ isFirst }) => isFirst)),
    ...(update === undefined ? [] : [{ part: fieldsPart, operation: update }]),
    ...writesOf(extras.filter(({ isFirst }) => !isFirst)),
  ];
}

/** The request that writes an extra. `record`: as it was read just now; undefined for one that was made just now. */
function extraOperation({ resource }: ImportPlan, id: Id, write: ExtraWrite, record: unknown): PreparedRequest {
  const { kind, below, body, isRepeatable } = write;
  const request: RecordWrite = {
    method: 'PUT',
    below,
    ...(body === undefined ? {} : { body }),
    ...(isRepeatable ? { repeatable: true } : {}),
  };
  const before = extraKept(write, record);
  return preparedWrite({ ...extraTelling(resource, write), resource, id, kind, did: 'updated', request, record, before });
}

const extraTelling = (resource: Resource, write: ExtraWrite): Telling => ({
  kept: (record) => extraKept(write, record),
  shows: (record) => extraShown(resource, write, record),
});

/** What a row writes after its first request: the fields, where it made an archived record active first, and each extra. */
const fieldsPart = 1;
const partOf = ({ resource }: ImportPlan, { extra }: ExtraWrite): number =>
  extrasOf(resource).findIndex(({ name }) => name === extra.name) + fieldsPart + 1;

/** The parts that a row may need, in their order. */
function givenParts(plan: ImportPlan, { extras = [] }: Row): { readonly part: number; readonly name: string }[] {
  if (extras.length === 0) return [];
  const isGiven = (one: Extra): boolean => extras.some(({ extra }) => extra.name === one.name);
  const needsFields =
    plan.mode !== 'create' && extras.some(({ extra }) => !('set' in extra) && extra.actions.some(({ initial }) => initial));
  return [
    ...(needsFields ? [{ part: fieldsPart, name: 'fields' }] : []),
    ...extrasOf(plan.resource).flatMap((one, index) => (isGiven(one) ? [{ part: index + fieldsPart + 1, name: one.name }] : [])),
  ];
}

/** What a request of a row to a record that is there came to, by looking at it; of one that the journal lost, the row is done again. */
function furtherTrace(plan: ImportPlan, row: Row, { kind, target, before, body }: SentRequest): Trace {
  const { resource } = plan;
  if (target === undefined) return { kind: 'repeatable' };
  const about = { id: target, before, did: 'updated' };
  if (kind === 'update') {
    const given = givenBefore(plan, row, before);
    const telling = tellingOf(plainUpdate(resource, given, asMember), { method: 'PATCH', body: given });
    return before === undefined ? unlessShown(traceTo(resource, telling, about)) : traceTo(resource, telling, about);
  }
  const write = extraSent(resource, kind, body);
  if (write === undefined) return { kind: 'repeatable' };
  const trace = traceTo(resource, extraTelling(resource, write), about);
  // What a new record held was not read.
  return isMembers(before) && before[write.extra.name] === null ? unlessShown(trace) : trace;
}

/** Of a record whose old values nobody knows: what it doesn't show is sent again. */
function unlessShown(trace: Trace): Trace {
  if (trace.kind !== 'target') return trace;
  const look = async (api: Api): Promise<Verdict> => {
    const verdict = await trace.look(api);
    return verdict.end === 'found' ? verdict : { end: 'absent' };
  };
  return { kind: 'target', look };
}

function traceOf(plan: ImportPlan, row: Row, { kind, target, before, body }: SentRequest): Trace {
  if (kind !== 'create' && target !== undefined)
    return furtherTrace(plan, row, { kind, target, before, ...(body === undefined ? {} : { body }) });
  if (plan.mode === 'update') return { kind: 'repeatable' };
  try {
    return { kind: 'create', resource: plan.resource, body: plan.mode === 'create' ? row.body : settledForCreation(plan, row) };
  } catch (error) {
    // A row that can't create a record was sent as an update, whatever the journal could keep of it.
    if (error instanceof UsageError) return { kind: 'repeatable' };
    throw error;
  }
}
