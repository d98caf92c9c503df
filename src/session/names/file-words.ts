// Resolves the names in a file. The first reading notes the names, each name is looked up once before anything is sent, and the second
// reading puts the ids in.

import { InvalidValues, invalidValue } from '../../base/errors.ts';
import type { Input } from '../../base/flag.ts';
import { isNumeral } from '../../base/values/parse.ts';
import type { Named, ValueType } from '../../base/values/value-type.ts';
import { newFlag } from '../../model/bodies/flags.ts';
import type { Resource } from '../../model/define.ts';
import { namedKinds } from '../../model/named.ts';
import { nameIn } from './name-in.ts';
import { meaningOf, type NameMeaning, type NameSources, type ReadLists } from './resolve.ts';

export class FileWords {
  readonly #makesNew: boolean;
  readonly #noted = new Map<string, { readonly of: Named; readonly name: string }>();
  readonly #meanings = new Map<string, NameMeaning>();
  #isLookedUp = false;

  /** `makesNew`: an unknown name stays in the value if the service creates the named record (a unit). */
  constructor({ makesNew }: { readonly makesNew: boolean }) {
    this.#makesNew = makesNew;
  }

  /**
   * The value with an id in place of its name; the id is 1 while names are only noted. Throws InvalidValues naming `where` for an
   * unknown name.
   */
  resolved<T>(type: ValueType, value: T, where: string): T | string {
    const found = nameIn(type, value);
    if (found === undefined) return value;
    const { of, name, withId } = found;
    const key = `${of} ${name}`;
    const meaning = this.#meanings.get(key);
    if (meaning === undefined) {
      if (this.#isLookedUp) throw invalidValue(where, `"${name}" is not the id of a ${namedKinds[of].noun}.`);
      this.#noted.set(key, { of, name });
      return withId(1);
    }
    if ('id' in meaning) return withId(meaning.id);
    if (this.makes(type)) return meaning.name;
    throw invalidValue(where, meaning.problem, 'name_unknown');
  }

  /** True for an id and for a known name; always true while names are only noted. */
  isMeant(type: ValueType, value: string): boolean {
    try {
      this.resolved(type, value, '');
      return true;
    } catch (error) {
      if (error instanceof InvalidValues) return false;
      throw error;
    }
  }

  /**
   * The meaning of a text that is always read as a name, even `12`. Undefined while names are only noted. An unknown name is a problem,
   * whatever `makesNew` says.
   */
  meant(of: Named, name: string): NameMeaning | undefined {
    const key = `${of} ${name}`;
    const meaning = this.#meanings.get(key);
    if (meaning !== undefined) return meaning;
    if (this.#isLookedUp) return { name, problem: `"${name}" is not the name of a ${namedKinds[of].noun}.` };
    this.#noted.set(key, { of, name: isNumeral(name) || /^(@me$|name:)/.test(name) ? `name:${name}` : name });
    return undefined;
  }

  /** True when the service creates a record for an unknown name of this type. */
  makes(type: ValueType): boolean {
    return type.kind === 'id-or-name' && this.#makesNew;
  }

  /** Notes names again, for the next part of a file that is read in parts. */
  noteMore(): void {
    this.#isLookedUp = false;
  }

  /**
   * Looks up the noted names, and stops noting. Returns false if no name was noted. `lists`: the lists that were read for earlier parts
   * of the file. Throws the errors of reading the service.
   */
  async lookUp(sources: NameSources, lists: ReadLists = new Map()): Promise<boolean> {
    const isAny = this.#noted.size > 0;
    for (const [key, { of, name }] of this.#noted) this.#meanings.set(key, await meaningIn(sources, of, name, lists));
    this.#noted.clear();
    this.#isLookedUp = true;
    return isAny;
  }
}

async function meaningIn(sources: NameSources, of: Named, name: string, lists: ReadLists): Promise<NameMeaning> {
  try {
    return await meaningOf(sources, { of, text: name, where: '', match: 'whole' }, lists);
  } catch (error) {
    if (!(error instanceof InvalidValues)) throw error;
    return { name, problem: error.values[0]?.problem ?? error.message };
  }
}

/** The names in a file. With --new-unit, the file may name new units. */
export const fileWordsOf = ({ fields }: Resource, flags: Input['flags']): FileWords =>
  new FileWords({ makesNew: fields.some(({ type }) => type.kind === 'id-or-name' && flags[newFlag(type.of)] === true) });
