/**
 * Whether a model fits: on the disk, and into memory.
 *
 * @module
 */
import { showBytes } from "../errors/show.ts";
import { SvcError } from "../errors/svc_error.ts";
import { type GuardSettings, memoryLimits } from "../scheduling/memory/memory_limits.ts";
import { memoryProbe, type MemoryReading } from "../platform/machine/memory_probe.ts";

/** Space to leave free beside a model, so that the machine stays usable: a fifth of its size, at least 2 GiB. */
function reserveFor(bytes: number): number {
  return Math.max(2 * 2 ** 30, bytes / 5);
}

/**
 * Refuses what would fill the disk.
 *
 * @param action The words after "Cannot", such as `pull qwen3-0.6b`.
 * @param place Where else it could go.
 * @throws {SvcError} `disk_full`.
 */
export function checkSpace(
  action: string,
  bytes: number,
  free: number,
  place: string = "another folder in SVC_MODELS_DIR",
): void {
  const needed = bytes + reserveFor(bytes);
  if (bytes === 0 || needed <= free) return;
  throw new SvcError(
    "disk_full",
    `Cannot ${action}: it needs ${showBytes(bytes)} and some spare space, ${
      showBytes(needed)
    } in all, but the disk has ` +
      `${showBytes(free)}, expected more free space or ${place}`,
  );
}

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
