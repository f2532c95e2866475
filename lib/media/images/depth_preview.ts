/**
 * Depth, normals and masks to look at.
 *
 * @module
 */
import type { RgbImage } from "./rgb_image.ts";

/** Smallest and largest depth that a preview distinguishes. */
export interface DepthRange {
  readonly near: number;
  readonly far: number;
}

/** Numbers that a range is worked out from, at most. */
const MAX_SAMPLES = 2_000_000;

/** Collects a range over one map or many: what lies between the 2nd and the 98th percentile of finite depths. */
export class DepthRangeSampler {
  readonly #stride: number;
  readonly #samples: number[] = [];
  #seen = 0;

  /** @param total Pixels of all maps. */
  constructor(total: number) {
    this.#stride = Math.max(1, Math.ceil(total / MAX_SAMPLES));
  }

  /** Takes the next map. */
  add(depth: Float32Array): void {
    for (const value of depth) {
      if (this.#seen++ % this.#stride === 0 && Number.isFinite(value)) this.#samples.push(value);
    }
  }

  /** The range so far; 0 to 1 when nothing was finite. */
  range(): DepthRange {
    if (this.#samples.length === 0) return { near: 0, far: 1 };
    const sorted = Float32Array.from(this.#samples).sort();
    const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
    return { near: at(0.02), far: at(0.98) };
  }
}

/** Near is light, far is dark, no depth is black; [H,W] -> image. */
export function depthPreview(depth: Float32Array, width: number, height: number, { near, far }: DepthRange): RgbImage {
  const data = new Uint8Array(3 * width * height);
  const span = far - near || 1;
  depth.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const share = Math.min(Math.max((value - near) / span, 0), 1);
    data.fill(Math.round(255 - 223 * share), 3 * i, 3 * i + 3);
  });
  return { width, height, data };
}

/** Directions as colours: -1..1 to 0..255, no normal (all zero) black; [H,W,3] -> image. */
export function normalPreview(normal: Float32Array, width: number, height: number): RgbImage {
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < data.length; i += 3) {
    if (normal[i] === 0 && normal[i + 1] === 0 && normal[i + 2] === 0) continue;
    for (let c = 0; c < 3; c++) data[i + c] = Math.round(Math.min(Math.max(127.5 + 127.5 * normal[i + c], 0), 255));
  }
  return { width, height, data };
}

/** White where the mask is not 0; [H,W] -> image. */
export function maskPreview(mask: Uint8Array, width: number, height: number): RgbImage {
  const data = new Uint8Array(3 * width * height);
  mask.forEach((value, i) => value && data.fill(255, 3 * i, 3 * i + 3));
  return { width, height, data };
}
