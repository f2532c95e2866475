/**
 * A context of llama.cpp that is as long as the longest text so far.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/** What llama.cpp evaluates texts in. */
export interface TextContext {
  dispose(): Promise<void>;
}

const FIRST = 512;

/**
 * Keeps one context. Its buffers grow with the square of its length on some devices, so that a long one is made for
 * long texts only, twice as long each time, and as long as memory allows.
 */
export class GrowingContext<C extends TextContext> {
  readonly #create: (tokens: number) => Promise<C>;
  readonly #max: number;
  #tokens = 0;
  #context: C | undefined;

  /** @param max Of the tokens of a text. */
  constructor(create: (tokens: number) => Promise<C>, max: number) {
    this.#create = create;
    this.#max = max;
  }

  /**
   * The context, for a text of so many tokens. Calls must not overlap, nor may another text be evaluated.
   *
   * @throws {SvcError} `memory_pressure` when memory does not suffice for that length.
   */
  async of(tokens: number): Promise<C> {
    if (this.#context !== undefined && tokens <= this.#tokens) return this.#context;
    let wanted = FIRST;
    while (wanted < tokens) wanted *= 2;
    await this.close();
    const lengths = new Set([Math.min(wanted, this.#max), tokens]);
    let reason: unknown;
    for (const length of lengths) {
      try {
        // Llama.cpp needs a place behind the text.
        this.#context = await this.#create(length + 1);
        this.#tokens = length;
        return this.#context;
      } catch (error) {
        reason = error;
      }
    }
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new SvcError(
      "memory_pressure",
      `Cannot evaluate a text of ${tokens} tokens: llama.cpp says "${why}", expected enough memory, send shorter texts ` +
        "or unload other models",
      { cause: reason },
    );
  }

  async close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await context?.dispose();
  }
}
