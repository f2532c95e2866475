/**
 * Image generation and editing.
 *
 * @module
 */
import {
  checkPromptLength,
  checkReference,
  checkSecondPass,
  checkTakesReferences,
  MAX_REFERENCES,
} from "../../../engines/image/image_checks.ts";
import {
  imageModelBytes,
  type ImageOrder,
  type ImagePreview,
  imageWorkBytes,
  makeImage,
} from "../../../engines/image/image_operations.ts";
import { isStretched } from "../../../engines/image/native_size.ts";
import { unknownWords } from "../../../engines/image/unknown_words.ts";
import type { ImageModelProfile } from "../../../engines/contract/model_profile.ts";
import { invalidField, SvcError } from "../../../errors/svc_error.ts";
import {
  type GeneratedImage,
  type ImageAnswer,
  imageAnswer,
  type ImageRoute,
  previewSteps,
  sizeText,
} from "../../../protocol/images/image_answer.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import type { ModelDirectory } from "../model_directory.ts";
import { recordRun, type RunPlan, type RunRecorder } from "../run_recorder.ts";
import { type ImageFiles, type ImageForm, type ImageRequest, readEdit, readGeneration } from "./image_request.ts";
import type { InstalledModel } from "../../../store/catalog/installed_model.ts";
import { testWarnings } from "../../../store/catalog/test_model.ts";

/** What the service depends on. */
export interface ImageServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  readonly clock: Clock;
  readonly files: ImageFiles;
  /** A seed for requests without one, of 64 bits. */
  readonly newSeed: () => bigint;
  readonly records?: RunRecorder | undefined;
}

/** A request that has passed all validation that needs no model. */
export interface PreparedImage {
  readonly route: ImageRoute;
  readonly warnings: readonly string[];
  readonly stream: boolean;
  /**
   * Waits for a slot and for the model, and makes the image.
   *
   * @param onPreview Called with each preview of a stream.
   * @throws {SvcError} for every reason of the pool.
   * @throws {SvcError} `context_length_exceeded`, `unsupported_parameter`, `image_damaged`.
   * @throws the reason of `signal` when it aborts.
   */
  run(signal: AbortSignal, onPreview?: (preview: GeneratedImage) => void): Promise<GeneratedImage>;
  /** The image in the format that was asked for; a file of its own where that is a URL. */
  answer(image: GeneratedImage): Promise<ImageAnswer>;
}

/** Makes and edits images. */
export class ImageService {
  readonly #options: ImageServiceOptions;

  constructor(options: ImageServiceOptions) {
    this.#options = options;
  }

  /** Checks the body of a generation. Throws {@linkcode SvcError}. */
  generation(body: unknown): Promise<PreparedImage> {
    return this.#prepare("image_generation", "make an image", readGeneration(body));
  }

  /** Checks the form of an edit. Throws {@linkcode SvcError}. */
  edit(form: ImageForm): Promise<PreparedImage> {
    return this.#prepare("image_edit", "edit the image", readEdit(form));
  }

  async #prepare(route: ImageRoute, action: string, request: ImageRequest): Promise<PreparedImage> {
    const { model, profile } = await this.#options.directory.findFor(request.model, "image", action);
    const order = this.#order(model, profile, request);
    checkSecondPass(order, profile.secondPass);
    // A prompt of megabytes waits for no slot and loads no model.
    checkPromptLength(request.prompt, profile.maxPromptTokens, "prompt");
    checkPromptLength(request.negativePrompt ?? "", profile.maxPromptTokens, "negative_prompt");
    await this.#checkPictures(request, profile);
    const { native } = profile;
    const stretched = native && isStretched(order, native)
      ? [`The model makes images of up to ${sizeText(native)}; this one is stretched to ${sizeText(order)}`]
      : [];
    const { files } = this.#options;
    return {
      route,
      warnings: [...request.warnings, ...stretched, ...unknownWords(profile, request.prompt), ...testWarnings(model)],
      stream: request.stream,
      run: (signal, onPreview) => this.#run({ route, request, model, order }, signal, onPreview),
      answer: async (image) =>
        imageAnswer(image, order.prompt, request.format === "url" ? await files.keep(image.png) : undefined),
    };
  }

  #order(model: InstalledModel, profile: ImageModelProfile, request: ImageRequest): ImageOrder {
    const { prompt, negativePrompt, size, strength, pictures } = request;
    const { steps = profile.steps, guidanceScale = profile.guidance } = request;
    const seed = String(request.seed ?? this.#options.newSeed());
    const order = {
      prompt,
      ...size,
      seed,
      ...negativePrompt !== undefined && { negativePrompt },
      steps,
      guidanceScale,
      pictures: pictures.map(({ path }) => path),
      ...strength !== undefined && { strength },
      previews: request.stream ? [...previewSteps(request.partialImages, steps)] : [],
      text: {
        prompt,
        seed,
        model: model.id.split(/[\\/]/).at(-1)!,
        ...negativePrompt && { negative_prompt: negativePrompt },
      },
    };
    return { ...order, memoryBytes: imageModelBytes(profile) + imageWorkBytes(order, profile) };
  }

  async #checkPictures({ pictures, mask, strength }: ImageRequest, profile: ImageModelProfile): Promise<void> {
    const { files } = this.#options;
    const { native, takesReferences = true } = profile;
    const references = pictures.length - (strength === undefined ? 0 : 1);
    if (references > 0) checkTakesReferences(takesReferences);
    if (references > MAX_REFERENCES) {
      const message =
        `Cannot edit the image: there are ${references} reference images, expected at most ${MAX_REFERENCES}`;
      throw invalidField("image", message);
    }
    for (const [i, { path, field }] of pictures.entries()) {
      const size = await ofUpload(field, files.size(path));
      if (!native && !(i === 0 && strength !== undefined)) checkReference(size, i);
    }
    if (mask) await ofUpload("mask", files.size(mask.path));
  }

  async #run(
    { route, request, model, order }: RunningImage,
    signal: AbortSignal,
    onPreview: (preview: GeneratedImage) => void = () => {},
  ): Promise<GeneratedImage> {
    const { runtime, clock, records } = this.#options;
    const { width, height, seed } = order;
    const made = (png: Uint8Array): GeneratedImage => {
      return { png, width, height, seed, created: Math.floor(clock.now() / 1000) };
    };
    let previews = 0;
    const onEvent = ({ png }: ImagePreview): void => onPreview({ ...made(png), preview: previews++ });
    const plan = () => runPlan(route, request, model, order);
    const png = await recordRun(records, plan, signal, async () => {
      const { png } = await runtime.perform({ model, operation: makeImage, input: order, onEvent }, signal);
      return { result: png, outputs: () => [{ name: "output.png", content: png }] };
    });
    return made(png);
  }
}

interface RunningImage {
  readonly route: ImageRoute;
  readonly request: ImageRequest;
  readonly model: InstalledModel;
  readonly order: ImageOrder;
}

/** What a record holds. */
function runPlan(route: ImageRoute, request: ImageRequest, model: InstalledModel, order: ImageOrder): RunPlan {
  const { steps, guidanceScale, negativePrompt = null, strength = null, format } = request;
  const common = { prompt: order.prompt, size: sizeText(order), negative_prompt: negativePrompt, strength };
  const { mask, pictures } = request;
  return {
    requested: {
      ...common,
      operation: route,
      model: request.model ?? null,
      seed: request.seed === undefined ? null : String(request.seed),
      steps: steps ?? null,
      guidance_scale: guidanceScale ?? null,
      response_format: format,
    },
    effective: {
      ...common,
      model: model.id,
      seed: order.seed,
      steps: order.steps,
      guidance_scale: order.guidanceScale,
    },
    details: { modelSelector: request.model ?? null },
    inputs: [
      ...pictures.map(({ path, filename }, i) => ({ name: i === 0 ? "input" : `reference-${i}`, path, filename })),
      ...mask ? [{ name: "mask", path: mask.path, filename: mask.filename }] : [],
    ],
  };
}

/** A problem with an uploaded picture as the client sees it: a 400 that names the field. */
async function ofUpload<T>(field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new SvcError(error.code, error.message, { param: field, cause: error.cause });
  }
}
