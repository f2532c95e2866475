import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import {
  add,
  concat,
  conv2d,
  conv3d,
  type Device,
  f32,
  Graph,
  linear,
  matmul,
  mul,
  type Precision,
  quantize,
  quantizedLinear,
  relu,
  silu,
  upsample,
} from "../../../lib/compute/tensor/mod.ts";
import type { GpuLimits } from "../../../lib/compute/webgpu/gpu_context.ts";
import { PROCESSORS } from "../../../lib/compute/webgpu/lowering/choose_tiles.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { computesTiles, lacksMatrices, matrixTiles, type TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { computed, type GraphCase, products, waves } from "../../support/graph_cases.ts";
import { testSource } from "../../support/webgpu_device.ts";

/** Bytes of workgroup memory: tiles of 128 with two buffers where operands have 16 bits or fragments are small, else one. */
const WORKGROUP_BYTES = 24576;

/** A device with emulated fragments, and its limits, in which a case sets the number of processors. */
interface Emulated {
  readonly device: Device;
  readonly precision: Precision;
  readonly limits: { -readonly [K in keyof GpuLimits]: GpuLimits[K] };
}

async function openEmulated(tile: TileKind, precision: Precision): Promise<Emulated | undefined> {
  const source = await testSource();
  const adapter = await source?.gpu.requestAdapter();
  if (!adapter || adapter.limits.maxComputeWorkgroupStorageSize < WORKGROUP_BYTES) return undefined;
  if (precision === "f16" && !adapter.features.has("shader-f16")) return undefined;
  const gpu = await adapter.requestDevice({
    requiredFeatures: precision === "f16" ? ["shader-f16"] : [],
    requiredLimits: { maxComputeWorkgroupStorageSize: WORKGROUP_BYTES },
  });
  const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension } = gpu.limits;
  const { minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment } = gpu.limits;
  const limits = {
    ...{ maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension },
    ...{ minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment, tile },
    maxComputeWorkgroupStorageSize: WORKGROUP_BYTES,
    processors: PROCESSORS,
    unchecked: true, // every program is proved
  };
  return { device: createWebGpuDevice(gpu, tile, precision, limits), precision, limits };
}

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

/** A case, what its tiles are to be, and on how many processors they are. */
interface TiledCase extends GraphCase {
  readonly tiling: string;
  readonly processors?: number;
}

const tiled: Readonly<Record<string, TiledCase>> = {
  "a product at odd sizes": {
    ...{ tiling: "128", processors: 1, shapes: [[251, 19], [253, 19]] },
    build: ([x, w]) => linear(x, w),
  },
  "a batch of products of even sizes": {
    ...{ tiling: "128", processors: 1, shapes: [[2, 252, 44], [2, 44, 256]] },
    build: ([a, b]) => matmul(a, b),
  },
  "a long product at odd sizes": {
    ...{ tiling: "128 in parts", processors: 12, shapes: [[251, 2061], [253, 2061], [253]] },
    build: ([x, w, b]) => linear(mul(x, 0.1), w, b, "gelu"),
  },
  "a long layer with bias and activation": {
    ...{ tiling: "64 in parts", shapes: [[37, 1043], [70, 1043], [70]] },
    build: ([x, w, b]) => linear(mul(x, 0.1), w, b, "silu"),
  },
  "a batch of long products of even sizes": {
    ...{ tiling: "64 in parts", shapes: [[3, 70, 600], [3, 600, 36]] },
    build: ([a, b]) => matmul(mul(a, 0.1), b),
  },
  "a long quantised layer": {
    ...{ tiling: "64 in parts", shapes: [[37, 1040], [72]] },
    build: ([x, b]) => quantizedLinear(mul(x, 0.1), quantize(waves(72, 1040), { bits: 8 }), b, "silu"),
  },
  "a long quantised layer at odd sizes": {
    ...{ tiling: "64 in parts", shapes: [[37, 1043]] },
    build: ([x]) => quantizedLinear(mul(x, 0.1), quantize(waves(71, 1043), { bits: 4, groupSize: 16 })),
  },
  "a convolution of even rows": {
    ...{ tiling: "128 wide", processors: 1, shapes: [[1, 20, 16, 16], [250, 20, 3, 3], [250]] },
    build: ([x, w, b]) => conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of many channels, added to an image and activated": {
    ...{ tiling: "64 in parts wide", shapes: [[1, 70, 6, 8], [68, 70, 3, 3], [68], [1, 68, 6, 8]] },
    build: ([x, w, b, r]) => silu(add(conv2d(mul(x, 0.1), w, b, { pad: [1, 1, 1, 1] }), r)),
  },
  "a convolution of frames after a past at odd sizes": {
    ...{ tiling: "64 in parts", shapes: [[2, 41, 5, 7], [3, 41, 5, 7], [66, 41, 3, 3, 3], [3, 66, 5, 7]] },
    build: ([past, x, w, r]) => add(conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }), r),
  },
  "a convolution of even frames after a past": {
    ...{ tiling: "64 in parts wide", shapes: [[2, 40, 4, 12], [3, 40, 4, 12], [66, 40, 3, 3, 3]] },
    build: ([past, x, w]) => conv3d(concat([past, x], 0), w, undefined, { pad: [1, 1, 1, 1] }),
  },
  "a convolution of images enlarged twice, phase by phase, added to an image": {
    ...{ tiling: "64 in parts wide", shapes: [[2, 140, 3, 8], [2, 66, 6, 16]] },
    build: ([x, r]) => {
      const weight = { ...waves(66, 140 * 9), shape: [66, 140, 3, 3] };
      return relu(add(conv2d(upsample(x, 2), x.graph.constant(weight), undefined, { pad: [1, 1, 1, 1] }), r));
    },
  },
  "a strided convolution of frames after a past at odd sizes": {
    ...{ tiling: "64", ...products["a strided convolution of frames after a past at odd sizes"] },
  },
  "a convolution that sees far to both sides": {
    ...{ tiling: "64 in parts wide", shapes: [[1, 20, 5, 8], [70, 20, 2, 14]] },
    build: ([x, w]) => conv2d(x, w, undefined, { stride: [2, 1], pad: [0, 9, 1, 4] }),
  },
  "a convolution of single pixels": {
    ...{ tiling: "64 wide", shapes: [[2, 36, 6, 12], [66, 36, 1, 1]] },
    build: ([x, w]) => conv2d(x, w),
  },
};

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
  test(`${name}: a device gives the known results of products in tiles`, { skip: skip || isSmall }, async () => {
    assert.equal(await computesTiles(emulated!.device), undefined);
  });
  for (const [what, each] of Object.entries(tiled)) {
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
  assert.equal(await computesTiles(onnx), undefined);
  const broken = (change: (data: Float32Array) => void): Device => ({
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
          change(data as Float32Array);
          return { y: onnx.upload(f32(y.shape, data as Float32Array)) };
        },
      };
    },
  });
  assert.match((await computesTiles(broken((data) => data[data.length - 1] += 1)))!, /by matrices wrongly/);
  assert.equal(await computesTiles(broken(() => assert.fail("lost"))), "its kernels are refused: lost");
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
