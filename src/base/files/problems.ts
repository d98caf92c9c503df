// Collects the problems of a file, each with its place. Equal problems of several lines count as one cause, and only the first hundred
// causes are listed. Problems of rows stand apart from problems of the whole file, because a row can be left out.

import { type FieldProblem, type ProblemDetails, UsageError } from '../errors.ts';
import { howMany } from '../values/text/wording.ts';

/** A place in a file. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** The column, the member, or the path of a value. */
  readonly column?: string;
  /** The noun before the column's name in messages. Absent: messages have the name alone. */
  readonly noun?: 'column' | 'member';
}

/** The place of a problem. A text stands for a place without a line, such as a flag. */
export type Where = Place | (Omit<Place, 'line'> & { readonly line: Lines }) | string;

/** `line 17`, `lines 2, 5 and 9, column Email`. */
export function placeText(where: Where): string {
  if (typeof where === 'string') return where;
  const line = typeof where.line === 'number' ? `line ${where.line}` : where.line.text;
  return where.column === undefined ? line : `${line}, ${columnText(where)}`;
}

const columnText = ({ noun, column = '' }: Pick<Place, 'noun' | 'column'>): string => (noun === undefined ? column : `${noun} ${column}`);

/** The place in a text that `placeText` wrote; undefined for any other text. Journals keep a step's place as text. */
export function parsePlace(text: string): Place | undefined {
  const [, line, column] = /^line (\d+)(?:, (.*))?$/s.exec(text) ?? [];
  return line === undefined ? undefined : { line: Number(line), ...(column === undefined ? {} : { column }) };
}

/** The error for a file that can be read only up to a line. */
export class UnreadableError extends UsageError {
  readonly line: number;
  readonly problem: string;

  constructor(line: number, problem: string, details: ProblemDetails = {}) {
    super(`line ${line}: ${problem}`, details);
    this.line = line;
    this.problem = problem;
  }
}

/** The error for a cell whose problem many cells share. */
export class NotationError extends UsageError {
  /** Equal for all cells with the same problem, even if their values differ. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A message names up to five lines; of more than five, the first three. */
const mostLines = 5;
const firstLines = 3;

/** Line numbers: a count, and the first few. */
export class Lines {
  readonly #first: number[] = [];
  #count = 0;
  #last: number | undefined;

  /** Adds a line; a further problem of the line added last changes nothing. */
  add(line: number): void {
    if (line === this.#last) return;
    this.#last = line;
    this.#count += 1;
    if (this.#first.length < mostLines) this.#first.push(line);
  }

  get count(): number {
    return this.#count;
  }

  /** The first line numbers, in the order of addition. */
  get first(): readonly number[] {
    return this.#count > mostLines ? this.#first.slice(0, firstLines) : this.#first;
  }

  /** `line 2`, `lines 2, 5 and 9`, `lines 2, 5, 9 and 41 more`. */
  get text(): string {
    const named = this.first.map(String);
    const last = this.#count > named.length ? `${this.#count - named.length} more` : (named.pop() ?? '');
    return named.length === 0 ? `line ${last}` : `lines ${named.join(', ')} and ${last}`;
  }
}

/** The most messages listed for one cause. */
const mostApart = 5;

/** The problems that share a cause. All are in the same column, or all are in no column. */
interface Cause extends Pick<Place, 'noun' | 'column'> {
  /** The first messages, each with its lines. */
  readonly messages: Map<string, Lines>;
  readonly lines: Lines;
  /** True when a `reason` was given: then one message stands for all. */
  readonly isReasoned: boolean;
  /** True when further messages are not listed. */
  hasMore: boolean;
}

/** The most causes that are listed, and the most problems of the whole file. Further causes and problems are only counted. */
const mostListed = 100;

/** Matches `"x" is not a date`: all such messages share a cause. `"x" is not one of …` doesn't match, so each wrong word is named. */
const unlike = /^".*" (is not an? .*)$/s;

export class Problems {
  readonly #causes = new Map<string, Cause>();
  readonly #ofFile: { readonly where: Where; readonly message: string }[] = [];
  #ofRows = 0;
  #ofFileCount = 0;
  #hidden = 0;
  /** True when the file couldn't be read to its end. */
  isCutOff = false;
  /** The messages of the row that is being read. */
  #row: string[] = [];

  /** The number of problems. A problem of ten rows counts ten times. */
  get count(): number {
    return this.#ofRows + this.#ofFileCount;
  }

  /** The number of problems of the file as a whole. */
  get ofFile(): number {
    return this.#ofFileCount;
  }

  /** The number of problems that `fields` leaves out. */
  get hidden(): number {
    return this.#hidden + this.#ofFileCount - this.#ofFile.length;
  }

  /** Notes a problem of the present row. Problems with the same `reason` share a cause. Default: the message without its values. */
  addOfRow(place: Place, message: string, reason?: string): void {
    const { line, noun, column } = place;
    this.#ofRows += 1;
    this.#row.push(column === undefined ? message : `${column}: ${message}`);
    const key = `${column === undefined ? '' : columnText(place)}\n${reason ?? causeOf(message)}`;
    const earlier = this.#causes.get(key);
    if (earlier === undefined && this.#causes.size === mostListed) {
      this.#hidden += 1;
      return;
    }
    const at = { ...(noun === undefined ? {} : { noun }), ...(column === undefined ? {} : { column }) };
    const cause = earlier ?? { ...at, messages: new Map(), lines: new Lines(), isReasoned: reason !== undefined, hasMore: false };
    if (earlier === undefined) this.#causes.set(key, cause);
    cause.lines.add(line);
    const own = cause.messages.get(message) ?? new Lines();
    if (own.count === 0 && cause.messages.size === mostApart) cause.hasMore = true;
    else cause.messages.set(message, own);
    own.add(line);
  }

  /** Notes a problem of the file. A function `where` is called only for the first problems. */
  add(where: Where | (() => Where), message: string): void {
    this.#ofFileCount += 1;
    if (this.#ofFile.length < mostListed) this.#ofFile.push({ where: typeof where === 'function' ? where() : where, message });
  }

  /** Runs a check of a row. A UsageError is noted as a problem, and the result is undefined. `place`: a text for a row without a line. */
  tryRow<T>(place: Place | string, check: (where: string) => T): T | undefined {
    try {
      return check(here);
    } catch (error) {
      this.addFailed(place, error);
      return undefined;
    }
  }

  /**
   * Notes the UsageError of a row's check. The error's message may begin with `here`, or with the text of the place. Throws any other
   * error.
   */
  addFailed(place: Place | string, error: unknown): void {
    const [message, reason] = withoutPlace(error, here, placeText(place));
    if (typeof place === 'string') this.add(place, message);
    else this.addOfRow(place, message, reason);
  }

  /** Runs a check of the file, like `tryRow`. */
  try<T>(where: Where, check: (where: string) => T): T | undefined {
    const text = placeText(where);
    try {
      return check(text);
    } catch (error) {
      this.add(where, withoutPlace(error, text)[0]);
      return undefined;
    }
  }

  /** Notes the UsageError that stopped the reading of a file; false for any other error. */
  takes(error: unknown): boolean {
    if (!(error instanceof UsageError)) return false;
    this.isCutOff = true;
    const { line, problem = error.message } = error instanceof UnreadableError ? error : {};
    this.add(line === undefined ? '' : { line }, [problem, error.details.hint].filter(Boolean).join(' '));
    return true;
  }

  /** True when a problem names a flag. */
  names(flag: string): boolean {
    return this.fields().some(({ messages }) => messages.some((message) => message.includes(flag)));
  }

  /** The messages of the row that was read last; the next call gives undefined. Undefined for a row without problems. */
  takeRow(): string | undefined {
    const texts = this.#row;
    this.#row = [];
    return texts.length === 0 ? undefined : texts.join(' ');
  }

  /**
   * The problems for an error's `fields`, in the order of lines; problems without a line come last. A problem of several rows has `lines`
   * and `count`.
   */
  fields(): FieldProblem[] {
    const ofFile = this.#ofFile.map(({ where, message }) => ({ line: firstLineOf(where), name: placeText(where), messages: [message] }));
    const ofRows = [...this.#causes.values()].flatMap((cause) =>
      causeMessages(cause).map(({ message, lines }) => ({
        line: firstLineOf({ line: lines }),
        name: placeText({ ...cause, line: lines }),
        messages: [message],
        ...(lines.count > 1 ? { lines: [...lines.first], count: lines.count } : {}),
      })),
    );
    return [...ofFile, ...ofRows].toSorted((a, b) => a.line - b.line).map(({ line: _, ...field }) => field);
  }

  /** Throws UsageError with the problems when there are any. */
  throwIfAny(name: string): void {
    if (this.count > 0) throw this.error(name);
  }

  /** The error for all problems. `wayOut`: hints. */
  error(name: string, wayOut: readonly string[] = []): UsageError {
    const hints = [...(this.hidden === 0 ? [] : [`And ${this.hidden} more.`]), ...wayOut];
    return new UsageError(`${howMany(this.count, 'problem')} in ${name}; nothing was sent.`, {
      fields: this.fields(),
      ...(hints.length === 0 ? {} : { hint: hints.join('\n') }),
    });
  }
}

function firstLineOf(where: Where): number {
  if (typeof where === 'string') return Number.MAX_SAFE_INTEGER;
  return typeof where.line === 'number' ? where.line : (where.line.first[0] ?? 0);
}

/** Stands for the row's place while the row is checked. The text of the place is made only when there is a problem. */
export const here = 'here';

function withoutPlace(error: unknown, ...places: readonly string[]): [message: string, reason: string | undefined] {
  if (!(error instanceof UsageError)) throw error;
  const place = places.find((one) => error.message.startsWith(`${one}: `));
  const message = place === undefined ? error.message : error.message.slice(place.length + 2);
  return [message, error instanceof NotationError ? error.reason : unlike.exec(message)?.[1]];
}

/** Quoted texts, and words that hold a digit or an at sign, differ from line to line. */
const causeOf = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\S*[\d@]\S*/g, '#')
    .replaceAll(/#(?: (?:and )?#)+/g, '#');

/**
 * The messages for a cause, each with its lines. Messages that differ only in a quoted word become one message with all these words. Other
 * messages are listed one by one; when there are too many, or when they share a reason, the first is an example.
 */
function causeMessages({ messages, lines, isReasoned, hasMore }: Cause): { readonly message: string; readonly lines: Lines }[] {
  const [first = ''] = messages.keys();
  if (messages.size === 1) return [{ message: first, lines }];
  const words = wordsIn([...messages.keys()]);
  if (words !== undefined) {
    const { before, named, after } = words;
    const last = hasMore ? 'or others' : `or ${named.pop()}`;
    return [{ message: `${before}${named.join(', ')} ${last}${after}`, lines }];
  }
  if (!hasMore && !isReasoned) return [...messages].map(([message, own]) => ({ message, lines: own }));
  return [{ message: `for instance${/^[A-Z][a-z]/.test(first) ? ':' : ''} ${first}`, lines }];
}

/**
 * The quoted words of messages that differ only in these words. Undefined for other messages, and for messages that begin with the word.
 */
function wordsIn(messages: readonly string[]): { readonly before: string; readonly named: string[]; readonly after: string } | undefined {
  const parts = messages.map((message) => /^([^"]+)("[^"]*")(.*)$/s.exec(message));
  const [, before = '', , after = ''] = parts[0] ?? [];
  if (!parts.every((part) => part !== null && part[1] === before && part[3] === after)) return undefined;
  return { before, named: parts.map((part) => part?.[2] ?? ''), after };
}
