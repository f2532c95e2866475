/**
 * Selection without sorting.
 *
 * @module
 */

/**
 * The k-th largest number, by Hoare's selection (1961) around the median of three; reorders `values`.
 *
 * @param k From 1 to the length.
 */
export function kthLargest(values: Float64Array, k: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left], values[(left + right) >> 1], values[right]);
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] > pivot) i++;
      while (values[j] < pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (k - 1 <= j) right = j;
    else if (k - 1 >= i) left = i;
    else return pivot;
  }
  return values[left];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
