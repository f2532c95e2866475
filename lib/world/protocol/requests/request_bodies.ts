import type { CameraRecord } from "../job_record.ts";

/** A walk by keys, which is one job. */
export interface RolloutRequestBody {
  /** Describes the scene. */
  readonly prompt: string;
  /** Each entry combines the keys of moves, such as `w` or `wl`; a space alone holds still. */
  readonly actionSeq: readonly string[];
  /** Relative durations, one per action; 1 each by default. */
  readonly actionSpeedList?: readonly number[];
  /** Path of an image on the server to start a new world from. */
  readonly sourceImage?: string;
  /** Width of the frames, in pixels. */
  readonly width?: number;
  /** Height of the frames, in pixels. */
  readonly height?: number;
  /** Latent frames: a multiple of 3, at most 252. */
  readonly numOutputFrames?: number;
  /** Speed of the camera: 0.05 units and 1 degree a frame at 1. */
  readonly speed?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  /** Frames per second. */
  readonly fps?: number;
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
}

/** A camera move. */
export interface TransitionRequestBody {
  /** Describes the scene. */
  readonly prompt: string;
  /** The camera move. */
  readonly camera: CameraRecord;
  /** Path of an image; required while the session has no image. */
  readonly sourceImage?: string;
  /** Where to write the MP4 instead of the state directory. */
  readonly output?: string;
  /** Width of the frames, in pixels. */
  readonly width?: number;
  /** Height of the frames, in pixels. */
  readonly height?: number;
  /** Minimum number of frames that the move shows; whole blocks of three latents are generated. */
  readonly numFrames?: number;
  /** Denoising steps. */
  readonly steps?: number;
  /** Strength of classifier-free guidance. */
  readonly guidanceScale?: number;
  /** Shift of the noise schedule. */
  readonly shift?: number;
  /** A number up to 2^53 - 1 or a decimal string up to 2^64 - 1. */
  readonly seed?: number | string;
  /** Frames per second. */
  readonly fps?: number;
  /** For an actionworld: the exact trajectory, nine numbers a row, instead of one derived from the camera move. */
  readonly modelSpaceActions?: readonly (readonly number[])[];
}
