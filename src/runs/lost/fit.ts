// Tells whether a record comes from a lost create, by comparing the record with the body that was sent. A record with similar values is a
// candidate, because services trim, escape, cut and reformat texts. It is the create's record if its values are equal to the letter, or
// differ only as this service is known to rewrite values.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { areAlike, plainLetters } from '../../base/values/text/alike.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { isTelling, tellingFields, tellingText, toldText, withoutNames } from '../../model/bodies/telling.ts';
import type { Field, Resource } from '../../model/define.ts';
import { isSameToTheLetter } from '../../model/same.ts';
import { createShape } from '../../model/shape.ts';

/** The kinds of the other values that are compared: no sets and no custom fields. */
const plainKinds: ReadonlySet<string> = new Set(['text', 'email', 'id', 'integer', 'decimal', 'date', 'choice']);

/** A value that is compared: of one field, or of the fields of a name. */
class Compared {
  readonly isUnique: boolean;
  readonly isRequired: boolean;
  readonly #fields: readonly Field[];
  /** True when the service changed or added this value in the run's first record. A similar value then counts as equal. */
  readonly #isRewritten: boolean;

  constructor(fields: readonly Field[], first: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
    this.isUnique = fields.some(({ unique }) => unique);
    this.isRequired = fields.some(({ required }) => required);
    this.#isRewritten = fields.some(({ read = '' }) => Object.hasOwn(first, read));
  }

  sent(body: Body): string {
    return tellingText(this.#fields, body);
  }

  told(record: unknown): string {
    return toldText(this.#fields, record);
  }

  /** True when the sent value and the record's value are equal to the letter. For unique values, capitals don't count. */
  isSame(record: unknown, body: Body): boolean {
    const [sent, told] = [this.sent(body), this.told(record)];
    if (this.isUnique) return isSameText(sent.toLowerCase(), told.toLowerCase());
    return isSameToTheLetter(this.#fields[0]?.type, sent, told);
  }

  isLike(record: unknown, body: Body): boolean {
    return areAlike(this.sent(body), this.told(record));
  }

  /** True when the service rewrote the value in the create of this record, and the value is still so. */
  isAsMade(record: unknown, body: Body, made: Readonly<Record<string, unknown>>): boolean {
    const isMade = ({ read = '' }: Field): boolean => Object.hasOwn(made, read);
    return (
      this.told(record) !== '' &&
      this.#fields.some(isMade) &&
      this.#fields.every((field) => {
        const { read = '', type } = field;
        const left = isMade(field) ? scalarText(made[read]) : tellingText([field], body);
        return isSameToTheLetter(type, left, toldText([field], record));
      })
    );
  }

  agrees(record: unknown, body: Body): boolean {
    return this.isSame(record, body) || (this.#isRewritten && this.isLike(record, body));
  }
}

/** How well a record agrees with a body. */
export interface Fit {
  /** True when the record decides the create. False when a person has to decide, because a telling value is only similar or differs. */
  readonly isEnough: boolean;
  /** Of several creates, the create with the highest rank gets a record: first by all sent values, then by the number that agree. */
  readonly rank: number;
}

/** The fewest and the most letters of a cut text. */
const [shortestCut, longestCut] = [20, 500];
/** Above the rank of any record that differs in a sent value. */
const wholeRank = 1000;

/** Compares records of a family with bodies. */
export class Fitting {
  readonly #tellings: readonly Compared[];
  readonly #others: readonly Compared[];
  /** The title or the name, and the unique values. */
  readonly #keyed: readonly Compared[];
  readonly #createOnly: readonly Field[];

  /** `first`: the values that the service changed or added in the run's first record of the family (`madeOf`). */
  constructor(resource: Resource, first: Readonly<Record<string, unknown>> = {}) {
    const fields = createShape(resource).fields.filter(({ read }) => read !== undefined);
    const others = withoutNames(fields).filter((field) => !isTelling(field) && field.only === undefined && plainKinds.has(field.type.kind));
    this.#tellings = tellingFields(resource).map((some) => new Compared(some, first));
    const name = this.#tellings.find(({ isRequired }) => isRequired);
    this.#keyed = this.#tellings.filter((one) => one === name || one.isUnique);
    this.#others = others.map((field) => new Compared([field], first));
    this.#createOnly = resource.fields.filter(({ only, read }) => only === 'create' && read !== undefined);
  }

  /** The keys of a record: the title or the name, and the unique values. */
  keysOf(record: unknown): string[] {
    return this.#keyed.map((one) => plainLetters(one.told(record)));
  }

  /** The keys that the record of a create may have, the likeliest first. Services cut the ends of long texts. */
  *keysFor(body: Body): Generator<string> {
    const keys = this.#keyed.map((one) => plainLetters(one.sent(body)));
    yield* keys;
    const [name = ''] = keys;
    for (let length = Math.min(name.length - 1, longestCut); length >= shortestCut; length -= 1) yield name.slice(0, length);
  }

  /** How well a record agrees with a body. Undefined when the record comes from another create. */
  fit(record: unknown, body: Body): Fit | undefined {
    if (!this.#agreesOnCreation(record, body)) return undefined;
    const isSent = (one: Compared): boolean => one.sent(body) !== '';
    const [tellings, others] = [this.#tellings.filter(isSent), this.#others.filter(isSent)];
    const all = [...tellings, ...others];
    const agreeing = all.filter((one) => one.agrees(record, body)).length;
    const isWhole = agreeing === all.length;
    const rank = isWhole ? wholeRank + agreeing : agreeing;
    if (tellings.length > 0 && tellings.every((one) => one.isLike(record, body)))
      return { isEnough: isWhole || tellings.every((one) => one.isSame(record, body)), rank };
    return tellings.some((one) => one.isUnique && one.isLike(record, body)) ? { isEnough: false, rank } : undefined;
  }

  /**
   * True when a telling value of the record is still as sent, or as the service made the value (`made`, of `madeOf`). For a record that
   * somebody may have changed.
   */
  sharesOne(record: unknown, body: Body, made: Readonly<Record<string, unknown>> = {}): boolean {
    const shares = (one: Compared): boolean => one.sent(body) !== '' && (one.agrees(record, body) || one.isAsMade(record, body, made));
    return this.#tellings.some(shares) && this.#agreesOnCreation(record, body);
  }

  /** True when the record agrees in the values that only a create can set. */
  #agreesOnCreation(record: unknown, body: Body): boolean {
    return this.#createOnly.every(({ wire, read = '', type }) => {
      const parts = type.kind === 'reference' ? ['type', 'id'] : [undefined];
      return parts.every((part) => {
        const [name, path] = part === undefined ? [wire, read] : [`${wire}_${part}`, `${read}.${part}`];
        const told = valueAt(record, path);
        return told === undefined || valueText(body.get(name) ?? '') === scalarText(told);
      });
    });
  }
}
