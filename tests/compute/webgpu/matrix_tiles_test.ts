import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, f32, Graph } from "../../../lib/compute/tensor/mod.ts";
import { PROCESSORS } from "../../../lib/compute/webgpu/lowering/choose_tiles.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { computesTiles, lacksMatrices, matrixTiles } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type Emulated, openEmulated } from "../../support/emulated_device.ts";
import { computed, type GraphCase } from "../../support/graph_cases.ts";
import { tilingCases } from "../../support/tiling_cases.ts";

/** The first tiled dispatch of a case: the side of its tiles, and whether the inner axis is in parts. */
function tilingOf({ shapes, build }: GraphCase, { limits, precision }: Emulated): string {
  const graph = new Graph();
  graph.output("y", build(shapes.map((shape, i) => graph.input(`x${i}`, shape))));
  const { steps } = lowerGraph(graph, limits, precision);
  const code = steps.map((step) => step.code).find((text) => text.includes("const TILE ="));
  const wide = code?.includes("fn alignedQuad") ? " wide" : "";
  return `${/const TILE = (\d+)u/.exec(code ?? "")?.[1]}${
    code?.includes("params.partSlices") ? " in parts" : ""
  }${wide}`;
}

const onnx = await openOnnxDevice({ threads: 1 });
after(() => onnx.dispose());

/** Each takes seconds on a software adapter: small fragments, which differ by their size only, have few of them. */
const few = new Set(["a batch of products of even sizes", "a long layer with bias and activation"]);

for (const [tile, precision] of [["EMULATED8", "f32"], ["EMULATED16", "f32"], ["EMULATED16", "f16"]] as const) {
  const emulated = await openEmulated(tile, precision);
  after(() => emulated?.device.dispose());
  const skip = emulated ? false : `no adapter with ${precision} was found`;
  // 16-bit floats have 11 significant bits; inputs, weights and results are each rounded to them.
  const tolerance = precision === "f16" ? 4e-3 : 5e-6;
  const name = `${tile} ${precision}`;
  const isSmall = tile === "EMULATED8";
  test(
    `${name}: a device gives the known results of products in tiles and of attention`,
    { skip: skip || isSmall },
    async () => {
      assert.equal(await computesTiles(emulated!.device, 32), undefined);
    },
  );
  for (const [what, each] of Object.entries(tilingCases)) {
    if (isSmall && !few.has(what)) continue;
    test(`${name}: ${what} in tiles of ${each.tiling} is what ONNX Runtime computes`, { skip }, async () => {
      emulated!.limits.processors = each.processors ?? PROCESSORS;
      assert.equal(tilingOf(each, emulated!), each.tiling);
      const [actual, expected] = await computed([emulated!.device, onnx], each);
      emulated!.limits.processors = PROCESSORS;
      assertClose(actual, expected, tolerance);
    });
  }
}

test("computesTiles() says why a device does not compute with matrices", async () => {
  // One of its own: where all tests before this are skipped, Node has already disposed of the file's device.
  const onnx = await openOnnxDevice({ threads: 1 });
  assert.equal(await computesTiles(onnx), undefined);
  const broken = (change: (data: Float32Array, inputs: number) => void): Device => ({
    ...{ kind: "webgpu", precision: "f32", label: "broken", lost: new Promise(() => {}) },
    upload: onnx.upload.bind(onnx),
    idle: onnx.idle.bind(onnx),
    memory: onnx.memory.bind(onnx),
    dispose: () => {},
    async compile(graph) {
      const program = await onnx.compile(graph);
      return {
        ...{ inputs: program.inputs, outputs: program.outputs, dispose: () => program.dispose() },
        async run(feeds) {
          const { y } = await program.run(feeds);
          const { data } = await y.read();
          change(data as Float32Array, Object.keys(feeds).length);
          return { y: onnx.upload(f32(y.shape, data as Float32Array)) };
        },
      };
    },
  });
  assert.match((await computesTiles(broken((data) => data[data.length - 1] += 1)))!, /by matrices wrongly/);
  // Only attention has more than one input: a number in the last strip of the last query, and all of them.
  for (
    const change of [
      (data: Float32Array) => data[data.length - 1] += 0.05,
      (data: Float32Array) => data.fill(NaN),
    ]
  ) {
    const wrong = await computesTiles(broken((data, inputs) => inputs > 1 && change(data)));
    assert.match(wrong!, /attention by matrices wrongly/);
  }
  assert.equal(await computesTiles(broken(() => assert.fail("lost"))), "its kernels are refused: lost");
  onnx.dispose();
});

test("matrixTiles() takes matrices with sums of 32 bits and subgroups of 32", () => {
  const config = (componentType: string, side: number, resultComponentType = "f32") => ({
    ...{ componentType, resultComponentType, M: side, N: side, K: side },
  });
  const adapter = (configs: ReturnType<typeof config>[], size = 32, feature = true) => ({
    features: { has: (name: string) => feature && name === "chromium-experimental-subgroup-matrix" },
    info: { subgroupMinSize: size, subgroupMaxSize: 32, subgroupMatrixConfigs: configs },
  });
  const both = [config("f16", 16), config("f32", 8)];
  assert.equal(matrixTiles(adapter(both), "f16"), "MATRIX16");
  assert.equal(matrixTiles(adapter(both), "f32"), "MATRIX8");
  assert.equal(matrixTiles(adapter([config("f16", 16, "f16"), config("f16", 8)]), "f16"), undefined);
  assert.equal(matrixTiles(adapter([]), "f16"), undefined);
  assert.equal(matrixTiles(adapter(both, 8), "f16"), undefined);
  assert.equal(matrixTiles(adapter(both, 32, false), "f16"), undefined);
});

test("lacksMatrices() says what an adapter without usable matrices has", () => {
  const adapter = (info: object, feature = true) => ({ features: { has: () => feature }, info });
  const sizes = { subgroupMinSize: 32, subgroupMaxSize: 32 };
  assert.match(lacksMatrices(adapter(sizes, false), "f16"), /lacks chromium-experimental-subgroup-matrix/);
  assert.match(lacksMatrices(adapter({ subgroupMinSize: 8, subgroupMaxSize: 16 }), "f16"), /8 to 16 .*not 32/);
  const config = { componentType: "f16", resultComponentType: "f16", M: 8, N: 16, K: 4 };
  assert.match(
    lacksMatrices(adapter({ ...sizes, subgroupMatrixConfigs: [config] }), "f16"),
    /8x16x4 f16 to f16, not of 16x16x16 f16 to f32 or 8x8x8 f32 to f32/,
  );
  assert.match(lacksMatrices(adapter(sizes), "f32"), /no size, not of 8x8x8 f32 to f32$/);
});
