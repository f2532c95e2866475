/**
 * The sliding window of committed blocks.
 *
 * @module
 */

/**
 * The context of the next block once `block` is committed: the first block of the chain stays forever, followed by the
 * newest ones that fit.
 *
 * @param capacity Blocks of the context, including the first one.
 */
export function slideWindow<B>(context: readonly B[], block: B, capacity: number): readonly B[] {
  if (context.length < capacity) return [...context, block];
  const later = [...context.slice(1), block];
  return [context[0], ...later.slice(later.length - (capacity - 1))];
}
