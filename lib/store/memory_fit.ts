/**
 * Whether a model would fit into this machine's memory.
 *
 * @module
 */
import { type GuardSettings, memoryLimits } from "../scheduling/memory/memory_limits.ts";
import { memoryProbe, type MemoryReading } from "../platform/machine/memory_probe.ts";

/** `fits`: now; `tight`: when other programs leave it their memory; `too large`: never on this machine. */
export type MemoryFit = "fits" | "tight" | "too large";

/** Buffers and the state of a chat come on top of the weights. */
const OVERHEAD = 1.1;
const STATE = 256 * 2 ** 20;

const GUARD: GuardSettings = { tier: "balanced" };

/** Judges models by the bytes of their files, with the limits that a server has by default. */
export function memoryFit(bytes: number, now: MemoryReading): MemoryFit {
  const needed = bytes * OVERHEAD + STATE;
  const { physicalBytes } = now;
  const empty = memoryLimits(GUARD, { physicalBytes, currentBytes: 0, availableBytes: physicalBytes });
  if (needed > (empty?.hardLimitBytes ?? Infinity)) return "too large";
  return needed > (memoryLimits(GUARD, now)?.hardLimitBytes ?? Infinity) ? "tight" : "fits";
}

/** The memory of this machine now. */
export async function measureMemory(): Promise<MemoryReading> {
  return await memoryProbe(() => [])();
}
