/**
 * The tiny image model in memory.
 *
 * @module
 */
import { byteSource } from "../../../lib/compute/tensor/mod.ts";
import type { ModelRoot } from "../../../lib/models/checkpoint/model_root.ts";
import type { ModelFiles } from "../../fixtures/tiny_models/model_files.ts";

/** A folder called `tiny` with these files. */
export function rootOf(files: ModelFiles): ModelRoot {
  return { name: "tiny", open: (file) => Promise.resolve(files[file] && byteSource(files[file])) };
}
