import assert from "node:assert/strict";
import { test } from "node:test";
import { inverseCamera, MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { MOVES } from "../../world-page/moves/moves.ts";

test("inverseCamera() of a key's move is the move of the opposite key", () => {
  const pairs = [["forward", "backward"], ["strafeLeft", "strafeRight"], ["yawLeft", "yawRight"], [
    "lookUp",
    "lookDown",
  ]];
  for (const [one, other] of pairs) {
    const [there, back] = [MOVES[one].camera(MOVE_SIZE), MOVES[other].camera(MOVE_SIZE)];
    assert.deepEqual(inverseCamera(there), back);
    assert.deepEqual(inverseCamera(back), there);
  }
});

test("camera() of a move is as large as it is asked for, and without negative zeros", () => {
  assert.deepEqual(MOVES["backward"].camera({ meters: 0.5, degrees: 7 }), {
    motion: "backward",
    translationMeters: [0, 0, -0.5],
    rotationDegrees: [0, 0, 0],
  });
  assert.deepEqual(MOVES["lookDown"].camera({ meters: 0.5, degrees: 7 }).rotationDegrees, [-7, 0, 0]);
});

test("inverseCamera() of a move of all six numbers is their negation", () => {
  assert.deepEqual(
    inverseCamera({ motion: "custom", translationMeters: [0.5, -1, 0], rotationDegrees: [0, 7, -2] }),
    { motion: "custom", translationMeters: [-0.5, 1, 0], rotationDegrees: [0, -7, 2] },
  );
});

test("inverseCamera() of a hold does not exist", () => {
  assert.equal(inverseCamera(MOVES["hold"].camera(MOVE_SIZE)), undefined);
});
