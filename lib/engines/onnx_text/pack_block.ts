/**
 * Keys and values in 8 bits each, for texts that nobody goes on with at the moment.
 *
 * @module
 */

/** Numbers in groups: each is `least + value * step` of its group. */
export interface PackedBlock {
  readonly values: Uint8Array;
  /** Least and step of each group. */
  readonly ranges: Float32Array;
  readonly byteLength: number;
}

/**
 * Packs numbers.
 *
 * @param groups Sizes of the groups, which together are all numbers. What is lost is at most half a 255th of the distance
 * between the least and the largest number of a group.
 */
export function packBlock(numbers: Float32Array, groups: Iterable<number>): PackedBlock {
  const values = new Uint8Array(numbers.length);
  const ranges: number[] = [];
  let start = 0;
  for (const size of groups) {
    let [least, largest] = [Infinity, -Infinity];
    for (let i = start; i < start + size; i++) {
      if (numbers[i] < least) least = numbers[i];
      if (numbers[i] > largest) largest = numbers[i];
    }
    const step = (largest - least) / 255;
    for (let i = start; i < start + size; i++) values[i] = step === 0 ? 0 : Math.round((numbers[i] - least) / step);
    ranges.push(least, step);
    start += size;
  }
  const packed = Float32Array.from(ranges);
  return { values, ranges: packed, byteLength: values.byteLength + packed.byteLength };
}

/** Numbers as near as they were kept. */
export function unpackBlock({ values, ranges }: PackedBlock, groups: Iterable<number>): Float32Array<ArrayBuffer> {
  const numbers = new Float32Array(values.length);
  let start = 0;
  let group = 0;
  for (const size of groups) {
    const least = ranges[group++];
    const step = ranges[group++];
    for (let i = start; i < start + size; i++) numbers[i] = least + values[i] * step;
    start += size;
  }
  return numbers;
}
