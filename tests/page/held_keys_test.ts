import assert from "node:assert/strict";
import { test } from "node:test";
import { MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { HeldKeys, LOOK_KEYS, MOVE_KEYS, stickKeys } from "../../world-page/moves/held_keys.ts";
import type { Step, Walker } from "../../world-page/moves/walker.ts";

const leans: [right: number, down: number, keys: string][] = [
  [0, 0, ""],
  [0.2, 0.2, ""],
  [0, -1, "w"],
  [0.1, -1, "w"],
  [0, 0.4, "s"],
  [-1, 0, "a"],
  [1, 0.2, "d"],
  [0.7, -0.7, "wd"],
  [-0.6, 0.6, "sa"],
  [NaN, 0, ""],
];
for (const [right, down, keys] of leans) {
  test(`stickKeys() is ${JSON.stringify(keys)} at ${right}, ${down}`, () => {
    assert.equal(stickKeys(right, down, MOVE_KEYS), keys);
  });
}

function recorder(): { readonly held: HeldKeys; readonly log: string[] } {
  const log: string[] = [];
  const name = (step: Step): string => {
    if (step === "back") return step;
    const { motion, translationMeters: [x, , z], rotationDegrees: [, ry] } = step.camera(MOVE_SIZE);
    return [motion, x, z, ry].join(" ");
  };
  const walker = {
    press: (step: Step) => void log.push(`press ${name(step)}`),
    release: (step: Step) => void log.push(`release ${name(step)}`),
    exchange: (step: Step, rest: Step) => void log.push(`exchange ${name(step)} for ${name(rest)}`),
  } as unknown as Walker;
  return { held: new HeldKeys(walker), log };
}

test("HeldKeys makes one move of what two sticks hold, and changes it when one of them changes", () => {
  const { held, log } = recorder();
  held.hold("left", stickKeys(0, -1, MOVE_KEYS));
  held.hold("left", stickKeys(0.05, -1, MOVE_KEYS));
  held.hold("right", stickKeys(1, 0, LOOK_KEYS));
  held.hold("left", "");
  held.hold("right", "");
  assert.deepEqual(log, [
    "press forward 0 1 0",
    "release forward 0 1 0",
    "press custom 0 1 15",
    "exchange custom 0 1 15 for yawRight 0 0 15",
    "release yawRight 0 0 15",
  ]);
});

test("HeldKeys lets opposite keys cancel each other, and counts one key once", () => {
  const { held, log } = recorder();
  held.hold("pad", "w");
  held.hold("arrows", "w");
  held.hold("arrows", "s");
  assert.deepEqual(log, ["press forward 0 1 0", "release forward 0 1 0"]);
});
