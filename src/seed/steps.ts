// The steps of a seed run: finds, creates and actions in the file's order. Values are evaluated when a step is prepared.

import { ConflictError, UsageError } from '../base/errors.ts';
import type { Where } from '../base/files/problems.ts';
import { placeText } from '../base/files/problems.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { idOf } from '../model/identity.ts';
import { fieldKey } from '../runs/field-key.ts';
import {
  createdRecord,
  type PreparedRequest,
  planOfSteps,
  type Plan as RunPlan,
  type Settled,
  type Step,
  unknowable,
} from '../runs/step.ts';
import { actionTrace, preparedAction } from './actions.ts';
import { evaluate, type Refer } from './language/evaluate.ts';
import type { Tree } from './language/file.ts';
import { type Find, onlyMatch, typeIn } from './language/find.ts';
import { createBodyOf } from './language/values.ts';
import {
  type Act,
  entriesOf,
  type Finding,
  type Making,
  type PlannedRecord,
  type SeedPlan,
  targetsOf,
  valueIn,
  valuesOf,
} from './records.ts';
import { References } from './references.ts';

/** A step with its place in the file, for messages and results. */
export interface SeedStep extends Step {
  /** The place in the file: `line 12, lead.then[0]`. */
  readonly where: Where;
  /** The element that is made or acted on; absent for finds. */
  readonly making?: Making;
  readonly kind: 'find' | 'make' | 'act';
}

export interface SeedSteps extends RunPlan {
  readonly all: readonly SeedStep[];
}

type StepNumber = Pick<Step, 'n' | 'key' | 'after'>;

/**
 * The steps of a plan. An element comes after the element above, and its actions come after all of its records. Steps that need a record in
 * `unusable`, or a record without an id, wait.
 */
export function seedSteps(plan: SeedPlan, { find, unusable }: { readonly find: Find; readonly unusable: ReadonlySet<string> }): SeedSteps {
  const references = new References(unusable);
  const keyed = plan.elements.filter((element) => element.kind === 'make').filter(({ key }) => key.length > 0);
  const work: Work = { plan, find, references, noted: new Map(), keyed };
  const all: SeedStep[] = [];
  const next = (key: string, after: readonly number[]): StepNumber => ({ n: all.length + 1, key, after: [after] });
  let before: readonly number[] = [];
  /** Adds steps as a group: each comes after all steps of the group before. */
  const group = (add: () => void): void => {
    const begins = all.length;
    add();
    if (all.length > begins) before = all.slice(begins).map(({ n }) => n);
  };
  for (const element of plan.elements) {
    if (element.kind === 'find') {
      references.add(element.name, all.length + 1, element.family);
      group(() => all.push(findStep(work, next(element.name, before), element)));
      continue;
    }
    const { resource, records, acts } = element;
    group(() => {
      for (const record of records) {
        references.add(record.name, all.length + 1, resource);
        all.push(makeStep(work, next(record.name, before), record));
      }
    });
    group(() => {
      for (const record of records) {
        let after = before;
        for (const [index, act] of acts.entries()) {
          const number = next(`${record.name}.${act.part}`, after);
          all.push(actStep(work, number, record, act, record.acts[index]));
          after = [number.n];
        }
      }
    });
  }
  return { all, ...planOfSteps(all) };
}

interface Work {
  readonly plan: SeedPlan;
  readonly find: Find;
  readonly references: References;
  /** The step of each key, by family and values. */
  readonly noted: Map<string, number>;
  /** Elements whose records have a key. */
  readonly keyed: readonly Making[];
}

function findStep({ plan: { scope }, find, references }: Work, number: StepNumber, { name, where, family, by }: Finding): SeedStep {
  const type = typeIn(family);
  const noted = family.readOnly ? type : family.name;
  const owner = { name, part: 'find' };
  return {
    ...number,
    family: noted,
    where,
    kind: 'find',
    prepare: async (world): Promise<Settled | undefined> => {
      const targets: Parameters<Refer>[0][] = [];
      const noting: Refer = (target) => void targets.push(target);
      for (const { tree } of by) evaluate(tree, owner, scope, noting);
      const refer = await references.read(world, targets);
      if (refer === undefined) return undefined;
      const values = new Map(by.map((one) => [one.name, scalarText(evaluate(one.tree, owner, scope, refer).value ?? '')]));
      const { id } = onlyMatch(await find(family, values), { where, type }, values);
      return foundRecord(noted, id);
    },
    trace: () => ({ kind: 'repeatable' }),
  };
}

function makeStep(work: Work, number: StepNumber, record: PlannedRecord): SeedStep {
  const { making, digest } = record;
  const { resource } = making;
  return {
    ...number,
    family: resource.name,
    where: making.where,
    kind: 'make',
    making,
    digest,
    prepare: async (world) => {
      const { scope } = work.plan;
      const refer = await work.references.read(world, targetsOf(record, valuesOf(making), 'set', scope));
      if (refer === undefined) return undefined;
      const body = bodyOfRecord(work, record, refer);
      const key = keyValues(making, body);
      refuseKeyTwice(work, number.n, making, body);
      return (await withKey(work, making, key)) ?? creation(making, body);
    },
    trace: ({ body }) => (body === undefined ? unknowable : { kind: 'create', resource, body }),
  };
}

/** The create body. In a dry run, unknown values stay as written, and then the body isn't checked. */
function bodyOfRecord({ plan: { scope, words } }: Work, record: PlannedRecord, refer: Refer): Body {
  const { resource, where } = record.making;
  let isOpen = false;
  const toCome = (value: Tree): string => {
    isOpen = true;
    return treeText(value);
  };
  const entries = entriesOf(record, { scope, words, refer, toCome, attempt: (place, work) => work(placeText(place)) });
  try {
    return createBodyOf(resource, entries);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (isOpen) return new Map(entries);
    throw error.message.startsWith('line ') ? error : new UsageError(`${placeText(where)}: ${error.message}`);
  }
}

const treeText = (value: Tree): string => (typeof value === 'string' ? value : JSON.stringify(value));

function creation({ resource }: Making, body: Body): PreparedRequest {
  return {
    request: { method: 'POST', path: resource.path, body },
    sent: { kind: 'create', body },
    did: 'created',
    took: ({ data }) => ({ made: [createdRecord(resource, data)] }),
  };
}

/** The values of a record's key, by flag. Throws UsageError for an empty value. */
function keyValues({ key, where }: Making, body: Body): ReadonlyMap<string, string> {
  const texts = new Map(key.map(({ flag, wire }) => [flag, valueText(body.get(wire) ?? '')]));
  for (const [flag, text] of texts) if (text.trim() === '') throw new UsageError(`${placeText(where)}: Its key, ${flag}, is empty.`);
  return texts;
}

const keyText = ({ resource, key }: Making, body: Body): string =>
  [resource.name, ...key.map((field) => `${field.flag} ${fieldKey(field, valueText(body.get(field.wire) ?? ''))}`)].join('\u0001');

/**
 * Notes the key of a record, because the lists of the service are read only once. Throws ConflictError when another record of the file has
 * the key.
 */
function refuseKeyTwice({ noted, keyed }: Work, n: number, making: Making, body: Body): void {
  const own = keyText(making, body);
  for (const other of keyed.filter(({ resource }) => resource === making.resource)) {
    const text = keyText(other, body);
    const first = noted.get(text);
    if (text === own && first !== undefined && first !== n)
      throw new ConflictError(`Another record of the file has its key, ${[...keyValues(making, body).values()].join(', ')}.`);
    noted.set(text, first ?? n);
  }
}

/** The service's record with the same key; undefined when there is none. Throws ConflictError for several. */
async function withKey({ find }: Work, { resource }: Making, key: ReadonlyMap<string, string>): Promise<Settled | undefined> {
  if (key.size === 0) return undefined;
  const listed = await find(resource, key);
  const ids = new Map(listed.flatMap((one) => idOf(one) ?? []).map((id) => [scalarText(id), id]));
  if (ids.size > 1) throw new ConflictError(`${ids.size} ${resource.name} have its key, ${[...key.values()].join(', ')}.`);
  const [id] = ids.values();
  return id === undefined ? undefined : foundRecord(resource.name, id);
}

const foundRecord = (family: string, id: Id): Settled => ({ settled: 'found', made: [{ family, id, sure: true, own: false }] });

function actStep(work: Work, number: StepNumber, record: PlannedRecord, act: Act, digest: Uint8Array | undefined): SeedStep {
  const { making, name } = record;
  const { part, where, action } = act;
  const { resource } = making;
  return {
    ...number,
    family: resource.name,
    where,
    kind: 'act',
    making,
    ...(digest === undefined ? {} : { digest }),
    prepare: async (world) => {
      const id = work.references.idOf(world, name);
      if (id === undefined) return undefined;
      const refer = await work.references.read(world, targetsOf(record, [act], part, work.plan.scope));
      if (refer === undefined) return undefined;
      // A record found by its key is left as it is.
      if (work.references.isFound(world, name)) return { settled: 'left', made: [] };
      const { value, isOpen } = valueIn(record, act, part, { scope: work.plan.scope, refer });
      return preparedAction(resource, action, id, isOpen ? undefined : action.bodyOf(value, placeText(where)), world.api);
    },
    trace: (sent) => actionTrace(resource, action, sent),
  };
}
