/**
 * Verifies the files of models: their sizes and hashes, and that tensors are what their headers say.
 *
 * @module
 */
import { stat } from "../platform/files/file_system.ts";
import { join } from "../platform/files/paths.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import type { OnTransfer } from "./download_file.ts";
import { openSafetensors } from "../compute/tensor/safetensors_reader.ts";
import { SafetensorsError } from "../compute/tensor/safetensors_header.ts";
import type { ModelFiles } from "../engines/contract/engine_entry.ts";
import { SvcError } from "../errors/svc_error.ts";
import { openFileReader } from "../platform/files/read_part.ts";

/**
 * Compares the sizes, then the hashes, of all files with the record.
 *
 * @returns A sentence per damaged file; empty when there is none.
 * @throws the reason of `signal` when it aborts.
 */
export async function verifyModel(
  model: InstalledModel,
  onTransfer: OnTransfer,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { path, bytes, sha256 } of model.files) {
    const place = join(model.folder, path);
    const size = await stat(place).then((info) => info.isFile() ? info.size : undefined, () => undefined);
    if (size === undefined) problems.push(`${path} is missing`);
    else if (size !== bytes) problems.push(`${path} has ${size} bytes, expected ${bytes}`);
    else {
      let done = 0;
      const onBytes = (count: number) => onTransfer({ step: "verify", path, done: done += count, total: bytes });
      const found = await hashFile(place, onBytes, signal);
      if (found.sha256 !== sha256) problems.push(`${path} has the SHA-256 ${found.sha256}, expected ${sha256}`);
    }
  }
  return problems;
}

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
