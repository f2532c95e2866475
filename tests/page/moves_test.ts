import assert from "node:assert/strict";
import { test } from "node:test";
import { inverse, MOVES } from "../../world-page/moves.ts";

test("inverse() of a key's move is the move of the opposite key", () => {
  const pairs = [["forward", "backward"], ["strafeLeft", "strafeRight"], ["yawLeft", "yawRight"], [
    "lookUp",
    "lookDown",
  ]];
  for (const [one, other] of pairs) {
    assert.deepEqual(inverse(MOVES[one].camera), MOVES[other].camera);
    assert.deepEqual(inverse(MOVES[other].camera), MOVES[one].camera);
  }
});

test("inverse() of a hold does not exist", () => {
  assert.equal(inverse(MOVES["hold"].camera), undefined);
});

test("MOVES have a key of their own each", () => {
  const keys = Object.values(MOVES).map((move) => move.key);
  assert.deepEqual([...new Set(keys)].sort(), [" ", "a", "d", "i", "j", "k", "l", "s", "w"]);
  assert.equal(keys.length, 9);
});
