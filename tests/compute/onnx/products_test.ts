import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { compileParts } from "../../../lib/compute/onnx/compile_parts.ts";
import { loadOnnxRuntime } from "../../../lib/compute/onnx/load_onnxruntime.ts";
import {
  add,
  type Device,
  f32,
  Graph,
  linear,
  mul,
  type Precision,
  rmsNorm,
  type Tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { assertClose } from "../../support/assert_close.ts";
import { opCases } from "../../support/op_cases.ts";
import { seededRandom } from "../../support/random.ts";
import { roundProducts } from "../../support/rounded_products.ts";
import { evaluate } from "../../support/reference_ops.ts";

roundProducts();
const half = await openOnnxDevice({ threads: 2, products: "f16" });
after(() => half.dispose());

for (const { name, graph, feeds } of opCases()) {
  test(`products of 16 bits: ${name}`, async () => {
    const program = await half.compile(graph);
    const { y } = await program.run(feeds);
    assertClose((await y.read()).data, evaluate(graph, feeds).y.data, 5e-3);
    y.release();
    program.dispose();
  });
}

const WIDTH = 256;

/** A residual stream that grows past what 16 bits hold, as that of a large T5 does. */
function residual(options: { readonly isWide?: boolean } = {}): Graph {
  const random = seededRandom(5);
  const weight = () => f32([WIDTH, WIDTH], Float32Array.from({ length: WIDTH * WIDTH }, () => (random() - 0.5) / 8));
  const graph = new Graph(options);
  let x = graph.input("x", [4, WIDTH]);
  for (let layer = 0; layer < 2; layer++) {
    const normal = rmsNorm(x, undefined, { axis: 1, eps: 1e-6 });
    x = add(x, mul(linear(normal, graph.constant(weight())), 1000));
  }
  graph.output("y", x);
  return graph;
}

async function run(device: Device, graph: Graph, x: Tensor): Promise<Float32Array | Int32Array> {
  const program = await device.compile(graph);
  const { y } = await program.run({ x });
  const { data } = await y.read();
  y.release();
  program.dispose();
  return data;
}

test("a residual stream beyond 65504 comes out as in 32 bits", async () => {
  const random = seededRandom(6);
  const x = f32([4, WIDTH], Float32Array.from({ length: 4 * WIDTH }, () => 2e5 * (random() - 0.5)));
  const expected = evaluate(residual(), { x }).y.data;
  assert.ok(Math.max(...expected) > 65504);
  assertClose(await run(half, residual(), x), expected, 5e-3);
  assertClose(await run(half, residual({ isWide: true }), x), expected, 1e-6);
});

test("numbers beyond 65504 pass through the products of a wide graph, and of no other", async () => {
  const product = (options?: { readonly isWide: boolean }): Graph => {
    const graph = new Graph(options);
    graph.output("y", linear(graph.input("x", [1, 2]), graph.constant(f32([1, 2], [1, 0.5]))));
    return graph;
  };
  const x = f32([1, 2], [1e5, 1]);
  assert.deepEqual([...await run(half, product(), x)], [Infinity]);
  assert.deepEqual([...await run(half, product({ isWide: true }), x)], [100000.5]);
});

test("weights of products have 16 bits in the model, except for those of a wide graph", async () => {
  const runtime = await loadOnnxRuntime();
  const bytesOf = async (graph: Graph, products: Precision): Promise<number> => {
    const { parts, weightBytes } = await compileParts(graph, { runtime, products });
    for (const { session } of parts) await session.release();
    return weightBytes;
  };
  const all = await bytesOf(residual(), "f32");
  assert.ok(all >= 2 * 4 * WIDTH ** 2);
  assert.ok(await bytesOf(residual(), "f16") < all / 2 + 4096);
  assert.equal(await bytesOf(residual({ isWide: true }), "f16"), all);
});
