// Reads a mapping file (YAML): the meanings of columns and words, constants, and the notation of numbers and days.
//
//     columns: { Firma: company-name, Notiz: '' }     # '' leaves the column out; a blank right side is ignored
//     constants: { status: New }
//     decimal-mark: comma
//     date-order: dmy
//     encoding: windows-1252
//     separator: semicolon
//     header-line: 3
//     others: leave-out                             # all other columns
//     words: { status: { Gewonnen: Negotiation } }

import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import { readSmallFile } from '../../base/files/read-whole.ts';
import { parseYaml, yamlValue } from '../../base/files/yaml.ts';
import { dateOrders, decimalMarks } from '../columns/notation.ts';
import { encodingNamed } from '../files/encodings.ts';
import { layoutOf } from '../files/layout.ts';
import { headerKey } from '../files/raw-row.ts';
import type { Mapped, Mapping } from '../job.ts';

const textByName = z.record(z.string(), z.string('give one text.').nullable(), 'give names with a text behind each.').nullish();
const oneWordOf = <T extends readonly string[]>(words: T) => z.enum(words, `give one of ${words.join(', ')}.`).nullish();
const sections = {
  columns: textByName,
  constants: textByName,
  'decimal-mark': oneWordOf(decimalMarks),
  'date-order': oneWordOf(dateOrders),
  encoding: z.string('give one text.').nullish(),
  separator: z.string('give one text.').nullish(),
  'header-line': z.string('give one number.').nullish(),
  others: oneWordOf(['leave-out']),
  words: z.record(z.string(), textByName, 'give fields, with their words behind each.').nullish(),
};
const all = Object.keys(sections).join(', ');
const mappingSchema = z.strictObject(sections, `give only ${all}, by name.`).nullable();

/** Reads a mapping file. Throws UsageError with all its problems. */
export async function readMapping(context: Parameters<typeof readSmallFile>[0], path: string): Promise<Mapping> {
  const given = mappingSchema.safeParse(await mappingYaml(path, await readSmallFile(context, path, '--mapping: ')));
  if (!given.success) {
    const problems = new Problems();
    for (const { path: names, message } of given.error.issues) problems.add(names.length === 0 ? 'the mapping' : names.join(': '), message);
    throw problems.error(path);
  }
  const { columns, constants, words, encoding, others, separator, 'header-line': headerLine, ...notation } = given.data ?? {};
  const { 'decimal-mark': decimalMark, 'date-order': dateOrder } = notation;
  return {
    columns: mappedColumns(path, filledTexts(columns)),
    constants: filledTexts(constants).map(([name, value]) => ({ name, value, where: `${path}, constant ${name}` })),
    notation: { ...(decimalMark ? { decimalMark } : {}), ...(dateOrder ? { dateOrder } : {}) },
    words: Object.entries(words ?? {}).flatMap(([field, own]) =>
      filledTexts(own).map(([word, to]) => ({ field, word, to, where: `${path}, words of ${field}` })),
    ),
    ...(encoding ? { encoding: encodingNamed(encoding, `${path}, encoding`) } : {}),
    layout: layoutOf({ separator, 'header-line': headerLine }, `${path}, `),
    leavesOthers: others === 'leave-out',
  };
}

/** The value of a YAML text. Scalars stay texts (a status 007), and blank is null. Throws UsageError. */
async function mappingYaml(path: string, text: string): Promise<unknown> {
  const blank = { tag: 'tag:yaml.org,2002:null', default: true, test: /^$/, resolve: () => null };
  const { document, faults } = await parseYaml(text, { schema: 'failsafe', customTags: [blank] });
  const problems = new Problems();
  for (const fault of faults) problems.add(fault, fault.text);
  problems.throwIfAny(path);
  return yamlValue(document, `--mapping: ${path}`, 'Write the values out.');
}

/** The entries that are filled in. */
const filledTexts = (given: Readonly<Record<string, string | null>> | null | undefined): [name: string, text: string][] =>
  Object.entries(given ?? {}).filter((entry): entry is [string, string] => entry[1] !== null);

function mappedColumns(path: string, texts: readonly (readonly [name: string, text: string])[]): Map<string, Mapped> {
  const columns = new Map<string, Mapped>();
  for (const [name, text] of texts) {
    const before = columns.get(headerKey(name));
    if (before !== undefined && before.to !== text.trim())
      throw new UsageError(`${path}: the columns "${before.name}" and "${name}" are the same: case doesn't count.`);
    columns.set(headerKey(name), { name, to: text.trim(), where: `${path}, column ${name}` });
  }
  return columns;
}
