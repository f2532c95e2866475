/**
 * How much memory models may use.
 *
 * @module
 */

/** One GiB in bytes. */
export const GIB: number = 2 ** 30;

/** How careful the memory guard is; `off` measures and never acts. */
export type GuardTier = GuardSettings["tier"];

/** A sample of the memory probe, in bytes. Values that the system does not report are absent. */
export interface MemorySample {
  /** Physical memory of the machine. */
  readonly physicalBytes: number;
  /** Memory held by this process and its engines. */
  readonly currentBytes: number;
  /** Memory available without swapping (Linux: `MemAvailable`). */
  readonly availableBytes?: number;
  /** Linux: `MemFree`. */
  readonly freeBytes?: number;
  /** Linux: `Active`, recently used pages. */
  readonly activeBytes?: number;
  /** Linux: `Inactive`, pages reclaimed first. */
  readonly inactiveBytes?: number;
}

/** Memory pressure. `unknown` means no sample, `disabled` means the guard is off; both admit everything. */
export type Pressure = "disabled" | "unknown" | "nominal" | "elevated" | "critical";

/** The limits on {@linkcode MemorySample.currentBytes}. */
export interface MemoryLimits {
  readonly ceilingBytes: number;
  /** Pressure is elevated from here on. */
  readonly softLimitBytes: number;
  /** Pressure is critical from here on. */
  readonly hardLimitBytes: number;
}

/** A tier, with the ceiling that `custom` needs. */
export interface GuardSettings {
  /** How much of the machine models may take. */
  readonly tier: "off" | "safe" | "balanced" | "aggressive" | "custom";
  /** Bytes; `custom` only. */
  readonly customCeilingBytes?: number;
}

/**
 * What each tier leaves free on a machine of at least 24 GiB, and the share of active pages it counts as reclaimable.
 */
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

/** Memory available beyond what is held already. */
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
