// Writes a seed file that makes chosen records somewhere else: `crm seed from`. The same records give the same file, to the byte.

import { UsageError } from '../base/errors.ts';
import { scalarText } from '../base/values/json.ts';
import { isMembers, type Members, valueAt } from '../base/values/paths.ts';
import { firstOf, howMany, listed } from '../base/values/text/wording.ts';
import { bodyEntries } from '../model/bodies/entries.ts';
import type { Action, Field, Resource } from '../model/define.ts';
import { namedKinds, namedReferences } from '../model/named.ts';
import { idText } from '../model/records/display.ts';
import { safeLine } from '../model/records/safe-text.ts';
import { referenceFamilies, resources } from '../model/resources/index.ts';
import type { Tree } from './language/file.ts';
import { typeIn } from './language/find.ts';

/** The records of a seed file, and the sources of what they point to. */
export interface SeedSource {
  /** The chosen records by family. */
  readonly chosen: ReadonlyMap<Resource, readonly Members[]>;
  /** All records of a family that is only read: its names must be unique there. */
  all(family: Resource): Promise<readonly Members[]>;
  /** The comments of a lead, the oldest first; absent without --comments. */
  comments?(id: string): Promise<readonly Members[]>;
}

/** A seed file as text, and what it can't say, by kind: `2 signatures`. */
interface WrittenSeed {
  readonly text: string;
  readonly records: number;
  readonly lost: readonly string[];
}

/** The kinds of things that a seed can't say, with the word for one and for several. */
const lostKinds = {
  blank: ['record without a required value, which is left out', 'records without a required value, which are left out'],
  status: ['suspended contact, which is made active', 'suspended contacts, which are made active'],
  signature: ['signature', 'signatures'],
  image: ['image in a text', 'images in texts'],
  id: ['id in a text', 'ids in texts'],
  converted: ['converted lead, which is made open', 'converted leads, which are made open'],
  unnamed: ['id without a name, which stands as it is', 'ids without a name, which stand as they are'],
} as const;
type LostKind = keyof typeof lostKinds;

/** An element of the file's `records`. `about`: its comment. */
interface SeedElement {
  readonly about: string;
  readonly value: { readonly name: string; readonly [member: string]: Tree };
}

/** A file in the making. */
interface Draft {
  readonly source: SeedSource;
  /** The ids of the records that the file makes, by family. */
  readonly made: ReadonlyMap<Resource, ReadonlySet<string>>;
  readonly finds: Map<string, SeedElement>;
  readonly lost: Map<LostKind, number>;
  /** What the set lacks, as words for the command line: `leads:12`. */
  readonly lacking: Set<string>;
}

/**
 * The seed file of chosen records. Throws UsageError for a record that is pointed to, isn't chosen and has no name, and for a name that
 * several records have.
 */
export async function seedOf(source: SeedSource): Promise<WrittenSeed> {
  const whole = new Map([...source.chosen].map(([family, records]) => [family, records.filter((one) => isWhole(family, one))]));
  const made = new Map([...whole].map(([family, records]) => [family, new Set(records.map(idText))]));
  const draft: Draft = { source, made, finds: new Map(), lost: new Map(), lacking: new Set() };
  for (const [family, records] of source.chosen) count(draft, 'blank', records.length - (whole.get(family)?.length ?? 0));
  const elements: SeedElement[] = [];
  // Notes and proposals point to leads, notes to contacts: the families' order has these first.
  for (const family of ['contacts', 'leads', 'items', 'proposals', 'notes'].flatMap(
    (name) => resources.find((one) => one.name === name) ?? [],
  ))
    for (const record of sortedById(whole.get(family) ?? [])) elements.push(await elementOf(family, record, draft));
  if (draft.lacking.size > 0) {
    const missing = [...draft.lacking];
    throw new UsageError(
      `The records point to ${firstOf(missing, 5)}, which ${missing.length === 1 ? 'is' : 'are'} not chosen and have no name.`,
      {
        hint: `Add them: crm seed from … ${missing.join(' ')}`,
      },
    );
  }
  const finds = [...draft.finds.values()].toSorted((a, b) => (a.value.name < b.value.name ? -1 : 1));
  const lost = (Object.keys(lostKinds) as LostKind[]).flatMap((kind) => {
    const count = draft.lost.get(kind) ?? 0;
    return count === 0 ? [] : [howMany(count, lostKinds[kind][0], lostKinds[kind][1])];
  });
  return { text: await yamlOf([...finds, ...elements]), records: elements.length, lost };
}

const sortedById = (records: readonly Members[]): readonly Members[] =>
  records.toSorted((a, b) => idText(a).length - idText(b).length || (idText(a) < idText(b) ? -1 : 1));

/** The name of a chosen record in the file: `lead_12`. */
const nameOf = (family: Resource, id: string): string => `${family.singular}_${id}`;

/** True if a record has all values that a new record needs. */
const isWhole = ({ fields }: Resource, record: Members): boolean =>
  fields.every(({ required, read }) => required !== true || read === undefined || scalarText(valueAt(record, read)).trim() !== '');

function count({ lost }: Draft, kind: LostKind, by = 1): void {
  if (by > 0) lost.set(kind, (lost.get(kind) ?? 0) + by);
}

async function elementOf(family: Resource, record: Members, draft: Draft): Promise<SeedElement> {
  const id = idText(record);
  const set: Record<string, Tree> = {};
  const wire: Record<string, Tree> = {};
  for (const field of family.fields) {
    const value = field.read === undefined ? undefined : await treeOfField(family, field, record, draft);
    if (value === undefined) continue;
    if (typeof value === 'string' && !value.includes('${') && isRefused(field, value)) wire[field.wire] = value;
    else set[field.flag] = value;
  }
  const [before, after] = actionsToState(family, record, draft);
  const then = [...before, ...(await setsOf(family, record, draft)), ...(await commentsOf(family, id, draft)), ...after];
  const value = {
    name: nameOf(family, id),
    type: family.singular,
    set,
    ...(Object.keys(wire).length === 0 ? {} : { wire }),
    ...(then.length === 0 ? {} : { then }),
  };
  if (valueAt(record, 'role') !== undefined && scalarText(valueAt(record, 'status')) === 'suspended') count(draft, 'status');
  if (valueAt(record, 'signed.date') ?? null) count(draft, 'signature');
  if (valueAt(record, 'converted.is_converted') === true) count(draft, 'converted');
  return { about: titleText(family, record), value };
}

const titleText = ({ title }: Resource, record: Members): string =>
  title === undefined ? '' : safeLine(scalarText(valueAt(record, title)));

/** A record's value of a field as the file says it; undefined for an empty value. References stand as `${client_northgate.id}`. */
async function treeOfField(family: Resource, field: Field, record: Members, draft: Draft): Promise<Tree | undefined> {
  const held = valueAt(record, field.read ?? '');
  const { type } = field;
  if (type.kind === 'numbered') {
    const values = (Array.isArray(held) ? held : []).filter(isMembers).flatMap(({ id, value }): [string, string][] => {
      const text = scalarText(value);
      return text === '' ? [] : [[scalarText(id), literal(text, draft)]];
    });
    return values.length === 0 ? undefined : Object.fromEntries(values);
  }
  if (type.kind === 'reference') {
    const [kind, id] = [scalarText(valueAt(held, 'type')), scalarText(valueAt(held, 'id'))];
    return kind === '' || id === '' ? undefined : `${kind}:${await referenceTo(kind, id, draft)}`;
  }
  const text = scalarText(held);
  if (text === '') return undefined;
  if (type.kind !== 'id' && type.kind !== 'id-or-name') return literal(text, draft);
  if (type.of === undefined) return referenceTo(field.flag, text, draft);
  const { list, seenIn, within } = namedKinds[type.of];
  if (list !== undefined) return referenceTo(within ?? type.of, text, draft);
  const path = seenIn.find((one) => one.family === family.name && one.id === field.read)?.name ?? '';
  const name = scalarText(valueAt(record, path));
  if (name === '') count(draft, 'unnamed');
  return name === '' ? text : literal(/^(\d+$|name:|@)/.test(name) ? `name:${name}` : name, draft);
}

/** A text of a record, so that the seed language reads it as it is. Counts what means nothing elsewhere. */
function literal(text: string, draft: Draft): string {
  count(draft, 'image', text.match(/<img\b/gi)?.length ?? 0);
  count(
    draft,
    'id',
    text.match(/\b(?:lead|proposal|contact|client|project|task|item|note)s?(?:\s+|\s*[#/:-]\s*)\d+\b|\bmerged-into-\d+\b/gi)?.length ?? 0,
  );
  return text.replaceAll('${', () => '$${');
}

/** True for a text that the field's flag refuses: `wire` says it. */
function isRefused(field: Field, text: string): boolean {
  if (field.type.kind === 'id' || field.type.kind === 'id-or-name') return false;
  try {
    bodyEntries(field, text, field.flag);
    return false;
  } catch {
    return true;
  }
}

/** The reference to a record: `${lead_12.id}` of a chosen record, else the record is found by its name. `kind`: `lead`, `client`, `user`. */
async function referenceTo(kind: string, id: string, draft: Draft): Promise<string> {
  const named = namedReferences[kind] ?? kind;
  const own = resources.find(({ singular }) => singular === kind);
  if (own !== undefined) {
    if (draft.made.get(own)?.has(id) !== true) draft.lacking.add(`${own.name}:${id}`);
    return `\${${nameOf(own, id)}.id}`;
  }
  const family = referenceFamilies.find((one) => typeIn(one) === named || one.singular === named || one.name === named);
  if (family === undefined) throw new UsageError(`Nothing can be found by a ${kind}: leave out the records that point to ${kind} ${id}.`);
  const key = `${family.name}:${id}`;
  const known = draft.finds.get(key) ?? (await findOf(family, id, draft));
  if (known !== undefined) {
    draft.finds.set(key, known);
    return `\${${known.value.name}.id}`;
  }
  // Contacts are users, too (interface: Contact, Note).
  const contact = resources.find(({ name }) => name === 'contacts');
  if (kind !== 'user' || contact === undefined) throw new UsageError(`There is no ${family.singular} ${id}, to which a record points.`);
  if (draft.made.get(contact)?.has(id) !== true) draft.lacking.add(`${contact.name}:${id}`);
  return `\${${nameOf(contact, id)}.id}`;
}

/** The element that finds a record of a family that is only read. Undefined if there is none. Throws UsageError for a name of several. */
async function findOf(family: Resource, id: string, draft: Draft): Promise<SeedElement | undefined> {
  const all = await draft.source.all(family);
  const found = all.find((one) => idText(one) === id);
  if (found === undefined) return undefined;
  const path = namedKinds[family.namedAs ?? 'category'].list?.name ?? 'name';
  const by = family.namedAs === undefined ? ['title'] : [path, ...(family.name === 'categories' ? ['type'] : [])];
  const values = by.map((name) => [name, scalarText(valueAt(found, name))] as const);
  const same = all.filter((one) => values.every(([name, value]) => scalarText(valueAt(one, name)) === value));
  const [, title] = values[0] ?? ['', ''];
  if (title === '') throw new UsageError(`The ${family.singular} ${id} has no name, so no seed can find it.`);
  if (same.length > 1) {
    throw new UsageError(
      `${howMany(same.length, family.singular, family.name)} are called "${safeLine(title)}": ${listed(same.map(idText))}.`,
      {
        hint: 'A seed finds them by name. Rename one, or leave out the records that point to them.',
      },
    );
  }
  const name = `${typeIn(family)}_${slug(title) || id}`;
  const isTaken = [...draft.finds.values()].some((one) => one.value.name === name);
  return {
    about: '',
    value: {
      name: isTaken ? `${name}_${id}` : name,
      find: { type: typeIn(family), by: Object.fromEntries(values.map(([one, value]) => [one, value.replaceAll('${', () => '$${')])) },
    },
  };
}

const slug = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);

/** The actions that bring a new record into the state of this one: those before its sets (its status), and the one that archives it. */
function actionsToState({ actions = [], guarded = [] }: Resource, record: Members, draft: Draft): readonly [Tree[], Tree[]] {
  const stateOf = (action: Action): Tree[] => {
    if (action.reads !== undefined && action.initial !== true)
      return scalarText(valueAt(record, action.reads.path)) === action.reads.value ? [action.verb] : [];
    const now = scalarText(valueAt(record, action.verb));
    return action.starts === undefined || now === '' || now === action.starts ? [] : [{ [action.verb]: literal(now, draft) }];
  };
  const all = [...guarded, ...actions];
  return [all.filter(({ archives }) => !archives).flatMap(stateOf), all.filter(({ archives }) => archives).flatMap(stateOf)];
}

/** The tags and assignees of a record. */
async function setsOf({ sets = [] }: Resource, record: Members, draft: Draft): Promise<Tree[]> {
  const all: Tree[] = [];
  for (const { verb, read, element, value } of sets) {
    const held = valueAt(record, read);
    const elements: string[] = [];
    for (const one of Array.isArray(held) ? held : []) {
      const text = scalarText(element === undefined ? one : valueAt(one, element));
      if (text === '') continue;
      const named = value.type.kind === 'id' ? value.type.of : undefined;
      elements.push(named === undefined ? literal(text, draft) : await referenceTo(named, text, draft));
    }
    if (elements.length > 0) all.push({ [verb]: elements });
  }
  return all;
}

async function commentsOf({ attached = [] }: Resource, id: string, draft: Draft): Promise<Tree[]> {
  if (draft.source.comments === undefined || !attached.some(({ name }) => name === 'comments')) return [];
  const comments = sortedById(await draft.source.comments(id));
  return comments.flatMap(({ text }) => (scalarText(text) === '' ? [] : [{ comment: literal(scalarText(text), draft) }]));
}

async function yamlOf(elements: readonly SeedElement[]): Promise<string> {
  const { Document, isMap } = await import('yaml');
  const document = new Document({ version: 1, records: elements.map(({ value }) => value) });
  const records = document.get('records', true) as { readonly items: readonly unknown[] };
  for (const [index, item] of records.items.entries()) {
    const about = elements[index]?.about ?? '';
    if (about !== '' && isMap(item)) item.commentBefore = ` ${about}`;
  }
  return document.toString({ lineWidth: 0 });
}
