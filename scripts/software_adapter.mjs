/**
 * A Vulkan device made of software, so that WebGPU kernels can be tested on a machine without any graphics driver.
 *
 * SwiftShader and a Vulkan loader come out of the npm package `@sparticuz/chromium`. The loader is found through
 * environment variables that the dynamic linker reads when a process starts, so they must be given to a child.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { readTar } from "./read_tar.mjs";

const archive = new URL("../node_modules/@sparticuz/chromium/bin/swiftshader.tar.br", import.meta.url);
const target = new URL("../node_modules/.cache/swiftshader/", import.meta.url);
const needed = ["libvk_swiftshader.so", "libvulkan.so.1", "vk_swiftshader_icd.json"];

/** Where distributions put the description of Mesa's software Vulkan driver. */
const lavapipeManifests = [
  "/usr/share/vulkan/icd.d/lvp_icd.json",
  "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json",
  "/usr/share/vulkan/icd.d/lvp_icd.aarch64.json",
];

/**
 * @typedef {{ ok: true, env: Record<string, string> } | { ok: false, reason: string, remedy: string }} AdapterEnv
 */

/**
 * Unpacks SwiftShader when it is missing and gives the environment of a process that is to find it.
 *
 * @returns {AdapterEnv}
 */
export function softwareAdapterEnv() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return {
      ok: false,
      reason: `SwiftShader from npm is built for linux-x64, this is ${process.platform}-${process.arch}`,
      remedy: "run the WebGPU tests on a machine with a GPU, or on linux-x64",
    };
  }
  if (!needed.every((name) => existsSync(new URL(name, target)))) {
    if (!existsSync(archive)) {
      return {
        ok: false,
        reason: "the package @sparticuz/chromium is not installed",
        remedy: "install it with npm ci",
      };
    }
    try {
      unpack();
    } catch (error) {
      return {
        ok: false,
        reason: `SwiftShader cannot be unpacked: ${error instanceof Error ? error.message : error}`,
        remedy: "make node_modules writable, or remove it and run npm ci",
      };
    }
  }
  const folder = fileURLToPath(target).replace(/\/$/, "");
  return { ok: true, env: vulkanEnv(`${folder}/vk_swiftshader_icd.json`, folder) };
}

/**
 * The environment for Mesa's lavapipe where the system has it: unlike SwiftShader it computes with 16-bit floats.
 *
 * @returns {AdapterEnv}
 */
export function lavapipeEnv() {
  const manifest = lavapipeManifests.find((path) => existsSync(path));
  if (!manifest) {
    return {
      ok: false,
      reason: "no lavapipe driver is installed",
      remedy: "install Mesa's Vulkan drivers (Debian and Ubuntu: apt-get install mesa-vulkan-drivers)",
    };
  }
  return { ok: true, env: vulkanEnv(manifest) };
}

/**
 * Driver variables of the Vulkan loader, old name and new, and the choice of Deno's own WebGPU.
 *
 * @param {string} manifest
 * @param {string} [loaderFolder] folder of the Vulkan loader when the system may have none
 */
function vulkanEnv(manifest, loaderFolder) {
  const inherited = process.env.LD_LIBRARY_PATH;
  return {
    VK_ICD_FILENAMES: manifest,
    VK_DRIVER_FILES: manifest,
    DENO_WEBGPU_BACKEND: "vulkan",
    ...(loaderFolder && { LD_LIBRARY_PATH: inherited ? `${loaderFolder}:${inherited}` : loaderFolder }),
  };
}

/** Writes the archive's files into a fresh folder and moves it into place, so that half an unpacking is never used. */
function unpack() {
  const fresh = new URL(`../node_modules/.cache/swiftshader.${process.pid}/`, import.meta.url);
  mkdirSync(fresh, { recursive: true });
  for (const { name, content } of readTar(brotliDecompressSync(readFileSync(archive)))) {
    if (needed.includes(name)) writeFileSync(new URL(name, fresh), content, { mode: 0o755 });
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}
