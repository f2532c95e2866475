/**
 * A language model on transformers.js, with our own sampling.
 *
 * @module
 */
import type { TemplateSources } from "../../protocol/mod.ts";
import { invalidRequest, unsupportedParameter } from "../../errors/svc_error.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { Sequence } from "../onnx_text/decoding/sequence.ts";
import { decodeChatImage } from "../text/decode_chat_image.ts";
import type {
  Constrainer,
  EngineCounters,
  GenerationJob,
  GenerationResult,
  LanguageModel,
  OutputConstraint,
  PromptImage,
} from "../contract/language_model.ts";
import { KeptText } from "./kept_text.ts";
import type {
  LibraryInputs,
  LibraryModel,
  LibraryOutputs,
  LibraryProcessor,
  LibraryTensor,
  TransformersLibrary,
} from "./transformers_library.ts";
import type { Tokenizer } from "@huggingface/tokenizers";
import type { TokenTable } from "../constrained_decoding/token_table.ts";
import type { TransformersFamily } from "./read_transformers_profile.ts";

/** The parts of a model. */
interface TransformersParts {
  readonly library: TransformersLibrary;
  readonly profile: ChatModelProfile;
  readonly family: TransformersFamily;
  readonly template: TemplateSources;
  readonly device: string;
  readonly tokenizer: Tokenizer;
  readonly tokens: TokenTable;
  readonly endTokens: ReadonlySet<number>;
  readonly model: LibraryModel;
  readonly processor: LibraryProcessor | undefined;
  /** What its template writes for an image. */
  readonly imageToken: number | undefined;
  readonly constrainer: Constrainer;
  readonly prefixCache: boolean;
}

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

  async prepareConstraint(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    await this.#parts.constrainer.prepare(constraint, signal);
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
    const constraint = job.constraint === undefined ? undefined : await constrainer.constrain(job.constraint, signal);
    const sequence = new Sequence(job, constraint, endTokens, signal);
    try {
      await generateTokens(this.#parts, sequence, this.#inputs.get(job.prompt), this.#kept);
      return sequence.result();
    } finally {
      constraint?.close();
    }
  }
}

/** Settings of a model that would change logits after we have chosen. */
const NEUTRAL = {
  do_sample: false,
  num_beams: 1,
  repetition_penalty: 1,
  no_repeat_ngram_size: 0,
  min_length: 0,
  min_new_tokens: null,
  bad_words_ids: null,
  guidance_scale: null,
  forced_bos_token_id: null,
  forced_eos_token_id: null,
  suppress_tokens: null,
  begin_suppress_tokens: null,
  eos_token_id: null,
  return_dict_in_generate: true,
};

/**
 * Runs a sequence to its end. The library prepares the inputs of each step and keeps the caches of every family; it
 * gets logits in which only our choice is possible.
 *
 * @param given Inputs with images; undefined for tokens alone.
 * @throws the reason of the sequence's signal when it aborts, at the latest after the prompt or a token.
 */
async function generateTokens(
  { library, model, family }: TransformersParts,
  sequence: Sequence,
  given: LibraryInputs | undefined,
  kept: KeptText,
): Promise<void> {
  const { job, signal } = sequence;
  const found = given === undefined ? await kept.take(job.prompt) : undefined;
  sequence.cachedTokens = found?.length ?? 0;
  const started = performance.now();
  const forward = model.forward.bind(model);
  let isFirst = true;
  const step = async (inputs: LibraryInputs): Promise<LibraryOutputs> => {
    signal.throwIfAborted();
    // The library takes an image that is null for one.
    if (inputs.pixel_values === null) delete inputs.pixel_values;
    const outputs = await forward(inputs);
    signal.throwIfAborted();
    if (isFirst) {
      sequence.addPrefill(performance.now() - started);
      job.onPrefill(job.prompt.length, job.prompt.length);
      isFirst = false;
    }
    const logits = outputs.logits.slice(null, -1, null).to("float32").data as Float32Array;
    const id = await sequence.choose(logits);
    return { ...outputs, logits: onlyChoice(library.Tensor, logits.length, id ?? 0) };
  };
  class Ended extends library.StoppingCriteria {
    _call(): boolean[] {
      return [sequence.ended !== undefined];
    }
  }
  const tokens = new library.Tensor("int64", BigInt64Array.from(job.prompt, BigInt), [1, job.prompt.length]);
  const mask = new library.Tensor("int64", new BigInt64Array(job.prompt.length).fill(1n), [1, job.prompt.length]);
  try {
    model.forward = step;
    const { past_key_values: cache } = await model.generate({
      ...given ?? { input_ids: tokens, attention_mask: mask },
      ...found === undefined ? {} : { past_key_values: found.cache },
      ...NEUTRAL,
      max_new_tokens: job.maxTokens + 1,
      stopping_criteria: new Ended(),
    });
    // The last token of an answer that did not end by itself was chosen, and has no keys and values.
    const cached = sequence.tokens.length - (sequence.endedByToken ? 0 : 1);
    if (given === undefined && family.kind !== "encoder-decoder") {
      await kept.keep(sequence.tokens.slice(0, cached), cache);
    } else await cache.dispose();
  } catch (error) {
    await found?.cache.dispose();
    throw error;
  } finally {
    model.forward = forward;
  }
}

/** Logits `[1, 1, vocabulary]` of which one is above the others. */
function onlyChoice(
  Tensor: TransformersParts["library"]["Tensor"],
  size: number,
  id: number,
): LibraryTensor {
  const logits = new Float32Array(size);
  logits[id] = 1;
  return new Tensor("float32", logits, [1, 1, size]);
}
