import { test } from "node:test";
import assert from "node:assert/strict";
import type { PositionConfig } from "../../../lib/models/actionworld/config.ts";
import { clipPositions, rotaryTables, textPositions } from "../../../lib/models/actionworld/positions.ts";
import { assertClose } from "../../support/assert_close.ts";

const config: PositionConfig = {
  headDim: 16,
  ropeAxes: [4, 2, 2],
  ropeTheta: 1e8,
  baseFps: 24,
  framesPerLatent: 4,
  modalityMargin: 15000,
};
const layout = { text: 3, frames: 2, rows: 2, columns: 3, actions: 4, fps: 30 };

function axes(positions: Float32Array): number[][] {
  const n = positions.length / 3;
  return [0, 1, 2].map((axis) => [...positions.subarray(axis * n, (axis + 1) * n)]);
}

test("textPositions() counts on all three axes", () => {
  assert.deepEqual(axes(textPositions(3)), [[0, 1, 2], [0, 1, 2], [0, 1, 2]]);
});

test("clipPositions() begins after the text and its margin, rows and columns at 0 in every frame", () => {
  const [times, rows, columns] = axes(clipPositions({ ...layout, fps: 24 }, config));
  assert.deepEqual(times.slice(0, 12), [...new Array(6).fill(15003), ...new Array(6).fill(15004)]);
  assert.deepEqual(rows.slice(0, 12), [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]);
  assert.deepEqual(columns.slice(0, 12), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

test("clipPositions() puts every fourth action beside a frame, whatever the rate", () => {
  for (const fps of [8, 12, 24, 30]) {
    const [times, rows, columns] = axes(clipPositions({ ...layout, fps }, config));
    assert.equal(times[15], times[11], `${fps} fps`);
    assert.equal(times[6], Math.fround(15003 + 24 / fps));
    assert.deepEqual([...rows.slice(12), ...columns.slice(12)], new Array(8).fill(0));
  }
});

test("clipPositions() takes a single frame for an image", () => {
  const [times] = axes(clipPositions({ ...layout, frames: 1 }, config));
  assert.deepEqual(times.slice(0, 6), new Array(6).fill(15003));
});

test("rotaryTables() turns pairs by time, row and column in turn, then by time alone", () => {
  const positions = Float32Array.of(100, 10, 1);
  const { cos, sin } = rotaryTables(positions, config);
  const places = [100, 10, 1, 100, 10, 1, 100, 100];
  const angles = places.map((place, j) => place * 1e8 ** (-j / 8));
  assertClose(cos, angles.map(Math.cos), 1e-5);
  assertClose(sin, angles.map(Math.sin), 1e-5);
});
