/**
 * The memory of worlds on the CPU of this machine.
 *
 * @module
 */
import { onnxBytes } from "../../compute/onnx/onnx_memory.ts";
import { planActionworld } from "../../models/actionworld/memory_plan.ts";
import { parseActionworldConfig } from "../../models/actionworld/parse_config.ts";
import { planArworld } from "../../models/arworld/memory_plan.ts";
import { parseArworldConfig } from "../../models/arworld/parse_config.ts";
import { type ModelRoot, readJson } from "../../models/checkpoint/model_root.ts";
import type { PlannedSize } from "../../models/world/memory_plan.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";
import { vulkanDrivers } from "../../platform/machine/vulkan_driver.ts";
import { CLIP_BOUNDS } from "../../world/protocol/clip_request.ts";
import type { SessionMemory } from "../../world/session/memory_admission.ts";

/** Left to other programs: this share of the machine's memory. */
const RESERVE = 0.05;

/** Plans are kept for this many sizes: a request names any size it likes. */
const KEPT_PLANS = 64;

/** What the memory of a world depends on. */
export interface WorldMemoryOptions {
  /** Bytes of one process that generates frames of a size. */
  readonly plan: (size: PlannedSize) => Promise<number>;
  readonly unit: number;
  /** Bytes that the process may have at most; all of the machine's by default. */
  readonly limit?: number | undefined;
}

/** The memory of the process of a world. */
export function worldMemory({ plan, unit, limit = Infinity }: WorldMemoryOptions): SessionMemory {
  const measure = memoryProbe(() => []);
  const plans = new Map<string, Promise<number>>();
  return {
    unit,
    plan(size) {
      const key = `${size.width} ${size.height} ${size.frames}`;
      const known = plans.get(key);
      if (known) return known;
      const planned = plan(size);
      planned.catch(() => plans.delete(key));
      plans.set(key, planned);
      if (plans.size > KEPT_PLANS) plans.delete(plans.keys().next().value!);
      return planned;
    },
    async room(device) {
      if (!isCpu(device)) return undefined;
      const { currentBytes: held, physicalBytes, availableBytes } = await measure();
      const reserve = RESERVE * physicalBytes;
      const most = Math.min(limit, physicalBytes - reserve);
      const free = Math.min(limit - held, (availableBytes ?? Infinity) - reserve);
      return { held, most, free: Math.max(0, Math.min(free, most - held)) };
    },
  };
}

/** Plans an arworld from its two configurations. */
export function arworldPlan(base: ModelRoot, causal: ModelRoot): (size: PlannedSize) => Promise<number> {
  return async (size) => {
    const [shared, own] = [await configOf(base), await configOf(causal)];
    return await planArworld(parseArworldConfig(shared, own), size, onnxBytes);
  };
}

/** Plans an actionworld from its three configurations. */
export function actionworldPlan(root: ModelRoot): (size: PlannedSize) => Promise<number> {
  return async (size) => {
    const parts = {
      root: await configOf(root),
      transformer: await configOf(root, "transformer/"),
      vae: await configOf(root, "vae/"),
    };
    return await planActionworld(parseActionworldConfig(parts).config, size, onnxBytes);
  };
}

/** Sides of an actionworld's frames are multiples of this. */
export const ACTIONWORLD_UNIT: number = CLIP_BOUNDS.unit;

/** Sides of an arworld's frames are multiples of this. */
export const ARWORLD_UNIT = 32;

async function configOf(root: ModelRoot, folder = ""): Promise<unknown> {
  return (await readJson(root, `${folder}config.json`, []))?.value;
}

/** Whether frames are made in ordinary memory; `auto` finds a GPU only where there is a driver. */
function isCpu(device: string): boolean {
  return device.startsWith("cpu") || (device === "auto" && vulkanDrivers() !== "gpu");
}
