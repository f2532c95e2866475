import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { Graph } from "../../../lib/compute/tensor/graph.ts";
import type { Precision } from "../../../lib/compute/tensor/device.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { readKernelInterface } from "../../../lib/compute/webgpu/lowering/kernel_interface.ts";
import { kernelReach } from "../../../lib/compute/webgpu/lowering/kernel_reach.ts";
import { proveBounds } from "../../../lib/compute/webgpu/lowering/prove_bounds.ts";
import type { Step } from "../../../lib/compute/webgpu/lowering/step.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";
import { products } from "../../support/graph_cases.ts";
import { opCases } from "../../support/op_cases.ts";

/** Every graph of the operators' tests, and products and convolutions in tiles. */
const graphs: { readonly name: string; readonly graph: Graph }[] = [
  ...opCases(),
  ...Object.entries(products).map(([name, { shapes, build }]) => {
    const graph = new Graph();
    graph.output("y", build(shapes.map((shape, i) => graph.input(`x${i}`, shape))));
    return { name, graph };
  }),
];

function stepsOf(graph: Graph, precision: Precision, limits: Partial<typeof DESKTOP_LIMITS> = {}): readonly Step[] {
  return lowerGraph(graph, { ...DESKTOP_LIMITS, ...limits }, precision).steps;
}

const allSteps = graphs.flatMap(({ graph }) => [...stepsOf(graph, "f32"), ...stepsOf(graph, "f16")]);

function isProved(step: Step): boolean {
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
    for (const precision of ["f32", "f16"] as const) {
      proveBounds(stepsOf(graph, precision));
      proveBounds(stepsOf(graph, precision, { tile: "MATRIX16" }));
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

test("proveBounds() fails when a size, a stride or a start is too large", () => {
  const sizes: Readonly<Record<string, readonly string[]>> = {
    attention: ["queries", "keys", "heads", "width", "valueWidth", "qStrides", "kStrides", "vStrides"],
    attention_kept: ["queries", "keys", "heads", "width", "valueWidth", "qStrides", "kStrides", "vStrides"],
    conv: ["owners", "outputs", "channels", "height", "width", "depth", "kernelWidth", "outHeight", "outWidth"],
    conv_tiled: ["owners", "outputs", "channels", "height", "width", "depth", "kernelWidth", "outHeight", "outWidth"],
    copy: ["inputStart", "outputStart", "sizes"],
    gather: ["count", "rows", "picks", "inner"],
    matmul: ["rows", "columns", "inner", "outputStride", "firstColumn"],
    matmul_tiled: ["rows", "columns", "inner", "outputStride", "firstColumn"],
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
      const { word, words } = fields.get(name)!;
      for (let i = word; i < word + words; i++) {
        const params = step.params.slice();
        params[i] += 2 ** 20;
        if (!isProved({ ...step, params })) seen.add(`${step.kernel} ${name}`);
      }
    }
  }
  const expected = Object.entries(sizes).flatMap(([kernel, names]) => names.map((name) => `${kernel} ${name}`));
  assert.deepEqual(expected.filter((each) => !seen.has(each)), []);
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
