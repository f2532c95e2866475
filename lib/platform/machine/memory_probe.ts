/**
 * Measures the memory of the machine and of this process with its engines.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import process from "node:process";
import type { MemoryProbe } from "../../api/scheduler/mod.ts";
import { runProcess } from "../processes/run_process.ts";

/** What a probe reads from; a test brings its own. */
export interface MemorySource {
  /** As `process.platform`. */
  readonly platform: string;
  readonly pid: number;
  readonly totalBytes: number;
  /** What the system calls free. */
  freeBytes(): number;
  /** A file of `/proc`, which is made in memory: waiting for it takes ten times as long as reading it. */
  readText(path: string): string;
  /** Resident kilobytes of processes as `ps` prints them, one a line. */
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
 * A probe of this machine. Linux tells all from `/proc`; elsewhere `ps` tells what processes hold, and on Windows only
 * this process is counted. What macOS calls free says nothing about what can be had, so it is left out.
 *
 * @param engines Numbers of the engine processes that run now.
 */
export function memoryProbe(engines: () => readonly number[], source: MemorySource = thisMemory): MemoryProbe {
  const { platform, pid, totalBytes: physicalBytes } = source;
  return async () => {
    const pids = [pid, ...engines()];
    if (platform === "linux") {
      const info = source.readText("/proc/meminfo");
      return {
        physicalBytes,
        currentBytes: pids.reduce((sum, each) => sum + residentBytes(source, each), 0),
        ...measured("availableBytes", kilobytes(info, "MemAvailable")),
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

/** What a process on Linux holds; nothing when it has just ended. */
function residentBytes(source: MemorySource, pid: number): number {
  try {
    return kilobytes(source.readText(`/proc/${pid}/status`), "VmRSS") ?? 0;
  } catch {
    return 0;
  }
}

/** A line such as `MemFree:  1024 kB` in bytes. */
function kilobytes(text: string, name: string): number | undefined {
  const found = text.match(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m"));
  return found ? Number(found[1]) * 1024 : undefined;
}

function measured<K extends string>(key: K, bytes: number | undefined): Partial<Record<K, number>> {
  return bytes === undefined ? {} : { [key]: bytes } as Record<K, number>;
}
