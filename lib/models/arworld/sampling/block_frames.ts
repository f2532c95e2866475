/**
 * The images of a block, as its decoder makes them.
 *
 * @module
 */
import { cropCentre } from "../../../media/images/crop_image.ts";
import { frameAt, type RgbFrames } from "../../../media/images/rgb_image.ts";
import type { Geometry } from "../../world/world_model.ts";

/** What the images of a block are, and who sees them before the last has come. */
interface BlockFramesOptions {
  /** Size of what is decoded. */
  readonly decoded: Geometry;
  /** Size of the images: the middle of what is decoded. */
  readonly shown: Geometry;
  /** How many there are. */
  readonly count: number;
  /** How many are given out first. */
  readonly first: number;
  /** Takes the first images as soon as they have come, then the rest; they share the memory of the block. */
  readonly give?: ((frames: RgbFrames) => void) | undefined;
}

/** Makes bytes of the frames that come, so that no block takes the room of all its numbers. */
export class BlockFrames {
  readonly #options: BlockFramesOptions;
  readonly #bytes: Uint8Array;
  /** The same memory; rounds to the nearest byte. */
  readonly #data: Uint8ClampedArray;
  /** How many have come. */
  #count = 0;

  constructor(options: BlockFramesOptions) {
    this.#options = options;
    this.#bytes = new Uint8Array(options.count * sizeOf(options.shown));
    this.#data = new Uint8ClampedArray(this.#bytes.buffer);
  }

  /** All images, once they have come; empty where they were moved away as they came. */
  get images(): RgbFrames {
    const { shown: { width, height }, count } = this.#options;
    return { width, height, count, data: this.#bytes };
  }

  /** Takes the frames that come next: numbers from 0 to 255, [count,H,W,3]. */
  add(frames: Float32Array): void {
    const { decoded, shown, count, first, give } = this.#options;
    const before = this.#count;
    this.#count += frames.length / sizeOf(decoded);
    if (sizeOf(decoded) === sizeOf(shown)) {
      const data = this.#data.subarray(before * sizeOf(shown));
      for (let i = 0; i < frames.length; i++) data[i] = frames[i]; // `set` takes half as long again
    } else {
      const data = new Uint8Array(new Uint8ClampedArray(frames).buffer);
      const made = { ...decoded, count: this.#count - before, data };
      for (let i = 0; i < made.count; i++) {
        this.#data.set(cropCentre(frameAt(made, i), shown).data, (before + i) * sizeOf(shown));
      }
    }
    if (give && before < first && this.#count >= first) give(this.#part(0, first));
    if (give && first < count && this.#count === count) give(this.#part(first, count));
  }

  #part(from: number, to: number): RgbFrames {
    const size = sizeOf(this.#options.shown);
    return { ...this.images, count: to - from, data: this.images.data.subarray(from * size, to * size) };
  }
}

/** Bytes of an image. */
function sizeOf({ width, height }: Geometry): number {
  return 3 * width * height;
}
