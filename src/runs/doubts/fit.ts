// Compares records with create bodies: whether a record may be the one that a body made. Services trim, escape, cut and reformat texts, so
// a record may be alike by letters and digits; only values that are the same to the letter make the record the body's.

import { isSameValue } from '../../bodies/held.ts';
import { createShape } from '../../bodies/shape.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { valueText } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { areAlike } from '../../values/text/alike.ts';
import { isSameText } from '../../values/text/same-text.ts';

/** A value that tells records apart: a title, a whole name, an email. */
interface Telling {
  readonly name: string;
  readonly isUnique: boolean;
  /** True for a value that many records share: an id, a choice, a count. */
  readonly isCommon: boolean;
  sent(body: Body): string;
  told(record: unknown): string;
  /** Whether what was sent and what is told are the same to the letter; what there can be only once, whatever its case. */
  isSame(sent: string, told: string): boolean;
}

/** The flags of the values that tell records of a family apart. */
const tellingFlags: ReadonlySet<string> = new Set(['title', 'email', 'company-name']);
const nameFlags: ReadonlySet<string> = new Set(['first-name', 'last-name']);

/** The values that tell records of a family apart. */
function tellingsOf(resource: Resource): Telling[] {
  const fields = createShape(resource).fields.filter(({ read }) => read !== undefined);
  const isPlainTelling = ({ flag, type, required }: Field): boolean =>
    tellingFlags.has(flag) || (type.kind === 'text' && !nameFlags.has(flag) && (type.long === true || required === true));
  const names = fields.filter(({ flag }) => nameFlags.has(flag));
  const single = fields.filter(isPlainTelling).map((field) => telling(field.flag, [field]));
  return names.length === 0 ? single : [...single, telling('name', names)];
}

/** The other single values that read back. */
function othersOf(resource: Resource): Telling[] {
  const own = new Set(tellingsOf(resource).map(({ name }) => name));
  return createShape(resource)
    .fields.filter(
      ({ flag, read, type, only }) =>
        read !== undefined && only === undefined && plainKinds.has(type.kind) && !own.has(flag) && !nameFlags.has(flag),
    )
    .map((field) => telling(field.flag, [field]));
}

const commonKinds: ReadonlySet<string> = new Set(['id', 'integer', 'choice']);

const plainKinds: ReadonlySet<string> = new Set(['text', 'email', 'id', 'integer', 'decimal', 'date', 'choice']);

function telling(name: string, fields: readonly Field[]): Telling {
  const [only, ...others] = fields;
  const isUnique = fields.some(({ unique }) => unique);
  return {
    name,
    isUnique,
    isSame: (sent, told) => {
      if (isUnique) return isSameText(sent.toLowerCase(), told.toLowerCase());
      return isSameValue(fields, only !== undefined && others.length === 0 ? only.wire : '', sent, told);
    },
    isCommon: fields.some(({ type }) => commonKinds.has(type.kind)),
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

/** The longest search word. A longer one would often meet text that the service has changed. */
const longestWord = 40;

/** A search word for the record of a body: its email, else the longest stretch of plain letters in its title or name. */
export function searchWord(resource: Resource, body: Body): string | undefined {
  const tellings = tellingsOf(resource);
  const email = tellings.find(({ name }) => name === 'email')?.sent(body);
  if (email) return email;
  const [called = ''] = tellings.map((one) => one.sent(body)).filter(Boolean);
  const [longest = called] = (called.match(/[a-z0-9]+(?: [a-z0-9]+)*/gi) ?? []).toSorted((a, b) => b.length - a.length);
  return longest.slice(0, longestWord).trim() || undefined;
}

/** A record of certain id, with the sent values. */
export interface Sample {
  readonly record: unknown;
  readonly body: Body;
}

/** Compares records of a family with bodies. */
export class Fitting {
  readonly #tellings: readonly Telling[];
  /** Values that decide only between records that are otherwise alike. */
  readonly #others: readonly Telling[];
  readonly #createOnly: readonly Field[];
  readonly #creators: ReadonlySet<string>;
  /** What the service wrote anew of an own record: likeness agrees. */
  readonly #rewritten: ReadonlySet<string>;

  /** `samples` are records of certain id. Values that the service didn't keep unchanged there are not compared. */
  constructor(resource: Resource, samples: readonly Sample[]) {
    const whole = samples.filter(({ record }) => !isEdited(record));
    const isTrusted = (one: Telling): boolean => one.isUnique || whole.every(({ record, body }) => isKept(one, record, body));
    const isRewritten = (one: Telling): boolean =>
      whole.some(({ record, body }) => one.sent(body) !== '' && !one.isSame(one.sent(body), one.told(record)));
    this.#tellings = tellingsOf(resource).filter(isTrusted);
    this.#others = othersOf(resource).filter(isTrusted);
    this.#rewritten = new Set([...this.#tellings, ...this.#others].filter(isRewritten).map(({ name }) => name));
    this.#createOnly = resource.fields.filter(({ only, read }) => only === 'create' && read !== undefined);
    this.#creators = new Set(samples.map(({ record }) => textAt(record, 'creator_id')).filter((id) => id !== ''));
  }

  /**
   * The score of a record for a body, and whether the score is enough to take the record for the body's. Undefined when the record
   * certainly has another origin.
   */
  fit(record: unknown, body: Body): { readonly score: number; readonly isEnough: boolean } | undefined {
    if (!this.#agreesOnCreation(record, body)) return undefined;
    const [main, others] = [compared(this.#tellings, record, body), compared(this.#others, record, body)];
    const isUnique = this.#tellings.some((one) => one.isUnique && one.sent(body) !== '' && areAlike(one.sent(body), one.told(record)));
    // What is only alike may be a colleague's.
    const isToLetter = [...this.#tellings, ...this.#others].every((one) => {
      const [sent, told] = [one.sent(body), one.told(record)];
      return sent === '' || this.#rewritten.has(one.name) || one.isSame(sent, told) || !areAlike(sent, told);
    });
    const edited = isEdited(record);
    // The record is unedited, so a different value means another origin.
    if (edited ? main.differ >= 2 && main.agree === 0 : main.differ > 0 && !isUnique) return undefined;
    const agree = main.agree + others.agree;
    const differ = main.differ + (edited && main.agree > 0 ? 0 : others.differ);
    // When only the unique value agrees, another user may have taken it.
    if (isUnique) return { score: Number.MAX_SAFE_INTEGER, isEnough: isToLetter && (agree > 1 || differ === 0) };
    // A telling value that the service may have rewritten tells less: every other value has to agree, also of an edited record.
    const isWhole =
      others.differ === 0 || this.#tellings.every((one) => one.sent(body) === '' || one.isSame(one.sent(body), one.told(record)));
    return { score: main.score + others.score, isEnough: isToLetter && isWhole && agree > 0 && differ === 0 };
  }

  /** True when no distinguishing value contradicts the body. For a record whose id the service told itself. */
  isAlike(record: unknown, body: Body): boolean {
    const { agree, differ } = compared(this.#tellings, record, body);
    return agree > 0 && differ === 0 && this.#agreesOnCreation(record, body);
  }

  /** True when an answer shows another distinguishing value than the body has. */
  isContradicted(answered: unknown, body: Body): boolean {
    return this.#tellings.some((one) => {
      const [sent, told] = [one.sent(body), one.told(answered)];
      return sent !== '' && told !== '' && !areAlike(sent, told);
    });
  }

  /** True when the values that only a create sets agree, and the creator. */
  #agreesOnCreation(record: unknown, body: Body): boolean {
    const creator = textAt(record, 'creator_id');
    if (creator !== '' && this.#creators.size > 0 && !this.#creators.has(creator)) return false;
    return this.#createOnly.every(({ wire, read = '', type }) => {
      if (type.kind === 'reference') {
        return ['type', 'id'].every((part) => isSame(valueText(body.get(`${wire}_${part}`) ?? ''), valueAt(record, `${read}.${part}`)));
      }
      return isSame(valueText(body.get(wire) ?? ''), valueAt(record, read));
    });
  }
}

interface Compared {
  /** The agreeing values that few records share. */
  readonly agree: number;
  readonly differ: number;
  /** The sum of 2 for each value exactly as sent, and 1 for each that the service may have changed. */
  readonly score: number;
}

/** Compares the sent values. The service may have filled in others. */
function compared(tellings: readonly Telling[], record: unknown, body: Body): Compared {
  const sum = { agree: 0, differ: 0, score: 0 };
  for (const one of tellings) {
    const [sent, told] = [one.sent(body), one.told(record)];
    if (sent === '') continue;
    if (areAlike(sent, told)) {
      sum.agree += one.isCommon ? 0 : 1;
      sum.score += sent === told ? 2 : 1;
    } else sum.differ += 1;
  }
  return sum;
}

/** True when a value agrees, or is missing in the record. */
const isSame = (sent: string, told: unknown): boolean => told === undefined || sent === scalarText(told);

const textAt = (record: unknown, path: string): string => scalarText(valueAt(record, path));

const isKept = (one: Telling, record: unknown, body: Body): boolean => one.sent(body) === '' || areAlike(one.sent(body), one.told(record));

/** True when the record was changed since its creation, or this is unknown. */
function isEdited(record: unknown): boolean {
  const [created, updated] = [textAt(record, 'dates.created'), textAt(record, 'dates.updated')];
  return isMembers(valueAt(record, 'dates')) && created !== '' ? created !== updated : true;
}
