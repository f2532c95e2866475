import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph, type Value } from "../../../lib/compute/tensor/graph.ts";
import { attention, groupedAttention, rope } from "../../../lib/compute/tensor/ops/attention.ts";
import { conv2d, conv3d } from "../../../lib/compute/tensor/ops/conv.ts";
import { add, cast, clamp, exp } from "../../../lib/compute/tensor/ops/elementwise.ts";
import {
  broadcastTo,
  concat,
  gather,
  pad,
  reshape,
  slice,
  split,
  transpose,
  upsample,
} from "../../../lib/compute/tensor/ops/layout.ts";
import { linear, matmul } from "../../../lib/compute/tensor/ops/matmul.ts";
import { layerNorm, reduceSum, rmsNorm } from "../../../lib/compute/tensor/ops/norm.ts";
import type { Shape } from "../../../lib/compute/tensor/shape.ts";

function values(...shapes: Shape[]): Value[] {
  const graph = new Graph();
  return shapes.map((shape, i) => graph.input(`x${i}`, shape));
}

function rejects(build: () => unknown, message: RegExp): void {
  assert.throws(build, { name: "ShapeError", message });
}

test("matmul() infers batches and refuses inner sizes, ranks and biases that do not fit", () => {
  const [a, b, wide, bias, vector] = values([2, 1, 3, 4], [5, 4, 6], [6, 4], [6], [4]);
  assert.deepEqual(matmul(a, b).shape, [2, 5, 3, 6]);
  assert.deepEqual(linear(a, wide, bias).shape, [2, 1, 3, 6]);
  rejects(() => matmul(a, wide), /by \[6,4\]: inner sizes 4 and 6 differ/);
  rejects(() => matmul(wide, b, { transposeB: true }), /by \[5,4,6\] transposed: inner sizes 4 and 6 differ/);
  rejects(() => matmul(a, vector), /both need at least two axes/);
  rejects(() => linear(a, wide, vector), /Cannot add bias \[4\]: the product has 6 columns/);
});

test("conv2d() and conv3d() infer sizes and refuse kernels that do not fit", () => {
  const [x, w2, w3, bias, other] = values([5, 3, 9, 8], [4, 3, 3, 2], [4, 3, 3, 3, 3], [4], [4, 2, 3, 3]);
  assert.deepEqual(conv2d(x, w2, bias, { stride: [2, 3], pad: [1, 0, 0, 1] }).shape, [5, 4, 4, 3]);
  assert.deepEqual(conv3d(x, w3, undefined, { stride: [2, 1, 1], pad: [1, 1, 1, 1] }).shape, [2, 4, 9, 8]);
  rejects(() => conv2d(x, other), /Cannot apply conv2d with weight \[4,2,3,3\] to \[5,3,9,8\]/);
  rejects(() => conv2d(x, w3), /the weight needs 4 axes/);
  rejects(() => conv3d(slice(x, { axis: 0, end: 2 }), w3), /2 frames are fewer than the kernel's 3/);
  rejects(() => conv2d(x, w2, w2), /Cannot add bias \[4,3,3,2\]: conv2d has 4 output channels/);
});

test("attention() infers its width and refuses axes that differ", () => {
  const [q, k, v, flat, heads] = values([5, 2, 4], [7, 2, 4], [7, 2, 3], [5, 8], [7, 3, 4]);
  const bias = (shape: Shape) => q.graph.input(`bias ${shape}`, shape);
  assert.deepEqual(attention(q, k, v, { bias: bias([2, 1, 7]) }).shape, [5, 2, 3]);
  rejects(() => attention(flat, k, v), /Cannot attend with q \[5,8\]/);
  rejects(() => attention(q, heads, v), /batch, heads, channels of q and k, or tokens of k and v differ/);
  rejects(() => attention(q, k, v, { bias: bias([5, 5]) }), /Cannot add an attention bias: shapes \[5,5\]/);
  rejects(() => attention(q, k, v, { bias: bias([9, 2, 5, 7]) }), /Cannot add attention bias \[9,2,5,7\]/);
});

test("groupedAttention() refuses heads that are not a multiple of the keys' heads and a bias of another size", () => {
  const [q, k, wrong, bias] = values([5, 6, 4], [7, 3, 4], [7, 4, 4], [5, 6]);
  assert.deepEqual(groupedAttention(q, k, k).shape, [5, 6, 4]);
  rejects(() => groupedAttention(q, wrong, wrong), /Cannot attend in groups with q \[5,6,4\] and k \[7,4,4\]/);
  rejects(() => groupedAttention(q, k, k, { bias }), /Cannot add an attention bias/);
});

test("rope() refuses odd widths and tables of another size", () => {
  const [x, table, odd, wrong] = values([5, 2, 4], [5, 2], [5, 2, 3], [5, 3]);
  assert.deepEqual(rope(x, table, table).shape, [5, 2, 4]);
  rejects(() => rope(odd, table, table), /expected \[L,H,D\] with even D/);
  rejects(() => rope(x, table, wrong), /Cannot rotate \[5,2,4\]/);
});

test("norms refuse parameters of another length", () => {
  const [x, w, wrong] = values([3, 4], [4], [3]);
  assert.deepEqual(rmsNorm(x, wrong, { axis: 0 }).shape, [3, 4]);
  rejects(() => rmsNorm(x, wrong), /parameter \[3\] does not match an axis of 4/);
  rejects(() => layerNorm(x, w, wrong), /parameter \[3\] does not match an axis of 4/);
  rejects(() => layerNorm(x, undefined, w), /a bias needs a weight/);
});

test("layout operators infer shapes", () => {
  const [x, y] = values([2, 3, 4], [2, 5, 4]);
  const ids = x.graph.input("ids", [2, 2], "int");
  assert.deepEqual(reshape(x, [-1, 6]).shape, [4, 6]);
  assert.deepEqual(transpose(x, [2, 0, 1]).shape, [4, 2, 3]);
  assert.deepEqual(slice(x, { axis: -1, start: -3, step: 2 }, { axis: 0, end: 1 }).shape, [1, 3, 2]);
  assert.deepEqual(concat([x, y, x], 1).shape, [2, 11, 4]);
  assert.deepEqual(split(y, [1, 4], 1).map((part) => part.shape), [[2, 1, 4], [2, 4, 4]]);
  assert.deepEqual(pad(x, [1, 0, 2], [0, 0, 1]).shape, [3, 3, 7]);
  assert.deepEqual(gather(x, ids, 1).shape, [2, 2, 2, 4]);
  assert.deepEqual(broadcastTo(x, [5, 2, 3, 4]).shape, [5, 2, 3, 4]);
  assert.deepEqual(upsample(x, 3).shape, [2, 9, 12]);
  assert.deepEqual(reduceSum(x, [-1, 0]).shape, [1, 3, 1]);
});

test("layout operators refuse what does not fit", () => {
  const [x, y] = values([2, 3, 4], [2, 5, 3]);
  rejects(() => reshape(x, [5, -1]), /Cannot reshape \[2,3,4\] to \[5,-1\]/);
  rejects(() => reshape(x, [5, 5]), /the element counts differ/);
  rejects(() => transpose(x, [0, 0, 1]), /by \[0,0,1\]: not a permutation/);
  rejects(() => slice(x, { axis: 1, start: 2, end: 2 }), /Cannot slice axis 1 of \[2,3,4\] from 2 to 2/);
  rejects(() => slice(x, { axis: 1, end: 4 }), /Cannot slice axis 1/);
  rejects(() => slice(x, { axis: 1, step: 0 }), /Cannot slice axis 1/);
  rejects(() => concat([x, y], 1), /Cannot concat \[2,3,4\], \[2,5,3\] along axis 1/);
  rejects(() => concat([], 0), /no values were given/);
  rejects(() => split(x, [1, 1], 1), /Cannot split axis 1 of \[2,3,4\] into \[1,1\]/);
  rejects(() => pad(x, [0, 0], [0, 0, 0]), /Cannot pad/);
  rejects(() => gather(x, y), /the indices must be integers/);
  rejects(() => broadcastTo(x, [2, 3]), /Cannot broadcast/);
  rejects(() => upsample(x, 1.5), /Cannot upsample \[2,3,4\] by 1.5/);
  rejects(() => reduceSum(x, []), /no axes were given/);
});

test("elementwise operators refuse integers and crossed limits", () => {
  const [x] = values([2]);
  const ids = x.graph.input("ids", [2], "int");
  rejects(() => exp(ids), /Cannot apply exp: it takes floats, the value holds integers/);
  rejects(() => add(x, ids), /Cannot apply add/);
  rejects(() => add(1, 2), /one argument must be a value of a graph/);
  rejects(() => clamp(x, 1, 0), /low 1 is above high 0/);
  assert.equal(add(cast(ids, "float"), x).type, "float");
});
