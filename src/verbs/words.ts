// Words in a value become what is sent: a name its id, a day such as -30d its date. What is a plain value already passes
// untouched, and loads nothing.

import { newFlag } from '../bodies/flags.ts';
import type { BodyTexts } from '../bodies/given.ts';
import { fieldByFlag, wirePart } from '../bodies/names.ts';
import type { BodyShape } from '../bodies/shape.ts';
import type { Context } from '../context.ts';
import { type InvalidValue, InvalidValues, invalidValue } from '../errors.ts';
import type { Input } from '../flag.ts';
import type { NameMatch } from '../names/matching.ts';
import { isMembers, type Members } from '../values/paths.ts';
import type { Named, ValueType } from '../values/value-type.ts';

/** How a value's words are taken. */
export interface WordUse {
  readonly match: NameMatch;
  /** The name of something that there isn't makes it. */
  readonly makesNew?: boolean;
}

/** A value with its words settled. Throws InvalidValues naming `where`, with what would be right. */
export async function settledText(context: Context, type: ValueType, text: string, where: string, use: WordUse): Promise<string> {
  const plain = text.trim();
  if (plain === '') return text;
  switch (type.kind) {
    case 'id':
      return type.of === undefined || isId(plain) ? text : idOf(context, type.of, plain, where, use);
    case 'id-or-name':
      return isId(plain) ? text : idOrNew(context, type.of, plain, where, use);
    case 'reference':
      return settledReference(context, type.types, plain, where, use);
    case 'date':
      return /^\d{4}-/.test(plain) ? text : (await import('../values/days.ts')).dayOf(plain, context.now());
    default:
      return text;
  }
}

const isId = (text: string): boolean => /^\d+$/.test(text);

async function idOf(context: Context, of: Named, text: string, where: string, { match }: WordUse): Promise<string> {
  const { idNamed } = await import('../names/resolve.ts');
  return String(await idNamed(context, of, text, where, match));
}

/** `client:Northgate` with the id of that client; what is no such reference stays as it is. */
async function settledReference(context: Context, types: readonly string[], text: string, where: string, use: WordUse): Promise<string> {
  const [, type = '', name = ''] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (!types.includes(type) || name.trim() === '' || isId(name.trim())) return text;
  const { namedReferences } = await import('../resources/named.ts');
  const of = namedReferences[type];
  return of === undefined ? text : `${type}:${await idOf(context, of, name.trim(), where, use)}`;
}

/** The id of what has that name, or the name of what is to be made: asked about on a terminal, elsewhere only with its flag. */
async function idOrNew(context: Context, of: Named, text: string, where: string, { match, makesNew = false }: WordUse): Promise<string> {
  const { meaningOf } = await import('../names/resolve.ts');
  const meaning = await meaningOf(context, of, text, where, match);
  if ('id' in meaning) return String(meaning.id);
  const { name, problem } = meaning;
  const { namedKinds } = await import('../resources/named.ts');
  const { noun } = namedKinds[of];
  if (isId(name)) throw invalidValue(where, `a new ${noun} can't be called ${name}: the service would take that for an id.`);
  if (makesNew) return name;
  const { canAsk } = await import('../ask/prompt.ts');
  if (!canAsk(context) || context.flags.yes) throw invalidValue(where, `${problem} To make it: --${newFlag(of)}.`);
  const { confirm } = await import('../ask/confirm.ts');
  await confirm(context, `${problem[0]?.toUpperCase()}${problem.slice(1)} Make a new ${noun} "${name}"?`);
  return name;
}

/** What --data holds, with its words settled wherever a value is a text; what is wrong with a word stands in place of its member. */
export async function settledData(
  context: Context,
  shape: BodyShape,
  data: Members,
  flags: Input['flags'],
): Promise<Required<Pick<BodyTexts, 'data' | 'wrong'>>> {
  const settled: [string, unknown][] = [];
  const wrong: InvalidValue[] = [];
  for (const [name, value] of Object.entries(data)) {
    const type = (fieldByFlag(shape.fields, name) ?? wirePart(shape, name))?.type;
    const text = type === undefined ? undefined : wordIn(type, value);
    const use: WordUse = { match: 'whole', makesNew: type?.kind === 'id-or-name' && flags[newFlag(type.of)] === true };
    try {
      settled.push([
        name,
        type === undefined || text === undefined ? value : await settledText(context, type, text, `--data ${name}`, use),
      ]);
    } catch (error) {
      if (!(error instanceof InvalidValues)) throw error;
      wrong.push(...error.values);
    }
  }
  return { data: Object.fromEntries(settled), wrong };
}

/** A value that may be a word, as a text; a reference may stand as it reads back. */
function wordIn(type: ValueType, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (type.kind !== 'reference' || !isMembers(value)) return undefined;
  return typeof value.type === 'string' && typeof value.id === 'string' ? `${value.type}:${value.id}` : undefined;
}
