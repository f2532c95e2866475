/**
 * Sets of tokens, one bit each, the lowest bit of the first word first.
 *
 * @module
 */

/** Whether a token is in the set. */
export function isAllowed(mask: Int32Array, id: number): boolean {
  return ((mask[id >> 5] >>> (id & 31)) & 1) === 1;
}

/** The tokens of the set below `size`, or undefined when there are more than `max`. */
export function fewAllowed(mask: Int32Array, size: number, max: number): number[] | undefined {
  const ids: number[] = [];
  for (let word = 0; word < mask.length && word * 32 < size; word++) {
    for (let bits = mask[word]; bits !== 0; bits &= bits - 1) {
      const id = word * 32 + 31 - Math.clz32(bits & -bits);
      if (id < size && ids.push(id) > max) return undefined;
    }
  }
  return ids;
}
