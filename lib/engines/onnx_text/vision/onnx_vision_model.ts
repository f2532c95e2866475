/**
 * A language model with image input.
 *
 * @module
 */
import type {
  EngineCounters,
  GenerationJob,
  GenerationResult,
  LanguageModel,
  PromptImage,
} from "../../contract/language_model.ts";
import type { TokenEmbedder, VectorRows } from "../token_embedder.ts";
import { ImagePlacer } from "./image_placer.ts";
import { VisionEncoder } from "./vision_encoder.ts";
import { invalidRequest } from "../../../errors/svc_error.ts";
import type { Tokenizer } from "@huggingface/tokenizers";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import type { SessionSettings } from "../../onnx_sessions/open_session.ts";
import { readVisionLayout } from "./vision_layout.ts";

/** The model without its vision part. */
interface BlindModel {
  readonly text: LanguageModel;
  readonly embedder: TokenEmbedder;
  readonly tokenizer: Tokenizer;
}

/**
 * Opens the vision encoder of a model.
 *
 * @throws {Error} naming the file that cannot be used.
 */
export async function openVisionModel(
  files: ModelFiles,
  { text, embedder, tokenizer }: BlindModel,
  settings: SessionSettings,
): Promise<LanguageModel> {
  const layout = await readVisionLayout(files);
  if (layout === undefined) throw new Error("Cannot open the model: its files do not define its image input");
  const encoder = await VisionEncoder.open(files, layout, settings);
  const placer = new ImagePlacer({
    layout,
    encoder,
    encode: (part) => text.encode(part),
    textOf: (id) => tokenizer.id_to_token(id) ?? "",
  });
  return new OnnxVisionModel({ text, embedder, encoder, placer, markToken: layout.markToken });
}

/** The parts of such a model. */
interface OnnxVisionParts {
  /** Generates answers from tokens and vectors. */
  readonly text: LanguageModel;
  readonly embedder: TokenEmbedder;
  readonly encoder: VisionEncoder;
  readonly placer: ImagePlacer;
  /** What its template writes for an image. */
  readonly markToken: number;
}

/** See {@linkcode LanguageModel}. */
class OnnxVisionModel implements LanguageModel {
  readonly profile: LanguageModel["profile"];
  readonly template: LanguageModel["template"];
  readonly device: string;
  readonly tried: LanguageModel["tried"];
  readonly #parts: OnnxVisionParts;
  /** The vectors of prompts in use. */
  readonly #vectors = new WeakMap<readonly number[], readonly VectorRows[]>();

  constructor(parts: OnnxVisionParts) {
    this.profile = parts.text.profile;
    this.template = parts.text.template;
    this.device = parts.text.device;
    this.tried = parts.text.tried;
    this.#parts = parts;
  }

  encode(text: string): readonly number[] {
    return this.#parts.text.encode(text);
  }

  decode(ids: readonly number[]): string {
    return this.#parts.text.decode(ids);
  }

  bytesOf(id: number): Uint8Array {
    return this.#parts.text.bytesOf(id);
  }

  async placeImages(
    prompt: readonly number[],
    images: readonly PromptImage[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const { placer, markToken } = this.#parts;
    const marks = prompt.filter((id) => id === markToken).length;
    if (marks !== images.length) {
      const message =
        `Cannot complete the chat: the prompt has ${marks} image placeholders, expected ${images.length}, ` +
        "one for each image of the messages";
      throw invalidRequest("images_not_placed", message, "messages");
    }
    const vectors: VectorRows[] = [];
    const placed: number[] = [];
    for (const id of prompt) {
      if (id !== markToken) {
        placed.push(id);
        continue;
      }
      const image = await placer.place(images[vectors.length], signal);
      vectors.push(image.vectors);
      for (const one of image.ids) placed.push(one);
    }
    this.#vectors.set(placed, vectors);
    return placed;
  }

  async generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    const release = this.#parts.embedder.hold(this.#vectors.get(job.prompt) ?? []);
    try {
      return await this.#parts.text.generate(job, signal);
    } finally {
      release();
    }
  }

  counters(): EngineCounters {
    return this.#parts.text.counters();
  }

  async trim(): Promise<void> {
    this.#parts.placer.clear();
    await this.#parts.text.trim();
  }

  async close(): Promise<void> {
    await this.#parts.encoder.close();
    await this.#parts.text.close();
  }
}
