// From one element of `records` to the records that it stands for: names looked up once, texts resolved for each of a count.

import { flagForm } from '../../bodies/names.ts';
import { createShape, wiresOf } from '../../bodies/shape.ts';
import { UsageError } from '../../errors.ts';
import type { Problems, Where } from '../../files/problems.ts';
import type { FileWords } from '../../names/file-words.ts';
import type { Field, Resource } from '../../resources/define.ts';
import { resources } from '../../resources/index.ts';
import { suggestion } from '../../values/text/suggest.ts';
import { actionNamed, type SeedAction } from '../actions.ts';
import type { FindElement, Place, RecordElement, SeedFile, SeedRecord, Tree } from './file.ts';
import { collectionOf, familyOf, markOf } from './find.ts';
import type { Found, PlannedRecord, PlannedValue, PlanPart } from './planned.ts';
import { type Owner, type RunScope, resolveTree } from './scope.ts';
import { fieldNamed } from './values.ts';

/** What one element of `records` comes to; `count`: how many it stands for, undefined for one that isn't counted. */
export function partOf(file: SeedFile, record: SeedRecord, count: number | undefined, scope: RunScope, problems: Problems): PlanPart {
  const { name } = record;
  if (record.kind === 'find') return { kind: 'find', name, found: foundOf(file, record, scope, problems) };
  return { kind: 'make', name, made: madeOf(file, record, count, scope, problems) };
}

function foundOf(file: SeedFile, record: FindElement, scope: RunScope, problems: Problems): Found {
  const collection = problems.try(file.where([...record.place, 'find', 'type']), () => collectionOf(record.type));
  const owner: Owner = { name: record.name, part: 'find' };
  const by = Object.entries(record.by).flatMap(([name, tree]) => {
    const where = file.where([...record.place, 'find', 'by', name]);
    if (collection !== undefined) problems.try(where, () => markOf(collection, name));
    const one = problems.try(where, () => resolveTree(tree, owner, scope));
    return one === undefined ? [] : [{ name, resolved: typeof one === 'boolean' || one === null ? String(one ?? '') : one, where }];
  });
  return { name: record.name, where: file.where(record.place), type: record.type, by };
}

/** The records of one name; of counted ones only the first with problems is looked at. */
function madeOf(
  file: SeedFile,
  record: RecordElement,
  count: number | undefined,
  scope: RunScope,
  problems: Problems,
): readonly PlannedRecord[] {
  const place = (...rest: Place): Where => file.where([...record.place, ...rest]);
  const resource = familyOf(record.type);
  if (resource === undefined) {
    const names = resources.map(({ singular }) => singular);
    problems.add(place('type'), `There is no type "${record.type}" to create.${suggestion(record.type, names)}`);
    return [];
  }
  const before = problems.count;
  const recordAt = recordsOf(record, resource, place, scope, problems);
  const made: PlannedRecord[] = [];
  for (let index = 0; index < (count ?? 1); index += 1) {
    made.push(recordAt(count === undefined ? undefined : index));
    if (problems.count > before) break;
  }
  return made;
}

/** Works out what is the same for all records of a count; gives the one with a number, its texts resolved. */
function recordsOf(
  record: RecordElement,
  resource: Resource,
  place: (...rest: Place) => Where,
  scope: RunScope,
  problems: Problems,
): (index: number | undefined) => PlannedRecord {
  const { name } = record;
  const { words } = scope;
  const { fields } = createShape(resource);
  const named = new Map<Field, string>();
  const values = Object.entries(record.set).flatMap(([flag, tree]) => {
    const where = place('set', flag);
    const field = problems.try(where, () => fieldNamed(fields, flag));
    if (field === undefined) return [];
    const twin = named.get(field);
    if (twin !== undefined) problems.add(where, `It is "${twin}" a second time.`);
    named.set(field, twin ?? flag);
    return [{ field, where, tree }];
  });
  const wires = Object.entries(record.wire).map(([wire, tree]) => ({ wire, where: place('wire', wire), tree: String(tree ?? '') }));
  for (const { wire, where } of wires) {
    const same = [...named].find(([field]) => wire === field.wire || (field.type.kind === 'reference' && wiresOf(field).includes(wire)));
    if (same !== undefined) problems.add(where, `It is what "${same[1]}" sets already.`);
  }
  const key = record.key.flatMap((flag) => problems.try(place('key'), () => keyField(resource, record, flag)) ?? []);
  const acts = record.then.flatMap((element, step) => {
    const where = place('then', step);
    const named = problems.try(where, () => actionNamed(resource, element));
    if (named === undefined) return [];
    return [{ step, action: withWords(named.action, words), tree: named.value, where: below(where, named.action.verb) }];
  });
  const [where, own] = [place(), { name, resource, key, words }];
  return (index) => {
    const numbered = index === undefined ? {} : { index };
    const resolved = (tree: Tree, part: string, where: Where): PlannedValue => ({
      where,
      resolved: problems.try(where, () => resolveTree(tree, { name, part, ...numbered }, scope)) ?? null,
    });
    return {
      ...own,
      ...numbered,
      where,
      values: values.map(({ field, where, tree }) => ({ field, ...resolved(tree, 'set', where) })),
      wires: wires.map(({ wire, where, tree }) => ({ wire, ...resolved(tree, 'set', where) })),
      acts: acts.map(({ step, action, tree, where }) => ({ step, action, value: resolved(tree, `then[${step}]`, where) })),
    };
  };
}

const below = (where: Where, name: string): Where =>
  typeof where === 'string' ? `${where}.${name}` : { ...where, column: `${where.column}.${name}` };

function keyField(resource: Resource, { set }: RecordElement, flag: string): Field {
  const field = fieldNamed(createShape(resource).fields, flag);
  markOf({ type: resource.singular, path: resource.path, resource }, field.flag);
  const isSet = Object.keys(set).some((name) => flagForm(name) === field.flag);
  if (!isSet) throw new UsageError(`"${flag}" is not set, so it can't tell the record from others.`);
  return field;
}

/** An action that takes names in place of ids. */
function withWords(action: SeedAction, words: FileWords): SeedAction {
  const { type, bodyOf } = action;
  if (type === undefined) return action;
  const settled = (value: Tree, where: string): Tree => words.settled(type, value, where);
  return {
    ...action,
    bodyOf: (value, where) => bodyOf(isTreeList(value) ? value.map((one) => settled(one, where)) : settled(value, where), where),
  };
}

const isTreeList = (value: Tree): value is readonly Tree[] => Array.isArray(value);
