/**
 * The process of a server.
 *
 * @module
 */
import process from "node:process";
import type { ProcessStatus } from "../api/mod.ts";

/** Tells of this process; the load of the CPU is that since the call before. */
export function processStatus(): () => ProcessStatus {
  const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString();
  let last: { readonly cpu: number; readonly at: number } | undefined;
  return () => {
    const { user, system } = process.cpuUsage();
    const now = { cpu: (user + system) / 1000, at: performance.now() };
    const elapsed = last && now.at - last.at;
    const cpuPercent = last && elapsed ? 100 * (now.cpu - last.cpu) / elapsed : undefined;
    last = now;
    return {
      processID: process.pid,
      startedAt,
      uptimeSeconds: process.uptime(),
      ...(cpuPercent === undefined ? {} : { cpuPercent }),
    };
  };
}
