// A hash of a text, for telling many texts apart without keeping them. Pure.

/** A hash of 53 bits. The chance that any two of a million texts share a hash is below 1 in 10,000. */
export function textHash(text: string): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x5bd1e995);
    one ^= one >>> 15;
    other = Math.imul(other ^ code, 0x27d4eb2f);
    other = (other << 13) | (other >>> 19);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0);
}
