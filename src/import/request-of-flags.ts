// Turns the arguments and flags of an import into a request: the file and its format, the job, and how rows are sent.

import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSandbox } from '../base/base-url.ts';
import { UsageError } from '../base/errors.ts';
import { isMasked } from '../base/files/snapshot.ts';
import type { Input } from '../base/flag.ts';
import { checkChoice, parseCount } from '../base/values/parse.ts';
import type { ImportFlags } from '../changes/flags.ts';
import type { Resource } from '../model/define.ts';
import type { Pace } from '../runs/service.ts';
import { requireNamed } from '../session/ask/confirm.ts';
import type { Context } from '../session/context.ts';
import { fileWordsOf } from '../session/names/file-words.ts';
import { plainName } from '../session/names/matching.ts';
import { serviceOf } from '../session/served.ts';
import { columnMeaning, fileColumn, noField, wiresFilled } from './columns/columns.ts';
import { numberedName, withCustomFields } from './columns/custom-fields.ts';
import { notationOf } from './columns/notation.ts';
import { importCommandLine, ofThisFile, ofThisWorkbook, passing } from './command-line.ts';
import { inUtf8 } from './files/dialect.ts';
import { encodingNamed } from './files/encodings.ts';
import { layoutOf, withRows } from './files/layout.ts';
import { headerKey, importFormats } from './files/raw-row.ts';
import { formatOf } from './files/readers.ts';
import { openSource, type Source } from './files/source.ts';
import {
  type Constant,
  type ImportJob,
  type ImportMode,
  importModes,
  type Mapped,
  type MappedWord,
  type Mapping,
  type MatchBy,
  type MeantWord,
  noMapping,
  setModes,
} from './job.ts';
import { checkOutputs, outputFormat } from './outcomes/outputs.ts';
import type { ImportRequest } from './request.ts';

export interface ImportOptions {
  readonly pace: Pace;
  /** The names of all flags, in the order in which commands print them. */
  readonly known: readonly string[];
}

/** The import that the flags ask for, with its file open. Throws UsageError for invalid flags and for mapped columns without a meaning. */
export async function importRequest(
  resource: Resource,
  context: Context,
  input: Input<ImportFlags>,
  { pace, known }: ImportOptions,
): Promise<ImportRequest> {
  const { args, flags } = input;
  const [name = ''] = args;
  const most = flags['max-errors'];
  const maxErrors = most === undefined ? Number.POSITIVE_INFINITY : parseCount(most, '--max-errors');
  const typed = { flags, known };
  const { resume = false, again = false } = flags;
  if (resume && again) throw new UsageError('--again begins anew, and --resume goes on: give one of them.');
  let source = await openSource(context, name);
  try {
    await refuseMasked(context, source);
    const mapping = flags.mapping === undefined ? noMapping : await (await import('./mapping/read.ts')).readMapping(context, flags.mapping);
    const asked = flags.encoding === undefined ? undefined : encodingNamed(flags.encoding, '--encoding');
    const layout = { ...mapping.layout, ...layoutOf(flags) };
    const read = await inUtf8(context, source, { name, format: flags.format, asked, mapped: mapping.encoding, layout });
    source = read.source;
    const typedJob = { ...(await importJob(resource, context, input, source, mapping)), dialect: read.dialect, layout };
    source = await withRows(context, source, { format: typedJob.format, layout, dialect: read.dialect, flags });
    const job = await withCustomFields(context, typedJob, source);
    const { rejects, results } = flags;
    const named = { ...(rejects === undefined ? {} : { rejects }), ...(results === undefined ? {} : { results }) };
    await checkOutputs(context, { job, ...named });
    if (flags['save-mapping'] === undefined) await requireNamed(context);
    return {
      job,
      source,
      ...pace,
      maxErrors,
      ...named,
      ...(flags.mapping === undefined ? {} : { mapping: flags.mapping }),
      resume,
      again,
      resumeCommand: `${importCommandLine(resource, name, typed, passing)} --resume`,
      rejectsCommand: (file, shown) =>
        importCommandLine(
          resource,
          file,
          { ...typed, flags: { ...typed.flags, ...shown } },
          [job.format, outputFormat(job.format, file)].includes('xlsx') ? ofThisWorkbook : ofThisFile,
        ),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Throws UsageError for a file beside the manifest of a masked snapshot, unless the service is an embedded CRM. */
async function refuseMasked(context: Context, { name, path }: Source): Promise<void> {
  if (path === undefined || ![path, realpathSync(path)].some((one) => isMasked(dirname(one)))) return;
  if (isSandbox(await serviceOf(context, (await context.settings()).baseUrl))) return;
  throw new UsageError(`${name} is in a masked snapshot: its values are made up, so it is imported only into an embedded CRM.`, {
    hint: 'The embedded CRM is in the profile sandbox: --profile sandbox. crm sandbox init makes it.',
  });
}

async function importJob(
  resource: Resource,
  context: Context,
  { args, flags }: Input<ImportFlags>,
  source: Source,
  mapping: Mapping,
): Promise<ImportJob> {
  const asked = flags.format === undefined ? undefined : checkChoice(flags.format, importFormats, '--format');
  const blank = checkChoice(flags.blank ?? 'skip', ['skip', 'clear'], '--blank');
  const mode = checkChoice(flags.mode ?? 'create', importModes, '--mode');
  const match = matchAsked(resource, mode, flags.match);
  const format = await formatOf(source, args[0] ?? '', asked);
  const maps = new Map([...mapping.columns, ...mapsOf(flags.map ?? [])]);
  for (const [key, { to, ...mapped }] of maps)
    maps.set(key, { ...mapped, to: await numberedName(context, resource.fields, to, mapped.where) });
  const constants: Constant[] = [];
  for (const { name, ...one } of constantsOf(resource, mapping.constants, flags.constant ?? []))
    constants.push({ ...one, name: await numberedName(context, resource.fields, name, one.where) });
  const job: ImportJob = {
    resource,
    mode,
    ...(match === undefined ? {} : { match }),
    format,
    maps,
    leavesOthers: mapping.leavesOthers,
    constants,
    meanings: meaningsOf(resource, mapping.words),
    notation: {
      ...mapping.notation,
      ...notationOf(flags),
    },
    skipInvalid: flags['skip-invalid'] ?? false,
    clearBlanks: blank === 'clear',
    csvRaw: context.flags.csvRaw,
    overwritesNewer: flags['overwrite-newer'] ?? false,
    ...(flags.sets === undefined ? {} : { sets: checkChoice(flags.sets, setModes, '--sets') }),
    clearsSignatures: flags['clear-signatures'] ?? false,
    words: fileWordsOf(resource, flags),
  };
  if (mode === 'create' && job.overwritesNewer) throw new UsageError('--overwrite-newer is for --mode update and upsert.');
  for (const { name, to } of job.maps.values()) if (to !== '') fileColumn(job, name);
  for (const { name, where } of job.constants)
    if (columnMeaning(resource, name) === undefined) throw noField(`${where}: there is no field`, job, name);
  return job;
}

/** Reads `Column=flag-name`, split at the last `=`: column names may contain `=`, flag names can't. */
function mapsOf(typed: readonly string[]): Map<string, Mapped> {
  const maps = new Map<string, Mapped>();
  for (const one of typed) {
    const equals = one.lastIndexOf('=');
    if (equals < 1) throw new UsageError(`--map: "${one}" is not Column=flag-name.`);
    const name = one.slice(0, equals);
    maps.set(headerKey(name), { name: name.trim(), to: one.slice(equals + 1).trim(), where: '--map' });
  }
  return maps;
}

/** Reads `flag-name=value`. A flag wins over the mapping's constant for the same field. Throws UsageError. */
function constantsOf(resource: Resource, mapped: readonly Constant[], typed: readonly string[]): Constant[] {
  const constantsTyped = typed.map((one): Constant => {
    const equals = one.indexOf('=', one.startsWith('set:') ? 'set:'.length : 0);
    if (equals < 1) throw new UsageError(`--constant: "${one}" is not flag-name=value.`);
    const name = one.slice(0, equals).trim();
    return { name, value: one.slice(equals + 1), where: `--constant ${name}` };
  });
  const wiresNamed = ({ name }: Constant): string[] => {
    const column = columnMeaning(resource, name);
    return column === undefined ? [name] : wiresFilled(column);
  };
  const wiresIn = (constants: readonly Constant[]): Set<string> => {
    const taken = new Set<string>();
    for (const constant of constants) {
      for (const wire of wiresNamed(constant)) {
        if (taken.has(wire)) throw new UsageError(`${constant.where}: it is given twice.`);
        taken.add(wire);
      }
    }
    return taken;
  };
  const taken = wiresIn(constantsTyped);
  wiresIn(mapped);
  return [...mapped.filter((constant) => !wiresNamed(constant).some((wire) => taken.has(wire))), ...constantsTyped];
}

/** The meanings of words, by flag. Throws UsageError for an unknown field, or a word with two meanings. */
function meaningsOf(resource: Resource, words: readonly MappedWord[]): Map<string, Map<string, MeantWord>> {
  const meanings = new Map<string, Map<string, MeantWord>>();
  for (const { field: name, word, to, where } of words) {
    const column = columnMeaning(resource, name);
    const isField = column?.kind === 'field' || column?.kind === 'name';
    const flag = isField ? column.field.flag : column?.kind === 'extra' ? column.extra.name : undefined;
    if (flag === undefined) throw noField(`${where}: there is no field`, { resource, mode: 'create' }, name);
    const own = meanings.get(flag) ?? new Map<string, MeantWord>();
    const before = own.get(plainName(word));
    if (before !== undefined && before.to !== to)
      throw new UsageError(`${where}: "${word}" and "${before.word}" are the same word: case and accents don't count.`);
    meanings.set(flag, own.set(plainName(word), { word, to }));
  }
  return meanings;
}

function matchAsked(resource: Resource, mode: ImportMode, typed: string | undefined): MatchBy | undefined {
  if (mode === 'create') {
    if (typed !== undefined) throw new UsageError('--match is for --mode update and upsert.');
    return undefined;
  }
  const name = typed ?? 'id';
  if (name.toLowerCase() === 'id') return { kind: 'id' };
  const column = columnMeaning(resource, name);
  if (column === undefined) throw noField('--match: there is no field', { resource, mode }, name);
  const field = column.kind === 'field' ? column.field : undefined;
  if (field?.read === undefined || field.type.kind === 'numbered' || field.type.kind === 'reference') {
    throw new UsageError(`--match: rows can't find their records by "${name}".`);
  }
  return { kind: 'field', field, read: field.read };
}
