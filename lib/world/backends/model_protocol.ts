/**
 * The messages between a session and the worker of its model.
 *
 * @module
 */
import type { CarriedError } from "../../errors/carried_error.ts";
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { ClipProgress } from "../../models/world/clip_model.ts";
import type { BlockProgress, Geometry, PrepareProgress } from "../../models/world/world_model.ts";

/** A call of one of the model's methods. */
export type ModelCall =
  | { readonly call: "prepare"; readonly geometry?: Geometry }
  | { readonly call: "begin"; readonly image: RgbImage; readonly geometry: Geometry }
  | { readonly call: "generate"; readonly request: unknown }
  | { readonly call: "snapshot" }
  | { readonly call: "restore"; readonly snapshot: number }
  | { readonly call: "release"; readonly snapshot: number }
  | { readonly call: "export"; readonly snapshot?: number }
  | { readonly call: "import"; readonly state: Uint8Array }
  | { readonly call: "drop" }
  | { readonly call: "unload" };

/**
 * What the session sends: first the settings of the model, which have no reply; then calls under new ids, or the abort
 * of a running one.
 */
export type ModelMessage<Settings> =
  | { readonly call: "open"; readonly settings: Settings }
  | { readonly id: number } & (ChainCall | { readonly call: "abort" });

/** A call for one of the worker's chains, which exist from their first call to their `unload`. */
export type ChainCall = ModelCall & { readonly chain: number };

/** The progress of a call. */
export type ModelProgress = BlockProgress | ClipProgress | PrepareProgress;

/**
 * What the worker sends: progress of a call and frames as they become ready, then its result or error. The result does
 * not repeat frames sent before and is undefined then.
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
  /** Resolves once the worker has stopped, with the cause. */
  readonly ended: Promise<Error | undefined>;
  terminate(): Promise<void>;
}
