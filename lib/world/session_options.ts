/**
 * What a session works with.
 *
 * @module
 */
import type { Clock } from "./job.ts";
import type { ModelRoots } from "./model_roots.ts";
import type { NavigationOptions } from "./navigation.ts";
import type { ModelRecord, SceneMemoryPolicyRecord } from "./wire.ts";
import type { WorldMedia } from "./world_media.ts";

/** What a session works with; all of it can be replaced by a test. */
export interface WorldSessionOptions extends NavigationOptions {
  /** What the snapshot says of the model until it is loaded. */
  readonly record: ModelRecord;
  /** Looks whether the model can be loaded; rejects with `model_unavailable`. */
  readonly roots: () => Promise<ModelRoots>;
  readonly media: WorldMedia;
  readonly clock: Clock;
  /** A new UUID in lower case. */
  readonly randomId: () => string;
  /** Rules of scene memory; the published ones when omitted. */
  readonly sceneMemory?: SceneMemoryPolicyRecord | undefined;
  /** Hears of every job that ends. */
  readonly onEvent?: (event: SessionLogEntry) => void;
}

/** Something for the log. */
export interface SessionLogEntry {
  readonly level: "info" | "error";
  readonly event: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
