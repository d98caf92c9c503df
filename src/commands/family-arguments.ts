// The arguments of each verb, made from a family's declaration. Pure and small, because help loads this file.

import type { Argument, Flag } from '../base/flag.ts';
import type { Need } from '../cli/command.ts';
import { type Action, idType, type ReplacedSet, type Resource } from '../model/define.ts';

/** Records are selected either by ids or by --where. */
export const aSelection: Need = { count: 'exactly one', of: ['id', 'where'] };

/** The names of the flags that give a value. */
export const valueFlags = (flags: readonly Flag[]): string[] =>
  flags.filter(({ wire, name }) => wire !== undefined || name === 'set' || name === 'data').map(({ name }) => name);

/** The argument for one or several ids. */
export const selectionArgument = (resource: Resource): Argument => ({
  ...idArgument(resource),
  isListed: true,
  from: ['-'],
  help: `${idArgument(resource).help}; or ids as in 12,13, or - for ids from standard input`,
  optional: true,
});

/** The argument for one record: its id, or its email in a family with unique emails. */
export const idArgument = ({ name, singular, emailIn }: Resource): Argument => ({
  name: 'id',
  listedBy: `${name} list`,
  help: `The ${singular}'s id${emailIn === undefined ? '' : ' or email'}`,
  ...(emailIn === undefined ? {} : { takesEmail: true }),
});

/** The argument of get: ids, or a name if the records of the family have names. */
export function readArgument(resource: Resource): Argument {
  const { singular, namedAs } = resource;
  if (namedAs === undefined) return selectionArgument(resource);
  const help = `The ${singular}'s id or name; or ids as in 12,13, or - for ids from standard input`;
  return { ...selectionArgument(resource), help, type: idType(namedAs), isFilter: true };
}

/** The arguments of an action: records, then its value if it has one. */
export function actionArguments(resource: Resource, { many, value }: Action): Argument[] {
  const id: Argument = many ? selectionArgument(resource) : idArgument(resource);
  if (value === undefined) return [many ? { ...id, many } : id];
  const { name, help, wire, type } = value;
  const choices = type.kind === 'choice' ? { choices: type.values } : {};
  return [id, { name, help, wire, type, ...choices, ...(many ? { optional: true as const } : {}) }];
}

/** The required parts of an action: its records, and its value as an argument or by --to. */
export const actionNeeds = ({ many, value }: Action): Need[] =>
  many ? [aSelection, ...(value === undefined ? [] : [{ count: 'exactly one', of: [value.name, 'to'] } as const])] : [];

/** The arguments of a replaced set: records, then the values of the new set. */
export function replaceSetArguments(resource: Resource, set: ReplacedSet): Argument[] {
  return [
    selectionArgument(resource),
    { name: set.value.name, help: 'The whole new set, for a single id', optional: true, many: true, wire: set.wire, type: set.value.type },
  ];
}
