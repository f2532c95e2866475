/**
 * What vision operations will take, worked out before anything is loaded.
 *
 * @module
 */
import type { DepthAnything3Config } from "../../models/depth_anything3/config.ts";
import { checkedViewSize } from "../../models/depth_anything3/open_depth_anything3.ts";
import type { ImageSize } from "../../models/images/resample.ts";
import type { InstantMeshConfig } from "../../models/instantmesh/config.ts";
import type { Moge2Config } from "../../models/moge2/config.ts";
import { checkedGrid } from "../../models/moge2/open_moge2.ts";
import type { TripoSrConfig } from "../../models/triposr/config.ts";
import type { VideoDepthConfig } from "../../models/video_depth_anything/config.ts";
import { checkedClipSize } from "../../models/video_depth_anything/open_video_depth.ts";
import {
  type OperationPlan,
  planDepthAnything3,
  planInstantMesh,
  planMoge2,
  planTripoSr,
  planVideoDepth,
} from "../../models/vision/plan_operations.ts";
import type { NetworkSizes } from "../contract/model_profile.ts";

/** Planned for a CPU in 32 bits, which takes the most. */
const DEVICE = { bytesPerFloat: 4 } as const;

/** Bytes of a pixel on its way from the file to the files: pixels, planes of floats, maps, and what is written. */
const GEOMETRY_BYTES = 120;
const VIEW_BYTES = 48;
const SOURCE_BYTES = 16;
const CLIP_FRAME_BYTES = 4 * (3 * 32 + 10);

/** Bytes of a node of the grid that a surface is looked for in: one in twelve is evaluated, with what comes of it. */
const NODE_BYTES = 12;

/** A process, its code and the decoders of images and videos. */
const BASE_BYTES: number = 64 * 2 ** 20;

/**
 * Bytes of the geometry of one image.
 *
 * @throws {SvcError} as `checkedGrid()`.
 */
export function geometryBytes(network: NetworkSizes, image: ImageSize, tokens: number): number {
  const grid = checkedGrid(tokens, image);
  return total(planMoge2(sizes<Moge2Config>(network), grid, image, DEVICE), GEOMETRY_BYTES * area(image));
}

/**
 * Bytes of the geometry of views.
 *
 * @throws {SvcError} as `checkedViewSize()`.
 */
export function multiViewBytes(network: NetworkSizes, images: readonly ImageSize[], resolution: number): number {
  const config = sizes<DepthAnything3Config>(network);
  const size = checkedViewSize(images, resolution, config.backbone.patch);
  const sources = images.reduce((sum, image) => sum + area(image), 0);
  const host = SOURCE_BYTES * sources + VIEW_BYTES * images.length * area(size);
  return total(planDepthAnything3(config, size, images.length, DEVICE), host);
}

/** Bytes of the object of one image. */
export function objectBytes(network: NetworkSizes, image: ImageSize, resolution: number): number {
  return total(
    planTripoSr(sizes<TripoSrConfig>(network), resolution, DEVICE),
    2 * SOURCE_BYTES * area(image) + NODE_BYTES * resolution ** 3,
  );
}

/** Bytes of the object of views. */
export function objectViewsBytes(network: NetworkSizes, images: readonly ImageSize[], resolution: number): number {
  const sources = images.reduce((sum, image) => sum + area(image), 0);
  return total(
    planInstantMesh(sizes<InstantMeshConfig>(network), images.length, resolution, DEVICE),
    SOURCE_BYTES * sources + NODE_BYTES * (resolution + 1) ** 3,
  );
}

/**
 * Bytes of the depth of a video.
 *
 * @throws {SvcError} as `checkedClipSize()`.
 */
export function depthVideoBytes(
  network: NetworkSizes,
  clip: ImageSize & { readonly frames: number },
  inputSize: number,
): number {
  const config = sizes<VideoDepthConfig>(network);
  const size = checkedClipSize(clip, inputSize, config.backbone.patch);
  return total(planVideoDepth(config, size, clip.frames, DEVICE), CLIP_FRAME_BYTES * area(clip));
}

function total({ workBytes }: OperationPlan, host: number): number {
  return Math.ceil(workBytes + host + BASE_BYTES);
}

function area({ width, height }: ImageSize): number {
  return width * height;
}

/** The sizes were written by the reader of the same family. */
function sizes<C>(network: NetworkSizes): C {
  return network as C;
}

export { checkCameras } from "../../models/depth_anything3/camera.ts";
export { checkedCameras } from "../../models/instantmesh/open_instantmesh.ts";
export { tokensOfLevel } from "../../models/moge2/image_input.ts";
