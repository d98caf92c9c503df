// The flags of a body: a flag for each field, and --set and --data for any field. Pure.

import type { Flag, FlagValues } from '../../base/flag.ts';
import { placeholder } from '../../base/values/parse.ts';
import type { Named } from '../../base/values/value-type.ts';
import type { Field, ReplacedSet, Resource } from '../define.ts';
import { type BodyShape, createShape, neverChanged, updateShape } from '../shape.ts';

export const createFlags = (resource: Resource) => bodyFlags(createShape(resource), 'create');

/** The flags of the sets that create sends, each in a request of its own. */
export const setFlagsAtCreation = (resource: Resource): Flag[] =>
  setsAtCreation(resource).map(({ atCreation = '', value: { name, type } }) => ({
    name: atCreation,
    value: name,
    help: `Who gets the ${resource.singular}, by a second request; repeatable`,
    repeatable: true,
    type,
    group: 'Fields',
  }));

/** The sets that create sends. */
export const setsAtCreation = ({ sets = [] }: Resource): ReplacedSet[] => sets.filter(({ atCreation }) => atCreation !== undefined);

export const updateFlags = (resource: Resource) =>
  [
    ...bodyFlags(updateShape(resource), 'update'),
    { name: 'replace', help: 'Send only the given values, without a read: all other values may be cleared', group: 'Body' },
  ] as const satisfies readonly Flag[];
export type UpdateFlags = FlagValues<ReturnType<typeof updateFlags>>;

/** The flags of create that update refuses, each with the reason. */
export function updateRefusals(resource: Resource): Record<string, string> {
  const { createOnly = [] } = updateShape(resource);
  return Object.fromEntries(createOnly.map(({ flag, type }) => [flag, type.kind === 'switch' ? 'only create takes it.' : neverChanged]));
}

/** The flags of a body: one per field, then --set and --data. */
export const bodyFlags = (shape: BodyShape, mode: 'create' | 'update') =>
  [
    ...shape.fields.map((field) => fieldFlag(shape, field, mode)),
    ...newFlags(shape, 'Fields'),
    ...bodyTextFlags,
  ] as const satisfies readonly Flag[];
export type BodyFlags = FlagValues<ReturnType<typeof bodyFlags>>;

const bodyTextFlags = [
  {
    name: 'set',
    value: 'name=value',
    help: 'Any body field by its wire name, which wins over its flag; repeatable',
    repeatable: true,
    group: 'Body',
  },
  {
    name: 'data',
    value: 'json|@file|-',
    help: 'Fields as a JSON object, by flag or wire names; flags win',
    from: ['@file', '-'],
    group: 'Body',
  },
] as const satisfies readonly Flag[];

/** The flag that lets the service make a new thing for a name: `--new-unit`. */
export const newFlag = (of: Named): string => `new-${of}`;

/** The flags that let the service make new things for names. */
export function newFlags({ fields }: Pick<BodyShape, 'fields'>, group: string): Flag[] {
  return fields.flatMap(({ flag, type }) =>
    type.kind === 'id-or-name' ? [{ name: newFlag(type.of), help: `Make a new ${flag} when no ${flag} has the given name`, group }] : [],
  );
}

function furtherForms({ type }: Field, { makes }: BodyShape): string {
  if (type.kind === 'text' && type.long) return '; or @file, or - for standard input';
  return type.kind === 'decimal' && makes === undefined ? '; or +3%, -10% of the present value' : '';
}

function fieldFlag(shape: BodyShape, field: Field, mode: 'create' | 'update'): Flag {
  const value = placeholder(field.type);
  return {
    name: field.flag,
    ...(value === undefined ? {} : { value }),
    help: `${field.help}${furtherForms(field, shape)}`,
    ...(field.type.kind === 'choice' ? { choices: field.type.values } : {}),
    ...(field.type.kind === 'text' && field.type.long ? { from: ['@file', '-'] as const } : {}),
    ...(field.type.kind === 'numbered' ? { repeatable: true as const, least: 1, most: field.type.max } : {}),
    ...(field.type.kind === 'integer' ? { least: 0 } : {}),
    wire: field.wire,
    type: field.type,
    ...(field.listedBy === undefined ? {} : { listedBy: field.listedBy }),
    ...(mode === 'create' && field.required ? { required: true as const } : {}),
    group:
      mode === 'update' ? 'Fields' : shape.oneOf?.flags.includes(field.flag) ? 'Required, one of' : field.required ? 'Required' : 'Fields',
  };
}
