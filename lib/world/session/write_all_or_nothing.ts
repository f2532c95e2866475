/**
 * File output of a job that is rolled back when the job fails.
 *
 * @module
 */
import type { Job } from "./moves/job.ts";
import type { WorldFiles } from "./world_files.ts";

/** Writes a new file. */
export type WriteNew = (path: string, bytes: Uint8Array) => Promise<void>;

/**
 * Runs the work; a failure removes every file that it has written and withdraws the job's chunks.
 *
 * @param folders Folders that only this work uses.
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
    // The first failure is reported, even if a file cannot be removed afterwards.
    await Promise.allSettled([...written, ...folders].map((path) => files.remove(path)));
    throw error;
  }
}
