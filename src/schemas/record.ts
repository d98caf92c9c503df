// A record as a service answers it, as a zod schema: nested objects from the dotted paths that a family declares. Members that no
// document has may stand beside them.

import * as z from 'zod';
import type { Field } from '../resources/define.ts';
import { type Documented, memberNamed } from '../resources/members.ts';
import { heldValue } from './value.ts';

/** What is known of the members of a record. */
export interface RecordShape extends Documented {
  readonly fields?: readonly Field[];
}

interface MemberTree {
  readonly [name: string]: MemberTree | undefined;
}

/** The record with all its documented members. */
export function recordSchema(shape: RecordShape): z.ZodObject {
  const tree: Record<string, MemberTree> = {};
  for (const path of shape.record) plant(tree, path.split('.'));
  return groupSchema(shape, tree, '');
}

/** As much of the record as an answer holds: some of its members, by their names. */
export const partSchema = (shape: RecordShape, names: readonly string[]): z.ZodObject =>
  recordSchema({ ...shape, record: shape.record.filter((path) => names.includes(path.split('.')[0] ?? '')) });

function plant(tree: Record<string, MemberTree | undefined>, [name = '', ...below]: readonly string[]): void {
  const group: Record<string, MemberTree | undefined> = { ...tree[name] };
  if (below.length > 0) plant(group, below);
  tree[name] = group;
}

function groupSchema(shape: RecordShape, group: MemberTree, prefix: string): z.ZodObject {
  const members = Object.entries(group).map(([name, below = {}]) => {
    const path = `${prefix}${name}`;
    const isLeaf = Object.keys(below).length === 0;
    return [name, isLeaf ? leafSchema(shape, path) : groupSchema(shape, below, `${path}.`)];
  });
  return z.looseObject(Object.fromEntries(members));
}

function leafSchema(shape: RecordShape, path: string): z.ZodType {
  const { nullable = [] } = shape;
  const schema = valueSchema(shape, path);
  const mayBeNull = nullable.includes(path) || nullable.includes(path.split('.')[0] ?? '');
  const help = helpAt(shape, path);
  const whole = mayBeNull ? schema.nullable() : schema;
  return help === undefined ? whole : whole.describe(help);
}

function valueSchema(shape: RecordShape, path: string): z.ZodType {
  const member = memberNamed(shape, path);
  if (member?.kind === 'relation') return z.array(z.looseObject({ id: z.int().min(1), name: z.string() }));
  const isArray = shape.arrays?.includes(path) || shape.sets?.some(({ read }) => read === path);
  if (isArray) return z.array(z.string());
  const numbered = shape.fields?.find(({ read, type }) => read === path && type.kind === 'numbered');
  return heldValue(numbered?.type ?? (member?.kind === 'value' ? member.type : undefined));
}

/** What a field says of its value. What is sent for a relation or a custom field is another thing than what reads back. */
function helpAt({ fields = [] }: RecordShape, path: string): string | undefined {
  const field = fields.find(({ read }) => read === path);
  return field === undefined || ['id', 'id-or-name', 'numbered'].includes(field.type.kind) ? undefined : field.help;
}
