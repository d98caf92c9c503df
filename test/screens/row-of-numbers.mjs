// Numbers that only look drawn at random; fixed-clock.mjs is loaded into crm, which strips no types.

/** @param {number} seed @returns {() => number} Numbers in (0, 1), always the same ones behind a seed. */
export const rowOf = (seed) => {
  let drawn = seed;
  return () => {
    drawn = (drawn * 48271) % 2147483647;
    return drawn / 2147483647;
  };
};
