/**
 * Prompts that are too long, found without a tokenizer: a server checks them before it loads anything.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/** The field that a prompt comes from. */
export type PromptField = "prompt" | "negative_prompt";

/** No token of a text in any language has as many characters. */
const MAX_CHARACTERS_PER_TOKEN = 64;

/**
 * Refuses a prompt that has more tokens than a model takes, whatever its tokenizer makes of it.
 *
 * @throws {SvcError} `context_length_exceeded`.
 */
export function checkPromptLength(prompt: string, limit: number, param: PromptField): void {
  const min = Math.ceil(prompt.length / MAX_CHARACTERS_PER_TOKEN);
  if (min > limit) throw tooManyTokens(`at least ${min}`, limit, param);
}

/**
 * The error of a prompt that is too long.
 *
 * @param count Its tokens, such as `600` or `at least 600`.
 */
export function tooManyTokens(count: string, limit: number, param: PromptField): SvcError {
  const name = param.replace("_", " ");
  const message = `Cannot make an image: the ${name} has ${count} tokens, the model takes ${limit}, shorten it`;
  return new SvcError("context_length_exceeded", message, { param });
}
