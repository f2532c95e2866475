/**
 * The persistent memory of a program, and its bind groups, found again by the buffers that they bind.
 *
 * @module
 */
import type { GpuContext } from "./gpu_context.ts";
import { type Allocation, bufferUsage, type GpuMemory } from "./gpu_memory.ts";
import type { Step } from "./lowering/step.ts";
import type { Region } from "./lowering/view.ts";
import { planScratch } from "./plan_program.ts";
import type { SharedConstants, SharedScratch } from "./shared_buffers.ts";
import { type ConstantSource, isConstant } from "./weight_upload.ts";

/** What the programs of a device share. */
export interface ProgramShares {
  readonly context: GpuContext;
  readonly constants: SharedConstants;
  readonly scratch: SharedScratch;
}

/** A program's constants, scratch memory and uniform structs. */
export class ProgramMemory {
  /** Constants and scratch. */
  readonly fixed: ReadonlyMap<Region, Allocation>;
  /** All uniform structs in one buffer: shapes are static, so they never change. */
  readonly uniforms: GPUBuffer;
  /** Offset of each step's struct. */
  readonly uniformOffsets: readonly number[];
  readonly #releases: (() => void)[] = [];

  /** Allocates the memory, or none of it when a part is unavailable. */
  constructor(shares: ProgramShares, steps: readonly Step[], outputs: ReadonlyMap<string, Region>) {
    try {
      this.fixed = new Map([
        ...this.#takeConstants(shares, steps, outputs),
        ...this.#takeScratch(shares, steps, outputs),
      ]);
      const { memory } = shares.context;
      const { buffer, offsets } = createUniforms(shares.context, steps);
      memory.count(buffer.size);
      this.#releases.push(() => {
        memory.count(-buffer.size);
        buffer.destroy();
      });
      this.uniforms = buffer;
      this.uniformOffsets = offsets;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Frees everything. */
  dispose(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  *#takeConstants({ constants }: ProgramShares, steps: readonly Step[], outputs: ReadonlyMap<string, Region>) {
    for (const [region, source] of constantRegions(steps, outputs)) {
      const allocation = constants.acquire(source);
      this.#releases.push(() => constants.release(source));
      yield [region, allocation] as const;
    }
  }

  *#takeScratch({ scratch }: ProgramShares, steps: readonly Step[], outputs: ReadonlyMap<string, Region>) {
    const { slotOf, slotBytes } = planScratch(steps, new Set(outputs.values()));
    const { allocations, release } = scratch.lease(slotBytes);
    this.#releases.push(release);
    for (const [region, slot] of slotOf) yield [region, allocations[slot]] as const;
  }
}

/** The regions of a program that hold constants. */
export function constantRegions(
  steps: readonly Step[],
  outputs: ReadonlyMap<string, Region>,
): Map<Region, ConstantSource> {
  const regions = [...steps.flatMap(({ bindings }) => bindings.map((b) => b.region)), ...outputs.values()];
  const constants = new Map<Region, ConstantSource>();
  for (const region of regions) {
    if (isConstant(region.source)) constants.set(region, region.source);
  }
  return constants;
}

function createUniforms(context: GpuContext, steps: readonly Step[]): { buffer: GPUBuffer; offsets: number[] } {
  const { device, limits } = context;
  const alignment = limits.minUniformBufferOffsetAlignment;
  const offsets: number[] = [];
  let size = 16;
  for (const { params } of steps) {
    const offset = Math.ceil(size / alignment) * alignment;
    offsets.push(offset);
    size = offset + params.byteLength;
  }
  const contents = new Uint32Array(size / 4);
  steps.forEach(({ params }, i) => contents.set(params, offsets[i] / 4));
  const buffer = device.createBuffer({ size, usage: bufferUsage.uniform | bufferUsage.copyDestination });
  device.queue.writeBuffer(buffer, 0, contents);
  return { buffer, offsets };
}

/** Maximum number of bind groups of a step; a rollout alternates between a few sets of states. */
const keptBindGroups = 16;

/** The recent bind groups of one step by the numbers of their buffers, the oldest first. */
export type StepBindGroups = Map<string, { readonly ids: readonly number[]; readonly group: GPUBindGroup }>;

/** The bind groups of one program. Those of a buffer that is destroyed are dropped. */
export class BindGroups {
  readonly #stepsOf = new Map<number, Set<StepBindGroups>>();
  readonly #unlisten: () => void;

  constructor(memory: Pick<GpuMemory, "onDestroyed">) {
    this.#unlisten = memory.onDestroyed((id) => this.#drop(id));
  }

  /** The bind group of these buffers, if the step has one. */
  find(step: StepBindGroups, ids: readonly number[]): GPUBindGroup | undefined {
    return step.get(ids.join())?.group;
  }

  /** Keeps a bind group; the oldest of many goes. */
  keep(step: StepBindGroups, ids: readonly number[], group: GPUBindGroup): void {
    if (step.size >= keptBindGroups) step.delete(step.keys().next().value!);
    step.set(ids.join(), { ids, group });
    for (const id of ids) {
      const steps = this.#stepsOf.get(id);
      if (steps) steps.add(step);
      else this.#stepsOf.set(id, new Set([step]));
    }
  }

  /** Forgets everything. */
  dispose(): void {
    this.#unlisten();
    for (const steps of this.#stepsOf.values()) for (const step of steps) step.clear();
    this.#stepsOf.clear();
  }

  #drop(id: number): void {
    for (const step of this.#stepsOf.get(id) ?? []) {
      for (const [key, { ids }] of step) if (ids.includes(id)) step.delete(key);
    }
    this.#stepsOf.delete(id);
  }
}
