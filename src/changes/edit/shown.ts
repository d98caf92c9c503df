// The fields that an editor shows: each field that an update takes, under its flag's name.

import { type InvalidValue, InvalidValues } from '../../base/errors.ts';
import { fieldSuggestion, flagForm } from '../../model/bodies/names.ts';
import type { Field, Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { updateShape } from '../../model/shape.ts';
import { numbersIn } from '../../model/values.ts';
import { type FieldTarget, fieldTarget } from '../file/target.ts';

/** The fields that the editor shows: the fields that --fields names, else all readable fields of an update. Throws InvalidValues. */
export function shownFields(resource: Resource, names: readonly string[] | undefined): FieldTarget[] {
  const all = updateShape(resource).fields.filter(isShown);
  if (names === undefined) return all.map((field) => ({ kind: 'field', name: field.flag, field }));
  const wrong: InvalidValue[] = [];
  const chosen = new Map<string, FieldTarget>();
  for (const name of names) {
    if (flagForm(name) === 'id') continue;
    const target = shownAs(resource, all, name);
    if (target === undefined) wrong.push({ where: '--fields', problem: whyNot(resource, all, name) });
    else chosen.set(target.name, target);
  }
  if (wrong.length > 0) throw new InvalidValues(wrong);
  return [...chosen.values()];
}

/** The field of a typed name: a flag, a wire name, or the path of a relation's id. */
function shownAs(resource: Resource, all: readonly Field[], name: string): FieldTarget | undefined {
  const target = fieldTarget(resource, name);
  if (target !== undefined) return all.includes(target.field) ? target : undefined;
  const relation = name.replace(/\.(id|title|name)$/, '');
  const field = all.find(
    ({ wire, read = '' }) => wire === name || read === name || (read.endsWith('.id') && read.slice(0, -3) === relation),
  );
  return field === undefined ? undefined : { kind: 'field', name: field.flag, field };
}

function whyNot(resource: Resource, all: readonly Field[], name: string): string {
  const set = resource.sets?.find(({ read }) => read === name);
  if (set !== undefined) return `"${name}" can't be edited: crm ${resource.name} ${set.verb} changes it.`;
  const isForCreation = resource.fields.some(({ flag, only }) => only === 'create' && flag === flagForm(name));
  if (isForCreation) return `"${name}" can't be edited once the record is there.`;
  if (memberNamed(resource, name) !== undefined) return `"${name}" can't be edited.`;
  return `there is no field "${name}".${fieldSuggestion(all, name)}`;
}

const isShown = ({ read, type }: Field): boolean => read !== undefined && type.kind !== 'reference' && type.kind !== 'switch';

/** The fields, with `custom-field` expanded to the custom fields that the record has. */
export function numberedOut(shown: readonly FieldTarget[], record: unknown): FieldTarget[] {
  return shown.flatMap((one) => {
    if (one.field.type.kind !== 'numbered' || one.number !== undefined) return [one];
    return numbersIn(one.field, record).map((number) => ({ ...one, name: `${one.field.flag}-${number}`, number }));
  });
}
