import { test } from "node:test";
import assert from "node:assert/strict";
import { type CameraMove, compileActions, fitActions } from "../../../lib/models/actionworld/action_rows.ts";
import { type CameraMotion, MOTION_TABLE } from "../../../lib/world/protocol/motion_table.ts";
import { assertClose } from "../../support/assert_close.ts";

/** A move as the request that names a motion. */
interface Asked extends Partial<CameraMove> {
  readonly motion: CameraMotion;
}

function move({ motion, ...changes }: Asked): CameraMove {
  const { translation: direction } = MOTION_TABLE[motion];
  return { direction, translationMeters: [0, 0, 0], rotationDegrees: [0, 0, 0], ...changes };
}

const still = [0, 0, 0, 1, 0, 0, 0, 1, 0];

// @row world-session > Transition > A camera becomes rows: axis from the motion, length from the translation, a turn divided among the rows
test("compileActions() keeps the camera where it is for a hold and for a turn by nothing", () => {
  for (const motion of ["hold", "yawLeft", "yawRight", "custom"] as const) {
    assert.deepEqual([...compileActions(move({ motion }), 2)], [...still, ...still], motion);
  }
});

// @row world-session > Transition > A camera becomes rows: axis from the motion, length from the translation, a turn divided among the rows
test("compileActions() takes the axis from the motion and the length from the translation", () => {
  const first = (asked: Asked) => compileActions(move(asked), 1).slice(0, 3);
  assertClose(first({ motion: "forward" }), [0, 0, 1.0500536], 1e-6);
  assertClose(first({ motion: "backward", translationMeters: [0, 0, 2] }), [0, 0, -2.1001072], 1e-6);
  assertClose(first({ motion: "strafeLeft", translationMeters: [3, 0, 4] }), [-5.250268, 0, 0], 1e-6);
  assertClose(first({ motion: "custom", translationMeters: [0, -3, 4] }), [0, -3.1501608, 4.2002144], 1e-6);
});

test("compileActions() takes lengths up to 1e-4 for none", () => {
  const [length] = compileActions(move({ motion: "strafeRight", translationMeters: [0, 1e-4, 0] }), 1);
  assertClose([length], [1.0500536], 1e-6);
  const [scaled] = compileActions(move({ motion: "strafeRight", translationMeters: [0, 1.01e-4, 0] }), 1);
  assertClose([scaled], [1.0605541e-4], 1e-9);
});

test("compileActions() continues with the last step length beyond its sixty", () => {
  const rows = compileActions(move({ motion: "forward" }), 80);
  assertClose([rows[59 * 9 + 2], rows[60 * 9 + 2], rows[79 * 9 + 2]], [0.6428534, 0.6428534, 0.6428534], 1e-6);
});

// @row world-session > Transition > A camera becomes rows: axis from the motion, length from the translation, a turn divided among the rows
test("compileActions() divides a rotation among the rows, so that they add up to the whole", () => {
  const rows = compileActions(move({ motion: "forward", rotationDegrees: [0, 90, 0] }), 16);
  let [x, z] = [0, 1];
  for (let i = 0; i < 16; i++) {
    const [c, s] = [rows[9 * i + 3], -rows[9 * i + 5]];
    [x, z] = [c * x + s * z, c * z - s * x];
  }
  assertClose([x, z], [1, 0], 1e-5);
});

test("compileActions() turns about x, then y, then z", () => {
  const rows = compileActions(move({ motion: "custom", rotationDegrees: [90, 90, 0] }), 1);
  // x stays on the axis of the first turn, y goes down to z and is then turned to x.
  assertClose(rows.slice(3), [0, 0, -1, 1, 0, 0], 1e-6);
});

// @row world-session > Transition > `model_space_actions`: short lists are extended by their last row, long ones cut, none scaled
test("fitActions() cuts what is too long and repeats the last row of what is too short", () => {
  const rows = [1, 2, 3].map((n) => [n, 0, 0, 1, 0, 0, 0, 1, 0]);
  const firsts = (count: number) => Array.from({ length: count }, (_, i) => fitActions(rows, count)[9 * i]);
  assert.deepEqual(firsts(2), [1, 2]);
  assert.deepEqual(firsts(5), [1, 2, 3, 3, 3]);
});

test("fitActions() refuses rows that are not nine finite numbers and names the first of them", () => {
  const refused = (rows: unknown, message: RegExp) => assert.throws(() => fitActions(rows, 4), { message });
  refused("rows", /^Cannot use the actions: expected a list of at least one row of 9 numbers$/);
  refused([], /at least one row/);
  refused([still, still.slice(1)], /row 1 is \[0,0,1,0,0,0,1,0\], expected 9 finite numbers$/);
  refused([[...still, 0]], /row 0/);
  refused([still.with(8, Infinity)], /row 0/);
  refused([still.with(0, NaN)], /row 0/);
  refused([[...still.slice(1), "0"]], /row 0/);
  refused([null], /row 0 is object/);
});
