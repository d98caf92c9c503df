// Errors in the syntax of flags: a missing value, a value for a flag without values, and commander's own errors as sentences.

import type { CommanderError } from 'commander';
import { type CodeOf, invalidValue, UsageError } from '../base/errors.ts';
import type { Flag } from '../base/flag.ts';
import { globalFlags } from '../base/global-flags.ts';
import { capitalised } from '../base/values/text/wording.ts';
import type { Command } from './command.ts';

const help: Flag = { name: 'help', short: 'h', help: '' };

/**
 * Checks that a flag has a value if the flag takes a value, and has no value otherwise. Commander alone would take the next flag for a
 * value. `hint` names the help page. Throws UsageError.
 */
export function checkFlagValues(command: Command, words: readonly string[], hint: string): void {
  const flags = [...command.flags, ...globalFlags, help];
  for (let index = 0; index < words.length && words[index] !== '--'; index += 1) {
    const word = words[index] ?? '';
    const flag = flagForWord(word, flags);
    if (flag === undefined) continue;
    if (word.startsWith('--') && word.includes('=')) checkTakesValue(flag, word.slice(word.indexOf('=') + 1), flags, hint);
    else if (flag.value !== undefined && lastShort(word, flags)?.hasValue !== true) {
      index += 1;
      checkNext(flag, words[index], flags, hint);
    }
  }
}

/** The flag that a word names: a long one with or without `=value`, or the last of short ones in a row (`-qy`, `-ojson`). */
function flagForWord(word: string, flags: readonly Flag[]): Flag | undefined {
  if (!word.startsWith('--')) return lastShort(word, flags)?.flag;
  const name = word.slice(2).split('=', 1)[0];
  return flags.find((flag) => flag.name === name);
}

/** The last flag of short ones in a row. `hasValue`: the rest of the word is its value. Undefined for any other word. */
function lastShort(word: string, flags: readonly Flag[]): { readonly flag: Flag; readonly hasValue: boolean } | undefined {
  if (!/^-[^-]/.test(word)) return undefined;
  let last: Flag | undefined;
  for (let index = 1; index < word.length; index += 1) {
    last = flags.find(({ short }) => short === word[index]);
    if (last === undefined) return undefined;
    if (last.value !== undefined) return { flag: last, hasValue: index + 1 < word.length };
  }
  return last === undefined ? undefined : { flag: last, hasValue: false };
}

/** `typed`: the text behind the =. */
function checkTakesValue({ name, value }: Flag, typed: string, flags: readonly Flag[], hint: string): void {
  if (value !== undefined) return;
  const isNo = /^(false|no|0|off)$/i.test(typed);
  const instead = isNo ? `no-${name}` : name;
  const canSay = flags.some((flag) => flag.name === instead);
  const meant = canSay ? ` Did you mean --${instead}?` : isNo ? ' Without the flag it is off.' : '';
  throw new UsageError(`--${name} takes no value.${meant}`, { hint });
}

function checkNext(flag: Flag, next: string | undefined, flags: readonly Flag[], hint: string): void {
  const isFlag = next !== undefined && flagForWord(next, flags) !== undefined;
  if (next !== undefined && !isFlag) return;
  const { name, choices, type, wire } = flag;
  const problem = `a value is missing${choices === undefined ? '' : ` (${eitherOf(choices)})`}.`;
  const mayBeText = choices === undefined && (type === undefined || type.kind === 'text');
  const error = invalidValue(`--${name}`, problem, 'missing_value');
  error.details.fields = [{ flag: `--${name}`, name: wire ?? name, messages: [problem] }];
  error.details.hint = isFlag && mayBeText ? `If "${next}" is the value: --${name}=${next}` : hint;
  throw error;
}

const eitherOf = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), ...choices.slice(-1)].filter(Boolean).join(' or ');

/** The message of commander's error as a sentence. */
export function complaint({ code, message }: CommanderError, command: Command | undefined): string {
  const [, flag] = code === 'commander.unknownOption' ? (/'--([^'=]+)/.exec(message) ?? []) : [];
  const refusal = flag === undefined ? undefined : command?.refusals?.[flag];
  if (refusal !== undefined) return `--${flag}: ${refusal}`;
  const [, before, most, typed = ''] = /^error: too many arguments for '(.*?)'\. Expected (\d+) .*?: (.*)\.$/s.exec(message) ?? [];
  if (before !== undefined) return `Too many words after '${before}': ${typed.split(', ').slice(Number(most)).join(' ')}.`;
  const sentence = capitalised(message.replace(/^error: /, ''));
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The error code for commander's error. */
export const complaintCode = ({ code }: CommanderError): CodeOf<'usage'> => complaintCodes[code] ?? 'usage';

const complaintCodes: Readonly<Record<string, CodeOf<'usage'> | undefined>> = {
  'commander.unknownCommand': 'unknown_command',
  'commander.unknownOption': 'unknown_flag',
  'commander.missingArgument': 'missing_value',
  'commander.optionMissingArgument': 'missing_value',
};

/** The words before the unknown command of commander's error; for any other error, all words. */
export function understoodWords({ code, message }: CommanderError, words: readonly string[]): readonly string[] {
  const unknown = code === 'commander.unknownCommand' ? /unknown command '(.*?)'/.exec(message)?.[1] : undefined;
  return unknown === undefined ? words : words.slice(0, words.indexOf(unknown));
}
