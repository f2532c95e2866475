/**
 * Whether ONNX Runtime can use CUDA, found out without loading anything.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { requireOf } from "../modules/package_require.ts";

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
