/**
 * A world of camera moves under evaluation.
 *
 * @module
 */
import { joinFrames, type RgbFrames, type RgbImage } from "../../lib/media/images/rgb_image.ts";
import type { CameraMove } from "../../lib/models/actionworld/action_rows.ts";
import { ActionworldModel } from "../../lib/models/actionworld/actionworld_model.ts";
import { loadActionworld } from "../../lib/models/actionworld/loader.ts";
import type { ModelRoot } from "../../lib/models/checkpoint/model_root.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { MOVE_FRAMES, rowsOf } from "./clip_walks.ts";
import { cutFrames, type Size } from "./films.ts";
import { VaeRoundTrip } from "./vae_round_trip.ts";

/** Latents of a move. */
const LATENTS = 5;

/** How a move is generated where nothing else is asked for. */
export interface ClipDefaults extends Size {
  readonly fps: number;
  readonly steps: number;
}

/** A loaded world. */
export class ClipModel {
  readonly defaults: ClipDefaults;
  readonly device: Device;
  readonly #model: ActionworldModel;
  readonly #autoencoder: VaeRoundTrip;

  private constructor(defaults: ClipDefaults, device: Device, model: ActionworldModel, autoencoder: VaeRoundTrip) {
    this.defaults = defaults;
    this.device = device;
    this.#model = model;
    this.#autoencoder = autoencoder;
  }

  /** Loads a world, which must name its defaults. */
  static async open(snapshot: ModelRoot, openDevice: () => Promise<Device>): Promise<ClipModel> {
    const { config, vae } = await loadActionworld(snapshot);
    const { defaultWidth: width, defaultHeight: height, defaultFps: fps, defaultSteps: steps } = config;
    if (!width || !height || !fps || !steps) throw new Error(`Cannot judge ${snapshot.name}: it names no defaults`);
    const device = await openDevice();
    const autoencoder = await VaeRoundTrip.open(device, config, vae, { width, height }, LATENTS);
    const model = new ActionworldModel({ id: snapshot.name, snapshot, openDevice });
    await model.prepare();
    return new ClipModel({ width, height, fps, steps }, device, model, autoencoder);
  }

  /** What the model imagines from a first frame, move by move: 16 frames each after the first. */
  async walk(first: RgbImage, prompt: string, moves: readonly CameraMove[], seed: bigint): Promise<RgbFrames> {
    const { fps, steps } = this.defaults;
    await this.#model.begin(first, this.defaults);
    const parts: RgbFrames[] = [{ ...first, count: 1 }];
    for (const [i, camera] of moves.entries()) {
      const request = { prompt, seed: seed + BigInt(i), frames: MOVE_FRAMES + 1, actions: rowsOf(camera), fps, steps };
      const clip = await this.#model.generate({ ...request, guidanceScale: 1, shift: 3 });
      parts.push(cutFrames(clip, 1, clip.count));
    }
    return joinFrames(parts);
  }

  /** The first move of a film after encoding and decoding: what it could look like at best. */
  reconstruct(film: RgbFrames): Promise<RgbFrames> {
    return this.#autoencoder.reconstruct(cutFrames(film, 0, MOVE_FRAMES + 1));
  }

  /** Releases everything. */
  async close(): Promise<void> {
    await this.#model.unload();
    this.#autoencoder.dispose();
    this.device.dispose();
  }
}
