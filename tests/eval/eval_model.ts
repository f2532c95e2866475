/**
 * The world model under evaluation: generates walks, and puts clips through its autoencoder alone.
 *
 * @module
 */
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import { joinFrames, type RgbFrames, type RgbImage } from "../../lib/media/images/rgb_image.ts";
import { ArworldModel } from "../../lib/models/arworld/arworld_model.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { LATENTS_PER_BLOCK } from "../../lib/models/arworld/trajectory.ts";
import { type ModelRoot, subfolder } from "../../lib/models/checkpoint/model_root.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { blockViews } from "./eval_scenes.ts";
import { resizeFrames, type Size } from "./films.ts";
import { VaeRoundTrip } from "./vae_round_trip.ts";

/** The roots of the world in a folder, or of that beside it which was made for a place. */
export async function worldRoots(folder: string, place: string): Promise<{ base: ModelRoot; causal: ModelRoot }> {
  const [base, causal] = ["base", "causal"].map((part) => modelRoot(`${folder}/${part}`));
  const isBeside = await base.open(`${place}/config.json`) !== undefined;
  return isBeside ? { base: subfolder(base, place), causal: subfolder(causal, place) } : { base, causal };
}

/** A loaded world, judged at a size that need not be its own. */
export class EvalModel {
  /** Of the frames that are judged. */
  readonly size: Size;
  /** Of the frames that the world makes. */
  readonly ownSize: Size;
  readonly device: Device;
  readonly #model: ArworldModel;
  readonly #autoencoder: VaeRoundTrip;

  private constructor(size: Size, ownSize: Size, device: Device, model: ArworldModel, autoencoder: VaeRoundTrip) {
    this.size = size;
    this.ownSize = ownSize;
    this.device = device;
    this.#model = model;
    this.#autoencoder = autoencoder;
  }

  /**
   * Loads a world, which makes frames of the size that its configuration names.
   *
   * @param size What they are stretched to; undefined leaves them as they are.
   */
  static async open(
    base: ModelRoot,
    causal: ModelRoot,
    openDevice: () => Promise<Device>,
    size?: Size,
  ): Promise<EvalModel> {
    const files = await loadArworld(base, causal);
    const { defaultWidth: width = 96, defaultHeight: height = 64 } = files.config;
    const device = await openDevice();
    const ownSize = { width, height };
    const autoencoder = await VaeRoundTrip.open(device, files.config, files.vae, ownSize, LATENTS_PER_BLOCK);
    const model = new ArworldModel({ id: base.name, base, causal, openDevice });
    await model.prepare();
    return new EvalModel(size ?? ownSize, ownSize, device, model, autoencoder);
  }

  /** The walk that the model imagines from a first frame, one action a block. */
  async walk(first: RgbImage, prompt: string, blocks: readonly string[], seed: bigint): Promise<RgbFrames> {
    const { width, height } = this.ownSize;
    await this.#model.begin(resizeImage(first, width, height), this.ownSize);
    const parts: RgbFrames[] = [];
    for (const [i, views] of blockViews(blocks).entries()) {
      parts.push(await this.#model.generate({ prompt, seed: seed + BigInt(i), views }));
    }
    return resizeFrames(joinFrames(parts), this.size);
  }

  /** A clip of 12n - 3 frames after encoding and decoding: what the walk could look like at best. */
  async reconstruct(clip: RgbFrames): Promise<RgbFrames> {
    return resizeFrames(await this.#autoencoder.reconstruct(resizeFrames(clip, this.ownSize)), this.size);
  }

  /** Releases everything. */
  async close(): Promise<void> {
    await this.#model.unload();
    this.#autoencoder.dispose();
    this.device.dispose();
  }
}
