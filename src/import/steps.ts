// The rows of a file as steps of a run: the requests of each row, and how to find the outcome of a lost request.

import { ConflictError, UsageError } from '../base/errors.ts';
import { placeText } from '../base/files/problems.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, storedId } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { firstOf, howMany } from '../base/values/text/wording.ts';
import { newestCommand } from '../changes/create.ts';
import { lookAfter, preparedChange, recordEvidence } from '../changes/write.ts';
import type { Api } from '../client/client.ts';
import { elementsSent, plainUpdate } from '../client/plain-change.ts';
import { readRecord } from '../client/read-record.ts';
import { type Extra, extrasOf, inOrder } from '../model/bodies/extras.ts';
import { holdsAll } from '../model/bodies/held.ts';
import { areSameValues } from '../model/bodies/lost-write.ts';
import { asMember } from '../model/bodies/names.ts';
import { elementText } from '../model/bodies/replaced-set.ts';
import type { ReplacedSet, Resource } from '../model/define.ts';
import { fieldKey } from '../model/field-key.ts';
import { displayText } from '../model/records/display.ts';
import { updateShape } from '../model/shape.ts';
import type { Run } from '../runs/journal/run.ts';
import type { AsWanted, Conflicting, Look, Part, PreparedRequest, SentRequest, Step, Steps, Verdict, World } from '../runs/step.ts';
import { createdRecord } from '../runs/step.ts';
import { type ExtraWrite, extraSent, extraWrites, refuseClearing } from './columns/extras.ts';
import type { HeldAt, ImportJob } from './job.ts';
import { givenBefore, givenFor } from './match/compare.ts';
import type { ImportRequest } from './request.ts';
import { changeOf, type RowChange, type RowWork, recordOfRow, updateWith } from './row-change.ts';
import { type RowAgain, rowsAgain } from './rows/check.ts';
import { type Row, rowDigests } from './rows/row.ts';
import type { RowNotes } from './rows/row-notes.ts';
import { resolvedForCreation } from './rows/rows.ts';

interface ImportWork extends RowWork {
  readonly request: ImportRequest;
  readonly run: Run;
  readonly displaced: Displaced;
  /** Tells which rows are invalid. */
  readonly notes: RowNotes;
  readonly digests: ReturnType<typeof rowDigests>;
  /** True when a row may still have parts to send, although an earlier attempt has done the row. */
  mayGoOn(n: number): boolean;
}

/** The file as steps. Each pass reads the file again and holds only the rows under way. */
export function importSteps(given: Omit<ImportWork, 'digests'>): Steps {
  const work = { ...given, digests: rowDigests(given.job) };
  const { job, request, notes } = work;
  const parts = extrasOf(job.resource).length + 1;
  const isOpen = (isWanted: (n: number, part?: number) => boolean, n: number): boolean => {
    if (isWanted(n)) return true;
    for (let part = 1; part <= parts && work.mayGoOn(n); part += 1) if (isWanted(n, part)) return true;
    return false;
  };
  return {
    async *read(isWanted) {
      for await (const some of rowsAgain(request, notes, (n) => !isOpen(isWanted, n))) {
        for (const one of some) {
          if (one.row === undefined) yield invalidStep(job, one);
          else yield new RowStep(work, one.row, isWanted(one.number) || work.mayGoOn(one.number) ? givenParts(job, one.row) : []);
        }
      }
    },
  };
}

/** Fails without a request. */
function invalidStep({ resource }: ImportJob, { number, line, problem = '' }: RowAgain): Step {
  return {
    n: number,
    key: placeText({ line }),
    family: resource.name,
    prepare: () => Promise.reject(new UsageError(problem, { isAsked: true })),
    lookFor: () => ({ kind: 'repeatable' }),
  };
}

/** The parts that a row needs after its first request. Known once `prepare` has run, until others may have changed the record. */
interface Needs {
  /** The parts whose values differ from the record. */
  readonly parts: ReadonlySet<number>;
  /** The record as the first request found it; undefined for a new record, and where nothing is sent. */
  readonly record: unknown;
}

/**
 * The step of a row. Many steps wait at once, so each holds only its row and works out the rest on demand. The first of the writes that a
 * row needs (`inOrder`) is the step's own, the others are its parts.
 *
 * | `#needs` | after | a part |
 * | --- | --- | --- |
 * | without `record` | a create | is sent if the row gives it; only a set reads the record |
 * | with `record` | a change of a record | reads the record again; another old value is a conflict |
 * | undefined | a lost answer, a pause, an earlier run | reads the record, and is sent if the record lacks its values |
 */
class RowStep implements Step {
  readonly parts: readonly Part[];
  readonly #work: ImportWork;
  readonly #row: Row;
  #needs: Needs | undefined;

  constructor(work: ImportWork, row: Row, parts: readonly Pick<Part, 'part' | 'name'>[]) {
    this.#work = work;
    this.#row = row;
    this.parts = parts.map((part) => this.#partOfExtra(part));
  }

  get n(): number {
    return this.#row.number;
  }

  get key(): string {
    return placeText({ line: this.#row.line });
  }

  get family(): string {
    return this.#work.job.resource.name;
  }

  get digest(): Uint8Array {
    return Buffer.from(this.#work.digests(this.#row).own, 'latin1');
  }

  async prepare({ api }: World): Promise<PreparedRequest | AsWanted | Conflicting> {
    const { job } = this.#work;
    const change = await changeOf(this.#work, this.#row, await recordOfRow(this.#work, this.#row, api), api);
    if (change.kind === 'create') {
      this.#needs = { parts: new Set(change.extras.map((one) => partOfExtra(job, one))), record: undefined };
      return this.#creation(change.body);
    }
    const unchanged: AsWanted = { did: 'unchanged', made: [], target: change.id };
    this.#needs = { parts: new Set(), record: undefined };
    if (change.kind === 'unchanged') return unchanged;
    if (change.conflict !== undefined) return { conflict: change.conflict, target: change.id };
    const [first, ...others] = operationsOf(job, change);
    this.#needs = { parts: new Set(others.map(({ part }) => part)), record: change.record };
    return first?.operation ?? unchanged;
  }

  #creation(body: Body): PreparedRequest {
    const { resource } = this.#work.job;
    return {
      request: { method: 'POST', path: resource.path, body, check: newestCommand(resource) },
      sent: { kind: 'create', body },
      did: 'created',
      factsOf: ({ data }, read) => {
        // The read may have waited for a pause, in which others changed the record: the next part reads the record.
        if (read !== undefined) this.#needs = undefined;
        tellOtherKey(this.#work, this.#row, data);
        return { made: [createdRecord(resource, data, read)] };
      },
    };
  }

  lookFor(sent: SentRequest): Look {
    this.#forgetNeeds();
    const [{ job }, row] = [this.#work, this.#row];
    if (sent.kind !== 'create' && sent.target !== undefined) return partLook(job, row, sent);
    if (job.mode === 'update') return { kind: 'repeatable' };
    try {
      return { kind: 'create', body: job.mode === 'create' ? row.body : resolvedForCreation(job, row) };
    } catch (error) {
      // A row that can't create was sent as an update, even if the journal lost its target.
      if (error instanceof UsageError) return { kind: 'repeatable' };
      throw error;
    }
  }

  /** After a lost answer others may have changed the new record. Without needs, the next part reads the record. */
  #forgetNeeds(): void {
    if (this.#needs?.record === undefined) this.#needs = undefined;
  }

  #partOfExtra({ part, name }: Pick<Part, 'part' | 'name'>): Part {
    let isAgain = false;
    return {
      part,
      name,
      key: placeText({ line: this.#row.line, column: name }),
      prepare: (world) => {
        if (isAgain) this.#forgetNeeds();
        isAgain = true;
        return this.#preparePart(part, world);
      },
      lookFor: (sent) => {
        this.#forgetNeeds();
        return partLook(this.#work.job, this.#row, sent);
      },
    };
  }

  /** Reads the record, and prepares the part if the record still lacks it. */
  async #preparePart(part: number, { api }: World): Promise<PreparedRequest | AsWanted> {
    const { job, run } = this.#work;
    const { resource } = job;
    const [first] = run.pastAt([this.n]);
    if (first?.id === undefined)
      throw new UsageError(`The record of this row is unknown: nobody can tell which of the ${resource.name} it is.`);
    const id = storedId(first.id);
    const unchanged: AsWanted = { did: 'unchanged', made: [], target: id };
    const needs = this.#needs;
    if (needs !== undefined && !needs.parts.has(part)) return unchanged;
    const isNew = first.kind === 'create';
    const extra = extrasOf(resource)[part - fieldsPart - 1];
    const set = extra !== undefined && 'set' in extra ? extra.set : undefined;
    // A rule of the service may have filled the sets of a new record, but not its state.
    const isJustMade = isNew && needs !== undefined && set === undefined;
    const record = isJustMade ? undefined : await readRecord(api, `${resource.path}/${id}`);
    if (part === fieldsPart) {
      const given = givenFor(this.#work, this.#row, record);
      return holdsAll(updateShape(resource).fields, record, given) ? unchanged : updateWith(this.#work, id, record, given);
    }
    const held: HeldAt | undefined = isJustMade ? undefined : (member) => valueAt(record, member);
    const { extras = [] } = this.#row;
    // A blank cell asks nothing of a new record. Of its sets, texts such as tags are added, and people take the place of a rule's people.
    const write = (
      isNew
        ? extraWrites(
            { ...job, sets: job.sets ?? (set?.element === undefined ? 'add' : 'replace') },
            extras.filter(({ elements }) => elements.length > 0),
            held,
          )
        : extraWrites(job, extras, held)
    ).find((one) => partOfExtra(job, one) === part);
    if (write === undefined) return unchanged;
    if (needs?.record !== undefined && !areSameValues(write.change.valuesIn(needs.record), write.change.valuesIn(record)))
      throw new ConflictError('changed meanwhile, so left as it is.');
    if (!isJustMade) refuseClearing(job, write, id, record);
    const operation = extraOperation(job, id, write, record);
    if (!isNew || set?.element === undefined) return operation;
    return {
      ...operation,
      factsOf: (answer, read) => {
        this.#work.displaced.note(this.n, elementsLost(set, record, write));
        return operation.factsOf(answer, read);
      },
    };
  }
}

/** The names of the elements that a record holds and a write doesn't send. */
function elementsLost(set: ReplacedSet, record: unknown, { change }: ExtraWrite): string[] {
  const sent = new Set(elementsSent(set, change.write(record)).map(String));
  return ([valueAt(record, set.read)].flat() as unknown[]).flatMap((one) => {
    const text = one === null || one === undefined ? '' : elementText(set, one);
    return text === '' || sent.has(text) ? [] : [(isMembers(one) && displayText(one.name)) || text];
  });
}

/** The people to whom a rule of the service gave new records, and in whose place the people of the file came. */
export class Displaced {
  readonly #rows = new Set<number>();
  readonly #names = new Set<string>();

  note(row: number, names: readonly string[]): void {
    if (names.length > 0) this.#rows.add(row);
    for (const name of names) this.#names.add(`${name}'s`);
  }

  /** `2 new leads were Jonas Weber's by a rule of the service; the file's people have them now.` None without such rows. */
  sentences({ name, singular }: Resource): string[] {
    const { size } = this.#rows;
    if (size === 0) return [];
    const what = howMany(size, `new ${singular} was`, `new ${name} were`);
    const whose = firstOf([...this.#names]);
    return [`${what} ${whose} by a rule of the service; the file's people have ${size === 1 ? 'it' : 'them'} now.`];
  }
}

/** Warns when a created record has another key than its row: each import would create the record again. */
function tellOtherKey({ job: { match }, tell }: ImportWork, { key }: Row, made: unknown): void {
  if (key === undefined || match?.kind !== 'field') return;
  const { flag } = match.field;
  const held = scalarText(valueAt(made, match.read));
  if (held === '' || fieldKey(match.field, held) === key) return;
  const isCut = key.startsWith(fieldKey(match.field, held));
  const keeps = isCut ? `only ${[...held].length} characters of ${flag}. A row with more` : `another ${flag} than was sent. Such a row`;
  tell(`The service keeps ${keeps} won't find its record again by ${flag}.`, `the key ${flag}`);
}

/** The writes of a change, in order. */
const operationsOf = (job: ImportJob, { id, record, extras, update }: Extract<RowChange, { kind: 'change' }>) =>
  inOrder(job.resource, [
    ...(update === undefined ? [] : [{ kind: 'update', part: fieldsPart, operation: update }]),
    ...extras.map((one) => ({ kind: one.kind, part: partOfExtra(job, one), operation: extraOperation(job, id, one, record) })),
  ]);

/** The request that writes an extra. `record`: as read just now; undefined for a record made just now. */
const extraOperation = ({ resource }: ImportJob, id: Id, { kind, change }: ExtraWrite, record: unknown): PreparedRequest =>
  preparedChange(change, { resource, id, record, kind, did: 'updated' });

/** The part that sends the fields, when an archived record is made active first. The parts of extras follow in the order of `extrasOf`. */
const fieldsPart = 1;
const partOfExtra = ({ resource }: ImportJob, { extra }: ExtraWrite): number =>
  extrasOf(resource).findIndex(({ name }) => name === extra.name) + fieldsPart + 1;

function givenParts(job: ImportJob, { extras = [] }: Row): { readonly part: number; readonly name: string }[] {
  if (extras.length === 0) return [];
  const isGiven = (one: Extra): boolean => extras.some(({ extra }) => extra.name === one.name);
  const needsFields =
    job.mode !== 'create' && extras.some(({ extra }) => !('set' in extra) && extra.actions.some(({ initial }) => initial));
  return [
    ...(needsFields ? [{ part: fieldsPart, name: 'fields' }] : []),
    ...extrasOf(job.resource).flatMap((one, index) => (isGiven(one) ? [{ part: index + fieldsPart + 1, name: one.name }] : [])),
  ];
}

/** The look after a request to an existing record. A request whose record is not in the journal may be sent again. */
function partLook(job: ImportJob, row: Row, { kind, target, before, body }: SentRequest): Look {
  const { resource } = job;
  if (target === undefined) return { kind: 'repeatable' };
  const sent = { id: target, before, did: 'updated' };
  if (kind === 'update') {
    const given = givenBefore(job, row, before);
    const evidence = recordEvidence(plainUpdate(resource, given, asMember), { method: 'PATCH', body: given });
    const look = lookAfter(resource, evidence, { ...sent, given });
    return before === undefined ? unlessShown(look) : look;
  }
  const write = extraSent(resource, kind, body);
  if (write === undefined) return { kind: 'repeatable' };
  const look = lookAfter(resource, recordEvidence(write.change, { method: 'PUT', ...(body === undefined ? {} : { body }) }), sent);
  // null: the service chose the old value, which was not read.
  return isMembers(before) && before[write.extra.name] === null ? unlessShown(look) : look;
}

/** A look without old values: a change that the record doesn't show is sent again. */
function unlessShown(look: Look): Look {
  if (look.kind !== 'target') return look;
  const readUnlessShown = async (api: Api): Promise<Verdict> => {
    const verdict = await look.read(api);
    return verdict.end === 'found' ? verdict : { end: 'absent' };
  };
  return { kind: 'target', read: readUnlessShown };
}
