// Checks the paths of --rejects and --results before anything is sent, so that no other file is overwritten.

import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode, UsageError } from '../../base/errors.ts';
import { openDraft } from '../../base/files/durable-file.ts';
import type { Input } from '../../base/flag.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Context } from '../../session/context.ts';
import { hasHeader } from '../files/raw-row.ts';
import { formatByName } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import type { ImportPlan } from '../plan.ts';

/** Checks the paths of --rejects and --results. Throws UsageError. */
export async function checkOutputs(context: Context, plan: ImportPlan, source: Source, flags: Input['flags']): Promise<void> {
  const { rejects, results } = flags;
  if (results === '-') throw new UsageError('--results: standard output has the summary; name a file.');
  await checkOutputPath(context, plan, source, '--rejects', rejects);
  await checkOutputPath(context, plan, source, '--results', results);
  if (typeof rejects !== 'string' || typeof results !== 'string') return;
  if (await isSameFile(resolve(context.cwd, rejects), resolve(context.cwd, results))) {
    throw new UsageError('--results: that is the file of --rejects; name another one.');
  }
}

/** The output files, by the names typed. */
type Outputs = { readonly rejects?: string; readonly results?: string };
type OutputFlag = `--${keyof Outputs}`;

async function checkOutputPath(
  context: Context,
  plan: ImportPlan,
  source: Source,
  flag: OutputFlag,
  name: Input['flags'][string],
): Promise<void> {
  if (typeof name !== 'string') return;
  checkName(plan, flag, name);
  const path = resolve(context.cwd, name);
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(`${flag}: files can't be written to ${dirname(path)}.`);
  });
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`${flag}: ${name} is not a file.`);
  if (source.path !== undefined && (await isSameFile(path, source.path)))
    throw new UsageError(`${flag}: that is the file that is imported; name another one.`);
  if (flag !== '--results') return;
  // Failed rows are also printed, but the results file is the only record of all rows.
  const draft = await openDraft(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${name} can't be written (${systemCode(error) ?? 'unreadable'}).`, { cause: error });
  });
  await draft.drop();
}

/** Notes the output paths in the run. Throws UsageError for a file with content that isn't the run's own. */
export async function noteOutputs({ cwd }: Context, run: Run, outputs: Outputs): Promise<void> {
  const before: readonly unknown[] = Array.isArray(run.details.outputs) ? run.details.outputs : [];
  const paths = new Set(before);
  for (const flag of ['rejects', 'results'] as const) {
    const name = outputs[flag];
    if (name === undefined) continue;
    const path = resolve(cwd, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isFile() && facts.size > 0 && !before.includes(path))
      throw new UsageError(`--${flag}: ${name} is there already and is not overwritten; name a new file.`);
    paths.add(path);
  }
  if (paths.size > before.length) run.keep({ outputs: [...paths] });
}

/** The extension must match the format of the rows, so that the file can be imported again. */
function checkName({ format }: ImportPlan, flag: string, name: string): void {
  const written = hasHeader(format) ? 'csv' : 'ndjson';
  const read = formatByName(name) ?? written;
  if ((read === 'csv') === (written === 'csv')) return;
  throw new UsageError(`${flag}: the rows are written as ${written}, and ${name} would be read as ${read}; name it .${written}.`);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  return (await realName(one)) === (await realName(other));
}

const realName = (path: string): Promise<string> => realpath(path).catch(() => path);
