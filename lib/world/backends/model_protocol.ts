/**
 * The messages between a session and the worker in which its model lives.
 *
 * @module
 */
import type { CarriedError } from "../../errors/carried_error.ts";
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { ClipProgress } from "../../models/world/clip_model.ts";
import type { BlockProgress, Geometry, PrepareProgress } from "../../models/world/world_model.ts";

/** One call of a method of the model. */
export type ModelCall =
  | { readonly call: "prepare" }
  | { readonly call: "begin"; readonly image: RgbImage; readonly geometry: Geometry }
  | { readonly call: "generate"; readonly request: unknown }
  | { readonly call: "snapshot" }
  | { readonly call: "restore"; readonly snapshot: number }
  | { readonly call: "release"; readonly snapshot: number }
  | { readonly call: "unload" };

/**
 * What the session sends: first the settings of the model, which have no answer; then calls under new ids, or the abort
 * of one that is running.
 */
export type ModelMessage<Settings> =
  | { readonly call: "open"; readonly settings: Settings }
  | { readonly id: number } & (ModelCall | { readonly call: "abort" });

/** How far a call is. */
export type ModelProgress = BlockProgress | ClipProgress | PrepareProgress;

/**
 * What the worker sends: progress of a call and frames as they become ready, then its result or error. Frames that were
 * sent before are not in the result again, which is undefined then.
 */
export type ModelReply =
  | { readonly id: number; readonly kind: "progress"; readonly progress: ModelProgress }
  | { readonly id: number; readonly kind: "frames"; readonly frames: RgbFrames }
  | { readonly id: number; readonly kind: "result"; readonly result: unknown }
  | { readonly id: number; readonly kind: "error"; readonly error: CarriedError };

/** One end of a message channel. */
export interface ModelPort<Send, Receive> {
  postMessage(message: Send, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: Receive) => void): void;
}

/** The session's end: a worker that it has started. */
export interface ModelWorker<Settings> extends ModelPort<ModelMessage<Settings>, ModelReply> {
  /** Resolves once when the worker has stopped, with what stopped it. */
  readonly ended: Promise<Error | undefined>;
  terminate(): Promise<void>;
}
