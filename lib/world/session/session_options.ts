/**
 * What a session depends on.
 *
 * @module
 */
import type { WallClock } from "./moves/job.ts";
import type { DeliverChunk } from "./moves/chunk_publisher.ts";
import type { ModelRoots } from "../protocol/model_files.ts";
import type { Backend } from "./backend.ts";
import type { NavigationLimits } from "./graph/navigation.ts";
import type { ModelRecord } from "../protocol/wire.ts";
import type { WorldFiles } from "./world_files.ts";
import type { WorldMedia } from "./world_media.ts";

/** What a session depends on; tests can replace all of it. */
export interface WorldSessionOptions extends NavigationLimits {
  /** The world model and how it carries out moves. */
  readonly backend: Backend;
  readonly files: WorldFiles;
  /** The model record of snapshots until the model is loaded. */
  readonly record: ModelRecord;
  /** Checks whether the model can be loaded; rejects with `model_unavailable`. */
  readonly roots: () => Promise<ModelRoots>;
  readonly media: WorldMedia;
  readonly clock: WallClock;
  /** Called with each chunk of a job once its file is complete; the job goes on when it resolves. */
  readonly onChunk?: DeliverChunk;
  /** A new UUID in lower case. */
  readonly newId: () => string;
  /** Called on every job that ends. */
  readonly onEvent?: (event: SessionLogEntry) => void;
}

/** A log entry. */
export interface SessionLogEntry {
  readonly level: "info" | "error";
  readonly event: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
