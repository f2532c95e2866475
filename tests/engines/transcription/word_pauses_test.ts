import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutPauses } from "../../../lib/engines/transcription/word_pauses.ts";

const RATE = 16_000;

/** Sound between the given seconds, faint noise elsewhere. */
function spoken(seconds: number, parts: readonly (readonly [number, number])[]): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, i) => {
    const loud = parts.some(([from, to]) => i >= from * RATE && i < to * RATE);
    return Math.sin(i * i * 0.37) * (loud ? 0.2 : 0.0005);
  });
}

function times(words: readonly (readonly [number, number])[], samples: Float32Array): number[][] {
  return withoutPauses(words.map(([start, end]) => ({ word: "a", start, end })), samples)
    .map(({ start, end }) => [start, end].map((second) => Math.round(second * 100) / 100));
}

test("a word ends with its sound, and not with the pause after it", () => {
  const samples = spoken(6, [[0.5, 1.1], [3, 3.6], [5, 5.2]]);
  assert.deepEqual(times([[0.5, 3], [3, 5], [5, 6]], samples), [[0.5, 1.1], [3, 3.6], [5, 5.2]]);
});

test("what begins after a pause within a word belongs to the next one, short silences belong to the word", () => {
  const samples = spoken(6, [[0.5, 1.1], [2.94, 3.6]]);
  assert.deepEqual(times([[0.5, 3], [3, 3.6]], samples), [[0.5, 1.1], [3, 3.6]]);
  assert.deepEqual(times([[0.5, 2]], spoken(2, [[0.5, 0.8], [0.9, 1.1], [1.28, 1.4]])), [[0.5, 1.4]]);
});

test("a pause before a word does not count, words that are not heard last a moment, and none last longer than before", () => {
  const samples = spoken(4, [[2, 2.5]]);
  assert.deepEqual(times([[0, 0.5], [0.5, 2.4], [2.4, 2.4], [2.4, 4]], samples), [
    [0, 0.1],
    [2, 2.4],
    [2.4, 2.4],
    [2.4, 2.5],
  ]);
  assert.deepEqual(times([[0, 1], [1, 2]], spoken(2, [[0, 2]])), [[0, 1], [1, 2]]);
  assert.deepEqual(times([[0.5, 9]], spoken(1, [[0, 1]])), [[0.5, 1]]);
  assert.deepEqual(times([], new Float32Array()), []);
  assert.deepEqual(times([[0, 0]], new Float32Array()), [[0, 0]]);
});
