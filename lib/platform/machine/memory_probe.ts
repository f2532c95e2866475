/**
 * Measures the memory of the machine and of this process with its engines.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import process from "node:process";
import { runProcess } from "../processes/run_process.ts";

/** What was measured, in bytes; what the system does not say is absent. */
export interface MemoryReading {
  /** Of the machine. */
  readonly physicalBytes: number;
  /** Held by this process and its engines. */
  readonly currentBytes: number;
  /** What programs could still have. */
  readonly availableBytes?: number;
  readonly freeBytes?: number;
  readonly activeBytes?: number;
  readonly inactiveBytes?: number;
}

/** Sources of a probe; replaced by tests. */
export interface MemorySource {
  /** As `process.platform`. */
  readonly platform: string;
  readonly pid: number;
  readonly totalBytes: number;
  /** Free memory as the system reports it. */
  freeBytes(): number;
  /**
   * Reads a file of `/proc` synchronously: these are in memory, and waiting would take ten times as long as reading.
   */
  readText(path: string): string;
  /** Resident kilobytes of processes as `ps` prints them, one per line. */
  listResident(pids: readonly number[]): Promise<string>;
}

/** This machine. */
export const thisMemory: MemorySource = {
  platform: process.platform,
  pid: process.pid,
  totalBytes: totalmem(),
  freeBytes: freemem,
  readText: (path) => readFileSync(path, "utf8"),
  listResident: async (pids) => {
    const { stdout } = await runProcess("ps", ["-o", "rss=", "-p", pids.join(",")], new Uint8Array());
    return new TextDecoder().decode(stdout);
  },
};

/**
 * A probe of this machine. Linux provides everything in `/proc`; elsewhere `ps` reports the memory of processes, and on
 * Windows only this process is counted. What macOS reports as free says nothing about available memory, so it is
 * omitted.
 *
 * @param engines Ids of the running engine processes.
 */
export function memoryProbe(
  engines: () => readonly number[],
  source: MemorySource = thisMemory,
): () => Promise<MemoryReading> {
  const { platform, pid, totalBytes: physicalBytes } = source;
  return async () => {
    const pids = [pid, ...engines()];
    if (platform === "linux") {
      const info = source.readText("/proc/meminfo");
      const container = containerBytes(source);
      const available = kilobytes(info, "MemAvailable");
      return {
        physicalBytes: Math.min(physicalBytes, container?.most ?? Infinity),
        currentBytes: pids.reduce((sum, each) => sum + residentBytes(source, each), 0),
        ...measured("availableBytes", container ? Math.min(available ?? Infinity, container.left) : available),
        ...measured("freeBytes", kilobytes(info, "MemFree")),
        ...measured("activeBytes", kilobytes(info, "Active")),
        ...measured("inactiveBytes", kilobytes(info, "Inactive")),
      };
    }
    if (platform === "win32") {
      return { physicalBytes, currentBytes: process.memoryUsage.rss(), availableBytes: source.freeBytes() };
    }
    const sizes = (await source.listResident(pids)).trim().split(/\s+/).map(Number);
    return { physicalBytes, currentBytes: 1024 * sizes.reduce((sum, size) => sum + size, 0) };
  };
}

/**
 * What the control group of a container allows, and what of it is left: pages of files count as used, but those not
 * used lately can be had. Undefined without a limit.
 */
function containerBytes(source: MemorySource): { readonly most: number; readonly left: number } | undefined {
  const read = (name: string): string => {
    try {
      return source.readText(`/sys/fs/cgroup/${name}`);
    } catch {
      return "";
    }
  };
  const most = Number(read("memory.max") || NaN);
  const used = Number(read("memory.current") || NaN);
  if (Number.isNaN(most) || Number.isNaN(used)) return undefined; // "max", no control groups or those of version 1
  const files = Number(read("memory.stat").match(/^inactive_file (\d+)$/m)?.[1] ?? 0);
  return { most, left: Math.max(0, most - used + files) };
}

/** Memory held by a process on Linux; 0 when it has just exited. */
function residentBytes(source: MemorySource, pid: number): number {
  try {
    return kilobytes(source.readText(`/proc/${pid}/status`), "VmRSS") ?? 0;
  } catch {
    return 0;
  }
}

/** Parses a line such as `MemFree:  1024 kB` into bytes. */
function kilobytes(text: string, name: string): number | undefined {
  const found = text.match(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m"));
  return found ? Number(found[1]) * 1024 : undefined;
}

function measured<K extends string>(key: K, bytes: number | undefined): Partial<Record<K, number>> {
  return bytes === undefined ? {} : { [key]: bytes } as Record<K, number>;
}
