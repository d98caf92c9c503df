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

/** A complaint about some lines. `at`: where on each line, such as `column Email`; empty: the line. */
interface Complaint {
  readonly at: string;
  readonly message: string;
  readonly lines: Lines;
  /** Other messages have the same reason: they hold other values. */
  isVaried: boolean;
}

/** Different complaints beyond this many are only counted. */
const mostKept = 100;

/** Complaints that are the same for many lines, in the order of their first lines. */
export class LineComplaints {
  readonly #most: number;
  readonly #complaints = new Map<string, Complaint>();
  #hidden = 0;

  constructor(most = mostKept) {
    this.#most = most;
  }

  /** `reason`: what makes two complaints the same, where that is not the message. */
  add(line: number, at: string, message: string, reason = message): void {
    const key = `${at}\n${reason}`;
    const known = this.#complaints.get(key);
    if (known === undefined && this.#complaints.size === this.#most) {
      this.#hidden += 1;
      return;
    }
    const complaint = known ?? { at, message, lines: new Lines(), isVaried: false };
    if (known === undefined) this.#complaints.set(key, complaint);
    else if (known.message !== message) known.isVaried = true;
    complaint.lines.add(line);
  }

  /** How many complaints about single lines are not among `fields`. */
  get hidden(): number {
    return this.#hidden;
  }

  /** As errors have them. `lines` and `count` are there where one stands for many. */
  fields(): FieldProblem[] {
    const firstLine = ({ lines }: Complaint): number => lines.first[0] ?? 0;
    return [...this.#complaints.values()]
      .toSorted((a, b) => firstLine(a) - firstLine(b))
      .map(({ at, message, lines, isVaried }) => ({
        name: at === '' ? lines.text : `${lines.text}, ${at}`,
        messages: [isVaried ? `for instance ${message}` : message],
        ...(lines.count > 1 ? { lines: [...lines.first], count: lines.count } : {}),
      }));
  }
}
