/**
 * How far the kernel of a chain of elementwise operators reaches: its indices are written by `lower_elementwise.ts`.
 *
 * @module
 */
import type { KernelBinding } from "./kernel_interface.ts";
import type { Reach } from "./reach.ts";

/**
 * Numbers up to the last one that is read or written, by binding.
 *
 * @param words The uniform struct.
 * @throws {RangeError} for an index that is not a sum of coordinates times words.
 */
export function elementwiseReach(code: string, words: readonly number[], bindings: readonly KernelBinding[]): Reach {
  const count = words[0];
  const highest = new Map([["i", count - 1]]);
  let sizes = 1;
  for (const [, coordinate, word] of code.matchAll(/let (c\d) = rest % word\((\d+)u\);/g)) {
    highest.set(coordinate, words[Number(word)] - 1);
    sizes *= words[Number(word)];
  }
  highest.set("c0", Math.ceil(count / sizes) - 1);
  const valueOf = (factor: string): number => {
    const value = highest.get(factor) ?? words[Number(/^word\((\d+)u\)$/.exec(factor)?.[1])];
    if (value === undefined) throw new RangeError(`an index has the factor ${factor}`);
    return value;
  };
  const reach: Record<string, number> = {};
  for (const { name, lanes } of bindings) {
    const indices = Array.from(code.matchAll(new RegExp(`\\b${name}\\[([^\\]]*)\\]`, "g")), ([, index]) => index);
    if (indices.length === 0) throw new RangeError(`${name} is not indexed`);
    const ends = indices.map((index) =>
      1 + index.split(" + ").reduce((sum, term) => sum + term.split(" * ").reduce((n, f) => n * valueOf(f), 1), 0)
    );
    reach[name] = lanes * Math.max(...ends);
  }
  return reach;
}
