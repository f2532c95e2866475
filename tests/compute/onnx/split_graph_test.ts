import assert from "node:assert/strict";
import { test } from "node:test";
import { compileParts } from "../../../lib/compute/onnx/compile_parts.ts";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import { MemoryLedger } from "../../../lib/compute/onnx/host_tensor.ts";
import { onnxMemory } from "../../../lib/compute/onnx/onnx_memory.ts";
import { OnnxProgram } from "../../../lib/compute/onnx/onnx_program.ts";
import { keepsHalves, type PartLimits, splitGraph } from "../../../lib/compute/onnx/split_graph.ts";
import {
  add,
  attention,
  conv2d,
  f32,
  floatToBfloat,
  Graph,
  linear,
  relu,
  reshape,
  sizeOf,
  type Tensor,
  tensor,
  toHalf,
  type Value,
} from "../../../lib/compute/tensor/mod.ts";
import { RunQueue } from "../../../lib/compute/tensor/device.ts";
import { nodeFlops } from "../../../lib/compute/tensor/graph_cost.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";

const SIDE = 256;
/** Bytes of a weight as 32-bit floats. */
const WEIGHT = 4 * SIDE * SIDE;

const random = seededRandom(5);
const matrix = () => f32([SIDE, SIDE], Float32Array.from({ length: SIDE * SIDE }, () => (random() - 0.5) / 4));
const toBfloat = ({ shape, data }: Tensor<"f32">) => tensor("bf16", shape, Uint16Array.from(data, floatToBfloat));

/** Six layers whose input is also added at their end, with an output in the middle and one that is the input. */
function sixLayers(): Graph {
  const g = new Graph();
  const x = g.input("x", [3, SIDE]);
  let y = x;
  for (let i = 0; i < 6; i++) {
    const weight = [matrix(), toHalf(matrix()), toBfloat(matrix())][i % 3];
    y = relu(linear(y, g.constant(weight), g.constant(f32([SIDE], new Float32Array(SIDE).fill(i / 8)))));
    if (i === 2) g.output("middle", y);
  }
  g.output("end", add(y, x));
  g.output("same", x);
  return g;
}

async function program(graph: Graph, limits?: PartLimits) {
  const runtime = await loadOnnxRuntime();
  const context = { runtime, queue: new RunQueue(), ledger: new MemoryLedger(), programs: new Set<OnnxProgram>() };
  const { parts, weightBytes } = await compileParts(graph, { runtime, limits });
  return { parts, weightBytes, ledger: context.ledger, program: new OnnxProgram(context, graph, parts, weightBytes) };
}

const input = { x: f32([3, SIDE], Float32Array.from({ length: 3 * SIDE }, () => random() - 0.5)) };

test("a graph in parts computes what it computes in one, and keeps weights of 16 bits so", async () => {
  const graph = sixLayers();
  const [whole, cut] = [await program(graph), await program(graph, { bytes: 2.5 * WEIGHT })];
  assert.equal(whole.parts.length, 1);
  assert.equal(cut.parts.length, 3);
  assert.ok(whole.weightBytes > 6 * WEIGHT);
  assert.ok(cut.weightBytes < 4.1 * WEIGHT, `${cut.weightBytes / WEIGHT}`);
  const [expected, found] = [await whole.program.run(input), await cut.program.run(input)];
  assert.deepEqual(Object.keys(found).sort(), ["end", "middle", "same"]);
  for (const name of Object.keys(expected)) {
    const [a, b] = [await expected[name].read(), await found[name].read()];
    const largest = Math.max(...(a.data as Float32Array).map(Math.abs));
    (a.data as Float32Array).forEach((value, i) => assert.ok(Math.abs(value - b.data[i]) <= 1e-5 * largest, name));
  }
  const before = cut.ledger.allocated;
  for (const out of Object.values(found)) out.release();
  cut.program.dispose();
  assert.equal(cut.ledger.allocated, 0);
  assert.ok(before > cut.weightBytes);
});

test("a program in parts that is cancelled ends before the next part, and leaves nothing", async () => {
  const { program: cut, ledger, weightBytes } = await program(sixLayers(), { bytes: WEIGHT });
  const stop = new AbortController();
  const reason = new Error("enough");
  const running = cut.run(input, { signal: stop.signal });
  queueMicrotask(() => stop.abort(reason));
  await assert.rejects(running, reason);
  assert.equal(ledger.allocated, weightBytes);
  assert.equal(Object.keys(await cut.run(input)).length, 3);
});

test("others may use the device between two parts of a run, and release its program then", async () => {
  const { program: cut, ledger } = await program(sixLayers(), { flops: 1 });
  const other = await program(sixLayers());
  const expected = await (await cut.run(input)).end.read();
  let had = 0;
  const { end } = await cut.run(input, {
    between: async () => {
      had++;
      for (const tensor of Object.values(await other.program.run(input))) tensor.release();
      cut.dispose();
    },
  });
  assert.equal(had, 5);
  assert.deepEqual(await end.read(), expected);
  await assert.rejects(cut.run(input), /it was disposed/);
  for (const tensor of [end]) tensor.release();
  assert.ok(ledger.allocated < WEIGHT, "the weights are gone");
});

test("splitGraph() holds every part to the operations, attention of many queries too", async () => {
  const [queries, keys, heads, width] = [70, 50, 2, 8];
  const g = new Graph();
  const [q, k, v] = [queries, keys, keys].map((rows, i) => g.input("qkv"[i], [rows, heads, width]));
  const bias = g.input("bias", [heads, queries, keys]);
  g.output("plain", attention(q, k, v));
  g.output("biased", attention(q, k, v, { bias }));
  g.output("batch", attention(...[q, k, v].map((x) => reshape(x, [1, ...x.shape])) as [Value, Value, Value]));
  const whole = 2 * queries * keys * heads * 2 * width;
  const flops = whole / 4;
  const parts = splitGraph(g, { flops });
  assert.ok(parts.length >= 12, `${parts.length}`);
  for (const { nodes } of parts) assert.ok(nodes.reduce((sum, node) => sum + nodeFlops(node), 0) <= 1.1 * flops);
  const feeds = Object.fromEntries(
    [...g.inputs].map(([name, { shape }]) => [name, f32(shape, Float32Array.from({ length: sizeOf(shape) }, random))]),
  );
  const [expected, found] = [await program(g), await program(g, { flops })];
  const [a, b] = [await expected.program.run(feeds), await found.program.run(feeds)];
  for (const name of Object.keys(a)) assertClose((await b[name].read()).data, (await a[name].read()).data, 1e-6);
});

test("splitGraph() holds every part to the limit, and reads a value only from parts before", () => {
  const graph = sixLayers();
  for (const limit of [1, WEIGHT, 2.2 * WEIGHT, 7 * WEIGHT]) {
    const parts = splitGraph(graph, { bytes: limit });
    const given = new Set();
    for (const { takes, gives, weightBytes, nodes } of parts) {
      const weights = nodes.filter(({ op }) => op.kind === "constant" && op.tensor.shape.length === 2);
      assert.ok(weightBytes <= limit || weights.length <= 1);
      for (const value of takes) assert.ok(given.has(value));
      for (const value of gives) given.add(value);
    }
    assert.deepEqual(parts.flatMap(({ outputs }) => [...outputs.keys()]).sort(), ["end", "middle", "same"]);
  }
  assert.equal(splitGraph(graph).length, 1);
});

test("convolutions keep their weights in 32 bits", () => {
  const g = new Graph();
  let x = g.input("x", [1, 64, 8, 8]);
  for (let i = 0; i < 2; i++) x = conv2d(x, g.constant(f32([64, 64, 3, 3], new Float32Array(64 * 64 * 9))));
  g.output("y", x);
  const parts = splitGraph(g, { bytes: 4 * 64 * 64 * 9 });
  assert.equal(parts.length, 2);
  assert.equal(keepsHalves(parts), false);
});

test("the plan counts weights of 16 bits as such, and a part of them twice", () => {
  const g = new Graph();
  let x = g.input("x", [1, 8192]);
  for (let i = 0; i < 12; i++) {
    x = linear(x, g.constant({ dtype: "bf16", shape: [8192, 8192], data: new Uint16Array() }));
  }
  g.output("y", x);
  const cost = onnxMemory.cost(g);
  assert.equal(cost.weightBytes, 12 * 2 * 8192 ** 2);
  assert.equal(cost.doubledBytes, 4 * 4 * 8192 ** 2);
});
