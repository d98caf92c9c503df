// What is wrong with a file: each problem with its place, the same one about many lines once, and only the first hundred causes. Problems
// of rows stand apart from those of the file as a whole: rows can be left out.

import { type FieldProblem, type ProblemDetails, UsageError } from '../errors.ts';
import { asSentence, howMany } from '../values/text/wording.ts';

/** Where something stands in a file. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** The column, the member, or the path of a value. */
  readonly column?: string;
  /** What messages call a column, where they don't only give its name. */
  readonly noun?: 'column' | 'member';
}

/** The place of a problem: a text where it is on no line, such as a flag. */
export type Where = Place | (Omit<Place, 'line'> & { readonly line: Lines }) | string;

/** `line 17`, `lines 2, 5 and 9, column Email`. */
export function placeText(where: Where): string {
  if (typeof where === 'string') return where;
  const line = typeof where.line === 'number' ? `line ${where.line}` : where.line.text;
  return where.column === undefined ? line : `${line}, ${columnText(where)}`;
}

const columnText = ({ noun, column = '' }: Pick<Place, 'noun' | 'column'>): string => (noun === undefined ? column : `${noun} ${column}`);

/** The place that a text of `placeText` names; of any other text undefined. Journals keep a step's place as its text. */
export function parsePlace(text: string): Place | undefined {
  const [, line, column] = /^line (\d+)(?:, (.*))?$/s.exec(text) ?? [];
  return line === undefined ? undefined : { line: Number(line), ...(column === undefined ? {} : { column }) };
}

/** A file can't be read from this line on. */
export class UnreadableError extends UsageError {
  readonly line: number;
  readonly problem: string;

  constructor(line: number, problem: string, details: ProblemDetails = {}) {
    super(`line ${line}: ${problem}`, details);
    this.line = line;
    this.problem = problem;
  }
}

/** A cell that is wrong for a reason that many cells share. */
export class NotationError extends UsageError {
  /** The same for all cells that are wrong in this way, whatever they hold. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** So many lines are named one by one; of more the first few. */
const mostNamed = 5;
const fewNamed = 3;

/** Lines of a file, of which the first are kept. */
export class Lines {
  readonly #first: number[] = [];
  #count = 0;

  add(line: number): void {
    this.#count += 1;
    if (this.#first.length < mostNamed) this.#first.push(line);
  }

  get count(): number {
    return this.#count;
  }

  /** The first ones, in the order in which they came. */
  get first(): readonly number[] {
    return this.#count > mostNamed ? this.#first.slice(0, fewNamed) : this.#first;
  }

  /** `line 2`, `lines 2, 5 and 9`, `lines 2, 5, 9 and 41 more`. */
  get text(): string {
    const named = this.first.map(String);
    const last = this.#count > named.length ? `${this.#count - named.length} more` : (named.pop() ?? '');
    return named.length === 0 ? `line ${last}` : `lines ${named.join(', ')} and ${last}`;
  }
}

/** Different messages of one cause that are kept. */
const mostApart = 5;

/** What is wrong with some rows for one cause, in one column or with the rows as such. */
interface Cause extends Pick<Place, 'noun' | 'column'> {
  /** The first ones, each with its lines. */
  readonly messages: Map<string, Lines>;
  readonly lines: Lines;
  /** Whether a `reason` was given: one of its messages stands for all. */
  readonly isReasoned: boolean;
  /** There were other messages than those that are kept. */
  hasMore: boolean;
}

/** Different causes, and problems of the whole file, beyond this many are only counted. */
const mostKept = 100;

/** A value that is not what its field takes; of words out of a few each is told. */
const unlike = /^".*" (is not an? .*)$/s;

export class Problems {
  readonly #causes = new Map<string, Cause>();
  readonly #ofFile: { readonly where: Where; readonly message: string }[] = [];
  #ofRows = 0;
  #ofFileCount = 0;
  #hidden = 0;
  /** Whether the file couldn't be read to its end. */
  isCutOff = false;
  /** What is wrong with the row that is being read. */
  #row: string[] = [];

  /** How many there are, each row's for itself. */
  get count(): number {
    return this.#ofRows + this.#ofFileCount;
  }

  /** How many no row alone is to blame for. */
  get ofFile(): number {
    return this.#ofFileCount;
  }

  /** How many are not among `fields`. */
  get hidden(): number {
    return this.#hidden + this.#ofFileCount - this.#ofFile.length;
  }

  /** Notes a problem of the row at hand. `reason`: what makes two of them the same, where that is not the message without the values in it. */
  addOfRow(place: Place, message: string, reason?: string): void {
    const { line, noun, column } = place;
    this.#ofRows += 1;
    this.#row.push(column === undefined ? message : `${column}: ${message}`);
    const key = `${column === undefined ? '' : columnText(place)}\n${reason ?? causeOf(message)}`;
    const earlier = this.#causes.get(key);
    if (earlier === undefined && this.#causes.size === mostKept) {
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

  /** Notes a problem of the file; of `where` that finds the place out, only the first ones are asked. */
  add(where: Where | (() => Where), message: string): void {
    this.#ofFileCount += 1;
    if (this.#ofFile.length < mostKept) this.#ofFile.push({ where: typeof where === 'function' ? where() : where, message });
  }

  /**
   * Runs a check of a row that throws UsageError, with its place in front or not; gives undefined once the problem is noted. A text: what the
   * row is called, which is on no line.
   */
  tryRow<T>(place: Place | string, check: (where: string) => T): T | undefined {
    return tried(place, check, (message, reason) =>
      typeof place === 'string' ? this.add(place, message) : this.addOfRow(place, message, reason),
    );
  }

  /** The same with a check of the file. */
  try<T>(where: Where, check: (where: string) => T): T | undefined {
    return tried(where, check, (message) => this.add(where, message));
  }

  /** Notes the UsageError that stopped the reading of a file; false for any other error. */
  takes(error: unknown): boolean {
    if (!(error instanceof UsageError)) return false;
    this.isCutOff = true;
    const { line, problem = error.message } = error instanceof UnreadableError ? error : {};
    this.add(line === undefined ? '' : { line }, [problem, error.details.hint].filter(Boolean).join(' '));
    return true;
  }

  /** Whether some problem names a flag. */
  names(flag: string): boolean {
    return this.fields().some(({ messages }) => messages.some((message) => message.includes(flag)));
  }

  /** What is wrong with the row that was read last, once; undefined: nothing. */
  takeRow(): string | undefined {
    const texts = this.#row;
    this.#row = [];
    return texts.length === 0 ? undefined : texts.join(' ');
  }

  /** As errors have them, in the order of lines; what is on none comes last. `lines` and `count` are there where one stands for many rows. */
  fields(): FieldProblem[] {
    const ofFile = this.#ofFile.map(({ where, message }) => ({ line: firstOf(where), name: placeText(where), messages: [message] }));
    const ofRows = [...this.#causes.values()].flatMap((cause) =>
      told(cause).map(({ message, lines }) => ({
        line: firstOf({ line: lines }),
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

  /** The error for all of them; `wayOut`: lines that say what to do. */
  error(name: string, wayOut: readonly string[] = []): UsageError {
    const hints = [...(this.hidden === 0 ? [] : [`And ${this.hidden} more.`]), ...wayOut];
    return new UsageError(`${howMany(this.count, 'problem')} in ${name}; nothing was sent.`, {
      fields: this.fields(),
      ...(hints.length === 0 ? {} : { hint: hints.join('\n') }),
    });
  }
}

function firstOf(where: Where): number {
  if (typeof where === 'string') return Number.MAX_SAFE_INTEGER;
  return typeof where.line === 'number' ? where.line : (where.line.first[0] ?? 0);
}

function tried<T>(where: Where, check: (where: string) => T, add: (message: string, reason?: string) => void): T | undefined {
  const text = placeText(where);
  try {
    return check(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = error.message.startsWith(`${text}: `) ? error.message.slice(text.length + 2) : error.message;
    add(message, error instanceof NotationError ? error.reason : unlike.exec(message)?.[1]);
    return undefined;
  }
}

/** A message without what differs from line to line: quoted texts, and words with a digit or an at sign. */
const causeOf = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\S*[\d@]\S*/g, '#')
    .replaceAll(/#(?: (?:and )?#)+/g, '#');

/** What is said of one cause: the words that it is about in one message, a few messages one by one, of more the first. */
function told({ messages, lines, isReasoned, hasMore }: Cause): { readonly message: string; readonly lines: Lines }[] {
  const [first = ''] = messages.keys();
  if (messages.size === 1) return [{ message: first, lines }];
  const words = wordsIn([...messages.keys()]);
  if (words !== undefined) {
    const { before, named, behind } = words;
    const last = hasMore ? 'or others' : `or ${named.pop()}`;
    return [{ message: `${before}${named.join(', ')} ${last}${behind}`, lines }];
  }
  if (!hasMore && !isReasoned) return [...messages].map(([message, own]) => ({ message, lines: own }));
  return [{ message: `for instance${/^[A-Z][a-z]/.test(first) ? ':' : ''} ${first}`, lines }];
}

/** The quoted words in messages that are the same but for them; undefined where they aren't, or begin with them. */
function wordsIn(messages: readonly string[]): { readonly before: string; readonly named: string[]; readonly behind: string } | undefined {
  const parts = messages.map((message) => /^([^"]+)("[^"]*")(.*)$/s.exec(message));
  const [, before = '', , behind = ''] = parts[0] ?? [];
  if (!parts.every((part) => part !== null && part[1] === before && part[3] === behind)) return undefined;
  return { before, named: parts.map((part) => part?.[2] ?? ''), behind };
}

/** What a YAML parser complains of, as a sentence. */
export function yamlFault({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'A second document begins here: a file holds one.';
  if (message.startsWith('Maximum call stack')) return 'It is nested too deeply.';
  return asSentence(message);
}
