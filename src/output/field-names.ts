// `--fields help`: every name that --fields takes for records of one kind, as a list of its own.

import type { Column } from '../resources/define.ts';
import { type Member, memberNamed, memberNames } from '../resources/members.ts';
import { placeholder } from '../values/parse.ts';
import { namedBy } from '../values/value-type.ts';
import type { Result, Shape } from './result.ts';

/** One name. `shown`: whether a list has it as a column when nothing is chosen. */
interface FieldName {
  readonly name: string;
  readonly flag: string | null;
  readonly type: string | null;
  readonly shown: 'yes' | 'on a terminal' | 'no';
}

const columns: readonly Column[] = [{ path: 'name' }, { path: 'flag' }, { path: 'type' }, { path: 'shown' }];

/** The names for records of a shape: relations and groups in front of what stands below them, the flags beside what they are of. */
export function fieldNames(shape: Shape): Result {
  const paths = new Set(memberNames(shape).flatMap((name) => withParent(shape, memberNamed(shape, name))));
  const data = [...paths].map((path) => fieldName(shape, path));
  const singular = `field of a ${shape.singular ?? 'record'}`;
  return { kind: 'rows', data, shape: { singular, columns, record: columns.map(({ path }) => path) } };
}

/** A member's path, behind that of the relation or group that holds it. */
function withParent(shape: Shape, member: Member | undefined): string[] {
  if (member === undefined) return [];
  const dot = member.path.lastIndexOf('.');
  const parent = dot < 0 ? undefined : memberNamed(shape, member.path.slice(0, dot));
  return [...withParent(shape, parent), member.path];
}

function fieldName(shape: Shape, path: string): FieldName {
  const { fields = [], filters = [] } = shape;
  const flag = [...fields, ...filters].map((one) => one.flag).find((name) => memberNamed(shape, name)?.path === path);
  const member = memberNamed(shape, path);
  // Of a relation that is a member of its own, a table shows the name.
  const named = member?.kind === 'relation' && shape.record.includes(path) ? member.name : path;
  const column = shape.columns.find((one) => one.path === path || one.path === named);
  const shown = column === undefined ? 'no' : column.terminal ? 'on a terminal' : 'yes';
  return { name: path, flag: flag === undefined ? null : `--${flag}`, type: typeText(member), shown };
}

/** What stands there, as help writes it; null where nothing says. */
function typeText(member: Member | undefined): string | null {
  switch (member?.kind) {
    case 'relation':
      return 'name, id';
    case 'group':
      return 'members';
    case 'value':
      // A record holds the id, whatever may be typed in its place.
      return namedBy(member.type) !== undefined ? 'id' : member.type === undefined ? null : (placeholder(member.type) ?? null);
    default:
      return null;
  }
}
