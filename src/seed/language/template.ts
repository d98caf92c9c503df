// Parses `${…}` in the texts of a seed file; evaluate.ts gives the values. `$${` is a literal `${`.

import { UsageError } from '../../base/errors.ts';

/**
 * The position in a counted record or list: a number from 0, `index` for the number of the record with the text, `any` for a random number.
 */
export type Position = number | 'index' | 'any';

/** `${lead.id}`, `${lead[3].contact.email}`. */
export interface MemberReference {
  readonly kind: 'reference';
  readonly name: string;
  readonly position?: Position;
  /** A dotted path into the record, or a flag. */
  readonly member: string;
}

export type Expression =
  /** `${env:NAME}`, `${env:NAME|default}`. */
  | { readonly kind: 'env'; readonly name: string; readonly fallback?: string }
  /** `${domain}`: a variable, or a word of `ownWords`. `${sources[any]}`: an element of a list. */
  | { readonly kind: 'word'; readonly name: string; readonly position?: Position }
  /** `${fake.person.firstName}`, `${fake.number.int({"max": 9})}`; `args` is the text in the parentheses. */
  | { readonly kind: 'fake'; readonly path: string; readonly args: string; readonly source: string }
  | MemberReference;

/** Words for every text: a counted record's number from 0 and from 1, and the name of the run. */
export const ownWords: readonly string[] = ['index', 'number', 'run'];

/** Names that records and variables can't have. */
export const takenNames: readonly string[] = [...ownWords, 'env', 'fake', 'any'];

/** Names of records and variables. */
export const namePattern = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Splits a text into literal texts and expressions. Throws UsageError naming an invalid expression. */
export function parseTemplate(text: string): readonly (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  let literal = '';
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = endOfExpression(text, at + 2);
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push(parseExpression(text.slice(at + 2, end)));
      at = end + 1;
    } else {
      literal += text[at];
      at += 1;
    }
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

/** The position of an expression's closing brace, past braces in its arguments. */
function endOfExpression(text: string, start: number): number {
  const isPlain = text.startsWith('env:', start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (!isPlain && text[at] === '{') depth += 1;
    else if (text[at] === '}' && depth === 0) return at;
    else if (text[at] === '}') depth -= 1;
  }
  throw new UsageError(`"${text.slice(start - 2)}" has no closing brace. A literal \${ is written $\${.`);
}

function parseExpression(source: string): Expression {
  if (source.startsWith('env:')) return environmentExpression(source);
  const fake = /^fake\.([A-Za-z]+\.[A-Za-z]+)(?:\((.*)\))?$/s.exec(source);
  if (fake !== null) return { kind: 'fake', path: fake[1] ?? '', args: fake[2] ?? '', source };
  const reference = /^([A-Za-z_][A-Za-z0-9_-]*)(?:\[(\d{1,9}|index|any)\])?(?:\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*))?$/.exec(source);
  const [, name = '', inBrackets, member] = reference ?? [];
  if (reference === null || name === 'env' || name === 'fake') throw new UsageError(`"\${${source}}" is not an expression. ${forms}`);
  const at: Position = inBrackets === 'index' || inBrackets === 'any' ? inBrackets : Number(inBrackets);
  const position = inBrackets === undefined ? {} : { position: at };
  return member === undefined ? { kind: 'word', name, ...position } : { kind: 'reference', name, member, ...position };
}

const forms = 'There are ${variable}, ${env:NAME|default}, ${record.id}, ${record[0].id}, ${index}, ${run} and ${fake.person.firstName}.';

function environmentExpression(source: string): Expression {
  const match = /^env:([A-Za-z_][A-Za-z0-9_]*)(?:\|(.*))?$/s.exec(source);
  if (match === null) throw new UsageError(`"\${${source}}" is not \${env:NAME} or \${env:NAME|default}.`);
  if (match[2]?.includes('${')) throw new UsageError(`"\${${source}": a default is a plain text, without expressions of its own.`);
  return { kind: 'env', name: match[1] ?? '', ...(match[2] === undefined ? {} : { fallback: match[2] }) };
}
