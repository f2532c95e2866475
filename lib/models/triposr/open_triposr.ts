/**
 * TripoSR from its folder: an object of one image.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import type { RgbaImage } from "../../media/images/rgba_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import type { ColouredMesh } from "../isosurface/surface_mesh.ts";
import { loadNetwork } from "../vision/load_network.ts";
import { tripoSrFamily } from "./family.ts";
import { compositeOnGrey, frameObject } from "./frame_object.ts";
import { runTripoSr, type TripoSrOptions } from "./triposr.ts";

/** How the object is cut out and its surface looked for. */
export interface ImageTo3dOptions extends TripoSrOptions {
  /** Share of the square that the object fills, above 0 and at most 1; nothing when the image is framed already. */
  readonly foregroundRatio?: number | undefined;
}

/** Makes a mesh of the object that an image shows. */
export type MakeObject = (image: RgbaImage, options: ImageTo3dOptions) => Promise<ColouredMesh>;

/** Loads the model; the device stays the caller's. */
export async function openTripoSr(root: ModelRoot, device: Device, options: LoadOptions = {}): Promise<MakeObject> {
  const { config, weights } = await loadNetwork(root, tripoSrFamily, options);
  return async (image, { foregroundRatio, ...surface }) => {
    surface.onStage?.("preprocessing");
    const framed = foregroundRatio === undefined ? image : frameObject(image, foregroundRatio);
    return await runTripoSr(device, config, weights, compositeOnGrey(framed), surface);
  };
}
