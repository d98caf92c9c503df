// Whether an import may begin, goes on, or was done already: by the rows that earlier runs of the same service have done
// or in doubt. A file may be mended, saved again or split in between; equal rows are counted.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Api } from '../api/client.ts';
import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import { ConflictError, NotFoundError, UsageError } from '../errors.ts';
import { notice } from '../output/streams/notice.ts';
import { journalFolder, journalPath, journals, serviceAddress } from '../runs/folder.ts';
import { Journal, type JournalRecord, type RunHeader } from '../runs/journal.ts';
import { isThere, survey } from '../runs/survey.ts';
import { failedRowsWith, goOnWith, type ImportRequest, progressText, withInput } from './request.ts';
import type { Overlap, Scratch } from './scratch.ts';

/** What the check of a file told. */
export interface Checked {
  readonly rows: number;
  readonly scratch: Scratch;
}

/** An earlier import of rows of this file. */
interface Earlier {
  readonly path: string;
  readonly header: RunHeader;
  readonly ended: string | undefined;
  readonly overlap: Overlap;
  readonly isSameService: boolean;
  /** Whether some of what it made is there. */
  readonly isThere: boolean;
  /** Whether it did rows, or has them in doubt, that aren't among this file's as they are read now, with another mapping. */
  readonly isRetold: boolean;
  /** Whether it was of a file of the same name with as many rows. */
  readonly isSameFile: boolean;
}

/** Whether a row creates without looking for its record: such rows must not be sent twice. */
export function isGuarded({ plan }: ImportRequest, row: { readonly key?: string }): boolean {
  return plan.mode === 'create' || (plan.mode === 'upsert' && row.key === undefined);
}

/** Whether there are journals to compare the rows with. */
export async function hasEarlier(context: Context, { journal }: ImportRequest): Promise<boolean> {
  const folder = journalFolder(await context.dataDir());
  return journal !== undefined || (existsSync(folder) && readdirSync(folder).some((name) => name.includes('-import-')));
}

/**
 * The journal of this import: a new one, or with --resume that of an unfinished one. Under --dry-run it is in memory.
 * Throws UsageError and ConflictError.
 */
export async function beginImport(context: Context, request: ImportRequest, { rows, scratch }: Checked, api: Api): Promise<Journal> {
  const { plan, source, resume } = request;
  const { baseUrl, profile = null } = await context.settings();
  const folder = journalFolder(await context.dataDir());
  const header: RunHeader = {
    kind: 'import',
    title: source.name,
    service: serviceAddress(baseUrl),
    began: context.clock.now().toISOString(),
    command: request.resumeCommand,
    details: { family: plan.resource.name, mode: plan.mode, profile, base_url: baseUrl, reading: request.reading },
  };
  const named = request.journal === undefined ? undefined : resolve(context.cwd, request.journal);
  if (named !== undefined) checkPlace(named);
  const damaged = (error: ConflictError): void => void notice(context.io, context.flags, error.message, 'warning');
  const others = named !== undefined && existsSync(named) ? journalAt(named) : journals(folder, undefined, damaged);
  const earlier = await earlierImports(context, header, others, { rows, scratch }, api);
  if (resume) return resumed(context, request, rows, scratch, chosen(request, scratch.rows, earlier, named));
  if (request.again) await confirm(context, againQuestion(request, earlier));
  else await refuseDouble(context, request, scratch.rows, earlier);
  if (named !== undefined && existsSync(named)) throw journalInUse(named);
  if (context.flags.dryRun || request.isEdit) return Journal.create(undefined, header, context.clock);
  return Journal.create(
    named ?? journalPath(folder, header.service, 'import', `${plan.resource.name}-${plan.mode}`, context.clock.now()),
    header,
    context.clock,
  );
}

function checkPlace(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts !== undefined && !facts.isFile()) throw new UsageError(`--journal: ${path} is not a file.`);
}

function journalInUse(path: string): ConflictError {
  return new ConflictError(`${path} is the journal of another import.`, {
    hint: 'Name a new file with --journal, or go on with it: --resume.',
  });
}

/** One journal, open while it is looked at. */
function* journalAt(path: string): Generator<Journal> {
  const journal = Journal.open(path, 'read');
  try {
    yield journal;
  } finally {
    journal.close();
  }
}

/** The imports into the family that had rows of this file. Throws what reading the service throws. */
async function earlierImports(
  context: Context,
  own: RunHeader,
  others: Iterable<Journal>,
  { rows, scratch }: Checked,
  api: Api,
): Promise<Earlier[]> {
  const found: Earlier[] = [];
  for (const journal of others) {
    const { header, path = '', ended } = journal;
    if (header.kind !== 'import' || header.details.family !== own.details.family) continue;
    const overlap = scratch.overlapWith(journal);
    const isRetold = isReadOtherwise(own, journal, overlap);
    const isAlone = overlap.done + overlap.doubts + overlap.failed + overlap.intended === 0;
    const isSameFile = header.title === own.title && isOfRows(journal, rows);
    if (isAlone && (!isRetold || header.title !== own.title || (ended !== undefined && !isSameFile))) continue;
    const isSameAddress = header.service === own.service;
    const isAny = await isAnyThere(api, journal, isSameAddress, context.signal);
    found.push({ path, header, ended, overlap, isSameService: isSameAddress || isAny, isThere: isAny, isRetold, isSameFile });
  }
  return found;
}

function isOfRows(journal: Journal, rows: number): boolean {
  const { done, failed, doubts } = journal.counts();
  return done + failed + doubts === rows;
}

/** So many records of an earlier run tell whether it was this service, and was not reset since. */
const mostProbes = 3;

/** Whether some of what a run made is there. Without the time of their creation ids tell only at the same address. */
async function isAnyThere(api: Api, journal: Journal, isSameAddress: boolean, signal: AbortSignal): Promise<boolean> {
  const probes: JournalRecord[] = [];
  const ids: JournalRecord[] = [];
  for (const record of journal.records()) {
    if (!record.own || !record.sure) continue;
    if (record.created !== undefined && probes.length < mostProbes) probes.push(record);
    else if (ids.length < mostProbes) ids.push(record);
    if (probes.length === mostProbes) break;
  }
  for await (const { standing } of survey(api, probes, signal)) if (standing === 'own' || standing === 'changed') return true;
  if (probes.length > 0 || !isSameAddress) return false;
  for (const { family, id } of ids) if (await isThere(api, family, id)) return true;
  return ids.length === 0 && journal.counts().done + journal.counts().doubts > 0;
}

/**
 * The import that --resume means: the unfinished one; else the finished one that has the most of this file, the latest
 * of equal ones. Throws UsageError and ConflictError where there is none, or more than one.
 */
function chosen(request: ImportRequest, rows: number, earlier: readonly Earlier[], named: string | undefined): Earlier {
  const { source, plan } = request;
  const there = earlier.filter(({ isSameService }) => isSameService);
  const alike = there.filter(({ header }) => header.details.mode === plan.mode);
  const unfinished = alike.filter(({ ended, overlap }) => ended === undefined && overlap.done + overlap.doubts > 0);
  if (unfinished.length > 1) {
    const paths = unfinished.map(({ path }) => `  ${path}`).join('\n');
    throw new ConflictError(`${unfinished.length} unfinished imports have rows of ${source.name}. Nothing was sent.`, {
      code: 'run_unfinished',
      hint: `Say with --journal which one is meant:\n${paths}`,
    });
  }
  const weight = ({ overlap }: Earlier): number => overlap.done + overlap.failed + overlap.intended;
  const best = unfinished[0] ?? alike.toReversed().toSorted((a, b) => weight(b) - weight(a))[0];
  if (best === undefined) {
    const other = there.find(({ ended, overlap }) => ended === undefined && overlap.done + overlap.doubts > 0);
    if (other !== undefined) throw unfinishedError(request, rows, other);
    throw new UsageError(`There is no import of ${source.name} to resume${named === undefined ? '' : ` in ${named}`}.`, {
      hint: `No import into the ${plan.resource.name} of this service in mode ${plan.mode} had rows of it. Without --resume the import begins.`,
    });
  }
  if (best.overlap.done > 0 && !best.isThere) {
    throw new ConflictError(`Nothing of what the import of ${best.header.title} made is there any more, so it can't be gone on with.`, {
      hint: 'If the service was reset, begin anew: the same command without --resume.',
    });
  }
  if (best.isRetold) throw otherMapping(best);
  return best;
}

/** Whether rows of an earlier run may come out otherwise now: they are known by their values. */
function isReadOtherwise({ details }: RunHeader, journal: Journal, overlap: Overlap): boolean {
  const before = journal.header.details.reading;
  if (details.mode === 'update' || typeof before !== 'string' || before === details.reading) return false;
  const { done, doubts } = journal.counts();
  return overlap.done + overlap.doubts < done + doubts;
}

const otherMapping = ({ header }: Earlier): ConflictError =>
  new ConflictError(
    `The import of ${header.title} began with another mapping, so rows that are done would be sent again. Nothing was sent.`,
    {
      code: 'run_unfinished',
      hint: `Go on as it began: ${header.command}\n${onPurpose}`,
    },
  );

/** Opens the journal of an earlier run for this file as it is now. */
function resumed(context: Context, request: ImportRequest, rows: number, scratch: Scratch, { path }: Earlier): Journal {
  const journal = Journal.open(path, context.flags.dryRun ? 'copy' : 'write', context.clock);
  followFile(journal, rows, scratch);
  decide(request, journal);
  return journal;
}

/**
 * Gives the steps the numbers that their rows have in the file now. What was done or may have been sent and is no longer
 * in the file is kept behind the last row; what failed and was mended is a new row.
 */
function followFile(journal: Journal, rows: number, scratch: Scratch): void {
  const numbers = new Map<number, { n: number; key: string }>();
  for (const { row, line, step } of scratch.pairsWith(journal)) numbers.set(step, { n: row, key: `line ${line}` });
  let isSame = true;
  let last = Math.max(rows, journal.highest);
  for (const { n, key, state } of journal.steps()) {
    const now = numbers.get(n);
    if (now !== undefined && now.n === n && now.key === key) continue;
    isSame = false;
    if (now === undefined && (state === 'done' || state === 'sent')) {
      last += 1;
      numbers.set(n, { n: last, key });
    }
  }
  if (!isSame) journal.renumber(numbers);
}

/** Takes a person's word for rows of which nobody can tell. Throws UsageError for what can't be: then nothing is noted. */
function decide({ sendAgain, arrived, plan }: ImportRequest, journal: Journal): void {
  const doubts = new Map([...journal.untolds()].map(({ n, key }) => [key, n]));
  const stepAt = (line: number, flag: string): number => {
    const n = doubts.get(`line ${line}`);
    if (n === undefined)
      throw new UsageError(`${flag}: line ${line} is not in doubt.`, { hint: 'Lines are those that the messages name.' });
    return n;
  };
  const again = sendAgain.map((line) => stepAt(line, '--send-again'));
  const done = [...arrived].map(([line, id]) => ({ n: stepAt(line, '--arrived'), id }));
  const { name: family, singular } = plan.resource;
  for (const [id, key] of journal.makersOf(family, [...arrived.values()].map(String)))
    throw new UsageError(`--arrived: ${key} made the ${singular} ${id}.`);
  for (const n of again) journal.unsent(n);
  for (const { n, id } of done) journal.done(n, 'created', [{ family, id, sure: true, own: true }]);
  journal.flush();
}

/** Throws NotFoundError when a record that is said to have arrived is not there. */
export async function checkArrived(api: Api, { arrived, plan }: ImportRequest): Promise<void> {
  for (const [line, id] of arrived) {
    if (await isThere(api, plan.resource.name, id)) continue;
    throw new NotFoundError(`--arrived: there is no ${plan.resource.singular} ${id}, which line ${line} is said to have made.`);
  }
}

/** Refuses to create what an earlier run has created, or may have. `rows`: how many would be created. Throws ConflictError. */
async function refuseDouble(context: Context, request: ImportRequest, rows: number, earlier: readonly Earlier[]): Promise<void> {
  for (const one of earlier.filter(({ isSameService }) => isSameService)) {
    const { done, doubts } = one.overlap;
    if (done > 0 && !one.isThere) continue;
    if (one.ended === undefined && one.isRetold && one.isThere) throw otherMapping(one);
    if (one.ended === undefined && done + doubts > 0) throw unfinishedError(request, rows, one);
    if (one.ended !== undefined && done * 2 > rows) throw importedAlready(request, rows, one);
    if (one.ended !== undefined && one.isRetold && one.isSameFile && one.isThere) throw importedOtherwise(one);
  }
  const elsewhere = earlier.find(({ isSameService, overlap }) => !isSameService && overlap.done > 0);
  if (elsewhere === undefined) return;
  const { header, overlap } = elsewhere;
  const day = header.began.slice(0, 10);
  await notice(
    context.io,
    context.flags,
    `${overlap.done} of ${rows} rows were imported into ${header.details.base_url} on ${day}; this is another service.`,
  );
}

function unfinishedError(request: ImportRequest, rows: number, { header, overlap }: Earlier): ConflictError {
  const told = progressText(overlap.done, rows, overlap.doubts);
  const isOther = header.details.mode !== request.plan.mode;
  return new ConflictError(`An import of ${header.title} is unfinished: ${told}. Nothing was sent.`, {
    code: 'run_unfinished',
    hint: [isOther ? `Go on with: ${header.command}` : goOnWith(request), onPurpose].join('\n'),
  });
}

function importedAlready(request: ImportRequest, rows: number, { path, header, overlap }: Earlier): ConflictError {
  const { source } = request;
  const { done, failed } = overlap;
  const day = header.began.slice(0, 10);
  const others = done + failed < rows ? [`The other rows alone${withInput(request) || ' with'}: ${request.resumeCommand}`] : [];
  return new ConflictError(`${source.name} was imported already: ${done} of ${rows} rows were created on ${day}. Nothing was sent.`, {
    code: 'already_imported',
    hint: [...(failed > 0 ? [failedRowsWith(request)] : others), `Its journal: ${path}`, onPurpose].join('\n'),
  });
}

const importedOtherwise = ({ path, header }: Earlier): ConflictError =>
  new ConflictError(`${header.title} was imported already, with another mapping, on ${header.began.slice(0, 10)}. Nothing was sent.`, {
    code: 'already_imported',
    hint: [`Its journal: ${path}`, onPurpose].join('\n'),
  });

const onPurpose = 'To create the rows once more on purpose, add --again.';

function againQuestion({ source, plan }: ImportRequest, earlier: readonly Earlier[]): string {
  const done = Math.max(0, ...earlier.filter(({ isSameService }) => isSameService).map(({ overlap }) => overlap.done));
  return `Create the ${plan.resource.name} of ${source.name} once more? ${done} of its rows were created before.`;
}
