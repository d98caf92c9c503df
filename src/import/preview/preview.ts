// Lists and counts the changes of an import with the code of the run, and asks at a terminal before the import. Sends nothing.

import { ConflictError, type CrmError, NotFoundError, RefusedError, UnconfirmedError, UsageError } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import { storedId } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { capitalised, howMany } from '../../base/values/text/wording.ts';
import type { Api } from '../../client/client.ts';
import type { Resource } from '../../model/define.ts';
import { titleField } from '../../model/identity.ts';
import type { Difference } from '../../model/records/difference.ts';
import type { PreviewRow } from '../../output/result.ts';
import { confirm } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import type { ImportJob } from '../job.ts';
import type { ImportRequest } from '../request.ts';
import { askedDigest, changeOf, differencesOf, type RowMatch, type RowWork, recordOfRow } from '../row-change.ts';
import type { Row } from '../rows/row.ts';

/** Makes the rows of a preview, and counts them. */
export class Preview {
  /** Rows of unknown outcome from an earlier run, which the list leaves out. */
  unknown = 0;
  /** Problems of the rows that would not be sent. */
  readonly causes = new Problems();
  /** The number of changes by field. */
  readonly fields = new Map<string, number>();
  readonly #job: ImportJob;
  readonly #counts = { would_create: 0, would_change: 0, unchanged: 0, conflict: 0, invalid: 0 };

  constructor(job: ImportJob) {
    this.#job = job;
  }

  /**
   * The change of a row. `describe`: the error in the words of the file. An error of the row becomes its outcome; other errors are thrown.
   */
  async rowOf(work: RowWork, row: Row, api: Api, describe: (error: CrmError) => string): Promise<PreviewRow> {
    const job = this.#job;
    let match: RowMatch = { kind: 'none' };
    const rowWith = (outcome: PreviewRow['outcome'], changes: readonly Difference[] = [], error: string | null = null): PreviewRow => {
      const { id, record } = match.kind === 'one' ? match : {};
      return {
        line: row.line,
        id: id === undefined ? null : storedId(String(id)),
        title: titleOfRow(job.resource, record, row.body),
        outcome,
        changes,
        error,
      };
    };
    try {
      match = await recordOfRow(work, row, api);
      const change = await changeOf(work, row, match, api);
      if (work.asked !== undefined) work.asked[row.number] = askedDigest(job, change);
      if (change.kind === 'unchanged') return rowWith('unchanged');
      if (change.kind === 'create') {
        const given = differencesOf(work, undefined, change.body, change.extras);
        return rowWith(
          'would_create',
          given.toSorted((a, b) => doubtOf(job.resource, a) - doubtOf(job.resource, b)),
        );
      }
      const { record, given, extras, conflict } = change;
      const changes = differencesOf(work, record, given, extras);
      return conflict === undefined ? rowWith('would_change', changes) : rowWith('conflict', changes, conflict.message);
    } catch (error) {
      const isOfRow = [UsageError, NotFoundError, ConflictError, UnconfirmedError, RefusedError].some((one) => error instanceof one);
      if (isOfRow) return rowWith('invalid', [], describe(error as CrmError));
      throw error;
    }
  }

  /** Counts a row of the list. */
  add({ outcome, changes, line, error }: PreviewRow): void {
    this.#counts[outcome] += 1;
    if (error !== null) this.causes.addOfRow({ line }, error);
    if (outcome === 'would_change') for (const { field } of changes) this.fields.set(field, (this.fields.get(field) ?? 0) + 1);
  }

  get counts() {
    const rows = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const { conflict, invalid, ...others } = this.#counts;
    return { rows, ...others, conflicts: conflict, invalid, unknown: this.unknown };
  }
}

/** The order of a new record's values: numbers and days first, which could be read in two ways, then names and sets, then plain texts. */
function doubtOf({ fields }: Resource, { field }: Difference): number {
  const kind = fields.find(({ flag }) => flag === field)?.type.kind;
  if (kind === 'decimal' || kind === 'integer' || kind === 'date') return 0;
  return kind === 'text' || kind === 'email' ? 2 : 1;
}

function titleOfRow(resource: Resource, record: unknown, body: Row['body']): string | null {
  const { title } = resource;
  const now = title === undefined ? '' : scalarText(valueAt(record, title));
  const wire = titleField(resource)?.wire;
  const inRow = wire === undefined ? '' : scalarText(body.get(wire));
  return now || inRow || null;
}

/** The most fields in a sentence. */
const mostFields = 6;

/** The changes in sentences: `Would change 10 of 44 leads: phone 9, value 1. 33 unchanged.` */
export function previewText(resource: Resource, { counts, fields }: Preview): string {
  const { rows, would_create: creates, would_change: changes } = counts;
  const done = creates + changes === 0 ? 'Nothing would be sent' : `Would ${toSendText(resource, counts, rows)}`;
  const others = restText(counts);
  const byCount = [...fields].toSorted(([, a], [, b]) => b - a);
  const named = byCount.slice(0, mostFields).map(([field, count]) => `${field} ${count}`);
  const more = byCount.length > mostFields ? ` and ${byCount.length - mostFields} more fields` : '';
  return `${done}${named.length === 0 ? '' : `: ${named.join(', ')}${more}`}.${others === '' ? '' : ` ${others}.`}`;
}

/** `create 1 lead and change 10`, `change 10 of 44 leads`. `of`: the number of all rows. Default: those that are sent. */
function toSendText(
  { name, singular }: Resource,
  { would_create: creates, would_change: changes }: Preview['counts'],
  of = creates + changes,
): string {
  const isAll = creates + changes === of;
  if (creates > 0 && changes > 0)
    return `create ${howMany(creates, singular, name)} and change ${changes}${isAll ? '' : `, of ${of} rows`}`;
  return `${creates > 0 ? 'create' : 'change'} ${creates + changes}${isAll ? '' : ` of ${of}`} ${of === 1 ? singular : name}`;
}

/** The number of example rows in a question. */
const mostExamples = 3;

/**
 * True when a person at a terminal is asked before sending. In mode create, a resumed import was agreed to when it began, and --again asks
 * its own question.
 */
export function asksFirst(context: Context, { job, resume, again }: ImportRequest): boolean {
  const { yes, dryRun } = context.flags;
  if (dryRun || (job.mode === 'create' && (resume || again))) return false;
  return !yes && canAsk(context);
}

/**
 * Shows the counts of new and changed records and the first rows, and asks. The run compares the records again before it writes. Throws
 * UnconfirmedError.
 */
export async function confirmRows(
  context: Context,
  { job }: ImportRequest,
  preview: Preview,
  rows: AsyncIterable<readonly PreviewRow[]>,
): Promise<void> {
  const examples: PreviewRow[] = [];
  for await (const some of rows) {
    const told = some.filter(({ outcome }) => outcome !== 'unchanged');
    examples.push(...told.slice(0, mostExamples - examples.length));
  }
  const { rows: count, unchanged, would_create: creates, would_change: changes } = preview.counts;
  if (creates + changes === 0) return;
  const { writeExamples } = await import('../../output/differences.ts');
  const { singular } = job.resource;
  const sentence = previewText(job.resource, preview);
  await writeExamples(context.io, { sentence, examples, singular, hasMore: count - unchanged > examples.length });
  await confirm(context, `${capitalised(toSendText(job.resource, preview.counts))}?`);
}

/** The counts of rows that would not be sent. */
export function restText({ unchanged, conflicts, invalid }: Pick<Preview['counts'], 'unchanged' | 'conflicts' | 'invalid'>): string {
  return [
    unchanged > 0 ? `${unchanged} unchanged` : '',
    conflicts > 0 ? `${howMany(conflicts, 'was', 'were')} changed since the file was written` : '',
    invalid > 0 ? `${howMany(invalid, 'is', 'are')} invalid` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
