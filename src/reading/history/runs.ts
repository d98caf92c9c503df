// The runs in a service's journal as rows: the typed command, the outcome, and the command to go on.

import { invalidValue } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, parseId, storedId } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { dayAt } from '../../base/values/time/days.ts';
import { namedBy } from '../../base/values/value-type.ts';
import type { Column, Resource } from '../../model/define.ts';
import { type Difference, newOnly, plainDifference, saying } from '../../model/records/difference.ts';
import { familyNamed, resources, singularOf } from '../../model/resources/index.ts';
import { leadComment } from '../../model/resources/leads.ts';
import type { Drawing, Result, Shape } from '../../output/result.ts';
import { titleIn } from '../../output/subject.ts';
import type { Journal } from '../../runs/journal/journal.ts';
import { changeVerb, deletedRecord, type PastStep, type Run, type RunHeader } from '../../runs/journal/run.ts';
import { idInKey } from '../../runs/step.ts';
import { confirm } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { withJournal, withLock } from '../../session/engine.ts';
import { atWorkText, isAtWork } from '../../session/lock.ts';
import { type NameOf, namesById } from '../../session/names/run-names.ts';
import { isLookedAt } from '../list/list-facts.ts';
import { doneText, doneTogether, isLive } from './done-text.ts';
import { runNamed } from './run-named.ts';

interface RunRow {
  /** The name of the run. Empty for the single writes of a day. */
  readonly run: string;
  /** ISO 8601. */
  readonly at: string;
  readonly profile: string | null;
  readonly kind: string;
  /** The name of a seed; null for other runs. */
  readonly seed: string | null;
  readonly command: string;
  readonly did: string;
  readonly state: 'done' | 'unfinished' | 'cut off' | 'undone';
  readonly left: string | null;
}

const listShape: Shape = {
  name: 'runs',
  singular: 'run',
  title: 'run',
  columns: [
    { path: 'run', priority: 1 },
    { path: 'at', header: 'when', priority: 5 },
    { path: 'profile', priority: 8 },
    { path: 'seed', priority: 7 },
    { path: 'command', priority: 2 },
    { path: 'did', priority: 3, whole: true },
    { path: 'left', priority: 4, whole: true },
  ],
  record: ['run', 'at', 'profile', 'kind', 'seed', 'command', 'did', 'state', 'left'],
  types: { at: { kind: 'date', time: 'maybe' } },
};

/** Lists the runs: unfinished runs first, then the newest. On a terminal the single writes of a day share a row, unless `isAll`. */
export async function listRuns(context: Context, isAll: boolean, most: number): Promise<Result> {
  const isSeen = isLookedAt(context);
  const rows = await withJournal(context, (journal) =>
    journal === undefined ? [] : runRows(journal, { isWhole: isAll || !isSeen, isSeen }),
  );
  const all = [...rows.filter(({ state }) => state === 'unfinished'), ...rows.filter(({ state }) => state !== 'unfinished')];
  const data = all.slice(0, most);
  const notice = 'No runs yet. Imports, seeds, edits and changes of several records are runs. So are single writes on a terminal.';
  const isAnySeed = data.some(({ seed }) => seed !== null);
  const columns = listShape.columns.filter(({ path }) => path !== 'seed' || isAnySeed);
  const list = { kind: 'rows', shape: { ...listShape, columns }, isRead: true, askedFor: ['profile'] } as const;
  if (data.length === 0) return { ...list, data, notice };
  if (!isSeen) return { ...list, data, ...cutNotice(data, all, 'run') };
  // A command has no room in a column.
  const ways = data.slice(0, mostWays).flatMap(({ run, state, left }) => {
    const command = state === 'unfinished' && left?.startsWith(unfinished) ? left.slice(unfinished.length) : undefined;
    return command === undefined ? [] : [`To go on with ${run}: ${command}`];
  });
  const isAnyShared = data.some(({ run }) => run === '');
  const single = isAnyShared ? ['A line for each single write: crm history --all'] : [];
  const { notice: cut } = cutNotice(data, all, 'run');
  const shown = data.map((row) => ({ ...row, left: row.left?.startsWith(unfinished) ? 'unfinished' : row.left }));
  return { ...list, data: shown, lines: [...ways, ...single, ...(cut === undefined ? [] : [cut])] };
}

/** The most unfinished runs whose commands stand below the list. */
const mostWays = 3;
const unfinished = 'unfinished: ';

/** The notice of rows that --limit cut. */
function cutNotice(shown: readonly unknown[], all: readonly unknown[], noun: string): { readonly notice?: string } {
  if (shown.length === all.length) return {};
  return { notice: `${shown.length} of ${howMany(all.length, noun)}. More: --limit ${Math.min(2 * shown.length, all.length)}` };
}

const goOnCommand = ({ title, command, details }: RunHeader): string =>
  details.destroying === true ? `crm seed destroy --run ${title}` : command;

/**
 * A row for each run. Unless `isWhole`, the single writes of a day share a row in the place of the latest. `isSeen`: the rows are for a
 * terminal's table.
 */
function runRows(journal: Journal, { isWhole, isSeen }: { readonly isWhole: boolean; readonly isSeen: boolean }): RunRow[] {
  const rows = Map.groupBy(journal.runs(), (run) => {
    const { kind, began, name } = run.header;
    return kind === 'single' && !isWhole && !run.isFinal ? dayAt(new Date(began)) : name;
  });
  return [...rows.values()].flatMap((runs) => {
    const [latest] = runs.slice(0, 1).map((run) => runRow(journal, run, isSeen));
    if (latest === undefined) return [];
    const command = `${runs.length} single writes`;
    return [runs.length === 1 ? latest : { ...latest, run: '', command, did: doneTogether(runs), state: 'done', left: null }];
  });
}

function runRow(journal: Journal, run: Run, isSeen: boolean): RunRow {
  const { header } = run;
  const { profile, typed } = header.details;
  return {
    run: header.name,
    at: header.began,
    profile: scalarText(profile) || null,
    kind: header.kind,
    seed: header.kind === 'seed' ? header.title : null,
    command: scalarText(typed) || header.command,
    did: doneText(run, isSeen),
    ...runState(journal, run, header),
  };
}

function runState(journal: Journal, run: Run, header: RunHeader): Pick<RunRow, 'state' | 'left'> {
  const { kind, details } = header;
  const undo = undoOf(journal, run);
  const isPart =
    undo !== undefined && (run.hasMade || undo.ended === undefined || undo.counts().failed > 0 || details.undone_part === true);
  const goesOn = isPart && run.ended === undefined && details.mode === 'create';
  if (undo !== undefined && !goesOn)
    return isPart ? { state: 'done', left: `partly undone by ${undo.name}` } : { state: 'undone', left: `undone by ${undo.name}` };
  if (kind === 'seed' && details.destroying === true) {
    return isLive(run) ? { state: 'unfinished', left: `partly destroyed: ${goOnCommand(header)}` } : { state: 'undone', left: 'destroyed' };
  }
  if (run.ended !== undefined) return { state: 'done', left: kind !== 'undo' && run.isFinal ? "can't be taken back" : null };
  if (isAtWork(run)) return { state: 'unfinished', left: atWorkText(run) };
  const wentOn = kind === 'undo' ? scalarText(journal.named(scalarText(details.undoes))?.details.undone_by) : '';
  if (wentOn !== '' && wentOn !== run.name) return { state: 'cut off', left: `cut off; ${wentOn} did the rest` };
  if (changeVerb(header) === leadComment.verb) return { state: 'cut off', left: 'cut off: the command again would repeat its comments' };
  // Other kinds of runs can't be resumed: typing the command again does the rest.
  if (!['import', 'seed', 'undo'].includes(kind)) return { state: 'cut off', left: 'cut off: type the command again for the rest' };
  return { state: 'unfinished', left: `${unfinished}${header.command}` };
}

/** The run that undid this run, unless that run was undone too. */
function undoOf(journal: Journal, { details }: Run): Run | undefined {
  const name = scalarText(details.undone_by);
  const undo = name === '' ? undefined : journal.named(name);
  return undo === undefined || undoOf(journal, undo) !== undefined ? undefined : undo;
}

/** The shape of rows with these members. */
function shapeOf(record: readonly string[]): Shape {
  const looks: Record<string, Partial<Column>> = { id: { align: 'right' }, family: { priority: 6 }, at: { header: 'when' } };
  return { columns: record.map((path) => ({ path, ...looks[path] })), record, types: { at: { kind: 'date', time: 'maybe' } } };
}

/** Shows a run with a row for each value. `isFailed`: only the writes that did not succeed. Throws NotFoundError for an unknown run. */
export async function showRun(context: Context, name: string, isFailed: boolean, most: number): Promise<Result> {
  const nameOf = namesById(await context.names());
  const all = await withJournal(context, async (journal) => {
    const run = await runNamed(context, journal, name);
    const steps = [...run.past()].filter(({ state }) => !isFailed || state !== 'done');
    return steps.flatMap((step) => noted(step, nameOf).map((difference) => ({ step, difference })));
  });
  const shown = all.slice(0, most);
  const data = shown.map(({ step, difference }) => {
    const { family, error } = step;
    return { id: idOfStep(step), family, outcome: outcomeWord(step), error: error ?? null, ...plainDifference(difference) };
  });
  const shape = shapeOf(['id', 'family', 'field', 'old', 'new', 'outcome', 'error']);
  const isPlain = data.every(({ error }) => error === null);
  const columns = shape.columns.filter(({ path }) => path !== 'error' || !isPlain);
  const drawn = isFailed && data.length > 0 ? { drawn: { lines: failureLines(shown, context) } } : {};
  const nothing = isFailed ? `Nothing of run ${name} failed.` : `Run ${name} did nothing.`;
  return {
    kind: 'rows',
    data,
    shape: { ...shape, columns },
    isRead: true,
    ...drawn,
    ...(data.length > 0 ? cutNotice(data, all, 'row') : { notice: nothing }),
  };
}

interface NotedValue {
  readonly step: PastStep;
  readonly difference: Difference;
}

/** A line for each step, with its whole reason and the values that it would have written: `line 17  failed  Not Found. (value 3 -> 5)`. */
function failureLines(values: readonly NotedValue[], { io }: Context): Extract<Drawing, { lines: unknown }>['lines'] {
  return [...Map.groupBy(values, ({ step }) => step)].map(([step, ofStep]) => {
    const { key, family, error } = step;
    const id = idOfStep(step);
    const own = id === null || idInKey(singularOf(family), key) !== undefined ? '' : `${singularOf(family)} ${id}: `;
    const told = ofStep.filter(({ difference }) => difference.field !== '');
    const texts = told.map(({ difference }) => `${difference.field} ${saying(difference, io.symbols.arrow)}`);
    const [, word = key, number = ''] = /^([a-z]+) (\d+)$/.exec(key) ?? [];
    return {
      lead: [word, number, outcomeWord(step)],
      text: `${own}${error ?? ''}${texts.length === 0 ? '' : ` (${texts.join(', ')})`}`.trim(),
    };
  });
}

/** Shows what runs did to a record, the newest first. `typed`: `leads:719`. Throws InvalidValues. */
export async function showRecord(context: Context, typed: string, most: number): Promise<Result> {
  const [, noun = '', digits = ''] = /^([^:]*):(.*)$/s.exec(typed) ?? [];
  const resource = resources.find(({ name, singular }) => name === noun || singular === noun);
  if (resource === undefined) throw invalidValue('--record', `"${typed}" names no record: write it as leads:719.`);
  const id = parseId(digits, '--record');
  const nameOf = namesById(await context.names());
  const all = await withJournal(context, (journal) =>
    (journal?.runs() ?? []).flatMap((run) => {
      const writes = run.writesTo(resource.name, id).reverse();
      if (writes.length === 0) return [];
      const { name, began, details, command } = run.header;
      const row = { at: began, run: name, command: scalarText(details.typed) || command };
      return writes.flatMap((step) => noted(step, nameOf).map((one) => ({ ...row, outcome: outcomeWord(step), ...plainDifference(one) })));
    }),
  );
  const data = all.slice(0, most);
  const { notice: cut } = cutNotice(data, all, 'row');
  const what = `${data.length === 0 ? 'Nothing is noted of' : 'This is what crm on this machine did to'} ${resource.singular} ${id}`;
  const notice = `${what}. Single writes of scripts are not noted, and what others changed is not known here.${cut === undefined ? '' : ` ${cut}`}`;
  return { kind: 'rows', data, shape: shapeOf(['at', 'run', 'command', 'field', 'old', 'new', 'outcome']), notice, isRead: true };
}

const outcomeWord = ({ state, did }: PastStep): string => (state === 'sent' ? 'unknown' : (did ?? 'failed'));

/** The id of a step's record: of a write that was not sent, as its key names the record. */
function idOfStep({ id, key, family }: PastStep): Id | null {
  const own = id ?? idInKey(singularOf(family), key);
  return own === undefined ? null : storedId(own);
}

/** The values of a step for a report, at least one row. */
function noted(step: PastStep, nameOf: NameOf): readonly Difference[] {
  const values = overwrittenValues(familyNamed(step.family), step, nameOf);
  return values.length === 0 ? [newOnly('', '')] : values;
}

/** The values that a step overwrote, named by their flags. Empty for a create. Of a delete: the title. */
function overwrittenValues(resource: Resource | undefined, step: PastStep, nameOf: NameOf): Difference[] {
  const { kind, body, after } = step;
  if (resource === undefined || kind === 'create') return [];
  const before: Members = deletedRecord(step) === undefined ? step.before : titleIn(resource, step.before);
  // `comments` holds the ids of earlier comments, which are no value of the record.
  const { comments: _, ...values } = before;
  const names = [...new Set([...Object.keys(values), ...(after === undefined ? [] : Object.keys(after))])];
  // Sent values of which the journal holds neither the old nor the new value.
  const sent = kind === 'update' ? [...body.keys()].filter((wire) => !names.includes(wire)) : [];
  return [...names, ...sent].map((name) => {
    const field = resource.fields.find(({ wire, read }) => wire === name || read === name);
    const of = namedBy(field?.type);
    const textOf = (value: unknown): string => {
      const text = journalText(value);
      return (of === undefined ? undefined : nameOf(of, text)) ?? text;
    };
    return {
      field: field?.flag ?? name,
      old: textOf(before[name]),
      new: textOf(after === undefined ? (body.get(name) ?? body.get(name.replace(/\.id$/, ''))) : after[name]),
    };
  });
}

/** The text of a value. A set is joined by `; `, its records shown by name. */
function journalText(value: unknown): string {
  if (!Array.isArray(value)) return scalarText(value);
  return value.map((one: unknown) => scalarText(isMembers(one) ? (one.name ?? one.id) : one)).join('; ');
}

/** Forgets runs after a confirmation. `wait`: milliseconds to wait for a run at work. The name of a seed means all its runs. Throws NotFoundError for an unknown run. */
export async function forgetRuns(context: Context, names: readonly string[], wait: number): Promise<Result> {
  return withJournal(context, async (journal) => {
    const runs = await runsNamed(context, journal, names);
    const first = runs[0];
    if (journal === undefined || first === undefined) throw new Error('No run was named.');
    const which = names.length === 1 ? `run ${names[0]}` : `${runs.length} runs`;
    const open = runs.filter((run) => runState(journal, run, run.header).state === 'unfinished').length;
    const them = runs.length === 1 ? 'It' : 'They';
    const also = open === 0 ? '' : ` ${runs.length === 1 ? 'It is' : `${open} of them are`} unfinished.`;
    await confirm(context, `Forget ${which}?${also} ${them} can no longer be resumed or undone. The records stay.`);
    if (context.flags.dryRun) return { kind: 'text', notice: `Would forget ${which}.` };
    await withLock(context, { service: journal.file.service, title: `forgetting ${which}`, wait }, async () => {
      for (const run of runs) run.remove();
    });
    const isErased = journal.file.erase();
    const left = isErased
      ? ''
      : ' Another crm uses the journal, so parts may still be in its file: forget once more when that crm has ended.';
    return { kind: 'text', notice: `Forgotten: ${which}.${left}` };
  });
}

/** The runs with these names, each once. */
async function runsNamed(context: Context, journal: Journal | undefined, names: readonly string[]): Promise<Run[]> {
  const runs = new Map<string, Run>();
  for (const name of names) {
    const seeds = journal?.runs('seed', name) ?? [];
    const isId = journal?.named(name) !== undefined;
    for (const run of seeds.length === 0 || isId ? [await runNamed(context, journal, name)] : seeds) runs.set(run.name, run);
  }
  return [...runs.values()];
}
