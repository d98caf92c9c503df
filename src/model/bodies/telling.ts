// The telling values of a family: the title or the whole name, the email, the company, long texts. A record is recognised by these values.
// Pure.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import type { Field, Resource } from '../define.ts';
import { valueTold } from '../records/display.ts';
import { createShape } from '../shape.ts';

/** The flags of telling values. A long text or a required text is telling, too, and so is a whole name. */
const tellingFlags: ReadonlySet<string> = new Set(['title', 'email', 'company-name']);
const nameFlags: ReadonlySet<string> = new Set(['first-name', 'last-name']);

const isName = ({ flag }: Field): boolean => nameFlags.has(flag);

/** True for a field that is a telling value by itself. A part of a name is none. */
export const isTelling = (field: Field): boolean =>
  !isName(field) && (tellingFlags.has(field.flag) || (field.type.kind === 'text' && (field.type.long === true || field.required === true)));

/** By family: every answer to a create is compared, so the fields are found once. */
const found = new WeakMap<Resource, readonly (readonly Field[])[]>();

/** The telling values of a family, as the fields that make up each value: a name has two. */
export function tellingFields(resource: Resource): readonly (readonly Field[])[] {
  const known = found.get(resource);
  if (known !== undefined) return known;
  const fields = createShape(resource).fields.filter(({ read }) => read !== undefined);
  const names = fields.filter(isName);
  const all = [...(names.length === 0 ? [] : [names]), ...fields.filter(isTelling).map((field) => [field])];
  found.set(resource, all);
  return all;
}

/** The fields that are not part of a name. */
export const withoutNames = (fields: readonly Field[]): Field[] => fields.filter((field) => !isName(field));

/** The value that a body has for some fields, as one text. */
export const tellingText = (fields: readonly Field[], body: Body): string =>
  joinedTexts(fields.map(({ wire }) => valueText(body.get(wire) ?? '')));

/** The value that a record has for some fields, as one text; empty when the record doesn't tell. */
export const toldText = (fields: readonly Field[], record: unknown): string =>
  joinedTexts(fields.map(({ read = '' }) => scalarText(valueAt(record, read))));

/** Most values are of one field, and a join is dear. */
const joinedTexts = ([first = '', ...others]: readonly string[]): string =>
  (others.length === 0 ? first : [first, ...others].join(' ')).trim();

/** A telling value that a record tells otherwise than a body: not even similarly. */
interface Contradiction {
  readonly fields: readonly Field[];
  readonly sent: string;
  readonly told: string;
}

/** The telling values of a body that a record contradicts. */
export function contradictionsIn(resource: Resource, record: unknown, body: Body): Contradiction[] {
  return tellingFields(resource).flatMap((fields): Contradiction[] => {
    const [sent, told] = [tellingText(fields, body), toldText(fields, record)];
    return sent === '' || told === '' || areAlike(sent, told) ? [] : [{ fields, sent, told }];
  });
}

/** The values that the service made of telling ones, by path. Left out: whole names. Undefined where none is left. */
export function keptValues(contradictions: readonly Contradiction[]): Record<string, string> | undefined {
  const kept = contradictions.flatMap(({ fields: [{ read } = {}, other], told }) =>
    read === undefined || other !== undefined ? [] : [[read, told] as const],
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** `The service keeps titles otherwise: 'Kickoff 🚀 Berlin' as 'Kickoff'.` */
export function keptOtherwise(contradictions: readonly Contradiction[]): string {
  const shown = (text: string): string => `'${valueTold(text)}'`;
  const told = contradictions.map(({ fields: [field, other], sent, told }) => {
    const noun = other === undefined ? (field?.flag.replaceAll('-', ' ') ?? '') : 'name';
    return `${noun.replace(/y$/, 'ie').replace(/s?$/, 's')} otherwise: ${shown(sent)} as ${shown(told)}`;
  });
  return `The service keeps ${told.join('; ')}.`;
}
