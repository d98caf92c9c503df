// What an import would do, row by row and summed up. The rows come from a run that keeps its writes back; here it is kept what is known of
// each until it has its outcome, then they are put into the file's order, and counted.

import type { NameOf } from '../../names/run-names.ts';
import type { NamedDifference, PreviewRow } from '../../output/result.ts';
import type { Resource } from '../../resources/define.ts';
import type { Outcome } from '../../runs/step.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { howMany } from '../../values/text/wording.ts';
import type { Named } from '../../values/value-type.ts';
import type { ExtraWrite } from '../columns/extras.ts';
import type { ImportPlan } from '../plan.ts';
import type { RowQueue } from '../row-queue.ts';
import type { Row } from '../rows/row.ts';
import { changesOf, type FieldChange } from './changes.ts';

/** What a dry run makes of rows: the outcomes of a run as what they would be. What was done before has none. */
const outcomes: Readonly<Record<string, PreviewRow['outcome']>> = {
  created: 'would_create',
  updated: 'would_change',
  unchanged: 'unchanged',
};

/** What would be done, in numbers. */
export interface PreviewCounts {
  readonly rows: number;
  readonly would_create: number;
  readonly would_change: number;
  readonly unchanged: number;
  readonly conflicts: number;
  readonly invalid: number;
}

/** What is known of a row before it is sent. */
interface FoundRow {
  /** The record that it changes or leaves alone; absent for one that it creates. */
  readonly id?: Id;
  /** What the record is called, where the list told. */
  readonly title?: string;
  /** The record as it was read just now; absent where the list told enough. */
  readonly record?: unknown;
  /** What the row gives of the body. */
  readonly given: Body;
  /** What is written beside the body. */
  readonly extras?: readonly ExtraWrite[];
}

/** Takes in rows as they are decided, and gives them in the order in which they were taken up. */
export class Preview {
  readonly #plan: ImportPlan;
  readonly #out: Pick<RowQueue, 'room' | 'put'>;
  readonly #nameOf: NameOf;
  readonly #underWay = new Map<number, { readonly row: Row; readonly found: FoundRow }>();
  /** Rows that were taken up, in their order. */
  readonly #order = new Set<number>();
  readonly #decided = new Map<number, PreviewRow | undefined>();
  readonly #counts = { would_create: 0, would_change: 0, unchanged: 0, conflict: 0, invalid: 0 };
  readonly #fields = new Map<string, number>();

  constructor(plan: ImportPlan, nameOf: NameOf, out: Pick<RowQueue, 'room' | 'put'>) {
    this.#plan = plan;
    this.#nameOf = nameOf;
    this.#out = out;
  }

  /** A row is taken up, or taken up anew before it has its outcome. Resolves once there is room for it; rejects to end the run. */
  async begins(row: Row): Promise<void> {
    this.isAbout(row, { given: row.body });
    if (this.#order.has(row.number)) return;
    this.#order.add(row.number);
    await this.#out.room();
  }

  /** What a row is about is known, and nothing of it is sent yet. */
  isAbout(row: Row, found: FoundRow): void {
    this.#underWay.set(row.number, { row, found });
  }

  /** A row has its outcome. */
  ends(number: number, outcome: Outcome): void {
    const about = this.#underWay.get(number);
    if (about === undefined) return;
    this.#underWay.delete(number);
    this.#decided.set(number, this.#rowOf(about.row, about.found, outcome));
    for (const next of this.#order) {
      if (!this.#decided.has(next)) break;
      this.#order.delete(next);
      const decided = this.#decided.get(next);
      this.#decided.delete(next);
      if (decided !== undefined) this.#release(decided);
    }
  }

  get counts(): PreviewCounts {
    const rows = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const { conflict, invalid, ...others } = this.#counts;
    return { rows, ...others, conflicts: conflict, invalid };
  }

  /** How often a field would be changed. */
  get fields(): ReadonlyMap<string, number> {
    return this.#fields;
  }

  #release(row: PreviewRow): void {
    this.#counts[row.outcome] += 1;
    if (row.outcome === 'would_change') {
      for (const { field } of row.changes) this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
    }
    this.#out.put(row);
  }

  /** A change of an id, with the names where both are known. */
  #named({ of, ...change }: FieldChange): NamedDifference {
    const names = of === undefined ? [] : [change.old, change.new].map((ids) => (ids === '' ? '' : this.#namesOf(of, ids)));
    const [old, now] = names;
    return old === undefined || now === undefined ? change : { ...change, names: { old, new: now } };
  }

  #namesOf(of: Named, ids: string): string | undefined {
    const names = ids.split('; ').map((id) => this.#nameOf(of, id));
    return names.every((name) => name !== undefined) ? names.join('; ') : undefined;
  }

  #rowOf({ line, body }: Row, { id, title: listed, record, given, extras }: FoundRow, outcome: Outcome): PreviewRow | undefined {
    const did = 'did' in outcome ? outcomes[outcome.did] : outcome.isConflict ? 'conflict' : 'invalid';
    if (did === undefined) return undefined;
    const changes =
      did === 'unchanged' || did === 'invalid' ? [] : changesOf(this.#plan, record, given, extras).map((one) => this.#named(one));
    const title = listed ?? titleOf(this.#plan.resource, record, body);
    return {
      line,
      id: id === undefined ? null : plainId(id),
      title,
      outcome: did,
      changes,
      error: 'failed' in outcome ? outcome.failed : null,
    };
  }
}

/** A key of a row as the id that it is: a number where that holds it exactly. */
const plainId = (id: Id): Id => (/^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : id);

/** What a record is called: as it is now, else as the row says. */
function titleOf({ title, fields }: Resource, record: unknown, body: Row['body']): string | null {
  const now = title === undefined ? '' : scalarText(valueAt(record, title));
  const wire = fields.find(({ read }) => read !== undefined && read === title)?.wire;
  const inRow = wire === undefined ? '' : scalarText(body.get(wire));
  return now || inRow || null;
}

/** So many fields are named in a sentence. */
const mostFields = 6;

/**
 * What would be done, as sentences: `Would change 10 of 44 leads: phone 9, value 1. 33 unchanged.`
 */
export function previewText({ name, singular }: Resource, counts: PreviewCounts, fields: ReadonlyMap<string, number>): string {
  const { rows, would_create: creates, would_change: changes } = counts;
  const what = [creates > 0 ? `create ${creates}` : '', changes > 0 ? `change ${changes}` : ''].filter(Boolean);
  const isAll = creates + changes === rows;
  const noun = rows === 1 ? singular : name;
  const done = what.length === 0 ? 'Nothing would be sent' : `Would ${what.join(' and ')}${isAll ? '' : ` of ${rows}`} ${noun}`;
  const others = restText(counts);
  return `${done}${fieldsText(fields)}.${others === '' ? '' : ` ${others}.`}`;
}

function fieldsText(fields: ReadonlyMap<string, number>): string {
  const all = [...fields].toSorted(([, a], [, b]) => b - a);
  if (all.length === 0) return '';
  const named = all.slice(0, mostFields).map(([field, count]) => `${field} ${count}`);
  return `: ${named.join(', ')}${all.length > mostFields ? ` and ${all.length - mostFields} more fields` : ''}`;
}

/** What becomes of the rows of which nothing is sent. */
export function restText({ unchanged, conflicts, invalid }: Pick<PreviewCounts, 'unchanged' | 'conflicts' | 'invalid'>): string {
  return [
    unchanged > 0 ? `${unchanged} unchanged` : '',
    conflicts > 0 ? `${howMany(conflicts, 'was', 'were')} changed since the file was written` : '',
    invalid > 0 ? `${howMany(invalid, 'is', 'are')} invalid` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
