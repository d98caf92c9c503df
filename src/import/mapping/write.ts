// A mapping file to be filled in: what a command and a file say already, and with an empty right side what nobody has said yet.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { systemCode, UsageError } from '../../errors.ts';
import { plainName } from '../../names/matching.ts';
import { type Column, meaningOf } from '../columns/columns.ts';
import type { Complaints } from '../complaints.ts';
import { headerKey, type ImportPlan } from '../plan.ts';
import type { RowReader } from '../rows/rows.ts';

/** What was written, and how much of it is to be filled in. */
export interface SavedMapping {
  readonly mapping: string;
  readonly columns: number;
  readonly words: number;
  /** Those of `decimal-mark` and `date-order` that nobody has said. */
  readonly formats: readonly string[];
}

/** Writes the mapping of a file that was read. Throws UsageError where there is a file, or none can be. */
export async function writeMapping(
  { cwd }: Context,
  plan: ImportPlan,
  reader: RowReader,
  problems: Complaints,
  path: string,
): Promise<SavedMapping> {
  const { stringify } = await import('yaml');
  const columns = [...reader.columns].flatMap(([name, column]): [string, string | null][] => columnEntry(plan, name, column));
  const words = wordsOf(plan, reader);
  const constants = plan.constants.map(({ name, value }) => constantEntry(plan, name, value));
  const { decimalMark, dateOrder } = plan.notation;
  const formats = [
    { name: 'decimal-mark', value: decimalMark },
    { name: 'date-order', value: dateOrder },
  ].filter(({ name, value }) => value !== undefined || problems.names(`--${name}`));
  const mapping = {
    columns: Object.fromEntries(columns),
    ...(constants.length === 0 ? {} : { constants: Object.fromEntries(constants) }),
    ...Object.fromEntries(formats.map(({ name, value }) => [name, value ?? null])),
    ...(plan.dialect === undefined || plan.dialect.encoding === 'utf-8' ? {} : { encoding: plan.dialect.encoding }),
    ...(words.length === 0 ? {} : { words: Object.fromEntries(words.map(([flag, own]) => [flag, Object.fromEntries(own)])) }),
  };
  const text = `${heading}${stringify(mapping, { nullStr: '', lineWidth: 0 })}`;
  try {
    await writeFile(resolve(cwd, path), text, { flag: 'wx' });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new UsageError(
      code === 'EEXIST'
        ? `--save-mapping: ${path} is there already; name a new file.`
        : `--save-mapping: ${path} can't be written (${code}).`,
    );
  }
  const unfilled = words.flatMap(([, own]) => own.filter(([, to]) => to === null));
  return {
    mapping: path,
    columns: columns.filter(([, to]) => to === null).length,
    words: unfilled.length,
    formats: formats.filter(({ value }) => value === undefined).map(({ name }) => name),
  };
}

const heading = `# What the columns and words of a file mean, for crm's import --mapping.
# Fill in every empty right side: the flag of a column ('' leaves it out), the word or id that a word stands for.
`;

function columnEntry({ maps }: ImportPlan, name: string, column: Column | undefined): [string, string | null][] {
  if (column === undefined) return [[name, null]];
  const mapped = maps.get(headerKey(name))?.to;
  if (mapped !== undefined) return [[name, mapped]];
  if (column.kind === 'left-out') return [];
  return [[name, column.kind === 'field' ? column.field.flag : name.trim()]];
}

/** Several values of one numbered field have a name each. */
function constantEntry({ resource }: ImportPlan, name: string, value: string): [string, string] {
  const column = meaningOf(resource, name);
  const [, number, rest = ''] = /^(\d+)=(.*)$/s.exec(value) ?? [];
  return column?.kind === 'field' && column.field.type.kind === 'numbered' && number !== undefined
    ? [`${name}-${number}`, rest]
    : [name, value];
}

function wordsOf({ meanings }: ImportPlan, { unknownWords }: RowReader): [flag: string, words: [string, string | null][]][] {
  const all = new Map(
    [...meanings].map(([flag, words]) => [flag, [...words.values()].map(({ word, to }): [string, string | null] => [word, to])]),
  );
  for (const [flag, words] of unknownWords.byFlag()) {
    const own = all.get(flag) ?? [];
    const known = new Set(own.map(([word]) => plainName(word)));
    all.set(flag, [...own, ...words.filter((word) => !known.has(plainName(word))).map((word): [string, null] => [word, null])]);
  }
  return [...all];
}
