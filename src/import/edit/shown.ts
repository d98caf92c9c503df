// What an editor shows of records: each value that an update takes, under the name of its flag.

import { fieldSuggestion } from '../../bodies/names.ts';
import { updateShape } from '../../bodies/shape.ts';
import { numbersIn } from '../../changes/file/change-cells.ts';
import type { FieldTarget } from '../../changes/file/target.ts';
import { type InvalidValue, InvalidValues } from '../../errors.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Id } from '../../values/parse.ts';
import { meaningOf, namePath } from '../columns/columns.ts';

/** A record as it was when the editor opened. */
export interface OpenRecord {
  readonly id: Id;
  readonly record: unknown;
}

/** What is shown of a family's records: all that an update takes and a record tells, or what --fields names. Throws InvalidValues. */
export function shownFields(resource: Resource, names: readonly string[] | undefined): FieldTarget[] {
  const all = updateShape(resource).fields.filter(isShown);
  if (names === undefined) return all.map((field) => ({ kind: 'field', name: field.flag, field }));
  const wrong: InvalidValue[] = [];
  const chosen = new Map<string, FieldTarget>();
  for (const name of names) {
    const column = meaningOf(resource, name);
    if (column?.kind === 'id') continue;
    const field = column !== undefined && 'field' in column ? all.find((one) => one === column.field) : undefined;
    if (column === undefined || field === undefined) {
      const set = column?.kind === 'extra' && 'set' in column.extra ? `: crm ${resource.name} ${column.extra.set.verb} changes it` : '';
      const never = column !== undefined && 'field' in column && column.field?.only === 'create' ? ' once the record is there' : '';
      const fixed = `"${name}" can't be edited${never}${set}.`;
      const problem = column === undefined ? `there is no field "${name}".${fieldSuggestion(all, name)}` : fixed;
      wrong.push({ where: '--fields', problem });
    } else if (column.kind === 'wire') {
      const number = column.wire.slice(field.wire.length);
      chosen.set(column.wire, { kind: 'field', name: `${field.flag}-${number}`, field, number });
    } else chosen.set(field.wire, { kind: 'field', name: field.flag, field });
  }
  if (wrong.length > 0) throw new InvalidValues(wrong);
  return [...chosen.values()];
}

const isShown = ({ read, type }: Field): boolean => read !== undefined && type.kind !== 'reference' && type.kind !== 'switch';

/** Where records hold what is shown. */
export const shownPaths = (resource: Resource, shown: readonly FieldTarget[]): string[] =>
  shown.flatMap(({ field }) => [field.read ?? field.flag, namePath(resource, field)].filter((path) => path !== undefined));

/** The fields, with one for each of the custom fields that some record has. */
export function numberedOut(shown: readonly FieldTarget[], records: readonly unknown[]): FieldTarget[] {
  return shown.flatMap((one) => {
    if (one.field.type.kind !== 'numbered' || one.number !== undefined) return [one];
    const numbers = new Set(records.flatMap((record) => numbersIn(one.field, record)));
    return [...numbers].map((number) => ({ ...one, name: `${one.field.flag}-${number}`, number }));
  });
}
