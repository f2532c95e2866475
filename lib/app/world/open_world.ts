/**
 * Opens a world in this process.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { openMedia } from "../../media/video/open_media.ts";
import { pathPolicy } from "../../platform/files/path_policy.ts";
import { stateFiles } from "../../world/host/state_files.ts";
import { makeTemporaryDirectory } from "../../platform/files/work_folder.ts";
import { readUserFile } from "../../platform/files/user_files.ts";
import { CLIP_DEFAULTS } from "../../world/protocol/requests/clip_request.ts";
import { ROLLOUT_DEFAULTS } from "../../world/protocol/requests/rollout_request.ts";
import { promptOfPicture } from "../../world/protocol/known_places.ts";
import type { ModelStart } from "../../world/protocol/model_files.ts";
import type { SceneMemoryOptions } from "../../world/protocol/scene_memory_policy.ts";
import type { BackendName } from "../../world/protocol/wire.ts";
import { type SessionLimits, sessionLimits } from "../../world/session/session_options.ts";
import { WorldSession } from "../../world/session/world_session.ts";
import { checkWorldOptions } from "../../world/host/check_world_options.ts";
import { readModelStart } from "../../world/host/models/model_folder.ts";
import { checkAdapter, type DeviceChoice } from "../../compute/device/open_device.ts";
import { openServedModel } from "./served_model.ts";
import { World } from "../../world/host/world.ts";

/** Options of {@linkcode openWorld}; by default everything is as the embedded world has it. */
export interface OpenWorldOptions extends SessionLimits {
  /** Kind of world model; `arworld` by default. */
  readonly backend?: BackendName;
  /**
   * The image to start from, of any size: the path of an image file, its bytes, or pixels. By default one made from the
   * prompt by the best installed image model, else the embedded one; without a prompt the image of the world's model.
   */
  readonly source?: string | Uint8Array | RgbImage;
  /**
   * Describes the image that is given or to be made; by default as the model does for the pictures that come with it, and
   * like its first one for any other.
   */
  readonly prompt?: string;
  /** Folder of a model: for an arworld one with `base/` and `causal/`, or the causal weights alone. */
  readonly model?: string;
  /** Folder of text encoder, VAE and tokenizer, when they are not beside the causal weights of an arworld. */
  readonly baseModel?: string;
  /**
   * `auto`, the default, is the fastest GPU that computes correctly (WebGPU, CUDA), else the CPU; a model that does not
   * start there starts on the CPU. `cuda`, `tensorrt`, `coreml` and `dml` are providers of ONNX Runtime.
   */
  readonly device?: DeviceChoice;
  /** The GPU to use where there are several: a part of its name in any case, or its number as `svc doctor` lists them. */
  readonly adapter?: string;
  /** CPU threads; all cores by default. */
  readonly threads?: number;
  /** Width of the frames: a multiple of 32, at most 1280 (an actionworld: of 16). */
  readonly width?: number;
  /** Height of the frames: a multiple of 32, at most 704 (an actionworld: of 16, at most 1280). */
  readonly height?: number;
  /** Frames per second of the videos, 1 to 240. */
  readonly fps?: number;
  /** The same seed gives the same world: an unsigned 64-bit number; 42 by default. */
  readonly seed?: number | bigint;
  /** Rules of an arworld's scene memory: the published ones by default, `false` to disable it. */
  readonly sceneMemory?: false | SceneMemoryOptions;
}

/**
 * Opens a world in this process; model and video encoder run in workers of their own. The session is the one that the
 * world server runs; its files live in a temporary folder that {@linkcode World.close} removes.
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
  const { backend: kind = "arworld", device = "auto", seed = 42 } = options;
  await checkAdapter(options.adapter, device);
  const served = await openServedModel({ ...options, device });
  const { defaults } = await served.roots();
  const fps = options.fps ?? defaults.fps ?? (kind === "arworld" ? ROLLOUT_DEFAULTS : CLIP_DEFAULTS).fps;
  const source = await readSource(
    options.source ??
      (options.prompt?.trim()
        ? await (await import("./start_picture.ts")).startPicture(options.prompt, {
          ...sizeOf(options),
          device,
          adapter: options.adapter,
          threads: options.threads,
          seed: BigInt(seed),
        })
        : (await readModelStart(served.location)).image),
  );
  const prompt = options.prompt ?? await promptOf(await readModelStart(served.location), source);
  const folder = await makeTemporaryDirectory();
  const media = openMedia();
  const files = stateFiles(folder.path, { policy: pathPolicy([folder.path]) });
  const session = new WorldSession({
    backend: served.backend,
    record: served.record,
    roots: served.roots,
    memory: served.memory,
    media,
    files,
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    ...sessionLimits(options),
    undoesHolds: true,
    onChunk: (chunk) => world.deliver(chunk),
  });
  const world: World = new World({
    session,
    media,
    prompt,
    seed: BigInt(seed),
    fps,
    size: {
      ...options.width !== undefined && { width: options.width },
      ...options.height !== undefined && { height: options.height },
    },
    readImage: async (path) => (await readUserFile(path))!,
    release: () => folder.remove(),
  });
  try {
    const image = source instanceof Uint8Array ? source : await media.encodePng(source);
    await session.setSource(image);
    await session.prepare(options);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function promptOf(start: ModelStart, source: Uint8Array | RgbImage): Promise<string> {
  return source instanceof Uint8Array && await promptOfPicture(start, source) || start.prompt;
}

function sizeOf({ width, height }: OpenWorldOptions): Pick<OpenWorldOptions, "width" | "height"> {
  return width === undefined || height === undefined ? {} : { width, height };
}

async function readSource(source: string | Uint8Array | RgbImage): Promise<Uint8Array | RgbImage> {
  if (typeof source !== "string") return source;
  const bytes = await readUserFile(source);
  if (bytes) return bytes;
  throw new Error(`Cannot start from ${source}: the file does not exist, expected an image such as a PNG or JPEG`);
}
