/**
 * The programs of an image model: compiled for a size when they are first needed, and run.
 *
 * @module
 */
import { type Device, f32, type Graph, type Program, type Tensor } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { StoredWeight } from "../checkpoint/stored_weight.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { rgbPlanes } from "../images/planes.ts";
import { qwen3Graph } from "../qwen3/text_encoder.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import type { TransformerSize } from "./image_family.ts";
import { type ImagePlan, type ProgramName, TOKEN_EMBEDDING, tokensOf } from "./image_plan.ts";
import type { ComponentName, ImageFiles } from "./open_components.ts";
import { ProgramShelf } from "./program_shelf.ts";
import type { TextEncoder } from "./prompt_texts.ts";

/** Runs the programs of one model; they are kept while the memory allows it. */
export class ImagePrograms {
  readonly #files: ImageFiles;
  readonly #device: Device;
  readonly #shelf: ProgramShelf;
  /** Token embeddings, which live as long as the programs that read them. */
  readonly #tables = new WeakMap<Program, StoredWeight>();

  /** @param memoryBytes Of all programs together. */
  constructor(files: ImageFiles, device: Device, memoryBytes: number) {
    this.#files = files;
    this.#device = device;
    this.#shelf = new ProgramShelf(memoryBytes);
  }

  /** Bytes of all programs together; what is kept shrinks to it when a program is asked for. */
  get limit(): number {
    return this.#shelf.limit;
  }

  set limit(bytes: number) {
    this.#shelf.limit = bytes;
  }

  /** What encodes a prompt. */
  async textEncoder(plan: ImagePlan, signal: AbortSignal | undefined): Promise<TextEncoder> {
    const { textEncoder, textLength, textStates } = this.#files.family;
    let table: StoredWeight | undefined;
    const program = await this.#program(plan, "text_encoder", "text_encoder", "", signal, (weights) => {
      table = weights.matrix(TOKEN_EMBEDDING);
      return qwen3Graph(textEncoder, weights, textLength, textStates);
    });
    if (table) this.#tables.set(program, table);
    return { program, table: this.#tables.get(program)! };
  }

  /** The transformer for these sizes; it stays usable until the next program is asked for. */
  transformer(plan: ImagePlan, size: TransformerSize, signal: AbortSignal | undefined): Promise<Program> {
    const key = [...[size.image, ...size.references].map(sizeKey), size.textLength].join();
    const build = (weights: Weights) => this.#files.family.transformerGraph(weights, size);
    return this.#program(plan, "transformer", "transformer", key, signal, build);
  }

  /** Latents [C,h,w] of an image whose sides are multiples of 16. */
  async encode(plan: ImagePlan, image: RgbImage, signal: AbortSignal | undefined): Promise<Tensor<"f32">> {
    const size = tokensOf(image);
    const build = (weights: Weights) => this.#files.family.encoderGraph(weights, size);
    const program = await this.#program(plan, "encoder", "vae", sizeKey(size), signal, build);
    const { latents } = await program.run({ image: f32([3, image.height, image.width], rgbPlanes(image)) }, { signal });
    const read = await latents.read();
    latents.release();
    return read as Tensor<"f32">;
  }

  /** Whether the decoder fits into memory beside what is kept. */
  fitsDecoder(plan: ImagePlan): boolean {
    return this.#shelf.fits("decoder", plannedProgram(plan, "decoder").compilingBytes);
  }

  /** The image of latents. */
  async decode(
    plan: ImagePlan,
    latents: Float32Array,
    size: LatentSize,
    signal: AbortSignal | undefined,
  ): Promise<RgbImage> {
    const { family } = this.#files;
    const build = (weights: Weights) => family.decoderGraph(weights, size);
    const program = await this.#program(plan, "decoder", "vae", sizeKey(size), signal, build);
    const { pixels } = await program.run({ latents: f32(family.latentShape(size), latents) }, { signal });
    const { data, shape: [height, width] } = await pixels.read();
    pixels.release();
    // A clamped array rounds to the nearest byte.
    return { width, height, data: new Uint8Array(Uint8ClampedArray.from(data).buffer) };
  }

  /** Releases all programs. */
  dispose(): void {
    this.#shelf.dispose();
  }

  /** A program of the pipeline, compiled for this size if necessary. */
  #program(
    plan: ImagePlan,
    name: ProgramName,
    component: ComponentName,
    key: string,
    signal: AbortSignal | undefined,
    build: (weights: Weights) => Graph,
  ): Promise<Program> {
    const planned = plannedProgram(plan, name);
    const bytes = { kept: planned.keptBytes, compiling: planned.compilingBytes };
    return this.#shelf.get(name, key, bytes, async () => {
      const weights = await this.#files.components[component].read({ signal });
      return await this.#device.compile(build(weights));
    });
  }
}

function plannedProgram(plan: ImagePlan, name: ProgramName): ImagePlan["programs"][number] {
  return plan.programs.find((program) => program.name === name)!;
}

function sizeKey({ width, height }: LatentSize): string {
  return `${width}x${height}`;
}
