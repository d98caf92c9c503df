// Texts to small whole numbers in a few bytes each, whatever the texts' length: what a million rows are compared by.
// Texts are kept as 64 bits of their hash; two different ones share them once in ten million million.

import { hash } from 'node:crypto';

const slotWords = 3;
const leastSlots = 1024;

/** 64 bits of a text's hash, as two numbers of 32. */
function fingerprint(text: string): readonly [number, number] {
  const digest = hash('sha1', text, 'buffer');
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

export class CompactMap {
  /** Per slot: two words of hash, and the value plus one; zero is free. */
  #words = new Uint32Array(leastSlots * slotWords);
  #size = 0;

  /** The value of a text, or undefined. */
  get(text: string): number | undefined {
    const [high, low] = fingerprint(text);
    const value = this.#words[this.#slot(high, low) + 2] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  /** Sets the value of a text, 0 to 4,294,967,294; gives the one that it had. */
  set(text: string, value: number): number | undefined {
    const [high, low] = fingerprint(text);
    const slot = this.#slot(high, low);
    const before = this.#words[slot + 2] ?? 0;
    this.#words[slot] = high;
    this.#words[slot + 1] = low;
    this.#words[slot + 2] = value + 1;
    if (before !== 0) return before - 1;
    this.#size += 1;
    if (this.#size * slotWords > this.#words.length * 0.6) this.#grow();
    return undefined;
  }

  /** Where this hash is, or would be. */
  #slot(high: number, low: number): number {
    const slots = this.#words.length / slotWords;
    for (let index = low % slots; ; index = (index + 1) % slots) {
      const slot = index * slotWords;
      if (this.#words[slot + 2] === 0 || (this.#words[slot] === high && this.#words[slot + 1] === low)) return slot;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += slotWords) {
      if (old[slot + 2] === 0) continue;
      const [high = 0, low = 0] = old.subarray(slot, slot + 2);
      this.#words.set(old.subarray(slot, slot + slotWords), this.#slot(high, low));
    }
  }
}
