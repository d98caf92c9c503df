// The meaning of a column's name: a field by flag, read path or wire name, the id, an extra or a read-only member. Looks at no values.

import { UsageError } from '../../base/errors.ts';
import { stepsBetween } from '../../base/values/text/suggest.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { type Extra, extrasOf } from '../../model/bodies/extras.ts';
import { fieldByFlag, fieldSuggestion, flagForm, isNumberUpTo } from '../../model/bodies/names.ts';
import type { Field, Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { createShape, updateShape } from '../../model/shape.ts';
import { mapFlag } from '../command-line.ts';
import { headerKey, isOfRejects, isOfResults } from '../files/raw-row.ts';
import type { ImportJob } from '../job.ts';
import { commonHeaders, guessedFlags } from '../mapping/headers.ts';
import { extraNamed, namedIn } from './extras.ts';

export type FileColumn =
  | { readonly kind: 'field'; readonly field: Field }
  /** One body entry by its wire name. `field`: the declared field with this entry. */
  | { readonly kind: 'wire'; readonly wire: string; readonly type: ValueType; readonly field?: Field }
  | { readonly kind: 'id' }
  /** Full names of people. */
  | { readonly kind: 'full-name'; readonly fields: readonly [first: Field, last: Field] }
  /** The time of the record's last change, as the file has it. */
  | { readonly kind: 'changed' }
  /** The name of a relation whose id the field holds: `status.title`. `path`: where records hold the name. */
  | { readonly kind: 'name'; readonly field: Field; readonly path: string }
  /** A member with an endpoint of its own. `column`: the name of the extra, or `assigned.id` for its ids. */
  | { readonly kind: 'extra'; readonly extra: Extra; readonly column: string }
  /** A field fixed at creation: compared with the record instead of written. */
  | { readonly kind: 'compared'; readonly path: string; readonly field: Field }
  /** A documented member that is neither written nor compared. */
  | { readonly kind: 'read-only' }
  /** Left out by --map, or added by a rejects file. */
  | { readonly kind: 'left-out' };

/** The path of a record's time of last change. */
const changedPath = 'dates.updated';

/** A column without a meaning, left out by `others: leave-out`. */
export const otherColumn: FileColumn = { kind: 'left-out' };

/**
 * The meaning of a column's name; undefined for a name without a meaning. `names`: of all columns. Throws UsageError for a meaning that the
 * mapping misspells.
 */
export function fileColumn(job: ImportJob, name: string, names: readonly string[] = []): FileColumn | undefined {
  const mapped = job.maps.get(headerKey(name));
  if (mapped?.to === '') return { kind: 'left-out' };
  if (mapped === undefined && (isOfRejects(name, names) || isOfResults(name, names))) return { kind: 'left-out' };
  const found = headerMeaning(job.resource, mapped === undefined ? name.trim() : mapped.to);
  if (found !== undefined) return writable(job, found);
  if (mapped !== undefined) throw noField(`${mapped.where}: there is no field`, job, mapped.to);
  return job.leavesOthers && misspelt(job, name) === undefined ? otherColumn : undefined;
}

const fieldsIn = ({ resource, mode }: Pick<ImportJob, 'resource' | 'mode'>): readonly Field[] =>
  (mode === 'update' ? updateShape(resource) : createShape(resource)).fields;

/** Guessed flags for headers without a meaning, by header. `taken`: fields that other columns give. */
export function guessedNames(
  job: Pick<ImportJob, 'resource' | 'mode'>,
  names: readonly string[],
  taken: Iterable<Field> = [],
): Map<string, string> {
  return guessedFlags(names, flagsToGuess(job.resource, fieldsIn(job)), new Set(Array.from(taken, ({ flag }) => flag)));
}

/** The meaning of a header, in any case. */
export function headerMeaning(resource: Resource, name: string): FileColumn | undefined {
  const small = name.toLowerCase();
  return columnMeaning(resource, name) ?? columnMeaning(resource, small) ?? columnMeaning(resource, small.replaceAll(/[\s-]+/g, '_'));
}

/** The name that a mapping holds for a column: read back, it has the meaning that the header has. */
export const nameInMapping = (header: string, column: FileColumn): string => (column.kind === 'field' ? column.field.flag : header.trim());

/** The error for a name without a meaning, with a suggestion. `what` begins the sentence. */
export function noField(what: string, job: Pick<ImportJob, 'resource' | 'mode'>, name: string): UsageError {
  const meant = meantHeader(job, name);
  return new UsageError(`${what} "${name}".${meant === undefined ? fieldSuggestion(fieldsIn(job), name) : ` Did you mean "${meant}"?`}`);
}

/** The flag that a header without a meaning may stand for: a common header, or a name that is one letter away. */
export function meantHeader(job: Pick<ImportJob, 'resource' | 'mode'>, name: string): string | undefined {
  const [common] = guessedNames(job, [name]).values();
  return common ?? misspelt(job, name);
}

/** The flag whose name, or whose common header, is one letter away from a header. Numbers don't count as letters: `Phone 2` is no `Phone 1`. */
function misspelt({ resource, mode }: Pick<ImportJob, 'resource' | 'mode'>, name: string): string | undefined {
  const fields = fieldsIn({ resource, mode });
  const wanted = flagForm(name.trim());
  const isNear = (other: string): boolean =>
    wanted.length > 4 && wanted.length < 100 && !/\d/.test(wanted + other) && stepsBetween(wanted, flagForm(other)) === 1;
  const found = fields.find(({ flag, read = flag }) => isNear(flag) || isNear(read))?.flag;
  return found ?? flagsToGuess(resource, fields).find((flag) => commonHeaders(flag).some(isNear));
}

/** The doubt whether the column Title is a record's title, or a person's position or Dr. beside first and last names, as other programs write. */
export function titleDoubt(
  { resource, maps }: Pick<ImportJob, 'resource' | 'maps'>,
  header: readonly string[],
): { readonly name: string; readonly message: string } | undefined {
  // `title` is crm's own spelling.
  const name = header.find((one) => one.toLowerCase() === 'title' && one !== 'title' && !maps.has(headerKey(one)));
  const { fields } = resource;
  if (name === undefined || fieldByFlag(fields, 'title') === undefined || wholeName(fields) === undefined) return undefined;
  const flags = new Set(header.map((one) => maps.get(headerKey(one))?.to ?? guessedFlag(resource, one)));
  if (!flags.has('first-name') || !flags.has('last-name')) return undefined;
  const ofPerson = flags.has('job-position') ? `such as Dr., ${mapFlag(name)}` : mapFlag(name, 'job-position');
  const message = `the column ${name} stands beside first and last names: is it the ${resource.singular}'s title, ${mapFlag(name, 'title')}, or the person's, ${ofPerson}?`;
  return { name, message };
}

function guessedFlag(resource: Resource, name: string): string | undefined {
  const own = headerMeaning(resource, name.trim());
  if (own !== undefined) return own.kind === 'field' ? own.field.flag : undefined;
  return guessedNames({ resource, mode: 'create' }, [name]).get(name);
}

/** The meaning of a name, writable or not; undefined for a name without a meaning. */
export function columnMeaning(resource: Resource, name: string): FileColumn | undefined {
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
  const part = numberedColumn(fields, name);
  if (part !== undefined || (name !== oneOf?.wire && !isDocumentedName(record, name))) return part;
  return { kind: 'read-only' };
}

function wholeName(fields: readonly Field[]): [first: Field, last: Field] | undefined {
  const [first, last] = ['first-name', 'last-name'].map((flag) => fieldByFlag(fields, flag));
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** Flags that a header of another program may stand for. */
const flagsToGuess = (resource: Resource, fields: readonly Field[]): string[] => [
  ...fields.map(({ flag }) => flag),
  ...extrasOf(resource).map((extra) => extra.name),
  ...(wholeName(fields) === undefined ? [] : ['full-name']),
];

/** The path of the name beside a field's id (`status` for `status.id`); undefined where records hold no relation there. */
export function namePath(resource: Resource, { read }: Field): string | undefined {
  if (!read?.endsWith('.id')) return undefined;
  const member = memberNamed(resource, read.slice(0, -'.id'.length));
  return member?.kind === 'relation' ? member.name : undefined;
}

/** True for a documented member or a group of members, such as `converted`. */
function isDocumentedName(record: readonly string[], name: string): boolean {
  return record.some((path) => path === name || path.startsWith(`${name}.`));
}

/** A part of a field that is sent as several entries: the type or id of a reference, or one custom field. */
function numberedColumn(fields: readonly Field[], name: string): FileColumn | undefined {
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

/** The column in the job's mode: a field that the mode can't write is compared or read-only. */
function writable(job: ImportJob, column: FileColumn): FileColumn {
  if (column.kind === 'id') return job.match?.kind === 'id' ? column : { kind: 'read-only' };
  if (column.kind === 'changed') return job.mode === 'create' ? { kind: 'read-only' } : job.overwritesNewer ? { kind: 'left-out' } : column;
  const field = 'field' in column ? column.field : undefined;
  if (job.mode === 'create' && column.kind === 'name' && namedBy(column.field.type) === undefined) return { kind: 'read-only' };
  if (field?.only === undefined || job.mode === 'upsert' || field.only === job.mode) return column;
  if (job.match?.kind === 'field' && job.match.field === field) return column;
  const path = fixedPath(column);
  return job.mode === 'create' || path === undefined ? { kind: 'read-only' } : { kind: 'compared', path, field };
}

/** The path at which records hold the field of a column; undefined where they don't. */
export function fixedPath(column: FileColumn): string | undefined {
  if (column.kind === 'name') return column.path;
  if (column.kind === 'field') return column.field.read;
  if (column.kind !== 'wire' || column.field?.read === undefined) return undefined;
  return `${column.field.read}.${column.wire.slice(column.field.wire.length + 1)}`;
}

/** The record paths that a column's cells are compared with. A relation's name lies beside its id. */
export function pathsCompared(column: FileColumn): string[] {
  if (column.kind === 'extra') return [column.extra.name];
  const fields = column.kind === 'full-name' ? column.fields : 'field' in column ? [column.field] : [];
  return fields.flatMap((field) => field?.read ?? []);
}

/** True when rows find their records by this column. */
export function isMatchColumn(job: ImportJob, column: FileColumn): boolean {
  if (job.match === undefined) return false;
  return job.match.kind === 'id' ? column.kind === 'id' : column.kind === 'field' && column.field === job.match.field;
}

/** True when cells of the column may hold names in place of ids. */
export function mayName(column: FileColumn): boolean {
  if (column.kind === 'extra') return namedIn(column.extra) !== undefined;
  const type = 'field' in column ? column.field?.type : undefined;
  return type?.kind === 'reference' || namedBy(type) !== undefined;
}

/** The body entries that a column fills by an id or a name. */
export const wiresGiven = (column: FileColumn): string[] => (column.kind === 'name' ? [column.field.wire] : wiresFilled(column));

/** The body entries that a column fills itself; none for columns of names and read-only columns. */
export function wiresFilled(column: FileColumn): string[] {
  if (column.kind === 'wire') return [column.wire];
  if (column.kind === 'extra') return [column.column];
  if (column.kind === 'full-name') return column.fields.map(({ wire }) => wire);
  if (column.kind !== 'field') return [];
  const { wire, type } = column.field;
  return type.kind === 'reference' ? [`${wire}_type`, `${wire}_id`] : [wire];
}
