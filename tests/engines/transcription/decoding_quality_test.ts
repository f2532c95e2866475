import assert from "node:assert/strict";
import { test } from "node:test";
import { repeatedPart, repeats, withoutRepeats } from "../../../lib/engines/transcription/decoding_quality.ts";

const times = (part: readonly number[], count: number): number[] => Array.from({ length: count }, () => part).flat();

test("tokens that end in the same part again and again are found, and keep it once", () => {
  const said = [9, 8, 7];
  for (const part of [[1], [1, 2], [1, 2, 3, 4, 5], Array.from({ length: 32 }, (_, i) => i)]) {
    const count = part.length === 1 ? 12 : Math.max(4, Math.ceil(24 / part.length));
    assert.equal(repeatedPart([...said, ...times(part, count)]), part.length);
    assert.equal(repeatedPart([...said, ...times(part, count).slice(1)]), undefined);
    assert.deepEqual(withoutRepeats([...said, ...times(part, count)]), [...said, ...part]);
  }
  // A part that was cut off by the limit.
  const cut = [...said, ...times([1, 2, 3], 9), 1];
  assert.equal(withoutRepeats(cut).length, said.length + 3);
});

test("what people say several times is not a repetition", () => {
  for (const said of [[], [1], times([5], 8), times([1, 2], 5), times([1, 2, 3, 4], 3), [...times([1, 2, 3], 20), 4]]) {
    assert.equal(repeatedPart(said), undefined);
    assert.deepEqual(withoutRepeats(said), said);
  }
  assert.equal(repeats("I'm sorry. ".repeat(30)), true);
  assert.equal(repeats("No, no, no, no. It was the age of wisdom, it was the age of foolishness."), false);
});
