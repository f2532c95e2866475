/**
 * TripoSR from its folder: an object of one image, cut out and framed.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { RgbaImage, RgbImage } from "../../media/images/rgb_image.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import type { LoadOptions } from "../checkpoint/read_weights.ts";
import type { ColouredMesh } from "../isosurface/surface_mesh.ts";
import { loadNetwork } from "../vision/load_network.ts";
import { tripoSrFamily } from "./config.ts";
import { runTripoSr, type TripoSrOptions } from "./triposr.ts";

/** How the object is cut out and its surface looked for. */
interface ImageTo3dOptions extends TripoSrOptions {
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

/** Rows and columns of the first and the last pixel that is not transparent. */
interface ForegroundBox {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Grey behind transparent parts: white makes the network see sheets. */
const GREY = 0.5;

/** The pixels that are not fully transparent; `undefined` when all of them are. */
export function foregroundBox({ width, height, data }: RgbaImage): ForegroundBox | undefined {
  let box: { top: number; bottom: number; left: number; right: number } | undefined;
  for (let i = 0; i < width * height; i++) {
    if (data[4 * i + 3] === 0) continue;
    const column = i % width;
    const row = (i - column) / width;
    box ??= { top: row, bottom: row, left: column, right: column };
    box.bottom = row;
    box.left = Math.min(box.left, column);
    box.right = Math.max(box.right, column);
  }
  return box;
}

/**
 * Cuts out the object and centres it in a transparent square of which it fills the share `ratio`. The last row and column
 * of the object are lost, as in the published code.
 *
 * @throws {SvcError} when the image is opaque or fully transparent, or the object a line of single pixels.
 */
export function frameObject(image: RgbaImage, ratio: number): RgbaImage {
  const box = foregroundBox(image);
  const opaque = box && image.data.every((byte, i) => i % 4 !== 3 || byte === 255);
  if (!box || opaque) {
    throw new SvcError(
      "object_not_separable",
      `Cannot cut out the object: the image is ${box ? "opaque" : "fully transparent"}, expected a transparent ` +
        `background; remove the background, or say that the image is framed already`,
    );
  }
  const [rows, columns] = [box.bottom - box.top, box.right - box.left];
  if (rows === 0 || columns === 0) {
    throw new SvcError(
      "object_too_small",
      `Cannot cut out the object: it is ${columns + 1}x${rows + 1} pixels, expected at least 2x2`,
    );
  }
  const square = Math.max(rows, columns);
  const side = Math.trunc(square / ratio);
  const margin = (side - square) >> 1;
  const top = margin + ((square - rows) >> 1);
  const left = margin + ((square - columns) >> 1);
  const data = new Uint8Array(4 * side * side);
  for (let row = 0; row < rows; row++) {
    const from = 4 * ((box.top + row) * image.width + box.left);
    data.set(image.data.subarray(from, from + 4 * columns), 4 * ((top + row) * side + left));
  }
  return { width: side, height: side, data };
}

/** The image on grey. */
export function compositeOnGrey({ width, height, data }: RgbaImage): RgbImage {
  const out = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.fround(data[4 * i + 3] / 255);
    for (let c = 0; c < 3; c++) {
      const colour = Math.fround(data[4 * i + c] / 255);
      const mixed = Math.fround(Math.fround(colour * alpha) + Math.fround(Math.fround(1 - alpha) * GREY));
      out[3 * i + c] = Math.trunc(Math.fround(mixed * 255));
    }
  }
  return { width, height, data: out };
}
