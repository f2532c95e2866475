import assert from "node:assert/strict";
import { test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { pixelFrameCount, segmentLengths } from "../../../lib/models/arworld/trajectory.ts";
import { MAX_WALK_BLOCKS, parseWalkActions } from "../../../lib/world/protocol/walk_actions.ts";

test("parseWalkActions() makes one block of each word when words are plain keys", () => {
  assert.deepEqual(parseWalkActions(["w", "W", "wl", "s"]), {
    actions: ["w", "w", "wl", "s"],
    weights: [9, 12, 12, 12],
    latentFrames: 12,
  });
});

test("parseWalkActions() holds still when a word is a dot, an underscore or hold", () => {
  assert.deepEqual(parseWalkActions([".", "_", "hold"]).actions, [" ", " ", " "]);
});

test("parseWalkActions() repeats a block when a word ends in a number", () => {
  assert.deepEqual(parseWalkActions(["w3", "l*2", "hold2", ".*2"]).actions, [
    ...["w", "w", "w"],
    ...["l", "l"],
    ...[" ", " "],
    ...[" ", " "],
  ]);
});

test("parseWalkActions() explains an unknown action", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["x", /"x" is not a key/],
    ["ws", /w and s are opposite/],
    ["adi", /a and d are opposite/],
    ["ik", /i and k are opposite/],
    ["jl", /j and l are opposite/],
    ["wwl", /the key w occurs twice; one word is one block/],
    ["3", /it has no key/],
    ["", /it has no key/],
    ["w0", /0 blocks are out of range, expected 1 to 84 a walk$/],
    ["w99", /99 blocks are out of range/],
    ["w*", /"\*" is not a key/],
    ["w-1", /"-" is not a key/],
  ];
  for (const [word, reason] of cases) {
    assert.throws(
      () => parseWalkActions([word]),
      (error: unknown) => error instanceof SvcError && reason.test(error.message),
      word,
    );
  }
});

test("parseWalkActions() refuses a walk without blocks and one beyond the longest rollout", () => {
  assert.throws(() => parseWalkActions([]), /no action given/);
  assert.equal(parseWalkActions([`w${MAX_WALK_BLOCKS}`]).latentFrames, 252);
  assert.throws(() => parseWalkActions(["w84", "l"]), /it has 85 blocks, expected at most 84/);
});

test("parseWalkActions() gives weights whose segments end exactly where blocks do, for every length", () => {
  for (let blocks = 1; blocks <= MAX_WALK_BLOCKS; blocks++) {
    const { weights, latentFrames } = parseWalkActions([`w${blocks}`]);
    const expected = Array.from({ length: blocks }, (_, block) => block === 0 ? 9 : 12);
    assert.deepEqual(segmentLengths(weights, pixelFrameCount(latentFrames)), expected, `${blocks} blocks`);
  }
});
