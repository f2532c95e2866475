/**
 * Checks files of weights before a model is added.
 *
 * @module
 */
import { openSafetensors } from "../compute/tensor/safetensors_reader.ts";
import { SafetensorsError } from "../compute/tensor/safetensors_header.ts";
import type { ModelFiles } from "../engines/contract/model_files.ts";
import { SvcError } from "../errors/svc_error.ts";
import { openFileReader } from "../platform/files/read_part.ts";

/**
 * Reads the headers of all safetensors files: a damaged or hostile one is refused before anything is copied.
 *
 * @throws {SvcError} `unsuitable_files`
 */
export async function checkTensorFiles(files: ModelFiles): Promise<void> {
  for (const name of files.names.filter((name) => name.endsWith(".safetensors"))) {
    const reader = await openFileReader(files.path(name));
    try {
      await openSafetensors(name, reader);
    } catch (error) {
      if (error instanceof SafetensorsError) throw new SvcError("unsuitable_files", error.message, { cause: error });
      throw error;
    } finally {
      await reader.close();
    }
  }
}
