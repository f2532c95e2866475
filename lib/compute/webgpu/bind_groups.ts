/**
 * Bind groups of a program, found again by the buffers that they bind.
 *
 * @module
 */
import type { GpuMemory } from "./gpu_memory.ts";

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
