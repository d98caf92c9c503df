// Texts that stand in a file or on standard input instead of on the command line: `@file`, `-`, `@@literal`.

import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Flag, Input } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { isMembers } from '../paths.ts';
import type { BodyTexts } from './body.ts';

/** The text that an argument stands for: `@file`, `-` for standard input, `@@x` for a literal `@x`, else itself. Throws UsageError. */
export async function readText(context: Context, raw: string, where: string): Promise<string> {
  if (raw === '-') return decode(await context.io.stdin.readAll(), `${where}: standard input`);
  if (raw.startsWith('@@')) return raw.slice(1);
  if (!raw.startsWith('@')) return raw;
  const path = raw.slice(1);
  return decode(readNamed(resolve(context.cwd, path), path, where), `${where}: ${path}`);
}

/** The flags of an input with long texts read. Throws UsageError when two of them want standard input. */
export async function readLongTexts(context: Context, flags: readonly Flag[], given: Input['flags']): Promise<Input['flags']> {
  const long = flags.filter(({ name, type }) => type?.kind === 'text' && type.long && typeof given[name] === 'string');
  const fromStdin = [...long.map(({ name }) => name), 'data'].filter((name) => given[name] === '-');
  if (fromStdin.length > 1)
    throw new UsageError(`Only one of ${fromStdin.map((name) => `--${name}`).join(' and ')} can read standard input.`);
  const read = { ...given };
  for (const { name } of long) read[name] = await readText(context, String(given[name]), `--${name}`);
  return read;
}

/** What --data and --set hold. Throws UsageError for what is not a JSON object. */
export async function readBodyTexts(context: Context, flags: Input['flags']): Promise<BodyTexts> {
  const set = Array.isArray(flags.set) ? flags.set : [];
  if (typeof flags.data !== 'string') return { set };
  const data = parseDocument(await readText(context, flags.data, '--data'), '--data');
  if (!isMembers(data)) throw new UsageError('--data: give one JSON object.');
  return { data, set };
}

/** A JSON document out of a text. Throws UsageError naming `where`. */
export function parseDocument(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`${where}: not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
}

/** No text for a field or a body is longer than this, in bytes; a device that never ends must not fill the memory. */
const longestText = 16 * 1024 * 1024;

function readAtMost(path: string, most: number, where: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks, length);
      length += read;
      if (length > most) throw new UsageError(`${where}: the file is longer than ${most / 1024 / 1024} MiB.`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

function readNamed(path: string, shown: string, where: string): Uint8Array {
  try {
    return readAtMost(path, longestText, where);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new UsageError(`${where}: can't read ${shown} (${code}).`, { hint: `A text that begins with @ is written @@.` });
  }
}

function decode(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${where} is not valid UTF-8.`);
  }
}
