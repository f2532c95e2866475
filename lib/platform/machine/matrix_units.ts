/**
 * Detects whether the processor has units for matrices.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

/** Whether it multiplies matrices of 8-bit numbers in units of their own (Intel's AMX); on Linux, others do not say. */
export function hasMatrixUnits(platform: string = process.platform, file: string = "/proc/cpuinfo"): boolean {
  if (platform !== "linux") return false;
  try {
    return /^flags\s*:.*\bamx_int8\b/m.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
