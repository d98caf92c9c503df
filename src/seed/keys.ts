// Which records of a run have the same key: a list of the service that was read before they were created doesn't tell.

import type { Field } from '../resources/define.ts';
import { fieldKey } from '../runs/field-key.ts';
import type { Body } from '../values/body.ts';
import { valueText } from '../values/parse.ts';
import type { LedgerState } from './ledger.ts';
import { type Made, madeName } from './made.ts';

interface Sent {
  readonly type: string;
  readonly body: Body;
}

export class OwnKeys {
  /** What was sent by now, by name. */
  readonly #sent: Map<string, Sent>;
  /** For a family and some of its fields, the names of the records by those fields' values. */
  readonly #indexes = new Map<string, { readonly made: Made; readonly names: Map<string, string[]> }>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(state: LedgerState) {
    this.#sent = new Map(state.all().map(({ name, type, body }) => [name, { type, body }]));
  }

  /** Notes that a record is sent. */
  add(name: string, type: string, body: Body): void {
    this.#sent.set(name, { type, body });
    for (const { made, names } of this.#indexes.values()) if (made.resource.singular === type) put(names, made.key, name, body);
  }

  /** The names of the other records that have a record's key. */
  sameAs(made: Made, body: Body): readonly string[] {
    const text = textOf(made.key, body);
    const names = this.#indexOf(made).get(text) ?? [];
    // One that was sent again may have had other values before.
    return names.filter((name) => name !== madeName(made) && textOf(made.key, this.#sent.get(name)?.body ?? new Map()) === text);
  }

  /** Does work on records of the same key one after the other. */
  async inTurn<T>(made: Made, body: Body, work: () => Promise<T>): Promise<T> {
    const key = `${indexName(made)} ${textOf(made.key, body)}`;
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    this.#turns.set(key, turn);
    return turn;
  }

  #indexOf(made: Made): Map<string, string[]> {
    const known = this.#indexes.get(indexName(made));
    if (known !== undefined) return known.names;
    const names = new Map<string, string[]>();
    for (const [name, { type, body }] of this.#sent) if (type === made.resource.singular) put(names, made.key, name, body);
    this.#indexes.set(indexName(made), { made, names });
    return names;
  }
}

const indexName = ({ resource, key }: Made): string => [resource.name, ...key.map(({ flag }) => flag)].join(' ');

const textOf = (key: readonly Field[], body: Body): string =>
  key.map((field) => fieldKey(field, valueText(body.get(field.wire) ?? ''))).join('\u0001');

function put(names: Map<string, string[]>, key: readonly Field[], name: string, body: Body): void {
  const text = textOf(key, body);
  names.set(text, [...new Set([...(names.get(text) ?? []), name])]);
}
