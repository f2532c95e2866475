import assert from "node:assert/strict";
import { test } from "node:test";
import { requestedFrames } from "../../../../lib/world/protocol/requests/requested_frames.ts";

const camera = { motion: "forward", translation_meters: [0, 0, 1], rotation_degrees: [0, 0, 0] };
const moved = { prompt: "a corridor", camera };
const walked = { prompt: "a corridor", action_seq: ["w"] };

test("the length of a move is read as its world reads it, in either spelling", () => {
  for (
    const [kind, body, expected] of [
      ["transition", moved, 17],
      ["transition", { ...moved, num_frames: 401 }, 401],
      ["transition", { ...moved, numFrames: 401 }, 401],
      ["transition", { ...moved, num_Frames: 401 }, undefined],
      ["transition", { ...moved, num_frames: 5, numFrames: 401 }, undefined],
      ["transition", { ...moved, num_frames: 402 }, 402], // of an arworld alone
      // A camera that rises and rows of actions are of an actionworld alone.
      ["transition", { ...moved, numFrames: 1005, modelSpaceActions: [Array(9).fill(0)] }, 1005],
      ["transition", { ...moved, num_frames: 1006 }, undefined],
      ["transition", { ...moved, num_frames: "401" }, undefined],
      ["rollout", walked, 81],
      ["rollout", { ...walked, num_output_frames: 42 }, 165],
      ["rollout", { prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 252 }, 1005],
      ["rollout", { ...walked, num_output_frames: 43 }, undefined],
      ["rollout", null, undefined],
    ] as const
  ) assert.equal(requestedFrames(kind, body), expected, JSON.stringify(body));
});
