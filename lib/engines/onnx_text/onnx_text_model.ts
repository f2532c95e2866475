/**
 * A language model on ONNX Runtime.
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
import type { TokenTable } from "../constrained_decoding/token_table.ts";
import type { DecodeLoop } from "./decoding/decode_loop.ts";
import type { Decoder } from "./decoder/decoder.ts";
import type { PrefixStore } from "./decoding/prefix_cache.ts";

/** The parts of a model. */
export interface OnnxTextParts {
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
export class OnnxTextModel implements LanguageModel {
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

  async prepareConstraint(constraint: OutputConstraint): Promise<void> {
    await this.#parts.constrainer.prepare(constraint);
  }

  async generate(job: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    signal.throwIfAborted();
    const { constrainer, loop } = this.#parts;
    if (job.constraint === undefined) return await loop.generate(job, undefined, signal);
    const constraint = await constrainer.constrain(job.constraint);
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
