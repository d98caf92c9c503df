// `crm <family> import FILE`: the command line as a plan, and the result of what src/bulk makes of it.

import { requireNamed } from '../ask/confirm.ts';
import { newFlag } from '../bodies/flags.ts';
import type { Context } from '../context.ts';
import { invalidValue, PartialError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { globalFlags } from '../global-flags.ts';
import { columnOf, meaningOf, noField } from '../import/columns/columns.ts';
import { type ImportFormat, importFormats } from '../import/files/raw-row.ts';
import { formatOf } from '../import/files/readers.ts';
import { openSource, type Source } from '../import/files/source.ts';
import { runImport } from '../import/import.ts';
import { type ImportMode, type ImportPlan, importModes, type MatchBy } from '../import/plan.ts';
import { namesOf, Preview, previewText } from '../import/preview.ts';
import { checkOutputs } from '../import/rejects.ts';
import { summaryText } from '../import/report.ts';
import type { ImportEnd, ImportRequest } from '../import/request.ts';
import { RowQueue } from '../import/row-queue.ts';
import { FileWords } from '../names/file-words.ts';
import type { PreviewRow, Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { checkChoice, type Id, parseCount, parseId } from '../values/parse.ts';
import { importFlags } from './family-flags.ts';
import { type Pace, paceOf } from './pace.ts';

/** Imports a file of records; under --dry-run what it would do is listed. */
export async function importRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const name = input.args[0] ?? '';
  const flow = flowOf(input.flags);
  const source = await openSource(context, name);
  let request: ImportRequest;
  try {
    const plan = await planOf(resource, context, input, source);
    await checkOutputs(context, plan, source, input.flags);
    await requireNamed(context);
    request = {
      plan,
      source,
      ...flow,
      ...fileOf('journal', input.flags),
      ...fileOf('rejects', input.flags),
      ...fileOf('results', input.flags),
      resume: input.flags.resume === true,
      again: input.flags.again === true,
      ...decisionsOf(input.flags),
      resumeCommand: `${commandLine(resource, name, input.flags, passing)} --resume`,
      rejectsCommand: (file) => commandLine(resource, file, input.flags, ofThisFile),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
  return context.flags.dryRun ? previewed(context, request) : carriedOut(context, request);
}

async function carriedOut(context: Context, request: ImportRequest): Promise<Result> {
  try {
    const { summary, problem } = await runImport(context, request);
    return {
      kind: 'local',
      data: summary,
      shape: { columns: [], record: [] },
      sentence: summaryText(request, summary),
      ...(problem === undefined ? {} : { problem }),
    };
  } finally {
    await request.source.close();
  }
}

/** What an import would do: it runs while its rows are read, with its writes kept back. */
async function previewed(context: Context, request: ImportRequest): Promise<Result> {
  const queue = new RowQueue<PreviewRow>();
  const preview = new Preview(request.plan, await namesOf(context), queue);
  let ended: ImportEnd | undefined;
  const rows = async function* (): AsyncGenerator<readonly PreviewRow[]> {
    const run = runImport(context, request, preview).finally(() => queue.end());
    // It may fail while the last rows are being written.
    run.catch(() => undefined);
    try {
      yield* queue.batches();
      ended = await run;
      // What broke off is not completed.
      if (ended.problem !== undefined && !(ended.problem instanceof PartialError)) throw ended.problem;
    } finally {
      await run.catch(() => undefined);
      await request.source.close();
    }
  };
  return {
    kind: 'preview',
    rows: rows(),
    end: () => ({
      counts: { ...preview.counts, unknown: ended?.summary.unknown ?? 0 },
      sentence: previewText(request.plan.resource, preview.counts, preview.fields),
      ...(ended?.problem === undefined ? {} : { problem: ended.problem }),
    }),
  };
}

const fileOf = (name: 'journal' | 'rejects' | 'results', flags: Input['flags']): Partial<Record<typeof name, string>> =>
  typeof flags[name] === 'string' ? { [name]: flags[name] } : {};

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
    overwritesNewer: flags['overwrite-newer'] === true,
    words: new FileWords({ makesNew: resource.fields.some(({ type }) => type.kind === 'id-or-name' && flags[newFlag(type.of)] === true) }),
  };
  if (mode === 'create' && plan.overwritesNewer) throw new UsageError('--overwrite-newer is for --mode update and upsert.');
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
const passing = new Set(['resume', 'again', 'send-again', 'arrived', 'dry-run', 'quiet', 'verbose', 'debug', 'color', 'yes', 'no-input']);

/** With those that are about one file and its import. */
const ofThisFile = new Set([...passing, 'rejects', 'results', 'journal', 'max-errors']);

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
