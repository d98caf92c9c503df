// A change file: a table of one family in which each new value stands beside the one that was there. A person reads it and strikes lines
// out; `crm apply` carries it out. How it is written.

import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { invalidValue, systemCode, UnavailableError, UsageError } from '../../errors.ts';
import type { RecordWriter } from '../../output/formats/writer.ts';
import type { Shape } from '../../output/result.ts';
import type { Difference } from '../../records/difference.ts';
import { familyNamed } from '../../resources/index.ts';
import type { Id } from '../../values/parse.ts';
import { crmWith, quotePosix } from '../../values/text/shell-word.ts';

/** A row of a change file. */
export interface ChangeRow {
  readonly id: Id;
  /** Equal values ask nothing. */
  readonly changes: readonly Difference[];
  /** What must still be so and is not written, by members: `title`. */
  readonly guards?: ReadonlyMap<string, string>;
}

/** What the columns of a change file are about, where no row tells. */
type ChangeColumns = Pick<ChangeRow, 'changes' | 'guards'>;

/** The names of a change file's columns: `family,id,was.title,source,was.source`. */
export function changeHeader(rows: readonly ChangeColumns[]): string[] {
  const names = (all: (row: ChangeColumns) => Iterable<string>): string[] => [...new Set(rows.flatMap((row) => [...all(row)]))];
  const values = names((row) => row.changes.map(({ field }) => field));
  const guards = names((row) => row.guards?.keys() ?? []).filter((name) => !values.includes(name));
  return ['family', 'id', ...guards.map((name) => `was.${name}`), ...values.flatMap((name) => [name, `was.${name}`])];
}

/** How a change file is shown: numbers are numbers, and all else is text, to be read again to the letter. */
export function changeShape(family: string, header: readonly string[]): Shape {
  const decimals = familyNamed(family)?.fields.flatMap(({ flag, type }) => (type.kind === 'decimal' ? [flag] : [])) ?? [];
  const numbers = header.filter((name) => decimals.includes(name.replace(/^was\./, '')));
  const types = Object.fromEntries(numbers.map((name) => [name, { kind: 'decimal' } as const]));
  return { name: family, columns: [], record: header, types };
}

/** A row as a record whose members are the columns. */
export function changeRecord(family: string, { id, changes, guards = new Map() }: ChangeRow): Record<string, string> {
  const pairs = changes.flatMap(({ field, old, new: now }) => [
    [field, now],
    [`was.${field}`, old],
  ]);
  const others = [...guards].map(([name, was]) => [`was.${name}`, was]);
  return { family, id: String(id), ...Object.fromEntries([...others, ...pairs]) };
}

/** Whether a change file of this name is a workbook. Throws InvalidValues for a name that says neither CSV nor xlsx. */
export function isWorkbookName(path: string): boolean {
  if (/\.xlsx$/i.test(path)) return true;
  if (/\.csv$/i.test(path)) return false;
  throw invalidValue('--plan', `"${path}" must end in .csv or .xlsx: that says how it is written.`);
}

/**
 * Writes a change file, CSV or xlsx by its name. `columns`: what stands in its header where there is no row. Throws InvalidValues for
 * another name, UsageError where the file is there already, UnavailableError where it can't be written.
 */
export async function writeChangeFile(
  context: Context,
  path: string,
  family: string,
  rows: readonly ChangeRow[],
  columns: ChangeColumns = { changes: [] },
): Promise<void> {
  const isWorkbook = isWorkbookName(path);
  const chunks: Uint8Array[] = [];
  const outBytes = async (bytes: Uint8Array): Promise<void> => void chunks.push(bytes);
  const io = {
    ...context.io,
    stdout: { ...context.io.stdout, isTTY: false },
    outBytes,
    out: (text: string): Promise<void> => outBytes(Buffer.from(text)),
  };
  const fields = changeHeader(rows.length === 0 ? [columns] : rows);
  const shape = changeShape(family, fields);
  const options = { io, flags: { fields, csvRaw: false }, shape, now: context.clock.now() };
  const writer: RecordWriter = isWorkbook
    ? (await import('../../output/formats/xlsx.ts')).xlsxWriter(options)
    : (await import('../../output/formats/csv.ts')).csvWriter(options);
  await writer.page(rows.map((row) => changeRecord(family, row)));
  await writer.end();
  await writeNew(resolve(context.cwd, path), path, Buffer.concat(chunks));
}

async function writeNew(path: string, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') throw isThere(name);
    throw new UnavailableError(`Can't write ${name} (${code ?? 'unwritable'}).`, { cause: error });
  }
}

/** The command that carries a change file out. */
export const applyCommand = ({ flags }: Context, path: string): string => `${crmWith(flags.profile)} apply ${quotePosix(path)}`;

/** Throws UsageError where a file is there already, before anything is read for it. */
export async function refuseExisting({ cwd }: Context, path: string): Promise<void> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  if (found !== undefined) throw isThere(path);
}

const isThere = (name: string): UsageError => new UsageError(`${name} is there already, and is not overwritten.`);
