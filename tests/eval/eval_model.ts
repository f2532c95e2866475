/**
 * The world model under evaluation: generates walks, and puts clips through its autoencoder alone.
 *
 * @module
 */
import type { RgbFrames, RgbImage } from "../../lib/media/images/rgb_image.ts";
import { ArworldModel } from "../../lib/models/arworld/arworld_model.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { LATENTS_PER_BLOCK } from "../../lib/models/arworld/trajectory.ts";
import type { ModelRoot } from "../../lib/models/checkpoint/model_root.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { blockViews, type Size } from "./eval_scenes.ts";
import { joinFrames } from "./films.ts";
import { VaeRoundTrip } from "./vae_round_trip.ts";

/** A loaded world. */
export class EvalModel {
  readonly size: Size;
  readonly device: Device;
  readonly #model: ArworldModel;
  readonly #autoencoder: VaeRoundTrip;

  private constructor(size: Size, device: Device, model: ArworldModel, autoencoder: VaeRoundTrip) {
    this.size = size;
    this.device = device;
    this.#model = model;
    this.#autoencoder = autoencoder;
  }

  /** Loads a world; frames have the size its configuration names. */
  static async open(base: ModelRoot, causal: ModelRoot, openDevice: () => Promise<Device>): Promise<EvalModel> {
    const files = await loadArworld(base, causal);
    const { defaultWidth: width = 96, defaultHeight: height = 64 } = files.config;
    const device = await openDevice();
    const size = { width, height };
    const autoencoder = await VaeRoundTrip.open(device, files.config, files.vae, size, LATENTS_PER_BLOCK);
    const model = new ArworldModel({ id: base.name, base, causal, openDevice });
    await model.prepare();
    return new EvalModel(size, device, model, autoencoder);
  }

  /** The walk that the model imagines from a first frame, one action a block. */
  async walk(first: RgbImage, prompt: string, blocks: readonly string[], seed: bigint): Promise<RgbFrames> {
    await this.#model.begin(first, this.size);
    const parts: RgbFrames[] = [];
    for (const [i, views] of blockViews(blocks).entries()) {
      parts.push(await this.#model.generate({ prompt, seed: seed + BigInt(i), views }));
    }
    return joinFrames(parts);
  }

  /** A clip of 12n - 3 frames after encoding and decoding: what the walk could look like at best. */
  reconstruct(clip: RgbFrames): Promise<RgbFrames> {
    return this.#autoencoder.reconstruct(clip);
  }

  /** Releases everything. */
  async close(): Promise<void> {
    await this.#model.unload();
    this.#autoencoder.dispose();
    this.device.dispose();
  }
}
