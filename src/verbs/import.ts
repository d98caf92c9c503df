// `crm <family> import FILE`: the command line as a plan, and the result of what src/bulk makes of it.

import { access, constants, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { columnOf } from '../bulk/columns.ts';
import { runImport } from '../bulk/import.ts';
import { type ImportMode, type ImportPlan, importModes, type MatchBy } from '../bulk/plan.ts';
import { formatOf, importFormats } from '../bulk/readers.ts';
import { openSource, type Source } from '../bulk/spool.ts';
import type { Input } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { globalFlags } from '../global-flags.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { checkChoice, parseCount } from '../values.ts';
import { importFlags } from './flags.ts';

const defaultConcurrency = 4;
const mostConcurrency = 64;

/** Imports a file of records. */
export async function importRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const name = input.args[0] ?? '';
  const flow = flowOf(input.flags);
  const source = await openSource(context, name);
  try {
    const plan = await planOf(resource, context, input, source);
    await checkRejects(context, source, input.flags.rejects);
    const { summary, problem } = await runImport(context, {
      plan,
      source,
      ...flow,
      ...(typeof input.flags.journal === 'string' ? { journal: input.flags.journal } : {}),
      ...(typeof input.flags.rejects === 'string' ? { rejects: input.flags.rejects } : {}),
      resume: input.flags.resume === true,
      resumeCommand: resumeCommand(resource, input),
    });
    return { kind: 'local', data: summary, shape: { columns: [], record: [] }, ...(problem === undefined ? {} : { problem }) };
  } finally {
    await source.close();
  }
}

function flowOf(flags: Input['flags']): { concurrency: number; maxErrors: number; rate?: number } {
  const concurrency = typeof flags.concurrency === 'string' ? parseCount(flags.concurrency, '--concurrency') : defaultConcurrency;
  if (concurrency > mostConcurrency) throw new UsageError(`--concurrency: ${concurrency} is more than ${mostConcurrency}.`);
  const maxErrors = typeof flags['max-errors'] === 'string' ? parseCount(flags['max-errors'], '--max-errors') : Number.POSITIVE_INFINITY;
  return { concurrency, maxErrors, ...(typeof flags.rate === 'string' ? { rate: parseRate(flags.rate) } : {}) };
}

function parseRate(raw: string): number {
  const rate = Number(raw);
  if (!/^\d+(\.\d+)?$/.test(raw) || rate <= 0) throw new UsageError(`--rate: "${raw}" is not a number of requests per second above 0.`);
  return rate;
}

async function planOf(resource: Resource, context: Context, { args, flags }: Input, source: Source): Promise<ImportPlan> {
  const asked = typeof flags.format === 'string' ? importFormats.find((format) => format === flags.format) : undefined;
  const mode = typeof flags.mode === 'string' ? (checkChoice(flags.mode, importModes, '--mode') as ImportMode) : 'create';
  const match = matchOf(resource, mode, flags.match);
  const plan: ImportPlan = {
    resource,
    mode,
    ...(match === undefined ? {} : { match }),
    format: await formatOf(source, args[0] ?? '', asked),
    maps: mapsOf(flags.map),
    clearBlanks: flags.blank === 'clear',
    csvRaw: context.flags.csvRaw,
  };
  for (const [name, field] of plan.maps) if (field !== '') columnOf(plan, name);
  return plan;
}

/** `Column=flag-name`; the name of a column may have a `=` in it, that of a flag hasn't. */
function mapsOf(given: Input['flags'][string]): Map<string, string> {
  const maps = new Map<string, string>();
  for (const one of Array.isArray(given) ? given : []) {
    const equals = one.lastIndexOf('=');
    if (equals < 1) throw new UsageError(`--map: "${one}" is not Column=flag-name.`);
    maps.set(one.slice(0, equals), one.slice(equals + 1).trim());
  }
  return maps;
}

function matchOf(resource: Resource, mode: ImportMode, given: Input['flags'][string]): MatchBy | undefined {
  if (mode === 'create') {
    if (given !== undefined) throw new UsageError('--match is for --mode update and upsert.');
    return undefined;
  }
  if (given === undefined || given === 'id') return { kind: 'id' };
  const name = String(given);
  const column = columnOf(
    { resource, mode: 'upsert', format: 'csv', maps: new Map([['--match', name]]), clearBlanks: false, csvRaw: false },
    '--match',
  );
  const field = column.kind === 'field' ? column.field : undefined;
  if (field?.read === undefined || field.type.kind === 'numbered' || field.type.kind === 'reference') {
    throw new UsageError(`--match: rows can't find their records by "${name}".`);
  }
  return { kind: 'field', field, read: field.read };
}

/** The rejects are written at the end: what is wrong with their file must show at the beginning. */
async function checkRejects(context: Context, source: Source, rejects: Input['flags'][string]): Promise<void> {
  if (typeof rejects !== 'string') return;
  const path = resolve(context.cwd, rejects);
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(`--rejects: files can't be written to ${dirname(path)}.`);
  });
  if (source.path === undefined) return;
  const real = await realpath(path).catch(() => path);
  if (real === (await realpath(source.path).catch(() => source.path))) {
    throw new UsageError('--rejects: that is the file that is imported; name another one.');
  }
}

/** Flags that say how a run looks, not what it does. */
const passing = new Set(['resume', 'dry-run', 'quiet', 'verbose', 'debug', 'color', 'yes', 'no-input']);

/** The command line that goes on where this one ends. */
function resumeCommand(resource: Resource, { args, flags }: Input): string {
  const words = ['crm', resource.name, 'import', ...args.map(shellQuoted)];
  for (const { name } of [...importFlags(resource), ...globalFlags]) {
    const value = flags[name];
    if (value === undefined || value === false || passing.has(name)) continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, shellQuoted(String(one)));
  }
  return [...words, '--resume'].join(' ');
}

function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
