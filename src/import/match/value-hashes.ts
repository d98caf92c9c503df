// Of many records, 32 bits for each of some values: enough to tell which of them a row would change.

import { crc32 } from 'node:zlib';

const firstRecords = 256;

/**
 * Values by record and name, as their checksums. One that differs in no more than four bytes in a row always has another
 * checksum; any other shares it once in four thousand million. What is not there is an empty text.
 */
export class ValueHashes {
  readonly #places: ReadonlyMap<string, number>;
  #hashes: Uint32Array;
  #records = 0;

  constructor(names: readonly string[]) {
    this.#places = new Map(names.map((name, place) => [name, place]));
    this.#hashes = new Uint32Array(firstRecords * names.length);
  }

  /** Adds a record; its number is how many came before. What has no such name is passed over. */
  push(values: Iterable<readonly [name: string, text: string]>): void {
    const start = this.#records * this.#places.size;
    this.#records += 1;
    if (this.#records * this.#places.size > this.#hashes.length) this.#grow();
    for (const [name, text] of values) {
      const place = this.#places.get(name);
      if (place !== undefined) this.#hashes[start + place] = crc32(text);
    }
  }

  /** Whether a record has just this text under a name. Never under a name that wasn't given. */
  is(record: number, name: string, text: string): boolean {
    const place = this.#places.get(name);
    return place !== undefined && this.#hashes[record * this.#places.size + place] === crc32(text);
  }

  #grow(): void {
    const old = this.#hashes;
    this.#hashes = new Uint32Array(old.length * 2);
    this.#hashes.set(old);
  }
}
