// The journal that belongs to an import: where it is, and whether the import may begin, go on, or has been done.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { ConflictError, UsageError } from '../errors.ts';
import type { Checked } from './check.ts';
import { journalEntries, journalHeader } from './journal.ts';
import type { ImportPlan } from './plan.ts';
import { goOnWith, type ImportRequest } from './request.ts';
import { changedFile, type ImportHeader, type ImportIdentity, openRowJournal, type RowJournal } from './row-journal.ts';
import type { RowStates, Tally } from './row-states.ts';

/** The journal of this import, opened: a new one, or with --resume an unfinished one. Throws UsageError and ConflictError. */
export async function findJournal(context: Context, request: ImportRequest, checked: Checked): Promise<RowJournal> {
  const { source, resume } = request;
  const header = await headerOf(context, request, checked);
  const folder = join(await context.dataDir(), 'journals');
  const path = request.journal === undefined ? join(folder, journalName(header)) : resolve(context.cwd, request.journal);
  await checkPlace(path);
  if (resume && (await journalHeader(path)) === undefined) {
    const changed = request.journal === undefined ? await unfinishedJournal(folder, header) : undefined;
    if (changed !== undefined) throw changedFile(changed, source.name);
    throw new UsageError(`There is no import of ${source.name} to resume.`, {
      hint: `Its journal would be ${path}. Without --resume the import begins.`,
    });
  }
  const journal = await openRowJournal(path, header, (earlier) => !resume && mayBeRepeated(request.plan, earlier));
  const { states } = journal;
  if (resume || !states.hasBegun) return journal;
  await journal.close();
  throw states.settled === states.rows ? importedAlready(request, states.tally, path) : unfinished(request, states.settled, checked.rows);
}

/** Whether an import is done, and doing it once more doubles nothing: it made no record, or would find those that it made. */
function mayBeRepeated({ match }: ImportPlan, { settled, rows, hasBegun, tally }: RowStates): boolean {
  return hasBegun && settled === rows && (tally.created === 0 || match?.kind === 'field');
}

async function checkPlace(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`--journal: ${path} is not a file.`);
}

function importedAlready({ source }: ImportRequest, tally: Tally, path: string): ConflictError {
  const counts = Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([did, count]) => `${count} ${did}`);
  return new ConflictError(`${source.name} was imported already: ${counts.join(', ')}. Nothing was sent.`, {
    hint: `Its journal: ${path}\nTo import it once more all the same, give --journal with the name of a new file.`,
  });
}

function unfinished(request: ImportRequest, settled: number, rows: number): ConflictError {
  return new ConflictError(`An import of ${request.source.name} is unfinished: ${settled} of ${rows} rows are done.`, {
    hint: goOnWith(request),
  });
}

async function headerOf(context: Context, { plan, source }: ImportRequest, checked: Checked): Promise<ImportHeader> {
  const { baseUrl, profile = null } = await context.settings();
  const { match, maps, clearBlanks, csvRaw, format } = plan;
  const matched = match?.kind === 'field' ? match.field.flag : (match?.kind ?? null);
  return {
    file: source.path ?? '-',
    service: baseUrl,
    profile,
    family: plan.resource.name,
    mode: plan.mode,
    settings: JSON.stringify({ format, match: matched, maps: [...maps].sort(), clearBlanks, csvRaw }),
    content: checked.content,
    rows: checked.rows,
    began: context.now().toISOString(),
  };
}

function journalName({ content, service, profile, family, mode, settings }: ImportIdentity): string {
  const identity = createHash('sha256')
    .update(JSON.stringify([content, service, profile, family, mode, settings]))
    .digest('hex');
  return `${family}-${mode}-${identity.slice(0, 24)}.jsonl`;
}

/** The journal of the same import before its file changed. */
async function unfinishedJournal(folder: string, header: ImportHeader): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const other = name.endsWith('.jsonl') ? await journalHeader(path) : undefined;
    const isSame =
      other !== undefined &&
      (['file', 'service', 'profile', 'family', 'mode'] as const).every((member) => other[member] === header[member]);
    if (isSame && !(await hasEnded(path))) return path;
  }
  return undefined;
}

async function hasEnded(path: string): Promise<boolean> {
  for await (const entry of journalEntries(path)) if ('end' in entry) return true;
  return false;
}
