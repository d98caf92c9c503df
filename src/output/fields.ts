// What --fields names: paths of the record, then flags by where their values read back; and which of them there are.

import { type InvalidValue, InvalidValues } from '../errors.ts';
import { allPaths, anyHasPath, hasPath, isBelowNull } from '../records/columns.ts';
import { memberNamed, memberNames, namesMeant, underscored } from '../resources/members.ts';
import { unknownField } from '../values/text/suggest.ts';
import type { Section, Shape } from './result.ts';

/** The paths that names stand for, and the names that neither the family declares nor any of the records has. */
export function settledFields(
  names: readonly string[],
  shape: Shape,
  records: readonly unknown[],
): { readonly paths: readonly string[]; readonly unknown: readonly string[] } {
  const settled = names.map((name) => ({ name, path: pathOf(name, shape, records) }));
  // What has no documented members is shown as it comes.
  const unknown = shape.record.length === 0 ? [] : settled.filter(({ path }) => path === undefined).map(({ name }) => name);
  return { paths: settled.map(({ name, path }) => path ?? name), unknown };
}

function pathOf(name: string, shape: Shape, records: readonly unknown[]): string | undefined {
  const member = memberNamed(shape, name);
  if (member !== undefined && member.kind !== 'named' && member.path === underscored(name)) return member.path;
  const [own, named] = [name, underscored(name)].map((path) => anyHasPath(records, path));
  if (own) return name;
  const section = shape.sections?.find((one) => name === one.name || name.startsWith(`${one.name}.`));
  if (section !== undefined) return sectionPath(name, section);
  // With no record nobody can tell what records name themselves.
  if (member !== undefined && (member.kind !== 'named' || records.length === 0 || records.some((one) => hasPath(one, member.path)))) {
    return member.path;
  }
  return named ? underscored(name) : undefined;
}

/** A path in the records that hang on a record: `notes.title`. */
function sectionPath(name: string, section: Section): string | undefined {
  if (name === section.name) return name;
  const below = memberNamed(section.shape, name.slice(section.name.length + 1));
  return below === undefined ? undefined : `${section.name}.${below.path}`;
}

/** Checks the names of --fields before there is any record. Throws InvalidValues for one that the family doesn't declare. */
export function checkFields(names: readonly string[], shape: Shape): void {
  const unknown = names.filter((name) => memberNamed(shape, name) === undefined);
  if (shape.record.length > 0 && unknown.length > 0) throw unknownFields(unknown, shape);
}

/** More names than these are a list of their own. */
const readableNames = 15;

/** The error for names that nothing has. */
export function unknownFields(names: readonly string[], shape: Shape): InvalidValues {
  return new InvalidValues(
    names.map((name): InvalidValue => {
      const members = memberNames(shape);
      const all = members.length > readableNames ? '. --fields help lists what there is.' : `. There are ${members.join(', ')}.`;
      return { where: '--fields', problem: unknownField(name, namesMeant(shape), all) };
    }),
  );
}

/** The columns of a format without nested members: --fields, or the documented members and whatever else the records hold. */
export function flatColumns(fields: readonly string[] | undefined, shape: Shape, records: readonly unknown[]): readonly string[] {
  return fields?.flatMap((path) => dottedColumns(path, shape, records)) ?? allPaths(shape.record, records);
}

/** The dotted columns of an object; of any other value its own path. */
function dottedColumns(path: string, shape: Shape, records: readonly unknown[]): string[] {
  const below = allPaths(shape.record, records).filter((one) => one.startsWith(`${path}.`));
  return below.length === 0 ? [path] : below;
}

/** Where a table finds what it shows of a path: of a relation, its name. */
export function shownPath(path: string, shape: Shape, records: readonly unknown[]): string {
  const member = memberNamed(shape, path);
  if (member?.kind !== 'relation' || member.path !== path) return path;
  return records.some((record) => hasPath(record, member.name) || isBelowNull(record, member.name)) ? member.name : path;
}
