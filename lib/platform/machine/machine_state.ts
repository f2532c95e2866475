/**
 * What the system says of this machine: heat, power saving, its boot, its threads.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";

/** The words of macOS, which other systems have no own ones for. */
type ThermalState = "nominal" | "fair" | "serious" | "critical";

/** What the system says; the rest is absent. */
interface MachineState {
  readonly thermalState?: ThermalState;
  /** Whether the system trades speed for power. */
  readonly lowPowerModeEnabled?: boolean;
}

/** Where the answers come from; replaced by tests. */
export interface MachineStateSource {
  /** As `process.platform`. */
  readonly platform: string;
  /** Lists a folder. @throws when there is none. */
  list(folder: string): readonly string[];
  /** @throws when there is no such file. */
  readText(path: string): string;
}

/** This machine. */
const thisMachineState: MachineStateSource = {
  platform: process.platform,
  list: (folder) => readdirSync(folder),
  readText: (path) => readFileSync(path, "utf8"),
};

const ZONES = "/sys/class/thermal";
const PROFILE = "/sys/firmware/acpi/platform_profile";

const states: readonly ThermalState[] = ["nominal", "fair", "serious", "critical"];

/** What each kind of trip point of a zone means: the system cools by throttling, is too hot, or is about to turn off. */
const tripLevels: Readonly<Record<string, number>> = { passive: 1, hot: 2, critical: 3 };

/** Looks at the machine; fast enough for every request. */
export function machineState(source: MachineStateSource = thisMachineState): MachineState {
  // Other systems report this in formats of their own only.
  if (source.platform !== "linux") return {};
  const zones = attempt(() => source.list(ZONES).filter((name) => name.startsWith("thermal_zone"))) ?? [];
  const levels = zones.flatMap((zone) => zoneLevel(source, `${ZONES}/${zone}`) ?? []);
  const profile = attempt(() => source.readText(PROFILE).trim());
  return {
    ...levels.length === 0 ? {} : { thermalState: states[Math.max(...levels)] },
    ...profile === undefined ? {} : { lowPowerModeEnabled: profile === "low-power" || profile === "quiet" },
  };
}

/** The highest trip point that a zone has reached; undefined for a zone without a temperature or trip points. */
function zoneLevel(source: MachineStateSource, folder: string): number | undefined {
  return attempt(() => {
    const number = (name: string): number => Number(source.readText(`${folder}/${name}`));
    const temperature = number("temp");
    const trips = source.list(folder).flatMap((name) => {
      const [, trip] = /^trip_point_(\d+)_temp$/.exec(name) ?? [];
      const level = trip && tripLevels[source.readText(`${folder}/trip_point_${trip}_type`).trim()];
      // Unused trip points are 0 or below.
      return level && number(name) > 0 ? [{ level, from: number(name) }] : [];
    });
    if (Number.isNaN(temperature) || trips.length === 0) return undefined;
    return Math.max(0, ...trips.filter(({ from }) => temperature >= from).map(({ level }) => level));
  });
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Distinguishes boots of this machine; undefined if the system does not. */
export async function readBootID(): Promise<string | undefined> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined);
  return text?.trim();
}

/** How many threads this process can run at a time. */
export function cpuThreads(): number {
  return availableParallelism();
}
