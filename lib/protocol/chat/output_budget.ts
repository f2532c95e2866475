/**
 * How many tokens an answer can have.
 *
 * @module
 */
import { invalidField, invalidRequest, type SvcError } from "../../errors/svc_error.ts";

/** The fields that limit the tokens of an answer: the old one and the new one. */
export type MaxTokensField = "max_tokens" | "max_completion_tokens";

/** The field that a prompt is made of. */
export type PromptSource = "messages" | "prompt";

/** The limits of an answer. */
export interface OutputBudget {
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Combined token limit of prompt and answer. */
  readonly context: number;
  /** What the request asks for; undefined for `preset`. */
  readonly requested: number | undefined;
  /** The field that asks for it, for errors. */
  readonly param?: MaxTokensField | undefined;
  /** What the prompt is made of, for errors; messages by default. */
  readonly source?: PromptSource | undefined;
  /** The model's default. */
  readonly preset: number;
  /** The engine's own limit; undefined for none. */
  readonly max: number | undefined;
}

/**
 * Maximum number of tokens to generate: the requested number, limited by the engine and by the remaining context. A
 * prompt is never truncated.
 *
 * @throws {SvcError} `context_length_exceeded` when not even one token would fit, `invalid_<param>` when more is
 * asked for than the context has in all.
 */
export function outputBudget(budget: OutputBudget): number {
  const { promptTokens, context, requested, param = "max_tokens", source, preset, max } = budget;
  if (requested !== undefined && requested > context) {
    const message = `Cannot complete the chat: "${param}" is ${requested}, expected at most ${context}, ` +
      "the context of the model";
    throw invalidField(param, message);
  }
  if (promptTokens >= context) throw promptTooLong(String(promptTokens), context, source);
  return Math.min(requested ?? preset, max ?? Infinity, context - promptTokens);
}

/**
 * The error of a prompt that is too long.
 *
 * @param tokens Its length, such as `9000` or `at least 9000`.
 */
export function promptTooLong(tokens: string, context: number, source: PromptSource = "messages"): SvcError {
  const what = source === "messages" ? "the messages have" : "the prompt has";
  const message = `Cannot complete the chat: ${what} ${tokens} tokens, expected fewer than ${context}, ` +
    "the context of the model";
  return invalidRequest("context_length_exceeded", message, source);
}
