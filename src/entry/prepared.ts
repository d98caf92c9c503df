// Prints prepared answers (prepared-files.ts): the version, help pages and completion scripts. Loads no command and no stream.

import { asksVersion, version } from '../base/version.ts';
import { isTopic } from '../cli/command.ts';
import { type HelpPage, helpText, type Screen, screenOf } from '../output/help-page.ts';
import { terminalColumns, wantsColor } from '../output/streams/terminal.ts';
import { isDevice, writeNow } from '../output/streams/write-now.ts';

/** The pages of a first word, by the words after the first word. An alias holds the key of its page. */
export type PreparedPages = Readonly<Record<string, PreparedPage | string>>;

export interface PreparedPage {
  readonly page: HelpPage;
  /** True for the page of a group of commands, which is printed even without --help. */
  readonly isLevel: boolean;
}

/** Reads a prepared file. Returns undefined or throws if the file is missing. */
export type ReadPrepared = (name: string) => string | undefined;

/**
 * Prints the prepared answer to a command line. Returns false if no answer is prepared: the program must run. `argv` is without node and
 * script.
 */
export function answerPrepared(argv: readonly string[], read: ReadPrepared): boolean {
  try {
    const text = preparedText(argv, read, screen);
    if (text === undefined || isForPager(argv, text)) return false;
    writeNow(text);
    return true;
  } catch {
    // The program runs in place of the prepared answer, and reports the error.
    return false;
  }
}

/** A topic that is longer than the terminal: the program opens the pager. */
function isForPager(argv: readonly string[], text: string): boolean {
  const { words } = asked(argv);
  if (words.length !== 1 || !isTopic(words[0] ?? '') || !isDevice() || !process.stdout.isTTY) return false;
  return text.split('\n').length > process.stdout.rows;
}

/** The prepared answer to a command line, or undefined. `screen`: where help is shown. */
export function preparedText(argv: readonly string[], read: ReadPrepared, screen: () => Screen): string | undefined {
  const [first] = argv;
  if (argv.length === 1 && asksVersion(first)) return `${version}\n`;
  const { words, asksHelp } = asked(argv);
  if (!words.every((word) => /^[a-z][a-z-]*$/.test(word))) return undefined;
  if (!asksHelp && words.length > 1) return read(`${words.join('-')}.txt`);
  const found = preparedPage(words, read);
  return found !== undefined && (asksHelp || found.isLevel) ? helpText(found.page, screen()) : undefined;
}

/** Flags that don't change prepared answers. --csv is left out, because --csv beside --json is an error. */
const idleFlags = /^(-q|--quiet|-y|--yes|--no-input|--json|--verbose|--debug)$/;

/** The words that lead to a page, and whether help is asked for: by `crm help leads list` or `crm leads list --help`. */
function asked(line: readonly string[]): { words: readonly string[]; asksHelp: boolean } {
  const argv = line.filter((word) => !idleFlags.test(word));
  if (argv[0] === 'help') return { words: argv.slice(1), asksHelp: true };
  const last = argv.at(-1);
  return last === '--help' || last === '-h' ? { words: argv.slice(0, -1), asksHelp: true } : { words: argv, asksHelp: false };
}

function preparedPage([first = 'help', ...rest]: readonly string[], read: ReadPrepared): PreparedPage | undefined {
  const text = read(`${first}.json`);
  if (text === undefined) return undefined;
  const pages = JSON.parse(text) as PreparedPages | string;
  if (typeof pages === 'string') return preparedPage([pages, ...rest], read);
  const key = rest.join(' ');
  const found = Object.hasOwn(pages, key) ? pages[key] : undefined;
  return typeof found === 'string' ? preparedPage([first, ...found.split(' ')], read) : found;
}

function screen(): Screen {
  const isTTY = isDevice() && process.stdout.isTTY;
  return screenOf({
    isTTY,
    columns: isTTY ? terminalColumns(process.stdout, process.env) : 0,
    color: wantsColor('auto', isTTY, process.env),
  });
}
