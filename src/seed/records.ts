// Checks a seed file, as far as that is possible before records exist, and gives its elements in order. Work that all records of a counted
// element share is done once.

import { hash } from 'node:crypto';
import { UsageError } from '../base/errors.ts';
import { Problems, type Where } from '../base/files/problems.ts';
import { limits } from '../base/limits.ts';
import type { BodyValue } from '../base/values/body.ts';
import { parseInteger } from '../base/values/parse.ts';
import { suggestion } from '../base/values/text/suggest.ts';
import { type Entry, isBlankGiven } from '../model/bodies/entries.ts';
import { flagForm } from '../model/bodies/names.ts';
import type { Field, Resource } from '../model/define.ts';
import { resources } from '../model/resources/index.ts';
import { createShape, wiresOf } from '../model/shape.ts';
import { FileWords } from '../session/names/file-words.ts';
import { actionNamed, type SeedAction } from './actions.ts';
import {
  type Evaluated,
  evaluate,
  isList,
  type Owner,
  type Refer,
  type ReferenceTarget,
  type Scope,
  targetText,
} from './language/evaluate.ts';
import { createFake } from './language/fake.ts';
import type { FindElement, RecordElement, SeedFile, Tree, ValuePath } from './language/file.ts';
import { familyOf, familyToFindIn, markOf } from './language/find.ts';
import { createBodyOf, fieldNamed, readPath, valueEntries, wireValueEntries } from './language/values.ts';

export interface SeedOptions {
  readonly run: string;
  readonly randomSeed: number;
  /** The seed's day, `YYYY-MM-DD`: made-up dates are near this day. */
  readonly today: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that the file may read beside its own. */
  readonly readable?: readonly string[] | undefined;
  /** Looks up names. A name not looked up yet stands for any id. */
  readonly words?: FileWords;
}

/** A value of the file and its place. */
interface Value {
  readonly tree: Tree;
  readonly where: Where;
}

/** A value of a record. `field`: the field that `set` names; absent for a value of `wire`. */
interface Setting extends Value {
  readonly wire: string;
  readonly field?: Field;
}

/** A setting with its text, references as written. */
type Filled = Setting & { readonly text: Tree };

export interface Act extends Value {
  /** The place in the record, from 0: `then[0]`. */
  readonly part: string;
  readonly action: SeedAction;
}

/** The records to create under one name. */
export interface Making {
  readonly kind: 'make';
  readonly name: string;
  readonly where: Where;
  readonly resource: Resource;
  /** Undefined for a record without a count. */
  readonly count: number | undefined;
  readonly values: readonly Setting[];
  /** The field that identifies a record. */
  readonly key: Field | undefined;
  readonly acts: readonly Act[];
}

/** The record to find under a name. */
export interface Finding {
  readonly kind: 'find';
  readonly name: string;
  readonly where: Where;
  readonly family: Resource;
  readonly by: readonly (Value & { readonly name: string })[];
}

/** A record of an element. `index`: the record's number, when the element has a count. */
interface Counted {
  readonly making: Making;
  readonly index?: number;
}

/** A record to create. */
export interface RecordToMake extends Counted {
  /** In messages and the journal: `lead`, `lead[3]`. */
  readonly name: string;
  /** Hashes of the record and of each of its actions, with references as written. */
  readonly digest: Uint8Array;
  readonly acts: readonly Uint8Array[];
}

export interface SeedElements {
  readonly scope: Scope;
  readonly words: FileWords;
  readonly elements: readonly (Finding | (Making & { readonly records: readonly RecordToMake[] }))[];
}

/** `lead`, `lead[3]`. */
export const nameInFile = ({ name, index }: { readonly name: string; readonly index?: number }): string =>
  index === undefined ? name : `${name}[${index}]`;

/** The names of a seed file, which may create units by name. */
export const newWords = (): FileWords => new FileWords({ makesNew: true });

/** The largest count of one name. */
const largestCount = 100_000;

/** Stands for an invalid count: any index is accepted, and one record is checked. */
const unreadable = Number.POSITIVE_INFINITY;

const timesOf = (count: number | undefined): number => (count === undefined || count === unreadable ? 1 : count);

/** Checks a file and returns its elements. Throws UsageError with all problems, each at its line. */
export function seedElements(file: SeedFile, options: SeedOptions): SeedElements {
  const { words = newWords() } = options;
  const problems = new Problems();
  const scope = scopeOf(file, options, problems);
  const total = [...(scope.records?.values() ?? [])].reduce((sum, { count }) => sum + timesOf(count), 0);
  if (total > limits.seeded)
    throw new UsageError(`${file.shown}: The file has ${total} records; the most is ${limits.seeded}. Nothing was sent.`);
  const families = new Map(file.records.map(({ name, type }) => [name, familyOf(type)]));
  const checking: Checking = { scope, words, problems, seen: new Map(), families };
  const elements = file.records.map((element) => {
    const before = problems.count;
    if (element.kind === 'find') return findingOf(file, element, checking);
    const making = makingOf(file, element, scope.records?.get(element.name)?.count, words, problems);
    if (making === undefined) return undefined;
    const ofElement = problems.count;
    const records: RecordToMake[] = [];
    // The check of an element ends at its first record with problems.
    for (let n = 0; n < timesOf(making.count) && problems.count === ofElement; n += 1)
      records.push(checkedRecord(making, making.count === undefined ? undefined : n, ofElement > before, checking));
    return { ...making, records };
  });
  problems.throwIfAny(file.shown);
  return { scope, words, elements: elements.filter((element) => element !== undefined) };
}

/** Evaluates variables and counts, each with the variables above it. */
function scopeOf(file: SeedFile, { run, randomSeed, today, env, readable = [] }: SeedOptions, problems: Problems): Scope {
  const variables = new Map<string, string | readonly string[]>();
  const scope: Scope = { file, run, randomSeed, env, readable, fake: createFake(today), variables, records: undefined };
  for (const [name, tree] of Object.entries(file.vars)) {
    const owner: Owner = { name, part: `vars.${name}` };
    const evaluatedText = (one: Tree): string => String(evaluate(one, owner, scope, () => undefined).value ?? '');
    const value = problems.try(file.where(['vars', name]), () =>
      Array.isArray(tree) ? tree.map(evaluatedText) : evaluatedText(tree as Tree),
    );
    variables.set(name, value ?? '');
  }
  const records = file.records.map((record, place) => {
    const text = record.kind === 'make' ? record.count : undefined;
    const where = file.where([...record.place, 'count']);
    const count = text === undefined ? undefined : (problems.try(where, (at) => countOf(text, record.name, scope, at)) ?? unreadable);
    return [record.name, { place, count }] as const;
  });
  return { ...scope, records: new Map(records) };
}

function countOf(text: string, name: string, scope: Scope, where: string): number {
  const plain = String(evaluate(text, { name, part: 'count' }, scope, () => undefined).value);
  if (/^-\d+$/.test(plain)) throw new UsageError(`${where}: ${plain} is negative; give 0 or more.`);
  const count = parseInteger(plain, where);
  if (count > largestCount) throw new UsageError(`${where}: It is more than ${largestCount}.`);
  return count;
}

/** The state of a file's check. */
interface Checking {
  readonly scope: Scope;
  readonly words: FileWords;
  readonly problems: Problems;
  /** The record that first had a unique value or key. */
  readonly seen: Map<string, string>;
  /** The family of each name; undefined for a read-only family. */
  readonly families: ReadonlyMap<string, Resource | undefined>;
}

function findingOf(file: SeedFile, element: FindElement, checking: Checking): Finding | undefined {
  const { scope, problems } = checking;
  const place = (...rest: ValuePath): Where => file.where([...element.place, 'find', ...rest]);
  const family = problems.try(place('type'), () => familyToFindIn(element.type));
  const by = Object.entries(element.by).map(([name, tree]) => ({ name, tree, where: place('by', name) }));
  for (const { name, tree, where } of by) {
    if (family !== undefined) problems.try(where, () => markOf(family, name));
    problems.try(where, () => evaluate(tree, { name: element.name, part: 'find' }, scope, checkedMembers(checking)));
  }
  return family === undefined ? undefined : { kind: 'find', name: element.name, where: file.where(element.place), family, by };
}

/** The parts that all records of an element share; undefined for an unknown type. */
function makingOf(
  file: SeedFile,
  element: RecordElement,
  count: number | undefined,
  words: FileWords,
  problems: Problems,
): Making | undefined {
  const place = (...rest: ValuePath): Where => file.where([...element.place, ...rest]);
  const resource = familyOf(element.type);
  if (resource === undefined) {
    const names = resources.map(({ singular }) => singular);
    problems.add(place('type'), `There is no type "${element.type}" to create.${suggestion(element.type, names)}`);
    return undefined;
  }
  const { fields } = createShape(resource);
  const setBy = new Map<string, string>();
  const noteSet = (wires: readonly string[], name: string, where: Where): void => {
    const twin = wires.map((wire) => setBy.get(wire)).find((one) => one !== undefined);
    if (twin !== undefined) problems.add(where, `It sets the same field as "${twin}".`);
    for (const wire of wires) setBy.set(wire, twin ?? name);
  };
  const values = Object.entries(element.set).flatMap(([flag, tree]) => {
    const where = place('set', flag);
    const field = problems.try(where, () => fieldNamed(fields, flag));
    if (field === undefined) return [];
    noteSet(field.type.kind === 'reference' ? [field.wire, ...wiresOf(field)] : [field.wire], flag, where);
    return [{ field, wire: field.wire, where, tree }];
  });
  const wires = Object.entries(element.wire).map(([wire, tree]) => ({ wire, where: place('wire', wire), tree: String(tree ?? '') }));
  for (const { wire, where } of wires) noteSet([wire], wire, where);
  const { key: flag } = element;
  const key = flag === undefined ? undefined : problems.try(place('key'), () => keyField(resource, element, flag));
  const acts = element.then.flatMap((one, step) => {
    const where = place('then', step);
    const found = problems.try(where, () => actionNamed(resource, one));
    if (found === undefined) return [];
    const { verb } = found.action;
    const ofValue = typeof where === 'string' ? `${where}.${verb}` : { ...where, column: `${where.column}.${verb}` };
    return [{ part: `then[${step}]`, action: withWords(found.action, words), tree: found.value, where: ofValue }];
  });
  return { kind: 'make', name: element.name, where: place(), resource, count, values: [...values, ...wires], key, acts };
}

function keyField(resource: Resource, { set }: RecordElement, flag: string): Field {
  const field = fieldNamed(createShape(resource).fields, flag);
  markOf(resource, field.flag);
  const isSet = Object.keys(set).some((name) => flagForm(name) === field.flag);
  if (!isSet) throw new UsageError(`"${flag}" is not set, so it can't tell the record from others.`);
  return field;
}

function withWords(action: SeedAction, words: FileWords): SeedAction {
  const { type, bodyOf } = action;
  if (type === undefined) return action;
  const resolved = (value: Tree, where: string): Tree => words.resolved(type, value, where);
  return {
    ...action,
    bodyOf: (value, where) => bodyOf(isList(value) ? value.map((one) => resolved(one, where)) : resolved(value, where), where),
  };
}

/** `isFaulty`: the element has problems already. */
function checkedRecord(making: Making, index: number | undefined, isFaulty: boolean, checking: Checking): RecordToMake {
  const { scope, words, problems } = checking;
  const { name, resource, where, values, acts } = making;
  const before = problems.count;
  const isSound = (): boolean => !isFaulty && problems.count === before;
  const record = { making, ...(index === undefined ? {} : { index }) };
  const called = nameInFile({ name, ...record });
  const filledValue = (one: Value, part: string): Tree =>
    problems.try(one.where, () => evaluate(one.tree, ownerOf(record, part), scope, checkedMembers(checking)).value) ?? null;
  const set = values.map((one): Filled => ({ ...one, text: filledValue(one, 'set') }));
  const done = acts.map((one) => ({ ...one, text: filledValue(one, one.part) }));
  const isEvaluated = problems.count === before;
  const entries = isEvaluated
    ? entriesOf(record, { scope, words, refer: idsOnly, toCome: () => 0, attempt: problems.try.bind(problems) })
    : [];
  if (isSound()) {
    for (const one of set.filter(({ field }) => field !== undefined && field === making.key)) {
      if (isBlankGiven(one.text)) problems.add(one.where, "It is the record's key and can't be empty.");
      else if (valueIn(record, one, 'set', { scope, refer: idsOnly }).isOpen)
        problems.add(one.where, "It is the record's key, and a key takes nothing of other records but an id.");
    }
  }
  if (isEvaluated) for (const act of acts) checkAct(record, act, set, checking);
  // A missing value is told only for a record without other problems: a misspelt name may have been meant for the missing value.
  if (isSound()) problems.try(where, () => createBodyOf(resource, entries));
  if (isSound()) checkTwins(making, called, set, checking);
  return {
    ...record,
    name: called,
    digest: seedDigest(
      [resource.name, ...(making.key === undefined ? [] : [making.key.flag])],
      set.map(({ wire, text }) => [wire, text]),
    ),
    acts: done.map(({ action, text }) => seedDigest([action.verb], [['', text]])),
  };
}

/** A record as the owner of its texts. `part`: `set` or `then[0]`. */
export const ownerOf = ({ making, index }: Counted, part: string): Owner => ({
  name: making.name,
  part,
  ...(index === undefined ? {} : { index }),
});

/** Takes every id as known, and every other member as unknown. */
const idsOnly: Refer = ({ member }) => (member === 'id' ? '1' : undefined);

/** Takes every member as unknown. Throws UsageError for members that a family doesn't have (interface: Resources and their fields). */
const checkedMembers =
  ({ families }: Checking): Refer =>
  (target) => {
    const problem = memberProblem(target, families.get(target.name));
    if (problem !== undefined) throw new UsageError(problem);
    return undefined;
  };

function memberProblem({ name, member }: ReferenceTarget, resource: Resource | undefined): string | undefined {
  if (resource === undefined || member === 'id') return undefined;
  const path = readPath(resource, member) ?? member;
  const what = `(\${${name}.${member}})`;
  const { sets = [], fields } = resource;
  // Members that hold several values.
  const lists = [...sets.map(({ read }) => read), ...fields.flatMap(({ type, read }) => (type.kind === 'numbered' ? (read ?? []) : []))];
  if (lists.some((list) => path === list || path.startsWith(`${list}.`))) return `"${member}" is not a single value ${what}.`;
  if (resource.record.includes(path)) return undefined;
  const inside = resource.record.filter((one) => one.startsWith(`${path}.`));
  if (inside.length > 0) return `"${member}" is not a single value ${what}: there are ${inside.join(', ')}.`;
  return `${resource.name} have no "${member}" ${what}.${suggestion(member, resource.record)}`;
}

/** Functions that turn the values of a record into body entries. */
interface Filling {
  readonly scope: Scope;
  readonly words: FileWords;
  readonly refer: Refer;
  /** The stand-in for a value with an unknown reference. */
  readonly toCome: (value: Tree) => BodyValue;
  /** Calls `work` for a value. Returns undefined when `work` fails and the failure is noted as a problem. */
  readonly attempt: <T>(where: Where, work: (where: string) => T) => T | undefined;
}

/** The body entries of a record. Throws the errors of `attempt`. */
export function entriesOf(record: Counted, filling: Filling): Entry[] {
  const { resource, values } = record.making;
  const shape = createShape(resource);
  const entries = (one: Setting, where: string): Entry[] => {
    const { value, isOpen } = valueIn(record, one, 'set', filling);
    const { field, wire } = one;
    if (isOpen) return [[wire, filling.toCome(value)]];
    if (field === undefined) return wireValueEntries(shape, wire, value, where);
    return valueEntries(shape, field, filling.words.resolved(field.type, value, where), where);
  };
  return values.flatMap((one) => filling.attempt(one.where, (where) => entries(one, where)) ?? []);
}

/** Evaluates a value of a record. `part`: `set` or `then[0]`. */
export const valueIn = (record: Counted, { tree }: Value, part: string, { scope, refer }: Pick<Filling, 'scope' | 'refer'>): Evaluated =>
  evaluate(tree, ownerOf(record, part), scope, refer);

function checkAct(record: Counted, act: Act, set: readonly Filled[], { scope, problems }: Checking): void {
  const { value, isOpen } = valueIn(record, act, act.part, { scope, refer: idsOnly });
  if (isOpen) return;
  problems.try(act.where, (where) => {
    const { verb, bodyOf, needs } = act.action;
    const isFieldSet = (flag: string): boolean => set.some(({ field, text }) => field?.flag === flag && text !== null && text !== '');
    const body = bodyOf(value, where);
    const missing = (needs?.(body) ?? []).filter((flag) => !isFieldSet(flag));
    if (missing.length > 0) throw new UsageError(`To ${verb}, give ${missing.join(', ')} here or in the record's set.`);
  });
}

function checkTwins({ resource, key }: Making, name: string, set: readonly Filled[], { seen, problems }: Checking): void {
  for (const { field, text, where } of set) {
    if (field === undefined || (!field.unique && field !== key) || typeof text !== 'string' || text === '') continue;
    const mark = JSON.stringify([resource.name, field.wire, text.toLowerCase()]);
    const before = seen.get(mark);
    if (before === undefined) seen.set(mark, name);
    else problems.add(where, `${name} and ${before} have the same ${field.flag}.`);
  }
}

function seedDigest(words: readonly string[], values: readonly (readonly [string, Tree])[]): Uint8Array {
  const sorted = values.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([words, sorted]), 'buffer').subarray(0, 16);
}

/** The targets of the references in some values. */
export function targetsOf(values: readonly { readonly tree: Tree }[], owner: Owner, scope: Scope): readonly ReferenceTarget[] {
  const targets = new Map<string, ReferenceTarget>();
  const refer: Refer = (target) => void targets.set(targetText(target), target);
  for (const { tree } of values) evaluate(tree, owner, scope, refer);
  return [...targets.values()];
}
