// Parses a seed file (YAML or JSON): its shape, and the line of each value. Scalars other than true, false and null stay texts, so that
// 00501 and 12500.00 lose nothing.

import type { Document, Tags } from 'yaml';
import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import { Problems, type Where } from '../../base/files/problems.ts';
import { parseYaml, yamlValue } from '../../base/files/yaml.ts';
import { isMembers } from '../../base/values/paths.ts';
import { asSentence } from '../../base/values/text/wording.ts';
import { writtenByNewer } from '../../base/version.ts';
import { namePattern, takenNames } from './template.ts';

export type Tree = string | boolean | null | readonly Tree[] | { readonly [name: string]: Tree };

/** The path of a value: `['records', 3, 'set', 'title']`. */
export type ValuePath = readonly (string | number)[];

/** A record to create. */
export type RecordElement = z.infer<typeof madeRecord> & { readonly kind: 'make'; readonly place: ValuePath };

/** An existing record. */
export type FindElement = z.infer<typeof foundRecord>['find'] & { readonly kind: 'find'; readonly name: string; readonly place: ValuePath };

type SeedRecord = RecordElement | FindElement;

export interface SeedFile extends Omit<z.infer<typeof shape>, 'records'> {
  /** The file's name in messages. */
  readonly shown: string;
  readonly records: readonly SeedRecord[];
  /** The line and path of a value, for messages: `line 12, lead.set.title`. */
  where(place: ValuePath): Where;
}

/** Parses a seed file's text. Throws UsageError with all problems of its form, each at its line. */
export async function parseSeedFile(text: string, shown: string): Promise<SeedFile> {
  try {
    return await readDocument(text, shown);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${shown}: It is nested too deeply.`);
    throw error;
  }
}

type LineAt = (offset?: number) => number;

async function readDocument(text: string, shown: string): Promise<SeedFile> {
  const problems = new Problems();
  // `uniqueKeys` of the parser takes quadratic time: checkKeys replaces it.
  // Numbers stay texts.
  const customTags = (tags: Tags): Tags =>
    tags.map((tag) =>
      typeof tag === 'object' && numberTags.has(tag.tag) ? ({ ...tag, resolve: (source: string) => source } as typeof tag) : tag,
    );
  const { document, faults, lineAt } = await parseYaml(text, { merge: true, customTags, uniqueKeys: false });
  const [fault] = faults;
  if (fault !== undefined) problems.add(fault, `${fault.text}${bracesHint(text, fault.line)}`);
  await checkKeys(document, lineAt, problems);
  problems.throwIfAny(shown);
  const where = (place: ValuePath): Where => whereOf(document, lineAt, place);
  const value = yamlValue(document, shown, 'Use count, or write the values out.');
  const found = isMembers(value) ? value.version : undefined;
  if (typeof found === 'string' && /^\d+$/.test(found) && Number(found) > format)
    throw new UsageError(writtenByNewer(shown, found, format));
  const parsed = shape.safeParse(value, { reportInput: true });
  for (const issue of parsed.error?.issues ?? []) for (const [place, said] of issueTexts(issue)) problems.add(() => where(place), said);
  problems.throwIfAny(shown);
  const data = parsed.data as z.infer<typeof shape>;
  const records = data.records.map((one, index): SeedRecord => {
    const place = ['records', index];
    return 'find' in one ? { kind: 'find', name: one.name, place, ...one.find } : { kind: 'make', place, ...one };
  });
  const file = { ...data, shown, where, records };
  checkNames(file, problems);
  problems.throwIfAny(shown);
  return file;
}

async function checkKeys(document: Document, lineAt: LineAt, problems: Problems): Promise<void> {
  const { visit, isScalar } = await import('yaml');
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const at = { line: lineAt(key.range?.[0]) };
        if (seen.has(key.value)) problems.add(at, 'Map keys must be unique.');
        // `__proto__` would set the prototype of an object.
        if (key.value === '__proto__') problems.add(at, 'Nothing can be called "__proto__".');
        seen.add(key.value);
      }
    },
  });
}

/** A sentence about `${…}` without quotes within braces, where the line has it. */
function bracesHint(text: string, line: number): string {
  const [before, ...after] = (text.split('\n')[line - 1] ?? '').split('${');
  return after.length > 0 && /[{[,]/.test(before ?? '') ? " Within { } and [ ], texts with ${…} need quotes: '${…}'." : '';
}

const numberTags = new Set(['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float']);

const scalar = z.union([z.string(), z.boolean(), z.null()], { error: 'Give a text, a number, true or false.' });

const list = z.array(scalar).min(1);

const tree: z.ZodType<Tree> = z.lazy(() => z.union([z.string(), z.boolean(), z.null(), z.array(tree), z.record(z.string(), tree)]));

const text = z.string({ error: (issue) => (issue.input === undefined ? 'It is missing.' : 'Give a text.') });

const name = text.regex(namePattern, { error: 'A name has letters, digits, hyphens and underscores, and begins with a letter.' });

const madeRecord = z.strictObject(
  {
    name,
    type: z.string('Give the type of a record to create, or find an existing record.'),
    set: z.record(z.string(), tree, { error: 'Give flag names and their values.' }).default({}),
    /** Body fields by wire name, for fields without a flag: custom fields. */
    wire: z.record(z.string(), scalar, { error: 'Give wire names and their values.' }).default({}),
    /** Absent for a record without a count. */
    count: text.optional(),
    /** The flag whose value identifies the record. */
    key: z.string({ error: 'Give a flag name.' }).optional(),
    // biome-ignore lint/suspicious/noThenProperty: the file's own word; nothing awaits this.
    then: z.array(tree, { error: 'Give a list of actions.' }).default([]),
  },
  { error: 'Give the name and the type of a record, and the values to set.' },
);

const identifying = z
  .record(z.string(), scalar, { error: 'Give the values that identify the record.' })
  .refine((by) => Object.keys(by).length > 0, { error: 'Give at least one value that identifies the record.' });

const foundRecord = z.strictObject({ name, find: z.strictObject({ type: text, by: identifying }, { error: 'Give type and by.' }) });

const record = z.unknown().transform((value, context) => {
  const parsed = (isMembers(value) && value.find !== undefined ? foundRecord : madeRecord).safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    for (const [place, message] of issueTexts(issue)) context.addIssue({ code: 'custom', message, path: [...place] });
  return z.NEVER;
});

/** The `version` of a file. */
const format = 1;

const shape = z.strictObject(
  {
    version: z.literal(`${format}`, { error: `This version of crm reads version: ${format}.` }),
    run: text.optional(),
    'random-seed': text.optional(),
    /** The seed's day, `YYYY-MM-DD`: made-up dates are near this day. */
    today: z.iso.date({ error: 'Give a day, YYYY-MM-DD.' }).optional(),
    /** In the file's order: a variable may use the variables above it. */
    vars: z
      .record(name, z.union([scalar, list], { error: 'Give a text, or a list of texts.' }), { error: 'Give names and their values.' })
      .nullish()
      .transform((vars) => vars ?? {}),
    records: z.array(record, { error: 'Give a list of records.' }).min(1, { error: 'Give at least one record.' }),
  },
  { error: 'A seed file has version and records.' },
);

function issueTexts(issue: z.core.$ZodIssue): [ValuePath, string][] {
  const place = issue.path as ValuePath;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [[...place, key], 'There is no such member here.']);
  if (issue.code === 'invalid_key') return [[place, issue.issues[0]?.message ?? issue.message]];
  return [[place, asSentence(issue.message)]];
}

function checkNames(file: SeedFile, problems: Problems): void {
  const seen = new Set(Object.keys(file.vars));
  for (const taken of takenNames)
    if (seen.has(taken)) problems.add(file.where(['vars', taken]), `"${taken}" is a word of the seed language.`);
  for (const { name, place } of file.records) {
    const where = file.where([...place, 'name']);
    if (takenNames.includes(name)) problems.add(where, `"${name}" is a word of the seed language.`);
    if (seen.has(name)) problems.add(where, `"${name}" is the name of a variable or another record already.`);
    seen.add(name);
  }
}

/** The line and path of a value. Aliases and merged maps have no line: they get the line of the nearest value around them. */
function whereOf(document: Document, lineAt: LineAt, place: ValuePath): Where {
  for (let length = place.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(place.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return { line: lineAt(Number(node.range[0])), column: shownPath(document, place) };
  }
  return place.length === 0 ? { line: 1 } : shownPath(document, place);
}

/** The path in messages, by the record's name: `lead.set.title`. */
function shownPath(document: Document, place: ValuePath): string {
  const [first, second, ...rest] = place;
  const name: unknown = first === 'records' && second !== undefined ? document.getIn(['records', second, 'name']) : undefined;
  const parts: ValuePath = typeof name === 'string' ? [name, ...rest] : place;
  return parts.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}
