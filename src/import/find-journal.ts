// The journal that belongs to an import: where it is, and whether the import may begin, go on, or has been done.

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { journalHeader } from '../runs/journal.ts';
import type { ImportPlan } from './plan.ts';
import { failedRowsWith, goOnWith, type ImportRequest } from './request.ts';
import {
  changedFile,
  type ImportHeader,
  type ImportIdentity,
  openRowJournal,
  type RowJournal,
  unwrittenJournal,
  unwrittenJournalAt,
} from './row-journal.ts';
import type { RowStates, Tally } from './row-states.ts';
import type { Checked } from './rows/check.ts';
import { differences, type Unfinished, unfinishedImport } from './unfinished.ts';

/**
 * The journal of this import, opened: a new one, or with --resume an unfinished one. Under --dry-run none is written, and
 * with --resume it goes on from what the journal tells. Throws UsageError and ConflictError.
 */
export async function findJournal(context: Context, request: ImportRequest, checked: Checked): Promise<RowJournal> {
  const { resume } = request;
  const { dryRun } = context.flags;
  if (dryRun && !resume) return unwrittenJournal(checked.rows);
  const header = await headerOf(context, request, checked);
  const folder = join(await context.dataDir(), 'journals');
  const path = request.journal === undefined ? join(folder, journalName(header)) : resolve(context.cwd, request.journal);
  await checkPlace(path);
  const isBegun = (await journalHeader(path)) !== undefined;
  if (!resume || !isBegun) await refuseBeside(folder, request, header, path);
  if (resume && !isBegun) throw nothingToResume(request, path);
  if (dryRun) return unwrittenJournalAt(path, header);
  const journal = await openRowJournal(path, header, (earlier) => !resume && mayBeRepeated(request.plan, earlier));
  const { states } = journal;
  if (resume || !states.hasBegun) return journal;
  await journal.close();
  throw states.settled === states.rows ? importedAlready(request, states.tally, path) : unfinished(request, states.settled, checked.rows);
}

/** Refuses what would double the rows of an unfinished import, and to resume what was another file then. */
async function refuseBeside(folder: string, request: ImportRequest, header: ImportHeader, path: string): Promise<void> {
  if (request.journal !== undefined) return;
  const other = await unfinishedImport(folder, header, (one, at) => at !== path && one.content === header.content);
  if (other !== undefined) throw unlikeUnfinished(request, other, header);
  if (!request.resume) return;
  const before = await unfinishedImport(folder, header, (one) => one.file === header.file && one.mode === header.mode);
  if (before !== undefined) throw changedFile(before.path, request.source.name);
}

function nothingToResume({ source }: ImportRequest, path: string): UsageError {
  return new UsageError(`There is no import of ${source.name} to resume.`, {
    hint: `Its journal would be ${path}. Without --resume the import begins.`,
  });
}

function unlikeUnfinished(request: ImportRequest, { path, header, settled }: Unfinished, own: ImportHeader): ConflictError {
  const { source } = request;
  const differing = differences(header, own).join(', ');
  const goOn =
    typeof header.command === 'string' ? `${goOnWith({ ...request, resumeCommand: header.command })}\n` : `Its journal: ${path}\n`;
  return new ConflictError(
    `An import of ${source.name} with other options (${differing}) is unfinished: ${settled} of ${own.rows} rows are done. Nothing was sent.`,
    { hint: `${goOn}To begin anew all the same, give --journal with the name of a new file.` },
  );
}

/** Whether an import is done, and doing it once more doubles nothing: it made no record, or would find those that it made. */
function mayBeRepeated({ match }: ImportPlan, { settled, rows, hasBegun, tally }: RowStates): boolean {
  return hasBegun && settled === rows && (tally.created === 0 || match?.kind === 'field');
}

async function checkPlace(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`--journal: ${path} is not a file.`);
}

function importedAlready(request: ImportRequest, tally: Tally, path: string): ConflictError {
  const counts = Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([did, count]) => `${count} ${did}`);
  const hints = [
    ...(tally.failed > 0 ? [failedRowsWith(request)] : []),
    `Its journal: ${path}`,
    `To import ${tally.failed > 0 ? 'all of it' : 'it'} once more all the same, give --journal with the name of a new file.`,
  ];
  return new ConflictError(`${request.source.name} was imported already: ${counts.join(', ')}. Nothing was sent.`, {
    hint: hints.join('\n'),
  });
}

function unfinished(request: ImportRequest, settled: number, rows: number): ConflictError {
  return new ConflictError(`An import of ${request.source.name} is unfinished: ${settled} of ${rows} rows are done.`, {
    hint: goOnWith(request),
  });
}

async function headerOf(context: Context, { plan, source, resumeCommand }: ImportRequest, checked: Checked): Promise<ImportHeader> {
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
    command: resumeCommand,
  };
}

function journalName({ content, service, profile, family, mode, settings }: ImportIdentity): string {
  const identity = createHash('sha256')
    .update(JSON.stringify([content, service, profile, family, mode, settings]))
    .digest('hex');
  return `${family}-${mode}-${identity.slice(0, 24)}.jsonl`;
}
