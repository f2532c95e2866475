/**
 * InstantMesh's reconstruction from its folder: an object of four or six views.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { invalidField, SvcError } from "../../errors/svc_error.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import { loadNetwork } from "../vision/load_network.ts";
import { cameraRig } from "./camera_rig.ts";
import { CAMERA_NUMBERS } from "./config.ts";
import { instantMeshFamily } from "./family.ts";
import { type InstantMeshOptions, type ReconstructedMesh, runInstantMesh } from "./instantmesh.ts";
import { INSTANTMESH_PREFIX } from "./tensor_shapes.ts";

/** How the views were taken and the surface is looked for. */
export interface ViewsTo3dOptions extends InstantMeshOptions {
  /** Sixteen numbers a view, see `camera_rig.ts`; default the rig of the published model. */
  readonly cameras?: readonly (readonly number[])[] | undefined;
}

/** Makes a mesh of the object that views show. */
export type ReconstructObject = (images: readonly RgbImage[], options: ViewsTo3dOptions) => Promise<ReconstructedMesh>;

/** Largest number in a camera. */
const MAX_NUMBER = 1e6;

/** Loads the model; the device stays the caller's. */
export async function openInstantMesh(
  root: ModelRoot,
  device: Device,
  options: LoadOptions = {},
): Promise<ReconstructObject> {
  const { config, weights } = await loadNetwork(root, instantMeshFamily, options);
  const bare = weights.at(INSTANTMESH_PREFIX.slice(0, -1));
  return async (images, { cameras, ...surface }) => {
    const views = { images, cameras: checkedCameras(images, cameras) };
    return await runInstantMesh(device, config, bare, views, surface);
  };
}

/**
 * The numbers of all cameras.
 *
 * @throws {SvcError} when there are not four or six square views, or not one valid camera for each.
 */
export function checkedCameras(
  images: readonly { readonly width: number; readonly height: number }[],
  cameras: readonly (readonly number[])[] | undefined,
): Float32Array {
  const refuse = (code: "view_count_invalid" | "view_not_square" | "cameras", what: string) => {
    const message = `Cannot reconstruct the object: ${what}`;
    return code === "cameras" ? invalidField(code, message) : new SvcError(code, message, { param: "image" });
  };
  const count = images.length;
  if (count !== 4 && count !== 6) throw refuse("view_count_invalid", `there are ${count} views, expected 4 or 6`);
  const oblong = images.findIndex(({ width, height }) => width !== height);
  if (oblong >= 0) {
    throw refuse(
      "view_not_square",
      `view ${oblong} is ${images[oblong].width}x${images[oblong].height}, expected a square; crop or pad it`,
    );
  }
  if (!cameras) return cameraRig(count);
  if (cameras.length !== count) {
    throw refuse("cameras", `there are ${cameras.length} cameras for ${count} views, expected one per view`);
  }
  cameras.forEach((camera, i) => {
    if (camera.length !== CAMERA_NUMBERS || !camera.every((v) => Number.isFinite(v) && Math.abs(v) <= MAX_NUMBER)) {
      throw refuse("cameras", `camera ${i} is not valid, expected ${CAMERA_NUMBERS} finite numbers`);
    }
  });
  return Float32Array.from(cameras.flat());
}
