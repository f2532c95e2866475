/**
 * The operations of vision models: what they are asked, and what comes back. Results are files in the folder of the call.
 *
 * @module
 */
import type { Camera } from "../../models/depth_anything3/camera.ts";
import type { ReferenceStrategy } from "../../models/depth_anything3/reference_view.ts";
import type { ArtifactEntry } from "../../models/vision/artifacts/artifact.ts";
import { type Operation, operation } from "../contract/operation.ts";

/** What all orders have. */
export interface VisionOrder {
  /** The model as answers and manifests name it. */
  readonly model: string;
  /** Where its weights come from, as answers and manifests say it. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
  /** Bytes that the operation takes beside the weights, see `plan_vision.ts`. */
  readonly workBytes: number;
}

/** Geometry of one image. */
export interface GeometryOrder extends VisionOrder {
  /** Path of the image. */
  readonly image: string;
  /** Patches that are asked for. */
  readonly tokens: number;
  readonly maxPoints: number | undefined;
}

/** Geometry of several views. */
export interface MultiViewOrder extends VisionOrder {
  readonly images: readonly string[];
  readonly resolution: number;
  readonly reference: ReferenceStrategy;
  readonly confidencePercentile: number;
  readonly maxPoints: number;
  /** In pixels of the images. */
  readonly cameras: readonly Camera[] | undefined;
}

/** An object of one image. */
export interface ObjectOrder extends VisionOrder {
  readonly image: string;
  readonly resolution: number;
  readonly densityThreshold: number;
  /** Undefined when the image is framed already. */
  readonly foregroundRatio: number | undefined;
  readonly vertexColours: boolean;
}

/** An object of four or six views. */
export interface ObjectViewsOrder extends VisionOrder {
  readonly images: readonly string[];
  readonly resolution: number;
  readonly vertexColours: boolean;
  /** Sixteen numbers a view; undefined for the rig of the published model. */
  readonly cameras: readonly (readonly number[])[] | undefined;
}

/** Depth of a video. */
export interface DepthVideoOrder extends VisionOrder {
  readonly video: string;
  readonly inputSize: number;
  readonly maxFrames: number;
  /** Whether the weights give metres. */
  readonly metric: boolean;
}

/** What an operation has made. */
export interface VisionOutcome {
  /** What the answer says besides files and times, by its own keys. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The files of the answer's list, in its order. */
  readonly artifacts: readonly ArtifactEntry[];
  readonly manifest: ArtifactEntry;
  /** The file that the answer shows beside the list: the manifest of a mesh, the review of a video. */
  readonly companion?: ArtifactEntry | undefined;
  /** Seconds by the names of the answer. */
  readonly timing: Readonly<Record<string, number>>;
}

/** Geometry of one image. */
export const findGeometry: Operation<GeometryOrder, never, VisionOutcome> = operation("find-geometry");

/** Geometry of several views. */
export const relateViews: Operation<MultiViewOrder, never, VisionOutcome> = operation("relate-views");

/** An object of one image. */
export const makeObject: Operation<ObjectOrder, never, VisionOutcome> = operation("make-object");

/** An object of several views. */
export const reconstructObject: Operation<ObjectViewsOrder, never, VisionOutcome> = operation("reconstruct-object");

/** Depth of a video. */
export const findVideoDepth: Operation<DepthVideoOrder, never, VisionOutcome> = operation("find-video-depth");

export type { Camera as KnownCamera } from "../../models/depth_anything3/camera.ts";
export { REFERENCE_STRATEGIES, type ReferenceStrategy } from "../../models/depth_anything3/reference_view.ts";
export type { ArtifactEntry } from "../../models/vision/artifacts/artifact.ts";
