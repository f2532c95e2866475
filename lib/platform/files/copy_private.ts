import { chmod } from "node:fs/promises";
import { type FileHashes, hashFile } from "./hash_file.ts";

/** Copies a file to a new one that only its owner can read, and hashes it. */
export async function copyPrivate(from: string, to: string): Promise<FileHashes> {
  const hashes = await hashFile(from, () => {}, new AbortController().signal, { copyTo: to });
  await chmod(to, 0o600);
  return hashes;
}
