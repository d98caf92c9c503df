// Declares the flags that every command has, and reads their checked values.

import { invalidValue, UsageError } from './errors.ts';
import { type Flag, type FlagValues, flagIn } from './flag.ts';
import { spanText, usualRetries, waits } from './limits.ts';
import { checkChoice, together } from './values/parse.ts';
import { quoteWord } from './values/text/shell-word.ts';

/** What an output format is like. Code asks for these facts in place of a format's name. */
interface FormatFacts {
  /** A `document` has room beside the records, such as for a total. `rows` have none. A `drawing` is made for the screen. */
  readonly layout: 'drawing' | 'document' | 'rows';
  /** What of a record is written: its members as JSON or otherwise nested, its texts side by side, or its id alone. */
  readonly holds: 'json' | 'members' | 'cells' | 'id';
  readonly readBy: 'people' | 'programs';
  readonly isText: boolean;
  /** A whole page, with room for the chart of a report, and with a form of its own for one record. */
  readonly isPage?: true;
}

export const formatFacts = {
  table: { layout: 'drawing', holds: 'cells', readBy: 'people', isText: true },
  json: { layout: 'document', holds: 'json', readBy: 'programs', isText: true },
  ndjson: { layout: 'rows', holds: 'json', readBy: 'programs', isText: true },
  csv: { layout: 'rows', holds: 'cells', readBy: 'programs', isText: true },
  yaml: { layout: 'document', holds: 'members', readBy: 'programs', isText: true },
  ids: { layout: 'rows', holds: 'id', readBy: 'programs', isText: true },
  xlsx: { layout: 'rows', holds: 'cells', readBy: 'people', isText: false },
  markdown: { layout: 'rows', holds: 'cells', readBy: 'people', isText: true },
  html: { layout: 'rows', holds: 'cells', readBy: 'people', isText: true, isPage: true },
} as const satisfies Readonly<Record<string, FormatFacts>>;
export type Format = keyof typeof formatFacts;
export const formats = Object.keys(formatFacts) as readonly Format[];

/** A format whose result is one document. */
export type DocumentFormat = { [Name in Format]: (typeof formatFacts)[Name]['layout'] extends 'document' ? Name : never }[Format];

export function isDocument(format: Format): format is DocumentFormat {
  return formatFacts[format].layout === 'document';
}

/** True for a format that is made for the screen. */
export function isDrawing(format: Format): boolean {
  return formatFacts[format].layout === 'drawing';
}

/** True for one document of JSON, which can hold the service's whole answer. */
export function isJsonDocument(format: Format): boolean {
  return isDocument(format) && formatFacts[format].holds === 'json';
}

/** True for a table as text. A list inside a record has no place in it. */
export function isTextTable(format: Format): boolean {
  const { holds, isText } = formatFacts[format];
  return holds === 'cells' && isText;
}

/** True for a page that stands by itself. */
export function isPage(format: Format): boolean {
  return 'isPage' in formatFacts[format];
}

/** True for a format that writes whatever a record holds, lists and objects too. */
export function holdsMembers(format: Format): boolean {
  const { holds } = formatFacts[format];
  return holds === 'json' || holds === 'members';
}

/** The format of a file of --out, by the ending of its name. */
const endings: Readonly<Record<string, Format | undefined>> = {
  csv: 'csv',
  xlsx: 'xlsx',
  json: 'json',
  ndjson: 'ndjson',
  yaml: 'yaml',
  md: 'markdown',
  html: 'html',
  txt: 'table',
};

const formatOfFile = (path: string): Format | undefined => endings[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];

const colorModes = ['auto', 'always', 'never'] as const;
export type ColorMode = (typeof colorModes)[number];

export interface GlobalFlags {
  readonly profile?: string;
  readonly output: Format;
  /** True when the user chose the output format. The choice wins over a command's own format. */
  readonly outputNamed: boolean;
  /** The file that the result goes into, in place of standard output. */
  readonly out?: string;
  readonly envelope: boolean;
  /** Dotted paths, in order. */
  readonly fields?: readonly string[];
  /** A jq expression; its values are printed. */
  readonly jq?: string;
  /** Writes are held back and shown. */
  readonly dryRun: boolean;
  /** The change file of --plan, written in place of sending. Implies `dryRun`. */
  readonly plan?: string;
  readonly yes: boolean;
  /** The name of a protected profile, which confirms writes to its service. */
  readonly confirm?: string;
  /** Never ask, even on a terminal. */
  readonly noInput: boolean;
  /** Milliseconds for one request, from connecting to the last byte. */
  readonly timeout: number;
  /** How often a request is tried again after a temporary failure. */
  readonly retries: number;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly color: ColorMode;
  readonly csvRaw: boolean;
  /** Show every documented member, empty ones too. */
  readonly allFields: boolean;
  /** Never start a pager. */
  readonly noPager: boolean;
}

const group = 'Global flags';

/** Shows help. No command reads it. */
export const helpFlag: Flag = { name: 'help', short: 'h', help: 'Show help' };
/** Stands behind `crm` alone. */
export const versionFlag: Flag = { name: 'version', short: 'V', help: 'Print the version (crm alone)' };

const declared = [
  {
    name: 'profile',
    short: 'p',
    value: 'name',
    help: 'Profile to use (default: the current one)',
    listedBy: 'profile list',
    listedMember: 'name',
    group,
  },
  { name: 'output', short: 'o', value: 'format', help: 'Output format (default table)', choices: formats, standard: 'table', group },
  { name: 'out', value: 'file', help: 'Write the result into a file; the ending of its name is the format: leads.xlsx', group },
  { name: 'json', help: 'Same as -o json', group },
  { name: 'csv', help: 'Same as -o csv', group },
  { name: 'csv-raw', help: 'CSV without the guard against formulas', group },
  { name: 'envelope', help: "JSON: the service's whole answer, not only its data", group },
  { name: 'fields', value: 'paths', help: 'Columns and members to show, in order: id,contact.email; help lists them', group },
  { name: 'jq', value: 'expression', help: 'Filter the JSON with a jq expression, one value a line', group },
  { name: 'all-fields', help: 'Tables and records with every documented member, empty ones too', group },
  { name: 'dry-run', help: 'Make the reads, print the writes instead of sending them', group },
  { name: 'yes', short: 'y', help: 'Confirm without a question, such as before a deletion', group },
  {
    name: 'confirm',
    value: 'profile',
    help: 'Allow writes to the service of a protected profile by naming it',
    listedBy: 'profile list',
    listedMember: 'name',
    group,
  },
  { name: 'no-input', help: 'Never ask, even on a terminal; so do CI=true and CRM_NO_INPUT=1', group },
  { name: 'timeout', value: 'seconds', help: 'Time for one request (default 30)', standard: 30, above: 0, most: 86_400, group },
  {
    name: 'retries',
    value: 'n',
    help: `Further tries after a passing failure (default ${usualRetries}), each after ${spanText(waits.one)} at most`,
    standard: usualRetries,
    least: 0,
    most: 99,
    group,
  },
  { name: 'quiet', short: 'q', help: 'No notices', group },
  { name: 'verbose', help: 'Show each request on standard error', group },
  { name: 'debug', help: 'Show headers and stack traces as well', group },
  { name: 'color', value: 'when', help: 'Colours (default auto: on a terminal)', choices: colorModes, standard: 'auto', group },
  { name: 'no-pager', help: 'Show a long list on the terminal at once, not page by page', group },
] as const satisfies readonly Flag[];
export const globalFlags: readonly Flag[] = declared;

/**
 * The output format that a command line (without node and script) names. Found without parsing, because errors of parsing are reported in
 * this format, too. JSON if any flag asks for it, so that a program can read the error; otherwise the last named format, or the format of
 * --out. `isTTY`: errors go to a terminal, where --jq or --out alone asks for no JSON.
 */
export function outputInArgv(argv: readonly string[], isTTY = false): Format | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const given = words.flatMap((word, index) => {
    const { flag, value } = flagIn(word, globalFlags) ?? {};
    // The parse refuses `--json=true`.
    if (flag === undefined || (flag.value === undefined && value !== undefined)) return [];
    return [{ name: flag.name, value: value ?? words[index + 1] ?? '' }];
  });
  const named = given.flatMap(({ name, value }) => {
    if (name === 'json' || name === 'envelope' || (name === 'jq' && !isTTY)) return 'json';
    return name === 'csv' ? 'csv' : name === 'output' ? value : [];
  });
  if (named.includes('json')) return 'json';
  if (named.length > 0 || isTTY) return formats.find((format) => format === named.at(-1));
  return formatOfFile(given.findLast(({ name }) => name === 'out')?.value ?? '');
}

/** Every command's flags, and --plan of those that change several records. */
type TypedFlags = FlagValues<typeof declared> & { readonly plan?: string | undefined };

/** Reads the values of the global flags. In a job nobody is asked: CI or CRM_NO_INPUT stand for --no-input. Throws UsageError. */
export function readGlobalFlags(flags: TypedFlags, env: Readonly<Record<string, string | undefined>> = {}): GlobalFlags {
  const { profile, confirm, jq, plan, out } = flags;
  if (out !== undefined && plan !== undefined) throw new UsageError("--out can't be combined with --plan, which writes a file itself.");
  const [fields, named, milliseconds, times, color] = together(
    () => fieldPaths(flags.fields),
    () => chosenFormat(flags.output, flags, out),
    () => timeout(flags.timeout),
    () => retries(flags.retries),
    () => checkChoice(flags.color ?? 'auto', colorModes, '--color'),
  );
  return {
    ...(profile === undefined ? {} : { profile }),
    ...named,
    ...(out === undefined ? {} : { out }),
    envelope: flags.envelope === true,
    ...(fields === undefined ? {} : { fields }),
    ...(jq === undefined ? {} : { jq }),
    dryRun: flags['dry-run'] === true || plan !== undefined,
    ...(plan === undefined ? {} : { plan }),
    yes: flags.yes === true,
    ...(confirm === undefined ? {} : { confirm }),
    noInput: flags['no-input'] === true || env.CI === 'true' || env.CI === '1' || env.CRM_NO_INPUT === '1',
    timeout: milliseconds,
    retries: times,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true || flags.debug === true,
    debug: flags.debug === true,
    color,
    csvRaw: flags['csv-raw'] === true,
    allFields: flags['all-fields'] === true,
    noPager: flags['no-pager'] === true,
  };
}

/** True if errors are one JSON object. */
export function wantsJson(flags: Pick<GlobalFlags, 'output'>): boolean {
  return formatFacts[flags.output].holds === 'json';
}

function chosenFormat(output: string | undefined, flags: TypedFlags, out: string | undefined): Pick<GlobalFlags, 'output' | 'outputNamed'> {
  const named = [
    output === undefined ? undefined : checkFormat(output),
    flags.json === true ? 'json' : undefined,
    flags.csv === true ? 'csv' : undefined,
  ].filter((one) => one !== undefined) as Format[];
  const [first, ...others] = [...new Set(named)];
  if (others.length > 0) throw new UsageError(`Choose one output format: ${[first, ...others].join(' or ')}.`);
  if (first === undefined && out !== undefined) return { output: formatByEnding(out, flags), outputNamed: true };
  if (flags.envelope === true && first !== undefined && !isJsonDocument(first)) {
    throw new UsageError(`--envelope is for JSON output, not ${first}.`);
  }
  if (flags.jq !== undefined && first !== undefined && formatFacts[first].holds !== 'json') {
    throw new UsageError(`--jq is for JSON output: leave out ${output === undefined ? `--${first}` : `-o ${first}`}.`);
  }
  const chosen = first ?? (flags.envelope === true || flags.jq !== undefined ? 'json' : undefined);
  return { output: chosen ?? 'table', outputNamed: chosen !== undefined };
}

function checkFormat(output: string): Format {
  if (formatOfFile(output) === undefined) return checkChoice(output, formats, '--output');
  throw invalidValue('--output', `"${output}" is no format. To write a file: --out ${quoteWord(output, 'FILE')}`);
}

/** Values of --jq are lines of JSON or text. */
function formatByEnding(out: string, flags: TypedFlags): Format {
  const format = formatOfFile(out);
  if (format === undefined) {
    const known = Object.keys(endings)
      .map((ending) => `.${ending}`)
      .join(', ');
    throw invalidValue('--out', `"${out}" has none of the endings ${known}. End the name with one of them, or name the format with -o.`);
  }
  if (flags.jq !== undefined && isDrawing(format)) return 'json';
  const asking = flags.jq !== undefined ? '--jq' : flags.envelope === true ? '--envelope' : undefined;
  if (asking === undefined || isJsonDocument(format) || (asking === '--jq' && formatFacts[format].holds === 'json')) return format;
  throw invalidValue('--out', `${asking} is for JSON output, and "${out}" asks for ${format}. Name the format: -o json`);
}

function fieldPaths(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  const paths = value.split(',').map((path) => path.trim());
  if (paths.some((path) => path === '')) throw invalidValue('--fields', 'give names separated by commas, such as id,contact.email.');
  return paths;
}

function timeout(value: string | undefined): number {
  if (value === undefined) return 30_000;
  const seconds = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || seconds <= 0 || seconds > 86_400) {
    throw invalidValue('--timeout', `"${value}" is not a number of seconds above 0 and up to 86400, a day.`);
  }
  return Math.ceil(seconds * 1000);
}

function retries(value: string | undefined): number {
  if (value === undefined) return usualRetries;
  if (!/^\d{1,2}$/.test(value)) throw invalidValue('--retries', `"${value}" is not a whole number from 0 to 99.`);
  return Number(value);
}
