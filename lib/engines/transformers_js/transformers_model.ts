/**
 * A language model on transformers.js.
 *
 * @module
 */
import type { TemplateSources } from "../../protocol/mod.ts";
import { invalidRequest, unsupportedParameter } from "../../errors/svc_error.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { Sequence } from "../onnx_text/decoding/sequence.ts";
import { decodeChatImage } from "../text/decode_chat_image.ts";
import type {
  EngineCounters,
  GenerationJob,
  GenerationResult,
  LanguageModel,
  OutputConstraint,
  PromptImage,
} from "../contract/language_model.ts";
import { generateTokens } from "./generate_tokens.ts";
import { KeptText } from "./kept_text.ts";
import type { LibraryInputs } from "./transformers_library.ts";
import type { TransformersParts } from "./transformers_parts.ts";

/**
 * See {@linkcode LanguageModel}. One job runs at a time; tokens are chosen by our own sampling, so that every field
 * means the same as on other engines.
 */
export class TransformersModel implements LanguageModel {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  readonly device: string;
  readonly #parts: TransformersParts;
  readonly #kept: KeptText;
  /** Texts of prompts, which the processor needs, and its inputs for those with images. */
  readonly #texts = new WeakMap<readonly number[], string>();
  readonly #inputs = new WeakMap<readonly number[], LibraryInputs>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: TransformersParts) {
    this.profile = parts.profile;
    this.template = parts.template;
    this.device = parts.device;
    this.#parts = parts;
    this.#kept = new KeptText(parts.prefixCache && parts.family.kind !== "encoder-decoder");
  }

  encode(text: string): readonly number[] {
    const { tokenizer, family } = this.#parts;
    // A template writes its own marks; the end of a text for an encoder is the tokenizer's.
    const marks = family.kind === "encoder-decoder";
    const ids = text === "" ? [] : tokenizer.encode(text, { add_special_tokens: marks }).ids;
    this.#texts.set(ids, text);
    return ids;
  }

  decode(ids: readonly number[]): string {
    const { endTokens, tokenizer, family } = this.#parts;
    const shown = ids.filter((id) => !endTokens.has(id));
    if (shown.length === 0) return ""; // the tokenizer cannot decode an empty list
    const skip = family.kind === "encoder-decoder";
    return tokenizer.decode(shown, { skip_special_tokens: skip, clean_up_tokenization_spaces: false });
  }

  bytesOf(id: number): Uint8Array {
    return this.#parts.tokens.bytesOf(id);
  }

  async placeImages(prompt: readonly number[], images: readonly PromptImage[]): Promise<readonly number[]> {
    const { processor, imageToken, library: { RawImage } } = this.#parts;
    if (images.length > 1) {
      const message = `Cannot complete the chat: the messages have ${images.length} images, expected one`;
      throw unsupportedParameter(message, "messages");
    }
    const marks = prompt.filter((id) => id === imageToken).length;
    if (marks !== 1) {
      const message = `Cannot complete the chat: the prompt has ${marks} image placeholders, expected one`;
      throw invalidRequest("images_not_placed", message, "messages");
    }
    const text = this.#texts.get(prompt);
    if (processor === undefined || text === undefined) throw new Error("Cannot place an image: the prompt is unknown");
    const { data, width, height } = await decodeChatImage(images[0].bytes);
    const image = new RawImage(new Uint8ClampedArray(data), width, height, 3);
    const options = { add_special_tokens: false };
    // Processors of several media take sounds between images and options.
    const given = processor.feature_extractor ? [null, options] : [options];
    const inputs = await processor(text, [image], ...given).catch((cause) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `Cannot complete the chat: the model takes no image of ${width}x${height} (${reason})`;
      throw invalidRequest("invalid_image", message, "messages");
    });
    const ids = Array.from((inputs.input_ids as { data: BigInt64Array }).data, Number);
    this.#inputs.set(ids, inputs);
    return ids;
  }

  async prepareConstraint(constraint: OutputConstraint): Promise<void> {
    await this.#parts.constrainer.prepare(constraint);
  }

  async generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    const turn = this.#last.then(async () => {
      signal.throwIfAborted();
      return await this.#run(job, signal);
    });
    this.#last = turn.catch(() => {});
    return await turn;
  }

  counters(): EngineCounters {
    return { prefixKVCache: this.#kept.counters() };
  }

  async trim(): Promise<void> {
    await this.#kept.clear();
  }

  async close(): Promise<void> {
    await this.#kept.clear();
    this.#parts.constrainer.close();
    await this.#parts.model.dispose();
  }

  async #run(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    const { constrainer, endTokens } = this.#parts;
    const constraint = job.constraint === undefined ? undefined : await constrainer.constrain(job.constraint);
    const sequence = new Sequence(job, constraint, endTokens, signal);
    try {
      await generateTokens(this.#parts, sequence, this.#inputs.get(job.prompt), this.#kept);
      return sequence.result();
    } finally {
      constraint?.close();
    }
  }
}
