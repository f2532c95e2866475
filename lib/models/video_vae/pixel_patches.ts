/**
 * 2x2 pixel patches as channels: channel = c * 4 + column parity * 2 + row parity.
 *
 * @module
 */
import { reshape, transpose, type Value } from "../../compute/tensor/mod.ts";

/** [T,3,H,W] -> [T,12,H/2,W/2] */
export function patchifyPixels(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c, h / 2, 2, w / 2, 2]);
  return reshape(transpose(cells, [0, 1, 5, 3, 2, 4]), [t, c * 4, h / 2, w / 2]);
}

/** [T,12,h,w] -> [T,3,2h,2w] */
export function unpatchifyPixels(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 1, 4, 3, 5, 2]), [t, c / 4, 2 * h, 2 * w]);
}

/** [T,12,h,w] -> [T,2h,2w,3], the order of image files, in one movement. */
export function unpatchifyToImages(x: Value): Value {
  const [t, c, h, w] = x.shape;
  const cells = reshape(x, [t, c / 4, 2, 2, h, w]);
  return reshape(transpose(cells, [0, 4, 3, 5, 2, 1]), [t, 2 * h, 2 * w, c / 4]);
}
