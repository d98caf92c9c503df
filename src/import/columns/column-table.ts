// The meanings of a file's columns, each name looked up once. A JSON file may have other names in every row.

import type { Problems, Where } from '../../base/files/problems.ts';
import type { Field } from '../../model/define.ts';
import { mapFlag } from '../command-line.ts';
import { hasHeader, headerKey, nameBefore } from '../files/raw-row.ts';
import type { ImportJob, Mapped } from '../job.ts';
import {
  columnMeaning,
  type FileColumn,
  fileColumn,
  mayName,
  meantHeader,
  nameInMapping,
  noField,
  otherColumn,
  titleDoubt,
  wiresFilled,
  wiresGiven,
} from './columns.ts';

/** The meanings of the names in a row. */
export interface RowShape {
  readonly names: readonly string[];
  readonly columns: readonly FileColumn[];
  /** Body entries that the columns can fill. */
  readonly wires: ReadonlySet<string>;
  /** The places of columns whose cells may hold names. */
  readonly naming: readonly number[];
}

export class ColumnTable {
  /** Names of read-only columns, which are not sent. */
  readonly passedOver = new Set<string>();
  /** Names of columns that `others: leave-out` leaves out. */
  readonly leftOut = new Set<string>();
  /** Fields given by a column. */
  readonly fields = new Set<Field>();
  /** Columns by their names in the file; undefined for a name without a meaning. */
  readonly byName = new Map<string, FileColumn | undefined>();
  readonly #job: ImportJob;
  readonly #problems: Problems;
  /** Column names by the body entries that they fill. */
  readonly #names = new Map<string, string>();
  readonly #said = new Set<string>();
  #shape: RowShape | undefined;

  /** Problems of columns go to `problems`. */
  constructor(job: ImportJob, problems: Problems) {
    this.#job = job;
    this.#problems = problems;
  }

  /** The meanings of a row's names. `line`: where the names stand. */
  shapeOf(names: readonly string[], line: number): RowShape {
    if (this.#shape !== undefined && sameNames(this.#shape.names, names)) return this.#shape;
    const columns = names.map((name) => (name.trim() === '' ? nameless : this.#meaning(name, line, names)));
    if (hasHeader(this.#job.format)) this.#tellUnknown(names, line);
    for (const [one, other] of twice(names, columns)) this.tellOnce({ line }, `${one} and ${other} mean the same field.`);
    this.#shape = {
      names,
      columns,
      wires: new Set(columns.flatMap(wiresGiven)),
      naming: [...columns.keys()].filter((index) => mayName(columns[index] as FileColumn)),
    };
    for (const constant of this.#job.constants) {
      const own = columnMeaning(this.#job.resource, constant.name);
      const wire = own === undefined ? undefined : wiresFilled(own).find((one) => this.#shape?.wires.has(one));
      if (wire === undefined) continue;
      const name = this.columnName(wire) ?? wire;
      this.tellOnce(constant.where, `the column ${name} gives it, too. Leave the column out with ${mapFlag(name)}.`);
    }
    return this.#shape;
  }

  /** Adds a problem of the columns once, however many rows have the problem. */
  tellOnce(where: Where, message: string): void {
    if (!this.#said.has(message)) this.#problems.add(where, message);
    this.#said.add(message);
  }

  /** True when a problem of the columns was noted. */
  get isFlawed(): boolean {
    return this.#said.size > 0;
  }

  /** Mappings whose column is not in the file; empty before the first column was read. */
  unmapped(): Mapped[] {
    const there = new Set([...this.byName.keys()].map(headerKey));
    return [...this.#job.maps].flatMap(([key, mapped]) => (mapped.to !== '' && there.size > 0 && !there.has(key) ? [mapped] : []));
  }

  /** The names without a meaning. */
  unknown(): string[] {
    return [...this.byName].flatMap(([name, column]) => (column === undefined ? [name] : []));
  }

  /** The name of the column that fills a body entry, for messages. */
  columnName(wire: string): string | undefined {
    return this.#names.get(wire);
  }

  /** The fields of the column of whole names that fills a body entry; empty for another column. */
  partsOfName(wire: string): readonly Field[] {
    const column = this.byName.get(this.columnName(wire) ?? '');
    return column?.kind === 'full-name' ? column.fields : [];
  }

  /** Adds one problem for all names without a meaning, and one for a title that may be a person's. */
  #tellUnknown(names: readonly string[], line: number): void {
    const unknown = this.unknown();
    const [first, ...others] = unknown;
    const doubted = titleDoubt(this.#job, names);
    if (doubted !== undefined) this.#problems.add({ line }, doubted.message);
    if (first === undefined) return;
    const again = (name: string): string | undefined => {
      const before = nameBefore(name, names);
      if (before === undefined) return undefined;
      const flag = this.byName.get(before);
      const take = mapFlag(name, flag === undefined ? 'flag-name' : nameInMapping(before, flag));
      return `the column ${before} is there twice: ${mapFlag(name)} takes the first column; ${mapFlag(before)} ${take} takes the other one.`;
    };
    if (others.length === 0) {
      this.#problems.add({ line }, again(first) ?? noField('there is no field', this.#job, first).message);
      return;
    }
    const told = unknown.map((name) => {
      const meant = meantHeader(this.#job, name);
      return meant === undefined ? `"${name}"` : `"${name}" (${meant}?)`;
    });
    const twice = unknown.find((name) => nameBefore(name, names) !== undefined);
    this.#problems.add({ line }, `${unknown.length} columns have no field: ${told.join(', ')}.`);
    if (twice !== undefined) this.#problems.add({ line }, again(twice) ?? '');
  }

  #meaning(name: string, line: number, names: readonly string[]): FileColumn {
    if (this.byName.has(name)) return this.byName.get(name) ?? { kind: 'left-out' };
    const column = fileColumn(this.#job, name, names);
    this.byName.set(name, column);
    if (column === undefined) {
      if (!hasHeader(this.#job.format))
        this.#problems.add({ line, noun: 'member', column: name }, noField('there is no field', this.#job, name).message);
      return { kind: 'left-out' };
    }
    if (column === otherColumn) this.leftOut.add(name);
    if (column.kind === 'read-only') this.passedOver.add(name);
    if ((column.kind === 'field' || column.kind === 'wire' || column.kind === 'name') && column.field !== undefined)
      this.fields.add(column.field);
    if (column.kind === 'full-name') for (const field of column.fields) this.fields.add(field);
    for (const wire of wiresFilled(column)) this.#names.set(wire, name);
    for (const wire of wiresGiven(column)) if (!this.#names.has(wire)) this.#names.set(wire, name);
    return column;
  }
}

/** A column without a name. A value in such a column is an error. */
export const nameless: FileColumn = { kind: 'wire', wire: '', type: { kind: 'text' } };

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Pairs of columns with the same meaning: both fill one body entry, both are the id, or both are the time of the last change. */
function twice(names: readonly string[], columns: readonly FileColumn[]): [string, string][] {
  const first = new Map<string, string>();
  return columns.flatMap((column, index) => {
    const name = names[index] ?? '';
    // The keys that no two columns may share.
    const wires =
      column === nameless
        ? []
        : column.kind === 'id' || column.kind === 'changed'
          ? [` ${column.kind}`]
          : column.kind === 'name'
            ? [`${column.field.wire} name`]
            : wiresFilled(column);
    const before = wires.map((wire) => first.get(wire)).find((one) => one !== undefined);
    for (const wire of wires) first.set(wire, name);
    return before === undefined ? [] : [[before, name] as [string, string]];
  });
}
