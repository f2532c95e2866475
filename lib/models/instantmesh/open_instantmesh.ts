/**
 * InstantMesh's reconstruction from its folder: an object of four or six views, and where they are expected to be
 * taken from.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { invalidField, SvcError } from "../../errors/svc_error.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import { loadNetwork } from "../vision/load_network.ts";
import { CAMERA_NUMBERS, INSTANTMESH_PREFIX, instantMeshFamily } from "./config.ts";
import { type InstantMeshOptions, type ReconstructedMesh, runInstantMesh } from "./instantmesh.ts";

/** How the views were taken and the surface is looked for. */
interface ViewsTo3dOptions extends InstantMeshOptions {
  /** Sixteen numbers a view, see `cameraRig()`; default the rig of the published model. */
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

/** Distance of the cameras and their field of view. */
interface RigOptions {
  /** Default 4. */
  readonly radius?: number;
  /** Default 30 degrees. */
  readonly fovDegrees?: number;
}

/** Azimuth and elevation of the six views in degrees. */
export const RIG_ANGLES: readonly (readonly [azimuth: number, elevation: number])[] = [
  [30, 20],
  [90, -10],
  [150, 20],
  [210, -10],
  [270, 20],
  [330, -10],
];

/** Which of the six views are the four of a smaller set. */
export const FOUR_VIEWS: readonly number[] = [0, 2, 4, 5];

/**
 * Camera-to-world as 16 numbers, row by row: at the distance `radius` from the origin and looking at it, world z up,
 * camera x right, y up, z backward.
 */
export function orbitPose(azimuthDegrees: number, elevationDegrees: number, radius: number): Float64Array {
  const [azimuth, elevation] = [azimuthDegrees, elevationDegrees].map((degrees) => degrees * Math.PI / 180);
  const flat = Math.cos(elevation);
  const z = [flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation)];
  const x = [-Math.sin(azimuth), Math.cos(azimuth), 0];
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const rows = [0, 1, 2].flatMap((i) => [x[i], y[i], z[i], radius * z[i]]);
  return Float64Array.of(...rows, 0, 0, 0, 1);
}

/** The sixteen numbers of each camera that the network reads, [views,16]; four views are part of the six. */
export function cameraRig(views: 4 | 6, { radius = 4, fovDegrees = 30 }: RigOptions = {}): Float32Array {
  const focal = 0.5 / Math.tan(fovDegrees * Math.PI / 360);
  const angles = views === 6 ? RIG_ANGLES : FOUR_VIEWS.map((i) => RIG_ANGLES[i]);
  const rows = new Float32Array(CAMERA_NUMBERS * angles.length);
  angles.forEach(([azimuth, elevation], i) => {
    rows.set(orbitPose(azimuth, elevation, radius).subarray(0, 12), CAMERA_NUMBERS * i);
    rows.set([focal, focal, 0.5, 0.5], CAMERA_NUMBERS * i + 12);
  });
  return rows;
}
