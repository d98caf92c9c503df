// The problems of a file, each with its place: the first hundred, and how many there are in all.

import { type FieldProblem, UsageError } from '../errors.ts';
import { asSentence, howMany } from '../values/wording.ts';

/** Problems beyond this many are only counted. */
const kept = 100;

export class Problems {
  #count = 0;
  readonly #first: FieldProblem[] = [];

  get count(): number {
    return this.#count;
  }

  /** Notes a problem; `where` is `line 17, column Email`, or finds that out: only the first ones are asked. */
  add(where: string | (() => string), message: string): void {
    this.#count += 1;
    if (this.#first.length < kept) this.#first.push({ name: typeof where === 'string' ? where : where(), messages: [message] });
  }

  /** Runs a check that throws UsageError with `where: ` in front; gives undefined once the problem is noted. */
  try<T>(where: string, check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.add(where, error.message.startsWith(`${where}: `) ? error.message.slice(where.length + 2) : error.message);
      return undefined;
    }
  }

  /** Throws UsageError with the problems when there are any. */
  throwIfAny(name: string): void {
    if (this.#count === 0) return;
    const hidden = this.#count - this.#first.length;
    // Lines as a person goes through them, whichever check met its line first.
    const inOrder = this.#first.toSorted((a, b) => lineOf(a) - lineOf(b));
    throw new UsageError(`${howMany(this.#count, 'problem')} in ${name}; nothing was sent.`, {
      fields: inOrder,
      ...(hidden === 0 ? {} : { hint: `And ${hidden} more.` }),
    });
  }
}

/** What a YAML parser complains of, as a sentence. */
export function yamlFault({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'A second document begins here: a file holds one.';
  if (message.startsWith('Maximum call stack')) return 'It is nested too deeply.';
  return asSentence(message);
}

/** The line that a problem names; those without one come last. */
const lineOf = ({ name }: FieldProblem): number => Number(/^line (\d+)/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);
