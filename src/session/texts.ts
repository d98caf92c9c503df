// Reads texts from a file or standard input: `@file`, `-`, `@@literal`.

import { invalidValue, UsageError } from '../base/errors.ts';
import { readSmallFile, readStdin } from '../base/files/read-whole.ts';
import type { Flag, Input } from '../base/flag.ts';
import { parseJson, repeatedMember } from '../base/values/json.ts';
import { isMembers } from '../base/values/paths.ts';
import type { BodyFlags } from '../model/bodies/flags.ts';
import type { BodyTexts } from '../model/bodies/given.ts';
import type { BodyShape } from '../model/shape.ts';
import type { Context } from './context.ts';
import { resolvedData } from './names/words.ts';

/**
 * The text of an argument: `@file`, `-` for standard input, `@@x` for a literal `@x`, else the argument itself. Throws UsageError, also
 * for a file or standard input that holds nothing but blanks: a command before it failed, or a variable was not set.
 */
export async function readText(context: Context, raw: string, where: string): Promise<string> {
  if (raw === '-') return filledText(await readStdin(context, `${where}: `), 'standard input', where);
  if (raw.startsWith('@@')) return raw.slice(1);
  if (!raw.startsWith('@')) return raw;
  const path = raw.slice(1);
  try {
    return filledText(await readSmallFile(context, path, `${where}: `), path, where);
  } catch (error) {
    if (error instanceof UsageError) error.details.hint ??= 'For a text that begins with @, write @@.';
    throw error;
  }
}

function filledText(text: string, from: string, where: string): string {
  if (text.trim() !== '') return text;
  const error = invalidValue(where, `${from} ${text === '' ? 'is empty' : 'holds only blanks'}.`, 'missing_value');
  error.details.hint = where.startsWith('--') && where !== '--data' ? `For an empty value: ${where} ""` : 'Nothing was sent.';
  throw error;
}

/** The text of a comment, read like `readText`, without the line break at the end of piped text. */
export async function readComment(context: Context, raw: string, where: string): Promise<string> {
  const text = await readText(context, raw, where);
  return raw === '-' ? text.replace(/\r?\n$/, '') : text;
}

/** The flags, with the texts of `@file` and `-` read. Throws UsageError when two flags read standard input. */
export async function readLongTexts(context: Context, flags: readonly Flag[], values: Input['flags']): Promise<Input['flags']> {
  const long = longTextsOf(flags, values);
  const fromStdin = stdinReaders(flags, values);
  if (fromStdin.length > 1) throw new UsageError(`Only one of ${fromStdin.join(' and ')} can read standard input.`);
  const read = { ...values };
  for (const { name } of long) read[name] = await readText(context, String(values[name]), `--${name}`);
  return read;
}

const longTextsOf = (flags: readonly Flag[], values: Input['flags']): readonly Flag[] =>
  flags.filter(({ name, type }) => type?.kind === 'text' && type.long && typeof values[name] === 'string');

const stdinReaders = (flags: readonly Flag[], values: Input['flags']): string[] =>
  [...longTextsOf(flags, values).map(({ name }) => name), 'data'].filter((name) => values[name] === '-').map((name) => `--${name}`);

/** Throws UsageError when a flag reads standard input, which the ids already use. */
export function refuseSecondReader(flags: readonly Flag[], values: Input['flags']): void {
  const [other] = stdinReaders(flags, values);
  if (other !== undefined) throw new UsageError(`Only one of the ids and ${other} can read standard input.`);
}

/** The texts of --data and --set, with names in --data replaced by ids. Throws UsageError when --data is no JSON object. */
export async function readBodyTexts(context: Context, shape: BodyShape, flags: BodyFlags): Promise<BodyTexts> {
  const { set = [] } = flags;
  if (flags.data === undefined) return { set };
  const data = parseDataText(await readText(context, flags.data, '--data'), '--data');
  if (!isMembers(data)) throw invalidValue('--data', 'give one JSON object.');
  return { ...(await resolvedData(context, shape, data, flags)), set };
}

/** Parses a JSON document. Throws UsageError naming `where`. */
export function parseDataText(text: string, where: string): unknown {
  try {
    const document = parseJson(text);
    JSON.stringify(document);
    const twice = repeatedMember(text);
    if (twice !== undefined) throw invalidValue(where, `the member ${JSON.stringify(twice)} stands twice in one object.`);
    return document;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof RangeError) throw invalidValue(where, `nested too deeply.`);
    throw invalidValue(where, `not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
}
