/**
 * Plans memory for the values inside a program: values with disjoint lifetimes share memory.
 *
 * @module
 */
import type { Step } from "./lowering/step.ts";
import type { Region } from "./lowering/view.ts";

/** The allocation of scratch regions: slot numbers, and the bytes of each slot. */
export interface ScratchPlan {
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
