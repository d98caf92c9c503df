// A seed file from the disk or standard input, and the run that it is applied as.

import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readSmallFile, readStdin } from '../files/read-whole.ts';
import { parseSeedFile, type SeedFile } from './language/file.ts';
import { checkRun, runOfFile } from './run.ts';

/** Reads a seed file; `-` is standard input. Throws UsageError when it can't be read, or is none. */
export async function readSeedFile(context: Context, path: string): Promise<SeedFile> {
  if (path === '-') return parseSeedFile(await readStdin(context), 'standard input');
  return parseSeedFile(await readSmallFile(context, path), path);
}

/** The run of a file: what --run says, what the file says, the file's name. Throws UsageError when nothing does. */
export function runOf(path: string, file: SeedFile, flag: string | undefined): string {
  if (flag !== undefined) return checkRun(flag);
  if (file.run !== undefined) return checkRun(file.run);
  if (path !== '-') return runOfFile(path);
  throw new UsageError('Standard input has no name: say what the run is called with --run NAME, or run: NAME in the file.');
}
