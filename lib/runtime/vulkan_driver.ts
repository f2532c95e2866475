/**
 * Whether a Linux machine has a GPU driver, found out without loading anything: WebGPU libraries print warnings on
 * machines that have none.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The variables that the Vulkan loader reads. */
export type VulkanEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * True where a driver manifest lies in one of the places where the Vulkan loader looks (Khronos, "Driver interface to
 * the Vulkan loader", driver discovery on Linux), and on every other system, whose drivers are found in other ways.
 */
export function hasVulkanDriver(
  platform: string = process.platform,
  env: VulkanEnvironment = process.env,
  home: string = homedir(),
): boolean {
  if (platform !== "linux") return true;
  const listed = [env.VK_DRIVER_FILES ?? env.VK_ICD_FILENAMES, env.VK_ADD_DRIVER_FILES].flatMap(paths);
  if (listed.some((path) => existsSync(path))) return true;
  return manifestFolders(env, home).some((folder) => manifestsIn(folder).length > 0);
}

function manifestFolders(env: VulkanEnvironment, home: string): string[] {
  const roots = [
    env.XDG_CONFIG_HOME ?? join(home, ".config"),
    ...paths(env.XDG_CONFIG_DIRS ?? "/etc/xdg"),
    "/etc",
    "/usr/local/etc",
    env.XDG_DATA_HOME ?? join(home, ".local/share"),
    ...paths(env.XDG_DATA_DIRS ?? "/usr/local/share:/usr/share"),
  ];
  return roots.map((root) => join(root, "vulkan/icd.d"));
}

function manifestsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return []; // no such folder, or none of our business
  }
}

function paths(list: string | undefined): string[] {
  return (list ?? "").split(":").filter((path) => path !== "");
}
