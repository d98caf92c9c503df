// Tells whether a record may come from a lost create, by comparing the record with the body of the create. Services trim, escape, cut and
// reformat texts, so a record with similar values is a candidate. A create is settled only by values that are equal to the letter, or by
// similar values where the service rewrites values.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { isSameValue } from '../../model/bodies/held.ts';
import type { Field, Resource } from '../../model/define.ts';
import { createShape } from '../../model/shape.ts';

/** A telling value, which tells records apart: a title, a whole name, an email. */
interface Telling {
  readonly name: string;
  readonly paths: readonly string[];
  readonly isUnique: boolean;
  sent(body: Body): string;
  told(record: unknown): string;
  /** True when the sent value and the record's value are equal to the letter. For unique values, capitals don't count. */
  isSame(sent: string, told: string): boolean;
}

/** The flags of telling values. */
const tellingFlags: ReadonlySet<string> = new Set(['title', 'email', 'company-name']);
const nameFlags: ReadonlySet<string> = new Set(['first-name', 'last-name']);

/** The telling values of a family. */
function tellingsOf(resource: Resource): Telling[] {
  const fields = createShape(resource).fields.filter(({ read }) => read !== undefined);
  const isPlainTelling = ({ flag, type, required }: Field): boolean =>
    tellingFlags.has(flag) || (type.kind === 'text' && !nameFlags.has(flag) && (type.long === true || required === true));
  const names = fields.filter(({ flag }) => nameFlags.has(flag));
  const single = fields.filter(isPlainTelling).map((field) => telling(field.flag, [field]));
  return names.length === 0 ? single : [...single, telling('name', names)];
}

/** The values of a create that are not telling, without sets and custom fields. */
function othersOf(resource: Resource): Telling[] {
  const own = new Set(tellingsOf(resource).map(({ name }) => name));
  return createShape(resource)
    .fields.filter(
      ({ flag, read, type, only }) =>
        read !== undefined && only === undefined && plainKinds.has(type.kind) && !own.has(flag) && !nameFlags.has(flag),
    )
    .map((field) => telling(field.flag, [field]));
}

const plainKinds: ReadonlySet<string> = new Set(['text', 'email', 'id', 'integer', 'decimal', 'date', 'choice']);

function telling(name: string, fields: readonly Field[]): Telling {
  const [only, ...others] = fields;
  const isUnique = fields.some(({ unique }) => unique);
  return {
    name,
    paths: fields.flatMap(({ read }) => read ?? []),
    isUnique,
    isSame: (sent, told) => {
      if (isUnique) return isSameText(sent.toLowerCase(), told.toLowerCase());
      return isSameValue(fields, only !== undefined && others.length === 0 ? only.wire : '', sent, told);
    },
    sent: (body) =>
      fields
        .map(({ wire }) => valueText(body.get(wire) ?? ''))
        .join(' ')
        .trim(),
    told: (record) =>
      fields
        .map(({ read = '' }) => scalarText(valueAt(record, read)))
        .join(' ')
        .trim(),
  };
}

/** How well a record agrees with a body. */
export interface Fit {
  /**
   * True when the record settles the create. False when a person has to decide: a telling value is only similar, or another value differs
   * in a record that nobody edited.
   */
  readonly isEnough: boolean;
  /** The number of sent values that agree. Of several records, the record with the highest number counts. */
  readonly score: number;
}

/** Compares records of a family with bodies. */
export class Fitting {
  readonly #tellings: readonly Telling[];
  /** The other values. These values must agree, too, unless somebody edited the record. */
  readonly #others: readonly Telling[];
  readonly #createOnly: readonly Field[];
  /** The paths that the service changed or added in the run's first record. At these paths, a similar value counts as equal. */
  readonly #rewritten: ReadonlySet<string>;

  /** `first`: the values that the service changed or added in the run's first record of the family (`madeOf`). */
  constructor(resource: Resource, first: Readonly<Record<string, unknown>> = {}) {
    this.#tellings = tellingsOf(resource);
    this.#others = othersOf(resource);
    this.#rewritten = new Set(Object.keys(first));
    this.#createOnly = resource.fields.filter(({ only, read }) => only === 'create' && read !== undefined);
  }

  /** How well a record agrees with a body. Undefined when the record comes from another create. */
  fit(record: unknown, body: Body): Fit | undefined {
    if (!this.#agreesOnCreation(record, body)) return undefined;
    const sent = this.#tellings.filter((one) => one.sent(body) !== '');
    const isAlike = sent.every((one) => areAlike(one.sent(body), one.told(record)));
    const isUnique = sent.some((one) => one.isUnique && areAlike(one.sent(body), one.told(record)));
    const agrees = (one: Telling): boolean => one.isSame(one.sent(body), one.told(record)) || this.#isLike(one, record, body);
    const others = this.#others.filter((one) => one.sent(body) !== '');
    const score = [...sent, ...others].filter(agrees).length;
    if (sent.length === 0 || !isAlike) return isUnique ? { isEnough: false, score } : undefined;
    // When a telling value is only similar, every other value must agree, even in an edited record.
    const isToLetter = sent.every((one) => one.isSame(one.sent(body), one.told(record)));
    const isWhole = others.every(agrees) || (isEdited(record) && isToLetter);
    // A colleague may have typed the same title in capitals, so a similar value counts only where the service rewrites values.
    return { isEnough: isWhole && sent.every(agrees), score };
  }

  #isLike(one: Telling, record: unknown, body: Body): boolean {
    return one.paths.some((path) => this.#rewritten.has(path)) && areAlike(one.sent(body), one.told(record));
  }

  /** True when a telling value of the record is still as sent. For a record that somebody may have changed. */
  sharesOne(record: unknown, body: Body): boolean {
    const isShared = (one: Telling): boolean => one.sent(body) !== '' && one.isSame(one.sent(body), one.told(record));
    return this.#tellings.some(isShared) && this.#agreesOnCreation(record, body);
  }

  /** True when a telling value of the answer is not even similar to the sent value. */
  isContradicted(answered: unknown, body: Body): boolean {
    return this.#tellings.some((one) => {
      const [sent, told] = [one.sent(body), one.told(answered)];
      return sent !== '' && told !== '' && !areAlike(sent, told);
    });
  }

  /** True when the record agrees in the values that only a create can set. */
  #agreesOnCreation(record: unknown, body: Body): boolean {
    return this.#createOnly.every(({ wire, read = '', type }) => {
      if (type.kind === 'reference') {
        return ['type', 'id'].every((part) => isSame(valueText(body.get(`${wire}_${part}`) ?? ''), valueAt(record, `${read}.${part}`)));
      }
      return isSame(valueText(body.get(wire) ?? ''), valueAt(record, read));
    });
  }
}

/** True when a value agrees, or is missing in the record. */
const isSame = (sent: string, told: unknown): boolean => told === undefined || sent === scalarText(told);

const textAt = (record: unknown, path: string): string => scalarText(valueAt(record, path));

/** True when the record was changed since its creation, or when the record doesn't tell. */
export function isEdited(record: unknown): boolean {
  const [created, updated] = [textAt(record, 'dates.created'), textAt(record, 'dates.updated')];
  return isMembers(valueAt(record, 'dates')) && created !== '' ? created !== updated : true;
}
