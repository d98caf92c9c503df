// `crm <family> import FILE`: the command line as a plan, and the result of what src/import/ makes of it.

import { confirm, requireNamed } from '../ask/confirm.ts';
import { canAsk } from '../ask/prompt.ts';
import { newFlag } from '../bodies/flags.ts';
import type { Context } from '../context.ts';
import { invalidValue, type PartialError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { globalFlags } from '../global-flags.ts';
import { columnOf, meaningOf, noField, wiresOf } from '../import/columns/columns.ts';
import { notationOf } from '../import/columns/notation.ts';
import { type Dialect, decoded, dialectOf, type Encoding, encodings, encodingTold, ownDialect } from '../import/files/dialect.ts';
import { type ImportFormat, importFormats } from '../import/files/raw-row.ts';
import { formatByName, formatOf, isWorkbook, rowsOf } from '../import/files/readers.ts';
import { openSource, replaced, type Source } from '../import/files/source.ts';
import { previewFor, previewImport, runImport, saveMapping } from '../import/import.ts';
import { type MappedWord, type Mapping, noMapping, readMapping } from '../import/mapping/read.ts';
import { checkOutputs } from '../import/outcomes/outputs.ts';
import { summaryText } from '../import/outcomes/report.ts';
import {
  type Constant,
  headerKey,
  type ImportMode,
  type ImportPlan,
  importModes,
  type Mapped,
  type MatchBy,
  type MeantWord,
  setModes,
} from '../import/plan.ts';
import { previewText } from '../import/preview/preview.ts';
import type { ImportRequest } from '../import/request.ts';
import { FileWords } from '../names/file-words.ts';
import { plainName } from '../names/matching.ts';
import type { PreviewRow, Result } from '../output/result.ts';
import { progress } from '../output/streams/progress.ts';
import type { Resource } from '../resources/define.ts';
import type { Pace } from '../runs/service.ts';
import { checkChoice, type Id, parseCount, parseId } from '../values/parse.ts';
import { quotePosix } from '../values/text/shell-word.ts';
import { howMany, listed } from '../values/text/wording.ts';
import { importFlags } from './family-flags.ts';
import { paceOf } from './pace.ts';

/** Imports a file of records; under --dry-run what it would do is listed. */
export async function importRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const name = input.args[0] ?? '';
  const flow = flowOf(input.flags);
  let source = await openSource(context, name);
  let request: ImportRequest;
  try {
    const mapping = typeof input.flags.mapping === 'string' ? await readMapping(context, input.flags.mapping) : noMapping;
    const read = await inUtf8(context, input, source, mapping);
    source = read.source;
    const plan = { ...(await planOf(resource, context, input, source, mapping)), dialect: read.dialect };
    source = await withRows(context, plan, source, input.flags.sheet);
    await checkOutputs(context, plan, source, input.flags);
    if (input.flags['save-mapping'] === undefined) await requireNamed(context);
    request = {
      plan,
      source,
      rows: rowsOf(source, plan),
      ...flow,
      ...fileOf('rejects', input.flags),
      ...fileOf('results', input.flags),
      resume: input.flags.resume === true,
      again: input.flags.again === true,
      ...decisionsOf(input.flags),
      resumeCommand: `${commandLine(resource, name, input.flags, passing)} --resume`,
      rejectsCommand: (file) => commandLine(resource, file, input.flags, plan.format === 'xlsx' ? ofThisWorkbook : ofThisFile),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
  const mapping = input.flags['save-mapping'];
  if (typeof mapping === 'string') return savedMapping(resource, context, input, request, mapping);
  return context.flags.dryRun ? previewed(context, request) : carriedOut(context, request);
}

async function carriedOut(context: Context, request: ImportRequest): Promise<Result> {
  try {
    const ended = await runImport(context, request);
    const { summary, problem } = ended;
    return {
      kind: 'rows',
      data: summary,
      shape: { columns: [], record: [] },
      drawn: { sentence: summaryText(request, ended) },
      ...(problem === undefined ? {} : { problem }),
    };
  } finally {
    await request.source.close();
  }
}

/** What an import would do. */
async function previewed(context: Context, request: ImportRequest): Promise<Result> {
  const preview = await previewFor(context, request);
  let problem: PartialError | undefined;
  const rows = async function* (): AsyncGenerator<readonly PreviewRow[]> {
    try {
      problem = yield* previewImport(context, request, preview);
    } finally {
      await request.source.close();
    }
  };
  return {
    kind: 'preview',
    rows: rows(),
    end: () => ({
      counts: { ...preview.counts },
      sentence: previewText(request.plan.resource, preview),
      ...(problem === undefined ? {} : { problem }),
    }),
  };
}

/** The names in a file; `--new-unit` lets it have new ones. */
export const wordsOf = ({ fields }: Resource, flags: Input['flags']): FileWords =>
  new FileWords({ makesNew: fields.some(({ type }) => type.kind === 'id-or-name' && flags[newFlag(type.of)] === true) });

const fileOf = (name: 'rejects' | 'results', flags: Input['flags']): Partial<Record<typeof name, string>> =>
  typeof flags[name] === 'string' ? { [name]: flags[name] } : {};

/** Writes a mapping in place of an import, and says what to do with it. */
async function savedMapping(
  resource: Resource,
  context: Context,
  { args, flags }: Input,
  request: ImportRequest,
  path: string,
): Promise<Result> {
  const saved = await saveMapping(context, request, path).finally(() => request.source.close());
  const next = `${commandLine(resource, args[0] ?? '', flags, inMapping)} --mapping ${quotePosix(path)}`;
  const open = [
    ...(['column', 'constant', 'word'] as const).flatMap((one) => (saved[`${one}s`] === 0 ? [] : [howMany(saved[`${one}s`], one)])),
    ...saved.formats,
  ];
  const unfilled = open.length === 0 ? '' : ` To be filled in: ${listed(open)}.`;
  const guessed =
    saved.guessed === 0 ? '' : ` ${howMany(saved.guessed, 'column is a guess: look at it', 'columns are guesses: look at them')}.`;
  const sentence = `${path} is written; nothing was sent.${unfilled}${guessed} Then: ${next}`;
  return { kind: 'rows', data: saved, shape: { columns: [], record: [] }, drawn: { sentence }, notice: sentence };
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
  const flags = [again === true && '--again', lines !== undefined && '--send-again', arrived !== undefined && '--arrived'].filter(Boolean);
  if (resume === true && again === true) throw new UsageError('--again begins anew, and --resume goes on: give one of them.');
  if (resume !== true && flags.some((flag) => flag !== '--again')) {
    throw new UsageError(`${flags.join(' and ')}: that is about rows in doubt, and goes with --resume.`);
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

/** The source with its text as UTF-8, and how it is written. Throws UsageError, UnconfirmedError. */
async function inUtf8(
  context: Context,
  { args, flags }: Input,
  source: Source,
  mapping: Mapping,
): Promise<{ readonly source: Source; readonly dialect: Dialect }> {
  const name = args[0] ?? '';
  const asked = typeof flags.encoding === 'string' ? checkChoice(flags.encoding, encodings, '--encoding') : mapping.encoding;
  if (flags.format === 'xlsx' || (flags.format === undefined && (await isWorkbook(source)))) {
    if (asked !== undefined) throw new UsageError(`--encoding is for texts, and ${source.name} is a workbook.`);
    return { source, dialect: ownDialect };
  }
  const encoding = asked ?? (canAsk(context) ? await encodingAgreed(context, source) : 'utf-8');
  const dialect = await dialectOf(source, formatByName(name) ?? 'csv', encoding);
  return { source: encoding === 'utf-8' ? source : await replaced(source, decoded(source.bytes(), encoding)), dialect };
}

/** The encoding that the bytes tell, once somebody at the terminal agrees. Throws UnconfirmedError. */
async function encodingAgreed(context: Context, source: Source): Promise<Encoding> {
  const encoding = await encodingTold(source);
  if (encoding === 'utf-8' || context.flags.yes) return 'utf-8';
  const called = encoding === 'utf-16' ? 'UTF-16' : 'Windows-1252, as Excel writes it';
  await confirm(
    { ...context, flags: { ...context.flags, dryRun: false } },
    `${source.name} is not UTF-8. Read it as ${called} (--encoding ${encoding})?`,
  );
  return encoding;
}

async function planOf(resource: Resource, context: Context, { args, flags }: Input, source: Source, mapping: Mapping): Promise<ImportPlan> {
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
    maps: new Map([...mapping.columns, ...mapsOf(flags.map)]),
    constants: constantsOf(resource, mapping.constants, flags.constant),
    meanings: meaningsOf(resource, mapping.words),
    notation: {
      ...mapping.notation,
      ...notationOf(flags),
    },
    skipInvalid: flags['skip-invalid'] === true,
    clearBlanks: blank === 'clear',
    csvRaw: context.flags.csvRaw,
    overwritesNewer: flags['overwrite-newer'] === true,
    ...(typeof flags.sets === 'string' ? { sets: checkChoice(flags.sets, setModes, '--sets') } : {}),
    clearsSignatures: flags['clear-signatures'] === true,
    words: wordsOf(resource, flags),
  };
  if (mode === 'create' && plan.sets !== undefined)
    throw new UsageError('--sets is for --mode update and upsert: new records get the sets of their rows.');
  if (mode === 'create' && plan.overwritesNewer) throw new UsageError('--overwrite-newer is for --mode update and upsert.');
  for (const { name, to } of plan.maps.values()) if (to !== '') columnOf(plan, name);
  for (const { name, where } of plan.constants)
    if (meaningOf(resource, name) === undefined) throw noField(`${where}: there is no field`, plan, name);
  return plan;
}

/** `Column=flag-name`; the name of a column may have a `=` in it, that of a flag hasn't. */
function mapsOf(raw: Input['flags'][string]): Map<string, Mapped> {
  const maps = new Map<string, Mapped>();
  for (const one of Array.isArray(raw) ? raw : []) {
    const equals = one.lastIndexOf('=');
    if (equals < 1) throw new UsageError(`--map: "${one}" is not Column=flag-name.`);
    const name = one.slice(0, equals);
    maps.set(headerKey(name), { name: name.trim(), to: one.slice(equals + 1).trim(), where: '--map' });
  }
  return maps;
}

/** `flag-name=value`; a flag wins over the same field of the mapping. Throws UsageError. */
function constantsOf(resource: Resource, mapped: readonly Constant[], raw: Input['flags'][string]): Constant[] {
  const typed = (Array.isArray(raw) ? raw : []).map((one): Constant => {
    const equals = one.indexOf('=', one.startsWith('set:') ? 'set:'.length : 0);
    if (equals < 1) throw new UsageError(`--constant: "${one}" is not flag-name=value.`);
    const name = one.slice(0, equals).trim();
    return { name, value: one.slice(equals + 1), where: `--constant ${name}` };
  });
  const wiresNamed = ({ name, value }: Constant): string[] => {
    const column = meaningOf(resource, name);
    const isNumbered = column?.kind === 'field' && column.field.type.kind === 'numbered';
    return column === undefined ? [name] : wiresOf(column).map((wire) => (isNumbered ? `${wire}${value.split('=')[0]}` : wire));
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
  const taken = wiresIn(typed);
  wiresIn(mapped);
  return [...mapped.filter((constant) => !wiresNamed(constant).some((wire) => taken.has(wire))), ...typed];
}

/** Words by the fields in whose cells they stand. Throws UsageError for a name that is no field's. */
function meaningsOf(resource: Resource, words: readonly MappedWord[]): Map<string, Map<string, MeantWord>> {
  const meanings = new Map<string, Map<string, MeantWord>>();
  for (const { field: name, word, to, where } of words) {
    const column = meaningOf(resource, name);
    const field =
      column?.kind === 'field' || column?.kind === 'name'
        ? column.field
        : column?.kind === 'extra'
          ? { flag: column.extra.name }
          : undefined;
    if (field === undefined) throw noField(`${where}: there is no field`, { resource, mode: 'create' }, name);
    const own = meanings.get(field.flag) ?? new Map<string, MeantWord>();
    const before = own.get(plainName(word));
    if (before !== undefined && before.to !== to)
      throw new UsageError(`${where}: "${word}" and "${before.word}" are the same word: case and accents don't count.`);
    meanings.set(field.flag, own.set(plainName(word), { word, to }));
  }
  return meanings;
}

function matchOf(resource: Resource, mode: ImportMode, raw: Input['flags'][string]): MatchBy | undefined {
  if (mode === 'create') {
    if (raw !== undefined) throw new UsageError('--match is for --mode update and upsert.');
    return undefined;
  }
  const name = String(raw ?? 'id');
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
const passing = new Set([
  'save-mapping',
  'resume',
  'again',
  'send-again',
  'arrived',
  'dry-run',
  'quiet',
  'verbose',
  'debug',
  'color',
  'yes',
  'no-input',
]);

/** With those that are about one file and its import. */
const ofThisFile = new Set([...passing, 'rejects', 'results', 'max-errors']);

/** With those that a mapping file holds. */
const inMapping = new Set([...passing, 'mapping', 'map', 'constant', 'decimal-mark', 'date-order', 'encoding']);

/** The failed rows of a workbook are CSV. */
const ofThisWorkbook = new Set([...ofThisFile, 'sheet', 'format']);

/** The command line that imports a file with the same flags, but for some. */
function commandLine(resource: Resource, file: string, flags: Input['flags'], without: ReadonlySet<string>): string {
  const words = ['crm', resource.name, 'import', quotePosix(unlikeFlag(file))];
  for (const { name } of [...importFlags(resource), ...globalFlags]) {
    const value = flags[name];
    if (value === undefined || value === false || without.has(name)) continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, quotePosix(String(one)));
  }
  return words.join(' ');
}

/** The same file under a name that is not taken for a flag. */
const unlikeFlag = (name: string): string => (/^-./.test(name) ? `./${name}` : name);
