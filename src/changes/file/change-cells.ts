// Values as the cells of a change file: a relation by its name, a set as a list. Pure.

import { UsageError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { isSameSet } from '../../model/bodies/replaced-set.ts';
import type { ReplacedSet, Resource } from '../../model/define.ts';
import type { Difference } from '../../model/records/difference.ts';
import { isSameAsCell } from '../../model/same.ts';
import { wiresOf } from '../../model/shape.ts';
import { listText, namedText, valueNamed } from '../../model/values.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { FileWords } from '../../session/names/file-words.ts';
import type { NameOf } from '../../session/names/run-names.ts';

/** The difference of a value as cells of a change file. `wanted`: the new text. Absent: the new text is the old text. */
export function cellDifference(resource: Resource, field: string, record: unknown, wanted?: string): Difference {
  const old = valueNamed(resource, field).shownOf(record);
  return { field, old, new: wanted ?? old };
}

/**
 * The title as a condition of a change file: the same id may be another record at another service. Empty where the columns `names` hold the
 * title.
 */
export function titleGuard(resource: Resource, names: readonly string[], record: unknown): Map<string, string> {
  const { title, titleFlags, fields } = resource;
  const called = fields.find(({ read }) => read !== undefined && read === title)?.flag ?? title;
  const isThere = called === undefined || (titleFlags ?? [called]).every((name) => names.includes(name));
  return new Map(isThere ? [] : [[called, valueNamed(resource, called).shownOf(record)]]);
}

/** The elements of a set in one cell. Names come from the record or from the run. */
export function setText(
  { read, element, value: { type } }: ReplacedSet,
  elements: readonly (string | number)[],
  record: unknown,
  nameOf: NameOf,
): string {
  if (element === undefined) return listText(elements.map(String));
  const held = valueAt(record, read);
  const some = Array.isArray(held) ? held.filter(isMembers) : [];
  const named = new Map(some.map((one) => [scalarText(one[element]), one.name]));
  const of = namedBy(type);
  const nameAt = (id: string): unknown => named.get(id) ?? (of === undefined ? undefined : nameOf(of, id));
  return listText(elements.map((one) => namedText(type, nameAt(String(one)), one)));
}

/** A value of a request body, as a cell's text. */
export function sentText(type: ValueType, value: BodyValue, nameOf: NameOf): string {
  const of = namedBy(type);
  return of === undefined ? valueText(value) : namedText(type, nameOf(of, valueText(value)), valueText(value));
}

/** The differences between the given values of an update and a record. Throws UsageError for a field that records don't show. */
export function givenChanges(resource: Resource, given: Body, record: unknown, nameOf: NameOf): Difference[] {
  return [...given].map(([wire, value]) => {
    const field = resource.fields.find((one) => one.only !== 'create' && wiresOf(one).includes(wire));
    if (field?.read === undefined)
      throw new UsageError(`--plan: a change file can't hold ${field?.flag ?? wire}, which records don't show.`);
    const name = field.type.kind === 'numbered' ? `${field.flag}-${wire.slice(field.wire.length)}` : field.flag;
    return cellDifference(resource, name, record, sentText(field.type, value, nameOf));
  });
}

/** Google's separator of values. */
export const googleMark = ' ::: ';

/** A line of CSV whose cells are all quoted, as Mailchimp writes lists. */
const quotedList = /^\s*"(?:[^"]|"")*"(?:\s*[,;]\s*"(?:[^"]|"")*")*\s*$/;

/**
 * The elements of a list cell: a JSON array, else cells of a line of CSV if all are quoted, else texts separated by ` ::: `, by line breaks
 * and semicolons, or by commas.
 */
export function elementsTyped(text: string): string[] {
  const listed = listedJson(text)?.map(scalarText);
  if (listed !== undefined) return listed;
  if (quotedList.test(text))
    return Array.from(text.matchAll(/"((?:[^"]|"")*)"/g), ([, one = '']) => one.replaceAll('""', '"').trim()).filter((one) => one !== '');
  if (text.includes(googleMark)) return splitAt(text, googleMark);
  return linesIn(text).flatMap((line) => splitAt(line, text.includes(';') ? ';' : ','));
}

const linesIn = (text: string): string[] => text.split(/\r\n|[\r\n]/);

/** The names in a list cell. Names may hold commas: the cell is split at commas only when every part is a name or an id. */
export function namesInCell(text: string, type: ValueType, words: FileWords): string[] {
  const parts = elementsTyped(text);
  if (parts.length < 2 || listedJson(text) !== undefined || text.includes(';')) return parts;
  const lines = linesIn(text);
  if (lines.length > 1) return lines.flatMap((line) => namesInCell(line, type, words));
  // The whole text is noted for the look-up, too: the text may be a name with commas.
  const isWhole = words.isMeant(type, text.trim());
  return parts.every((one) => words.isMeant(type, one)) || !isWhole ? parts : [text.trim()];
}

/** The elements of a cell that holds a JSON array. Undefined for any other cell. */
export function listedJson(text: string): unknown[] | undefined {
  if (!text.trim().startsWith('[')) return undefined;
  try {
    const parsed = parseJson(text.trim());
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The parts of a cell's text, split at `mark`. */
export const splitAt = (text: string, mark: string): string[] =>
  text
    .split(mark)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** True when the record's field equals the cell, with its formula guard or without. A relation matches by name or id, a list by its elements. */
export function holdsText(resource: Resource, name: string, record: unknown, text: string): boolean {
  const value = valueNamed(resource, name);
  const [held, key] = [value.shownOf(record), value.keyOf(record)];
  if ([text, unguard(text)].some((one) => isSameAsCell(value.type, held, one))) return true;
  if (key !== undefined && typeof key !== 'string')
    return [elementsTyped(held), [...key]].some((all) => isSameSet(all, elementsTyped(text)));
  return key === text.trim();
}
