// What the columns of a file mean, looked up once for each name; a file of JSON may name others in every row.

import type { Place, Problems, Where } from '../../files/problems.ts';
import type { Field } from '../../resources/define.ts';
import { listed } from '../../values/text/wording.ts';
import { hasHeader } from '../files/raw-row.ts';
import { headerKey, type ImportPlan, type Mapped } from '../plan.ts';
import { columnOf, type FileColumn, guessedNames, isUnknown, mayName, meaningOf, wiresGiven, wiresOf } from './columns.ts';

/** What the names of a row's cells mean. */
export interface Shape {
  readonly names: readonly string[];
  readonly columns: readonly FileColumn[];
  /** The body entries of which the columns can give the value. */
  readonly wires: ReadonlySet<string>;
  /** The columns with all left out but those whose cells may hold names; absent where there are none of these. */
  readonly naming?: readonly FileColumn[];
}

export class ColumnTable {
  /** The columns that were passed over, because they can only be read. */
  readonly passedOver = new Set<string>();
  /** The fields that some column gives, or a constant. */
  readonly fields = new Set<Field>();
  /** The columns by their names as the file has them; undefined for one without a meaning. */
  readonly byName = new Map<string, FileColumn | undefined>();
  readonly #plan: ImportPlan;
  readonly #problems: Problems;
  /** The names of columns by the body entries that they make. */
  readonly #names = new Map<string, string>();
  readonly #said = new Set<string>();
  /** The columns without a meaning that one sentence tells. */
  readonly #unknown = new Set<string>();
  #shape: Shape | undefined;

  /** What is wrong with columns goes to `problems`. */
  constructor(plan: ImportPlan, problems: Problems) {
    this.#plan = plan;
    this.#problems = problems;
  }

  /** What the cells of a row mean that has these names. `line` is where they stand. */
  shapeOf(names: readonly string[], line: number): Shape {
    if (this.#shape !== undefined && sameNames(this.#shape.names, names)) return this.#shape;
    if (hasHeader(this.#plan.format)) this.#tellUnknown(names, line);
    const columns = names.map((name) => (name.trim() === '' ? nameless : this.#meaning(name, line)));
    for (const [one, other] of twice(names, columns)) this.tellOnce({ line }, `${one} and ${other} mean the same field.`);
    const naming = columns.map((column): FileColumn => (mayName(column) ? column : { kind: 'left-out' }));
    this.#shape = { names, columns, wires: new Set(columns.flatMap(wiresGiven)), ...(columns.some(mayName) ? { naming } : {}) };
    for (const constant of this.#plan.constants) {
      const own = meaningOf(this.#plan.resource, constant.name);
      const wire = own === undefined ? undefined : wiresOf(own).find((one) => this.#shape?.wires.has(one));
      if (wire === undefined) continue;
      const name = this.columnName(wire) ?? wire;
      this.tellOnce(constant.where, `the column ${name} gives it, too. Leave the column out with --map '${name}='.`);
    }
    return this.#shape;
  }

  /** Notes a problem of the columns, whichever row met it first. */
  tellOnce(where: Where, message: string): void {
    if (!this.#said.has(message)) this.#problems.add(where, message);
    this.#said.add(message);
  }

  /** Whether something is wrong with the columns themselves. */
  get isFlawed(): boolean {
    return this.#said.size > 0;
  }

  /** What was said of columns that were not there; nothing before some column was. */
  unmapped(): Mapped[] {
    const there = new Set([...this.byName.keys()].map(headerKey));
    return [...this.#plan.maps].flatMap(([key, mapped]) => (mapped.to !== '' && there.size > 0 && !there.has(key) ? [mapped] : []));
  }

  /** The column that gives a body field, for messages. */
  columnName(wire: string): string | undefined {
    return this.#names.get(wire);
  }

  /** Notes several columns without a meaning in one sentence. */
  #tellUnknown(names: readonly string[], line: number): void {
    const unknown = names.filter((name) => name.trim() !== '' && !this.byName.has(name) && isUnknown(this.#plan, name));
    if (unknown.length < 2) return;
    const guesses = guessedNames(this.#plan, unknown);
    const shown = unknown.map((name) => `"${name}"${guesses.has(name) ? ` (${guesses.get(name)}?)` : ''}`);
    const wayOut = '--save-mapping mapping.yaml writes down what these columns could be, to be filled in';
    this.#problems.add({ line }, `${wayOut}: ${listed(shown)} are no fields. Leave one out with --map '${unknown[0]}='.`);
    for (const name of unknown) this.#unknown.add(name);
  }

  #meaning(name: string, line: number): FileColumn {
    if (this.byName.has(name)) return this.byName.get(name) ?? { kind: 'left-out' };
    const where: Place = hasHeader(this.#plan.format) ? { line } : { line, noun: 'member', column: name };
    const column = this.#unknown.has(name) ? undefined : this.#problems.try(where, () => columnOf(this.#plan, name));
    this.byName.set(name, column);
    if (column === undefined) return { kind: 'left-out' };
    if (column.kind === 'read-only') this.passedOver.add(name);
    if ((column.kind === 'field' || column.kind === 'wire' || column.kind === 'name') && column.field !== undefined)
      this.fields.add(column.field);
    if (column.kind === 'full-name') for (const field of column.fields) this.fields.add(field);
    for (const wire of wiresOf(column)) this.#names.set(wire, name);
    for (const wire of wiresGiven(column)) if (!this.#names.has(wire)) this.#names.set(wire, name);
    return column;
  }
}

/** A column without a name: nothing may stand in it. */
export const nameless: FileColumn = { kind: 'wire', wire: '', type: { kind: 'text' } };

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Pairs of columns that give the same field, or both the id or the time of the last change. */
function twice(names: readonly string[], columns: readonly FileColumn[]): [string, string][] {
  const first = new Map<string, string>();
  return columns.flatMap((column, index) => {
    const name = names[index] ?? '';
    const wires = column === nameless ? [] : keysOf(column);
    const before = wires.map((wire) => first.get(wire)).find((one) => one !== undefined);
    for (const wire of wires) first.set(wire, name);
    return before === undefined ? [] : [[before, name] as [string, string]];
  });
}

/** What no two columns may both be. */
function keysOf(column: FileColumn): string[] {
  if (column.kind === 'id' || column.kind === 'changed') return [` ${column.kind}`];
  return column.kind === 'name' ? [`${column.field.wire} name`] : wiresOf(column);
}
