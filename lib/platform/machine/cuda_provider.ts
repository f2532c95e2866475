/**
 * Whether ONNX Runtime can use CUDA, found out without loading anything.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

/** Whether a library that could be installed here is not; false on systems that have another way. */
export function lacksCudaProvider(): boolean {
  return process.platform === "linux" && !hasCudaLibrary();
}

function hasCudaLibrary(): boolean {
  try {
    const root = dirname(createRequire(import.meta.url).resolve("onnxruntime-node/package.json"));
    const name = "libonnxruntime_providers_cuda.so";
    return existsSync(join(root, "bin", "napi-v6", process.platform, process.arch, name));
  } catch {
    return false;
  }
}
