/**
 * Colours as networks trained on ImageNet see them.
 *
 * @module
 */

/** Mean of red, green and blue over ImageNet, in 0..1. */
export const IMAGENET_MEAN: readonly number[] = [0.485, 0.456, 0.406];

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
