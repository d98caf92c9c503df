// Resolves references to created or found records: their ids, and their members, which are read on demand.

import { NotFoundError, UsageError } from '../base/errors.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../base/values/paths.ts';
import type { Api } from '../client/client.ts';
import { readRecord } from '../client/read-record.ts';
import type { Resource } from '../model/define.ts';
import type { World } from '../runs/step.ts';
import { isStandIn } from '../session/dry-writes.ts';
import { type Refer, type ReferenceTarget, targetText } from './language/evaluate.ts';
import { readPath } from './language/values.ts';
import { nameInFile } from './records.ts';

/** The step of a record, and the family in which it is read. */
interface Numbered {
  readonly n: number;
  readonly family: Resource;
}

const isSingle = (value: unknown): boolean => value !== undefined && (typeof value !== 'object' || value === null || JSON.isRawJSON(value));

export class References {
  /** Steps by `lead` or `lead[3]`. */
  readonly #numbers = new Map<string, Numbered>();
  /** Names of records from an earlier apply that are gone or unknown. */
  readonly #unusable: ReadonlySet<string>;
  readonly #read = new Map<string, Promise<Members>>();
  readonly #api: Api;

  /** `api`: reads in turns of its own, because several steps share a reading. */
  constructor(api: Api, unusable: ReadonlySet<string>) {
    this.#api = api;
    this.#unusable = unusable;
  }

  /** Notes the step that makes or finds a named record. */
  add(name: string, n: number, family: Resource): void {
    this.#numbers.set(name, { n, family });
  }

  /** The id of a record; undefined for a record that can't be used or is not made yet. */
  idOf(world: World, name: string): Id | undefined {
    return this.#unusable.has(name) ? undefined : world.made(this.#numbers.get(name)?.n ?? 0)[0]?.id;
  }

  /** True for a record found by its key. */
  isFound(world: World, name: string): boolean {
    return world.made(this.#numbers.get(name)?.n ?? 0)[0]?.own === false;
  }

  /**
   * The values of references; undefined while a record has no id, so that the step waits. Throws UsageError for a member that a record
   * doesn't have.
   */
  async read(world: World, targets: readonly ReferenceTarget[]): Promise<Refer | undefined> {
    if (targets.some((target) => this.idOf(world, nameInFile(target)) === undefined)) return undefined;
    const texts = new Map<string, string | undefined>();
    for (const target of targets) texts.set(targetText(target), await this.#value(world, target));
    return (target) => texts.get(targetText(target));
  }

  /** The value of a reference. Undefined while unknown: in a dry run, only ids are known. */
  async #value(world: World, target: ReferenceTarget): Promise<string | undefined> {
    const name = nameInFile(target);
    const numbered = this.#numbers.get(name);
    const id = this.idOf(world, name);
    if (numbered === undefined || id === undefined) return undefined;
    if (target.member === 'id') return scalarText(id);
    if (isStandIn(id)) return undefined;
    const { family } = numbered;
    const record = await this.#record(`${family.path}/${id}`, target);
    const read = readPath(family, target.member);
    const value = [target.member, read].map((one) => (one === undefined ? undefined : valueAt(record, one))).find(isSingle);
    if (value !== undefined) return scalarText(value);
    throw new UsageError(`${targetText(target)}: the record has no "${target.member}" that is a single value.`);
  }

  /** Reads a record once for all steps. */
  #record(path: string, target: ReferenceTarget): Promise<Members> {
    const reading = this.#read.get(path) ?? readMembers(this.#api, path, target);
    this.#read.set(path, reading);
    // A failed reading is repeated.
    reading.catch(() => this.#read.delete(path));
    return reading;
  }
}

async function readMembers(api: Api, path: string, target: ReferenceTarget): Promise<Members> {
  try {
    const record = await readRecord(api, path);
    return isMembers(record) ? record : {};
  } catch (error) {
    if (error instanceof NotFoundError) throw new UsageError(`${targetText(target)}: the record is gone.`, { cause: error });
    throw error;
  }
}
