import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFeeds, type DeviceTensor, type ValueSpec } from "../../../lib/compute/tensor/device.ts";
import { f32, i32, tensor } from "../../../lib/compute/tensor/tensor.ts";

const inputs = new Map<string, ValueSpec>([["x", { shape: [2], type: "float" }], ["ids", { shape: [], type: "int" }]]);
const ids = i32([], [1]);

test("checkFeeds() accepts floats of every stored type and device tensors", () => {
  checkFeeds(inputs, { x: f32([2], [1, 2]), ids });
  checkFeeds(inputs, { x: tensor("f16", [2], new Uint16Array(2)), ids });
  checkFeeds(inputs, { x: { shape: [2], type: "float" } as unknown as DeviceTensor, ids });
});

test("checkFeeds() names what is missing, unknown, misshaped or of the other type", () => {
  const x = f32([2], [1, 2]);
  const wrong: [Parameters<typeof checkFeeds>[1], string][] = [
    [{ x }, 'Cannot run program: input "ids" is missing, expected int []'],
    [{ x, ids, z: x }, 'Cannot run program: input "z" is unknown, inputs are x, ids'],
    [{ x: f32([1, 2], [1, 2]), ids }, 'Cannot run program: input "x" is float [1,2], expected float [2]'],
    [{ x: i32([2], [1, 2]), ids }, 'Cannot run program: input "x" is int [2], expected float [2]'],
    [{ x, ids: f32([], [1]) }, 'Cannot run program: input "ids" is float [], expected int []'],
  ];
  for (const [feeds, message] of wrong) {
    assert.throws(() => checkFeeds(inputs, feeds), { name: "ShapeError", message });
  }
});
