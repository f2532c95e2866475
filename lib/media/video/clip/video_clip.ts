/**
 * Videos of any kind that are read frame by frame.
 *
 * @module
 */
import type { RgbImage } from "../../images/rgb_image.ts";

/** Bytes of a video, wherever they are. */
export interface VideoBytes {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Path of the file, where it is one. */
  readonly path?: string | undefined;
}

/** What is known of a video before it is decoded. */
export interface VideoFacts {
  /** Of the frames as they are shown, after they are turned. */
  readonly width: number;
  readonly height: number;
  /** Frames that will be read. */
  readonly frames: number;
  /** Frames per second, on average. */
  readonly fps: number;
}

/** Frames of a video in the order in which they are shown; each is decoded when it is asked for. */
export type VideoFrameStream = AsyncGenerator<RgbImage>;
