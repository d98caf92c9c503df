// Reads a seed file from disk or standard input, and names its run.

import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readSmallFile, readStdin } from '../files/read-whole.ts';
import { parseSeedFile, type SeedFile } from './language/file.ts';
import { checkRun, runOfFile } from './run.ts';

/** Reads a seed file; `-` is standard input. Throws UsageError for a file that can't be read or is no seed file. */
export async function readSeedFile(context: Context, path: string): Promise<SeedFile> {
  if (path === '-') return parseSeedFile(await readStdin(context), 'standard input');
  return parseSeedFile(await readSmallFile(context, path), path);
}

/**
 * The name of a file's run: from --run, else from the file, else the file's own name. Throws UsageError for standard input without a name.
 */
export function runOf(path: string, file: SeedFile, flag: string | undefined): string {
  if (flag !== undefined) return checkRun(flag);
  if (file.run !== undefined) return checkRun(file.run);
  if (path !== '-') return runOfFile(path);
  throw new UsageError('Standard input has no name: say what the run is called with --run NAME, or run: NAME in the file.');
}
