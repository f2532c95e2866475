/**
 * The transformer's prediction for one image: everything that stays the same from step to step is on the device.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, type Program } from "../../compute/tensor/mod.ts";
import { timeSinusoid } from "../layers/dense.ts";
import type { Denoised, VelocityModel } from "../image_pipeline/image_family.ts";
import type { Flux2TransformerConfig } from "./config.ts";
import { rotaryTables, sequencePositions } from "./positions.ts";

/** Predicts velocities of one image of a size between its references. */
export class Velocity implements VelocityModel {
  readonly #program: Program;
  readonly #config: Flux2TransformerConfig;
  readonly #shape: readonly number[];
  readonly #own: Readonly<Record<string, DeviceTensor>>;

  /**
   * Uploads the constant inputs.
   *
   * @param program A `transformerGraph` of these sizes.
   */
  constructor(
    device: Device,
    program: Program,
    config: Flux2TransformerConfig,
    { image, references, textLength }: Denoised,
  ) {
    const sizes = references.map(({ shape: [, height, width] }) => ({ width, height }));
    const positions = sequencePositions(textLength, image, sizes);
    const { cos, sin } = rotaryTables(positions, config.ropeAxes, config.ropeTheta);
    this.#program = program;
    this.#config = config;
    this.#shape = [config.latentChannels, image.height, image.width];
    this.#own = {
      cos: device.upload(cos),
      sin: device.upload(sin),
      ...Object.fromEntries(references.map((t, i) => [`reference.${i}`, device.upload(t)])),
    };
  }

  /** noise - image of latents [C,h,w] at a noise level, after the text tokens [M,D]. */
  async predict(latents: Float32Array, level: number, text: DeviceTensor, signal?: AbortSignal): Promise<Float32Array> {
    const { timeChannels } = this.#config;
    const { velocity } = await this.#program.run({
      ...this.#own,
      text,
      latents: f32(this.#shape, latents),
      sinusoid: f32([1, timeChannels], timeSinusoid([1000 * level], timeChannels)),
    }, { signal });
    const read = await velocity.read();
    velocity.release();
    return read.data as Float32Array;
  }

  /** Releases the uploads. */
  release(): void {
    for (const t of Object.values(this.#own)) t.release();
  }
}
