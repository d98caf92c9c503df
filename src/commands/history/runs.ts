// The runs of a service as its journal tells them: what was typed, what became of it, and what is left to do.

import { confirm } from '../../ask/confirm.ts';
import { runNamed } from '../../changes/undo/run-named.ts';
import type { Context } from '../../context.ts';
import { invalidValue, UsageError } from '../../errors.ts';
import type { Result, Shape } from '../../output/result.ts';
import type { Resource } from '../../resources/define.ts';
import { familyNamed } from '../../resources/index.ts';
import type { Journal } from '../../runs/journal/journal.ts';
import type { PastStep, Run, RunHeader, Tally } from '../../runs/journal/run.ts';
import { noSeed, ownCount, stateOf } from '../../seed/run.ts';
import { withJournal, withLock } from '../../session.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, keptId } from '../../values/parse.ts';
import { isMembers } from '../../values/paths.ts';
import { howMany } from '../../values/text/wording.ts';
import { dayAt, dayOf } from '../../values/time/days.ts';

interface RunRow {
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  readonly profile: string | null;
  readonly kind: string;
  readonly command: string;
  readonly did: string;
  readonly state: 'done' | 'unfinished' | 'cut off' | 'undone';
  readonly left: string | null;
}

const listShape: Shape = {
  name: 'runs',
  singular: 'run',
  title: 'command',
  columns: [
    { path: 'run', priority: 1 },
    { path: 'at', header: 'when', priority: 4 },
    { path: 'profile', priority: 6 },
    { path: 'command', priority: 5 },
    { path: 'did', priority: 2 },
    { path: 'left', priority: 3 },
  ],
  record: ['run', 'at', 'profile', 'kind', 'command', 'did', 'state', 'left'],
  types: { at: { kind: 'date', time: 'maybe' } },
};

/** All runs of the service: those that are to be gone on with first, then the newest. */
export async function listRuns(context: Context): Promise<Result> {
  const rows = await withJournal(context, (journal) => (journal === undefined ? [] : journal.runs().map((run) => rowOf(journal, run))));
  const data = [...rows.filter(({ state }) => state === 'unfinished'), ...rows.filter(({ state }) => state !== 'unfinished')];
  const notice = 'No runs yet. Imports, seeds, edits and changes of several records are runs.';
  return { kind: 'rows', data, shape: listShape, ...(data.length > 0 ? {} : { notice }) };
}

/** The runs of the service that were cut off and can be gone on with, the newest first, with the command that does it. */
export const unfinishedRuns = (context: Context): Promise<Pick<RunHeader, 'kind' | 'title' | 'command'>[]> =>
  withJournal(context, (journal) => {
    if (journal === undefined) return [];
    const headers = journal.runs().flatMap((run) => (standingOf(journal, run, run.header).state === 'unfinished' ? [run.header] : []));
    return headers.map((header) => ({ ...header, command: goOnCommand(header) }));
  });

const goOnCommand = ({ command, details }: RunHeader): string =>
  details.destroying === true ? command.replace(/^crm seed apply .* --run/, 'crm seed destroy --run') : command;

function rowOf(journal: Journal, run: Run): RunRow {
  const { header } = run;
  const { profile, typed } = header.details;
  return {
    run: header.name,
    at: header.began,
    profile: scalarText(profile) || null,
    kind: header.kind,
    command: scalarText(typed) || header.command,
    did: doneText(run.tally()),
    ...standingOf(journal, run, header),
  };
}

function standingOf(journal: Journal, run: Run, header: RunHeader): Pick<RunRow, 'state' | 'left'> {
  const { kind, details } = header;
  const undo = undoOf(journal, run);
  const isPart = undo !== undefined && (run.hasMade || undo.ended === undefined || details.undone_part === true);
  const goesOn = isPart && run.ended === undefined && details.mode === 'create';
  if (undo !== undefined && !goesOn) return { state: 'undone', left: `${isPart ? 'partly ' : ''}undone by ${undo.name}` };
  if (kind === 'seed' && details.destroying === true) {
    return stateOf(run) === 'destroyed'
      ? { state: 'undone', left: 'destroyed' }
      : { state: 'unfinished', left: `partly destroyed: ${goOnCommand(header)}` };
  }
  if (run.ended !== undefined) return { state: 'done', left: null };
  const wentOn = kind === 'undo' ? scalarText(journal.named(scalarText(details.undoes))?.details.undone_by) : '';
  if (wentOn !== '' && wentOn !== run.name) return { state: 'cut off', left: `cut off; ${wentOn} did the rest` };
  // The others end with their process: what is left has to be looked at anew.
  if (!['import', 'seed', 'undo'].includes(kind)) return { state: 'cut off', left: 'cut off; typed again, it does the rest' };
  return { state: 'unfinished', left: `unfinished: ${header.command}` };
}

/** The run that took this one back, unless it was taken back itself. */
function undoOf(journal: Journal, { details }: Run): Run | undefined {
  const name = scalarText(details.undone_by);
  const undo = name === '' ? undefined : journal.named(name);
  return undo === undefined || undoOf(journal, undo) !== undefined ? undefined : undo;
}

/** `399 leads changed, 3 leads unchanged, 1 failed` */
function doneText(tallies: readonly Tally[]): string {
  const done = tallies.filter(({ state }) => state === 'done').map(({ family, did, count }) => `${counted(family, count)} ${did}`);
  const sum = (some: readonly Tally[]): number => some.reduce((total, { count }) => total + count, 0);
  const conflicts = sum(tallies.filter(({ state, did }) => state === 'failed' && did !== undefined));
  const failed = sum(tallies.filter(({ state, did }) => state === 'failed' && did === undefined));
  const doubts = sum(tallies.filter(({ state }) => state === 'sent'));
  const open = sum(tallies.filter(({ state }) => state === 'intended'));
  const others = [
    conflicts > 0 ? `${conflicts} in conflict` : '',
    failed > 0 ? `${failed} failed` : '',
    doubts > 0 ? `${doubts} of unknown outcome` : '',
    open > 0 ? `${open} not sent` : '',
  ].filter(Boolean);
  return [...done, ...others].join(', ') || 'nothing';
}

function counted(family: string, count: number): string {
  const resource = familyNamed(family);
  return resource === undefined ? howMany(count, family) : howMany(count, resource.singular, resource.name);
}

const showShape: Shape = {
  columns: [
    { path: 'id', align: 'right' },
    { path: 'family', priority: 6 },
    { path: 'field' },
    { path: 'old' },
    { path: 'new' },
    { path: 'outcome' },
    { path: 'error' },
  ],
  record: ['id', 'family', 'field', 'old', 'new', 'outcome', 'error'],
};

interface ValueRow {
  readonly id: Id | null;
  readonly family: string;
  readonly field: string | null;
  readonly old: string | null;
  readonly new: string | null;
  readonly outcome: string;
  readonly error: string | null;
}

/** What a run changed, a row a value. Throws NotFoundError where the service has no such run. */
export async function showRun(context: Context, name: string): Promise<Result> {
  const data = await withJournal(context, async (journal) => {
    const run = await runNamed(context, journal, name);
    return [...run.past()].flatMap((step): ValueRow[] => {
      const { id, family, did, state, error } = step;
      const said = state === 'sent' ? 'unknown' : (did ?? 'failed');
      const row = { id: id === undefined ? null : keptId(id), family, outcome: said, error: error ?? null };
      const values = valuesOf(familyNamed(family), step);
      if (values.length === 0) return [{ ...row, field: null, old: null, new: null }];
      return values.map((value) => ({ ...row, ...value }));
    });
  });
  const isPlain = data.every(({ error }) => error === null);
  const columns = showShape.columns.filter(({ path }) => path !== 'error' || !isPlain);
  return { kind: 'rows', data, shape: { ...showShape, columns }, ...(data.length > 0 ? {} : { notice: `Run ${name} did nothing.` }) };
}

/** The values that a step overwrote, under the names of their flags. What is deleted is a record, and no value. */
function valuesOf(resource: Resource | undefined, { kind, before, body, after }: PastStep): Pick<ValueRow, 'field' | 'old' | 'new'>[] {
  if (resource === undefined || kind === 'delete' || kind === 'create') return [];
  const names = [...new Set([...Object.keys(before), ...(after === undefined ? [] : Object.keys(after))])];
  // What had no value before, and was not told afterwards.
  const sent = kind === 'update' ? [...body.keys()].filter((wire) => !names.includes(wire)) : [];
  return [...names, ...sent].map((name) => ({
    field: resource.fields.find(({ wire }) => wire === name)?.flag ?? name,
    old: textOf(before[name]),
    new: textOf(after === undefined ? (body.get(name) ?? body.get(name.replace(/\.id$/, ''))) : after[name]),
  }));
}

/** Sets as people write them: elements that are records go by their names. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (!Array.isArray(value)) return scalarText(value);
  return value.map((one: unknown) => scalarText(isMembers(one) ? (one.name ?? one.id) : one)).join('; ');
}

/** Forgets runs, once that is confirmed: those that are named, or all that ended so long ago. Throws UsageError, NotFoundError. */
export async function forgetRuns(context: Context, names: readonly string[], age: string | undefined): Promise<Result> {
  if (names.length > 0 === (age !== undefined)) throw new UsageError('Name the runs, or give --older-than.', { code: 'missing_value' });
  return withJournal(context, async (journal) => {
    const runs = age === undefined ? await runsNamed(context, journal, names) : olderThan(context, journal, age);
    const first = runs[0];
    if (journal === undefined || first === undefined) return { kind: 'text', notice: 'No run is as old as that.' };
    const which = runs.length === 1 ? `run ${first.name}` : `${runs.length} runs`;
    const open = runs.filter((run) => standingOf(journal, run, run.header).state === 'unfinished').length;
    const them = runs.length === 1 ? 'It' : 'They';
    const also = open === 0 ? '' : ` ${runs.length === 1 ? 'It is' : `${open} of them are`} unfinished.`;
    const question = `Forget ${which}?${also} ${them} can't be gone on with or undone any more; the records stay.`;
    const isGone = await forget(context, journal, runs, `forgetting ${which}`, question);
    return { kind: 'text', notice: isGone ? `Forgotten: ${which}.` : `Would forget ${which}.` };
  });
}

/** Forgets all runs of a seed's title, once that is confirmed: what it created stays. Throws NotFoundError where there is none. */
export async function forgetSeed(context: Context, title: string): Promise<Result> {
  const { baseUrl } = await context.settings();
  return withJournal(context, async (journal) => {
    const runs = (journal?.runs('seed') ?? []).filter(({ header }) => header.title === title);
    const latest = runs[0];
    if (journal === undefined || latest === undefined) throw noSeed(title, baseUrl);
    const count = ownCount(latest);
    const [stays, them] = count === 1 ? ['stays', 'it'] : ['stay', 'them'];
    const left = `The ${howMany(count, 'record')} that it created ${stays}`;
    const question = `Forget run "${title}"? ${left}, and nothing can destroy ${them} as a run any more.`;
    const isGone = await forget(context, journal, runs, `the end of run "${title}"`, question);
    return { kind: 'text', notice: isGone ? `Run "${title}" is forgotten.` : 'Nothing would be sent.' };
  });
}

/** Removes runs from the journal, once that is confirmed; false under --dry-run. `title`: as whoever waits for it is told. */
async function forget(context: Context, journal: Journal, runs: readonly Run[], title: string, question: string): Promise<boolean> {
  await confirm(context, question);
  if (context.flags.dryRun) return false;
  await withLock(context, journal.file.service, title, async () => {
    for (const run of runs) run.remove();
  });
  return true;
}

const runsNamed = (context: Context, journal: Journal | undefined, names: readonly string[]): Promise<Run[]> =>
  Promise.all([...new Set(names)].map((name) => runNamed(context, journal, name)));

/** What is unfinished, and seeds that stand, aren't forgotten by their age. */
function olderThan({ clock }: Context, journal: Journal | undefined, age: string): Run[] {
  const day = dayOf(`-${age}`, clock.now());
  if (!/^\d+[dwmy]$/.test(age) || day.startsWith('-')) throw invalidValue('--older-than', `"${age}" is no age such as 90d, 12w, 6m or 1y.`);
  return (journal?.runs() ?? []).filter((run) => {
    const { ended, header } = run;
    const isStanding = header.kind === 'seed' && stateOf(run) !== 'destroyed';
    return ended !== undefined && !isStanding && (dayAt(new Date(ended)) ?? '') <= day;
  });
}
