/**
 * The draft model of a chat model.
 *
 * @module
 */
import type { LlamaModel } from "node-llama-cpp";
import type { EngineCounters, GenerationJob } from "../contract/language_model.ts";
import { MAX_DRAFT } from "./draft_length.ts";
import { DraftSequence, type DraftSettings } from "./draft_sequence.ts";
import type { SequencePool } from "./sequence_pool.ts";

/** The parts of a {@linkcode DraftModel}. */
export interface DraftParts {
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
