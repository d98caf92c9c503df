// The records that a run deleted, as the journal keeps them: `crm history show RUN --deleted`, and the commands that make them anew.

import { NotFoundError, UsageError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Members } from '../../base/values/paths.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import { firstOf } from '../../base/values/text/wording.ts';
import type { Answer } from '../../client/types.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import type { Journal } from '../../runs/journal/journal.ts';
import { deletedRecord, type Run } from '../../runs/journal/run.ts';
import type { Context } from '../../session/context.ts';
import { withJournal } from '../../session/engine.ts';
import { runNamed } from './run-named.ts';

/** The records of a family that a run deleted. */
interface Deleted {
  /** The records that the journal keeps whole, in the order of their deletes. */
  readonly records: Members[];
  /** The ids of records that the journal doesn't keep. */
  readonly others: string[];
}

/** The deleted records of a run, by family. */
function deletedIn(run: Run): ReadonlyMap<string, Deleted> {
  const all = new Map<string, Deleted>();
  for (const step of run.past({ state: 'done' })) {
    const record = deletedRecord(step);
    if (record === undefined && step.kind !== 'delete') continue;
    const own = all.get(step.family) ?? { records: [], others: [] };
    all.set(step.family, own);
    if (record === undefined) own.others.push(scalarText(step.id));
    else own.records.push(record);
  }
  return all;
}

/**
 * The records that a run deleted, whole. `family` is needed where the run deleted records of several families. Throws NotFoundError for an
 * unknown run, and for a run of which nothing is kept; UsageError.
 */
export async function deletedRecords(context: Context, name: string, family: string | undefined): Promise<Result> {
  return withJournal(context, async (journal) => {
    const run = await runNamed(context, journal, name);
    const all = deletedIn(run);
    const kept = [...all].flatMap(([one, { records }]) => (records.length > 0 ? [one] : []));
    const [chosen] = family === undefined ? kept : [family];
    if (family === undefined && kept.length > 1)
      throw new UsageError(`Run ${run.name} deleted records of several families: name one with --family.`, {
        code: 'missing_value',
        hint: kept.map((one) => `--family ${one}`).join('\n'),
      });
    const { records = [], others = [] } = (chosen === undefined ? undefined : all.get(chosen)) ?? {};
    const resource = familyNamed(chosen ?? '');
    const lacking = otherText(
      journal,
      run,
      others.length > 0 || family !== undefined ? others : [...all.values()].flatMap((one) => one.others),
    );
    if (records.length === 0 || resource === undefined)
      throw new NotFoundError(`Run ${run.name} keeps no deleted ${family ?? 'records'}.`, lacking === undefined ? {} : { hint: lacking });
    if (lacking !== undefined) await notice(context.io, context.flags, lacking);
    return { kind: 'records', pages: asOnePage(records), shape: resource, empty: () => '' };
  });
}

async function* asOnePage(data: unknown): AsyncGenerator<Answer> {
  yield { status: 200, data, envelope: { data } };
}

/** Says why records that a run deleted are not kept, and what makes them anew. Undefined when all are kept. */
function otherText(journal: Journal | undefined, run: Run, others: readonly string[]): string | undefined {
  if (others.length === 0) return undefined;
  const { undoes, destroyed } = run.details;
  const maker = journal?.named(scalarText(undoes ?? destroyed));
  const not = `Not kept: ${firstOf(others, mostIds)}`;
  if (maker === undefined) return `${not}. A record above 1 MB is not kept, and nothing is kept with --forget.`;
  const { details, command } = maker.header;
  const are = others.length === 1 ? 'it is' : 'they are';
  return `${not}, because ${are} as run ${maker.name} made ${others.length === 1 ? 'it' : 'them'}. The command again makes ${others.length === 1 ? 'it' : 'them'} anew: ${scalarText(details.typed) || command}`;
}

/** The most ids in a sentence. */
const mostIds = 10;

/** The commands that make the records anew that a run deleted, a sentence each. Empty for a run that keeps none. */
export function makeAnewTexts({ flags }: Pick<Context, 'flags'>, run: Run): string[] {
  const kept = [...deletedIn(run)].filter(([, { records }]) => records.length > 0);
  const crm = crmWith(flags.profile);
  return kept.flatMap(([family, { records }]) => {
    const file = `${family}.ndjson`;
    const ofFamily = kept.length > 1 ? ` --family ${family}` : '';
    const [what, ids] = records.length === 1 ? ['record', 'a new id'] : ['records', 'new ids'];
    return [
      `The deleted ${what} as a file: ${crm} history show ${run.name} --deleted${ofFamily} --out ${file}`,
      `This makes the ${what} anew, with ${ids}, without comments, proposals, notes and conversions: ${crm} ${family} import ${file}`,
    ];
  });
}
