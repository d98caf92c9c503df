// What the columns of a file mean, looked up once for each name; a file of JSON may name others in every row.

import type { Problems } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import type { ImportPlan } from '../plan.ts';
import { type Column, columnOf, wiresOf } from './columns.ts';

/** What the names of a row's cells mean. */
export interface Shape {
  readonly names: readonly string[];
  readonly columns: readonly Column[];
  /** The body entries that the columns can make. */
  readonly wires: ReadonlySet<string>;
}

export class ColumnTable {
  /** The columns that were passed over, because they can only be read. */
  readonly passedOver = new Set<string>();
  /** The fields that some column gives. */
  readonly fields = new Set<Field>();
  readonly #plan: ImportPlan;
  readonly #problems: Problems;
  readonly #known = new Map<string, Column>();
  /** The names of columns by the body entries that they make. */
  readonly #names = new Map<string, string>();
  readonly #told = new Set<string>();
  #shape: Shape | undefined;

  /** What is wrong with columns goes to `problems`. */
  constructor(plan: ImportPlan, problems: Problems) {
    this.#plan = plan;
    this.#problems = problems;
  }

  /** What the cells of a row mean that has these names. `line` is where they stand. */
  shapeOf(names: readonly string[], line: number): Shape {
    if (this.#shape !== undefined && sameNames(this.#shape.names, names)) return this.#shape;
    const columns = names.map((name) => (name.trim() === '' ? nameless : this.#meaning(name, line)));
    for (const [one, other] of twice(names, columns)) this.tellOnce(`line ${line}`, `${one} and ${other} mean the same field.`);
    this.#shape = { names, columns, wires: new Set(columns.flatMap(wiresOf)) };
    return this.#shape;
  }

  /** Notes a problem of the columns, whichever row met it first. */
  tellOnce(where: string, message: string): void {
    if (!this.#told.has(message)) this.#problems.add(where, message);
    this.#told.add(message);
  }

  /** Whether something is wrong with the columns themselves. */
  get isFlawed(): boolean {
    return this.#told.size > 0;
  }

  /** The columns of --map that were not there; none before some column was. */
  unmapped(): string[] {
    const { maps } = this.#plan;
    return [...maps.keys()].filter((name) => maps.get(name) !== '' && this.#known.size > 0 && !this.#known.has(name));
  }

  /** The column that gives a body field, for messages. */
  columnName(wire: string): string | undefined {
    return this.#names.get(wire);
  }

  #meaning(name: string, line: number): Column {
    const before = this.#known.get(name);
    if (before !== undefined) return before;
    const where = this.#plan.format === 'csv' ? `line ${line}` : `line ${line}, member ${name}`;
    const column = this.#problems.try(where, () => columnOf(this.#plan, name)) ?? { kind: 'left-out' };
    this.#known.set(name, column);
    if (column.kind === 'read-only') this.passedOver.add(name);
    if ('field' in column && column.field !== undefined) this.fields.add(column.field);
    for (const wire of wiresOf(column)) this.#names.set(wire, name);
    return column;
  }
}

/** A column without a name: nothing may stand in it. */
export const nameless: Column = { kind: 'wire', wire: '', type: { kind: 'text' } };

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Pairs of columns that give the same field, or both the id or the time of the last change. */
function twice(names: readonly string[], columns: readonly Column[]): [string, string][] {
  const first = new Map<string, string>();
  return columns.flatMap((column, index) => {
    const name = names[index] ?? '';
    const wires = column === nameless ? [] : column.kind === 'id' || column.kind === 'changed' ? [` ${column.kind}`] : wiresOf(column);
    const before = wires.map((wire) => first.get(wire)).find((one) => one !== undefined);
    for (const wire of wires) first.set(wire, name);
    return before === undefined ? [] : [[before, name] as [string, string]];
  });
}
