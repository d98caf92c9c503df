// Where the files of --rejects and --results may be: told before anything is sent, so that nothing of anybody else's is lost with them.

import { fstatSync, type Stats } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { systemCode, UsageError } from '../../errors.ts';
import { openDraft } from '../../files/durable-file.ts';
import type { Input } from '../../flag.ts';
import type { Run } from '../../runs/journal/run.ts';
import { hasHeader } from '../files/raw-row.ts';
import { formatByName } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import type { ImportPlan } from '../plan.ts';

/** What is wrong with the files of --rejects and --results must show before anything is sent. Throws UsageError. */
export async function checkOutputs(context: Context, plan: ImportPlan, source: Source, flags: Input['flags']): Promise<void> {
  const { rejects, results } = flags;
  if (results === '-') throw new UsageError('--results: standard output has the summary; name a file.');
  const isResumed = flags.resume === true;
  await checkOutput(context, plan, source, '--rejects', rejects, isResumed);
  await checkOutput(context, plan, source, '--results', results, isResumed);
  if (typeof rejects !== 'string' || typeof results !== 'string') return;
  if (await isSameFile(resolve(context.cwd, rejects), resolve(context.cwd, results))) {
    throw new UsageError('--results: that is the file of --rejects; name another one.');
  }
}

/** The files that are wanted, by the names that were typed. */
type Outputs = { readonly rejects?: string; readonly results?: string };
type OutputFlag = `--${keyof Outputs}`;

async function checkOutput(
  context: Context,
  plan: ImportPlan,
  source: Source,
  flag: OutputFlag,
  name: Input['flags'][string],
  isResumed: boolean,
): Promise<void> {
  if (typeof name !== 'string') return;
  checkName(plan, flag, name);
  const path = resolve(context.cwd, name);
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(`${flag}: files can't be written to ${dirname(path)}.`);
  });
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`${flag}: ${name} is not a file.`);
  if (source.path === undefined ? isStandardInput(facts) : await isSameFile(path, source.path)) {
    throw new UsageError(`${flag}: that is the file that is imported; name another one.`);
  }
  // Nothing is lost with an empty file. Whose file is there under --resume is known once the run is.
  if (facts !== undefined && facts.size > 0 && !isResumed) throw isThere(flag, name);
  if (flag !== '--results') return;
  // Failed rows are told on the screen, too: the results are the only account of all rows.
  const draft = await openDraft(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${name} can't be written (${systemCode(error) ?? 'unreadable'}).`, { cause: error });
  });
  await draft.drop();
}

const isThere = (flag: OutputFlag, name: string): UsageError =>
  new UsageError(`${flag}: ${name} is there already and is not overwritten; name a new file.`);

/** Notes in a run where its files are written. Throws UsageError for a file that is there and is not one of the run that goes on. */
export async function noteOutputs({ cwd }: Context, run: Run, outputs: Outputs): Promise<void> {
  const before: readonly unknown[] = Array.isArray(run.details.outputs) ? run.details.outputs : [];
  const paths = new Set(before);
  for (const flag of ['rejects', 'results'] as const) {
    const name = outputs[flag];
    if (name === undefined) continue;
    const path = resolve(cwd, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() && facts.size > 0 && !before.includes(path)) throw isThere(`--${flag}`, name);
    paths.add(path);
  }
  if (paths.size > before.length) run.keep({ outputs: [...paths] });
}

/** Imported again, the file must be read as what it is. */
function checkName({ format }: ImportPlan, flag: string, name: string): void {
  const written = hasHeader(format) ? 'csv' : 'ndjson';
  const read = formatByName(name) ?? written;
  if ((read === 'csv') === (written === 'csv')) return;
  throw new UsageError(`${flag}: the rows are written as ${written}, and ${name} would be read as ${read}; name it .${written}.`);
}

function isStandardInput(facts: Stats | undefined): boolean {
  const input = fstatSync(0);
  return facts !== undefined && facts.ino === input.ino && facts.dev === input.dev;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realName(one)) === (await realName(other));
}

const realName = (path: string): Promise<string> => realpath(path).catch(() => path);
