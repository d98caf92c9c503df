// Compares a row with its record: decides between an id and the name beside it, and refuses changes of fixed fields.

import { UsageError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { keyNameOf } from '../../base/values/text/duplicate-key.ts';
import { blankProblem } from '../../model/bodies/create-body.ts';
import { readBack } from '../../model/bodies/read-back.ts';
import type { Field } from '../../model/define.ts';
import { alikeKey } from '../../model/field-key.ts';
import { isSameSeen } from '../../model/same.ts';
import { neverChanged, updateShape } from '../../model/shape.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { plainName } from '../../session/names/matching.ts';
import { fixedPath, namePath } from '../columns/columns.ts';
import type { HeldAt, ImportJob } from '../job.ts';
import type { ComparedCell, Row } from '../rows/row.ts';
import { updateGivenBy } from '../rows/row-checks.ts';
import { withoutColumn } from '../rows/rows.ts';
import type { LostSigns } from './lost-signs.ts';

/**
 * The values that a row gives for its record, with ids in place of names. When a row gives both id and name, the value that differs from
 * the record counts. Throws UsageError when both differ, for an unknown name, and for a change of a fixed field.
 */
export function givenFor({ job, lostSigns }: { readonly job: ImportJob; readonly lostSigns: LostSigns }, row: Row, record: unknown): Body {
  const heldAt: HeldAt = (member) => valueAt(record, member);
  const given = updateGivenBy(job, row);
  const held = (): ReadonlyMap<string, string> =>
    new Map(
      updateShape(job.resource)
        .fields.flatMap((field) => readBack(field, record))
        .map(([wire, value]) => [wire, valueText(value)]),
    );
  const problems = keepHeld(job, row, given, held, lostSigns);
  for (const cell of row.compared ?? []) {
    const { column, name } = cell;
    // A name of a fixed field can't be written: like any fixed value, it has to be the record's.
    const isWritable = column.kind === 'name' && column.field.only !== 'create';
    const changed = isWritable || isFixedSame(job, cell, heldAt) ? undefined : `${neverChanged} ${withoutColumn(name)}`;
    const problem = isWritable ? takeName(job, cell, heldAt, given) : changed;
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  if (problems.length > 0) throw new UsageError(problems.join(' '));
  return given;
}

/**
 * Puts the record's value in place of a given value that is the same value in another spelling: with its formula guard, with blanks at its
 * edges, with characters that nobody sees, or without the zeros and the plus sign that a spreadsheet took. Returns the problems of control characters that the record
 * doesn't hold.
 */
function keepHeld(
  { resource, match, leadingSigns = new Map() }: ImportJob,
  { line, spellings }: Row,
  given: Body,
  heldOf: () => ReadonlyMap<string, string>,
  lostSigns?: LostSigns,
): string[] {
  const problems: string[] = [];
  let read: ReadonlyMap<string, string> | undefined;
  const heldAt = (wire: string): string => {
    read ??= heldOf();
    return read.get(wire) ?? '';
  };
  for (const [wire, value] of given) {
    const type = resource.fields.find((field) => field.wire === wire)?.type;
    if (type !== undefined && type.kind !== 'text' && type.kind !== 'email') continue;
    const [text, held, spelling] = [valueText(value), heldAt(wire), spellings?.get(wire)];
    if (held !== '' && ([spelling?.inFile, unguard(text)].includes(held) || isSameSeen(type, held, text))) given.set(wire, held);
    else if (match?.kind === 'field' && match.field.wire === wire && isFoundAlike(match.field, held, text)) {
      lostSigns?.see({ wire, taken: 'spelling', isKept: true }, line);
      given.set(wire, held);
    } else if (spelling?.doubt !== undefined) problems.push(`${spelling.name}: ${spelling.doubt.message}`);
  }
  for (const [wire, hasSigns] of leadingSigns) {
    const text = valueText(given.get(wire) ?? '');
    if (!/^[1-9]\d*$|^0$/.test(text)) continue;
    const held = heldAt(wire);
    const taken = /^(\+?0*)(\d+)$/.exec(held)?.[1] ?? '';
    if (taken === '' || held.replace(/^\+?0*(?=\d)/, '') !== text) continue;
    if (!hasSigns) given.set(wire, held);
    lostSigns?.see({ wire, taken: taken.startsWith('+') ? 'plus sign' : 'leading zeros', isKept: !hasSigns }, line);
  }
  return problems;
}

/** True for two spellings of a phone: the row found its record by the digits. */
function isFoundAlike(field: Field, held: string, text: string): boolean {
  const key = keyNameOf(field) === 'phone' ? alikeKey(field, text) : undefined;
  return key !== undefined && key === alikeKey(field, held);
}

/** Puts the id of a changed name into `given`. Returns the problem of a name that contradicts the id beside it, or is unknown. */
function takeName(
  { words, resource }: ImportJob,
  { column, value, meaning }: ComparedCell,
  heldAt: HeldAt,
  given: Body,
): string | undefined {
  if (column.kind !== 'name') return undefined;
  const { wire, type, read = '' } = column.field;
  const [text, name] = [scalarText(value).trim(), scalarText(heldAt(column.path))];
  const [beside, held] = [valueText(given.get(wire) ?? ''), scalarText(heldAt(read))];
  // Two different names may differ only by case or accents.
  const isOther = text !== name && meaning !== undefined && 'id' in meaning && String(meaning.id) !== held;
  if (plainName(text) === plainName(name) && !isOther) return undefined;
  if (text === '') return beside === '' || beside === held ? blankProblem(updateShape(resource)) : undefined;
  if (meaning === undefined) return `"${text}" can't be looked up.`;
  const wanted = 'id' in meaning ? meaning.id : meaning.name;
  if (beside !== '' && beside !== held && beside !== String(wanted)) {
    return `"${text}" and the id beside it, ${beside}, both differ from the record's, ${held}: which one is meant?`;
  }
  if ('problem' in meaning && !words.makes(type)) return meaning.problem;
  given.set(wire, wanted);
  return undefined;
}

/** The values that the request of a row sent, by wire name. `before`: the record's values before the request, from the journal. */
export function givenBefore(job: ImportJob, row: Row, before: unknown): Body {
  const given = updateGivenBy(job, row);
  keepHeld(
    job,
    row,
    given,
    () => new Map(Object.entries(isMembers(before) ? before : {}).map(([wire, value]) => [wire, scalarText(value)])),
  );
  for (const { column, meaning } of row.compared ?? []) {
    if (column.kind !== 'name' || meaning === undefined || !('id' in meaning) || !isMembers(before)) continue;
    const { wire } = column.field;
    const [beside, held] = [valueText(given.get(wire) ?? ''), before[wire]];
    if (held !== undefined && (beside === '' || beside === String(held))) given.set(wire, meaning.id);
  }
  return given;
}

function isFixedSame({ resource }: ImportJob, { column, value }: ComparedCell, heldAt: HeldAt): boolean {
  const path = column.kind === 'compared' ? column.path : fixedPath(column);
  const held = path === undefined ? undefined : heldAt(path);
  if (held === undefined) return true;
  const text = scalarText(value).trim();
  const shown = isMembers(held) ? `${scalarText(held.type)}:${scalarText(held.id)}` : scalarText(held);
  if (plainName(text) === plainName(shown)) return true;
  const name = 'field' in column && column.field !== undefined ? namePath(resource, column.field) : undefined;
  return name !== undefined && path !== name && plainName(text) === plainName(scalarText(heldAt(name)));
}
