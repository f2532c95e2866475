import { test } from "node:test";
import assert from "node:assert/strict";
import {
  add,
  type Device,
  f32,
  Graph,
  layerNorm,
  linear,
  matmul,
  relu,
  reshape,
  type Shape,
  sizeOf,
} from "../../../lib/compute/tensor/mod.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { seededRandom } from "../../support/random.ts";
import { namesOf } from "./graph_layers.ts";
import { halfError, layerErrors } from "./layer_errors.ts";
import { RecordingDevice } from "./recording_device.ts";

const shapes = new Map<string, Shape>([["blocks.0.up.weight", [4, 6]], ["blocks.0.down.weight", [4, 6]]]);

function randomTensor(shape: Shape, seed: number) {
  const random = seededRandom(seed);
  return f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => 2 * random() - 1));
}

/** x + down(relu(up(norm(x)))), and x once more under another shape. */
function blockGraph(weights: Weights): Graph {
  const graph = new Graph();
  const x = graph.input("x", [3, 4]);
  const up = relu(matmul(layerNorm(x), weights.in(graph, "blocks.0.up.weight")));
  const down = linear(up, weights.in(graph, "blocks.0.down.weight"));
  graph.output("y", add(down, x));
  graph.output("rows", reshape(x, [12]));
  return graph;
}

async function recorded(device: Device, weights: Weights) {
  const recorder = new RecordingDevice(device);
  const program = await recorder.compile(blockGraph(weights));
  const x = recorder.upload(randomTensor([3, 4], 3));
  for (const t of Object.values(await program.run({ x }))) t.release();
  x.release();
  program.dispose();
  return recorder.programs[0];
}

test("layerErrors() cuts a program into named layers that lose nothing on the same device", async () => {
  const weights = new Weights(new Map([...shapes].map(([name, shape], i) => [name, randomTensor(shape, i)])));
  const device = await openOnnxDevice();
  const layers = await layerErrors(await recorded(device, weights), namesOf(weights, shapes), {
    ...{ f32: device, f16: device },
  });
  assert.deepEqual(layers.map(({ name, depth }) => [name, depth]), [
    ["layerNorm for blocks.0.up", 1],
    ["blocks.0.up", 2],
    ["blocks.0.down", 3],
  ]);
  for (const { alone, chained, largest } of layers) {
    assert.ok(largest > 0.1 && alone.maxAbs < 1e-6 && chained.maxAbs < 1e-6);
  }
  device.dispose();
});

test("layerErrors() finds the layer that loses, and what later layers make of that", async () => {
  const weights = new Weights(new Map([...shapes].map(([name, shape], i) => [name, randomTensor(shape, i)])));
  const device = await openOnnxDevice();
  const program = await recorded(device, weights);
  // Another device whose second layer has other weights stands for one that computes it wrongly.
  const wrong: Device = {
    ...{ kind: device.kind, label: device.label, precision: device.precision, lost: device.lost },
    idle: () => device.idle(),
    compile: (graph) => {
      const up = weights.get("blocks.0.up.weight");
      const copy = new Graph();
      const values = graph.nodes.map(({ op }) => op).reduce<ReturnType<Graph["push"]>[]>((made, op, id) => {
        const { inputs, output } = graph.nodes[id];
        const isUp = op.kind === "constant" && op.tensor === up;
        const value = op.kind === "input"
          ? copy.input(op.name, output.shape, output.type)
          : isUp
          ? copy.constant(f32(up.shape, Float32Array.from(up.data as Float32Array, (w) => w * 1.01)))
          : copy.push(op, inputs.map((v) => made[v.id]), output.shape, output.type);
        return [...made, value];
      }, []);
      for (const [name, { id }] of graph.outputs) copy.output(name, values[id]);
      return device.compile(copy);
    },
    upload: (t) => device.upload(t),
    memory: () => device.memory(),
    dispose: () => device.dispose(),
  };
  const layers = await layerErrors(program, namesOf(weights, shapes), { f32: device, f16: wrong });
  const lost = layers.map(({ alone, chained }) => [alone, chained].map(({ relative }) => Number(relative.toFixed(4))));
  assert.deepEqual(lost[0], [0, 0]);
  assert.deepEqual(lost[1], [0.01, 0.01]);
  assert.equal(lost[2][0], 0);
  assert.ok(lost[2][1] > 0);
  device.dispose();
});

test("halfError() says how far numbers are off, and that some are not finite", () => {
  const exact = [Float32Array.of(3, 0), Float32Array.of(0, 4)];
  const found = [Float32Array.of(3, 0), Float32Array.of(0, 4.5)];
  assert.deepEqual(halfError(found, exact), { maxAbs: 0.5, relative: 0.1, ofLargest: 0.125 });
  assert.equal(halfError([Float32Array.of(3, NaN), exact[1]], exact).maxAbs, Infinity);
});
