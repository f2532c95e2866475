import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import {
  attention,
  concat,
  conv2d,
  conv3d,
  Graph,
  linear,
  matmul,
  quantize,
  quantizedLinear,
  upsample,
} from "../../../lib/compute/tensor/mod.ts";
import type { Precision } from "../../../lib/compute/tensor/device.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { readKernelInterface } from "../../../lib/compute/webgpu/lowering/kernel_interface.ts";
import { kernelReach } from "../../../lib/compute/webgpu/lowering/kernel_reach.ts";
import { proveBounds, type ProvedStep } from "../../../lib/compute/webgpu/lowering/prove_bounds.ts";
import type { Step } from "../../../lib/compute/webgpu/lowering/step.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";
import { products, waves } from "../../support/graph_cases.ts";
import type { Tensor } from "../../../lib/compute/tensor/tensor.ts";
import { packConvWeight, packPhaseWeight } from "../../../lib/compute/webgpu/lowering/view.ts";
import type { TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { type ConstantSource, weightPieces, weightStep } from "../../../lib/compute/webgpu/weight_upload.ts";
import { opCases } from "../../support/op_cases.ts";

/** What is divided into parts, read by fours across rows, or done by matrices. */
const large: typeof products = {
  "a product with few tiles and a long inner axis": {
    shapes: [[100, 4096], [68, 4096], [68]],
    build: ([x, w, b]) => linear(x, w, b, "silu"),
  },
  "such a product at odd sizes": { shapes: [[2, 65, 4099], [2, 4099, 67]], build: ([a, b]) => matmul(a, b) },
  "a quantised layer with a long inner axis": {
    shapes: [[70, 2052]],
    build: ([x]) => quantizedLinear(x, quantize(waves(67, 2052), { bits: 8, groupSize: 32 })),
  },
  "a convolution of wide frames after a past, in parts": {
    shapes: [[2, 300, 8, 12], [3, 300, 8, 12], [68, 300, 3, 3, 3], [68]],
    build: ([past, x, w, b]) => conv3d(concat([past, x], 0), w, b, { stride: [1, 1, 1], pad: [1, 1, 1, 1] }),
  },
  "a convolution in phases, in parts": {
    shapes: [[1, 130, 8, 16], [68]],
    build: ([x, b]) => {
      const weight = { ...waves(68, 1170), shape: [68, 130, 3, 3] };
      return conv2d(upsample(x, 2), x.graph.constant(weight), b, { pad: [1, 1, 1, 1] });
    },
  },
  "attention of wide heads with a bias": {
    shapes: [[2, 70, 3, 136], [2, 45, 3, 136], [2, 45, 3, 200], [3, 70, 45]],
    build: ([q, k, v, bias]) => attention(q, k, v, { bias }),
  },
  "attention of narrow heads at odd sizes": {
    shapes: [[67, 2, 9], [19, 2, 9], [19, 2, 7]],
    build: ([q, k, v]) => attention(q, k, v),
  },
};

/** Every graph of the operators' tests, and products, convolutions and attention in tiles. */
const graphs: { readonly name: string; readonly graph: Graph }[] = [
  ...opCases(),
  ...Object.entries({ ...products, ...large }).map(([name, { shapes, build }]) => {
    const graph = new Graph();
    graph.output("y", build(shapes.map((shape, i) => graph.input(`x${i}`, shape))));
    return { name, graph };
  }),
];

function stepsOf(graph: Graph, precision: Precision, limits: Partial<typeof DESKTOP_LIMITS> = {}): readonly Step[] {
  return lowerGraph(graph, { ...DESKTOP_LIMITS, ...limits }, precision).steps;
}

const tiles: readonly TileKind[] = ["PORTABLE", "MATRIX8", "MATRIX16", "EMULATED8", "EMULATED16"];

const precisions = ["f32", "f16"] as const;

/** Weights of every format and order, in one piece and in several. */
const weightSteps = weights().flatMap((source) =>
  precisions.flatMap((precision) =>
    [2 ** 27, 2 ** 10].flatMap((maxStorageBufferBindingSize) =>
      [...weightPieces(source, precision, {
        ...DESKTOP_LIMITS,
        minStorageBufferOffsetAlignment: 32,
        maxStorageBufferBindingSize,
      })].flatMap((piece) => weightStep(source, piece, precision) ?? [])
    )
  )
);

/** One dispatch for each variant of a kernel, and all of the kernels whose reach depends on nothing else. */
const allSteps: readonly ProvedStep[] = [
  ...graphs.flatMap(({ graph }) => precisions.flatMap((precision) => stepsOf(graph, precision))),
  ...new Map(
    graphs.flatMap(({ graph }) =>
      precisions.flatMap((precision) => tiles.slice(1).flatMap((tile) => stepsOf(graph, precision, { tile })))
    ).filter(({ kernel }) => /tiled|matrix|parts/.test(kernel)).map((step) => [step.code, step]),
  ).values(),
  ...new Map(weightSteps.map((step) => [step.code + JSON.stringify(step.constants), step])).values(),
];

function weights(): ConstantSource[] {
  const formats = { f32: Float32Array, bf16: Uint16Array, f16: Uint16Array, i8: Int8Array, u8: Uint8Array };
  return Object.entries(formats).flatMap(([dtype, type]): ConstantSource[] => {
    const made = (shape: number[]): Tensor =>
      ({ dtype, shape, data: new type(shape.reduce((a, b) => a * b, 1)) }) as unknown as Tensor;
    return [
      { kind: "constant", tensor: made([1, 1]) },
      { kind: "constant", tensor: made([13, 127]) },
      { kind: "arranged", weight: packConvWeight(made([13, 9, 5, 3])) },
      { kind: "arranged", weight: packPhaseWeight(made([13, 11, 3, 3])) },
    ];
  });
}

function isProved(step: ProvedStep): boolean {
  try {
    proveBounds([step]);
    return true;
  } catch (error) {
    assert.match(String(error), /^RangeError: Cannot run .+ without bounds checks: .+ \(kernel \w+\), open the device/);
    return false;
  }
}

test("proveBounds() proves every operator's cases, in both precisions and within small limits", () => {
  for (const { name, graph } of graphs) {
    for (const precision of precisions) {
      for (const tile of tiles) proveBounds(stepsOf(graph, precision, { tile }));
      let parts: readonly Step[];
      try {
        parts = stepsOf(graph, precision, {
          maxStorageBufferBindingSize: 2 ** 15,
          minStorageBufferOffsetAlignment: 32,
        });
      } catch {
        continue; // an operand does not fit
      }
      assert.doesNotThrow(() => proveBounds(parts), name);
    }
  }
});

test("proveBounds() proves what makes weights of the bytes of files", () => {
  assert.ok(new Set(weightSteps.map(({ code }) => code)).size === 3);
  proveBounds(weightSteps);
});

test("proveBounds() has an entry for every kernel, and the cases reach each of them", () => {
  const files = readdirSync(new URL("../../../kernels-wgsl/", import.meta.url)).filter((name) =>
    name.endsWith(".wgsl")
  );
  const kernels = files.map((name) => name.replace(".wgsl", ""));
  assert.deepEqual([...kernelReach.keys(), "elementwise"].sort(), kernels.sort());
  assert.deepEqual([...new Set(allSteps.map(({ kernel }) => kernel))].sort(), kernels);
});

test("proveBounds() fails when a result is bound with a word less than is written", () => {
  for (const step of allSteps) {
    const bindings = [...step.bindings];
    const last = bindings.pop()!;
    const isConcatenated = step.what === "concat" || step.what === "gather" || step.what === "matmul";
    const short = { ...step, bindings: [...bindings, { ...last, bytes: 4 * Math.ceil(last.bytes / 4) - 4 }] };
    // Of a result in parts only the last step reaches the end.
    if (!isConcatenated) assert.ok(!isProved(short), `${step.what} (${step.kernel})`);
    assert.ok(!isProved({ ...step, bindings: [...bindings, { ...last, offset: last.offset + 256 }] }));
  }
});

test("proveBounds() fails when an input that is read is bound with nothing but a word", () => {
  for (const step of allSteps) {
    step.bindings.slice(0, -1).forEach((binding, i) => {
      if (binding.bytes <= 16) return; // as small as what takes the place of an absent input
      const bindings = step.bindings.with(i, { ...binding, bytes: 4 });
      assert.ok(!isProved({ ...step, bindings }), `${step.what} (${step.kernel}) binding ${i}`);
    });
  }
});

test("proveBounds() fails when a size, a stride or a start is one too large", () => {
  const sizes: Readonly<Record<string, readonly string[]>> = {
    attention: ["queries", "keys", "heads", "width", "valueWidth", "qStrides", "kStrides", "vStrides"],
    attention_matrix: [
      "queries",
      "keys",
      "heads",
      "width",
      "valueWidth",
      "qStrides",
      "kStrides",
      "vStrides",
      "workgroups",
    ],
    attention_kept: ["queries", "keys", "heads", "width", "valueWidth", "qStrides", "kStrides", "vStrides"],
    conv: [
      "owners",
      "outputs",
      "channels",
      "height",
      "width",
      "depth",
      "kernelWidth",
      "outHeight",
      "outWidth",
      "pastFrames",
    ],
    conv_tiled: [
      ...["owners", "outputs", "channels", "height", "width", "depth", "kernelWidth", "outHeight", "outWidth"],
      ...["pastFrames", "entries", "strideT"],
    ],
    copy: ["inputStart", "outputStart", "sizes"],
    gather: ["count", "rows", "picks", "inner"],
    matmul: ["rows", "columns", "inner", "outputStride", "firstColumn"],
    matmul_tiled: ["owners", "rows", "columns", "inner", "outputStride", "firstColumn", "leftBatch", "rightBatch"],
    load_weight: ["words", "count", "available", "first"],
    sum_parts: ["elements", "parts"],
    matvec: ["rows", "columns", "inner", "firstColumn"],
    norm: ["columns", "length", "inner"],
    pad: ["count", "sizes"],
    reduce: ["columns", "length", "inner"],
    rope: ["count", "pairs", "stride", "reach"],
    softmax: ["columns", "length"],
    elementwise: ["words"],
  };
  const seen = new Set<string>();
  for (const step of allSteps) {
    const { fields } = readKernelInterface(step.code);
    for (const name of sizes[step.kernel]) {
      const { word, words } = fields.get(name) ?? { word: 0, words: 0 }; // only some variants have parts
      for (let i = word; i < word + words; i++) {
        const params = step.params.slice();
        params[i] += 1;
        if (!isProved({ ...step, params })) seen.add(`${step.kernel} ${name}`);
      }
    }
  }
  const expected = Object.entries(sizes).flatMap(([kernel, names]) => names.map((name) => `${kernel} ${name}`));
  assert.deepEqual(expected.filter((each) => !seen.has(each)), []);
});

/** Whether a step is proved with other numbers in its uniform struct. */
function isProvedWith(step: ProvedStep, changes: Readonly<Record<string, number>>): boolean {
  const { fields } = readKernelInterface(step.code);
  const params = step.params.slice();
  for (const [name, value] of Object.entries(changes)) params[fields.get(name)!.word] = value;
  return isProved({ ...step, params });
}

test("proveBounds() fails when a part of a convolution begins after the inner axis, and when rows are not read by fours", () => {
  const steps = allSteps.filter(({ kernel }) => kernel === "conv_tiled");
  const parts = steps.filter(({ code }) => readKernelInterface(code).fields.has("partSlices"));
  assert.ok(parts.length >= 8);
  for (const step of parts) assert.ok(!isProvedWith(step, { partSlices: 2 ** 16 }));
  const wide = steps.filter(({ code }) => /^alias inputElement = vec4<scalar>;$/m.test(code));
  assert.ok(wide.some(({ code }) => code.includes("const SIDE: u32 = 2u;")) && wide.length >= 8);
  for (const step of wide) assert.ok(!isProvedWith(step, { width: 6, height: 1 }));
});

test("proveBounds() fails when an array in workgroup memory is shorter than attention by matrices needs it", () => {
  const steps = allSteps.filter(({ kernel }) => kernel === "attention_matrix");
  const missed = new Set<string>();
  for (const step of steps) {
    for (const name of Object.keys(step.constants).filter((name) => name !== "CHUNKS" && name !== "KEYS")) {
      const constants = { ...step.constants, [name]: step.constants[name] + (name === "STRIPS" ? 1 : -1) };
      assert.ok(!isProved({ ...step, constants }), name);
      missed.add(name);
    }
    assert.ok(!isProved({ ...step, constants: { ...step.constants, KEYS: 64 } }));
  }
  assert.deepEqual([...missed].sort(), ["LOGITS", "QUERY_TILE", "STRIPS", "TILE", "WEIGHTS"]);
});

test("proveBounds() takes indices from data only from kernels that check them, and nothing unknown", () => {
  const [step] = allSteps;
  assert.ok(!isProved({ ...step, kernel: "unknown" }));
  assert.ok(!isProved({ ...step, code: "" }));
  assert.ok(!isProved({ ...step, params: new Uint32Array(0) }));
  assert.ok(!isProved({ ...step, bindings: step.bindings.slice(1) }));
  const chain = allSteps.find(({ kernel }) => kernel === "elementwise")!;
  assert.ok(isProved(chain));
  assert.ok(!isProved({ ...chain, code: chain.code.replace("input0[", "input0[u32(input0[0]) + ") }));
});
