/**
 * Language models on llama.cpp, and the tokens of their GGUF files.
 *
 * @module
 */
import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import type { TemplateSources } from "../../protocol/mod.ts";
import type {
  Constrainer,
  EngineCounters,
  GenerationJob,
  GenerationResult,
  LanguageModel,
  OpenConstrainer,
  OutputConstraint,
  PromptImage,
} from "../contract/language_model.ts";
import type { TriedDevice } from "../contract/engine_settings.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import type { PromptImages } from "./images/prompt_images.ts";
import { AnswerSequence } from "./answer_sequence.ts";
import type { DraftModel } from "./draft_model.ts";
import type { DraftSequence } from "./draft_sequence.ts";
import { EvaluationRounds } from "./evaluation_rounds.ts";
import type { SequencePool } from "./sequence_pool.ts";
import { TokenChooser } from "./token_chooser.ts";
import { lateTokenTable, type TokenTable } from "../constrained_decoding/token_table.ts";
import { type GgufMetadata, lengthOfList, numbersField, textField, textsField } from "./gguf_metadata.ts";

/** The parts of an open model. */
interface GgufParts {
  readonly profile: ChatModelProfile;
  readonly template: TemplateSources;
  readonly device: string;
  readonly tried: readonly TriedDevice[];
  readonly model: LlamaModel;
  readonly pool: SequencePool;
  /** Guesses what it says; undefined for none. */
  readonly draft: DraftModel | undefined;
  /** Reads images; undefined for a model without a projector. */
  readonly images: PromptImages | undefined;
  readonly vocabulary: GgufVocabulary;
  readonly openConstrainer: OpenConstrainer;
}

/** A GGUF model; see {@linkcode LanguageModel}. */
export class GgufTextModel implements LanguageModel {
  readonly #parts: GgufParts;
  readonly #ends: ReadonlySet<number>;
  readonly #constrainer: Constrainer;
  readonly #rounds = new EvaluationRounds();

  constructor(parts: GgufParts) {
    const { model, vocabulary, openConstrainer } = parts;
    this.#parts = parts;
    const { eos, eot } = model.tokens;
    const ends = vocabulary.marks.filter((id) => model.isEogToken(id as Token));
    this.#ends = new Set([...ends, eos, eot].filter((id) => id !== null));
    this.#constrainer = openConstrainer({ ...vocabulary, endTokens: [...this.#ends] });
  }

  get profile(): ChatModelProfile {
    return this.#parts.profile;
  }

  get template(): TemplateSources {
    return this.#parts.template;
  }

  get device(): string {
    return this.#parts.device;
  }

  get tried(): readonly TriedDevice[] {
    return this.#parts.tried;
  }

  get imageMark(): string | undefined {
    return this.#parts.images?.mark;
  }

  encode(text: string): readonly number[] {
    const { model, images } = this.#parts;
    const { bos, shouldPrependBosToken } = model.tokens;
    const found = model.tokenize(text, true);
    const ids = shouldPrependBosToken && bos !== null && found[0] !== bos ? [bos, ...found] : found;
    images?.wrote(ids, text);
    return ids;
  }

  async placeImages(
    prompt: readonly number[],
    images: readonly PromptImage[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    return await this.#parts.images?.place(prompt, images, signal) ?? prompt;
  }

  promptTokens(prompt: readonly number[]): number {
    return prompt.length + (this.#parts.images?.extra(prompt) ?? 0);
  }

  decode(ids: readonly number[]): string {
    return this.#parts.model.detokenize(ids.filter((id) => !this.#ends.has(id)) as Token[], true);
  }

  bytesOf(id: number): Uint8Array {
    return this.#parts.vocabulary.bytesOf(id);
  }

  async prepareConstraint(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    await this.#constrainer.prepare(constraint, signal);
  }

  async generate(given: GenerationJob, signal: AbortSignal): Promise<GenerationResult> {
    const began = seconds();
    const { draft: drafts, images, vocabulary: { size } } = this.#parts;
    const job = { ...given, stablePrefix: images?.stablePrefix(given.prompt) ?? given.stablePrefix };
    const { constraint: wanted } = job;
    const constraint = wanted && await this.#constrainer.constrain(wanted, signal);
    try {
      return await this.#parts.pool.use(
        job.prompt,
        this.promptTokens(job.prompt) + job.maxTokens,
        signal,
        async (sequence) => {
          const started = seconds();
          const held = sequence.nextTokenIndex;
          const cached = await images?.load(job.prompt, sequence, signal) ? 0 : held;
          const isEnd = (id: number): boolean => this.#ends.has(id);
          const chooser = this.#chooser(job, sequence);
          const evaluate = async (draft?: DraftSequence): Promise<GenerationResult> => {
            const common = { job, signal, sequence, cached, chooser, constraint, isEnd, seconds, began, started };
            const answer = new AnswerSequence({ ...common, draft, onGuess: (...counts) => drafts?.count(...counts) });
            await this.#rounds.run(answer);
            return answer.result();
          };
          // What a constraint allows next, and what penalties make of it, depends on what was said before; a draft sees
          // no images.
          const guessed = constraint === undefined && chooser.foresees && job.images.length === 0;
          if (drafts === undefined || !guessed) return await evaluate();
          return await drafts.use(job, { isEnd, size, signal }, evaluate);
        },
      );
    } finally {
      constraint?.close();
    }
  }

  counters(): EngineCounters {
    const { pool, draft } = this.#parts;
    const continuousBatching = this.#rounds.counters(pool.size > 1, pool.waiting);
    return { prefixKVCache: pool.counters(), continuousBatching, ...draft && { mtp: draft.counters() } };
  }

  async trim(): Promise<void> {
    await this.#parts.images?.stop();
    await this.#parts.draft?.trim();
    await this.#parts.pool.trim();
  }

  async close(): Promise<void> {
    this.#constrainer.close();
    await this.#parts.images?.stop();
    await this.#parts.draft?.close();
    await this.#parts.pool.trim();
    await this.#parts.model.dispose();
  }

  #chooser(
    { prompt: placed, sampling, seed, topLogprobs }: GenerationJob,
    sequence: LlamaContextSequence,
  ): TokenChooser {
    const { size } = this.#parts.vocabulary;
    const prompt = placed.filter((id) => id >= 0);
    return new TokenChooser({ prompt, sampling, seed, topLogprobs, size, repeatable: !sequence.needsCheckpoints });
  }
}

function seconds(): number {
  return performance.now() / 1000;
}

/** Token types other than text, as numbered by `tokenizer.ggml.token_type`: unknown, control, unused. */
const NO_TEXT: ReadonlySet<number> = new Set([2, 3, 5]);

/** User-defined tokens: these are literal, regardless of the tokenizer's encoding. */
const USER_DEFINED = 4;

/** Tokens that may be control tokens: all but normal text. */
interface GgufVocabulary extends TokenTable {
  readonly marks: readonly number[];
}

/** Reads the tokens: byte-level ones and those of SentencePiece, which cover all chat models. */
export function ggufVocabulary(metadata: GgufMetadata): GgufVocabulary {
  const size = lengthOfList(metadata, "tokenizer.ggml.tokens");
  const types = numbersField(metadata, "tokenizer.ggml.token_type") ?? [];
  const marks = Array.from({ length: size }, (_, id) => id)
    .filter((id) => NO_TEXT.has(types[id]) || types[id] === USER_DEFINED);
  const table = lateTokenTable(() => {
    const texts = textsField(metadata, "tokenizer.ggml.tokens") ?? [];
    return {
      model: { vocab: texts.map((text) => [text]) },
      decoder: textField(metadata, "tokenizer.ggml.model") === "gpt2" ? { type: "ByteLevel" } : {},
      added_tokens: marks.map((id) => ({ id, content: texts[id], special: NO_TEXT.has(types[id]) })),
    };
  });
  return { bytesOf: table.bytesOf, isSpecial: table.isSpecial, size, marks };
}
