// What references in a seed file stand for once records are there: their ids, and their members, read when something
// refers to them.

import { readRecord } from '../api/read-record.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { isStandIn } from '../runs/service.ts';
import type { World } from '../runs/step.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, type Members, valueAt } from '../values/paths.ts';
import { collectionOf } from './language/find.ts';
import { recordName } from './language/planned.ts';
import { type ResolvedValue, type Target, targetsIn, targetText } from './language/scope.ts';
import { readPath } from './language/values.ts';

/** Where a record and its actions stand among the steps of a run. */
export interface Numbered {
  readonly n: number;
  /** The type that the file gives it. */
  readonly type: string;
  readonly acts: number[];
}

const isSingle = (value: unknown): boolean => value !== undefined && (typeof value !== 'object' || value === null || JSON.isRawJSON(value));

export class References {
  /** By `lead` or `lead[3]`. */
  readonly #numbers: ReadonlyMap<string, Numbered>;
  /** Names of records that an earlier apply made, and that aren't there for certain any more. */
  readonly #lost: ReadonlySet<string>;
  readonly #read = new Map<string, Promise<Members>>();

  constructor(numbers: ReadonlyMap<string, Numbered>, lost: ReadonlySet<string>) {
    this.#numbers = numbers;
    this.#lost = lost;
  }

  /** The id of a record that is there; undefined for one that isn't. */
  idOf(world: World, name: string): Id | undefined {
    return this.#lost.has(name) ? undefined : world.made(this.#numbers.get(name)?.n ?? 0)[0]?.id;
  }

  /** Whether everything that some values refer to has an id; what it is made of is there by then. */
  haveIds(world: World, resolved: readonly ResolvedValue[]): boolean {
    return resolved.flatMap(targetsIn).every((target) => this.idOf(world, recordName(target)) !== undefined);
  }

  /** The steps, below a number, that make what some values refer to. */
  stepsOf(resolved: readonly ResolvedValue[], below: number): number[] {
    const numbers = resolved.flatMap(targetsIn).flatMap((target) => {
      const numbered = this.#numbers.get(recordName(target));
      return numbered === undefined ? [] : [numbered.n, ...numbered.acts];
    });
    return [...new Set(numbers)].filter((n) => n < below);
  }

  /** What all references in some values stand for. Throws UsageError for a member that a record doesn't have. */
  async values(world: World, resolved: readonly ResolvedValue[]): Promise<(target: Target) => string> {
    const texts = new Map<string, string>();
    for (const target of resolved.flatMap(targetsIn)) {
      const key = targetText(target);
      if (!texts.has(key)) texts.set(key, await this.#value(world, target));
    }
    return (target) => texts.get(targetText(target)) ?? '';
  }

  async #value(world: World, target: Target): Promise<string> {
    const name = recordName(target);
    const numbered = this.#numbers.get(name);
    const id = this.idOf(world, name);
    if (numbered === undefined || id === undefined)
      throw new UsageError(`${targetText(target)}: "${name}" is not there, or its id is not known.`);
    if (target.member === 'id') return scalarText(id);
    // A dry run makes nothing that could be read.
    if (isStandIn(id)) return targetText(target);
    const { path, resource } = collectionOf(numbered.type);
    const record = await this.#record(world, `${path}/${id}`, target);
    const read = readPath(resource, target.member);
    const value = [target.member, read].map((one) => (one === undefined ? undefined : valueAt(record, one))).find(isSingle);
    if (value !== undefined) return scalarText(value);
    throw new UsageError(`${targetText(target)}: the record has no "${target.member}" that is a single value.`);
  }

  /** Read once for all; what failed for another step is read again, in this one's turn. */
  async #record(world: World, path: string, target: Target): Promise<Members> {
    const members = await this.#read.get(path)?.catch(() => undefined);
    if (members !== undefined) return members;
    const reading = readMembers(world, path, target);
    this.#read.set(path, reading);
    return reading;
  }
}

async function readMembers({ api }: World, path: string, target: Target): Promise<Members> {
  try {
    const record = await readRecord(api, path);
    return isMembers(record) ? record : {};
  } catch (error) {
    if (error instanceof NotFoundError) throw new UsageError(`${targetText(target)}: the record is gone.`, { cause: error });
    throw error;
  }
}
