// The answer to `--fields help`: every name that --fields takes for records of one kind.

import { placeholder } from '../base/values/parse.ts';
import { namedBy } from '../base/values/value-type.ts';
import type { Column } from '../model/define.ts';
import { type Member, memberNamed, memberNames } from '../model/members.ts';
import type { Result, Shape } from './result.ts';

/** A row of the answer. `shown`: whether a table without --fields has a column for the field. */
interface FieldName {
  readonly name: string;
  readonly flag: string | null;
  readonly type: string | null;
  readonly shown: 'yes' | 'on a terminal' | 'no';
}

const columns: readonly Column[] = [{ path: 'name' }, { path: 'flag' }, { path: 'type' }, { path: 'shown' }];

/** A row for every field name of a shape, with the flag that sets the field. Relations and groups come before their members. */
export function fieldNames(shape: Shape): Result {
  const paths = new Set(memberNames(shape).flatMap((name) => withParent(shape, memberNamed(shape, name))));
  const data = [...paths].map((path) => fieldName(shape, path));
  const singular = `field of a ${shape.singular ?? 'record'}`;
  return { kind: 'rows', data, shape: { singular, columns, record: columns.map(({ path }) => path) } };
}

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
  // A table shows the name of a relation in place of the relation.
  const named = member?.kind === 'relation' && shape.record.includes(path) ? member.name : path;
  const column = shape.columns.find((one) => one.path === path || one.path === named);
  const shown = column === undefined ? 'no' : column.terminal ? 'on a terminal' : 'yes';
  return { name: path, flag: flag === undefined ? null : `--${flag}`, type: memberTypeText(member), shown };
}

function memberTypeText(member: Member | undefined): string | null {
  switch (member?.kind) {
    case 'relation':
      return 'name, id';
    case 'group':
      return member.isJoined ? 'text' : 'members';
    case 'value':
      // A name may be typed in place of the id, but the record holds the id.
      return namedBy(member.type) !== undefined ? 'id' : member.type === undefined ? null : (placeholder(member.type) ?? null);
    default:
      return null;
  }
}
