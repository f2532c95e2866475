/**
 * The draft model of a chat model, and whether a model can draft for another.
 *
 * @module
 */
import type { LlamaModel } from "node-llama-cpp";
import type { EngineCounters, GenerationJob } from "../contract/language_model.ts";
import { DraftSequence, type DraftSettings, MAX_DRAFT } from "./draft_sequence.ts";
import type { SequencePool } from "./sequence_pool.ts";
import { modelUnavailable, type SvcError } from "../../errors/svc_error.ts";
import { type GgufMetadata, numberField, textField, textsField } from "./gguf_metadata.ts";

/** The parts of a {@linkcode DraftModel}. */
interface DraftParts {
  readonly model: LlamaModel;
  /** As many sequences as the chat model has. */
  readonly pool: SequencePool;
  /** Maximum number of tokens of prompt and answer together. */
  readonly context: number;
}

/** A smaller model of the same vocabulary that guesses what the chat model says. */
export class DraftModel {
  readonly #parts: DraftParts;
  #active = 0;
  #rounds = 0;
  #drafted = 0;
  #accepted = 0;

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  /**
   * Runs `work` with a draft of the answer; without one where the text is too long for the draft model, or memory for
   * its context is short.
   */
  async use<T>(
    { prompt, maxTokens }: GenerationJob,
    settings: Pick<DraftSettings, "isEnd" | "size" | "signal">,
    work: (draft: DraftSequence | undefined) => Promise<T>,
  ): Promise<T> {
    const tokens = prompt.length + maxTokens;
    if (tokens > this.#parts.context) return await work(undefined);
    let begun = false;
    this.#active++;
    try {
      return await this.#parts.pool.use(prompt, tokens, settings.signal, async (sequence) => {
        begun = true;
        return await work(new DraftSequence({ ...settings, sequence, prompt }));
      });
    } catch (error) {
      if (begun || settings.signal.aborted) throw error;
      return await work(undefined);
    } finally {
      this.#active--;
    }
  }

  /** Whether its state cannot go back to any token. */
  get needsCheckpoints(): boolean {
    return this.#parts.pool.needsCheckpoints;
  }

  /** Counts a guess. */
  count(drafted: number, accepted: number): void {
    this.#rounds++;
    this.#drafted += drafted;
    this.#accepted += accepted;
  }

  counters(): NonNullable<EngineCounters["mtp"]> {
    return {
      available: true,
      enabled: true,
      active: this.#active > 0,
      blockSize: MAX_DRAFT + 1,
      threshold: 0,
      rounds: this.#rounds,
      draftedTokens: this.#drafted,
      acceptedTokens: this.#accepted,
      rejectedTokens: this.#drafted - this.#accepted,
    };
  }

  /** Frees its context when it is idle. */
  async trim(): Promise<void> {
    await this.#parts.pool.trim();
  }

  async close(): Promise<void> {
    await this.trim();
    await this.#parts.model.dispose();
  }
}

/** Published sizes of one family are padded to different numbers of tokens; llama.cpp allows the same difference. */
const MAX_PADDING = 128;

/** Marks whose tokens have to be the same. */
const MARKS = ["bos", "eos", "eot"] as const;

/**
 * Checks that two models have the same tokens, except for padding at the end.
 *
 * @throws {SvcError} `model_unavailable` with the first difference.
 */
export function checkDraftVocabulary(model: GgufMetadata, draft: GgufMetadata): void {
  const problem = difference(model, draft);
  if (problem === undefined) return;
  throw cannotDraft(`${problem}, expected the vocabulary of the model`);
}

/** The refusal of a draft model. */
export function cannotDraft(problem: string): SvcError {
  const remedy = "choose a draft of the same family, or none with svc model runtime set ID --clear-draft-model";
  return modelUnavailable("model_unavailable", `Cannot use the draft model: ${problem}; ${remedy}`);
}

function difference(model: GgufMetadata, draft: GgufMetadata): string | undefined {
  const kinds = [model, draft].map((one) => textField(one, "tokenizer.ggml.model"));
  if (kinds[0] !== kinds[1]) return `its tokenizer is ${kinds[1]} and the model's ${kinds[0]}`;
  const [own, its] = [model, draft].map((one) => textsField(one, "tokenizer.ggml.tokens") ?? []);
  if (Math.abs(own.length - its.length) > MAX_PADDING) {
    return `it has ${its.length} tokens and the model ${own.length}`;
  }
  const common = Math.min(own.length, its.length);
  for (let id = 0; id < common; id++) {
    if (own[id] !== its[id]) return `its token ${id} is ${shown(its[id])} and the model's ${shown(own[id])}`;
  }
  for (const mark of MARKS) {
    const [ours, theirs] = [model, draft].map((one) => numberField(one, `tokenizer.ggml.${mark}_token_id`));
    if (ours !== theirs) return `its ${mark} token is ${theirs ?? "missing"} and the model's ${ours ?? "missing"}`;
  }
  return undefined;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
