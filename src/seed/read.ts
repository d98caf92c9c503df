// A seed file from the disk or standard input, and the run that it is applied as.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { parseSeedFile, type SeedFile } from './file.ts';
import { checkRun, runOfFile } from './ledger.ts';

/** Reads a seed file; `-` is standard input. Throws UsageError when it can't be read, or is none. */
export async function readSeedFile(context: Context, path: string): Promise<SeedFile> {
  const shown = path === '-' ? 'standard input' : path;
  const bytes = path === '-' ? await context.io.stdin.readAll() : await bytesOf(context, path);
  return parseSeedFile(textOf(bytes, shown), shown);
}

async function bytesOf({ cwd }: Context, path: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new UsageError(`${path} can't be read (${code}).`);
  }
}

function textOf(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${shown} is not valid UTF-8.`);
  }
}

/** The run of a file: what --run says, what the file says, the file's name. Throws UsageError when nothing does. */
export function runOf(path: string, file: SeedFile, flag: string | undefined): string {
  if (flag !== undefined) return checkRun(flag);
  if (file.run !== undefined) return checkRun(file.run);
  if (path !== '-') return runOfFile(path);
  throw new UsageError('Standard input has no name: say what the run is called with --run NAME, or run: NAME in the file.');
}
