/**
 * What a session asks of a world model: one chain of generated frames that can be kept, left and taken up again.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { LoadedBytes } from "../checkpoint/load_meter.ts";

/** What is loaded and where it runs. */
export interface WorldModelInfo {
  readonly id: string;
  /** Folder of the causal weights. */
  readonly path?: string;
  /** Folder of the text encoder, the VAE and the tokenizer. */
  readonly basePath?: string;
  /** Label of the device, such as `cpu (2 threads)`. */
  readonly device: string;
  /** How floats are stored while the model runs, such as `f32`. */
  readonly dtype: string;
}

/** What to show in the next three latents. */
export interface BlockRequest {
  readonly prompt: string;
  /** Effective seed of this block: the request's seed plus the blocks generated before in the chain, modulo 2^64. */
  readonly seed: bigint;
  /** Three chunk-relative world-to-camera matrices, row-major: 3 * 16 numbers. */
  readonly views: Float32Array;
  /** What scene memory does in this block; nothing when left out. */
  readonly memory?: BlockMemory;
}

/**
 * Scene memory of one block. The model keeps clean latents of the chain under their global index; they belong to its
 * state, so that snapshots and returns carry them along.
 */
export interface BlockMemory {
  /** Kept latents that frames of this block are drawn towards: x0 = (1 - strength) * x0 + strength * latent. */
  readonly recall: readonly { readonly frame: number; readonly latent: number; readonly strength: number }[];
  /** Frames of this block, 0 to 2, whose clean latents are kept once it is generated. */
  readonly store: readonly { readonly frame: number; readonly latent: number }[];
  /** Kept latents that are given up once it is generated. */
  readonly forget: readonly number[];
}

/** How far the model is within one block. */
export interface BlockProgress {
  readonly stage: "loading" | "denoising" | "decoding";
  /** 0 to 3 are the denoising steps, 4 the pass that fills the caches, 5 is the decoding. */
  readonly step: number;
  readonly steps: number;
  /** While it is loading: a large model is read when its programs are compiled. */
  readonly loaded?: LoadedBytes;
}

/** How far the model is with loading. */
export interface PrepareProgress {
  readonly stage: string;
  /** 0 to 1. */
  readonly fraction: number;
  /** Of a large model, which is read when its programs are compiled. */
  readonly loaded?: LoadedBytes;
}

/** Options of {@linkcode WorldModel.prepare}. */
export interface PrepareOptions {
  /** The size to warm up for, in pixels; the model's own by default. An engine that runs already is warm. */
  readonly geometry?: Geometry | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PrepareProgress) => void;
}

/**
 * Frames that are given out as soon as they are decoded, while their block takes another pass: all of them, or split:
 * first those of a latent, or of two after an image, then the others.
 */
export type EarlyFrames = "whole" | "split";

/** Options of {@linkcode WorldModel.generate}. */
export interface GenerateOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BlockProgress) => void;
  /** How the frames are given out before the block has ended; not at all when left out. */
  readonly early?: EarlyFrames;
  /**
   * Called with frames that are given out `early`: once, or twice where they are split. They share the memory of the
   * block; where all come at once it may be moved away, and the result is empty then.
   */
  readonly onFrames?: (frames: RgbFrames) => void;
}

/** Width and height of frames in pixels, each a multiple of 32. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
}

/**
 * One loaded model with one chain, whatever it generates. Calls are made one after another.
 *
 * An error with a `code` in lower-case words (`model_invalid`, `device_lost`) is written for clients: the server passes
 * code and message on. Every other error is reported as an internal one and only logged.
 */
export interface ChainModel {
  /** Loads and warms; a second call gives the same answer at once. */
  prepare(options?: PrepareOptions): Promise<WorldModelInfo>;
  /** Forgets the chain and starts a new one from an image of any size, cropped to the proportions of the geometry. */
  begin(image: RgbImage, geometry: Geometry): Promise<void>;
  /**
   * How far an image is from those that the model was trained on, in units of the farthest that counts as known; undefined
   * where its configuration does not say. It changes nothing.
   */
  distance?(image: RgbImage): Promise<number | undefined>;
  /** Keeps the live state under a new id; cheap, shared until either diverges. */
  snapshot(): Promise<number>;
  /** Returns to a kept state, bit for bit; the snapshot stays valid. */
  restore(id: number): Promise<void>;
  /** Forgets a kept state. */
  release(id: number): Promise<void>;
  /** Releases models and all state; `prepare` makes it usable again. */
  unload(): Promise<void>;
  /** Whether the model has ended by itself since it was prepared; it has to be prepared again then. */
  readonly isGone?: boolean;
  /**
   * The model is gone with all its states. A chain that has this can make them again: what it kept stays kept.
   */
  lose?(): void;
}

/** A chain whose state can leave its process. */
export interface PortableChain extends ChainModel {
  distance(image: RgbImage): Promise<number | undefined>;
  /** The bytes of a kept state, or of the current one: little and exact. */
  exportState(id?: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Continues from exported bytes, bit for bit on the same kind of device.
   *
   * @param largest The largest frames that they may be of; any by default.
   * @throws {SvcError} `state_invalid` when they are not the state of a chain of this model.
   */
  importState(bytes: Uint8Array, largest?: Geometry): Promise<void>;
  /** Forgets the chain and all kept states; stays prepared. */
  drop(): Promise<void>;
}

/** A model that generates a chain block by block. */
export interface WorldModel extends ChainModel {
  /**
   * Generates the next three latents: 9 frames for the first block of a chain, 12 for every other.
   * An abort rejects with the signal's reason and leaves the state as it was.
   */
  generate(request: BlockRequest, options?: GenerateOptions): Promise<RgbFrames>;
}
