// The commands that an import's messages name: resume, send the failed rows, use a mapping.

import type { Input } from '../base/flag.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import type { Resource } from '../model/define.ts';

/** The flag that gives a column's field, quoted for a shell: `--map 'Deal name=title'`. An empty `to` leaves the column out. */
export const mapFlag = (name: string, to = ''): string => `--map '${`${name}=${to}`.replaceAll("'", String.raw`'\''`)}'`;

/** Flags that no later command repeats. */
export const passing = new Set(['save-mapping', 'resume', 'again', 'dry-run', 'quiet', 'verbose', 'debug', 'color', 'yes', 'no-input']);

/** Flags left out of the command for a rejects file. */
export const ofThisFile = new Set([...passing, 'rejects', 'results', 'max-errors', 'header-line', 'encoding', 'out']);

/** Flags left out of a command with --mapping: the mapping file holds their values. */
export const inMapping = new Set([
  ...passing,
  'out',
  'mapping',
  'map',
  'constant',
  'decimal-mark',
  'date-order',
  'encoding',
  'separator',
  'header-line',
]);

/** Flags left out for rejects that are a workbook, or of one. */
export const ofThisWorkbook = new Set([...ofThisFile, 'sheet', 'format', 'separator']);

/** The command that imports `file` with the typed flags. `known`: all flags of an import; `without`: flags to leave out. */
export function importCommandLine(
  { name: family }: Resource,
  file: string,
  { flags, known }: { readonly flags: Input['flags']; readonly known: readonly string[] },
  without: ReadonlySet<string>,
): string {
  const words = ['crm', family, 'import', quoteWord(/^-./.test(file) ? `./${file}` : file, 'FILE')];
  for (const name of known) {
    const value = flags[name];
    if (value === undefined || value === false || without.has(name)) continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, quoteWord(String(one)));
  }
  return words.join(' ');
}
