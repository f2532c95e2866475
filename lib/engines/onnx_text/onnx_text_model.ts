/**
 * Language models on ONNX Runtime.
 *
 * @module
 */
import type { TriedDevice } from "../contract/engine_settings.ts";
import type { Tokenizer } from "@huggingface/tokenizers";
import type { TemplateSources } from "../../protocol/mod.ts";
import type {
  Constrainer,
  EngineCounters,
  GenerationJob,
  GenerationResult,
  LanguageModel,
  OutputConstraint,
} from "../contract/language_model.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { lateTokenTable, type TokenTable } from "../constrained_decoding/token_table.ts";
import { DecodeLoop } from "./decoding/decode_loop.ts";
import type { Decoder } from "./decoder/decoder.ts";
import { PrefixCache, type PrefixStore } from "./decoding/prefix_cache.ts";
import type { EngineOptions, ModelFiles } from "../contract/engine_entry.ts";
import { readTemplate, readTokenizerFile } from "../files/tokenizer_files.ts";
import { openVisionModel } from "./vision/onnx_vision_model.ts";
import { openDecoder } from "./decoder/open_decoder.ts";
import { packingPolicy } from "./decoding/kv_packing.ts";
import { SnapshotCache } from "./decoding/snapshot_cache.ts";
import { readEndTokens, readOnnxTextProfile } from "./read_onnx_text_profile.ts";

/** Limits of the prefix cache. */
const CACHE = { maxEntries: 16, maxBytes: 512 * 1024 * 1024 };

/**
 * Opens a causal language model in Hugging Face layout.
 *
 * @throws {Error} naming the unusable file, and why.
 *
 * @example
 * ```ts ignore
 * const model = await openOnnxTextModel(openModelFolder(folder, names), options);
 * console.log(model.encode("Hello"), model.device);
 * ```
 */
export async function openOnnxTextModel(files: ModelFiles, options: EngineOptions): Promise<LanguageModel> {
  const profile = await readOnnxTextProfile(files);
  if (profile === undefined) {
    throw new Error(
      "Cannot open the model: its files are not a causal language model in ONNX, expected onnx/model.onnx",
    );
  }
  const { tokenizer, json } = await readTokenizerFile(files);
  const tokens = lateTokenTable(() => json);
  const template = await readTemplate(files);
  const endTokens = await readEndTokens(files, template, (token) => tokenizer.token_to_id(token));
  options.onProgress(0.1);
  const packed = packingPolicy(options.kvCacheMode);
  const { decoder, device, tried, width, embedder } = await openDecoder(files, options, packed !== undefined);
  const constrainer = options.openConstrainer({
    size: width,
    endTokens: [...endTokens],
    bytesOf: (id) => tokens.bytesOf(id),
    isSpecial: (id) => tokens.isSpecial(id),
  });
  const prefixCache = !options.prefixCache
    ? undefined
    : decoder.rewinds
    ? new PrefixCache(decoder.graph, { ...CACHE, packed })
    : new SnapshotCache(decoder.graph, CACHE);
  const loop = new DecodeLoop(decoder, { endTokens, concurrency: options.concurrency, prefixCache });
  options.onProgress(1);
  const text = new OnnxTextModel({
    profile,
    template,
    device,
    tried,
    tokenizer,
    tokens,
    endTokens,
    decoder,
    loop,
    constrainer,
    prefixCache,
  });
  if (embedder === undefined || !profile.capabilities.features.has("images")) return text;
  return await openVisionModel(files, { text, embedder, tokenizer }, options);
}

/** The parts of a model. */
interface OnnxTextParts {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  readonly device: string;
  readonly tried: readonly TriedDevice[];
  readonly tokenizer: Tokenizer;
  readonly tokens: TokenTable;
  readonly endTokens: ReadonlySet<number>;
  readonly decoder: Decoder;
  readonly loop: DecodeLoop;
  readonly constrainer: Constrainer;
  readonly prefixCache: PrefixStore | undefined;
}

/** See {@linkcode LanguageModel}. */
class OnnxTextModel implements LanguageModel {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  readonly device: string;
  readonly tried: readonly TriedDevice[];
  readonly #parts: OnnxTextParts;

  constructor(parts: OnnxTextParts) {
    this.profile = parts.profile;
    this.template = parts.template;
    this.device = parts.device;
    this.tried = parts.tried;
    this.#parts = parts;
  }

  encode(text: string): readonly number[] {
    return text === "" ? [] : this.#parts.tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  decode(ids: readonly number[]): string {
    const { endTokens, tokenizer } = this.#parts;
    const shown = ids.filter((id) => !endTokens.has(id));
    if (shown.length === 0) return ""; // the tokenizer cannot decode an empty list
    return tokenizer.decode(shown, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  }

  bytesOf(id: number): Uint8Array {
    return this.#parts.tokens.bytesOf(id);
  }

  async prepareConstraint(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    await this.#parts.constrainer.prepare(constraint, signal);
  }

  async generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    signal.throwIfAborted();
    const { constrainer, loop } = this.#parts;
    if (job.constraint === undefined) return await loop.generate(job, undefined, signal);
    const constraint = await constrainer.constrain(job.constraint, signal);
    try {
      return await loop.generate(job, constraint, signal);
    } finally {
      constraint.close();
    }
  }

  counters(): EngineCounters {
    return this.#parts.loop.counters();
  }

  // deno-lint-ignore require-await -- other engines have to wait
  async trim(): Promise<void> {
    this.#parts.prefixCache?.clear();
  }

  async close(): Promise<void> {
    this.#parts.prefixCache?.clear();
    this.#parts.constrainer.close();
    await this.#parts.decoder.close();
  }
}
