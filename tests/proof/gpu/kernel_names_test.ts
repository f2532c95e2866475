import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { KernelName } from "../../../kernels-wgsl/generated.ts";
import type { Graph } from "../../../lib/compute/tensor/mod.ts";
import { expandKernel } from "../../../lib/compute/webgpu/lowering/expand_kernel.ts";
import { lowerGraph } from "../../../lib/compute/webgpu/lowering/lower_graph.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";
import { attentionCases, attentionProgram } from "../../support/attention_cases.ts";
import { opCases } from "../../support/op_cases.ts";
import { kernelName, UNKNOWN } from "./kernel_names.ts";
import { largerCase } from "./larger_expected.ts";
import { largerCases } from "./operator_cases.ts";

const generated = readFileSync(new URL("../../../kernels-wgsl/generated.ts", import.meta.url), "utf8");
const names = [...generated.matchAll(/^ {2}\| "(.+)"/gm)].map((match) => match[1] as KernelName);

test("kernelName() has a name for every kernel, that of its file", () => {
  assert.ok(names.length > 900);
  for (const name of names) {
    const [file, ...flags] = name.split(" ");
    const found = kernelName(expandKernel(name));
    assert.equal(found.split(", ")[0], file, name);
    assert.equal(found.includes("in parts"), flags.includes("SPLIT"), name);
    if (file.endsWith("_tiled")) assert.ok(found.includes(`tiles of ${flags.includes("SMALL") ? 64 : 128}`), name);
  }
});

test("kernelName() has a name for everything that programs dispatch, and for nothing else", () => {
  const graphs: Graph[] = [
    ...opCases().map(({ graph }) => graph),
    ...Object.entries(largerCases).map(([name, each]) => largerCase(name, each).graph),
  ];
  for (const graph of graphs) {
    for (const precision of ["f32", "f16"] as const) {
      for (const step of lowerGraph(graph, DESKTOP_LIMITS, precision).steps) {
        assert.equal(kernelName(step.code).split(", ")[0], step.kernel);
      }
    }
  }
  assert.equal(kernelName("@compute @workgroup_size(64) fn main() {}"), UNKNOWN);
});

test("The operator cases reach every kernel of products and attention that a card with matrices has", () => {
  const card = { ...DESKTOP_LIMITS, tile: "MATRIX16", maxComputeWorkgroupStorageSize: 49152 } as const;
  const reached = new Set<string>();
  for (const [name, each] of Object.entries(largerCases)) {
    for (const { code } of lowerGraph(largerCase(name, each).graph, card, "f16").steps) reached.add(kernelName(code));
  }
  for (const each of Object.values(attentionCases)) {
    const { graph } = attentionProgram(each, "f16");
    for (const { code } of lowerGraph(graph, card, "f16").steps) reached.add(kernelName(code));
  }
  const tilings = ["tiles of 128", "tiles of 64", "tiles of 128, in parts", "tiles of 64, in parts"];
  const wide = tilings.map((tiling) => `conv_tiled, ${tiling}, wide`);
  const wanted = [
    ...["matmul_tiled", "conv_tiled"].flatMap((kernel) => tilings.map((tiling) => `${kernel}, ${tiling}`)),
    ...[...wide, "sum_parts", "attention_matrix", "attention_kept"],
  ];
  assert.deepEqual(wanted.filter((name) => !reached.has(name)), []);
});
