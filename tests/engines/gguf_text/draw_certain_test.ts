import assert from "node:assert/strict";
import { test } from "node:test";
import { drawCertain, type Mass, NO_MASS, type ScoredToken } from "../../../lib/engines/gguf_text/draw_certain.ts";
import { tokenDistribution } from "../../../lib/protocol/sampling/token_distribution.ts";
import { seededRandom } from "../../support/random.ts";

const SIZE = 60;
const GRID = 4000;

function randomLogits(seed: number): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: SIZE }, () => random() * 8 - 4);
}

function likeliest(logits: Float32Array, count: number): ScoredToken[] {
  return [...logits].map((logit, id): ScoredToken => [id, logit]).sort(([, a], [, b]) => b - a).slice(0, count);
}

function massOf(tokens: readonly ScoredToken[], largest: number): number {
  return tokens.reduce((sum, [, logit]) => sum + Math.exp(logit - largest), 0);
}

const truncations = [
  { topK: 0, topP: 1, minP: 0 },
  { topK: 7, topP: 1, minP: 0 },
  { topK: 0, topP: 0.8, minP: 0 },
  { topK: 0, topP: 1, minP: 0.1 },
  { topK: 9, topP: 0.7, minP: 0.2 },
];

test("drawCertain() draws from the distribution of lib/protocol", () => {
  for (const truncation of truncations) {
    const logits = randomLogits(1);
    const all = likeliest(logits, SIZE);
    const counts = new Map<number, number>();
    for (let i = 0; i < GRID; i++) {
      const id = drawCertain(all, all[0][1], NO_MASS, truncation, (i + 0.5) / GRID) ?? -1;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const { ids, weights, total } = tokenDistribution(logits, truncation);
    const expected = new Map([...ids].map((id, i) => [id, weights[i] / total]));
    for (const [id, count] of counts) assert.ok(expected.has(id), `${id} is drawn ${count} times`);
    for (const [id, probability] of expected) {
      assert.ok(Math.abs((counts.get(id) ?? 0) / GRID - probability) < 1.5 / GRID, `${id} of ${truncation.topP}`);
    }
  }
});

test("drawCertain() draws from a part what it draws from all, or nothing", () => {
  for (let seed = 0; seed < 200; seed++) {
    const logits = randomLogits(seed);
    const all = likeliest(logits, SIZE);
    const [seen, unseen] = [all.slice(0, 20), all.slice(20)];
    const rest = massOf(unseen, all[0][1]);
    for (const truncation of truncations) {
      for (const mass of [{ min: rest, max: rest }, { min: 0, max: rest }, { min: rest / 2, max: 2 * rest }]) {
        const uniform = seededRandom(seed)();
        const found = drawCertain(seen, all[0][1], mass, truncation, uniform);
        const expected = drawCertain(all, all[0][1], NO_MASS, truncation, uniform);
        if (found !== undefined) assert.equal(found, expected);
        else assert.ok(truncation.topK === 0, "top-k needs no others");
      }
    }
  }
});

test("drawCertain() is certain where the others are known to matter little", () => {
  const seen: ScoredToken[] = [[3, 5], [1, 4], [8, 0]];
  const draw = (rest: Mass, topP: number, minP: number, uniform: number) =>
    drawCertain(seen, 5, rest, { topK: 0, topP, minP }, uniform);
  const little = { min: 0, max: 0.01 };
  assert.equal(draw(little, 1, 0, 0.5), 3);
  assert.equal(draw(little, 0.5, 0, 0.9999), 3);
  assert.equal(draw(little, 1, 0.1, 0.9999), 1);
  assert.equal(draw(little, 1, 0, 0.9999), undefined);
  assert.equal(draw({ min: 50, max: 50 }, 1, 0, 0.5), undefined);
  assert.equal(draw(little, 1, 0.001, 0.99), undefined);
  assert.equal(drawCertain([], 0, NO_MASS, truncations[0], 0), undefined);
});
