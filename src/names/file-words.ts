// Names in the cells and values of a file: noted when it or a part of it is read first, looked up once each before anything is sent, and put in
// whenever it is read after that.

import { InvalidValues, invalidValue } from '../errors.ts';
import { namedKinds } from '../resources/named.ts';
import type { Named, ValueType } from '../values/value-type.ts';
import { isNumber } from './matching.ts';
import { nameIn } from './name-in.ts';
import { type Meaning, meaningOf, type NameSources, type ReadLists } from './resolve.ts';

export class FileWords {
  readonly #makesNew: boolean;
  readonly #noted = new Map<string, { readonly of: Named; readonly name: string }>();
  readonly #meanings = new Map<string, Meaning>();
  #isLookedUp = false;

  /** `makesNew`: names of what the service makes on the fly stand, where nothing has them. */
  constructor({ makesNew }: { readonly makesNew: boolean }) {
    this.#makesNew = makesNew;
  }

  /**
   * A value with the id of the name in it; with the id 1 while names are only noted, in the first reading of a file. Throws
   * InvalidValues naming `where` for a name that means nothing, or was not met before they were looked up.
   */
  settled<T>(type: ValueType, value: T, where: string): T | string {
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

  /** Whether a value is an id, or a name that means something; true while names are only noted. */
  isMeant(type: ValueType, value: string): boolean {
    try {
      this.settled(type, value, '');
      return true;
    } catch (error) {
      if (error instanceof InvalidValues) return false;
      throw error;
    }
  }

  /**
   * What a name means that can only be a name, such as that beside an id; undefined while names are only noted. `makesNew` doesn't count
   * here: what there isn't has a problem.
   */
  meant(of: Named, name: string): Meaning | undefined {
    const key = `${of} ${name}`;
    const meaning = this.#meanings.get(key);
    if (meaning !== undefined) return meaning;
    if (this.#isLookedUp) return { name, problem: `"${name}" is not the name of a ${namedKinds[of].noun}.` };
    this.#noted.set(key, { of, name: isNumber(name) || /^(@me$|name:)/.test(name) ? `name:${name}` : name });
    return undefined;
  }

  /** Whether what has no such name is made on the fly. */
  makes(type: ValueType): boolean {
    return type.kind === 'id-or-name' && this.#makesNew;
  }

  /** Notes names again: those of the next part of a file that is read in parts. */
  noteMore(): void {
    this.#isLookedUp = false;
  }

  /**
   * Looks up what was noted; false when that was nothing. Nothing is noted from then on. `lists`: what was read for other parts of the file.
   * Throws what reading the service throws.
   */
  async lookUp(sources: NameSources, lists: ReadLists = new Map()): Promise<boolean> {
    const isAny = this.#noted.size > 0;
    for (const [key, { of, name }] of this.#noted) this.#meanings.set(key, await meaningIn(sources, of, name, lists));
    this.#noted.clear();
    this.#isLookedUp = true;
    return isAny;
  }
}

/** What a name means to all of a file. A name that could be several things means nothing. */
async function meaningIn(sources: NameSources, of: Named, name: string, lists: ReadLists): Promise<Meaning> {
  try {
    return await meaningOf(sources, of, name, '', 'whole', { verified: true, lists });
  } catch (error) {
    if (!(error instanceof InvalidValues)) throw error;
    return { name, problem: error.values[0]?.problem ?? error.message };
  }
}
