// Answers that the build has prepared (prepared-files.ts): the version, help pages and completion scripts. Giving one loads
// no command and no stream.

import { type HelpPage, helpText, type Screen, screenOf } from '../output/help-page.ts';
import { terminalColumns, wantsColor } from '../output/streams/terminal.ts';
import { isDevice, writeNow } from '../output/streams/write-now.ts';
import { version } from '../version.ts';

/** The pages under one first word, by the words that follow it. An alias holds the key of the page that it stands for. */
export type PreparedPages = Readonly<Record<string, PreparedPage | string>>;

export interface PreparedPage {
  readonly page: HelpPage;
  /** The words lead to a group of commands, not to one: without --help they print this page, too. */
  readonly isLevel: boolean;
}

/** The text of a prepared file; gives undefined or throws when there is none. */
export type ReadPrepared = (name: string) => string | undefined;

/** Prints the answer to a command line (without node and script) that has one prepared. False: there is none, and the program must run. */
export function answerPrepared(argv: readonly string[], read: ReadPrepared): boolean {
  try {
    const text = preparedText(argv, read, screen);
    if (text === undefined) return false;
    writeNow(text);
    return true;
  } catch {
    // The program reports what is wrong.
    return false;
  }
}

/** The answer to a command line, or undefined. `screen` is what help is written for. */
export function preparedText(argv: readonly string[], read: ReadPrepared, screen: () => Screen): string | undefined {
  const [first] = argv;
  if (argv.length === 1 && (first === '--version' || first === '-V')) return `${version}\n`;
  const { words, asksHelp } = asked(argv);
  if (!words.every((word) => /^[a-z][a-z-]*$/.test(word))) return undefined;
  if (!asksHelp && words.length > 1) return read(`${words.join('-')}.txt`);
  const found = preparedPage(words, read);
  return found !== undefined && (asksHelp || found.isLevel) ? helpText(found.page, screen()) : undefined;
}

/** Flags without a value that change nothing about these answers. Not --csv: beside --json it is a mistake. */
const idleFlags = /^(-q|--quiet|-y|--yes|--no-input|--json|--verbose|--debug)$/;

/** `crm help leads list` and `crm leads list --help` ask for the same. */
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
