/**
 * Work that is rolled back completely when it fails: the model's state, and the files of a job.
 *
 * @module
 */
import type { ChainModel } from "../../models/world/world_model.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { Job } from "./moves/job.ts";
import type { WorldFiles } from "./world_files.ts";

/** The model's state could not be restored after a failure, which is the `cause`. */
export class ModelStateLost extends Error {
  override name = "ModelStateLost";
}

/** Whether an error means that the session has lost the model's state. */
export function isModelGone(error: unknown): boolean {
  if (error instanceof ModelStateLost) return true;
  return error instanceof SvcError && (error.code === "model_worker_died" || error.code === "device_lost");
}

/** The result of work on a model, and the snapshot of the state before it, now owned by the caller. */
interface KeptWork<T> {
  readonly result: T;
  /** Undefined when there was no chain. */
  readonly before: number | undefined;
}

/**
 * Runs work that changes the model's state; a failure rolls it back.
 *
 * @param hasState Whether the model has a chain that must survive.
 * @throws {ModelStateLost} when the work has failed and the state could not be restored.
 */
export async function keepModelState<T>(
  model: ChainModel,
  hasState: boolean,
  work: (before: number | undefined) => Promise<T>,
): Promise<KeptWork<T>> {
  if (!hasState) return { result: await work(undefined), before: undefined };
  const before = await model.snapshot();
  try {
    return { result: await work(before), before };
  } catch (error) {
    if (isModelGone(error)) {
      if (!model.lose) throw error;
      model.lose();
    }
    try {
      await model.restore(before);
    } catch {
      throw new ModelStateLost("Cannot restore the model's state after a failure", { cause: error });
    }
    // An unloaded model has lost its snapshots too.
    await model.release(before).catch(() => {});
    throw error;
  }
}

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
