// Extras of a row: members written by endpoints of their own. Owns the columns of extras, the values in their cells, and the writes. Pure.

import { InvalidValues, invalidValue, UnconfirmedError } from '../../base/errors.ts';
import { NotationError } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { checkChoice, type Id, togetherEach } from '../../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import type { Named } from '../../base/values/value-type.ts';
import { elementsTyped, listedJson, namesInCell } from '../../changes/file/change-cells.ts';
import { elementsSent, type PlainChange, plainAction, plainSet } from '../../client/plain-change.ts';
import { isBlankGiven } from '../../model/bodies/entries.ts';
import { type Extra, extrasOf } from '../../model/bodies/extras.ts';
import { tellsSet } from '../../model/bodies/held.ts';
import { actionBody, setElement } from '../../model/bodies/operations.ts';
import { changedElements, type Element, elementsOf, isSameSet } from '../../model/bodies/replaced-set.ts';
import { isKnownSigned, isSigned } from '../../model/bodies/signed.ts';
import type { Action, ReplacedSet, Resource } from '../../model/define.ts';
import { plainName } from '../../session/names/matching.ts';
import { nameIn } from '../../session/names/name-in.ts';
import { mapFlag } from '../command-line.ts';
import { hasHeader } from '../files/raw-row.ts';
import type { HeldAt, ImportJob } from '../job.ts';
import { noteUnknown, type UnknownWords } from '../rows/unknown-words.ts';
import { choiceMeant } from './notation.ts';

/** The extra that a column gives by its name; `assigned.id` gives the ids of `assigned`. */
export function extraNamed(resource: Resource, name: string): { readonly extra: Extra; readonly column: string } | undefined {
  const extra = extrasOf(resource).find((one) => name === one.name || ('set' in one && name.startsWith(`${one.name}.`)));
  return extra === undefined ? undefined : { extra, column: name.endsWith('.id') ? name : extra.name };
}

/** The kind of record whose ids a set holds; undefined for texts and states. */
export const namedIn = (extra: Extra): Named | undefined => {
  const type = 'set' in extra ? extra.set.value.type : undefined;
  return type?.kind === 'id' ? type.of : undefined;
};

/** The elements of a set, or the one word of a state, that a row gives. */
export interface GivenExtra {
  readonly extra: Extra;
  /** The column's name. */
  readonly name: string;
  readonly elements: readonly Element[];
}

/**
 * The elements in a cell, with ids in place of names; undefined for a state whose word means nothing. Throws InvalidValues naming `where` for an invalid element. Unknown words also go to
 * `unknown`.
 */
export function extraGiven(
  job: ImportJob,
  extra: Extra,
  { name, cell, where }: { readonly name: string; readonly cell: unknown; readonly where: string },
  unknown: UnknownWords,
): GivenExtra | undefined {
  const meantCell = (one: unknown): unknown =>
    typeof one === 'string' ? (job.meanings.get(extra.name)?.get(plainName(one))?.to ?? one) : one;
  const isWord = meantCell(cell) !== cell;
  if (!('set' in extra)) {
    if (isBlankGiven(meantCell(cell))) return undefined;
    try {
      return { extra, name, elements: [stateWord(extra.actions, meantCell(cell), where)] };
    } catch (error) {
      noteUnknown(unknown, extra.name, cell);
      throw error;
    }
  }
  const { set } = extra;
  const { type } = set.value;
  const elements = togetherEach(
    (isWord ? [cell] : listedIn(job, set, cell)).map(meantCell).filter((one) => one !== ''),
    (one) => {
      try {
        return setElement(set, job.words.resolved(type, one, where), where);
      } catch (error) {
        if (error instanceof InvalidValues && nameIn(type, one) !== undefined) noteUnknown(unknown, extra.name, one);
        throw error;
      }
    },
  );
  return { extra, name, elements: [...new Set(elements)] };
}

function stateWord(actions: readonly Action[], cell: unknown, where: string): string {
  const word = scalarText(cell).trim();
  const [{ value } = { value: undefined }] = actions;
  const words =
    value === undefined ? actions.map(({ reads }) => reads?.value ?? '') : value.type.kind === 'choice' ? value.type.values : [];
  const meant = choiceMeant(words, word);
  if (value === undefined) return checkChoice(meant, words, where);
  return String([...(actionBody(actions[0] as Action, meant, where) ?? new Map()).values()][0]);
}

/** The elements in a cell as written: a list, or the text form of a change file. */
function listedIn(job: ImportJob, set: ReplacedSet, cell: unknown): unknown[] {
  const { element, value } = set;
  if (!Array.isArray(cell) && !isMembers(cell)) {
    const text = scalarText(cell);
    const parsed = listedJson(text);
    if (parsed !== undefined) return listedIn(job, set, parsed);
    if (element === undefined && job.mode === 'create' && hasHeader(job.format)) refuseForeignList(text);
    return element === undefined ? elementsTyped(text) : namesInCell(text, value.type, job.words);
  }
  const all: readonly unknown[] = Array.isArray(cell) ? cell : [cell];
  return all.map((one) => (element !== undefined && isMembers(one) ? (one[element] ?? one.name) : one));
}

/**
 * Throws NotationError for a list as another program writes it: `{vip,gold}` of Postgres, `['vip']` of Python, `vip|gold`.
 */
function refuseForeignList(text: string): void {
  const cell = text.trim();
  if (!/^(?:\{.*\}|\[.*\])$|\|/s.test(cell)) return;
  const inner = /^[[{](.*)[\]}]$/s.exec(cell)?.[1] ?? cell;
  const parts = inner.split(/[|,]/).map((one) => one.trim().replaceAll(/^['"]|['"]$/g, ''));
  throw new NotationError(
    'list',
    `"${cell}": write lists with ; between the elements (${parts.join('; ')}), or one element as JSON: ${JSON.stringify([cell])}.`,
  );
}

/** A request that writes one extra. */
export interface ExtraWrite {
  readonly extra: Extra;
  /** The kind of request in the journal. */
  readonly kind: string;
  readonly change: PlainChange;
  readonly elements: readonly Element[];
}

/**
 * The writes that a row's extras need, in the order of `extrasOf`. `heldAt`: the record's values; undefined for a new record. Throws
 * InvalidValues where two columns disagree, or a set differs without --sets.
 */
export function extraWrites(job: ImportJob, given: readonly GivenExtra[], heldAt: HeldAt | undefined): ExtraWrite[] {
  if (given.length === 0) return [];
  return extrasOf(job.resource).flatMap((extra): ExtraWrite[] => {
    const own = given.filter((one) => one.extra.name === extra.name);
    const differing = own.filter((one) => heldAt === undefined || !holdsExtra(one, heldAt));
    const [first, other] = differing;
    if (first === undefined) return [];
    if (other !== undefined && !isSameSet(first.elements, other.elements)) {
      const beside = heldAt === undefined ? '' : ", and both differ from the record's";
      throw invalidValue(first.name, `it and ${other.name} disagree${beside}: which one is meant?`);
    }
    const write = extraWriteOf(job, extra, first, heldAt);
    return write === undefined ? [] : [write];
  });
}

function extraWriteOf(job: ImportJob, extra: Extra, { name, elements }: GivenExtra, heldAt: HeldAt | undefined): ExtraWrite | undefined {
  if (!('set' in extra)) {
    const [word = ''] = elements.map(String);
    const action = extra.actions.find(({ value, reads }) => value !== undefined || reads?.value === word);
    // A new record is active already.
    if (action === undefined || (heldAt === undefined && action.initial)) return undefined;
    const { verb, value } = action;
    const body = value === undefined ? undefined : new Map([[value.wire, word]]);
    return {
      extra,
      kind: verb,
      change: withOldValue(extra, plainAction(job.resource, action, body)),
      elements,
    };
  }
  const { set } = extra;
  if (heldAt === undefined) return elements.length === 0 ? undefined : setWrite(extra, elements);
  const held = elementsOf(set, asRecord(set, heldAt), '--sets replace');
  if (held.length > 0 && job.sets === undefined) {
    throw invalidValue(
      name,
      `it differs from the record's: --sets add keeps the record's and adds the row's, --sets replace keeps only the row's. Or leave the column out with ${mapFlag(name)}.`,
    );
  }
  if (job.sets === 'replace') return setWrite(extra, elements);
  const all = changedElements(held, { add: elements, remove: [] });
  return all.length === held.length ? undefined : setWrite(extra, all);
}

const asRecord = ({ read }: ReplacedSet, heldAt: HeldAt): Members => ({ [read]: heldAt(read) });

/** True when the record holds the cell's elements, in any order. True for a state when the record doesn't have the member. */
function holdsExtra({ extra, elements }: GivenExtra, heldAt: HeldAt): boolean {
  const held = heldAt(extra.name);
  if (!('set' in extra)) return held === undefined || plainName(scalarText(held)) === plainName(String(elements[0]));
  return tellsSet(extra.set, elements, asRecord(extra.set, heldAt)) === true;
}

/** The write behind a request in the journal; undefined when the request wrote no extra. */
export function extraSent(resource: Resource, kind: string, body: Body | undefined): ExtraWrite | undefined {
  const extra = extrasOf(resource).find((one) => ('set' in one ? one.set.verb === kind : one.actions.some(({ verb }) => verb === kind)));
  if (extra === undefined) return undefined;
  if ('set' in extra) return setWrite(extra, elementsSent(extra.set, { method: 'PUT', ...(body === undefined ? {} : { body }) }));
  const action = extra.actions.find(({ verb }) => verb === kind) as Action;
  return { extra, kind, change: withOldValue(extra, plainAction(resource, action, body)), elements: [] };
}

function setWrite(extra: Extra & { readonly set: ReplacedSet }, elements: readonly Element[]): ExtraWrite {
  const change = withOldValue(
    extra,
    plainSet(extra.set, () => elements),
  );
  return { extra, kind: extra.set.verb, change, elements };
}

/** The change, whose old value an undo needs: with the signature of a signed proposal. A record made just now is undefined. */
function withOldValue(extra: Extra, change: PlainChange): PlainChange {
  // null where the service chooses the value of a new record.
  const heldByNew = 'set' in extra ? [] : (extra.actions.find(({ initial }) => initial === true)?.reads?.value ?? null);
  return {
    ...change,
    valuesIn: (record) => ({
      [extra.name]: record === undefined ? heldByNew : (valueAt(record, extra.name) ?? null),
      ...(!('set' in extra) && isSigned(record) ? { signed: valueAt(record, 'signed') } : {}),
    }),
  };
}

/** Throws UnconfirmedError for a write that clears a signature, unless --clear-signatures allows it. */
export function refuseClearing({ resource, clearsSignatures }: ImportJob, { extra }: ExtraWrite, id: Id, record: unknown): void {
  const isGuarded = !('set' in extra) && extra.actions.some(({ verb }) => resource.guarded?.some((one) => one.verb === verb));
  if (!isGuarded || clearsSignatures || !isKnownSigned(record, id)) return;
  throw new UnconfirmedError(
    `It is signed, so left as it is: a change of its ${extra.name} clears the signature for good. --clear-signatures includes it.`,
    { code: 'proposal_signed' },
  );
}
