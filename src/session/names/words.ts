// Replaces words in a value by the values that are sent: a name by its id, a day such as -30d by its date. Any other value stays, without
// a request.

import { type InvalidValue, InvalidValues, invalidValue } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import type { Members } from '../../base/values/paths.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import { dayOf } from '../../base/values/time/days.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { newFlag } from '../../model/bodies/flags.ts';
import type { BodyTexts } from '../../model/bodies/given.ts';
import { fieldByFlag, wirePart } from '../../model/bodies/names.ts';
import { namedKinds } from '../../model/named.ts';
import type { BodyShape } from '../../model/shape.ts';
import { confirm } from '../ask/confirm.ts';
import { canAsk } from '../ask/prompt.ts';
import type { Context } from '../context.ts';
import { nowFor } from '../relative-days.ts';
import type { NameMatch } from './matching.ts';
import { type NameIn, nameIn } from './name-in.ts';

/** How words are replaced. */
export interface WordUse {
  /** The flag or argument of messages. */
  readonly where: string;
  readonly match: NameMatch;
  /** An unknown name is sent, and the service creates the named record. */
  readonly makesNew?: boolean;
}

/** A value with its words replaced. Throws InvalidValues naming `use.where`, with suggestions. */
export async function resolvedText(context: Context, type: ValueType, text: string, use: WordUse): Promise<string> {
  const name = nameIn(type, text);
  if (name !== undefined) return withoutName(context, type, name, use);
  if (type.kind !== 'date' || text.trim() === '' || /^\d{4}-/.test(text.trim())) return text;
  return dayOf(text.trim(), nowFor(context, text));
}

async function withoutName(context: Context, type: ValueType, found: NameIn, use: WordUse): Promise<string> {
  const { idNamed } = await import('./resolve.ts');
  if (type.kind === 'id-or-name') return idOrNew(context, found, use);
  return found.withId(await idNamed(context, { of: found.of, text: found.name, where: use.where, match: use.match }));
}

/** A new record needs its flag (--new-unit), or agreement on a terminal. */
async function idOrNew(context: Context, found: NameIn, { where, match, makesNew = false }: WordUse): Promise<string> {
  const { meaningOf } = await import('./resolve.ts');
  const { of } = found;
  const meaning = await meaningOf(context, { of, text: found.name, where, match });
  if ('id' in meaning) return String(meaning.id);
  const { name, problem } = meaning;
  if (/^\d+$/.test(name)) throw invalidValue(where, `a new ${namedKinds[of].noun} can't be called ${name}: a number is read as an id.`);
  if (makesNew) return name;
  if (!canAsk(context) || context.flags.yes)
    throw invalidValue(where, `${problem} To create the ${namedKinds[of].noun}: --${newFlag(of)}.`, 'name_unknown');
  await confirm(context, `${capitalised(problem)} Make a new ${namedKinds[of].noun} "${name}"?`);
  return name;
}

/** The members of --data with their words replaced, and the problems of wrong words. */
export async function resolvedData(
  context: Context,
  shape: BodyShape,
  data: Members,
  flags: Input['flags'],
): Promise<Required<Pick<BodyTexts, 'data' | 'wrong'>>> {
  const resolved: [string, unknown][] = [];
  const wrong: InvalidValue[] = [];
  for (const [name, value] of Object.entries(data)) {
    const type = (fieldByFlag(shape.fields, name) ?? wirePart(shape, name))?.type;
    try {
      resolved.push([name, type === undefined ? value : await resolvedMember(context, type, value, `--data ${name}`, flags)]);
    } catch (error) {
      if (!(error instanceof InvalidValues)) throw error;
      wrong.push(...error.values);
    }
  }
  return { data: Object.fromEntries(resolved), wrong };
}

async function resolvedMember(context: Context, type: ValueType, value: unknown, where: string, flags: Input['flags']): Promise<unknown> {
  const use: WordUse = { where, match: 'whole', makesNew: type.kind === 'id-or-name' && flags[newFlag(type.of)] === true };
  if (typeof value === 'string') return resolvedText(context, type, value, use);
  const name = nameIn(type, value);
  return name === undefined ? value : withoutName(context, type, name, use);
}
