// A set of the ids seen in a list. A numeric id takes one bit, so memory hardly grows with the list.

import { scalarText } from './json.ts';

const chunkBits = 4096;

/** A set of record ids. 5 and "5" are equal. Ids that are not numbers are held as text. */
export class IdSet {
  readonly #chunks = new Map<number, Uint8Array>();
  readonly #others = new Set<unknown>();

  has(held: unknown): boolean {
    const id = idKey(held);
    if (!takesBit(id)) return this.#others.has(id);
    const bit = id % chunkBits;
    return ((this.#chunks.get(Math.floor(id / chunkBits))?.[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  /** Adds an id. Returns false when the id was there already. */
  add(held: unknown): boolean {
    const id = idKey(held);
    if (!takesBit(id)) {
      const before = this.#others.size;
      return this.#others.add(id).size > before;
    }
    const key = Math.floor(id / chunkBits);
    const chunk = this.#chunks.get(key) ?? new Uint8Array(chunkBits / 8);
    this.#chunks.set(key, chunk);
    const bit = id % chunkBits;
    const byte = chunk[bit >> 3] ?? 0;
    const mask = 1 << (bit & 7);
    if ((byte & mask) !== 0) return false;
    chunk[bit >> 3] = byte | mask;
    return true;
  }
}

const takesBit = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;

/** A number that a float can't hold stays a text. */
function idKey(id: unknown): unknown {
  if (typeof id === 'number') return id;
  const text = scalarText(id);
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
