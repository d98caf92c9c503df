// Finds the name in a value that may be an id or a name. Pure.

import { type Id, isNumeral } from '../../base/values/parse.ts';
import { isMembers } from '../../base/values/paths.ts';
import { type Named, namedBy, type ValueType } from '../../base/values/value-type.ts';
import { namedReferences } from '../../model/named.ts';

/** A name in place of an id. */
export interface NameIn {
  readonly of: Named;
  readonly name: string;
  /** The value with an id in place of the name. */
  withId(id: Id): string;
}

/** The name in a value; undefined for a value without a name. A reference may also be `{ type, id }`. */
export function nameIn(type: ValueType, value: unknown): NameIn | undefined {
  if (type.kind === 'reference') return nameInReference(type.types, value);
  if (type.kind === 'numbered') return nameOfNumbered(type.of, value);
  const of = namedBy(type);
  if (of === undefined || typeof value !== 'string') return undefined;
  return mayBeName(value) ? { of, name: value.trim(), withId: String } : undefined;
}

/** The name in `NAME=VALUE`; undefined for `N=VALUE` and for other forms of the value. */
function nameOfNumbered(of: Named, value: unknown): NameIn | undefined {
  const [, name = '', rest = ''] = typeof value === 'string' ? (/^\s*([^=[{]+)=(.*)$/s.exec(value) ?? []) : [];
  return mayBeName(name) ? { of, name: name.trim(), withId: (id) => `${id}=${rest}` } : undefined;
}

// `-` reads ids from standard input.
const mayBeName = (text: string): boolean => !['', '-'].includes(text.trim()) && !isNumeral(text);

function nameInReference(types: readonly string[], value: unknown): NameIn | undefined {
  const text = isMembers(value) && typeof value.id === 'string' ? `${value.type}:${value.id}` : value;
  const [, type = '', name = ''] = typeof text === 'string' ? (/^\s*([^:]+):(.+)$/s.exec(text) ?? []) : [];
  const of = types.includes(type) ? namedReferences[type] : undefined;
  return of === undefined || !mayBeName(name) ? undefined : { of, name: name.trim(), withId: (id) => `${type}:${id}` };
}
