/**
 * The files of a model as networks read them.
 *
 * @module
 */
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import { openRandomAccess } from "../../platform/files/read_part.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** Files up to this size are read at once when they are loaded, which is much faster than tensor by tensor. */
const READ_WHOLE = 256 * 2 ** 20;

/** @param loads Whether the tensors will be read, not only described. */
export function modelFilesRoot(files: ModelFiles, loads: boolean): ModelRoot {
  return {
    name: "the model",
    open: (file) =>
      files.names.includes(file)
        ? openRandomAccess(files.path(file), loads ? READ_WHOLE : 0)
        : Promise.resolve(undefined),
  };
}
