/**
 * The canvas on which an image is encoded: the model was trained with few image sizes, padded at the right and lower
 * edges.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { rgbPlanes } from "../images/planes.ts";
import { resizeBicubic } from "../images/resample.ts";
import type { Geometry } from "../world/world_model.ts";

/** Canvases of the training by the shorter side of their images. */
const TIERS: readonly (readonly [upTo: number, heightsAndWidths: readonly (readonly [number, number])[]])[] = [
  [320, [[256, 256], [256, 320], [320, 256], [192, 320], [320, 192]]],
  [640, [[640, 640], [544, 736], [736, 544], [480, 832], [832, 480]]],
  [704, [[960, 960], [832, 1088], [1088, 832], [704, 1280], [1280, 704]]],
  [Infinity, [[960, 960], [832, 1104], [1104, 832], [720, 1280], [1280, 720]]],
];

/** Canvas sizes are multiples of this where none of the training fits. */
const GRID = 32;

/** An image on its canvas. */
export interface Canvas {
  /** [3,H,W] in about [-1,1] */
  readonly planes: Float32Array;
  /** Size of the image on it, at the upper left. */
  readonly content: Geometry;
}

/** The canvas of the training with the nearest aspect ratio, of the tier for `side`. */
export function trainedCanvas({ width, height }: Geometry, side: number): Geometry {
  const [, sizes] = TIERS.find(([upTo]) => side <= upTo)!;
  const distance = ([h, w]: readonly [number, number]) => Math.abs(h / w - height / width);
  const [h, w] = sizes.reduce((best, size) => (distance(size) < distance(best) ? size : best));
  return { width: w, height: h };
}

/**
 * The canvas for frames of a size, which are never shrunk: the nearest one of the training if it leaves less than
 * {@linkcode GRID} pixels on each side, else the next multiples of that.
 */
export function canvasFor(frame: Geometry): Geometry {
  const trained = trainedCanvas(frame, Math.min(frame.width, frame.height));
  const fits = (side: "width" | "height") => trained[side] >= frame[side] && trained[side] - frame[side] < GRID;
  if (fits("width") && fits("height")) return trained;
  return { width: Math.ceil(frame.width / GRID) * GRID, height: Math.ceil(frame.height / GRID) * GRID };
}

/**
 * Places an image on a canvas: shrunk to fit, never enlarged, then extended to the right and downwards by reflection,
 * or by its last column and row if it is too small for that on either axis.
 */
export function paintCanvas(image: RgbImage, canvas: Geometry): Canvas {
  const scale = Math.min(canvas.width / image.width, canvas.height / image.height, 1);
  const content = { width: Math.round(scale * image.width), height: Math.round(scale * image.height) };
  const resized = resizeBicubic(rgbPlanes(image), image, content);
  const mirrors = canvas.width - content.width < content.width && canvas.height - content.height < content.height;
  const columns = shownPlaces(content.width, canvas.width, mirrors);
  const rows = shownPlaces(content.height, canvas.height, mirrors);
  const planes = new Float32Array(3 * canvas.width * canvas.height);
  let at = 0;
  for (let c = 0; c < 3; c++) {
    for (const row of rows) {
      const start = (c * content.height + row) * content.width;
      for (const column of columns) planes[at++] = resized[start + column];
    }
  }
  return { planes, content };
}

/** Which row or column of the content each one of the canvas shows. */
function shownPlaces(content: number, canvas: number, mirrors: boolean): number[] {
  return Array.from({ length: canvas }, (_, i) => {
    if (i < content) return i;
    return mirrors ? 2 * content - 2 - i : content - 1;
  });
}
