import assert from "node:assert/strict";
import { test } from "node:test";
import { cameraWords } from "../../world-page/panels/readouts.ts";

/** World-to-camera matrix of a camera at a position (right, down, forward) that has turned right by an angle. */
function turned(degrees: number, [x, y, z]: readonly number[]): number[] {
  const [cos, sin] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
  const rows = [[cos, 0, -sin], [0, 1, 0], [sin, 0, cos]];
  return [...rows.flatMap((row) => [...row, -(row[0] * x + row[1] * y + row[2] * z)]), 0, 0, 0, 1];
}

test("cameraWords() describes the camera's position and direction", () => {
  assert.deepEqual(cameraWords(turned(0, [0, 0, 0])), { position: "At the start", view: "Straight ahead" });
  assert.deepEqual(cameraWords(turned(30, [0.5, -1, 2])), {
    position: "2.00 ahead, 0.50 right, 1.00 up",
    view: "30.0° right",
  });
  assert.deepEqual(cameraWords(turned(-90, [-0.25, 0.5, -3])), {
    position: "3.00 behind, 0.25 left, 0.50 down",
    view: "90.0° left",
  });
});

test("cameraWords() distinguishes up and down", () => {
  const [cos, sin] = [Math.cos(0.2), Math.sin(0.2)];
  const up = [1, 0, 0, 0, 0, cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1];
  assert.equal(cameraWords(up).view, "11.5° up");
});
