/**
 * A driver that is mounted into a container, below a folder of its own where neither the Vulkan loader nor the dynamic
 * linker looks: GPU operators of Kubernetes put NVIDIA's driver into `/usr/local/nvidia`.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { DATA_DIRS, DRIVER_FOLDER } from "./vulkan_driver.ts";
import { requireOf } from "../modules/packages.ts";

/** Folders of glvnd's vendors where its variable is not set; NVIDIA's Vulkan driver opens EGL where there is no screen. */
const VENDORS = "/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d";

/**
 * Adds the folder to the variables of this process and its children, so that the Vulkan loader finds the driver; done
 * before the first library with Vulkan in it is opened, and in the main thread: the variables of a worker of Node are a
 * copy that no library sees. Variables that choose drivers (`VK_DRIVER_FILES`) still decide.
 */
export function offerMountedDriver(
  env: Record<string, string | undefined> = process.env,
  folder: string = DRIVER_FOLDER,
  platform: string = process.platform,
): void {
  if (platform !== "linux" || manifestsOf(folder).length === 0) return;
  const add = (name: string, value: string, initial: string): void => {
    const list = env[name] || initial;
    if (!list.split(":").includes(value)) env[name] = list === "" ? value : `${list}:${value}`;
  };
  add("XDG_DATA_DIRS", join(folder, "share"), DATA_DIRS);
  const vendors = join(folder, "share/glvnd/egl_vendor.d");
  if (existsSync(vendors) && !env.__EGL_VENDOR_LIBRARY_FILENAMES) add("__EGL_VENDOR_LIBRARY_DIRS", vendors, VENDORS);
  const libraries = join(folder, "lib64");
  if (existsSync(libraries)) add("LD_LIBRARY_PATH", libraries, ""); // for children
}

/**
 * The folder of libraries that this process would need `LD_LIBRARY_PATH` for, which has to be set before it starts;
 * undefined where it needs none. A manifest names its library by a path, or by a name that the linker looks up.
 *
 * @param path `LD_LIBRARY_PATH` as the process started.
 * @param cache What `ldconfig` wrote down.
 */
export function unreachableLibraries(
  folder: string = DRIVER_FOLDER,
  path: string = linkerPath(),
  cache: string = "/etc/ld.so.cache",
): string | undefined {
  const libraries = join(folder, "lib64");
  const known = readText(cache);
  const searched = path.split(":");
  for (const manifest of manifestsOf(folder)) {
    const library = /"library_path"\s*:\s*"([^"]+)"/.exec(readText(manifest))?.[1];
    if (library === undefined || isAbsolute(library) || library.includes("/")) continue;
    const there = join(libraries, library);
    if (!existsSync(there) || known.includes(`/${library}\0`)) continue;
    if (!searched.some((one) => one !== "" && existsSync(join(one, library)))) return libraries;
  }
  return undefined;
}

/** The linker's variable when the process started, which is when the linker reads it. */
function linkerPath(): string {
  const variable = readText("/proc/self/environ").split("\0").find((one) => one.startsWith("LD_LIBRARY_PATH="));
  return variable?.slice("LD_LIBRARY_PATH=".length) ?? "";
}

function manifestsOf(folder: string): string[] {
  const manifests = join(folder, "share/vulkan/icd.d");
  try {
    return readdirSync(manifests).filter((name) => name.endsWith(".json")).map((name) => join(manifests, name));
  } catch {
    return []; // no such folder, or not readable
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Whether a library that could be installed here is not; false on systems that have another way. */
export function lacksCudaProvider(): boolean {
  return process.platform === "linux" && !hasCudaLibrary();
}

/** Whether its library is installed, which does not say that it works. */
export function hasCudaProvider(): boolean {
  return process.platform === "linux" && hasCudaLibrary();
}

function hasCudaLibrary(): boolean {
  try {
    const root = dirname(requireOf(import.meta.url).resolve("onnxruntime-node/package.json"));
    const name = "libonnxruntime_providers_cuda.so";
    return existsSync(join(root, "bin", "napi-v6", process.platform, process.arch, name));
  } catch {
    return false;
  }
}
