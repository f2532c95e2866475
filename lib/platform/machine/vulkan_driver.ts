/**
 * Detects whether a Linux machine has a GPU driver, without loading anything: WebGPU libraries print warnings on
 * machines without one.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";

/** The variables that the Vulkan loader reads. */
export type VulkanEnvironment = Readonly<Record<string, string | undefined>>;

/** The kind of driver that Vulkan has. */
export type VulkanDrivers = "gpu" | "software" | "none";

/** Drivers that run on the CPU: Mesa's lavapipe, which many systems install by default, and SwiftShader. */
const SOFTWARE = /^lvp_|lavapipe|llvmpipe|swiftshader/i;

/**
 * The drivers whose manifests are where the Vulkan loader looks (Khronos, "Driver interface to the Vulkan loader",
 * driver discovery on Linux); other systems find their drivers differently and are assumed to have a GPU driver.
 */
export function vulkanDrivers(
  platform: string = process.platform,
  env: VulkanEnvironment = process.env,
  home: string = homedir(),
): VulkanDrivers {
  if (platform !== "linux") return "gpu";
  const chosen = paths(env.VK_DRIVER_FILES ?? env.VK_ICD_FILENAMES);
  const listed = [...chosen, ...paths(env.VK_ADD_DRIVER_FILES)].filter((path) => existsSync(path));
  const found = chosen.length > 0 ? listed : [...listed, ...manifestFolders(env, home).flatMap(manifestsIn)];
  if (found.length === 0) return "none";
  return found.every((path) => SOFTWARE.test(basename(path))) ? "software" : "gpu";
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
    return readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  } catch {
    return []; // no such folder, or not readable
  }
}

function paths(list: string | undefined): string[] {
  return (list ?? "").split(":").filter((path) => path !== "");
}
