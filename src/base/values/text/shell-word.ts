// Words and commands for the shell of this platform: quoting, the beginning of a command line, and how a shell starts a command.

import { platform } from 'node:os';

const unquotedWord = /^[A-Za-z0-9_./+-][A-Za-z0-9_./:@%+,=-]*$/;

/** The beginning of a command line for the same service: `crm`, or `crm -p PROFILE` when the user named a profile. */
export const crmWith = (profile: string | undefined): string => (profile === undefined ? 'crm' : `crm -p ${quoteWord(profile)}`);

/**
 * A word for the shells of this platform: bash, zsh and the like, or cmd and PowerShell. Without quotes when that changes nothing. `kind`
 * stands in place of a word that cmd and PowerShell can't both read.
 */
export function quoteWord(word: string, kind: 'FILE' | 'VALUE' = 'VALUE'): string {
  if (platform() !== 'win32') return unquotedWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  if (unquotedOnWindows.test(word)) return word;
  return unreadableOnWindows.test(word) ? kind : `"${word}"`;
}

/** In PowerShell a comma makes an array, and @ begins another thing. */
const unquotedOnWindows = /^[A-Za-z0-9_./\\+-][A-Za-z0-9_./\\:+=-]*$/;
/** Variables, and what ends a quoted word. PowerShell takes curly quotes for straight ones. */
const unreadableOnWindows = /["“”„%$`\r\n]|\\$/;

/** A plain command with `exec` in front, so that a signal reaches the command and not only its shell. Any other command stays. */
export const inPlaceOfShell = (command: string): string =>
  /^[\w./+-]+( +[\w./+:,=@%-]+)*$/.test(command.trim()) ? `exec ${command}` : command;

/** The exit statuses of a shell for a command that it can't find or start; the last is that of cmd. */
export const notStarted: readonly number[] = [126, 127, 9009];
