// The rows of a file as steps of a run: the requests of each row, and how to find the outcome of a lost request.

import { ConflictError, UsageError } from '../base/errors.ts';
import { placeText } from '../base/files/problems.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { storedId } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { newestCommand } from '../changes/create.ts';
import { readRecord } from '../client/read-record.ts';
import { holdsAll } from '../model/bodies/held.ts';
import { areSameValues } from '../model/bodies/lost-write.ts';
import { fieldKey } from '../model/field-key.ts';
import { updateShape } from '../model/shape.ts';
import type { Run } from '../runs/journal/run.ts';
import type { AsWanted, Conflicting, Look, Part, PreparedRequest, SentRequest, Step, Steps, World } from '../runs/step.ts';
import { createdRecord } from '../runs/step.ts';
import { extraWrites, refuseClearing } from './columns/extras.ts';
import type { HeldAt, ImportJob } from './job.ts';
import { givenFor } from './match/compare.ts';
import { type Displaced, elementsLost } from './outcomes/displaced.ts';
import type { ImportRequest } from './request.ts';
import { changeOf, type RowWork, recordOfRow, updateWith } from './row-change.ts';
import { extraOfPart, extraOperation, fieldsPart, givenParts, lastPart, operationsOf, partLook, partOfExtra } from './row-parts.ts';
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
  const isOpen = (isWanted: (n: number, part?: number) => boolean, n: number): boolean => {
    if (isWanted(n)) return true;
    for (let part = 1; part <= lastPart(job) && work.mayGoOn(n); part += 1) if (isWanted(n, part)) return true;
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
    const extra = extraOfPart(job, part);
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
