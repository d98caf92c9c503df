// The records and actions of a seed file as steps of a run: what is found, what is created, and what follows a creation.

import { createHash } from 'node:crypto';
import type { Entry } from '../bodies/entries.ts';
import { createShape } from '../bodies/shape.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { placeText, type Where } from '../files/problems.ts';
import { createdRecord, idOf } from '../runs/doubts/newest.ts';
import { fieldKey } from '../runs/field-key.ts';
import { isStandIn } from '../runs/service.ts';
import {
  type PreparedRequest,
  planOfSteps,
  type Plan as RunPlan,
  type SentRequest,
  type Settled,
  type Step,
  type Trace,
  unknowable,
  type World,
} from '../runs/step.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { valueText } from '../values/parse.ts';
import { hasIdsOnly } from './language/check.ts';
import { collectionOf, type Find, onlyKeyed, onlyMatch } from './language/find.ts';
import type { SeedPlan } from './language/plan.ts';
import { type Act, bodyOfAct, bodyOfRecord, type Found, keyOf, type PlannedRecord, recordName } from './language/planned.ts';
import { fill, type ResolvedValue, type Target, targetText } from './language/scope.ts';
import { createBodyOf, valueEntries } from './language/values.ts';
import { type Numbered, References } from './references.ts';

/** What a step is about, for messages and results. */
export interface SeedStep extends Step {
  /** Where the file says it: `line 12, lead.then[0]`. */
  readonly where: Where;
  /** The record; absent for what is only found. */
  readonly record?: PlannedRecord;
  readonly kind: 'find' | 'make' | 'act';
  /** It changes more than its record. */
  readonly reaches?: boolean;
}

export interface SeedSteps extends RunPlan {
  readonly all: readonly SeedStep[];
}

/** A step's number, its key, and where it stands. */
interface StepNumber {
  readonly n: number;
  readonly key: string;
  /** The steps before it, beside those that it refers to. */
  readonly after: readonly number[];
}

/** How an action's step is called, after its record's: `lead[3].then[0]`. */
const actKey = (record: PlannedRecord, { step }: Act): string => `${recordName(record)}.then[${step}]`;

/**
 * The steps of a plan, each part after the ones before it. What needs a record that is not there for certain, or whose id
 * nobody knows, waits. `lost`: the names of those that were there.
 */
export function seedSteps(plan: SeedPlan, options: Pick<Work, 'find' | 'isDry'> & { readonly lost: ReadonlySet<string> }): SeedSteps {
  const numbers = new Map<string, Numbered>();
  const { find, isDry, lost } = options;
  const work: Work = { find, isDry, references: new References(numbers, lost), keyed: new Map(), keys: keyedOf(plan) };
  const all: SeedStep[] = [];
  const next = (key: string, after: readonly number[]): StepNumber => ({ n: all.length + 1, key, after });
  let before: readonly number[] = [];
  for (const part of plan.parts) {
    const begins = all.length;
    if (part.kind === 'find') {
      numbers.set(part.name, { n: begins + 1, type: part.found.type, acts: [] });
      all.push(findStep(work, next(part.name, before), part.found));
    } else if (part.kind === 'make') {
      for (const record of part.made) {
        const name = recordName(record);
        numbers.set(name, { n: all.length + 1, type: record.resource.singular, acts: [] });
        all.push(makeStep(work, next(name, before), record));
      }
    } else {
      for (const record of part.made) {
        const numbered = numbers.get(recordName(record));
        let after = before;
        for (const act of record.acts) {
          const step = actStep(work, next(actKey(record, act), after), record, act, numbered);
          all.push(step);
          numbered?.acts.push(step.n);
          after = [step.n];
        }
      }
    }
    // What is in no part has nothing before it.
    if (all.length > begins) before = all.slice(begins).map(({ n }) => n);
  }
  return { all, ...planOfSteps(all) };
}

interface Work {
  readonly find: Find;
  /** Nothing can be read of what would be made. */
  readonly isDry: boolean;
  readonly references: References;
  /** Which step makes or finds the record with a key, by family and values. */
  readonly keyed: Map<string, number>;
  /** Of each name whose records have a key the first one. */
  readonly keys: readonly PlannedRecord[];
}

function findStep(work: Work, { n, key, after }: StepNumber, found: Found): SeedStep {
  const collection = collectionOf(found.type);
  return {
    n,
    key,
    family: collection.resource?.name ?? collection.type,
    where: found.where,
    kind: 'find',
    after: [
      after,
      work.references.stepsOf(
        found.by.map(({ resolved }) => resolved),
        n,
      ),
    ],
    prepare: async (world): Promise<Settled | undefined> => {
      const resolved = found.by.map(({ resolved }) => resolved);
      if (!work.references.haveIds(world, resolved)) return undefined;
      const values = await work.references.values(world, resolved);
      const by = new Map(found.by.map(({ name, resolved }) => [name, scalarText(fill(resolved, values))]));
      const { id } = onlyMatch(await work.find(collection, by), found, by);
      return { settled: 'found', made: [{ family: collection.resource?.name ?? collection.type, id, sure: true, own: false }] };
    },
    trace: () => ({ kind: 'repeatable' }),
  };
}

function makeStep(work: Work, { n, key, after }: StepNumber, record: PlannedRecord): SeedStep {
  const { resource } = record;
  return {
    n,
    key,
    family: resource.name,
    where: record.where,
    kind: 'make',
    record,
    digest: digestOf(
      [resource.name, ...record.key.map(({ flag }) => flag)],
      [
        ...record.values.map(({ field, resolved }) => [field.wire, resolved] as const),
        ...record.wires.map(({ wire, resolved }) => [wire, resolved] as const),
      ],
    ),
    after: [after, work.references.stepsOf(resolvedOf(record), n)],
    prepare: async (world) => {
      if (!work.references.haveIds(world, resolvedOf(record))) return undefined;
      const body = await bodyFor(work, world, record);
      const key = keyOf(record, body);
      refuseKeyTwice(work, n, record, body);
      return (await withKey(work, record, key)) ?? creation(record, body);
    },
    trace: ({ body }) => (body === undefined ? unknowable : { kind: 'create', resource, body }),
  };
}

const resolvedOf = ({ values, wires }: PlannedRecord): ResolvedValue[] => [...values, ...wires].map(({ resolved }) => resolved);

/** The create body. Of what a dry run doesn't know the text stands there that the file has. */
async function bodyFor({ references, isDry }: Work, world: World, record: PlannedRecord): Promise<Body> {
  const resolved = resolvedOf(record);
  if (!isDry || resolved.every(hasIdsOnly)) return bodyOfRecord(record, await references.values(world, resolved));
  const values = await references.values(world, resolved.filter(hasIdsOnly));
  return shownBody(record, values);
}

/** A body with values in it that nobody knows yet, and so nobody can check. */
function shownBody({ resource, values, wires, words }: PlannedRecord, value: (target: Target) => string): Body {
  const shape = createShape(resource);
  const entries = [
    ...values.flatMap(({ field, resolved, where }) =>
      hasIdsOnly(resolved)
        ? valueEntries(shape, field, words.settled(field.type, fill(resolved, value), placeText(where)), placeText(where))
        : [[field.wire, shownText(resolved)] as Entry],
    ),
    ...wires.map(({ wire, resolved }): Entry => [wire, hasIdsOnly(resolved) ? shownText(resolved, value) : shownText(resolved)]),
  ];
  try {
    return createBodyOf(resource, entries);
  } catch (error) {
    if (error instanceof UsageError) return new Map(entries);
    throw error;
  }
}

function shownText(resolved: ResolvedValue, values: (target: Target) => string = targetText): string {
  const value = fill(resolved, values);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function creation({ resource }: PlannedRecord, body: Body): PreparedRequest {
  return {
    request: { method: 'POST', path: resource.path, body },
    sent: { kind: 'create', body },
    did: 'created',
    made: ({ data }) => [createdRecord(resource, data)],
  };
}

const keyedOf = ({ parts }: SeedPlan): PlannedRecord[] =>
  parts.flatMap((part) => (part.kind === 'make' ? part.made.slice(0, 1) : [])).filter(({ key }) => key.length > 0);

const keyText = ({ resource, key }: Pick<PlannedRecord, 'resource' | 'key'>, body: Body): string =>
  [resource.name, ...key.map((field) => `${field.flag} ${fieldKey(field, valueText(body.get(field.wire) ?? ''))}`)].join('\u0001');

/**
 * Notes what a record is found by, where others of its family are: the lists of the service are read once. Throws ConflictError where another
 * one of the file has its key.
 */
function refuseKeyTwice({ keyed, keys }: Work, n: number, record: PlannedRecord, body: Body): void {
  const own = keyText(record, body);
  for (const other of keys.filter(({ resource }) => resource === record.resource)) {
    const text = keyText(other, body);
    const noted = keyed.get(text);
    if (text === own && noted !== undefined && noted !== n)
      throw new ConflictError(`Another record of the file has its key, ${[...keyOf(record, body).values()].join(', ')}.`);
    keyed.set(text, noted ?? n);
  }
}

/** The record in the service with the same key; undefined where there is none. Throws ConflictError for several. */
async function withKey({ find }: Work, { resource }: PlannedRecord, key: ReadonlyMap<string, string>): Promise<Settled | undefined> {
  if (key.size === 0) return undefined;
  const listed = await find({ type: resource.singular, path: resource.path, resource }, key);
  const id = onlyKeyed(
    resource,
    key,
    listed.flatMap((one) => idOf(one) ?? []),
  );
  return id === undefined ? undefined : { settled: 'found', made: [{ family: resource.name, id, sure: true, own: false }] };
}

function actStep(work: Work, { n, key, after }: StepNumber, record: PlannedRecord, act: Act, numbered: Numbered | undefined): SeedStep {
  const { action, value } = act;
  const { resource } = record;
  const isSame = (other: Act): boolean =>
    other.step < act.step && other.action.verb === action.verb && shownText(other.value.resolved) === shownText(value.resolved);
  const pathOf = (world: World): string => `${resource.path}/${work.references.idOf(world, recordName(record))}`;
  return {
    n,
    key,
    family: resource.name,
    where: value.where,
    kind: 'act',
    record,
    reaches: action.made !== undefined || action.before !== undefined,
    digest: digestOf([action.verb], [['', value.resolved]]),
    after: [after, [numbered?.n ?? 0, ...work.references.stepsOf([value.resolved], n)].filter((one) => one > 0)],
    prepare: async (world) => {
      const name = recordName(record);
      if (work.references.idOf(world, name) === undefined || !work.references.haveIds(world, [value.resolved])) return undefined;
      const [made] = world.made(numbered?.n ?? 0);
      // What was found by its key is left as it is.
      if (made?.own === false) return { settled: 'left', made: [] };
      return operationOf(work, world, act, pathOf(world));
    },
    trace: (sent) => traceOf(act, sent, `${resource.path}/${sent.target}`, record.acts.filter(isSame).length),
  };
}

async function operationOf({ references, isDry }: Work, world: World, act: Act, path: string): Promise<PreparedRequest> {
  const { action, value } = act;
  const given = isDry && !hasIdsOnly(value.resolved) ? undefined : bodyOfAct(act, await references.values(world, [value.resolved]));
  const subject = { api: world.api, path };
  const isThere = !isStandIn(Number(path.slice(path.lastIndexOf('/') + 1)));
  const body = action.complete === undefined || !isThere ? given : await action.complete(subject, given ?? new Map());
  const before = isThere ? await action.before?.(subject) : undefined;
  return {
    request: {
      method: action.method,
      path: `${path}/${action.path}`,
      ...(body === undefined ? {} : { body }),
      ...(action.repeatable ? { repeatable: true as const } : {}),
    },
    sent: {
      kind: action.verb,
      target: path.slice(path.lastIndexOf('/') + 1),
      ...(before === undefined ? {} : { before }),
      ...(body === undefined ? {} : { body }),
    },
    did: action.verb,
    made: ({ data }) => (isThere ? (action.made?.(subject, body, data) ?? []) : []),
  };
}

/** `earlier`: how often the same was done with the record before. */
function traceOf({ action }: Act, { body }: SentRequest, path: string, earlier: number): Trace {
  const { look } = action;
  if (action.repeatable) return { kind: 'repeatable' };
  if (look === undefined) return unknowable;
  return {
    kind: 'target',
    look: async (api) => {
      const made = await look({ api, path }, body, earlier);
      return made === undefined ? { end: 'absent' } : { end: 'found', made, did: action.verb };
    },
  };
}

/** A hash of what the file says of a record or an action, references as they are written. */
function digestOf(words: readonly string[], values: readonly (readonly [string, ResolvedValue])[]): Uint8Array {
  const texts = values.map(([wire, resolved]) => [wire, fill(resolved, targetText)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([words, texts]))
    .digest()
    .subarray(0, 16);
}
