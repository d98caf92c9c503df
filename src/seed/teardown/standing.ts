// The standing of a run's records in the service: own, changed, gone, replaced or unknown. Notes the looks of records that nobody changed.

import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { notHeld } from '../../model/bodies/held.ts';
import { readBack } from '../../model/bodies/read-back.ts';
import { actionPath, showsSet } from '../../model/bodies/shown.ts';
import { isSigned } from '../../model/bodies/signed.ts';
import { familyNamed } from '../../model/resources/index.ts';
import { createShape } from '../../model/shape.ts';
import { Fitting } from '../../runs/doubts/fit.ts';
import { createdOf, isNew, updatedOf } from '../../runs/doubts/newest.ts';
import { lookOf, type Surveyed, survey } from '../../runs/doubts/survey.ts';
import type { Run, RunRecord } from '../../runs/journal/run.ts';

/**
 * Yields the standing of records. A record that no list showed is the run's when it agrees with its request. Its look is noted only when
 * its times or values show that nobody changed it.
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
    const isStamped = updated !== undefined && updated === created;
    const isUnchanged = isStamped || (isSilent && isAsWritten(run, one));
    const isUntouched = isUnchanged && ((isStamped && run.header.kind === 'seed') || isStateAsMade(run, one));
    const look = isUntouched ? lookOf(record, run.uncompared(one.made.family)) : undefined;
    const { step, place } = one.made;
    if (isFound || look !== undefined) run.stamp([{ step, place, created, ...(look === undefined ? {} : { updated, look }) }]);
    yield { ...one, made: look === undefined ? one.made : { ...one.made, look }, standing: 'own' };
  }
}

/** True for a record of an import whose look and time of change were never noted. */
const isUnread = (run: Run, { made, standing }: Surveyed): boolean =>
  standing === 'own' && made.look === undefined && made.updated === undefined && run.header.kind !== 'seed';

/** True when a record of an import holds the values and sets of its row's requests, and no others. */
function isAsWritten(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  const body = run.bodyOf(made.step);
  if (resource === undefined || body === undefined || made.place > 0) return false;
  const { fields } = createShape(resource);
  // Attachments can't be compared with the values sent.
  if (fields.some(({ type, read }) => type.kind === 'reference' && read !== undefined && isMembers(valueAt(record, read)))) return false;
  const further = run.partsOf(made.step);
  if (further.some(({ state }) => state === 'sent') || notHeld(fields, record, body).length > 0) return false;
  const isFilled = fields.some((field) => readBack(field, record).some(([wire, value]) => !body.has(wire) && valueText(value) !== ''));
  const areSets = (resource.sets ?? []).every((set) => {
    const sent = further.find(({ kind }) => kind === set.verb)?.body.get(set.wire);
    return showsSet(set, typeof sent === 'object' ? sent : [], record);
  });
  return areSets && !isFilled;
}

/**
 * True when a record of an import is in the state that its row's requests left. The time of change may not show a change of state. False
 * when the requests don't tell the state.
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

/** True when a record has the id of an answer, was created after the run began, and holds the values sent. */
function isAsSent(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  const [body, baseline] = [run.bodyOf(made.step), run.baseline(made.family)];
  if (resource === undefined || body === undefined || baseline === undefined || !made.sure || made.place > 0) return false;
  return createdOf(record) !== undefined && isNew(record, baseline) && new Fitting(resource, []).isAlike(record, body);
}
