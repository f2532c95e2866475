/**
 * Images as planes of colours, and where their pixels lie on a plane of their shape.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ImageSize } from "./resample.ts";

/** The image as planes [3,height,width] in [-1,1]. */
export function rgbPlanes(image: RgbImage): Float32Array {
  return toPlanes(image, 127.5, -1);
}

/** The image as planes [3,height,width] in 0..1. */
export function unitPlanes(image: RgbImage): Float32Array {
  return toPlanes(image, 255, 0);
}

function toPlanes({ width, height, data }: RgbImage, divisor: number, shift: number): Float32Array {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    for (let c = 0; c < 3; c++) planes[c * size + i] = data[3 * i + c] / divisor + shift;
  }
  return planes;
}

/** Mean of red, green and blue over ImageNet, in 0..1. */
const IMAGENET_MEAN: readonly number[] = [0.485, 0.456, 0.406];

/** Standard deviation of red, green and blue over ImageNet. */
export const IMAGENET_STD: readonly number[] = [0.229, 0.224, 0.225];

/** Planes [3,H,W] of colours in 0..1, normalised in place: (colour - mean) / deviation. */
export function normaliseColours(planes: Float32Array): Float32Array {
  const size = planes.length / 3;
  for (let c = 0; c < 3; c++) {
    for (let i = c * size; i < (c + 1) * size; i++) planes[i] = (planes[i] - IMAGENET_MEAN[c]) / IMAGENET_STD[c];
  }
  return planes;
}

/** Places of columns and rows. */
interface PlaneCoordinates {
  /** [width] */
  readonly x: Float64Array;
  /** [height] */
  readonly y: Float64Array;
}

/**
 * Centres of pixels on a plane whose diagonal reaches from -1 to 1, the right and lower half positive.
 *
 * @param aspect Width by height of the plane; default that of the pixels.
 */
export function planeCoordinates({ width, height }: ImageSize, aspect: number = width / height): PlaneCoordinates {
  const diagonal = Math.hypot(aspect, 1);
  return { x: centres(width, aspect / diagonal), y: centres(height, 1 / diagonal) };
}

function centres(count: number, span: number): Float64Array {
  const last = span * (count - 1) / count;
  return Float64Array.from({ length: count }, (_, i) => (count > 1 ? -last + 2 * last * i / (count - 1) : 0));
}
