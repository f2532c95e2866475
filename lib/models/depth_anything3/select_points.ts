/**
 * The points of a scene that are sure enough.
 *
 * @module
 */
import { type Camera, multiply3 } from "./camera.ts";

/** Depth maps of several views of one size. */
interface SceneMaps {
  readonly width: number;
  readonly height: number;
  /** [views,H,W] */
  readonly depth: Float32Array;
  /** [views,H,W] */
  readonly confidence: Float32Array;
  /** [views,H,W,3] */
  readonly colours: Uint8Array;
  readonly cameras: readonly Camera[];
}

/** What is kept of a scene. */
interface SelectOptions {
  /** 0 to 100: the share of pixels, over all views, whose confidence is too low. */
  readonly confidencePercentile: number;
  readonly maxPoints: number;
}

/** Coloured points in the world. */
export interface ScenePoints {
  /** Smallest confidence that was kept. */
  readonly threshold: number;
  /** Points that were sure enough, before they were thinned out. */
  readonly valid: number;
  /** Every how many-th of them was kept. */
  readonly stride: number;
  /** Flat places [view,row,column] of the points. */
  readonly index: Int32Array;
  /** [N,3] */
  readonly positions: Float32Array;
  /** [N,3] */
  readonly colours: Uint8Array;
  /** How many points each view gave. */
  readonly perView: readonly number[];
}

/** Pixels with a finite depth above 0 and enough confidence, thinned out evenly, moved into the world. */
export function selectPoints(maps: SceneMaps, { confidencePercentile, maxPoints }: SelectOptions): ScenePoints {
  const { width, height, depth, confidence, cameras } = maps;
  const threshold = percentile(confidence, confidencePercentile);
  const isValid = (i: number) => depth[i] > 0 && depth[i] < Infinity && confidence[i] >= threshold;
  let valid = 0;
  for (let i = 0; i < depth.length; i++) if (isValid(i)) valid++;
  const stride = Math.max(1, Math.ceil(valid / maxPoints));
  const count = Math.ceil(valid / stride);
  const index = new Int32Array(count);
  let [seen, kept] = [0, 0];
  for (let i = 0; i < depth.length; i++) {
    if (isValid(i) && seen++ % stride === 0) index[kept++] = i;
  }
  const size = width * height;
  const positions = new Float32Array(3 * count);
  const colours = new Uint8Array(3 * count);
  const perView = new Array<number>(cameras.length).fill(0);
  index.forEach((at, n) => {
    const view = Math.floor(at / size);
    const [row, column] = [Math.floor(at % size / width), at % width];
    positions.set(unproject(cameras[view], column, row, depth[at]), 3 * n);
    colours.set(maps.colours.subarray(3 * at, 3 * at + 3), 3 * n);
    perView[view]++;
  });
  return { threshold, valid, stride, index, positions, colours, perView };
}

/** The point in the world that a camera sees at a pixel (whole numbers at pixel centres) at a depth along z. */
function unproject(
  { intrinsics, extrinsics }: Camera,
  column: number,
  row: number,
  depth: number,
): Float64Array {
  const { fx, fy, cx, cy } = intrinsics;
  const { rotation: r, translation: t } = extrinsics;
  const seen = [(column - cx) / fx * depth - t[0], (row - cy) / fy * depth - t[1], depth - t[2]];
  return multiply3([r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]], seen);
}

/** Linear between order statistics. */
function percentile(values: Float32Array, percent: number): number {
  const sorted = values.slice().sort();
  const place = percent / 100 * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
