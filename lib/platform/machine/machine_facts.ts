/**
 * What a native library depends on besides its own files.
 *
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { cpus, release } from "node:os";
import process from "node:process";

/** Variables that change which libraries are loaded, and how. */
const LOADING = /^(LD_|GLIBC_TUNABLES$|GGML_|OMP_)/;

/**
 * The runtime, the kernel, the processor with its instructions, the list of the system's libraries, which is rewritten
 * whenever one is installed, and the variables of the linker: what worked with the same of all works again.
 *
 * @returns Undefined where this is not known: on other systems than Linux.
 */
export function machineFacts(): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  const flags = /^(?:flags|Features)\s*:.*$/m.exec(readText("/proc/cpuinfo"))?.[0];
  if (flags === undefined) return undefined;
  return [
    JSON.stringify(process.versions),
    process.arch,
    release(),
    cpus()[0]?.model ?? "",
    flags,
    fileMark("/etc/ld.so.cache"),
    readText("/etc/os-release"),
    ...Object.entries(process.env).filter(([name]) => LOADING.test(name)).map(([name, value]) => `${name}=${value}`)
      .sort(),
  ];
}

/** The size and the times of a file, which change with its content; empty where it is not there. */
export function fileMark(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return "";
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
