// Where the files of --rejects and --results may be: told before anything is sent, so that nothing of anybody else's is lost with them.

import { fstatSync, type Stats } from 'node:fs';
import { access, constants, open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { systemCode, UsageError } from '../../errors.ts';
import { openDraft } from '../../files/durable-file.ts';
import type { Input } from '../../flag.ts';
import { rejectColumns } from '../columns/columns.ts';
import { hasHeader } from '../files/raw-row.ts';
import { formatByName } from '../files/readers.ts';
import type { Source } from '../files/source.ts';
import type { ImportPlan } from '../plan.ts';

/** What is wrong with the files of --rejects and --results must show before anything is sent. Throws UsageError. */
export async function checkOutputs(context: Context, plan: ImportPlan, source: Source, flags: Input['flags']): Promise<void> {
  const { rejects, results } = flags;
  if (results === '-') throw new UsageError('--results: standard output has the summary; name a file.');
  await checkOutput(context, plan, source, '--rejects', rejects);
  await checkOutput(context, plan, source, '--results', results);
  if (typeof rejects !== 'string' || typeof results !== 'string') return;
  if (await isSameFile(resolve(context.cwd, rejects), resolve(context.cwd, results))) {
    throw new UsageError('--results: that is the file of --rejects; name another one.');
  }
}

type OutputFlag = '--rejects' | '--results';

async function checkOutput(
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
  if (source.path === undefined ? isStandardInput(facts) : await isSameFile(path, source.path)) {
    throw new UsageError(`${flag}: that is the file that is imported; name another one.`);
  }
  if (facts !== undefined && facts.size > 0 && !(await isOfImport(flag, path))) {
    throw new UsageError(`${flag}: ${name} is there already and is no file that ${flag} wrote; name another one.`);
  }
  if (flag !== '--results') return;
  // Failed rows are told on the screen, too: the results are the only account of all rows.
  const draft = await openDraft(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${name} can't be written (${systemCode(error) ?? 'unreadable'}).`, { cause: error });
  });
  await draft.drop();
}

/** So much of a file tells what wrote it, in bytes. */
const beginning = 65_536;

/** What only the file of the flag has: the columns that it adds, at the end of a CSV header or of a line of JSON. */
const marks: Readonly<Record<OutputFlag, RegExp>> = {
  '--rejects': new RegExp(`^(?:.*[,;\\t])?${rejectColumns.join('[,;\\t]')}\\r?$|^\\{.*"_status":(?:null|\\d+),"_error":.*\\}$`, 'm'),
  '--results': /^(?:.*[,;\t])?_*id[,;\t]_*outcome[,;\t]_*error\r?$|^\{.*"_*outcome":"(?:[^"\\]|\\.)*","_*error":.*\}$/m,
};

/** Whether an import wrote the file for this flag, so that nothing of anybody else's is lost with it. */
async function isOfImport(flag: OutputFlag, path: string): Promise<boolean> {
  const file = await open(path).catch((error: unknown) => {
    throw new UsageError(`${flag}: ${path} can't be read (${systemCode(error) ?? 'unreadable'}); name another file.`);
  });
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(beginning), position: 0 });
    // Whatever the encoding, the names of the columns are plain letters.
    return marks[flag].test(
      buffer
        .toString('latin1', 0, bytesRead)
        .replaceAll('\0', '')
        .replace(/\r(?!\n|$)/g, '\n'),
    );
  } finally {
    await file.close();
  }
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
