// What a seed file comes to: every record that is to be, with all that is known put in and checked, in an order in which
// whatever is referred to comes first. Nothing is sent while this is worked out.

import type { Body, BodyValue } from '../body.ts';
import { Problems } from '../bulk/problems.ts';
import { UsageError } from '../errors.ts';
import type { Field, Resource } from '../resources/define.ts';
import { resources } from '../resources/index.ts';
import { parseInteger, valueText } from '../values.ts';
import { createShape } from '../verbs/flags.ts';
import { actionNamed, type SeedAction } from './actions.ts';
import { loadFake } from './fake.ts';
import type { FoundRecord, MadeRecord, Place, SeedFile, SeedRecord } from './file.ts';
import { collectionOf, familyOf, markOf } from './find.ts';
import { suggestion } from './near.ts';
import { orderOf } from './order.ts';
import { fill, type Known, type Owner, Pending, type RunScope, resolvePlain, resolveTree, type Target, targetsIn } from './scope.ts';
import { ownWords } from './template.ts';
import { createBodyOf, fieldNamed, textOf, valueEntries } from './values.ts';

/** One value, and where it stands. */
export interface Given {
  readonly known: Known;
  readonly where: string;
}

/** An action on a record. */
export interface Act {
  /** Its place in `then`, from 0. */
  readonly step: number;
  readonly action: SeedAction;
  readonly value: Given;
}

/** One record to create. */
export interface Made {
  readonly name: string;
  /** Its number, when it is counted. */
  readonly index?: number;
  readonly where: string;
  readonly resource: Resource;
  readonly values: readonly (Given & { readonly field: Field })[];
  readonly wires: readonly (Given & { readonly wire: string })[];
  /** What tells it from all others; empty: nothing does. */
  readonly key: readonly Field[];
  readonly acts: readonly Act[];
}

/** One record to find. */
export interface Found {
  readonly name: string;
  readonly where: string;
  readonly type: string;
  readonly by: readonly (Given & { readonly name: string })[];
}

/** A part of the work: a record is found, or all of one name are created, and then acted upon. */
export type PlanPart =
  | { readonly kind: 'find'; readonly name: string; readonly found: Found }
  | { readonly kind: 'make' | 'act'; readonly name: string; readonly made: readonly Made[] };

export interface Plan {
  readonly run: string;
  readonly parts: readonly PlanPart[];
  /** Names in the order of the file, and whether each stands for counted records. */
  readonly names: readonly { readonly name: string; readonly isCounted: boolean }[];
}

export interface PlanOptions {
  readonly run: string;
  readonly randomSeed: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The most records that one name may stand for. */
const largestCount = 100_000;

/** How messages and ledgers name a record: `lead`, `lead[3]`. */
export const madeName = ({ name, index }: Pick<Made, 'name' | 'index'>): string => (index === undefined ? name : `${name}[${index}]`);

/** Works out a file. Throws UsageError with everything that is wrong with it, each at its line. */
export async function planOf(file: SeedFile, options: PlanOptions): Promise<Plan> {
  const problems = new Problems();
  const isFaking = JSON.stringify([file.vars, file.records]).includes('${fake.');
  const scope = scopeOf(file, options, isFaking ? await loadFake() : undefined);
  for (const name of Object.keys(file.vars)) problems.try(file.where(['vars', name]), () => scope.variable(name));
  const counts = countsOf(file, scope, problems);
  problems.throwIfAny(file.shown);
  const whole: RunScope = { ...scope, countOf: (name) => countIn(counts, name) };
  const works = file.records.map((record) => workOf(file, record, counts, whole, problems));
  problems.throwIfAny(file.shown);
  checkDuplicates(works, problems);
  const parts = orderedParts(file, works, problems);
  problems.throwIfAny(file.shown);
  return { run: options.run, parts, names: file.records.map(({ name }) => ({ name, isCounted: counts.get(name) !== undefined })) };
}

/** The body that creates a record, its references filled. Throws UsageError naming the line of a value that turns out invalid. */
export function bodyOfMade(made: Made, value: (target: Target) => string): Body {
  const entries = made.values.flatMap(({ field, known, where }) => valueEntries(field, fill(known, value), where));
  const wires = made.wires.map(({ wire, known, where }): [string, string] => [wire, textOf(fill(known, value), where)]);
  return atPlace(made.where, () => createBodyOf(made.resource, [...entries, ...wires]));
}

/** What an action is given, its references filled. Throws UsageError naming its line. */
export function bodyOfAct({ action, value }: Act, fillIn: (target: Target) => string): Body | undefined {
  return action.given(fill(value.known, fillIn), value.where);
}

function atPlace<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError && !error.message.startsWith('line ')) throw new UsageError(`${where}: ${error.message}`);
    throw error;
  }
}

function scopeOf(file: SeedFile, { run, randomSeed, env }: PlanOptions, fake: RunScope['fake']): RunScope {
  const values = new Map<string, string>();
  const underWay: string[] = [];
  const scope: RunScope = {
    run,
    randomSeed,
    env,
    fake,
    countOf: () => {
      throw new UsageError("A variable can't refer to records.");
    },
    variable: (name) => {
      const known = values.get(name);
      if (known !== undefined) return known;
      if (underWay.includes(name)) throw new UsageError(`Variables that need each other: ${[...underWay, name].join(' → ')}.`);
      underWay.push(name);
      try {
        const value = resolvePlain(variableText(file, name), { name: '', part: `vars.${name}` }, scope);
        values.set(name, value);
        return value;
      } finally {
        underWay.pop();
      }
    },
  };
  return scope;
}

function variableText(file: SeedFile, name: string): string {
  const value = Object.hasOwn(file.vars, name) ? file.vars[name] : undefined;
  if (value !== undefined) return value === null ? '' : String(value);
  if (file.records.some((one) => one.name === name)) throw new UsageError(`"${name}" is a record: write \${${name}.id}.`);
  throw new UsageError(`There is no variable "${name}".${suggestion(name, [...Object.keys(file.vars), ...ownWords])}`);
}

/** Every name and how many records it stands for; undefined: one, not counted. */
type Counts = ReadonlyMap<string, number | undefined>;

function countsOf(file: SeedFile, scope: RunScope, problems: Problems): Counts {
  const counts = new Map<string, number | undefined>();
  for (const record of file.records) {
    const text = record.kind === 'make' ? record.count : undefined;
    const where = file.where([...record.place, 'count']);
    const count = text === undefined ? undefined : problems.try(where, () => countOf(text, record, scope, where));
    counts.set(record.name, count);
  }
  return counts;
}

function countOf(text: string, { name }: SeedRecord, scope: RunScope, where: string): number {
  const count = parseInteger(resolvePlain(text, { name, part: 'count' }, scope), where);
  if (count > largestCount) throw new UsageError(`${where}: It is more than ${largestCount}.`);
  return count;
}

function countIn(counts: Counts, name: string): number | undefined {
  if (!counts.has(name)) throw new UsageError(`There is no record "${name}".${suggestion(name, [...counts.keys()])}`);
  return counts.get(name);
}

/** What one element of `records` comes to: parts of the work, but for what follows creation. */
type Work = PlanPart;

function workOf(file: SeedFile, record: SeedRecord, counts: Counts, scope: RunScope, problems: Problems): Work {
  if (record.kind === 'find') return { kind: 'find', name: record.name, found: foundOf(file, record, scope, problems) };
  return { kind: 'make', name: record.name, made: madeOf(file, record, counts.get(record.name), scope, problems) };
}

function foundOf(file: SeedFile, record: FoundRecord, scope: RunScope, problems: Problems): Found {
  const collection = problems.try(file.where([...record.place, 'find', 'type']), () => collectionOf(record.type));
  const owner: Owner = { name: record.name, part: 'find' };
  const by = Object.entries(record.by).flatMap(([name, tree]) => {
    const where = file.where([...record.place, 'find', 'by', name]);
    if (collection !== undefined) problems.try(where, () => markOf(collection, name));
    const known = problems.try(where, () => resolveTree(tree, owner, scope));
    return known === undefined ? [] : [{ name, known: typeof known === 'boolean' || known === null ? String(known ?? '') : known, where }];
  });
  return { name: record.name, where: file.where(record.place), type: record.type, by };
}

/** The records of one name; of counted ones only the first with problems is looked at. */
function madeOf(file: SeedFile, record: MadeRecord, count: number | undefined, scope: RunScope, problems: Problems): readonly Made[] {
  const place = (...rest: Place): string => file.where([...record.place, ...rest]);
  const resource = familyOf(record.type);
  if (resource === undefined) {
    const known = resources.map(({ singular }) => singular);
    problems.add(place('type'), `There is no type "${record.type}" to create.${suggestion(record.type, known)}`);
    return [];
  }
  const before = problems.count;
  const draft = draftOf(record, resource, place, problems);
  const made: Made[] = [];
  for (let index = 0; index < (count ?? 1); index += 1) {
    const one = oneMade(draft, count === undefined ? undefined : index, scope, problems);
    made.push(one);
    const entries = checkedEntries(one, problems);
    checkActs(one, problems);
    // What is missing is said only when nothing else is wrong: it may be what was misspelt.
    if (problems.count === before) problems.try(one.where, () => createBodyOf(resource, entries));
    if (problems.count > before) break;
  }
  return made;
}

/** A record before its texts are known: what is the same for all of a count. */
interface Draft {
  readonly record: MadeRecord;
  readonly resource: Resource;
  readonly where: string;
  readonly values: readonly { readonly field: Field; readonly flag: string; readonly where: string }[];
  readonly wires: readonly { readonly wire: string; readonly where: string }[];
  readonly key: readonly Field[];
  readonly acts: readonly {
    readonly step: number;
    readonly action: SeedAction;
    readonly value: MadeRecord['then'][number];
    readonly where: string;
  }[];
}

function draftOf(record: MadeRecord, resource: Resource, place: (...rest: Place) => string, problems: Problems): Draft {
  const { fields } = createShape(resource);
  const values = Object.keys(record.set).flatMap((flag) => {
    const where = place('set', flag);
    const field = problems.try(where, () => fieldNamed(fields, flag));
    return field === undefined ? [] : [{ field, flag, where }];
  });
  const key = record.key.flatMap((flag) => problems.try(place('key'), () => keyField(resource, record, flag)) ?? []);
  const acts = record.then.flatMap((element, step) => {
    const where = place('then', step);
    const named = problems.try(where, () => actionNamed(resource, element));
    return named === undefined ? [] : [{ step, ...named, where: `${where}.${named.action.verb}` }];
  });
  return {
    record,
    resource,
    where: place(),
    values,
    wires: Object.keys(record.wire).map((wire) => ({ wire, where: place('wire', wire) })),
    key,
    acts,
  };
}

function keyField(resource: Resource, { set }: MadeRecord, flag: string): Field {
  const field = fieldNamed(createShape(resource).fields, flag);
  markOf({ type: resource.singular, path: resource.path, resource }, field.flag);
  const isSet = Object.keys(set).some((name) => name.replaceAll('_', '-') === field.flag);
  if (!isSet) throw new UsageError(`"${flag}" is not set, so it can't tell the record from others.`);
  return field;
}

function oneMade(draft: Draft, index: number | undefined, scope: RunScope, problems: Problems): Made {
  const { record, resource } = draft;
  const owner = (part: string): Owner => ({ name: record.name, part, ...(index === undefined ? {} : { index }) });
  const known = (tree: Parameters<typeof resolveTree>[0], part: string, where: string): Known =>
    problems.try(where, () => resolveTree(tree, owner(part), scope)) ?? null;
  return {
    name: record.name,
    ...(index === undefined ? {} : { index }),
    where: draft.where,
    resource,
    values: draft.values.map(({ field, flag, where }) => ({ field, where, known: known(record.set[flag] ?? null, 'set', where) })),
    wires: draft.wires.map(({ wire, where }) => ({ wire, where, known: known(String(record.wire[wire] ?? ''), 'set', where) })),
    key: draft.key,
    acts: draft.acts.map(({ step, action, value, where }) => ({
      step,
      action,
      value: { where, known: known(value, `then[${step}]`, where) },
    })),
  };
}

/** The body entries of everything that can be checked before the records are there that it refers to; their ids will be ids. */
function checkedEntries({ values, wires }: Made, problems: Problems): [string, BodyValue][] {
  const entries = values.flatMap(({ field, known, where }): [string, BodyValue][] => {
    if (!hasIdsOnly(known)) return [[field.wire, '']];
    return problems.try(where, () => valueEntries(field, fill(known, () => '1'), where)) ?? [];
  });
  return [...entries, ...wires.map(({ wire }): [string, BodyValue] => [wire, ''])];
}

function checkActs(made: Made, problems: Problems): void {
  for (const { action, value } of made.acts) {
    if (!hasIdsOnly(value.known)) continue;
    const given = problems.try(value.where, () => ({ body: action.given(fill(value.known, () => '1'), value.where) }));
    if (given !== undefined) problems.try(value.where, () => checkNeeds(made, action, given.body));
  }
}

const hasIdsOnly = (known: Known): boolean => targetsIn(known).every(({ member }) => member === 'id');

function checkNeeds(made: Made, { verb, needs }: SeedAction, given: Body | undefined): void {
  const has = (flag: string): boolean => made.values.some(({ field, known }) => field.flag === flag && known !== null && known !== '');
  const missing = (needs?.(given) ?? []).filter((flag) => !has(flag));
  if (missing.length === 0) return;
  throw new UsageError(`To ${verb}, give ${missing.join(', ')} here or in the record's set.`);
}

/** Values that the service takes only once, and keys, must differ within the file already. */
function checkDuplicates(works: readonly Work[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const work of works) {
    if (work.kind === 'find') continue;
    for (const made of work.made) {
      const uniques = made.values.filter(({ field }) => field.unique).map((value) => [value]);
      const keyed = made.values.filter(({ field }) => made.key.includes(field));
      for (const values of keyed.length > 0 ? [...uniques, keyed] : uniques) checkOnce(made, values, seen, problems);
    }
  }
}

function checkOnce(made: Made, values: Made['values'], seen: Map<string, string>, problems: Problems): void {
  const texts = values.map(({ field, known }) => ({ wire: field.wire, text: known instanceof Pending ? undefined : plainText(known) }));
  if (texts.some(({ text }) => text === undefined)) return;
  const key = JSON.stringify([made.resource.name, ...texts.map(({ wire, text }) => [wire, text?.toLowerCase()])]);
  const before = seen.get(key);
  const name = madeName(made);
  if (before === undefined) seen.set(key, name);
  else if (before !== name) {
    const what = values.map(({ field }) => field.flag).join(' and ');
    problems.add(values[0]?.where ?? made.where, `${name} and ${before} have the same ${what}.`);
  }
}

const plainText = (known: Known): string | undefined => (typeof known === 'string' ? known : undefined);

/** What needs an id alone comes after its record's creation; what needs anything else, after its actions too. */
function orderedParts(file: SeedFile, works: readonly Work[], problems: Problems): readonly PlanPart[] {
  const acting = new Map(works.filter(hasActs).map((work): [string, PlanPart] => [work.name, { ...work, kind: 'act' }]));
  const creating = new Map(works.map((work) => [work.name, work]));
  const needsOf = (part: PlanPart): readonly PlanPart[] => {
    const needs = targetsOf(part).map(({ name, member }) => (member === 'id' ? undefined : acting.get(name)) ?? creating.get(name));
    return [...new Set([part.kind === 'act' ? creating.get(part.name) : undefined, ...needs])].filter((need) => need !== undefined);
  };
  const order = orderOf<PlanPart>(
    works.flatMap((work) => [work, acting.get(work.name) ?? []].flat()),
    needsOf,
  );
  if (order.kind === 'order') return order.ordered;
  const names = order.cycle.map(({ name }) => name);
  const place = file.records.find(({ name }) => name === names[0])?.place ?? [];
  problems.add(file.where(place), `Records that need each other: ${cycleText(names)}.`);
  return [];
}

type Making = Exclude<PlanPart, { kind: 'find' }>;

const hasActs = (part: PlanPart): part is Making => part.kind !== 'find' && part.made.some(({ acts }) => acts.length > 0);

/** A record and its actions are one name: `a → b → a`. */
function cycleText(names: readonly string[]): string {
  const [first = ''] = names;
  const others = names.filter((name, index) => index > 0 && name !== names[index - 1]);
  return [first, ...(others.at(-1) === first ? others : [...others, first])].join(' → ');
}

function targetsOf(part: PlanPart): readonly Target[] {
  if (part.kind === 'find') return part.found.by.flatMap(({ known }) => targetsIn(known));
  if (part.kind === 'act') return part.made.flatMap(({ acts }) => acts.flatMap(({ value }) => targetsIn(value.known)));
  return part.made.flatMap(({ values, wires }) => [...values, ...wires].flatMap(({ known }) => targetsIn(known)));
}

/** What tells a record from all others, out of its body: flag to text. */
export function keyOf({ key }: Made, body: Body): ReadonlyMap<string, string> {
  return new Map(key.map(({ flag, wire }) => [flag, valueText(body.get(wire) ?? '')]));
}
