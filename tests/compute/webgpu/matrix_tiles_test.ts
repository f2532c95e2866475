import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, Graph, quantize, type Shape, sizeOf, type Value } from "../../../lib/compute/tensor/mod.ts";
import { concat, conv2d, conv3d, f32, linear, matmul, quantizedLinear } from "../../../lib/compute/tensor/mod.ts";
import { type Tensor, upsample } from "../../../lib/compute/tensor/mod.ts";
import { computesTiles, matrixTiles, type TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { seededRandom } from "../../support/random.ts";
import { testSource } from "../../support/webgpu_device.ts";

/** Bytes of workgroup memory of the tile that needs most, with operands of 32 bits. */
const WORKGROUP_BYTES = 24576;

async function openEmulated(tile: TileKind): Promise<Device | undefined> {
  const source = await testSource();
  const adapter = await source?.gpu.requestAdapter();
  if (!adapter || adapter.limits.maxComputeWorkgroupStorageSize < WORKGROUP_BYTES) return undefined;
  const gpu = await adapter.requestDevice({ requiredLimits: { maxComputeWorkgroupStorageSize: WORKGROUP_BYTES } });
  const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension } = gpu.limits;
  const { minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment } = gpu.limits;
  return createWebGpuDevice(gpu, tile, "f32", {
    ...{ maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage, maxComputeWorkgroupsPerDimension },
    ...{ minStorageBufferOffsetAlignment, minUniformBufferOffsetAlignment, tile },
  });
}

const onnx = await openOnnxDevice({ threads: 1 });
after(() => onnx.dispose());

function waves(rows: number, columns: number): Tensor {
  return f32([rows, columns], Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i)));
}

const cases: Record<string, { shapes: Shape[]; build: (inputs: Value[]) => Value }> = {
  "a batch of products": { shapes: [[12, 130, 20], [12, 20, 132]], build: ([a, b]) => matmul(a, b) },
  "a linear layer with bias and activation": {
    shapes: [[129, 24], [3076, 24], [3076]],
    build: ([x, w, b]) => linear(x, w, b, "silu"),
  },
  "a product at odd sizes": { shapes: [[131, 19], [3001, 19]], build: ([x, w]) => linear(x, w) },
  "a quantised layer at odd sizes": {
    shapes: [[131, 45]],
    build: ([x]) => quantizedLinear(x, quantize(waves(3001, 45), { bits: 4, groupSize: 16 })),
  },
  "a convolution of images enlarged twice": {
    shapes: [[12, 20, 13, 11], [68]],
    build: ([x, b]) => {
      const weight = { ...waves(68, 180), shape: [68, 20, 3, 3] };
      return conv2d(upsample(x, 2), x.graph.constant(weight), b, { pad: [1, 1, 1, 1] });
    },
  },
  "a strided convolution of frames after a past": {
    shapes: [[19, 5, 9, 11], [31, 5, 9, 11], [67, 5, 3, 3, 3]],
    build: ([past, x, w]) => conv3d(concat([past, x], 0), w, undefined, { stride: [1, 2, 2], pad: [0, 1, 1, 0] }),
  },
};

/** Each takes seconds on a software adapter: small fragments, which differ by their size only, have three of them. */
const few = new Set(["a batch of products", "a linear layer with bias and activation", "a product at odd sizes"]);

const wide: typeof cases = {
  // As many rows and columns as there; the sums over 48.5 slices of the inner axis are as those over 192.
  "a layer as wide as those of large models": { shapes: [[130, 776], [3072, 776]], build: ([x, w]) => linear(x, w) },
};

for (const tile of ["EMULATED8", "EMULATED16"] as const) {
  const device = await openEmulated(tile);
  after(() => device?.dispose());
  const skip = device ? false : "no adapter was found";
  test(`${tile}: a device gives the known result of a product in tiles`, { skip }, async () => {
    assert.equal(await computesTiles(device!), true);
  });
  for (const [name, { shapes, build }] of Object.entries({ ...cases, ...wide })) {
    if (tile === "EMULATED8" && !few.has(name)) continue;
    test(`${tile}: ${name} by fragments is what ONNX Runtime computes`, { skip }, async () => {
      const random = seededRandom(7);
      const graph = new Graph();
      const feeds: Record<string, Tensor> = {};
      const inputs = shapes.map((shape, i) => {
        feeds[`x${i}`] = f32(shape, Float32Array.from({ length: sizeOf(shape) }, () => 2 * random() - 1));
        return graph.input(`x${i}`, shape);
      });
      graph.output("y", build(inputs));
      const [actual, expected] = await Promise.all([device!, onnx].map(async (d) => {
        const program = await d.compile(graph);
        const { y } = await program.run(feeds);
        const { data } = await y.read();
        y.release();
        program.dispose();
        return data;
      }));
      assertClose(actual, expected, 5e-6);
    });
  }
}

test("computesTiles() tells a device that computes wrongly or not at all", async () => {
  assert.equal(await computesTiles(onnx), true);
  const broken = (change: (data: Float32Array) => void): Device => ({
    ...{ kind: "webgpu", precision: "f32", label: "broken", lost: new Promise(() => {}) },
    upload: onnx.upload.bind(onnx),
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
  assert.equal(await computesTiles(broken((data) => data[data.length - 1] += 1)), false);
  assert.equal(await computesTiles(broken(() => assert.fail("lost"))), false);
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
