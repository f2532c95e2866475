import { readFile } from "node:fs/promises";

/** Tells one start of this machine from another; undefined where the system does not. */
export async function readBootID(): Promise<string | undefined> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined);
  return text?.trim();
}
