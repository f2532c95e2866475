/**
 * The SDK's door to worlds.
 *
 * @module
 */
import { openMedia } from "../../media/video/open_media.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { locateModel } from "./model_location.ts";
import { readModelStart } from "./model_start.ts";
import type { DeviceChoice } from "./open_device.ts";
import { openWorldModel } from "./open_world_model.ts";
import { readUserFile } from "../../platform/files/user_files.ts";
import { inspectModelRoots } from "../../world/backends/model_roots.ts";
import { ROLLOUT_DEFAULTS } from "../../world/protocol/rollout_request.ts";
import {
  DISABLED_SCENE_MEMORY,
  type SceneMemoryOptions,
  sceneMemoryPolicy,
} from "../../world/protocol/scene_memory_policy.ts";
import { checkWorldOptions } from "./check_world_options.ts";
import { World } from "./world.ts";

/** Options of {@linkcode openWorld}; everything that is left out is the embedded world's own. */
export interface OpenWorldOptions {
  /** The picture to start from, of any size: the path of an image file, its bytes, or pixels. */
  readonly source?: string | Uint8Array | RgbImage;
  /** Describes the picture. */
  readonly prompt?: string;
  /** Folder of a model: one with `base/` and `causal/`, or the causal weights alone. */
  readonly model?: string;
  /** Folder of text encoder, VAE and tokenizer, when they are not beside the causal weights. */
  readonly baseModel?: string;
  /** `auto`, the default, is the GPU when there is one, else the CPU. */
  readonly device?: DeviceChoice;
  /** Threads of the CPU; all cores when omitted. */
  readonly threads?: number;
  /** Width of the frames: a multiple of 32, at most 1280. */
  readonly width?: number;
  /** Height of the frames: a multiple of 32, at most 704. */
  readonly height?: number;
  /** Frames a second of the videos, 1 to 240. */
  readonly fps?: number;
  /** The same seed gives the same world: an unsigned 64-bit number; 42 when omitted. */
  readonly seed?: number | bigint;
  /** How places are remembered for returns to them: the published rules when omitted, `false` for not at all. */
  readonly sceneMemory?: false | SceneMemoryOptions;
}

/**
 * Opens a world in this process; model and video encoder run in workers of their own.
 *
 * @example Walk through the embedded corridor
 * ```ts
 * import { openWorld } from "@svc/sdk";
 *
 * await using world = await openWorld({ device: "cpu" });
 * for await (const block of world.walk(["w"])) {
 *   console.assert(block.frames.count === 9);
 * }
 * console.assert((await world.video()).length > 0);
 * ```
 *
 * @throws {RangeError} when a size, a rate, the seed or a number of scene memory is out of range
 * @throws {Error} when the image cannot be read or the model is missing or damaged; the message names what and where
 */
export async function openWorld(options: OpenWorldOptions = {}): Promise<World> {
  checkWorldOptions(options);
  const sceneMemory = options.sceneMemory === false ? DISABLED_SCENE_MEMORY : sceneMemoryPolicy(options.sceneMemory);
  const location = await locateModel(options);
  const { id, path, basePath } = location;
  const { defaults } = await inspectModelRoots(location);
  const { device = "auto", threads, seed = 42, fps = defaults.fps ?? ROLLOUT_DEFAULTS.fps } = options;
  const geometry = {
    width: options.width ?? defaults.width ?? ROLLOUT_DEFAULTS.width,
    height: options.height ?? defaults.height ?? ROLLOUT_DEFAULTS.height,
  };
  const prompt = options.prompt ?? (await readModelStart(location)).prompt;
  const source = await readSource(options.source ?? (await readModelStart(location)).image);
  const media = openMedia();
  const model = openWorldModel({ id, path, basePath, device, ...(threads !== undefined && { threads }) });
  try {
    const image = source instanceof Uint8Array ? await media.decodeImage(source) : source;
    const [info] = await Promise.all([model.prepare(), media.prepare()]);
    await model.begin(image, geometry);
    return new World({ model, info, media, prompt, seed: BigInt(seed), fps, sceneMemory });
  } catch (error) {
    await Promise.allSettled([model.unload(), media.close()]);
    throw error;
  }
}

async function readSource(source: string | Uint8Array | RgbImage): Promise<Uint8Array | RgbImage> {
  if (typeof source !== "string") return source;
  const bytes = await readUserFile(source);
  if (bytes) return bytes;
  throw new Error(`Cannot start from ${source}: there is no such file, expected an image such as a PNG or JPEG`);
}
