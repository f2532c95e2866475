import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, f32, linear } from "../../../lib/compute/tensor/mod.ts";
import { computesTiles, lacksMatrices, matrixTiles, type TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { createWebGpuDevice } from "../../../lib/compute/webgpu/webgpu_device.ts";
import { assertClose } from "../../support/assert_close.ts";
import { computed, products } from "../../support/graph_cases.ts";
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

/** Each takes seconds on a software adapter: small fragments, which differ by their size only, have three of them. */
const few = new Set(["a batch of products", "a linear layer with bias and activation", "a product at odd sizes"]);

const wide: typeof products = {
  // As many rows and columns as there; the sums over 48.5 slices of the inner axis are as those over 192.
  "a layer as wide as those of large models": { shapes: [[130, 776], [3072, 776]], build: ([x, w]) => linear(x, w) },
};

for (const tile of ["EMULATED8", "EMULATED16"] as const) {
  const device = await openEmulated(tile);
  after(() => device?.dispose());
  const skip = device ? false : "no adapter was found";
  test(`${tile}: a device gives the known result of a product in tiles`, { skip }, async () => {
    assert.equal(await computesTiles(device!), undefined);
  });
  for (const [name, each] of Object.entries({ ...products, ...wide })) {
    if (tile === "EMULATED8" && !few.has(name)) continue;
    test(`${tile}: ${name} by fragments is what ONNX Runtime computes`, { skip }, async () => {
      const [actual, expected] = await computed([device!, onnx], each);
      assertClose(actual, expected, 5e-6);
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
