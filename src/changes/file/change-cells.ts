// Values as the cells of a change file: a relation by its name, a set as a list. Pure.

import { UsageError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { flagForm } from '../../model/bodies/names.ts';
import { isSameSet } from '../../model/bodies/replaced-set.ts';
import type { Field, ReplacedSet, Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { cellText } from '../../model/records/cells.ts';
import type { Difference } from '../../model/records/difference.ts';
import { isSameAsCell } from '../../model/same.ts';
import { wiresOf } from '../../model/shape.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { FileWords } from '../../session/names/file-words.ts';
import { nameIn } from '../../session/names/name-in.ts';
import type { NameOf } from '../../session/names/run-names.ts';

/** A record's value under a flag or member name, as a cell's text. A relation gives its name. */
export function heldText(resource: Resource, name: string, record: unknown): string {
  const numbered = numberedField(resource, name);
  if (numbered !== undefined) return numberedText(numbered.field, numbered.number, record);
  const path = memberPath(resource, name);
  const member = memberNamed(resource, path);
  if (member?.kind === 'relation') {
    const held = valueAt(record, member.path);
    if (Array.isArray(held)) return listText(held.map((one) => relationText(member.type, valueAt(one, 'name'), valueAt(one, 'id'))));
    return relationText(member.type, valueAt(record, member.name), valueAt(record, member.id));
  }
  return cellText(record, path);
}

/** The difference of a value as cells of a change file. `wanted`: the new text. Absent: the new text is the old text. */
export function cellDifference(resource: Resource, field: string, record: unknown, wanted?: string): Difference {
  const old = heldText(resource, field, record);
  return { field, old, new: wanted ?? old };
}

/** The field of an update with this flag. */
const fieldByFlagName = ({ fields }: Resource, name: string): Field | undefined =>
  fields.find(({ flag, only }) => only !== 'create' && flag === flagForm(name));

/** The path of a flag or member in a record. A relation gives its whole object. */
export function memberPath(resource: Resource, name: string): string {
  const read = fieldByFlagName(resource, name)?.read?.replace(/\.id$/, '');
  if (read !== undefined) return read;
  const member = memberNamed(resource, name);
  return member !== undefined && 'path' in member ? member.path : name;
}

/** The custom field of a name such as `custom-field-3`. */
export function numberedField({ fields }: Resource, name: string): { readonly field: Field; readonly number: string } | undefined {
  for (const field of fields) {
    if (field.type.kind !== 'numbered' || !flagForm(name).startsWith(`${field.flag}-`)) continue;
    return { field, number: flagForm(name).slice(field.flag.length + 1) };
  }
  return undefined;
}

/** The numbers of the custom fields that a record has (interface: Item, `custom_fields`). */
export function numbersIn({ read = '' }: Field, record: unknown): string[] {
  const held = valueAt(record, read);
  return Array.isArray(held) ? held.filter(isMembers).map(({ id }) => scalarText(id)) : [];
}

function numberedText({ read = '' }: Field, number: string, record: unknown): string {
  const all = valueAt(record, read);
  const one = Array.isArray(all) ? all.find((each) => isMembers(each) && scalarText(each.id) === number) : undefined;
  return scalarText(valueAt(one, 'value'));
}

/** The name of a relation, or the id when the name could be mistaken for something else. */
function relationText(type: ValueType, name: unknown, id: unknown): string {
  const text = scalarText(name);
  return text !== '' && nameIn(type, text)?.name === text ? text : scalarText(id);
}

/** A list of values in one cell. */
export const listText = (texts: readonly (string | number)[]): string => cellText({ list: texts }, 'list');

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
  return listText(elements.map((one) => relationText(type, nameAt(String(one)), one)));
}

/** A value of a request body, as a cell's text. */
export function sentText(type: ValueType, value: BodyValue, nameOf: NameOf): string {
  const of = namedBy(type);
  return of === undefined ? valueText(value) : relationText(type, nameOf(of, valueText(value)), valueText(value));
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

/** The elements of a list cell: a JSON array, else texts separated by line breaks and semicolons, else by commas. */
export const listIn = (text: string): string[] =>
  listedJson(text)?.map(scalarText) ?? linesIn(text).flatMap((line) => splitAt(line, text.includes(';') ? ';' : ','));

const linesIn = (text: string): string[] => text.split(/\r\n|[\r\n]/);

/** The names in a list cell. Names may hold commas: the cell is split at commas only when every part is a name or an id. */
export function namesInCell(text: string, type: ValueType, words: FileWords): string[] {
  const parts = listIn(text);
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
  const held = heldText(resource, name, record);
  const member = memberNamed(resource, memberPath(resource, name));
  const type = member?.kind === 'value' ? member.type : undefined;
  if ([text, unguard(text)].some((one) => isSameAsCell(type, held, one))) return true;
  if (member?.kind !== 'relation' && !Array.isArray(valueAt(record, memberPath(resource, name)))) return false;
  const id = member?.kind === 'relation' ? valueAt(record, member.id) : undefined;
  if (Array.isArray(valueAt(record, memberPath(resource, name))))
    return [listIn(held), Array.isArray(id) ? id.map(scalarText) : []].some((all) => isSameSet(all, listIn(text)));
  return scalarText(id) === text.trim();
}
