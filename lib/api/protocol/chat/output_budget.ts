/**
 * How many tokens an answer can have.
 *
 * @module
 */
import { invalidField, invalidRequest } from "../../../errors/make_error.ts";
import type { SvcError } from "../../../errors/svc_error.ts";

/** What an answer has to fit into. */
export interface OutputBudget {
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Tokens that prompt and answer can have together. */
  readonly context: number;
  /** What the request asks for; undefined for `preset`. */
  readonly requested: number | undefined;
  /** The model's default. */
  readonly preset: number;
  /** The most that the engine generates, whatever is asked for; undefined for no such limit. */
  readonly max: number | undefined;
}

/**
 * Tokens to generate at most: what is asked for, cut to the engine's limit and to what the context has left. A prompt
 * is never cut.
 *
 * @throws {SvcError} `context_length_exceeded` when not even one token would fit, `invalid_max_tokens` when more is
 * asked for than the context has in all.
 */
export function outputBudget({ promptTokens, context, requested, preset, max }: OutputBudget): number {
  if (requested !== undefined && requested > context) {
    const message = `Cannot complete the chat: "max_tokens" is ${requested}, expected at most ${context}, ` +
      "the context of the model";
    throw invalidField("max_tokens", message);
  }
  if (promptTokens >= context) throw promptTooLong(String(promptTokens), context);
  return Math.min(requested ?? preset, max ?? Infinity, context - promptTokens);
}

/**
 * The refusal of a prompt.
 *
 * @param tokens How many tokens it has, such as `9000` or `at least 9000`.
 */
export function promptTooLong(tokens: string, context: number): SvcError {
  const message = `Cannot complete the chat: the messages have ${tokens} tokens, expected fewer than ${context}, ` +
    "the context of the model";
  return invalidRequest("context_length_exceeded", message, "messages");
}
