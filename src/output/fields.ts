// The members that a person asks to see. Resolves the names in --fields to paths of a record: a name is a path of the record, else the name
// of a flag. Refuses unknown names, and tells whether a written record lacks a member.

import { type InvalidValue, InvalidValues } from '../base/errors.ts';
import { formatFacts, type GlobalFlags, isDrawing } from '../base/global-flags.ts';
import { headOf } from '../base/values/paths.ts';
import { unknownField } from '../base/values/text/suggest.ts';
import type { Resource } from '../model/define.ts';
import { memberNamed, memberNames, namesForSuggestions, underscored } from '../model/members.ts';
import { allPaths, anyHasPath, hasPath, isBelowNull } from '../model/records/columns.ts';
import type { Shape } from './result.ts';

/** The paths of the names, and the unknown names: the family doesn't declare them, and no record has them. */
export function resolvedFields(
  names: readonly string[],
  shape: Shape,
  records: readonly unknown[],
): { readonly paths: readonly string[]; readonly unknown: readonly string[] } {
  const resolved = names.map((name) => ({ name, path: fieldPath(name, shape, records) }));
  // A shape without documented members takes any name.
  const unknown = shape.record.length === 0 ? [] : resolved.filter(({ path }) => path === undefined).map(({ name }) => name);
  return { paths: resolved.map(({ name, path }) => path ?? name), unknown };
}

function fieldPath(name: string, shape: Shape, records: readonly unknown[]): string | undefined {
  const member = memberNamed(shape, name);
  if (member !== undefined && member.kind !== 'named' && member.path === underscored(name)) return member.path;
  const [own, named] = [name, underscored(name)].map((path) => anyHasPath(records, path));
  if (own) return name;
  const section = shape.sections?.find((one) => name === one.name || name.startsWith(`${one.name}.`));
  if (section !== undefined) {
    if (name === section.name) return name;
    const below = memberNamed(section.shape, name.slice(section.name.length + 1));
    return below === undefined ? undefined : `${section.name}.${below.path}`;
  }
  // A custom field is declared by the records, so its name is unknown only if there are records and no record has it.
  if (member !== undefined && (member.kind !== 'named' || records.length === 0 || records.some((one) => hasPath(one, member.path)))) {
    return member.path;
  }
  return named ? underscored(name) : undefined;
}

/** Checks the names of --fields before any record is read. Throws InvalidValues for names that the family doesn't declare. */
export function checkFields(names: readonly string[], shape: Shape): void {
  const unknown = names.filter((name) => memberNamed(shape, name) === undefined);
  if (shape.record.length > 0 && unknown.length > 0) throw unknownFields(unknown, shape);
}

/** An error lists at most this many names. If there are more, the error names `--fields help`. */
const readableNames = 15;

/** The error for unknown names in --fields, each with the nearest known name. */
export function unknownFields(names: readonly string[], shape: Shape): InvalidValues {
  return new InvalidValues(
    names.map((name): InvalidValue => {
      const members = memberNames(shape);
      const all = members.length > readableNames ? '. --fields help lists all names.' : `. There are ${members.join(', ')}.`;
      return { where: '--fields', problem: unknownField(name, namesForSuggestions(shape), all) };
    }),
  );
}

/** The columns of a flat format: the paths of --fields, else every documented member, then every other member of the records. */
export function flatColumns(fields: readonly string[] | undefined, shape: Shape, records: readonly unknown[]): readonly string[] {
  const all = allPaths(shape.record, records);
  if (fields === undefined) return all;
  return fields.flatMap((path) => {
    const below = all.filter((one) => one.startsWith(`${path}.`));
    return below.length === 0 ? [path] : below;
  });
}

/** The path whose value a table shows: for a relation the path of its name, else the path itself. */
export function shownPath(path: string, shape: Shape, records: readonly unknown[]): string {
  const member = memberNamed(shape, path);
  if (member?.kind !== 'relation' || member.path !== path) return path;
  return records.some((record) => hasPath(record, member.name) || isBelowNull(record, member.name)) ? member.name : path;
}

/**
 * True when a written record lacks a member that is to be printed. --fields names members; --all-fields and the columns of a file mean all
 * members, where the interface shows a part of the record as the answer (interface: Contacts, Leads, Proposals).
 */
export function lacksAsked(resource: Resource, verb: string, { fields, allFields, output }: GlobalFlags, record: unknown): boolean {
  const { answers = {}, record: members } = resource;
  const isPart = Object.hasOwn(answers, verb);
  const showsAll = allFields || (formatFacts[output].holds === 'cells' && !isDrawing(output));
  const names = fields ?? (isPart && showsAll ? members : []);
  return names.some((name) => {
    const member = memberNamed(resource, name);
    if (member === undefined || member.kind === 'named') return false;
    const paths = member.kind === 'group' && member.isJoined ? member.members : [member.path];
    return paths.some((path) => !hasPath(record, headOf(path)));
  });
}
