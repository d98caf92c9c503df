// What a column of a file means: a field by its flag name, by where it reads back or by its wire name; the id; or
// something that is only ever read. Nothing here looks at a value.

import { type Extra, extrasOf } from '../../bodies/extras.ts';
import { fieldByFlag, fieldSuggestion, flagForm, isNumberUpTo } from '../../bodies/names.ts';
import { createShape, updateShape } from '../../bodies/shape.ts';
import { UsageError } from '../../errors.ts';
import type { Field, Resource } from '../../resources/define.ts';
import { memberNamed } from '../../resources/members.ts';
import { namedBy, type ValueType } from '../../values/value-type.ts';
import { guessedFlags } from '../mapping/headers.ts';
import { headerKey, type ImportPlan } from '../plan.ts';
import { extraNamed, namedIn } from './extras.ts';

export type FileColumn =
  | { readonly kind: 'field'; readonly field: Field }
  /** One field of the body by its wire name; `field` is what it is a part of, where that is declared. */
  | { readonly kind: 'wire'; readonly wire: string; readonly type: ValueType; readonly field?: Field }
  | { readonly kind: 'id' }
  /** Whole names of people, of which the last word is the last name. */
  | { readonly kind: 'full-name'; readonly fields: readonly [first: Field, last: Field] }
  /** When the record was last changed, as the file knows it. */
  | { readonly kind: 'changed' }
  /** The name of what a field holds the id of: `status.title`. `path`: where records hold it. */
  | { readonly kind: 'name'; readonly field: Field; readonly path: string }
  /** Written by an endpoint of its own. `column`: as it is called, or its ids. */
  | { readonly kind: 'extra'; readonly extra: Extra; readonly column: string }
  /** Can't be changed after creation, and is compared with the record that a row meets. */
  | { readonly kind: 'compared'; readonly path: string; readonly field: Field }
  /** Documented, and neither written nor compared. */
  | { readonly kind: 'read-only' }
  /** Left out on purpose: by --map, or because a rejects file adds it. */
  | { readonly kind: 'left-out' };

/** Where a record says when it was last changed. */
const changedPath = 'dates.updated';

/** The columns that a rejects file adds. */
export const rejectColumns = ['_line', '_status', '_error'] as const;

/** The meaning of a column's name. Throws UsageError, with what it may have meant, when it has none. */
export function columnOf(plan: ImportPlan, name: string): FileColumn {
  const mapped = plan.maps.get(headerKey(name));
  if (mapped?.to === '') return { kind: 'left-out' };
  if (mapped === undefined && rejectColumns.some((own) => own === name)) return { kind: 'left-out' };
  const found = mapped === undefined ? headerMeaning(plan.resource, name.trim()) : meaningOf(plan.resource, mapped.to);
  if (found !== undefined) return writable(plan, found);
  if (mapped !== undefined) throw noField(`${mapped.where}: there is no field`, plan, mapped.to);
  throw noField('there is no field', plan, name, ` Say what it is with --map '${name}=flag-name', or leave it out with --map '${name}='.`);
}

/** Whether a header has no meaning, and nobody has said what it is. */
export const isUnknown = ({ resource, maps }: ImportPlan, name: string): boolean =>
  !maps.has(headerKey(name)) && !rejectColumns.some((own) => own === name) && headerMeaning(resource, name.trim()) === undefined;

/** What headers without a meaning may be. */
export function guessedNames({ resource, mode }: ImportPlan, names: readonly string[]): Map<string, string> {
  const shape = mode === 'update' ? updateShape(resource) : createShape(resource);
  return guessedFlags(names, flagsToGuess(resource, shape.fields), new Set());
}

/** What a header means, whatever its case. */
function headerMeaning(resource: Resource, name: string): FileColumn | undefined {
  const small = name.toLowerCase();
  return meaningOf(resource, name) ?? meaningOf(resource, small) ?? meaningOf(resource, small.replaceAll(/[\s-]+/g, '_'));
}

/** The error for a name without a meaning, with what it may have meant. */
export function noField(what: string, { resource, mode }: Pick<ImportPlan, 'resource' | 'mode'>, name: string, wayOut = ''): UsageError {
  const shape = mode === 'update' ? updateShape(resource) : createShape(resource);
  const [common] = guessedFlags([name], flagsToGuess(resource, shape.fields), new Set()).values();
  const meant = common === undefined ? fieldSuggestion(shape.fields, name) : ` Did you mean "${common}"?`;
  return new UsageError(`${what} "${name}".${meant}${wayOut}`);
}

/** What a name means, whether or not it can be written; undefined when it has no meaning. */
export function meaningOf(resource: Resource, name: string): FileColumn | undefined {
  const { fields, oneOf, record } = resource;
  const wire = /^set:(.+)$/.exec(name)?.[1];
  if (wire !== undefined) return { kind: 'wire', wire, type: { kind: 'text' } };
  const field = fields.find(({ read }) => read === name) ?? fieldByFlag(fields, name) ?? fields.find((one) => one.wire === name);
  if (field !== undefined) return { kind: 'field', field };
  if (flagForm(name) === 'id') return { kind: 'id' };
  const whole = flagForm(name) === 'full-name' ? wholeName(fields) : undefined;
  if (whole !== undefined) return { kind: 'full-name', fields: whole };
  if (name === changedPath && record.includes(name)) return { kind: 'changed' };
  const named = fields.find((one) => namePath(resource, one) === name);
  if (named !== undefined) return { kind: 'name', field: named, path: name };
  const extra = extraNamed(resource, name);
  if (extra !== undefined) return { kind: 'extra', ...extra };
  const part = partOf(fields, name);
  if (part !== undefined || (name !== oneOf?.wire && !isDocumented(record, name))) return part;
  return { kind: 'read-only' };
}

/** The fields for the parts of a person's name, where a family has them. */
function wholeName(fields: readonly Field[]): [first: Field, last: Field] | undefined {
  const [first, last] = ['first-name', 'last-name'].map((flag) => fieldByFlag(fields, flag));
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** What a header of another program may stand for. */
export const flagsToGuess = (resource: Resource, fields: readonly Field[]): string[] => [
  ...fields.map(({ flag }) => flag),
  ...extrasOf(resource).map((extra) => extra.name),
  ...(wholeName(fields) === undefined ? [] : ['full-name']),
];

/** Where records hold the name of what a field holds the id of; undefined where they hold none. */
export function namePath(resource: Resource, { read }: Field): string | undefined {
  if (!read?.endsWith('.id')) return undefined;
  const member = memberNamed(resource, read.slice(0, -'.id'.length));
  return member?.kind === 'relation' ? member.name : undefined;
}

/** A documented member, or what holds some, such as a `converted` that is null. */
function isDocumented(record: readonly string[], name: string): boolean {
  return record.some((path) => path === name || path.startsWith(`${name}.`));
}

/** A part of a field that travels as several: the type or id of a reference, one of the custom fields. */
function partOf(fields: readonly Field[], name: string): FileColumn | undefined {
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

/** The column as this mode takes it: what it can't write it compares, or passes over. */
function writable(plan: ImportPlan, column: FileColumn): FileColumn {
  if (column.kind === 'id') return plan.match?.kind === 'id' ? column : { kind: 'read-only' };
  if (column.kind === 'changed')
    return plan.mode === 'create' ? { kind: 'read-only' } : plan.overwritesNewer ? { kind: 'left-out' } : column;
  const field = 'field' in column ? column.field : undefined;
  if (plan.mode === 'create' && column.kind === 'name' && namedBy(column.field.type) === undefined) return { kind: 'read-only' };
  if (field?.only === undefined || plan.mode === 'upsert' || field.only === plan.mode) return column;
  const isMatch = plan.match?.kind === 'field' && plan.match.field === field;
  if (isMatch) return column;
  const path = fixedPath(column);
  return plan.mode === 'create' || path === undefined ? { kind: 'read-only' } : { kind: 'compared', path, field };
}

/** Where records hold what a column gives of a field that only a create body takes. */
export function fixedPath(column: FileColumn): string | undefined {
  if (column.kind === 'name') return column.path;
  if (column.kind === 'field') return column.field.read;
  if (column.kind !== 'wire' || column.field?.read === undefined) return undefined;
  return `${column.field.read}.${column.wire.slice(column.field.wire.length + 1)}`;
}

/** Whether rows find their records by this column. */
export function isMatchColumn(plan: ImportPlan, column: FileColumn): boolean {
  if (plan.match === undefined) return false;
  return plan.match.kind === 'id' ? column.kind === 'id' : column.kind === 'field' && column.field === plan.match.field;
}

/** Whether the cells of a column may hold names in place of ids. */
export function mayName(column: FileColumn): boolean {
  if (column.kind === 'extra') return namedIn(column.extra) !== undefined;
  const type = 'field' in column ? column.field?.type : undefined;
  return type?.kind === 'reference' || namedBy(type) !== undefined;
}

/** The body entries of which a column gives the value, by an id or by a name. */
export const wiresGiven = (column: FileColumn): string[] => (column.kind === 'name' ? [column.field.wire] : wiresOf(column));

/** The body entries that a column itself makes; none for names beside ids, and for what reads only. */
export function wiresOf(column: FileColumn): string[] {
  if (column.kind === 'wire') return [column.wire];
  if (column.kind === 'extra') return [column.column];
  if (column.kind === 'full-name') return column.fields.map(({ wire }) => wire);
  if (column.kind !== 'field') return [];
  const { wire, type } = column.field;
  return type.kind === 'reference' ? [`${wire}_type`, `${wire}_id`] : [wire];
}
