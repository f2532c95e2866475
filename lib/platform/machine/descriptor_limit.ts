/**
 * How many files and connections this process may have open.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";

/**
 * The limit of open descriptors, as it is now; undefined where there is none or it cannot be read. Linux has a file for
 * it, elsewhere a shell is asked, which inherits it.
 */
export async function descriptorLimit(): Promise<number | undefined> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => undefined);
  const text = limits === undefined ? await shellLimit() : /^Max open files +(\d+)/m.exec(limits)?.[1];
  const limit = Number(text);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
}

function shellLimit(): Promise<string | undefined> {
  if (process.platform === "win32") return Promise.resolve(undefined);
  return new Promise((resolve) => {
    execFile("/bin/sh", ["-c", "ulimit -n"], { timeout: 2_000 }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim());
    });
  });
}
