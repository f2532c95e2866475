/**
 * The transformer as a program, and its prediction for one image.
 *
 * @module
 */
import { type Device, type DeviceTensor, f32, Graph, type Program, slice } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { rotaryTables } from "../flux2/tokens.ts";
import type { Denoised, TransformerSize, VelocityModel } from "../image_pipeline/image_family.ts";
import { timeSinusoid } from "../layers/dense.ts";
import { PATCH_SIZE, TIME_CHANNELS, type ZImageTransformerConfig } from "./config.ts";
import { imagePositions, paddedTokens, textPositions, transformer } from "./transformer.ts";

/**
 * Inputs: `latents` [C,2h,2w], `text` [M,T + 1] with the mask of the text in its last column, `sinusoid` [1,256], and the
 * rotary tables of image and text. Output: `output` [C,2h,2w], the negative of a velocity.
 */
export function transformerGraph(
  config: ZImageTransformerConfig,
  weights: Weights,
  { image, textLength }: TransformerSize,
): Graph {
  const graph = new Graph();
  const half = config.hiddenSize / config.numHeads / 2;
  const tables = (name: string, rows: number) => ({
    cos: graph.input(`${name}.cos`, [rows, half]),
    sin: graph.input(`${name}.sin`, [rows, half]),
  });
  const rows = paddedTokens(textLength);
  const text = graph.input("text", [rows, config.textChannels + 1]);
  const { output } = transformer(
    {
      latents: graph.input("latents", [config.latentChannels, PATCH_SIZE * image.height, PATCH_SIZE * image.width]),
      text: slice(text, { axis: 1, end: config.textChannels }),
      textMask: slice(text, { axis: 1, start: config.textChannels }),
      sinusoid: graph.input("sinusoid", [1, TIME_CHANNELS]),
      imageTables: tables("image", paddedTokens(image.width * image.height)),
      textTables: tables("text", rows),
    },
    config,
    weights,
  );
  graph.output("output", output);
  return graph;
}

/** Predicts velocities of one image of a size. */
export class Velocity implements VelocityModel {
  readonly #program: Program;
  readonly #shape: readonly number[];
  readonly #own: Readonly<Record<string, DeviceTensor>>;

  /**
   * Uploads the constant inputs.
   *
   * @param program A {@linkcode transformerGraph} of these sizes.
   */
  constructor(device: Device, program: Program, config: ZImageTransformerConfig, { image, textLength }: Denoised) {
    const tables = (positions: Int32Array) => rotaryTables(positions, config.ropeAxes, config.ropeTheta);
    const [seen, said] = [tables(imagePositions(image, textLength)), tables(textPositions(textLength))];
    this.#program = program;
    this.#shape = [config.latentChannels, PATCH_SIZE * image.height, PATCH_SIZE * image.width];
    this.#own = {
      "image.cos": device.upload(seen.cos),
      "image.sin": device.upload(seen.sin),
      "text.cos": device.upload(said.cos),
      "text.sin": device.upload(said.sin),
    };
  }

  async predict(latents: Float32Array, level: number, text: DeviceTensor, signal?: AbortSignal): Promise<Float32Array> {
    const { output } = await this.#program.run({
      ...this.#own,
      text,
      latents: f32(this.#shape, latents),
      sinusoid: f32([1, TIME_CHANNELS], timeSinusoid([1000 * (1 - level)], TIME_CHANNELS)),
    }, { signal });
    const read = await output.read();
    output.release();
    return (read.data as Float32Array).map((value) => -value);
  }

  release(): void {
    for (const t of Object.values(this.#own)) t.release();
  }
}
