// The rows that show the outcome of an undo, sent or dry. Records with the same outcome share a row. Pure.

import { type Id, storedId } from '../../base/values/parse.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import { type Difference, saying } from '../../model/records/difference.ts';
import { singularOf } from '../../model/resources/index.ts';
import type { Halt } from '../../runs/runner.ts';

/** The outcome of taking back what a run did to a record: the writes to one part of the record, or the whole record that the run made. */
export interface Taken {
  /** `lead 12`, or the record's name in the file. */
  readonly name: string;
  readonly family: string;
  readonly id: Id | null;
  /**
   * `changed`: put back; `gone`: somebody else had deleted the record; `kept`: the record stays. Others: `deleted`, `unchanged`, `failed`,
   * `unknown`, `not sent`.
   */
  readonly outcome: string;
  /** The reason why the record is not taken back. */
  readonly why?: string;
  /**
   * Set when a record that the run made is kept for a good reason, not by a failure. `changed`: somebody changed the record. `other`:
   * another record has the id now.
   */
  readonly since?: 'changed' | 'other';
  readonly changes?: readonly Difference[];
  /** Values that somebody changed after the run. `by`: the later run that changed the values. */
  readonly changedSince?: readonly string[];
  readonly by?: string;
  /** Values that can't go back. */
  readonly lost?: readonly string[];
}

export interface Destroyed {
  readonly records: readonly Taken[];
  /** Records of which nobody can tell whether the run created them. */
  readonly unsure: readonly { readonly name: string; readonly why: string }[];
  /** Contacts that lost account ownership to a contact of the run. They are not made owners again. */
  readonly replaced: readonly Id[];
  /** Clients that the run made, which can't be deleted: `client 12`. */
  readonly stays: readonly string[];
}

/** The outcome of one pass over a run, sent or dry. */
export interface Pass {
  readonly run: string;
  readonly taken: readonly Taken[];
  /** Records that the run deleted or converted: they can't come back. `did`: the journal's word. */
  readonly final: readonly { readonly family: string; readonly did: string; readonly ids: readonly string[] }[];
  /** Says how deleted records are made anew. Empty where the journal keeps none. */
  readonly anew: readonly string[];
  readonly destroyed: Destroyed | undefined;
  readonly halt: Halt | undefined;
  /** The writes of unknown outcome. */
  readonly lost: number;
  /** The undo's counts in words, for the message when the undo ends early. */
  readonly soFar: string;
}

export interface UndoRow {
  readonly outcome: string;
  readonly count: number;
  readonly family: string;
  readonly what: string;
  readonly ids: readonly Id[];
}

/** The outcomes of records that an undo takes back: of a sent pass, and of a dry pass. */
const takenBack = {
  sent: { changed: 'put back', deleted: 'deleted' },
  dry: { changed: 'would put back', deleted: 'would delete' },
} as const;

/** True for records that the undo is going to take back. */
export const isToCome = ({ outcome }: UndoRow): boolean => outcome === takenBack.dry.changed || outcome === takenBack.dry.deleted;

/** The rows of a pass: put back, kept, gone, and lost for good. */
export function undoRows(
  { taken, destroyed, final }: Pass,
  { isDry, arrow }: { readonly isDry: boolean; readonly arrow?: string | undefined },
): UndoRow[] {
  const rows = new Map<string, { outcome: string; family: string; what: string; ids: string[] }>();
  const addTo = (outcome: string, family: string, what: string, id: Id | string | null): void => {
    const row = rows.get(`${outcome} ${family} ${what}`) ?? { outcome, family, what, ids: [] };
    row.ids.push(String(id));
    rows.set(`${outcome} ${family} ${what}`, row);
  };
  const back = isDry ? takenBack.dry : takenBack.sent;
  const texts = changeTexts(taken, arrow);
  for (const one of taken.filter(({ outcome }) => outcome === 'changed'))
    addTo(back.changed, one.family, texts.get(changedFields(one)) ?? '', one.id);
  const { records = [], unsure = [] } = destroyed ?? {};
  for (const { family, id, outcome, why = '' } of records) {
    if (outcome === 'deleted') addTo(back.deleted, family, 'created by the run', id);
    else addTo(outcome, family, why, id);
  }
  for (const { name, why } of unsure) if (records.every((one) => one.name !== name)) addTo('kept', 'records', why, name);
  for (const { family, id, changedSince = [], by } of taken) {
    if (changedSince.length > 0)
      addTo('kept', family, `${changedSince.join(', ')} changed ${by === undefined ? 'since' : `by run ${by}: undo run ${by} first`}`, id);
  }
  for (const { outcome, family, id, why = '' } of taken)
    if (['gone', 'failed', 'unknown', 'not sent'].includes(outcome)) addTo(outcome, family, why, id);
  for (const { family, id, lost = [] } of taken) if (lost.length > 0) addTo('stays', family, `${lost.join(', ')} can't come back`, id);
  for (const { family, did, ids } of final) for (const id of ids) addTo('stays', family, `${did}: that can't be undone`, id);
  const inOrder = (ids: readonly string[]): string[] => ids.toSorted((a, b) => Number(a) - Number(b));
  return [...rows.values()].map(({ outcome, family, what, ids }) => ({
    outcome,
    count: ids.length,
    family,
    what,
    ids: inOrder(ids).map(storedId),
  }));
}

/** The doubt when no record of a run is found. */
export const allGone =
  'As this key sees it, every record of the run is gone. A key that sees more finds them: the same command looks again.';

/** The question before a run on a single record is undone: `Lead 12: value 90000.00 back to 88000.00?` */
export function undoQuestion({ taken, destroyed }: Pass): string {
  const created = destroyed?.records.find(({ outcome }) => outcome === 'deleted');
  if (created !== undefined) return `Delete ${singularOf(created.family)} ${created.id}, which the run created?`;
  const back = taken.filter(({ outcome }) => outcome === 'changed');
  const values = back.flatMap(({ changes = [] }) => changes.map((one) => `${one.field} ${saying(one, 'back to') || 'back'}`));
  return `${capitalised(back[0]?.name ?? '')}: ${values.join(', ')}?`;
}

const changedFields = ({ family, changes = [] }: Taken): string =>
  `${family} ${changes.map(({ field, told = '' }) => `${field} ${told}`).join(', ')}`;

/** The text for each set of changed fields. The text tells the values when the values are the same for all records. */
function changeTexts(taken: readonly Taken[], arrow: string | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [names, some] of Map.groupBy(
    taken.filter(({ outcome }) => outcome === 'changed'),
    changedFields,
  )) {
    const first = some[0]?.changes ?? [];
    const values = first.map((one, index) => {
      const said = saying(one, arrow);
      const isSame = some.every(({ changes = [] }) => changes[index] !== undefined && saying(changes[index], arrow) === said);
      return isSame ? `${one.field} ${said}`.trim() : one.field;
    });
    texts.set(names, values.join(', '));
  }
  return texts;
}
