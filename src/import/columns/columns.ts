// What a column of a file means: a field by its flag name, by where it reads back or by its wire name; the id; or
// something that is only ever read. Nothing here looks at a value.

import { fieldByFlag, fieldSuggestion, flagForm, isNumberUpTo } from '../../bodies/names.ts';
import { createShape, updateShape } from '../../bodies/shape.ts';
import { UsageError } from '../../errors.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { ValueType } from '../../values/value-type.ts';
import type { ImportPlan } from '../plan.ts';

export type Column =
  | { readonly kind: 'field'; readonly field: Field }
  /** One field of the body by its wire name; `field` is what it is a part of, where that is declared. */
  | { readonly kind: 'wire'; readonly wire: string; readonly type: ValueType; readonly field?: Field }
  | { readonly kind: 'id' }
  /** When the record was last changed, as the file knows it. */
  | { readonly kind: 'changed' }
  /** Documented, and not to be written in this mode. */
  | { readonly kind: 'read-only' }
  /** Left out on purpose: by --map, or because a rejects file adds it. */
  | { readonly kind: 'left-out' };

/** Where a record says when it was last changed. */
const changedPath = 'dates.updated';

/** The columns that a rejects file adds. */
export const rejectColumns = ['_line', '_status', '_error'] as const;

/** The meaning of a column's name. Throws UsageError, with what it may have meant, when it has none. */
export function columnOf(plan: ImportPlan, name: string): Column {
  const mapped = plan.maps.get(name);
  if (mapped === '') return { kind: 'left-out' };
  if (mapped === undefined && rejectColumns.some((own) => own === name)) return { kind: 'left-out' };
  const found = meaningOf(plan.resource, mapped ?? name.trim());
  if (found !== undefined) return writable(plan, found);
  if (mapped !== undefined) throw noField('--map: there is no field', plan, mapped);
  throw noField('there is no field', plan, name, ` Say what it is with --map '${name}=flag-name', or leave it out with --map '${name}='.`);
}

/** The error for a name without a meaning, with what it may have meant. */
export function noField(what: string, { resource, mode }: Pick<ImportPlan, 'resource' | 'mode'>, name: string, wayOut = ''): UsageError {
  const shape = mode === 'update' ? updateShape(resource) : createShape(resource);
  return new UsageError(`${what} "${name}".${fieldSuggestion(shape.fields, name)}${wayOut}`);
}

/** What a name means, whether or not it can be written; undefined when it has no meaning. */
export function meaningOf({ fields, oneOf, record }: Resource, name: string): Column | undefined {
  const set = /^set:(.+)$/.exec(name)?.[1];
  if (set !== undefined) return { kind: 'wire', wire: set, type: { kind: 'text' } };
  const field = fields.find(({ read }) => read === name) ?? fieldByFlag(fields, name) ?? fields.find(({ wire }) => wire === name);
  if (field !== undefined) return { kind: 'field', field };
  if (flagForm(name) === 'id') return { kind: 'id' };
  if (name === changedPath && record.includes(name)) return { kind: 'changed' };
  if (name === oneOf?.wire || isDocumented(record, name)) return partOf(fields, name) ?? { kind: 'read-only' };
  return partOf(fields, name);
}

/** A documented member, or what holds some, such as a `converted` that is null. */
function isDocumented(record: readonly string[], name: string): boolean {
  return record.some((path) => path === name || path.startsWith(`${name}.`));
}

/** A part of a field that travels as several: the type or id of a reference, one of the custom fields. */
function partOf(fields: readonly Field[], name: string): Column | undefined {
  for (const field of fields) {
    const { type, wire, read, flag } = field;
    if (type.kind === 'reference') {
      const part = partAfter([`${wire}_`, `${read}.`, `${flag}.`], name);
      if (part === 'type') return { kind: 'wire', wire: `${wire}_type`, type: { kind: 'choice', values: type.types }, field };
      if (part === 'id') return { kind: 'wire', wire: `${wire}_id`, type: { kind: 'id' }, field };
    }
    if (type.kind === 'numbered') {
      const part = partAfter([wire, `${read}.`], name) ?? partAfter([`${flag}-`, `${flag}.`], flagForm(name));
      if (isNumberUpTo(type.max, part ?? '')) return { kind: 'wire', wire: `${wire}${part}`, type: { kind: 'text' }, field };
    }
  }
  return undefined;
}

function partAfter(leads: readonly string[], name: string): string | undefined {
  const lead = leads.find((one) => name.startsWith(one));
  return lead === undefined ? undefined : name.slice(lead.length);
}

/** The column, or that it can only be read in this mode. */
function writable(plan: ImportPlan, column: Column): Column {
  if (column.kind === 'id') return plan.match?.kind === 'id' ? column : { kind: 'read-only' };
  if (column.kind === 'changed')
    return plan.mode === 'create' ? { kind: 'read-only' } : plan.overwritesNewer ? { kind: 'left-out' } : column;
  const field = 'field' in column ? column.field : undefined;
  if (field?.only === undefined || plan.mode === 'upsert' || field.only === plan.mode) return column;
  const isMatch = plan.match?.kind === 'field' && plan.match.field === field;
  return isMatch ? column : { kind: 'read-only' };
}

/** Whether rows find their records by this column. */
export function isMatchColumn(plan: ImportPlan, column: Column): boolean {
  if (plan.match === undefined) return false;
  return plan.match.kind === 'id' ? column.kind === 'id' : column.kind === 'field' && column.field === plan.match.field;
}

/** The body entries that a column can make; none for what reads only. */
export function wiresOf(column: Column): string[] {
  if (column.kind === 'wire') return [column.wire];
  if (column.kind !== 'field') return [];
  const { wire, type } = column.field;
  return type.kind === 'reference' ? [`${wire}_type`, `${wire}_id`] : [wire];
}
