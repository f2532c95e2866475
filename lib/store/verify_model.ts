/**
 * Verifies the files of installed models: their sizes and hashes.
 *
 * @module
 */
import { stat } from "../platform/files/file_system.ts";
import { join } from "../platform/files/paths.ts";
import type { InstalledModel } from "./catalog/installed_model.ts";
import { hashFile } from "../platform/files/hash_file.ts";
import type { OnTransfer } from "./download_file.ts";

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
