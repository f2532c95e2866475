import { test } from "node:test";
import assert from "node:assert/strict";
import { slideWindow } from "../../../lib/models/arworld/sampling/generate_block.ts";

test("slideWindow() keeps the first block forever and the newest of the others", () => {
  let context: readonly number[] = [];
  const seen: (readonly number[])[] = [];
  for (let block = 0; block < 6; block++) seen.push(context = slideWindow(context, block, 3));
  assert.deepEqual(seen, [[0], [0, 1], [0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
});

test("slideWindow() keeps only the first block when nothing else fits", () => {
  assert.deepEqual(slideWindow(["first"], "second", 1), ["first"]);
});
