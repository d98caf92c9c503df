// What applying a plan would send, for --dry-run: reads are made, writes are kept back, and what refers to a record that
// isn't there yet says so: `${lead.id}`.

import type { Api } from '../api/client.ts';
import { withOneOf } from '../bodies/body.ts';
import { createShape } from '../bodies/shapes.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output/result.ts';
import { idOf } from '../runs/readback.ts';
import type { Body, BodyValue } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { OwnKeys } from './keys.ts';
import { hasIdsOnly } from './language/check.ts';
import { collectionOf, createFinder, type Finder, isSameKey, onlyKeyed, onlyMatch } from './language/find.ts';
import type { Plan } from './language/plan.ts';
import { fill, type Known, type Target, targetsIn, targetText } from './language/scope.ts';
import { textOf, valueEntries } from './language/values.ts';
import type { LedgerRecord, LedgerState } from './ledger.ts';
import { type Act, type Found, keyOf, type Made, madeName } from './made.ts';
import { bodyText, isUnchanged, withSteps } from './steps.ts';

interface Preview {
  readonly api: Api;
  readonly finder: Finder;
  readonly ledger: LedgerState;
  /** Ids that are known, by name. */
  readonly ids: Map<string, string>;
  /** Names that were found by their key. */
  readonly found: Set<string>;
  /** Names that would be sent. */
  readonly planned: Set<string>;
  readonly keys: OwnKeys;
  readonly standIns: StandIns;
}

/** The writes that a plan would make, in order. Throws what its reads throw. */
export async function previewPlan(context: Context, plan: Plan, ledger: LedgerState): Promise<Result> {
  const api = await context.api();
  const preview: Preview = {
    api,
    finder: createFinder(api, context.signal),
    ledger,
    ids: new Map(),
    found: new Set(),
    planned: new Set(),
    keys: new OwnKeys(ledger),
    standIns: new StandIns(),
  };
  for (const part of plan.parts) {
    if (part.kind === 'find') await previewFound(preview, part.found);
    else for (const made of part.made) await (part.kind === 'make' ? previewMade(preview, made) : previewActs(preview, made));
  }
  return { kind: 'nothing', notice: 'Everything is there: nothing would be sent.' };
}

/** Numbers that stand in for ids which aren't known yet, so that values are checked and encoded as they will be. */
class StandIns {
  readonly #texts = new Map<string, string>();
  readonly #numbers = new Map<string, string>();

  /** A number of its own for a text. */
  numberFor(text: string): string {
    const number = this.#numbers.get(text) ?? String(Number.MAX_SAFE_INTEGER - this.#numbers.size);
    this.#numbers.set(text, number);
    this.#texts.set(number, text);
    return number;
  }

  /** The value with every such number replaced by its text. */
  restore(value: BodyValue): BodyValue {
    if (typeof value === 'object') return value.map((one: string | number) => this.#text(String(one)) ?? one) as BodyValue;
    const whole = this.#text(String(value));
    if (whole !== undefined) return whole;
    if (typeof value === 'number') return value;
    return value.replaceAll(/\d{16}/g, (digits) => this.#text(digits) ?? digits);
  }

  #text(number: string): string | undefined {
    return this.#texts.get(number);
  }
}

async function previewFound({ finder, ids }: Preview, { name, where, type, by }: Found): Promise<void> {
  const idOfTarget = (target: Target): string | undefined => (target.member === 'id' ? ids.get(madeName(target)) : undefined);
  if (by.some(({ known }) => targetsIn(known).some((target) => idOfTarget(target) === undefined))) return;
  const values = new Map(by.map(({ name, known }) => [name, scalarText(fill(known, (target) => idOfTarget(target) ?? ''))]));
  const { id } = onlyMatch(await finder.find(collectionOf(type), values), { where, type }, values);
  ids.set(name, String(id));
}

async function previewMade(preview: Preview, made: Made): Promise<void> {
  const { api, ledger, ids, standIns } = preview;
  const name = madeName(made);
  const known = ledger.records.get(name);
  if (known?.state === 'created') {
    ids.set(name, String(known.id));
    return;
  }
  const entries = made.values.flatMap(({ field, known, where }) =>
    hasIdsOnly(known) ? valueEntries(field, filled(preview, known), where) : [[field.wire, shown(known)] as [string, string]],
  );
  const wires = made.wires.map(({ wire, known, where }): [string, string] => [wire, textOf(filled(preview, known), where)]);
  const body = withOneOf(createShape(made.resource), new Map([...entries, ...wires]));
  const { resource } = made;
  if (made.key.length > 0) {
    const found = await keyedId(preview, made, body);
    if (found !== undefined) {
      ids.set(name, found);
      preview.found.add(name);
      return;
    }
  }
  preview.keys.add(name, resource.singular, body);
  preview.planned.add(name);
  await api.write({ method: 'POST', path: resource.path, body: restored(standIns, body) });
}

/** The id of what has a record's key already; of what would be created with it, what stands in for that. */
async function keyedId({ finder, ids, keys, planned, ledger, standIns }: Preview, made: Made, body: Body): Promise<string | undefined> {
  const { resource } = made;
  const key = keyOf(made, body);
  const before = ledger.found.get(madeName(made));
  if (before !== undefined && isSameKey(before.key, key)) return String(before.id);
  const own = keys.sameAs(made, body).filter((name) => planned.has(name) || ledger.records.get(name)?.state === 'created');
  const listed = await finder.find({ type: resource.singular, path: resource.path, resource }, key);
  const found = onlyKeyed(resource, key, [
    ...listed.flatMap((record) => idOf(record) ?? []),
    ...own.map((name) => ids.get(name) ?? standIns.numberFor(`\${${name}.id}`)),
  ]);
  return found === undefined ? undefined : String(found);
}

async function previewActs(preview: Preview, made: Made): Promise<void> {
  const name = madeName(made);
  if (preview.found.has(name)) return;
  const id = preview.ids.get(name) ?? `\${${name}.id}`;
  const known: LedgerRecord['acts'] = preview.ledger.records.get(name)?.acts ?? new Map();
  const bodyOf = ({ action, value }: Act): Body | undefined =>
    hasIdsOnly(value.known) ? action.given(filled(preview, value.known), value.where) : undefined;
  const acts = isUnchanged(made.acts, known) ? made.acts : withSteps(made.acts, known, made.acts.map(bodyOf).map(bodyText));
  for (const act of acts) {
    if (known.get(act.step)?.state === 'done') continue;
    const { action } = act;
    const body = bodyOf(act);
    await preview.api.write({
      method: action.method,
      path: `${made.resource.path}/${id}/${action.path}`,
      ...(body === undefined ? {} : { body: restored(preview.standIns, body) }),
    });
  }
}

const restored = (standIns: StandIns, body: Body): Body => new Map([...body].map(([wire, value]) => [wire, standIns.restore(value)]));

function filled({ ids, standIns }: Preview, known: Known): ReturnType<typeof fill> {
  return fill(
    known,
    (target) => (target.member === 'id' ? ids.get(madeName(target)) : undefined) ?? standIns.numberFor(targetText(target)),
  );
}

const shown = (known: Known): string => {
  const value = fill(known, (target: Target) => targetText(target));
  return typeof value === 'string' ? value : JSON.stringify(value);
};
