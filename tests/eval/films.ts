/**
 * Films: cut, joined, and as numbers.
 *
 * @module
 */
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import { frameAt, type RgbFrames } from "../../lib/media/images/rgb_image.ts";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** RGB bytes [T,H,W,3] as planes [T,3,H,W] in [-1,1]. */
export function planesOf({ width, height, count, data }: RgbFrames): Float32Array {
  const pixels = width * height;
  const planes = new Float32Array(data.length);
  for (let frame = 0; frame < count; frame++) {
    for (let i = 0; i < pixels; i++) {
      for (let c = 0; c < 3; c++) {
        planes[(frame * 3 + c) * pixels + i] = data[(frame * pixels + i) * 3 + c] / 127.5 - 1;
      }
    }
  }
  return planes;
}

/** Frames `from` to `to`, the end excluded. */
export function cutFrames({ width, height, data }: RgbFrames, from: number, to: number): RgbFrames {
  const size = width * height * 3;
  return { width, height, count: to - from, data: data.slice(from * size, to * size) };
}

/** The film at another size. */
export function resizeFrames(frames: RgbFrames, { width, height }: Size): RgbFrames {
  if (width === frames.width && height === frames.height) return frames;
  const size = width * height * 3;
  const data = new Uint8Array(frames.count * size);
  for (let i = 0; i < frames.count; i++) data.set(resizeImage(frameAt(frames, i), width, height).data, i * size);
  return { width, height, count: frames.count, data };
}

/** A film of the same length that only shows the first frame. */
export function repeatFirst(frames: RgbFrames): RgbFrames {
  const size = frames.data.length / frames.count;
  const data = new Uint8Array(frames.data.length);
  for (let i = 0; i < frames.count; i++) data.set(frames.data.subarray(0, size), i * size);
  return { ...frames, data };
}
