/**
 * Images from prompts: text encoder, transformer and autoencoder in turn.
 *
 * @module
 */
import { type Device, sizeOf, type Tensor } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { coverImage } from "../../media/images/crop_image.ts";
import { prepareReference, referenceSize } from "../flux2/reference_image.ts";
import { eulerStep, firstLevel, guideVelocity, noisedImage, predictedImage } from "../flux2/schedule.ts";
import { normalNoise } from "../noise/philox.ts";
import { openQwen3Tokenizer } from "../qwen3/prompt_tokenizer.ts";
import { admitImage, type ImagePlan, planImage, tokensOf } from "./image_plan.ts";
import { ImagePrograms } from "./image_programs.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { type ImageRequest, type ResolvedRequest, resolveRequest } from "./image_request.ts";
import type { ImageFiles } from "./open_components.ts";
import { PromptTexts } from "./prompt_texts.ts";

/** What a pipeline is made of. */
interface ImagePipelineOptions {
  readonly files: ImageFiles;
  /** Stays the caller's. */
  readonly device: Device;
  /** Memory limit of programs in bytes, on the CPU including loading; default no limit. */
  readonly memoryBytes?: number | undefined;
}

/** A denoising step that has ended. */
export interface ImageStep {
  /** From 1 on. */
  readonly step: number;
  /** Steps of this image; with a start image they may be fewer than were asked for, even none. */
  readonly steps: number;
  /**
   * The image as it would be if the remaining noise were removed the same way, decoded for this call. Undefined where
   * the decoder does not fit into memory beside the transformer.
   */
  readonly preview: () => Promise<RgbImage | undefined>;
}

/** What an image is going through. */
type ImageStage = "text" | "references" | "denoising" | "decoding";

/** Options of {@linkcode ImagePipeline.generate}. */
interface GenerateOptions {
  /** Memory limit of programs in bytes from this image on; by default it stays as it is. */
  readonly memoryBytes?: number | undefined;
  /** Stops the work between two steps. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a stage begins. A prompt that was encoded before has no text stage. */
  readonly onStage?: ((stage: ImageStage) => void) | undefined;
  /** Called after each step, and waited for. */
  readonly onStep?: ((step: ImageStep) => void | Promise<void>) | undefined;
}

/**
 * An image model in this thread. Weights are read when a program first needs them and programs are kept while the memory
 * allows it, so that a second image of the same size begins at once. One image at a time.
 *
 * @example
 * ```ts ignore
 * const pipeline = new ImagePipeline({ files: await openFlux2(root), device: await openOnnxDevice() });
 * const image = await pipeline.generate({ prompt: "a red hall", width: 512, height: 512, seed: 7n });
 * ```
 */
export class ImagePipeline {
  readonly #files: ImageFiles;
  readonly #device: Device;
  readonly #programs: ImagePrograms;
  readonly #texts: PromptTexts;
  #busy = false;

  /**
   * Loads nothing yet.
   *
   * @throws {TokenizerError} when the tokenizer's files are invalid.
   */
  constructor({ files, device, memoryBytes = Infinity }: ImagePipelineOptions) {
    this.#files = files;
    this.#device = device;
    this.#programs = new ImagePrograms(files, device, memoryBytes);
    this.#texts = new PromptTexts(
      files.family,
      openQwen3Tokenizer(`${files.name}/tokenizer`, files.tokenizer, files.family.thinking),
    );
  }

  /**
   * Memory that a request needs, by program. Nothing is loaded.
   *
   * @throws {SvcError} when the request is invalid.
   */
  plan(request: ImageRequest): ImagePlan {
    return this.#plan(resolveRequest(request, this.#files.family));
  }

  /**
   * Makes an image.
   *
   * @throws {SvcError} when the request is invalid, the prompt too long, the memory too small or a weight unreadable;
   * the signal's reason when it aborts.
   */
  async generate(request: ImageRequest, options: GenerateOptions = {}): Promise<RgbImage> {
    if (this.#busy) throw new Error("Cannot make an image: another one is being made, wait until it has ended");
    this.#busy = true;
    try {
      return await this.#generate(request, options);
    } finally {
      this.#busy = false;
    }
  }

  /** Releases all programs. */
  dispose(): void {
    this.#programs.dispose();
  }

  async #generate(request: ImageRequest, options: GenerateOptions): Promise<RgbImage> {
    const { signal, onStage } = options;
    const { family } = this.#files;
    const resolved = resolveRequest(request, family);
    const { prompt, negativePrompt = "", guidanceScale, steps, start } = resolved;
    const prompts = guidanceScale > 1 ? [prompt, negativePrompt] : [prompt];
    this.#texts.check(prompt, "prompt");
    if (prompts.length > 1) this.#texts.check(negativePrompt, "negative_prompt");
    const plan = this.#plan(resolved);
    this.#programs.limit = options.memoryBytes ?? this.#programs.limit;
    admitImage(plan, this.#programs.limit);
    signal?.throwIfAborted();

    const texts = [];
    for (const text of prompts) texts.push(await this.#encodeText(plan, text, options));
    const size = tokensOf(resolved);
    if (start || resolved.references.length > 0) onStage?.("references");
    const references: Tensor<"f32">[] = [];
    for (const image of resolved.references) {
      signal?.throwIfAborted();
      references.push(await this.#programs.encode(plan, prepareReference(image), signal));
    }
    const levels = family.noiseLevels(size.width * size.height, steps);
    let latents = normalNoise(resolved.seed, 0, sizeOf(family.latentShape(size)));
    let first = 0;
    if (start) {
      const image = await this.#programs.encode(plan, coverImage(start.image, resolved, "lanczos"), signal);
      first = firstLevel(levels, start.strength);
      latents = noisedImage(image.data, latents, levels[first]);
    }
    if (first < steps) {
      onStage?.("denoising");
      const sampling = { latents, levels, first, guidanceScale, size, texts, references };
      await this.#denoise(plan, sampling, options);
    }
    signal?.throwIfAborted();
    onStage?.("decoding");
    return await this.#programs.decode(plan, latents, size, signal);
  }

  #plan(request: ResolvedRequest): ImagePlan {
    const references = request.references.map((image) => tokensOf(referenceSize(image).cropped));
    const sizes = { image: tokensOf(request), references, start: request.start !== undefined };
    return planImage(this.#files, sizes, this.#device);
  }

  #encodeText(plan: ImagePlan, prompt: string, { signal, onStage }: GenerateOptions): Promise<Tensor<"f32">> {
    return this.#texts.encode(prompt, () => {
      onStage?.("text");
      return this.#programs.textEncoder(plan, signal);
    });
  }

  async #denoise(plan: ImagePlan, sampling: Sampling, { signal, onStep }: GenerateOptions): Promise<void> {
    const { latents, levels, first, guidanceScale, size, references } = sampling;
    const { family } = this.#files;
    const [textLength] = sampling.texts[0].shape;
    const transformerSize = {
      image: size,
      references: references.map(({ shape: [, height, width] }) => ({ width, height })),
      textLength,
    };
    const program = await this.#programs.transformer(plan, transformerSize, signal);
    const velocity = family.openVelocity(this.#device, program, { image: size, references, textLength });
    const texts = sampling.texts.map((text) => this.#device.upload(text));
    const steps = levels.length - 1;
    try {
      for (let i = first; i < steps; i++) {
        signal?.throwIfAborted();
        const [conditional, unconditional] = [
          await velocity.predict(latents, levels[i], texts[0], signal),
          texts[1] && await velocity.predict(latents, levels[i], texts[1], signal),
        ];
        if (unconditional) guideVelocity(conditional, unconditional, guidanceScale);
        const expected = predictedImage(latents, conditional, levels[i]);
        eulerStep(latents, conditional, levels[i], levels[i + 1]);
        if (!latents.every(Number.isFinite)) {
          throw new Error(
            `Cannot make the image: the numbers of step ${i + 1} left the range of ${this.#device.label}`,
          );
        }
        await onStep?.({
          step: i - first + 1,
          steps: steps - first,
          preview: async () =>
            this.#programs.fitsDecoder(plan) ? await this.#programs.decode(plan, expected, size, signal) : undefined,
        });
      }
    } finally {
      velocity.release();
      for (const text of texts) text.release();
    }
  }
}

interface Sampling {
  /** Changed in place. */
  readonly latents: Float32Array;
  readonly levels: Float32Array;
  readonly first: number;
  readonly guidanceScale: number;
  readonly size: LatentSize;
  readonly texts: readonly Tensor[];
  readonly references: readonly Tensor[];
}
