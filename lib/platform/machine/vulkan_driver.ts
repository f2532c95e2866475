/**
 * Detects whether a Linux machine has a GPU driver, without loading anything: WebGPU libraries print warnings on
 * machines without one.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { homeDirectory } from "../files/app_directory.ts";

/** The variables that the Vulkan loader reads. */
export type VulkanEnvironment = Readonly<Record<string, string | undefined>>;

/** The kind of driver that Vulkan has. */
export type VulkanDrivers = "gpu" | "software" | "none";

/**
 * Where drivers are mounted into containers, with `share/vulkan/icd.d`, `share/glvnd/egl_vendor.d` and `lib64` in it:
 * neither the Vulkan loader nor the dynamic linker looks there.
 */
export const DRIVER_FOLDER = "/usr/local/nvidia";

/** Where the loader looks for data if `XDG_DATA_DIRS` is not set. */
export const DATA_DIRS = "/usr/local/share:/usr/share";

/** Drivers that run on the CPU: Mesa's lavapipe, which many systems install by default, and SwiftShader. */
const SOFTWARE = /^lvp_|lavapipe|llvmpipe|swiftshader/i;

/**
 * Mesa's drivers of GPUs, which come in one package with lavapipe: machines without a GPU have them too. They open render
 * nodes, so where there is none they drive nothing.
 */
const NEEDS_RENDER_NODE = /^(?:asahi|broadcom|intel(?:_hasvk)?|nouveau|panfrost|radeon|virtio)_icd\b/;

/**
 * The drivers that Vulkan has on Linux; other systems find their drivers differently and are assumed to have a GPU
 * driver.
 */
export function vulkanDrivers(
  platform: string = process.platform,
  env: VulkanEnvironment = process.env,
  home: string | undefined = homeDirectory(),
  nodes: string = "/dev/dri",
): VulkanDrivers {
  if (platform !== "linux") return "gpu";
  const hasRenderNode = namesIn(nodes).some((name) => name.startsWith("renderD"));
  const found = vulkanManifests(env, home).filter((path) => hasRenderNode || !NEEDS_RENDER_NODE.test(basename(path)));
  if (found.length === 0) return "none";
  return found.every((path) => SOFTWARE.test(basename(path))) ? "software" : "gpu";
}

/**
 * The manifests of drivers where the Vulkan loader looks (Khronos, "Driver interface to the Vulkan loader", driver
 * discovery on Linux), and in the folder of drivers that are mounted into containers.
 */
export function vulkanManifests(
  env: VulkanEnvironment = process.env,
  home: string | undefined = homeDirectory(),
  mounted: string = DRIVER_FOLDER,
): string[] {
  const chosen = paths(env.VK_DRIVER_FILES ?? env.VK_ICD_FILENAMES);
  const listed = [...chosen, ...paths(env.VK_ADD_DRIVER_FILES)].filter((path) => existsSync(path));
  if (chosen.length > 0) return listed;
  return [...new Set([...listed, ...manifestFolders(env, home, mounted).flatMap(manifestsIn)])];
}

function manifestFolders(env: VulkanEnvironment, home: string | undefined, mounted: string): string[] {
  const own = (folder: string): string[] => home === undefined ? [] : [join(home, folder)];
  const roots = [
    ...env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME] : own(".config"),
    ...paths(env.XDG_CONFIG_DIRS ?? "/etc/xdg"),
    "/etc",
    "/usr/local/etc",
    ...env.XDG_DATA_HOME ? [env.XDG_DATA_HOME] : own(".local/share"),
    ...paths(env.XDG_DATA_DIRS || DATA_DIRS),
    join(mounted, "share"),
  ];
  return roots.map((root) => join(root, "vulkan/icd.d"));
}

function manifestsIn(folder: string): string[] {
  return namesIn(folder).filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no such folder, or not readable
  }
}

function paths(list: string | undefined): string[] {
  return (list ?? "").split(":").filter((path) => path !== "");
}
