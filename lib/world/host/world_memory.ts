/**
 * The memory of worlds on the CPU of this machine.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import { gpuMemory } from "../../platform/machine/gpu_memory.ts";
import type { DescribedWorld } from "../plan/described_world.ts";
import { type PlannedDevice, plannedDevice, planOnGpu } from "../plan/planned_device.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";
import { CLIP_BOUNDS } from "../protocol/requests/clip_request.ts";
import type { SessionMemory } from "../session/session_memory.ts";

/** Left to other programs: this share of the machine's memory. */
const RESERVE = 0.05;

/** Share of a GPU's memory that a world may take. */
const GPU_SHARE = 0.95;

/** So many plans are kept: requests choose sizes freely. */
const KEPT_PLANS = 64;

/** What the memory of a world depends on. */
export interface WorldMemoryOptions {
  /** Reads what there is to plan with. */
  readonly describe: () => Promise<DescribedWorld>;
  readonly unit: number;
  /** Bytes that the process may have at most, on the GPU where that is in use; all by default. */
  readonly limit?: number | undefined;
  /** Bytes of the GPU, if the system says so; this machine's by default. */
  readonly gpuBytes?: (() => Promise<number | undefined>) | undefined;
}

/** The memory of the process of a world. */
export function worldMemory(
  { describe, unit, limit = Infinity, gpuBytes = gpuMemory }: WorldMemoryOptions,
): SessionMemory {
  const measure = memoryProbe(() => []);
  const plans = new Map<string, Promise<number>>();
  const keep = (key: string, plan: () => Promise<number>): Promise<number> => {
    const known = plans.get(key);
    if (known) return known;
    const planned = plan();
    planned.catch(() => plans.delete(key));
    plans.set(key, planned);
    if (plans.size > KEPT_PLANS) plans.delete(plans.keys().next().value!);
    return planned;
  };
  let gpu: Promise<number | undefined> | undefined;
  let world: Promise<DescribedWorld> | undefined;
  const described = (): Promise<DescribedWorld> => {
    world ??= describe();
    world.catch(() => world = undefined); // files that are put right are read again
    return world;
  };
  return {
    unit,
    plan(size, device) {
      const on = plannedDevice(device);
      const key = `${on.isCpu ? "cpu" : `${on.precision} ${on.weights}`} ${keyOf(size)}`;
      return keep(
        key,
        () => on.isCpu ? described().then((world) => world.cpu(size)) : gpuBytesOf(described(), size, on),
      );
    },
    chain(size, device) {
      const bytes = plannedDevice(device).precision === "f32" ? 4 : 2;
      return keep(`chain ${bytes} ${keyOf(size)}`, async () => (await described()).chain(size, bytes));
    },
    async room(device) {
      if (!plannedDevice(device).isCpu) {
        const most = Math.min(limit, GPU_SHARE * (await (gpu ??= gpuBytes()) ?? Infinity));
        // Other programs come and go, and a driver can move their memory out: only what can never fit is refused.
        return Number.isFinite(most) ? { held: 0, most, free: most } : undefined;
      }
      const { currentBytes: held, physicalBytes, availableBytes } = await measure();
      const reserve = RESERVE * physicalBytes;
      const most = Math.min(limit, physicalBytes - reserve);
      const free = Math.min(limit - held, (availableBytes ?? Infinity) - reserve);
      return { held, most, free: Math.max(0, Math.min(free, most - held)) };
    },
  };
}

function keyOf({ width, height, frames }: PlannedSize): string {
  return `${width} ${height} ${frames}`;
}

async function gpuBytesOf(
  described: Promise<DescribedWorld>,
  size: PlannedSize,
  on: PlannedDevice,
): Promise<number> {
  try {
    return (await planOnGpu(await described, size, on)).totalBytes;
  } catch (error) {
    if (error instanceof RangeError) return Infinity; // more than any GPU can bind
    throw error;
  }
}

/** An arworld in its two folders. */
export function arworldIn(
  base: ModelRoot,
  causal: ModelRoot,
  decoder?: "full" | "tiny",
): () => Promise<DescribedWorld> {
  return async () => await (await plans()).describeArworld(base, causal, decoder);
}

/** An actionworld in its folder. */
export function actionworldIn(root: ModelRoot): () => Promise<DescribedWorld> {
  return async () => await (await plans()).describeActionworld(root);
}

/** What a model takes is computed from its graphs, of which a server needs none until it is asked for frames. */
const plans = () => import("../plan/described_world.ts");

/** Sides of an actionworld's frames are multiples of this. */
export const ACTIONWORLD_UNIT: number = CLIP_BOUNDS.unit;

/** Sides of an arworld's frames are multiples of this. */
export const ARWORLD_UNIT = 32;
