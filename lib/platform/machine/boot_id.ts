import { readFile } from "node:fs/promises";

/** Distinguishes boots of this machine; undefined if the system does not. */
export async function readBootID(): Promise<string | undefined> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined);
  return text?.trim();
}
