/**
 * Monitors the machine's memory.
 *
 * @module
 */
import {
  type GuardSettings,
  type MemoryLimits,
  memoryLimits,
  type MemorySample,
  type Pressure,
  pressureAt,
} from "./memory_limits.ts";

/** Measures memory; undefined when the system reports nothing. */
export type MemoryProbe = () => Promise<MemorySample | undefined>;

/** One reading of the memory. */
export interface MemoryReading {
  readonly pressure: Pressure;
  readonly sample?: MemorySample;
  readonly limits?: MemoryLimits;
  /** Bytes above the highest usage that is not yet critical; 0 below it. */
  readonly missingBytes: number;
}

/** Judges fresh samples by a tier. */
export class MemoryGuard {
  readonly settings: GuardSettings;
  readonly #probe: MemoryProbe;

  constructor(settings: GuardSettings, probe: MemoryProbe) {
    this.settings = settings;
    this.#probe = probe;
  }

  /**
   * Measures now.
   *
   * @param plannedBytes Additional bytes about to be allocated.
   */
  async read(plannedBytes = 0): Promise<MemoryReading> {
    const sample = await this.#probe().catch(() => undefined); // a failing probe counts as no sample
    const off = this.settings.tier === "off";
    if (!sample) return { pressure: off ? "disabled" : "unknown", missingBytes: 0 };
    const limits = memoryLimits(this.settings, sample);
    if (!limits) return { pressure: "disabled", sample, missingBytes: 0 };
    const used = sample.currentBytes + plannedBytes;
    return {
      pressure: pressureAt(used, limits),
      sample,
      limits,
      missingBytes: Math.max(0, used - limits.hardLimitBytes + 1),
    };
  }

  /** The current pressure. */
  async pressure(): Promise<Pressure> {
    return (await this.read()).pressure;
  }
}

/** Whether memory is short enough to act. */
export function isTight(pressure: Pressure): boolean {
  return pressure === "elevated" || pressure === "critical";
}
