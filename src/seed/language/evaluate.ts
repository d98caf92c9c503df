// Evaluates the texts of a seed file, both in the check and when a record is sent. The same text of the same record always has the same
// value.

import { UsageError } from '../../base/errors.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { type Fake, randomSeedOf } from './fake.ts';
import type { SeedFile, Tree } from './file.ts';
import { type Expression, type MemberReference, ownWords, type Position, parseTemplate } from './template.ts';

/** A member of a record that a text refers to. */
export interface ReferenceTarget {
  readonly name: string;
  /** The record's number, when it is counted. */
  readonly index?: number;
  /** A dotted path into the record, or a flag. */
  readonly member: string;
}

/** Returns the value of a reference; undefined while the value is unknown. */
export type Refer = (target: ReferenceTarget) => string | undefined;

/** A record's place in the file, and its count; undefined for a record without a count. */
interface FileRecord {
  readonly place: number;
  readonly count: number | undefined;
}

/** The values that all texts of a run share. */
export interface Scope {
  readonly file: SeedFile;
  readonly run: string;
  readonly randomSeed: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the file may read beside its own (--env). */
  readonly readable: readonly string[];
  readonly fake: Fake;
  /** Variables evaluated so far: each may use the variables above it in the file. */
  readonly variables: ReadonlyMap<string, string | readonly string[]>;
  /** The file's records by name. Undefined while variables and counts are evaluated, which can't refer to records. */
  readonly records: ReadonlyMap<string, FileRecord> | undefined;
}

/** The record or variable in which a text stands. Equal expressions in the same part of a record give the same made-up values. */
export interface Owner {
  readonly name: string;
  /** The record's number, when it is counted. */
  readonly index?: number;
  /** `set`, or an action: `then[0]`. */
  readonly part: string;
}

/** A value after evaluation. `isOpen`: the value still has a reference as written, since the reference is unknown. */
export interface Evaluated {
  readonly value: Tree;
  readonly isOpen: boolean;
}

/** The longest value of a text, in characters: variables made of variables grow fast. */
const longestValue = 1_000_000;

/** Replaces all expressions in a value. Throws UsageError for an expression without a value, and the errors of `refer`. */
export function evaluate(tree: Tree, owner: Owner, scope: Scope, refer: Refer): Evaluated {
  let isOpen = false;
  const filledText = (text: string): string => {
    if (!text.includes('${')) return text;
    const seen = new Map<string, number>();
    const occurrence = (source: string): number => {
      const count = seen.get(source) ?? 0;
      seen.set(source, count + 1);
      return count;
    };
    const parts = parseTemplate(text).map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind !== 'reference') return expressionValue(part, owner, scope, occurrence);
      const target = targetOf(part, owner, scope, occurrence);
      const value = refer(target);
      isOpen ||= value === undefined;
      return value ?? targetText(target);
    });
    const value = parts.join('');
    if (value.length > longestValue) throw new UsageError(`It has ${value.length} characters; the most is ${longestValue}.`);
    return value;
  };
  const filledTree = (one: Tree): Tree => {
    if (typeof one === 'string') return filledText(one);
    if (one === null || typeof one === 'boolean') return one;
    if (isList(one)) return one.map(filledTree);
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, filledTree(member)]));
  };
  return { value: filledTree(tree), isOpen };
}

export const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);

/** The text of a reference in a seed file: `${lead[3].id}`. */
export function targetText({ name, index, member }: ReferenceTarget): string {
  return `\${${name}${index === undefined ? '' : `[${index}]`}.${member}}`;
}

function expressionValue(
  expression: Exclude<Expression, MemberReference>,
  owner: Owner,
  scope: Scope,
  occurrence: (source: string) => number,
): string {
  if (expression.kind === 'env') return environmentValue(expression, scope);
  if (expression.kind === 'word') return wordValue(expression.name, expression.position, owner, scope, occurrence);
  const { path, args, source } = expression;
  return scope.fake(path, args, chance(owner, scope, source, occurrence(source)));
}

const chance = ({ name, index = -1, part }: Owner, { randomSeed }: Scope, source: string, occurrence: number): number =>
  randomSeedOf(randomSeed, name, index, part, source, occurrence);

/** Variables with this beginning are meant for seed files. Others may hold secrets, and a seed file may come from a stranger. */
const readablePrefix = 'CRM_SEED_';

/** An empty variable counts as unset, as everywhere in crm. */
function environmentValue({ name, fallback }: Extract<Expression, { kind: 'env' }>, { env, readable }: Scope): string {
  if (!name.startsWith(readablePrefix) && !readable.includes(name)) {
    throw new UsageError(`A seed file reads only variables that begin with ${readablePrefix}. To let this one read ${name}: --env ${name}`);
  }
  const value = (Object.hasOwn(env, name) ? env[name] : undefined) || fallback;
  if (value !== undefined) return value;
  throw new UsageError(`The environment variable ${name} is not set. Set it, or give a default: \${env:${name}|…}.`);
}

/** The environment variables that a file reads and that are set. */
export function variablesRead({ vars, records }: SeedFile, env: Scope['env']): string[] {
  const found = JSON.stringify([vars, records]).matchAll(/(?<!\$)\$\{env:([A-Za-z_][A-Za-z0-9_]*)/g);
  return [...new Set(Array.from(found, ([, name = '']) => name))].filter((name) => Object.hasOwn(env, name) && env[name] !== '');
}

function wordValue(
  name: string,
  position: Position | undefined,
  owner: Owner,
  scope: Scope,
  occurrence: (source: string) => number,
): string {
  if (position === undefined && name === 'run') return scope.run;
  if (position === undefined && (name === 'index' || name === 'number')) {
    if (owner.index === undefined) throw new UsageError(`\${${name}} is for records with a count.`);
    return String(name === 'index' ? owner.index : owner.index + 1);
  }
  const value = scope.variables.get(name);
  if (value === undefined) throw noVariable(name, owner, scope);
  if (typeof value === 'string') {
    if (position === undefined) return value;
    throw new UsageError(`"${name}" is a text, not a list: write \${${name}}.`);
  }
  const [count, list] = [value.length, `\${${name}[any]}`];
  if (position === undefined) throw new UsageError(`"${name}" is a list: write ${list} for a random element.`);
  return value[indexAt({ name, position, source: list }, count, owner, scope, () => occurrence(list))] ?? '';
}

function noVariable(name: string, owner: Owner, { file, records }: Scope): UsageError {
  if (Object.hasOwn(file.vars, name)) return new UsageError(belowText(owner.name, name));
  if (records?.has(name)) return new UsageError(`"${name}" is a record: write \${${name}.id}.`);
  return new UsageError(`There is no variable "${name}".${suggestion(name, [...Object.keys(file.vars), ...ownWords])}`);
}

const belowText = (owner: string, name: string): string => `${owner} refers to \`${name}\`, which stands below it: put it above.`;

function targetOf(reference: MemberReference, owner: Owner, scope: Scope, occurrence: (source: string) => number): ReferenceTarget {
  const { name, position, member } = reference;
  if (scope.records === undefined) throw new UsageError("Variables and counts can't refer to records.");
  const record = scope.records.get(name);
  if (record === undefined) throw new UsageError(`There is no record "${name}".${suggestion(name, [...scope.records.keys()])}`);
  if (record.place > (scope.records.get(owner.name)?.place ?? 0)) throw new UsageError(belowText(owner.name, name));
  const isOwn = name === owner.name;
  if (isOwn && !owner.part.startsWith('then')) throw new UsageError(`${name} refers to itself.`);
  if (isOwn && member !== 'id') throw new UsageError(`${name} refers to itself: only its id is known in its own \`then\`.`);
  const { count } = record;
  if (count === undefined) {
    if (position !== undefined) throw new UsageError(`"${name}" is one record: write \${${name}.${member}}.`);
    return { name, member };
  }
  if (count === 0) throw new UsageError(`There is no ${name}[0]: its count is 0.`);
  if (position === undefined) throw new UsageError(`"${name}" has a count: say which record, \${${name}[0].${member}} to [${count - 1}].`);
  const source = `${name}[any]`;
  return { name, member, index: indexAt({ name, position, source }, count, owner, scope, () => occurrence(`${source}.${member}`)) };
}

/**
 * The index of a position in a list or in counted records. `count`: the number of elements or records. `source`: the seed of a random
 * choice, with `occurrence`.
 */
function indexAt(
  { name, position, source }: { readonly name: string; readonly position: Position; readonly source: string },
  count: number,
  owner: Owner,
  scope: Scope,
  occurrence: () => number,
): number {
  if (position === 'any') return chance(owner, scope, source, occurrence()) % count;
  const index = position === 'index' ? owner.index : position;
  if (index === undefined) throw new UsageError(`\${${name}[index]} is for records with a count.`);
  if (index < count) return index;
  throw new UsageError(`There is no ${name}[${index}]: the numbers go from 0 to ${count - 1}.`);
}
