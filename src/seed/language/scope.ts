// What the expressions of a seed file stand for. Everything but references to records is known before anything is sent;
// a text with references becomes a Pending, which is filled when the records are there.

import { UsageError } from '../../errors.ts';
import type { FileWords } from '../../names/file-words.ts';
import { isMembers } from '../../values/paths.ts';
import { type Fake, seedOf } from './fake.ts';
import type { Tree } from './file.ts';
import { type Expression, parseTemplate, type Reference } from './template.ts';

/** A reference to one record: counted ones by their number. */
export interface Target {
  readonly name: string;
  readonly index?: number;
  /** Dotted path into the record. */
  readonly member: string;
}

/** A text that waits for records. */
export class Pending {
  readonly parts: readonly (string | Target)[];

  constructor(parts: readonly (string | Target)[]) {
    this.parts = parts;
  }

  get targets(): readonly Target[] {
    return this.parts.filter((part) => typeof part !== 'string');
  }
}

/** A value whose expressions are resolved: what refers to records waits for them. */
export type ResolvedValue = string | boolean | null | Pending | readonly ResolvedValue[] | { readonly [name: string]: ResolvedValue };

/** What all texts of a run share. */
export interface RunScope {
  readonly run: string;
  readonly randomSeed: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A variable's value. Throws UsageError when there is none. */
  readonly variable: (name: string) => string;
  readonly fake: Fake | undefined;
  /** How many records a name stands for; undefined: one, not counted. Throws UsageError for an unknown name. */
  readonly countOf: (name: string) => number | undefined;
  /** Names in place of ids. */
  readonly words: FileWords;
}

/** Whose text it is: made-up values are the same wherever one record uses the same expression in one part. */
export interface Owner {
  readonly name: string;
  /** Its number, when it is counted. */
  readonly index?: number;
  /** `set`, or the action. */
  readonly part: string;
}

/** Every text of a value with what is known put in. Throws UsageError for an expression that stands for nothing. */
export function resolveTree(tree: Tree, owner: Owner, scope: RunScope): ResolvedValue {
  if (typeof tree === 'string') return resolveText(tree, owner, scope);
  if (tree === null || typeof tree === 'boolean') return tree;
  if (isList(tree)) return tree.map((one) => resolveTree(one, owner, scope));
  return Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, resolveTree(one, owner, scope)]));
}

const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);

/** A text that holds no references. Throws UsageError when it does. */
export function resolvePlain(text: string, owner: Owner, scope: RunScope): string {
  const resolved = resolveText(text, owner, scope);
  if (typeof resolved === 'string') return resolved;
  throw new UsageError("It can't refer to records: it is needed before they are there.");
}

function resolveText(text: string, owner: Owner, scope: RunScope): string | Pending {
  if (!text.includes('${')) return text;
  const seen = new Map<string, number>();
  const occurrence = (source: string): number => {
    const count = seen.get(source) ?? 0;
    seen.set(source, count + 1);
    return count;
  };
  const parts = parseTemplate(text).map((part) => (typeof part === 'string' ? part : resolve(part, owner, scope, occurrence)));
  checkLength(parts);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new Pending(parts);
}

/** The longest text that a value may come to: variables of variables grow fast. */
const longestValue = 1_000_000;

function checkLength(parts: readonly (string | Target)[]): void {
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  if (length > longestValue) throw new UsageError(`It comes to ${length} characters: more than ${longestValue} can't be sent.`);
}

function resolve(expression: Expression, owner: Owner, scope: RunScope, occurrence: (source: string) => number): string | Target {
  switch (expression.kind) {
    case 'env':
      return environmentValue(expression, scope);
    case 'word':
      return wordValue(expression.name, owner, scope);
    case 'fake': {
      const seed = seedOf(scope.randomSeed, owner.name, owner.index ?? -1, owner.part, expression.source, occurrence(expression.source));
      return scope.fake?.(expression.path, expression.args, seed) ?? '';
    }
    case 'reference':
      return targetOf(expression, owner, scope, occurrence);
  }
}

/** What the keys of well-known services begin with (GitHub, GitLab, Slack, AWS, Stripe and others), JSON web tokens and PEM blocks. */
const keyShape =
  /^(gh[opsur]_|github_pat_|glpat-|xox[a-z]-|AKIA[0-9A-Z]{12}|[rs]k_(live|test)_|sk-\w|eyJ[\w-]+\.eyJ)|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Keys and passwords by name or shape, and addresses that hold one: a seed file may be somebody else's, and what it reads is sent. */
const isSecret = (name: string, value: string): boolean =>
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE)S?(_|$)|(^|_)(PASS|PW|AUTH|PAT|PRIVATE|DSN|SESSION)(_|$)/i.test(name) ||
  /:\/\/[^/\s]*:[^/\s]*@/.test(value) ||
  keyShape.test(value);

/** An empty variable counts as not set, as everywhere in crm. */
function environmentValue({ name, fallback }: Extract<Expression, { kind: 'env' }>, { env }: RunScope): string {
  const raw = env[name];
  if (isSecret(name, raw ?? '')) {
    throw new UsageError(
      `The environment variable ${name} looks like a secret, and records hold none. If it is none, pass it by another name.`,
    );
  }
  const value = raw || fallback;
  if (value !== undefined) return value;
  throw new UsageError(`The environment variable ${name} is not set. Set it, or give a default: \${env:${name}|…}.`);
}

function wordValue(name: string, { index }: Owner, scope: RunScope): string {
  if (name === 'run') return scope.run;
  if (name !== 'index' && name !== 'number') return scope.variable(name);
  if (index === undefined) throw new UsageError(`\${${name}} is for records with a count.`);
  return String(name === 'index' ? index : index + 1);
}

function targetOf(reference: Reference, owner: Owner, scope: RunScope, occurrence: (source: string) => number): Target {
  const { name, position, member } = reference;
  const count = scope.countOf(name);
  if (count === undefined) {
    if (position !== undefined) throw new UsageError(`"${name}" is one record: write \${${name}.${member}}.`);
    return { name, member };
  }
  if (count === 0) throw new UsageError(`There is no ${name}[0]: its count is 0.`);
  if (position === undefined) throw new UsageError(`"${name}" has a count: say which one, \${${name}[0].${member}} to [${count - 1}].`);
  return { name, member, index: indexOf(reference, position, count, owner, scope, occurrence) };
}

function indexOf(
  { name, member }: Reference,
  position: number | 'index' | 'any',
  count: number,
  owner: Owner,
  { randomSeed }: RunScope,
  occurrence: (source: string) => number,
): number {
  if (position === 'any') {
    const source = `${name}[any]`;
    const nth = occurrence(`${source}.${member}`);
    return seedOf(randomSeed, owner.name, owner.index ?? -1, owner.part, source, nth) % count;
  }
  const index = position === 'index' ? owner.index : position;
  if (index === undefined) throw new UsageError(`\${${name}[index].${member}} is for records with a count.`);
  if (index < count) return index;
  throw new UsageError(`There is no ${name}[${index}]: they are numbered from 0 to ${count - 1}.`);
}

/** All references in a value. */
export function targetsIn(resolved: ResolvedValue): readonly Target[] {
  if (resolved instanceof Pending) return resolved.targets;
  if (Array.isArray(resolved)) return resolved.flatMap(targetsIn);
  return isMembers(resolved) ? Object.values(resolved as { [name: string]: ResolvedValue }).flatMap(targetsIn) : [];
}

/** The value with every reference filled by `value`. */
export function fill(resolved: ResolvedValue, value: (target: Target) => string): Tree {
  if (resolved instanceof Pending) return resolved.parts.map((part) => (typeof part === 'string' ? part : value(part))).join('');
  if (resolved === null || typeof resolved === 'string' || typeof resolved === 'boolean') return resolved;
  if (isResolvedList(resolved)) return resolved.map((one) => fill(one, value));
  return Object.fromEntries(Object.entries(resolved).map(([name, one]) => [name, fill(one, value)]));
}

const isResolvedList = (resolved: ResolvedValue): resolved is readonly ResolvedValue[] => Array.isArray(resolved);

/** A target as a file writes it. */
export function targetText({ name, index, member }: Target): string {
  return `\${${name}${index === undefined ? '' : `[${index}]`}.${member}}`;
}
