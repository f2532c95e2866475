/**
 * What a program takes on a GPU, worked out by lowering its graph: nothing is allocated, weights need no elements.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import type { ProgramPlan } from "../tensor/graph_cost.ts";
import type { GpuLimits } from "./gpu_context.ts";
import { lowerGraph } from "./lowering/lower_graph.ts";
import { planScratch } from "./plan_scratch.ts";
import { constantKey, isConstant } from "./weight_pieces.ts";

/** The largest binding that every desktop stack takes: NVIDIA's Vulkan, D3D12 and wgpu stop below 2 GiB. */
export const LARGEST_BINDING: number = 2 ** 31 - 4;

/** Limits of an ordinary desktop GPU with room for the largest binding, to plan without a GPU. */
export const DESKTOP_LIMITS: GpuLimits = {
  maxStorageBufferBindingSize: LARGEST_BINDING,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeWorkgroupsPerDimension: 65535,
  minStorageBufferOffsetAlignment: 256,
  minUniformBufferOffsetAlignment: 256,
};

/** Plans a program for a device. */
export function planProgram(
  graph: Graph,
  precision: Precision,
  limits: GpuLimits = DESKTOP_LIMITS,
): ProgramPlan {
  const { steps, outputs } = lowerGraph(graph, limits, precision);
  const constants = new Map<object, number>();
  let [largestBinding, trafficBytes] = [0, 0];
  for (const { bindings } of steps) {
    for (const { region, bytes } of bindings) {
      largestBinding = Math.max(largestBinding, bytes);
      trafficBytes += bytes;
      if (isConstant(region.source)) constants.set(constantKey(region.source), region.bytes);
    }
  }
  const results = new Set(outputs.values());
  let outputBytes = 0;
  for (const { source, bytes } of results) {
    if (source.kind === "scratch") outputBytes += bytes;
    else if (isConstant(source)) constants.set(constantKey(source), bytes);
  }
  const { slotBytes } = planScratch(steps, results);
  const scratchBytes = slotBytes.reduce((sum, bytes) => sum + bytes, 0);
  return { dispatches: steps.length, scratchBytes, outputBytes, constants, largestBinding, trafficBytes };
}
