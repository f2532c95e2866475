import assert from "node:assert/strict";

/** Fails unless every element is within `tolerance` of the expected one, relative to the largest expected magnitude. */
export function assertClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what = "values",
): void {
  assert.equal(actual.length, expected.length, `${what} have ${actual.length} elements, expected ${expected.length}`);
  let scale = 1;
  for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    assert.ok(
      difference <= tolerance * scale,
      `${what} differ at ${i}: ${actual[i]}, expected ${expected[i]} within ${tolerance * scale}`,
    );
  }
}
