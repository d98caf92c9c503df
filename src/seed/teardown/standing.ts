// What became of a run's records in the service, and whether this key sees anything of them.

import type { Api } from '../../api/client.ts';
import { notHeld } from '../../bodies/held.ts';
import { readBack } from '../../bodies/read-back.ts';
import { createShape } from '../../bodies/shape.ts';
import { actionPath, showsSet } from '../../bodies/shown.ts';
import { isSigned } from '../../bodies/signed.ts';
import { familyNamed } from '../../resources/index.ts';
import { Fitting } from '../../runs/doubts/fit.ts';
import { createdOf, isNew, updatedOf } from '../../runs/doubts/newest.ts';
import { lookOf, type Surveyed, survey } from '../../runs/doubts/survey.ts';
import type { Run, RunRecord } from '../../runs/journal/run.ts';
import { scalarText } from '../../values/json.ts';
import { valueText } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';

/**
 * What became of records of a run. One that no list has told of yet is the run's where nothing that it was sent with says otherwise. How it
 * looks is noted only where it tells itself that it was never changed.
 */
export async function* surveyRun(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const one of survey(api, run, made, signal)) {
    const isFound = one.standing === 'untold' && isAsSent(run, one);
    if (!isFound && !isUnread(run, one)) {
      yield one;
      continue;
    }
    const { record } = one;
    const [created, updated] = [createdOf(record), updatedOf(record)];
    const isSilent = updated === undefined || run.partsOf(one.made.step).length > 0;
    const isUnchanged = (updated !== undefined && updated === created) || (isSilent && isAsWritten(run, one));
    const isUntouched = isUnchanged && (run.header.kind === 'seed' || isStateAsMade(run, one));
    const look = isUntouched ? lookOf(record, run.uncompared(one.made.family)) : undefined;
    const { step, place } = one.made;
    if (isFound || look !== undefined) run.stamp([{ step, place, created, ...(look === undefined ? {} : { updated, look }) }]);
    yield { ...one, made: look === undefined ? one.made : { ...one.made, look }, standing: 'own' };
  }
}

/** Whether a record of an import was noted, and never looked at. */
const isUnread = (run: Run, { made, standing }: Surveyed): boolean =>
  standing === 'own' && made.look === undefined && made.updated === undefined && run.header.kind !== 'seed';

/** Whether a record of an import holds what its row wrote in all of its requests, and else nothing. */
function isAsWritten(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  const body = run.bodyOf(made.step);
  if (resource === undefined || body === undefined || made.place > 0) return false;
  const { sets = [], actions = [] } = resource;
  const { fields } = createShape(resource);
  // What a record is attached to is no value that can be compared with what was sent.
  if (fields.some(({ type, read }) => type.kind === 'reference' && read !== undefined && isMembers(valueAt(record, read)))) return false;
  const further = run.partsOf(made.step);
  if (further.some(({ state }) => state === 'sent') || notHeld(fields, record, body).length > 0) return false;
  const isFilled = fields.some((field) => readBack(field, record).some(([wire, value]) => !body.has(wire) && valueText(value) !== ''));
  if (isFilled) return false;
  const areActions = actions.every(({ verb, reads, initial }) => {
    if (reads === undefined || (!initial && further.every(({ kind }) => kind !== verb))) return true;
    const isTakenBack = initial && further.some(({ kind }) => actions.some((one) => one.verb === kind && one.reads?.path === reads.path));
    return isTakenBack || scalarText(valueAt(record, reads.path)) === reads.value;
  });
  const areSets = sets.every((set) => {
    const sent = further.find(({ kind }) => kind === set.verb)?.body.get(set.wire);
    return showsSet(set, typeof sent === 'object' ? sent : [], record);
  });
  return areActions && areSets;
}

/**
 * Whether a record of an import is in the state in which the requests of its row left it: a stamp may tell nothing of a state. Where they tell
 * nothing of it either, nobody knows.
 */
function isStateAsMade(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  if (resource === undefined || isSigned(record)) return false;
  const { fields, actions = [], guarded = [], standing } = resource;
  const isConverted = standing?.words.some(({ path = '', is, isCustomer }) => isCustomer && scalarText(valueAt(record, path)) === is);
  if (isConverted) return false;
  const body = run.bodyOf(made.step);
  const further = run.partsOf(made.step).toReversed();
  const all = [...actions, ...guarded];
  return Map.groupBy(all, (action) => actionPath(resource, action) ?? '')
    .entries()
    .every(([path, own]) => {
      const held = scalarText(valueAt(record, path));
      const [sent] = further.flatMap((part) => {
        const action = own.find(({ verb }) => verb === part.kind);
        return action === undefined ? [] : (action.reads?.value ?? part.body.get(action.value?.wire ?? '') ?? []);
      });
      const given = body?.get(fields.find(({ read }) => read === path)?.wire ?? '');
      const left = sent ?? given ?? own.find(({ initial }) => initial)?.reads?.value;
      if (left !== undefined) return held === scalarText(left);
      return own.every(({ reads }) => reads !== undefined && held !== reads.value);
    });
}

/** Whether a record has the id that an answer told, came about since the run began, and says what was sent. */
function isAsSent(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  const [body, baseline] = [run.bodyOf(made.step), run.baseline(made.family)];
  if (resource === undefined || body === undefined || baseline === undefined || !made.sure || made.place > 0) return false;
  return createdOf(record) !== undefined && isNew(record, baseline) && new Fitting(resource, []).isAlike(record, body);
}
