// Writes change files. A change file is a table of one family: each new value stands beside the old one. A person reads the file and
// strikes lines out; `crm apply` carries it out.

import { invalidValue, systemCode, systemReason, UnavailableError, UsageError } from '../../base/errors.ts';
import { diskError } from '../../base/files/disk-failure.ts';
import { writeNewFile } from '../../base/files/durable-file.ts';
import { factsAt, tryFolder } from '../../base/files/output-place.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Format } from '../../base/global-flags.ts';
import type { Id } from '../../base/values/parse.ts';
import { crmWith, quoteWord } from '../../base/values/text/shell-word.ts';
import type { Difference } from '../../model/records/difference.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { RecordWriter } from '../../output/formats/writer.ts';
import type { Shape } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';

/** A row of a change file. */
export interface ChangeRow {
  readonly id: Id;
  /** Differences with equal values ask for no change. */
  readonly changes: readonly Difference[];
  /** Values that the record must still have, by member: `title`. Guards are not written. */
  readonly guards?: ReadonlyMap<string, string>;
}

/** The columns of a change file without rows. */
type ChangeColumns = Pick<ChangeRow, 'changes' | 'guards'>;

/** The column names of a change file: `family,id,was.title,source,was.source`. */
export function changeHeader(rows: readonly ChangeColumns[]): string[] {
  const distinctNames = (all: (row: ChangeColumns) => Iterable<string>): string[] => [...new Set(rows.flatMap((row) => [...all(row)]))];
  const values = distinctNames((row) => row.changes.map(({ field }) => field));
  const guards = distinctNames((row) => row.guards?.keys() ?? []).filter((name) => !values.includes(name));
  return ['family', 'id', ...guards.map((name) => `was.${name}`), ...values.flatMap((name) => [name, `was.${name}`])];
}

/** The shape of a change file: numbers are numbers, all else is text, so that the file reads back to the letter. */
export function changeShape(family: string, header: readonly string[]): Shape {
  const decimals = familyNamed(family)?.fields.flatMap(({ flag, type }) => (type.kind === 'decimal' ? [flag] : [])) ?? [];
  const numbers = header.filter((name) => decimals.includes(name.replace(/^was\./, '')));
  const types = Object.fromEntries(numbers.map((name) => [name, { kind: 'decimal' } as const]));
  return { name: family, columns: [], record: header, types };
}

/** A row as a record with the columns as members. */
export function changeRecord(family: string, { id, changes, guards = new Map() }: ChangeRow): Record<string, string> {
  const pairs = changes.flatMap(({ field, old, new: now }) => [
    [field, now],
    [`was.${field}`, old],
  ]);
  const others = [...guards].map(([name, was]) => [`was.${name}`, was]);
  return { family, id: String(id), ...Object.fromEntries([...others, ...pairs]) };
}

/** The output formats of change files. */
export const changeFileFormats: readonly Format[] = ['csv', 'xlsx'];

/** True when a change file of this name is a workbook. Throws InvalidValues unless the name ends in .csv or .xlsx. */
function isWorkbookName(path: string): boolean {
  if (/\.xlsx$/i.test(path)) return true;
  if (/\.csv$/i.test(path)) return false;
  throw invalidValue('--plan', `"${path}" must end in .csv or .xlsx: the ending decides the format.`);
}

/**
 * Writes a change file as CSV or xlsx, by its name. `columns`: the header when there is no row. Throws InvalidValues for another ending,
 * UsageError when the file exists, UnavailableError when it can't be written.
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
  try {
    await writer.page(rows.map((row) => changeRecord(family, row)));
    await writer.end();
  } finally {
    await writer.drop?.();
  }
  await writeNew(pathIn(context, path), path, Buffer.concat(chunks));
}

async function writeNew(path: string, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeNewFile(path, bytes);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw existingFile(name);
    const what = `Can't write ${name}`;
    throw diskError(what, error) ?? new UnavailableError(`${what} (${systemReason(error)}).`, { cause: error });
  }
}

/** The command that carries out a change file. */
export const applyCommand = ({ flags }: Context, path: string): string => `${crmWith(flags.profile)} apply ${quoteWord(path, 'FILE')}`;

/**
 * Checks the file of --plan before any record is read. Throws InvalidValues for another ending and for a file that can't be written,
 * UsageError when the file exists, UnavailableError for a full disk.
 */
export async function checkPlanName(context: Context, path: string): Promise<void> {
  isWorkbookName(path);
  const place = pathIn(context, path);
  if ((await factsAt('--plan', path, place)) !== undefined) throw existingFile(path);
  await tryFolder('--plan', path, place);
}

const existingFile = (name: string): UsageError => new UsageError(`${name} is there already, and is not overwritten.`);
