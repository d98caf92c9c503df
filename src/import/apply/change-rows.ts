// Reads a change file: its family, and for each row the record, the new and old values, and the values that must still hold.

import { UsageError } from '../../base/errors.ts';
import { NotationError, type Place, type Problems, UnreadableError } from '../../base/files/problems.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { listed } from '../../base/values/text/wording.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { type FileRow, fieldTarget, type Target, type TargetChange, targetOf } from '../../changes/file/target.ts';
import type { ChangeFileFlags } from '../../changes/flags.ts';
import { intoOf } from '../../changes/merge/into.ts';
import { extrasOf } from '../../model/bodies/extras.ts';
import type { Resource } from '../../model/define.ts';
import { memberNamed, namesForSuggestions } from '../../model/members.ts';
import { familyNamed, resources } from '../../model/resources/index.ts';
import { updateShape } from '../../model/shape.ts';
import { isOfTitle, numberedField } from '../../model/values.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import type { Context } from '../../session/context.ts';
import { DecimalMarks } from '../columns/amounts.ts';
import { numberedName } from '../columns/custom-fields.ts';
import { amountIn, type DecimalMark, decimalMarks, type Notation, plainText } from '../columns/notation.ts';
import { inUtf8 } from '../files/dialect.ts';
import { encodingNamed } from '../files/encodings.ts';
import { layoutOf, withRows } from '../files/layout.ts';
import { BadCell, type Header, hasHeader, type RawRow, textIn } from '../files/raw-row.ts';
import { formatOf, readRows } from '../files/readers.ts';
import { openSource } from '../files/source.ts';
import { isBlankRow } from '../rows/rows.ts';

interface ChangeTable {
  /** Absent in a file without rows. */
  readonly resource?: Resource;
  readonly rows: readonly FileRow[];
  /** The numbers that the marks point and comma don't read alike. Empty when the decimal mark is known. */
  readonly markedNumbers: readonly MarkedNumber[];
}

/** A number as the file has it. */
export interface MarkedNumber {
  readonly id: Id;
  /** True for a number in a `was.` column: the record may still hold it. */
  readonly isOld: boolean;
  readonly type: ValueType;
  /** The column's name without `was.`. */
  readonly name: string;
  readonly text: string;
}

/** A change file that is open, and can be read several times. */
interface ChangeFile {
  /** The rows; their problems go to `problems`. Throws UsageError for an unknown column, and for a column without its `was.` column. */
  read(problems: Problems, notation: Notation): Promise<ChangeTable>;
  close(): Promise<void>;
}

/** Opens a change file. A byte order mark wins over --encoding. Throws UsageError for another format. */
export async function openChangeFile(context: Context, name: string, flags: ChangeFileFlags): Promise<ChangeFile> {
  const { csvRaw } = context.flags;
  let source = await openSource(context, name);
  try {
    const asked = flags.encoding === undefined ? undefined : encodingNamed(flags.encoding, '--encoding');
    const layout = layoutOf(flags);
    const read = await inUtf8(context, source, { name, asked, layout });
    source = read.source;
    const format = await formatOf(source, name, undefined);
    if (!hasHeader(format)) throw new UsageError(`${name} is no change file: a change file is CSV or xlsx.`);
    source = await withRows(context, source, { format, layout, dialect: read.dialect, flags });
    const { bytes, close } = source;
    return {
      close,
      read: async (problems, notation) => {
        const table = new Table(name, problems, notation, !csvRaw);
        try {
          for await (const some of readRows(bytes, { format, csvRaw, layout })) {
            for (const raw of some) {
              if ('header' in raw) table.begin({ ...raw, header: await numberedHeader(context, raw.header) });
              else if ('problem' in raw) problems.addOfRow({ line: raw.line }, raw.problem);
              else if (!isBlankRow(raw)) table.add(raw);
            }
          }
        } catch (error) {
          throw withFileName(name, error);
        }
        return table.whole();
      },
    };
  } catch (error) {
    await source.close();
    throw withFileName(name, error);
  }
}

/** An UnreadableError with the file's name, and what to do; any other error unchanged. */
function withFileName(name: string, error: unknown): unknown {
  if (!(error instanceof UnreadableError)) return error;
  return new UsageError(`${name}, ${error.message}`, {
    hint: error.details.hint ?? 'Save it again in a spreadsheet program, as .xlsx, or as CSV in UTF-8.',
  });
}

/** A number's text as requests write it, read with a decimal mark. Undefined for a number that isn't written so. */
export function numberRead(type: ValueType, text: string, decimalMark: DecimalMark): string | undefined {
  try {
    return plainText(type, text, { decimalMark });
  } catch (error) {
    if (error instanceof NotationError) return undefined;
    throw error;
  }
}

/** The header with `custom-field-1` in place of `custom_fields.SKU`. Throws like numberedName. */
async function numberedHeader(context: Context, header: readonly string[]): Promise<string[]> {
  const fields = resources.flatMap((resource) => resource.fields.filter(({ type }) => type.kind === 'numbered'));
  const names: string[] = [];
  for (const column of header) {
    const [, was = '', name = ''] = /^(was\.)?(.*)$/s.exec(column) ?? [];
    const [, read, number = ''] = /^(.*)\.(\d+)$/.exec(await numberedName(context, fields, name, column)) ?? [];
    const field = fields.find((one) => one.read === read);
    names.push(field === undefined ? column : `${was}${field.flag}-${number}`);
  }
  return names;
}

/** The columns of a file, by index. */
interface ChangeColumns {
  readonly family: number;
  readonly id: number;
  readonly pairs: ReadonlyMap<Target, { readonly value: number; readonly was: number }>;
  readonly guards: ReadonlyMap<string, number>;
}

class Table {
  readonly #file: string;
  readonly #problems: Problems;
  readonly #notation: Notation;
  readonly #marks = new DecimalMarks();
  readonly #markedNumbers: MarkedNumber[] = [];
  readonly #isGuarded: boolean;
  readonly #rows: FileRow[] = [];
  readonly #lines = new Map<string, number>();
  #header: readonly string[] = [];
  #family: { readonly resource: Resource; readonly columns: ChangeColumns } | undefined;

  constructor(file: string, problems: Problems, notation: Notation, isGuarded: boolean) {
    this.#file = file;
    this.#problems = problems;
    this.#notation = notation;
    this.#isGuarded = isGuarded;
  }

  begin({ header }: Header): void {
    this.#header = header;
    const missing = ['family', 'id'].filter((name) => !header.includes(name));
    if (missing.length > 0)
      throw new UsageError(`${this.#file} is no change file: it has no column ${missing.join(' and none ')}.`, {
        hint: '--plan FILE writes a change file, such as: crm leads update --where source=web --source Website --plan web.csv',
      });
  }

  add({ line, values }: RawRow): void {
    const at = (index: number): string => this.#text(values[index], line, this.#header[index] ?? '');
    const { resource, columns } = this.#family ?? this.#learn(at(this.#header.indexOf('family')).trim(), line);
    const [family, idText] = [at(columns.family).trim(), at(columns.id).trim()];
    if (family !== resource.name) {
      this.#problems.addOfRow(
        { line, noun: 'column', column: 'family' },
        `it says "${family}", and a change file is about one family: ${resource.name} here.`,
      );
      return;
    }
    const id = this.#problems.tryRow({ line, noun: 'column', column: 'id' }, (where) => {
      if (idText === '') throw new UsageError(`${where}: it is blank, and has to name the ${resource.singular}.`);
      return parseId(idText, where);
    });
    if (id === undefined) return;
    const before = this.#lines.get(String(id));
    if (before !== undefined) this.#problems.addOfRow({ line, noun: 'column', column: 'id' }, `the same as on line ${before}.`);
    this.#lines.set(String(id), line);
    const changes = [...columns.pairs].flatMap(([target, { value, was }]): TargetChange[] => {
      const { count } = this.#problems;
      // An old value is compared with its guard and without.
      const old = target.kind === 'field' ? this.#cellText(values[was], line, this.#header[was] ?? '') : at(was);
      const now = at(value);
      if (typeof values[was] === 'string') this.#seeNumber(id, target, old, true);
      if (typeof values[value] === 'string') this.#seeNumber(id, target, now, false);
      const change: TargetChange = { field: target.name, old: unguard(old) === now ? now : old, new: now, target };
      const plain = change.old === change.new ? change : this.#plain(change, { line, cell: values[value] });
      // A cell with a problem is not checked further, so that the problem counts once.
      return this.#problems.count === count ? [plain] : [];
    });
    const alike = changes.filter((one) => one.old === one.new).flatMap((one) => this.#plainAlike(one));
    const isTitle = ([name]: [string, string]): boolean => isOfTitle(resource, name);
    const guards = [...columns.guards].map(([name, index]): [string, string] => [name, at(index)]);
    this.#rows.push({
      id,
      place: (name?: string): Place => (name === undefined ? { line } : { line, noun: 'column', column: name }),
      changes: changes.filter((one) => one.old !== one.new),
      guards: new Map([...alike.filter(isTitle), ...guards]),
      alike: new Map(alike.filter((one) => !isTitle(one))),
      into: intoOf(changes),
    });
  }

  /** The old and new value as requests write them. An old value stays as written when its notation is invalid. */
  #plain(change: TargetChange, { line, cell }: { readonly line: number; readonly cell: unknown }): TargetChange {
    const { target, old, new: now } = change;
    if (target.kind !== 'field' || target.number !== undefined) return change;
    const { type } = target.field;
    if (typeof cell === 'boolean' && type.kind === 'text')
      this.#problems.addOfRow(
        { line, noun: 'column', column: target.name },
        `it is ${String(cell).toUpperCase()}, a truth value. Write a text.`,
      );
    const plain = this.#problems.tryRow({ line, noun: 'column', column: target.name }, () => plainText(type, now, this.#notation)) ?? now;
    if (type.kind === 'decimal' && this.#notation.decimalMark === undefined && typeof cell === 'string')
      this.#marks.see(target.name, line, amountIn(now).number);
    try {
      return { ...change, old: plainText(type, old, this.#notation), new: plain };
    } catch (error) {
      if (error instanceof NotationError) return { ...change, new: plain };
      throw error;
    }
  }

  #seeNumber(id: Id, target: Target, text: string, isOld: boolean): void {
    if (this.#notation.decimalMark !== undefined || target.kind !== 'field' || target.number !== undefined) return;
    const { type } = target.field;
    if (type.kind !== 'decimal') return;
    const [point, comma] = decimalMarks.map((decimalMark) => numberRead(type, text, decimalMark));
    if (point !== comma) this.#markedNumbers.push({ id, isOld, type, name: target.name, text });
  }

  /** The column and the text of equal values, as requests write them. Empty when the notation is unknown. */
  #plainAlike({ target, field, old }: TargetChange): [string, string][] {
    try {
      return [[field, target.kind === 'field' ? plainText(target.field.type, old, this.#notation) : old]];
    } catch (error) {
      if (error instanceof NotationError) return [];
      throw error;
    }
  }

  whole(): ChangeTable {
    for (const { where, message } of this.#marks.problems('column')) this.#problems.add(where, message);
    if (this.#header.length === 0) throw new UsageError(`There is nothing in ${this.#file}.`);
    return this.#family === undefined
      ? { rows: [], markedNumbers: [] }
      : { resource: this.#family.resource, rows: this.#rows, markedNumbers: this.#markedNumbers };
  }

  #cellText(value: unknown, line: number, column: string): string {
    if (value instanceof BadCell) this.#problems.addOfRow({ line, noun: 'column', column }, value.problem);
    return textIn(value ?? '');
  }

  #text(value: unknown, line: number, column: string): string {
    const text = this.#cellText(value, line, column);
    return this.#isGuarded ? unguard(text) : text;
  }

  #learn(family: string, line: number): { readonly resource: Resource; readonly columns: ChangeColumns } {
    const resource = familyNamed(family);
    if (resource === undefined) {
      const names = resources.map(({ name }) => name);
      throw new UnreadableError(
        line,
        `"${family}" is no family whose records can be changed: ${listed(names)}.${suggestion(family, names)}`,
      );
    }
    this.#family = { resource, columns: changeColumns(resource, this.#header) };
    return this.#family;
  }
}

/** The columns of a change file, by their meanings. Throws UsageError for an unknown column, and for a value without its old value. */
function changeColumns(resource: Resource, header: readonly string[]): ChangeColumns {
  const pairs = new Map<Target, { readonly value: number; readonly was: number }>();
  const guards = new Map<string, number>();
  const isAlone = header.filter((name) => fieldTarget(resource, name) !== undefined).length === 1;
  for (const [index, name] of header.entries()) {
    if (name === '' || name === 'family' || name === 'id') continue;
    const guarded = /^was\.(.*)$/s.exec(name)?.[1];
    if (guarded !== undefined) {
      if (!header.includes(guarded)) guards.set(guardedMember(resource, name, guarded), index);
      continue;
    }
    const target = targetOf(resource, name, isAlone);
    if (target === undefined) throw unknownColumn(resource, name);
    const was = header.indexOf(`was.${name}`);
    if (was < 0)
      throw new UsageError(`The column ${name} needs a column was.${name} with the old values.`, {
        hint: `A table of new values alone is sent with: crm ${resource.name} import FILE --mode update`,
      });
    pairs.set(target, { value: index, was });
  }
  return { family: header.indexOf('family'), id: header.indexOf('id'), pairs, guards };
}

function unknownColumn(resource: Resource, name: string): UsageError {
  if (memberNamed(resource, name) !== undefined)
    return new UsageError(`The column ${name} can't be changed. To check its old values, call the column was.${name}.`);
  const names = [...updateShape(resource).fields.map(({ flag }) => flag), ...extrasOf(resource).map((extra) => extra.name)];
  return new UsageError(`There is no column "${name}" in a change file of ${resource.name}.${suggestion(name, names)}`);
}

/** The member named by a `was.` column without a new value. Throws UsageError for a name without a member. */
function guardedMember(resource: Resource, column: string, name: string): string {
  const member = memberNamed(resource, name);
  if (numberedField(resource, name) !== undefined || (member !== undefined && member.kind !== 'group')) return name;
  const near = suggestion(name, namesForSuggestions(resource), ` See them all: crm ${resource.name} list --fields help`);
  throw new UsageError(`The column ${column}: ${resource.name} have no "${name}".${near}`);
}
