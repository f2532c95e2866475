import assert from "node:assert/strict";
import { test } from "node:test";
import { KvBuffer } from "../../../lib/engines/onnx_text/kv_places/kv_buffer.ts";
import { packingPolicy } from "../../../lib/engines/onnx_text/decoding/kv_packing.ts";
import { PrefixCache } from "../../../lib/engines/onnx_text/decoding/prefix_cache.ts";
import { tinyPrompt } from "../../support/tiny_text_model.ts";

const shape = {
  kvType: "float32",
  kv: [
    { past: "past_key_values.0.key", present: "present.0.key", heads: 2, dim: 24 },
    { past: "past_key_values.0.value", present: "present.0.value", heads: 1, dim: 40 },
  ],
  states: [],
} as const;

/** Bytes of a block of 64 tokens. */
const BLOCK_BYTES = (2 * 24 + 40) * 64 * 4;

/** A buffer in whose slot 1 the state of each token depends on it and on its place. */
function stateOf(tokens: readonly number[]): KvBuffer {
  const buffer = new KvBuffer(shape, 2, tokens.length);
  shape.kv.forEach(({ heads, dim }, tensor) => {
    const data = Float32Array.from({ length: heads * tokens.length * dim }, (_, i) => {
      const token = Math.floor(i / dim) % tokens.length;
      return tokens[token] * 10 + token + (i % dim) / 10 + Math.floor(i / dim / tokens.length) / 100;
    });
    buffer.write(tensor, 1, 0, tokens.length, data, 0, tokens.length);
  });
  return buffer;
}

function elements(buffer: KvBuffer, slot: number, count: number): number[] {
  return shape.kv.flatMap(({ heads, dim }, tensor) => {
    const part = new Float32Array(heads * count * dim);
    buffer.read(tensor, slot, 0, count, part, 0, count);
    return [...part];
  });
}

/** Asks for a prompt and checks what is restored. @returns How many tokens. */
function reused(cache: PrefixCache, prompt: readonly number[]): number {
  const found = cache.find(prompt);
  if (found === undefined) return 0;
  const buffer = new KvBuffer(shape, 3, found.length);
  cache.restore(found, buffer, 2);
  assert.deepEqual(elements(buffer, 2, found.length), elements(stateOf(prompt), 1, found.length));
  return found.length;
}

const store = (cache: PrefixCache, tokens: readonly number[], stable = 0) =>
  cache.store(tokens, stable, stateOf(tokens), 1);

const roomy = { maxEntries: 4, maxBytes: 1e9 };

test("PrefixCache gives back the state of the longest common beginning", () => {
  const cache = new PrefixCache(shape, roomy);
  const text = tinyPrompt(200, 1);
  store(cache, text);
  assert.equal(reused(cache, [...text, 1, 2]), 200);
  assert.equal(reused(cache, text), 199, "the last token has to be computed");
  for (const length of [16, 63, 64, 65, 128, 150]) {
    assert.equal(reused(cache, [...text.slice(0, length), 7, 8]), length);
  }
  assert.equal(reused(cache, [...text.slice(0, 15), 7, 8]), 0, "short ones are not worth it");
  assert.equal(reused(cache, tinyPrompt(200, 2)), 0);
  const { hits, misses, reusedTokens, storedPrefixes, storedTokens } = cache.counters();
  assert.deepEqual([hits, misses, reusedTokens], [8, 2, 200 + 199 + 16 + 63 + 64 + 65 + 128 + 150]);
  assert.deepEqual([storedPrefixes, storedTokens], [1, 200]);
});

test("PrefixCache replaces a text by its continuation and keeps its state", () => {
  const cache = new PrefixCache(shape, roomy);
  const text = tinyPrompt(300, 1);
  store(cache, text.slice(0, 100));
  store(cache, text.slice(0, 250));
  store(cache, text.slice(0, 40));
  assert.equal(cache.counters().entries, 1);
  assert.equal(reused(cache, text), 250);
});

test("PrefixCache drops the least recently used text", () => {
  const cache = new PrefixCache(shape, { ...roomy, maxEntries: 2 });
  const [a, b, c] = [1, 2, 3].map((seed) => tinyPrompt(50, seed));
  store(cache, a);
  store(cache, b);
  assert.equal(reused(cache, [...a, 1]), 50);
  store(cache, c);
  assert.deepEqual([a, b, c].map((text) => reused(cache, [...text, 1])), [50, 0, 50]);
});

test("PrefixCache shares the blocks of common beginnings, and first gives up what is not stable", () => {
  const common = tinyPrompt(128, 1);
  const texts = [2, 3, 4].map((seed) => [...common, ...tinyPrompt(128, seed)]);
  const cache = new PrefixCache(shape, { maxEntries: 9, maxBytes: 6 * BLOCK_BYTES });
  for (const text of texts) store(cache, text, 128);
  assert.deepEqual(texts.map((text) => reused(cache, [...text, 1])), [128, 256, 256]);
  assert.equal(cache.counters().entries, 3);
  store(cache, tinyPrompt(6 * 64, 9));
  assert.deepEqual(texts.map((text) => reused(cache, [...text, 1])), [0, 0, 0]);
  store(cache, tinyPrompt(7 * 64, 10));
  assert.equal(reused(cache, [...tinyPrompt(7 * 64, 10), 1]), 6 * 64, "of what is larger than the room, the beginning");
});

test("PrefixCache.clear() removes all entries", () => {
  const cache = new PrefixCache(shape, roomy);
  store(cache, tinyPrompt(50, 1));
  cache.clear();
  assert.equal(reused(cache, tinyPrompt(50, 1)), 0);
  assert.equal(cache.counters().entries, 0);
});

/** How far the state of a prompt is from what it was, as a part of the largest number; its length first. */
function restored(cache: PrefixCache, prompt: readonly number[]): [number, number] {
  const found = cache.find(prompt);
  assert.ok(found);
  const buffer = new KvBuffer(shape, 1, found.length);
  cache.restore(found, buffer, 0);
  const expected = elements(stateOf(prompt), 1, found.length);
  const largest = expected.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const distance = elements(buffer, 0, found.length)
    .reduce((max, value, i) => Math.max(max, Math.abs(value - expected[i]!)), 0);
  return [found.length, distance / largest];
}

for (const [mode, max] of [["affine8", 1e-5], ["polar2", 0.5]] as const) {
  test(`PrefixCache keeps more texts in the same room as ${mode}, and nearly the same numbers`, () => {
    const packed = packingPolicy(mode);
    const cache = new PrefixCache(shape, { ...roomy, maxBytes: 2 * BLOCK_BYTES, packed });
    const texts = [1, 2].map((seed) => tinyPrompt(150, seed));
    for (const text of texts) store(cache, text);
    for (const text of texts) {
      const [length, distance] = restored(cache, [...text, 1]);
      assert.equal(length, 150);
      assert.ok(distance > 0 && distance < max, `${distance}`);
    }
  });
}

// @row model-api > Runtime settings > `kvCacheMode`
test("PrefixCache keeps texts from 1024 tokens on in 2 bits in the mode auto, from their first token", () => {
  const cache = new PrefixCache(shape, { ...roomy, packed: packingPolicy("auto") });
  const text = tinyPrompt(1200, 1);
  store(cache, text.slice(0, 1023));
  assert.equal(reused(cache, text), 1023, "as it was");
  store(cache, text.slice(0, 1024));
  const [length, distance] = restored(cache, [...text.slice(0, 100), 7, 8]);
  assert.equal(length, 100);
  assert.ok(distance > 1e-3 && distance < 0.5, `${distance}`);
  assert.equal(restored(cache, text)[0], 1024);
});
