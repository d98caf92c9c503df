// `crm <family> import FILE`: the command line as a plan for import/, and its outcome as a result.

import type { Context } from '../context.ts';
import { invalidValue, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { globalFlags } from '../global-flags.ts';
import { columnOf, meaningOf, noField } from '../import/columns/columns.ts';
import { formatOf, type ImportFormat, importFormats } from '../import/files/readers.ts';
import { openSource, type Source } from '../import/files/source.ts';
import { runImport } from '../import/import.ts';
import { type ImportMode, type ImportPlan, importModes, type MatchBy } from '../import/plan.ts';
import { checkRejects } from '../import/rejects.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { checkChoice, parseCount } from '../values/parse.ts';
import { importFlags } from './family-flags.ts';

const defaultConcurrency = 4;
const mostConcurrency = 64;

/** Imports a file of records. */
export async function importRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const name = input.args[0] ?? '';
  const flow = flowOf(input.flags);
  const source = await openSource(context, name);
  try {
    const plan = await planOf(resource, context, input, source);
    await checkRejects(context, plan, source, input.flags);
    const { summary, problem } = await runImport(context, {
      plan,
      source,
      ...flow,
      ...(typeof input.flags.journal === 'string' ? { journal: input.flags.journal } : {}),
      ...(typeof input.flags.rejects === 'string' ? { rejects: input.flags.rejects } : {}),
      resume: input.flags.resume === true,
      resumeCommand: `${commandLine(resource, name, input.flags, passing)} --resume`,
      rejectsCommand: (file) => commandLine(resource, file, input.flags, ofThisFile),
    });
    return { kind: 'local', data: summary, shape: { columns: [], record: [] }, ...(problem === undefined ? {} : { problem }) };
  } finally {
    await source.close();
  }
}

function flowOf(flags: Input['flags']): { concurrency: number; maxErrors: number; rate?: number } {
  const concurrency = typeof flags.concurrency === 'string' ? parseCount(flags.concurrency, '--concurrency') : defaultConcurrency;
  if (concurrency > mostConcurrency) throw invalidValue('--concurrency', `${concurrency} is more than ${mostConcurrency}.`);
  const maxErrors = typeof flags['max-errors'] === 'string' ? parseCount(flags['max-errors'], '--max-errors') : Number.POSITIVE_INFINITY;
  return { concurrency, maxErrors, ...(typeof flags.rate === 'string' ? { rate: parseRate(flags.rate) } : {}) };
}

function parseRate(raw: string): number {
  const rate = Number(raw);
  if (!/^\d+(\.\d+)?$/.test(raw) || rate <= 0) throw invalidValue('--rate', `"${raw}" is not a number of requests per second above 0.`);
  return rate;
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
  };
  for (const [name, field] of plan.maps) if (field !== '') columnOf(plan, name);
  return plan;
}

/** `Column=flag-name`; the column's name may contain `=`, a flag's name can't. */
function mapsOf(given: Input['flags'][string], format: ImportFormat): Map<string, string> {
  const maps = new Map<string, string>();
  for (const one of Array.isArray(given) ? given : []) {
    const equals = one.lastIndexOf('=');
    if (equals < 1) throw new UsageError(`--map: "${one}" is not Column=flag-name.`);
    const name = one.slice(0, equals);
    maps.set(format === 'csv' ? name.trim() : name, one.slice(equals + 1).trim());
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
const passing = new Set(['resume', 'dry-run', 'quiet', 'verbose', 'debug', 'color', 'yes', 'no-input']);

/** Those, and the flags that belong to one file and its import. */
const ofThisFile = new Set([...passing, 'rejects', 'journal', 'max-errors']);

/** The command line that imports a file with the same flags, except those in `without`. */
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

/** The same file by a name that can't be mistaken for a flag. */
const unlikeFlag = (name: string): string => (/^-./.test(name) ? `./${name}` : name);

function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
