/**
 * Work of a job that leaves no file behind when it fails.
 *
 * @module
 */
import type { Job } from "./job.ts";
import type { WorldFiles } from "./world_files.ts";

/** Writes a new file. */
export type WriteNew = (path: string, bytes: Uint8Array) => Promise<void>;

/**
 * Runs the work; when it fails, every file that it has written is removed, and the job's chunks are taken back.
 *
 * @param folders Folders that belong to the work alone.
 */
export async function writeAllOrNothing<T>(
  files: WorldFiles,
  job: Job,
  folders: readonly string[],
  work: (write: WriteNew) => Promise<T>,
): Promise<T> {
  const written: string[] = [];
  try {
    return await work(async (path, bytes) => {
      await files.writeNew(path, bytes);
      written.push(path);
    });
  } catch (error) {
    job.dropChunks();
    // The first failure is the one to tell of, even when a file cannot be removed any more.
    await Promise.allSettled([...written, ...folders].map((path) => files.remove(path)));
    throw error;
  }
}
