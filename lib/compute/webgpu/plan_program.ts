/**
 * What a program takes on a GPU, worked out by lowering its graph: nothing is allocated, weights need no elements.
 * Values inside a program whose lifetimes are disjoint share memory.
 *
 * @module
 */
import type { Precision } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import type { ProgramPlan } from "../tensor/graph_cost.ts";
import type { GpuLimits } from "./gpu_context.ts";
import { lowerGraph } from "./lowering/lower_graph.ts";
import type { Step } from "./lowering/step.ts";
import type { Region } from "./lowering/view.ts";
import { constantKey, isConstant } from "./weight_upload.ts";

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

/** See `Device.estimate`. */
export function estimateProgram(
  graph: Graph,
  precision: Precision,
  limits: GpuLimits = DESKTOP_LIMITS,
): { readonly time: number; readonly scratchBytes: number } {
  const { steps, outputs } = lowerGraph(graph, limits, precision);
  const { slotBytes } = planScratch(steps, new Set(outputs.values()));
  return {
    time: steps.reduce((sum, { time }) => sum + time, 0),
    scratchBytes: slotBytes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** The allocation of scratch regions: slot numbers, and the bytes of each slot. */
interface ScratchPlan {
  readonly slotOf: ReadonlyMap<Region, number>;
  readonly slotBytes: readonly number[];
}

/**
 * Walks over the steps, gives each region a free slot when it is first written (the smallest that is large enough, or
 * the largest, enlarged) and frees the slot after the last step that touches it.
 *
 * @param kept regions that outlive the run and get memory of their own
 */
export function planScratch(steps: readonly Step[], kept: ReadonlySet<Region>): ScratchPlan {
  const lastUse = new Map<Region, number>();
  steps.forEach(({ bindings }, i) => {
    for (const { region } of bindings) lastUse.set(region, i);
  });
  const slotOf = new Map<Region, number>();
  const slotBytes: number[] = [];
  let free: number[] = [];
  steps.forEach(({ bindings }, i) => {
    const own = bindings.map((b) => b.region).filter((r) => r.source.kind === "scratch" && !kept.has(r));
    for (const region of own) {
      if (slotOf.has(region)) continue;
      const slot = chooseSlot(free, slotBytes, region.bytes);
      free = free.filter((s) => s !== slot);
      slotBytes[slot] = Math.max(slotBytes[slot] ?? 0, region.bytes);
      slotOf.set(region, slot);
    }
    for (const region of new Set(own)) {
      if (lastUse.get(region) === i) free.push(slotOf.get(region)!);
    }
  });
  return { slotOf, slotBytes };
}

function chooseSlot(free: readonly number[], slotBytes: readonly number[], bytes: number): number {
  const bySize = free.toSorted((a, b) => slotBytes[a] - slotBytes[b]);
  return bySize.find((slot) => slotBytes[slot] >= bytes) ?? bySize.at(-1) ?? slotBytes.length;
}
