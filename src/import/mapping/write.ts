// `--save-mapping`: a mapping file with the meanings known so far. An empty right side is for a person to fill in.

import { systemCode, systemReason, UsageError } from '../../base/errors.ts';
import { diskError } from '../../base/files/disk-failure.ts';
import { writeNewFile } from '../../base/files/durable-file.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Problems } from '../../base/files/problems.ts';
import type { Context } from '../../session/context.ts';
import { headerAdvice, neededFlags, readThrough } from '../checked-file.ts';
import { type FileColumn, guessedNames, nameInMapping, titleDoubt } from '../columns/columns.ts';
import { separatorNames } from '../files/layout.ts';
import { headerKey } from '../files/raw-row.ts';
import type { ImportJob, Mapped } from '../job.ts';
import type { ImportRequest } from '../request.ts';
import type { RowReader } from '../rows/rows.ts';

interface SavedMapping {
  readonly mapping: string;
  /** The number of blanks to be filled in. */
  readonly blanks: number;
  /** The blanks in words: `Telefon`, `category`, `Won (status)`. */
  readonly left: readonly string[];
  /** Columns filled in with a guess from the table of common headers. */
  readonly guessed: number;
}

/** Writes a mapping file with the meanings known so far and guesses for other columns, to be filled in. Sends nothing. */
export async function saveMapping(context: Context, request: ImportRequest, path: string): Promise<SavedMapping> {
  const [advice] = await headerAdvice(request);
  if (advice !== undefined) throw new UsageError(`The first line of ${request.source.name} is not its header.`, { hint: advice });
  const { columns } = (await readThrough(context, request)).file.reader;
  const guesses = guessedNames(request.job, columns.unknown(), columns.fields);
  const maps = [...guesses].map(([name, to]): [string, Mapped] => [headerKey(name), { name, to, where: '--save-mapping' }]);
  // The guesses give guessed columns a meaning, so that their unknown words get into the mapping file, too.
  const job = { ...request.job, maps: new Map([...request.job.maps, ...maps]) };
  const { problems, file } = await readThrough(context, { ...request, job });
  if (problems.isCutOff) throw problems.error(request.source.name);
  return writeMapping(context, path, { job, reader: file.reader, problems, guesses });
}

/** What the check of a file left. `guesses`: guessed flags, by column name. */
interface KnownOfFile {
  readonly job: ImportJob;
  readonly reader: RowReader;
  readonly problems: Problems;
  readonly guesses: ReadonlyMap<string, string>;
}

/** Writes the mapping file. Throws UsageError where the file exists or can't be written. */
async function writeMapping(context: Context, path: string, { job, reader, problems, guesses }: KnownOfFile): Promise<SavedMapping> {
  const { Document, isMap, isScalar } = await import('yaml');
  const doubt = titleDoubt(job, [...reader.columns.byName.keys()])?.name;
  const own = new Map([...reader.columns.byName].flatMap(([name, column]) => columnEntry(job, name, name === doubt ? undefined : column)));
  const groupOf = ([name, to]: readonly [string, string | null]): number => (to === null ? 2 : guesses.has(name) ? 1 : 0);
  const columns = [...own].toSorted((a, b) => groupOf(a) - groupOf(b));
  const words = wordsOf(job, reader);
  const constants: [string, string | null][] = [
    ...job.constants.map(({ name, value }): [string, string] => [name, value]),
    ...neededFlags(job, reader).map((flag): [string, null] => [flag, null]),
  ];
  const { decimalMark, dateOrder } = job.notation;
  const formatEntry = (flag: string, value: string | undefined) =>
    value === undefined && !problems.names(flag) ? {} : { [flag.slice(2)]: value ?? null };
  const formats = { ...formatEntry('--decimal-mark', decimalMark), ...formatEntry('--date-order', dateOrder) };
  const mapping = {
    columns: Object.fromEntries(columns),
    ...(constants.length === 0 ? {} : { constants: Object.fromEntries(constants) }),
    ...formats,
    ...(job.dialect === undefined || job.dialect.encoding === 'utf-8' ? {} : { encoding: job.dialect.encoding }),
    ...layoutEntries(job),
    ...(job.leavesOthers ? { others: 'leave-out' } : {}),
    ...(words.length === 0 ? {} : { words: Object.fromEntries(words.map(([flag, own]) => [flag, Object.fromEntries(own)])) }),
  };
  const document = new Document(mapping);
  const pairs = document.get('columns');
  for (const [index, entry] of columns.entries()) {
    const before = columns[index - 1];
    const key = isMap(pairs) ? pairs.items[index]?.key : undefined;
    if (!isScalar(key) || groupOf(entry) === 0 || (before !== undefined && groupOf(before) === groupOf(entry))) continue;
    key.commentBefore = groupOf(entry) === 1 ? ' Guesses: look at them' : blankComment(doubt);
    key.spaceBefore = index > 0;
  }
  try {
    await writeNewFile(pathIn(context, path), document.toString({ nullStr: '', lineWidth: 0 }));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (code === 'EEXIST') throw new UsageError(`--save-mapping: ${path} is there already; name a new file.`);
    const what = `--save-mapping: ${path} can't be written`;
    throw diskError(what, error) ?? new UsageError(`${what} (${systemReason(error)}).`, { cause: error });
  }
  const ofWords = words.flatMap(([flag, own]) => own.map(([word, to]) => [`${word || 'a blank cell'} (${flag})`, to] as const));
  const left = [...columns, ...constants, ...Object.entries(formats), ...ofWords].flatMap(([name, to]) => (to === null ? [name] : []));
  return { mapping: path, blanks: left.length, left, guessed: guesses.size };
}

const blankComment = (doubt: string | undefined): string =>
  [
    " A flag such as title, or '' to leave the column out.",
    ' `others: leave-out` at the end of this file leaves out all blank ones.',
    ...(doubt === undefined ? [] : [` ${doubt} may be title, or the person's: job-position, or ''`]),
  ].join('\n');

/** The separator where it isn't a guess, and the line with the header. */
function layoutEntries({ layout: { separator, headerLine } = {} }: ImportJob): Record<string, string> {
  const named = Object.entries(separatorNames).find(([, mark]) => mark === separator)?.[0] ?? separator;
  return {
    ...(named === undefined ? {} : { separator: named }),
    ...(headerLine === undefined ? {} : { 'header-line': String(headerLine) }),
  };
}

function columnEntry({ maps }: ImportJob, name: string, column: FileColumn | undefined): [string, string | null][] {
  if (column === undefined) return [[name, null]];
  const mapped = maps.get(headerKey(name))?.to;
  if (mapped !== undefined) return [[name, mapped]];
  if (column.kind === 'left-out') return [];
  return [[name, nameInMapping(name, column)]];
}

function wordsOf({ meanings }: ImportJob, { unknownWords }: RowReader): [flag: string, words: [string, string | null][]][] {
  const all = new Map(
    [...meanings].map(([flag, words]) => [flag, [...words.values()].map(({ word, to }): [string, string | null] => [word, to])]),
  );
  for (const [flag, words] of unknownWords) {
    const unsaid = [...words].filter(([plain]) => !meanings.get(flag)?.has(plain));
    all.set(flag, [...(all.get(flag) ?? []), ...unsaid.map(([, word]): [string, null] => [word, null])]);
  }
  return [...all];
}
