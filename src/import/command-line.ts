// Commands that an import names: to go on, to send the failed rows, to use a mapping.

import type { Input } from '../flag.ts';
import type { Resource } from '../resources/define.ts';
import { quotePosix } from '../values/text/shell-word.ts';

/** Flags that say how a run looks, not what it does. */
export const passing = new Set([
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
export const ofThisFile = new Set([...passing, 'rejects', 'results', 'max-errors']);

/** With those that a mapping file holds. */
export const inMapping = new Set([...passing, 'mapping', 'map', 'constant', 'decimal-mark', 'date-order', 'encoding']);

/** The failed rows of a workbook are CSV. */
export const ofThisWorkbook = new Set([...ofThisFile, 'sheet', 'format']);

/** The command line that imports a file with the same flags, but for some. `known`: all flags of an import. */
export function commandLine(
  { name: family }: Resource,
  file: string,
  { flags, known }: { readonly flags: Input['flags']; readonly known: readonly string[] },
  without: ReadonlySet<string>,
): string {
  const words = ['crm', family, 'import', quotePosix(unlikeFlag(file))];
  for (const name of known) {
    const value = flags[name];
    if (value === undefined || value === false || without.has(name)) continue;
    if (value === true) words.push(`--${name}`);
    else for (const one of Array.isArray(value) ? value : [value]) words.push(`--${name}`, quotePosix(String(one)));
  }
  return words.join(' ');
}

/** The same file under a name that is not taken for a flag. */
const unlikeFlag = (name: string): string => (/^-./.test(name) ? `./${name}` : name);
