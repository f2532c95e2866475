/**
 * Work on a model that leaves no trace when it fails.
 *
 * @module
 */
import type { WorldModel } from "../models/world_model.ts";

/** The model's state could not be brought back after a failure, which is the `cause`. */
export class ModelStateLost extends Error {
  override name = "ModelStateLost";
}

/** Whether an error means that the model is no longer what the session believes. */
export function isModelGone(error: unknown): boolean {
  if (error instanceof ModelStateLost) return true;
  return error instanceof Error && "code" in error && ["model_worker_died", "device_lost"].includes(String(error.code));
}

/**
 * Runs work that changes the model's state; when it fails, the state is as before.
 *
 * @param hasState Whether the model has a chain that must survive.
 * @throws {ModelStateLost} when the work has failed and the state could not be restored.
 */
export async function keepModelState<T>(model: WorldModel, hasState: boolean, work: () => Promise<T>): Promise<T> {
  if (!hasState) return await work();
  const kept = await model.snapshot();
  try {
    return await work();
  } catch (error) {
    try {
      await model.restore(kept);
    } catch {
      throw new ModelStateLost("Cannot restore the model's state after a failure", { cause: error });
    }
    throw error;
  } finally {
    // A model that is gone has forgotten its snapshots by itself.
    await model.release(kept).catch(() => {});
  }
}
