// Checks the paths of --rejects and --results before anything is sent, so that no other file is overwritten.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import { factsAt, tryFolder } from '../../base/files/output-place.ts';
import { pathIn } from '../../base/files/path-in.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Context } from '../../session/context.ts';
import { hasHeader, type ImportFormat } from '../files/raw-row.ts';
import { formatByName } from '../files/readers.ts';
import type { ImportRequest } from '../request.ts';

const outputs = ['rejects', 'results'] as const;

/** True for two spellings of a path: macOS tells names in another normal form of Unicode than they were typed in. */
const isSamePath = (one: string, other: string): boolean => one.normalize() === other.normalize();

/** Checks that the files can be written. Throws UsageError. */
export async function checkOutputs(context: Context, { job, ...named }: Pick<ImportRequest, 'job' | 'rejects' | 'results'>): Promise<void> {
  const { rejects, results } = named;
  if (results === '-') throw new UsageError('--results: standard output has the summary; name a file.');
  for (const output of outputs) {
    const name = named[output];
    if (name === undefined) continue;
    checkName(job.format, `--${output}`, name);
    const path = pathIn(context, name);
    const facts = await factsAt(`--${output}`, name, path);
    if (facts !== undefined && !facts.isFile()) throw new UsageError(`--${output}: ${name} is not a file.`);
    await tryFolder(`--${output}`, name, path);
  }
  if (rejects !== undefined && results !== undefined && isSamePath(pathIn(context, rejects), pathIn(context, results)))
    throw new UsageError('--results: --rejects names the same file; name another file.');
}

/**
 * Notes the output paths in the run. Throws UsageError for the imported file, and for a file with content that the run didn't write or that
 * somebody changed since.
 */
export async function noteOutputs(context: Context, run: Run, request: ImportRequest): Promise<void> {
  const before: readonly unknown[] = Array.isArray(run.details.outputs) ? run.details.outputs : [];
  const paths = new Set(before);
  for (const output of outputs) {
    const name = request[output];
    if (name === undefined) continue;
    const path = pathIn(context, name);
    const facts = await factsAt(`--${output}`, name, path);
    const isOwn = before.some((one) => typeof one === 'string' && isSamePath(one, path)) && !isSamePath(path, request.source.path ?? '');
    if (facts?.isFile() && facts.size > 0 && !isOwn)
      throw new UsageError(`--${output}: ${name} is there already and is not overwritten; name a new file.`);
    if (facts?.isFile() && facts.size > 0 && (await isChanged(run, path)))
      throw new UsageError(`--${output}: ${name} was changed since crm wrote it, and is not overwritten; name a new file.`, {
        ...(output === 'rejects' ? { hint: `To send the rows in ${name}: ${request.rejectsCommand(name)}` } : {}),
      });
    paths.add(path);
  }
  if (paths.size > before.length) run.keep({ outputs: [...paths] });
}

/** The digests of the output files as the run wrote them, by path. */
function writtenBy({ details }: Run): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(details.written) ? details.written : []);
}

/** Notes the content of an output file that was written, so that nobody's work in the file is overwritten later. */
export async function noteWritten(run: Run, path: string): Promise<void> {
  run.keep({ written: [...new Map([...writtenBy(run), [path, await fileDigestOf(path)]])] });
}

async function isChanged(run: Run, path: string): Promise<boolean> {
  const own = [...writtenBy(run)].find(([one]) => isSamePath(one, path));
  return own !== undefined && own[1] !== (await fileDigestOf(path));
}

async function fileDigestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('base64');
}

/** The format of an output file: by its name's ending, else as the rows of the import are. */
export function outputFormat(format: ImportFormat, name: string): 'csv' | 'xlsx' | 'ndjson' {
  const named = formatByName(name) ?? format;
  return named === 'csv' || named === 'xlsx' ? named : 'ndjson';
}

/** The extension must name a table for a table, and JSON for JSON, so that the file can be imported again. */
function checkName(format: ImportFormat, flag: string, name: string): void {
  if (/\.xls[^x]?$/i.test(name)) throw new UsageError(`${flag}: a workbook is written as .xlsx; name ${name} so.`);
  const isTable = hasHeader(format);
  if ((outputFormat(format, name) !== 'ndjson') === isTable) return;
  const own = isTable ? 'a table' : 'ndjson';
  const ending = !isTable ? '.ndjson' : format === 'csv' ? '.csv' : '.xlsx';
  throw new UsageError(`${flag}: the rows are written as ${own}, and ${name} would be read as ${formatByName(name)}; name it ${ending}.`);
}
