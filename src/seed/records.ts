// The records of a run as later values see them: their ids, and their members, read when something refers to them.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, type Members, valueAt } from '../values/paths.ts';
import { type Known, type Target, targetsIn, targetText } from './language/scope.ts';
import type { LedgerState } from './ledger.ts';
import { madeName } from './made.ts';

/** A record that is there. */
export interface Present {
  readonly id: Id;
  /** `/api/leads/12`. */
  readonly path: string;
  /** What is known of it already. */
  readonly record?: Members;
  /** Its family, when it is of one. */
  readonly resource?: Resource;
}

const isSingle = (value: unknown): boolean => value !== undefined && (typeof value !== 'object' || value === null || JSON.isRawJSON(value));

/** Where the value of a flag of that name reads back, or a member whose name was written with hyphens. */
export function readPath(resource: Resource | undefined, member: string): string | undefined {
  const read = resource?.fields.find(({ flag }) => flag === member.replaceAll('_', '-'))?.read;
  return read ?? resource?.record.find((path) => path === member.replaceAll('-', '_'));
}

export class Records {
  readonly #api: Api;
  readonly #ledger: LedgerState;
  readonly #present = new Map<string, Present>();
  readonly #read = new Map<string, Promise<Members>>();

  constructor(api: Api, ledger: LedgerState) {
    this.#api = api;
    this.#ledger = ledger;
  }

  /** Notes that a record is there; `name` is `lead` or `lead[3]`. */
  add(name: string, present: Present): void {
    this.#present.set(name, present);
  }

  get(name: string): Present | undefined {
    return this.#present.get(name);
  }

  /** What all references in some values stand for. Throws UsageError for a member that a record doesn't have. */
  async values(knowns: readonly Known[]): Promise<(target: Target) => string> {
    const texts = new Map<string, string>();
    for (const target of knowns.flatMap(targetsIn)) {
      const key = targetText(target);
      if (!texts.has(key)) texts.set(key, await this.#value(target));
    }
    return (target) => texts.get(targetText(target)) ?? '';
  }

  async #value(target: Target): Promise<string> {
    const name = madeName(target);
    const present = this.#present.get(name);
    if (present === undefined) throw new UsageError(`${targetText(target)}: "${name}" is not there.`);
    if (target.member === 'id') return scalarText(present.id);
    const known = this.#effectOf(name, target.member);
    if (known !== undefined) return scalarText(known);
    const record = await this.#record(name, present, target);
    const read = readPath(present.resource, target.member);
    const value = [target.member, read].map((path) => (path === undefined ? undefined : valueAt(record, path))).find(isSingle);
    if (value !== undefined) return scalarText(value);
    throw new UsageError(`${targetText(target)}: the record has no "${target.member}" that is a single value.`);
  }

  #effectOf(name: string, member: string): Id | undefined {
    const acts = [...(this.#ledger.records.get(name)?.acts.values() ?? [])];
    return acts.map(({ effect }) => effect?.members?.[member]).find((id) => id !== undefined);
  }

  #record(name: string, { path, record }: Present, target: Target): Promise<Members> {
    if (record !== undefined) return Promise.resolve(record);
    const reading = this.#read.get(name) ?? this.#readRecord(path, target);
    this.#read.set(name, reading);
    return reading;
  }

  async #readRecord(path: string, target: Target): Promise<Members> {
    try {
      const record = recordOf(await this.#api.read({ method: 'GET', path }));
      return isMembers(record) ? record : {};
    } catch (error) {
      if (error instanceof NotFoundError) throw new UsageError(`${targetText(target)}: the record is gone.`, { cause: error });
      throw error;
    }
  }
}
