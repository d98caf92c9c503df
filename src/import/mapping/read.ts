// A mapping file: what the columns and words of a file mean, values that every row has, and how numbers and days are written. YAML:
//
//     columns: { Firma: company-name, Notiz: '' }     # '' leaves a column out; with nothing there the line doesn't count
//     constants: { status: New }
//     decimal-mark: comma
//     date-order: dmy
//     encoding: windows-1252
//     words: { status: { Gewonnen: Negotiation } }

import type { Document, Pair, YAMLMap } from 'yaml';
import { UsageError } from '../../errors.ts';
import { Problems, yamlFault } from '../../files/problems.ts';
import { readSmallFile } from '../../files/read-whole.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks, type Notation } from '../columns/notation.ts';
import { type Encoding, encodings } from '../files/dialect.ts';
import { type Constant, headerKey, type Mapped } from '../plan.ts';

/** True where nothing stands on the right: nobody has said yet what it is. */
const isNothing = ({ isScalar }: Pick<typeof import('yaml'), 'isScalar'>, value: unknown): boolean =>
  value === null || (isScalar(value) && (value.value === null || (value.value === '' && value.type === 'PLAIN')));

/** What a word in the cells of a field stands for. */
export interface MappedWord {
  /** A flag name, or any other name of the field. */
  readonly field: string;
  readonly word: string;
  readonly to: string;
  /** `mapping.yaml, line 7`. */
  readonly where: string;
}

export interface Mapping {
  /** By their names as `headerKey` makes them. */
  readonly columns: ReadonlyMap<string, Mapped>;
  readonly constants: readonly Constant[];
  readonly notation: Notation;
  readonly encoding?: Encoding;
  readonly words: readonly MappedWord[];
}

/** What a command has without a mapping file. */
export const noMapping: Mapping = { columns: new Map(), constants: [], notation: {}, words: [] };

/** Reads a mapping file. Throws UsageError with everything that is wrong with it, each at its line. */
export async function readMapping(context: { readonly cwd: string; readonly signal: AbortSignal }, path: string): Promise<Mapping> {
  const text = await readSmallFile(context, path, '--mapping: ');
  const yaml = await import('yaml');
  const { LineCounter, parseDocument } = yaml;
  const lines = new LineCounter();
  try {
    // Every scalar is the text that stands in the file: a status 007 is one, and so is a column "null".
    const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
    return new Reading(yaml, path, document, (offset) => lines.linePos(offset).line).mapping();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--mapping: ${path} is nested too deeply.`);
    throw error;
  }
}

class Reading {
  readonly #yaml: Pick<typeof import('yaml'), 'isMap' | 'isNode' | 'isScalar'>;
  readonly #path: string;
  readonly #document: Document.Parsed;
  readonly #lineAt: (offset: number) => number;
  readonly #problems = new Problems();

  constructor(
    yaml: Pick<typeof import('yaml'), 'isMap' | 'isNode' | 'isScalar'>,
    path: string,
    document: Document.Parsed,
    lineAt: (offset: number) => number,
  ) {
    this.#yaml = yaml;
    this.#path = path;
    this.#document = document;
    this.#lineAt = lineAt;
  }

  mapping(): Mapping {
    const { contents, errors } = this.#document;
    for (const fault of errors) this.#problems.add({ line: this.#lineAt(fault.pos[0]) }, yamlFault(fault));
    this.#problems.throwIfAny(this.#path);
    let encoding: Encoding | undefined;
    const notation: { decimalMark?: DecimalMark; dateOrder?: DateOrder } = {};
    const columns = new Map<string, Mapped>();
    const constants: Constant[] = [];
    const words: MappedWord[] = [];
    if (contents !== null && !this.#yaml.isMap(contents) && !(this.#yaml.isScalar(contents) && contents.value === ''))
      this.#problems.add({ line: 1 }, 'give columns, constants, decimal-mark, date-order, encoding or words, by name.');
    for (const pair of this.#yaml.isMap(contents) ? contents.items : []) {
      const name = this.#keyOf(pair);
      const line = this.#lineOf(pair.key);
      if (name === 'columns') {
        for (const one of this.#texts(pair)) {
          const [key, to] = [headerKey(one.name), one.text.trim()];
          if ((columns.get(key)?.to ?? to) !== to)
            this.#problems.add({ line: one.line }, `the column "${one.name}" is there twice: case doesn't count.`);
          columns.set(key, { name: one.name, to, where: this.#where(one.line) });
        }
      } else if (name === 'constants') {
        for (const one of this.#texts(pair))
          constants.push({ name: one.name, value: one.text, where: `${this.#where(one.line)}, constant ${one.name}` });
      } else if (name === 'words') {
        for (const field of this.#mapIn(pair)?.items ?? [])
          for (const one of this.#texts(field))
            words.push({ field: this.#keyOf(field), word: one.name, to: one.text, where: this.#where(one.line) });
      } else if (name === 'decimal-mark') {
        const mark = this.#choice(pair, decimalMarks);
        if (mark !== undefined) notation.decimalMark = mark;
      } else if (name === 'date-order') {
        const order = this.#choice(pair, dateOrders);
        if (order !== undefined) notation.dateOrder = order;
      } else if (name === 'encoding') {
        encoding = this.#choice(pair, encodings);
      } else {
        this.#problems.add({ line }, `"${name}" is not one of columns, constants, decimal-mark, date-order, encoding, words.`);
      }
    }
    this.#problems.throwIfAny(this.#path);
    return { columns, constants, notation, words, ...(encoding === undefined ? {} : { encoding }) };
  }

  #where(line: number): string {
    return `${this.#path}, line ${line}`;
  }

  #lineOf(node: unknown): number {
    const { range } = (this.#yaml.isNode(node) ? node : {}) as { readonly range?: readonly number[] | null };
    return this.#lineAt(range?.[0] ?? 0);
  }

  #keyOf({ key }: Pair): string {
    return this.#yaml.isScalar(key) ? String(key.value) : '';
  }

  #mapIn({ key, value }: Pair): YAMLMap | undefined {
    if (this.#yaml.isMap(value)) return value;
    if (!isNothing(this.#yaml, value)) this.#problems.add({ line: this.#lineOf(key) }, 'give names with a text behind each.');
    return undefined;
  }

  /** The texts of a map; a line with nothing on its right is left out. */
  #texts(pair: Pair): { readonly name: string; readonly text: string; readonly line: number }[] {
    return (this.#mapIn(pair)?.items ?? []).flatMap((one) => {
      const line = this.#lineOf(one.key);
      const name = this.#keyOf(one);
      if (name === '' && !this.#yaml.isScalar(one.key)) {
        this.#problems.add({ line }, 'a name must be one text.');
        return [];
      }
      if (this.#yaml.isScalar(one.value) && !(one.value.value === '' && one.value.type === 'PLAIN'))
        return [{ name, text: String(one.value.value), line }];
      // Nobody has said yet what it is.
      if (!isNothing(this.#yaml, one.value)) this.#problems.add({ line }, `"${name}": give one text.`);
      return [];
    });
  }

  #choice<T extends string>({ key, value }: Pair, words: readonly T[]): T | undefined {
    const text = this.#yaml.isScalar(value) ? value.value : undefined;
    const found = words.find((word) => word === text);
    if (found === undefined && !isNothing(this.#yaml, value))
      this.#problems.add({ line: this.#lineOf(key) }, `${this.#yaml.isScalar(key) ? key.value : ''}: give one of ${words.join(', ')}.`);
    return found;
  }
}
