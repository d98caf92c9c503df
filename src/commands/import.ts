// `crm <family> import FILE`: the command line as a plan, and the result of what src/bulk makes of it.

import { requireNamed } from '../ask/confirm.ts';
import { newFlag } from '../bodies/flags.ts';
import type { Context } from '../context.ts';
import { invalidValue, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { globalFlags } from '../global-flags.ts';
import { columnOf, meaningOf, noField } from '../import/columns/columns.ts';
import { hasHeader, type ImportFormat, importFormats } from '../import/files/raw-row.ts';
import { formatOf } from '../import/files/readers.ts';
import { openSource, type Source } from '../import/files/source.ts';
import { runImport } from '../import/import.ts';
import { type ImportMode, type ImportPlan, importModes, type MatchBy } from '../import/plan.ts';
import { checkRejects } from '../import/rejects.ts';
import type { ImportRequest } from '../import/request.ts';
import { FileWords } from '../names/file-words.ts';
import type { Result } from '../output/result.ts';
import { progress } from '../output/streams/progress.ts';
import type { Resource } from '../resources/define.ts';
import { checkChoice, type Id, parseCount, parseId } from '../values/parse.ts';
import { importFlags } from './family-flags.ts';
import { type Pace, paceOf } from './pace.ts';

/** Imports a file of records. */
export async function importRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const name = input.args[0] ?? '';
  const flow = flowOf(input.flags);
  let source = await openSource(context, name);
  try {
    const plan = await planOf(resource, context, input, source);
    source = await withRows(context, plan, source, input.flags.sheet);
    await checkRejects(context, plan, source, input.flags);
    await requireNamed(context);
    const { summary, problem } = await runImport(context, {
      plan,
      source,
      ...flow,
      ...(typeof input.flags.journal === 'string' ? { journal: input.flags.journal } : {}),
      ...(typeof input.flags.rejects === 'string' ? { rejects: input.flags.rejects } : {}),
      resume: input.flags.resume === true,
      again: input.flags.again === true,
      ...decisionsOf(input.flags),
      resumeCommand: `${commandLine(resource, name, input.flags, passing)} --resume`,
      rejectsCommand: (file) => commandLine(resource, file, input.flags, plan.format === 'xlsx' ? ofThisWorkbook : ofThisFile),
    });
    return { kind: 'local', data: summary, shape: { columns: [], record: [] }, ...(problem === undefined ? {} : { problem }) };
  } finally {
    await source.close();
  }
}

/** The source, of a workbook with the rows of its sheet. Throws UsageError. */
async function withRows(context: Context, { format }: ImportPlan, source: Source, sheet: Input['flags'][string]): Promise<Source> {
  const asked = typeof sheet === 'string' ? sheet : undefined;
  if (format === 'xlsx') {
    const { unpackedWorkbook } = await import('../import/files/xlsx/workbook.ts');
    const { during } = progress(context.io, context.flags);
    return during(`Reading ${source.name}`, unpackedWorkbook(source, asked, context.signal));
  }
  if (asked !== undefined) throw new UsageError(`--sheet is for .xlsx files, and ${source.name} is read as ${format}.`);
  return source;
}

function flowOf(flags: Input['flags']): Pace & { maxErrors: number } {
  const maxErrors = typeof flags['max-errors'] === 'string' ? parseCount(flags['max-errors'], '--max-errors') : Number.POSITIVE_INFINITY;
  return { ...paceOf(flags), maxErrors };
}

/** What a person says of rows in doubt. Throws UsageError. */
function decisionsOf({ resume, again, arrived, 'send-again': lines }: Input['flags']): Pick<ImportRequest, 'sendAgain' | 'arrived'> {
  const given = [again === true && '--again', lines !== undefined && '--send-again', arrived !== undefined && '--arrived'].filter(Boolean);
  if (resume === true && again === true) throw new UsageError('--again begins anew, and --resume goes on: give one of them.');
  if (resume !== true && given.some((flag) => flag !== '--again')) {
    throw new UsageError(`${given.join(' and ')}: that is about rows in doubt, and goes with --resume.`);
  }
  const sendAgain = typeof lines === 'string' ? lines.split(',').flatMap(parseLines) : [];
  return { sendAgain, arrived: new Map((Array.isArray(arrived) ? arrived : []).map(parseArrived)) };
}

/** The most lines that one range may name. */
const mostLines = 100_000;

/** `17` or `20-25`. */
function parseLines(text: string): number[] {
  const [, from = '', to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(text) ?? [];
  const count = Number(to) - Number(from) + 1;
  if (from === '' || count < 1 || count > mostLines)
    throw invalidValue('--send-again', `"${text}" is not a line or a range such as 20-25.`);
  return Array.from({ length: count }, (_, index) => Number(from) + index);
}

/** `LINE=ID`. */
function parseArrived(text: string): [line: number, id: Id] {
  const [, line = '', id = ''] = /^\s*(\d+)=(.*)$/.exec(text) ?? [];
  if (line === '') throw invalidValue('--arrived', `"${text}" is not LINE=ID.`);
  return [Number(line), parseId(id, '--arrived')];
}

async function planOf(resource: Resource, context: Context, { args, flags }: Input, source: Source): Promise<ImportPlan> {
  const asked = typeof flags.format === 'string' ? (checkChoice(flags.format, importFormats, '--format') as ImportFormat) : undefined;
  const blank = typeof flags.blank === 'string' ? checkChoice(flags.blank, ['skip', 'clear'], '--blank') : 'skip';
  const mode = typeof flags.mode === 'string' ? (checkChoice(flags.mode, importModes, '--mode') as ImportMode) : 'create';
  const match = matchOf(resource, mode, flags.match);
  const format = await formatOf(source, args[0] ?? '', asked);
  const plan: ImportPlan = {
    resource,
    mode,
    ...(match === undefined ? {} : { match }),
    format,
    maps: mapsOf(flags.map, format),
    clearBlanks: blank === 'clear',
    csvRaw: context.flags.csvRaw,
    words: new FileWords({ makesNew: resource.fields.some(({ type }) => type.kind === 'id-or-name' && flags[newFlag(type.of)] === true) }),
  };
  for (const [name, field] of plan.maps) if (field !== '') columnOf(plan, name);
  return plan;
}

/** `Column=flag-name`; the name of a column may have a `=` in it, that of a flag hasn't. */
function mapsOf(given: Input['flags'][string], format: ImportFormat): Map<string, string> {
  const maps = new Map<string, string>();
  for (const one of Array.isArray(given) ? given : []) {
    const equals = one.lastIndexOf('=');
    if (equals < 1) throw new UsageError(`--map: "${one}" is not Column=flag-name.`);
    const name = one.slice(0, equals);
    maps.set(hasHeader(format) ? name.trim() : name, one.slice(equals + 1).trim());
  }
  return maps;
}

function matchOf(resource: Resource, mode: ImportMode, given: Input['flags'][string]): MatchBy | undefined {
  if (mode === 'create') {
    if (given !== undefined) throw new UsageError('--match is for --mode update and upsert.');
    return undefined;
  }
  const name = String(given ?? 'id');
  if (name.toLowerCase() === 'id') return { kind: 'id' };
  const column = meaningOf(resource, name);
  if (column === undefined) throw noField('--match: there is no field', { resource, mode }, name);
  const field = column.kind === 'field' ? column.field : undefined;
  if (field?.read === undefined || field.type.kind === 'numbered' || field.type.kind === 'reference') {
    throw new UsageError(`--match: rows can't find their records by "${name}".`);
  }
  return { kind: 'field', field, read: field.read };
}

/** Flags that say how a run looks, not what it does. */
const passing = new Set(['resume', 'again', 'send-again', 'arrived', 'dry-run', 'quiet', 'verbose', 'debug', 'color', 'yes', 'no-input']);

/** With those that are about one file and its import. */
const ofThisFile = new Set([...passing, 'rejects', 'journal', 'max-errors']);

/** The failed rows of a workbook are CSV. */
const ofThisWorkbook = new Set([...ofThisFile, 'sheet', 'format']);

/** The command line that imports a file with the same flags, but for some. */
function commandLine(resource: Resource, file: string, flags: Input['flags'], without: ReadonlySet<string>): string {
  const words = ['crm', resource.name, 'import', shellQuoted(unlikeFlag(file))];
  for (const { name } of [...importFlags(resource), ...globalFlags]) {
    const value = flags[name];
    if (value === undefined || value === false || without.has(name)) continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, shellQuoted(String(one)));
  }
  return words.join(' ');
}

/** The same file under a name that is not taken for a flag. */
const unlikeFlag = (name: string): string => (/^-./.test(name) ? `./${name}` : name);

function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
