// Complaints about the lines of a file: the same one about many lines is one complaint, with how many and the first of them.

import type { FieldProblem } from '../errors.ts';

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

/** What was complained of on some lines for one cause. `at`: where on each line, such as `column Email`; empty: the line. */
interface Complaint {
  readonly at: string;
  /** The first ones, each with its lines. */
  readonly messages: Map<string, Lines>;
  readonly lines: Lines;
  /** Whether a `reason` was given: one of its messages stands for all. */
  readonly isReasoned: boolean;
  /** There were other messages than those that are kept. */
  hasMore: boolean;
}

/** Different causes beyond this many are only counted. */
const mostKept = 100;

/** Complaints about lines, grouped by their cause, in the order of their first lines. */
export class LineComplaints {
  readonly #complaints = new Map<string, Complaint>();
  #hidden = 0;

  /** `reason`: what makes two complaints the same, where that is not the message without the values in it. */
  add(line: number, at: string, message: string, reason?: string): void {
    const key = `${at}\n${reason ?? causeOf(message)}`;
    const known = this.#complaints.get(key);
    if (known === undefined && this.#complaints.size === mostKept) {
      this.#hidden += 1;
      return;
    }
    const complaint = known ?? { at, messages: new Map(), lines: new Lines(), isReasoned: reason !== undefined, hasMore: false };
    if (known === undefined) this.#complaints.set(key, complaint);
    complaint.lines.add(line);
    const own = complaint.messages.get(message);
    if (own !== undefined) own.add(line);
    else if (complaint.messages.size === mostApart) complaint.hasMore = true;
    else {
      const lines = new Lines();
      lines.add(line);
      complaint.messages.set(message, lines);
    }
  }

  /** How many complaints about single lines are not among `fields`. */
  get hidden(): number {
    return this.#hidden;
  }

  /** As errors have them. `lines` and `count` are there where one stands for many. */
  fields(): FieldProblem[] {
    return [...this.#complaints.values()]
      .flatMap((one) => told(one).map(({ message, lines }) => ({ at: one.at, message, lines })))
      .toSorted((a, b) => (a.lines.first[0] ?? 0) - (b.lines.first[0] ?? 0))
      .map(({ at, message, lines }) => ({
        name: at === '' ? lines.text : `${lines.text}, ${at}`,
        messages: [message],
        ...(lines.count > 1 ? { lines: [...lines.first], count: lines.count } : {}),
      }));
  }
}

/** A message without what differs from line to line: quoted texts, and words with a digit or an at sign. */
const causeOf = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\S*[\d@]\S*/g, '#')
    .replaceAll(/#(?: (?:and )?#)+/g, '#');

/** What is said of one cause: the words that it is about in one message, a few messages one by one, of more the first. */
function told({ messages, lines, isReasoned, hasMore }: Complaint): { readonly message: string; readonly lines: Lines }[] {
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
