// Writes a mapping file with the meanings known so far. An empty right side is for a person to fill in.

import { systemCode, UsageError } from '../../base/errors.ts';
import { diskError } from '../../base/files/disk-failure.ts';
import { writeNewFile } from '../../base/files/durable-file.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Problems } from '../../base/files/problems.ts';
import { createShape } from '../../model/shape.ts';
import type { Context } from '../../session/context.ts';
import { type FileColumn, nameInMapping } from '../columns/columns.ts';
import { headerKey, type ImportPlan } from '../plan.ts';
import type { RowReader } from '../rows/rows.ts';

export interface SavedMapping {
  readonly mapping: string;
  /** The number of blanks to be filled in. */
  readonly blanks: number;
  /** Columns filled in with a guess from the table of common headers. */
  readonly guessed: number;
}

/**
 * Writes the mapping of a file after its check. `guesses`: guessed flags, by column name. Throws UsageError where the file exists or can't
 * be written.
 */
export async function writeMapping(
  context: Context,
  path: string,
  plan: ImportPlan,
  reader: RowReader,
  problems: Problems,
  guesses: ReadonlyMap<string, string>,
): Promise<SavedMapping> {
  const { stringify } = await import('yaml');
  const columns = [...reader.columns.byName].flatMap(([name, column]): [string, string | null][] => columnEntry(plan, name, column));
  const words = wordsOf(plan, reader);
  const constants: [string, string | null][] = [
    ...plan.constants.map(({ name, value }): [string, string] => [name, value]),
    ...neededFlags(plan, reader).map((flag): [string, null] => [flag, null]),
  ];
  const { decimalMark, dateOrder } = plan.notation;
  const formatEntry = (flag: string, value: string | undefined) =>
    value === undefined && !problems.names(flag) ? {} : { [flag.slice(2)]: value ?? null };
  const formats = { ...formatEntry('--decimal-mark', decimalMark), ...formatEntry('--date-order', dateOrder) };
  const mapping = {
    columns: Object.fromEntries(columns),
    ...(constants.length === 0 ? {} : { constants: Object.fromEntries(constants) }),
    ...formats,
    ...(plan.dialect === undefined || plan.dialect.encoding === 'utf-8' ? {} : { encoding: plan.dialect.encoding }),
    ...(words.length === 0 ? {} : { words: Object.fromEntries(words.map(([flag, own]) => [flag, Object.fromEntries(own)])) }),
  };
  try {
    await writeNewFile(pathIn(context, path), stringify(mapping, { nullStr: '', lineWidth: 0 }));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (code === 'EEXIST') throw new UsageError(`--save-mapping: ${path} is there already; name a new file.`);
    const what = `--save-mapping: ${path} can't be written`;
    throw diskError(what, error) ?? new UsageError(`${what} (${code}).`, { cause: error });
  }
  const entries = [...columns, ...constants, ...Object.entries(formats), ...words.flatMap(([, own]) => own)];
  return { mapping: path, blanks: entries.filter(([, to]) => to === null).length, guessed: guesses.size };
}

/** Flags that every new record needs and no column or constant gives. */
function neededFlags({ resource, mode, constants }: ImportPlan, { columns: { fields } }: RowReader): string[] {
  if (mode !== 'create') return [];
  const constantNames = new Set(constants.map(({ name }) => name));
  return createShape(resource)
    .fields.filter((field) => field.required && !fields.has(field) && !constantNames.has(field.flag))
    .map(({ flag }) => flag);
}

function columnEntry({ maps }: ImportPlan, name: string, column: FileColumn | undefined): [string, string | null][] {
  if (column === undefined) return [[name, null]];
  const mapped = maps.get(headerKey(name))?.to;
  if (mapped !== undefined) return [[name, mapped]];
  if (column.kind === 'left-out') return [];
  return [[name, nameInMapping(name, column)]];
}

function wordsOf({ meanings }: ImportPlan, { unknownWords }: RowReader): [flag: string, words: [string, string | null][]][] {
  const all = new Map(
    [...meanings].map(([flag, words]) => [flag, [...words.values()].map(({ word, to }): [string, string | null] => [word, to])]),
  );
  for (const [flag, words] of unknownWords) {
    const unsaid = [...words].filter(([plain]) => !meanings.get(flag)?.has(plain));
    all.set(flag, [...(all.get(flag) ?? []), ...unsaid.map(([, word]): [string, null] => [word, null])]);
  }
  return [...all];
}
