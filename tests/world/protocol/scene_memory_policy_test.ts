import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DEFAULT_SCENE_MEMORY,
  type SceneMemoryOptions,
  sceneMemoryPolicy,
} from "../../../lib/world/protocol/scene_memory_policy.ts";

// @row world-session > Limits > 96 latents of scene memory
test("sceneMemoryPolicy() has the published rules when nothing is given", () => {
  assert.deepEqual(sceneMemoryPolicy(), {
    mode: "paper_reconstructed_revisit_anchor",
    maximumFrameCount: 96,
    minimumFrameGap: 3,
    maximumYawDistanceDegrees: 2,
    maximumTranslationDistance: 0.1,
    exactRevisitMaximumYawDistanceDegrees: 0.01,
    exactRevisitMaximumTranslationDistance: 0.001,
    recyclingStrength: 0.08,
  });
  assert.deepEqual(sceneMemoryPolicy({}), DEFAULT_SCENE_MEMORY);
});

test("sceneMemoryPolicy() takes options at the ends of their ranges", () => {
  const zeros = {
    strength: 0,
    maxFrames: 0,
    minimumGap: 0,
    maxYaw: 0,
    maxTranslation: 0,
    exactYaw: 0,
    exactTranslation: 0,
  };
  const { mode: _, ...numbers } = sceneMemoryPolicy(zeros);
  assert.deepEqual(new Set(Object.values(numbers)), new Set([0]));
  const same = sceneMemoryPolicy({ strength: 1, maxYaw: 180, exactYaw: 180, maxTranslation: 7, exactTranslation: 7 });
  assert.equal(same.recyclingStrength, 1);
  assert.equal(same.exactRevisitMaximumYawDistanceDegrees, 180);
  assert.equal(same.exactRevisitMaximumTranslationDistance, 7);
});

test("sceneMemoryPolicy() refuses an option that is out of range or not finite", () => {
  const wrong: readonly (readonly [SceneMemoryOptions, RegExp])[] = [
    [{ strength: 1.01 }, /strength is 1.01, expected a finite number from 0 to 1$/],
    [{ strength: -0.1 }, /strength is -0.1/],
    [{ strength: NaN }, /strength is NaN/],
    [{ maxFrames: -1 }, /maxFrames is -1, expected a whole number of at least 0$/],
    [{ maxFrames: 1.5 }, /maxFrames is 1.5/],
    [{ maxFrames: Infinity }, /maxFrames is Infinity/],
    [{ minimumGap: -3 }, /minimumGap is -3/],
    [{ maxYaw: Infinity }, /maxYaw is Infinity, expected a finite number of at least 0$/],
    [{ maxTranslation: -1 }, /maxTranslation is -1/],
    [{ exactYaw: 3 }, /exactYaw is 3, expected a finite number from 0 to maxYaw, which is 2$/],
    [{ maxYaw: 0 }, /exactYaw is 0.01, expected a finite number from 0 to maxYaw, which is 0$/],
    [{ exactYaw: -1 }, /exactYaw is -1/],
    [
      { exactTranslation: 0.2 },
      /exactTranslation is 0.2, expected a finite number from 0 to maxTranslation, which is 0.1$/,
    ],
    [{ exactTranslation: NaN }, /exactTranslation is NaN/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => sceneMemoryPolicy(options), (error: unknown) => {
      return error instanceof RangeError && error.message.startsWith("Cannot use scene memory: ") &&
        message.test(error.message);
    }, JSON.stringify(options));
  }
});

test("sceneMemoryPolicy() calls options in errors as the caller does", () => {
  const nameOf = (option: string) => `--memory-${option}`;
  assert.throws(() => sceneMemoryPolicy({ exactYaw: 5 }, nameOf), {
    message:
      "Cannot use scene memory: --memory-exactYaw is 5, expected a finite number from 0 to --memory-maxYaw, which is 2",
  });
});
