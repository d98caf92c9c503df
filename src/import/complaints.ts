// What is wrong with a file: complaints about its rows, which can be left out, and about the file as a whole, which can't.

import { type FieldProblem, UsageError } from '../errors.ts';
import { howMany } from '../values/wording.ts';
import { NotationError } from './columns/notation.ts';
import { LineComplaints } from './lines.ts';

/** Complaints about the whole file beyond this many are only counted. */
const mostOfFile = 100;

/** A value that is not what its field takes; of words out of a few each is told. */
const unlike = /^".*" (is not an? .*)$/s;

export class Complaints {
  readonly #ofRows = new LineComplaints();
  readonly #ofFile: FieldProblem[] = [];
  #ofFileCount = 0;
  #count = 0;
  /** Whether the file couldn't be read to its end. */
  isCutOff = false;
  /** What is wrong with the row that is being read. */
  #row: string[] = [];

  /** How many there are, each row's for itself. */
  get count(): number {
    return this.#count + this.#ofFileCount;
  }

  /** How many no row alone is to blame for. */
  get ofFile(): number {
    return this.#ofFileCount;
  }

  /** A complaint about the row at hand; `where` is `line 17, column Email`. `reason`: see LineComplaints. */
  add(where: string, message: string, reason?: string): void {
    const [, line = '', at = ''] = /^line (\d+)(?:, (.*))?$/s.exec(where) ?? [];
    this.#count += 1;
    this.#ofRows.add(Number(line), at, message, reason);
    const name = at.replace(/^(column|member) /, '');
    this.#row.push(name === '' ? message : `${name}: ${message}`);
  }

  /** A complaint about the file: `where` is a line, or a flag. */
  addOfFile(where: string, message: string): void {
    this.#ofFileCount += 1;
    if (this.#ofFile.length < mostOfFile) this.#ofFile.push({ name: where, messages: [message] });
  }

  /** Runs a check of a row that throws UsageError with `where: ` in front; gives undefined once the complaint is noted. */
  try<T>(where: string, check: () => T): T | undefined {
    return this.#tried(where, check, (message, reason) => this.add(where, message, reason));
  }

  /** The same with a check of the file. */
  tryOfFile<T>(where: string, check: () => T): T | undefined {
    return this.#tried(where, check, (message) => this.addOfFile(where, message));
  }

  #tried<T>(where: string, check: () => T, add: (message: string, reason?: string) => void): T | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const message = error.message.startsWith(`${where}: `) ? error.message.slice(where.length + 2) : error.message;
      add(message, error instanceof NotationError ? error.reason : unlike.exec(message)?.[1]);
      return undefined;
    }
  }

  /** Notes the UsageError that stopped the reading of a file (`line 17: …`); false for any other error. */
  takes(error: unknown): boolean {
    if (!(error instanceof UsageError)) return false;
    this.isCutOff = true;
    const [, where = '', message = error.message] = /^(line \d+): (.*)$/s.exec(error.message) ?? [];
    this.addOfFile(where, [message, error.details.hint].filter(Boolean).join(' '));
    return true;
  }

  /** Whether some complaint names a flag. */
  names(flag: string): boolean {
    return [...this.#ofFile, ...this.#ofRows.fields()].some(({ messages }) => messages.some((message) => message.includes(flag)));
  }

  /** What is wrong with the row that was read last, once; undefined: nothing. */
  takeRow(): string | undefined {
    const texts = this.#row;
    this.#row = [];
    return texts.length === 0 ? undefined : texts.join(' ');
  }

  /** The error for all of them; `wayOut`: lines that say what to do. */
  error(name: string, wayOut: readonly string[]): UsageError {
    // Lines as a person goes through them, whichever check met its line first.
    const inOrder = [...this.#ofFile, ...this.#ofRows.fields()].toSorted((a, b) => lineOf(a) - lineOf(b));
    const hidden = this.#ofRows.hidden + this.#ofFileCount - this.#ofFile.length;
    const hints = [...(hidden === 0 ? [] : [`And ${hidden} more.`]), ...wayOut];
    return new UsageError(`${howMany(this.count, 'problem')} in ${name}; nothing was sent.`, {
      fields: inOrder,
      ...(hints.length === 0 ? {} : { hint: hints.join('\n') }),
    });
  }
}

/** The line that a problem names first; those without one come last. */
const lineOf = ({ name }: FieldProblem): number => Number(/^lines? (\d+)/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);
