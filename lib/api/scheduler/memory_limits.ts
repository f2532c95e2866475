/**
 * How much memory models may take.
 *
 * @module
 */

/** One GiB in bytes. */
export const GIB: number = 2 ** 30;

/** How careful the memory guard is; `off` measures and never acts. */
export type GuardTier = "off" | "safe" | "balanced" | "aggressive" | "custom";

/** What a memory probe has measured, in bytes. What a system does not tell is left out. */
export interface MemorySample {
  /** Memory of the machine. */
  readonly physicalBytes: number;
  /** What this process and its engines hold. */
  readonly currentBytes: number;
  /** What can be had without swapping (Linux: `MemAvailable`). */
  readonly availableBytes?: number;
  /** Linux: `MemFree`. */
  readonly freeBytes?: number;
  /** Linux: `Active`, pages used lately. */
  readonly activeBytes?: number;
  /** Linux: `Inactive`, pages that the system takes back first. */
  readonly inactiveBytes?: number;
}

/** How tight memory is. `unknown` without a sample, `disabled` with the guard off; both let everything pass. */
export type Pressure = "disabled" | "unknown" | "nominal" | "elevated" | "critical";

/** The bounds of {@linkcode MemorySample.currentBytes}. */
export interface MemoryLimits {
  readonly ceilingBytes: number;
  /** From here on pressure is elevated. */
  readonly softLimitBytes: number;
  /** From here on pressure is critical. */
  readonly hardLimitBytes: number;
}

/** A tier with the ceiling that `custom` needs. */
export interface GuardSettings {
  readonly tier: GuardTier;
  /** Bytes; `custom` only. */
  readonly customCeilingBytes?: number;
}

/** What each tier leaves to others on a machine of at least 24 GiB, and its share of active pages to be had back. */
const tiers = {
  safe: { reserve: 8 * GIB, reclaimable: 0.2 },
  balanced: { reserve: 6 * GIB, reclaimable: 0.5 },
  aggressive: { reserve: 4 * GIB, reclaimable: 0.8 },
} as const;
const CUSTOM_RESERVE = 2 * GIB;
const SMALL_MACHINE = 24 * GIB;
const SMALL_RESERVE = 4 * GIB;

/** The limits for one sample; undefined with the guard off. */
export function memoryLimits(settings: GuardSettings, sample: MemorySample): MemoryLimits | undefined {
  if (settings.tier === "off") return undefined;
  const ceilingBytes = Math.max(0, ceilingOf(settings, settings.tier, sample));
  return {
    ceilingBytes,
    softLimitBytes: Math.floor(0.9 * ceilingBytes),
    hardLimitBytes: Math.floor(0.95 * ceilingBytes),
  };
}

function ceilingOf(settings: GuardSettings, tier: Exclude<GuardTier, "off">, sample: MemorySample): number {
  const small = sample.physicalBytes < SMALL_MACHINE;
  if (tier === "custom") {
    const reserve = small ? SMALL_RESERVE : CUSTOM_RESERVE;
    return Math.min(settings.customCeilingBytes ?? Infinity, sample.physicalBytes - reserve);
  }
  const { reserve, reclaimable } = tiers[tier];
  return Math.min(
    sample.physicalBytes - (small ? SMALL_RESERVE : reserve),
    sample.currentBytes + withinReach(sample, reclaimable),
  );
}

/** What could be had besides what is held already. */
function withinReach(sample: MemorySample, reclaimable: number): number {
  const { freeBytes, inactiveBytes, activeBytes, availableBytes } = sample;
  if (freeBytes !== undefined && inactiveBytes !== undefined && activeBytes !== undefined) {
    return freeBytes + inactiveBytes + activeBytes * reclaimable;
  }
  return availableBytes ?? Infinity;
}

/** The pressure when `usedBytes` are held. */
export function pressureAt(usedBytes: number, limits: MemoryLimits): Pressure {
  if (usedBytes >= limits.hardLimitBytes) return "critical";
  return usedBytes >= limits.softLimitBytes ? "elevated" : "nominal";
}
