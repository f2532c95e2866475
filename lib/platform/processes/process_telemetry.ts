/**
 * Resource usage of this process.
 *
 * @module
 */
import process from "node:process";

/** One sample of a process. */
export interface ProcessTelemetry {
  readonly processID: number;
  /** ISO-8601. */
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  /** Percent of one core since the previous sample; absent in the first one. */
  readonly cpuPercent?: number;
}

/** Sources of the samples; replaced by tests. */
export interface ProcessSource {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Seconds since the process started. */
  readonly uptime: () => number;
  /** Microseconds of CPU time so far. */
  readonly cpu: () => { readonly user: number; readonly system: number };
}

/** This process. */
export const thisProcess: ProcessSource = {
  pid: process.pid,
  now: () => Date.now(),
  uptime: () => process.uptime(),
  cpu: () => process.cpuUsage(),
};

/** Returns a function that samples a process. */
export function processTelemetry(source: ProcessSource = thisProcess): () => ProcessTelemetry {
  const startedAt = new Date(source.now() - source.uptime() * 1000).toISOString();
  let before: { readonly at: number; readonly cpu: number } | undefined;
  return () => {
    const { user, system } = source.cpu();
    const look = { at: source.now(), cpu: user + system };
    const passed = before ? look.at - before.at : 0;
    const cpuPercent = before && passed > 0 ? (look.cpu - before.cpu) / 1000 / passed * 100 : undefined;
    before = look;
    return {
      processID: source.pid,
      startedAt,
      uptimeSeconds: source.uptime(),
      ...(cpuPercent === undefined ? {} : { cpuPercent }),
    };
  };
}
