/**
 * Turns prompts into the token ids of a Qwen3 text encoder.
 *
 * @module
 */
import { Template } from "@huggingface/jinja";
import { checkPromptLength, type PromptField, tooManyTokens } from "./prompt_length.ts";
import { parseTokenizer, TokenizerError } from "../tokenizer/tokenizer_json.ts";

/** The contents of the `tokenizer` folder of a pipeline. */
export interface TokenizerFiles {
  /** `tokenizer.json`, a byte-level BPE model. */
  readonly tokenizer: unknown;
  /** `tokenizer_config.json`, which may hold the chat template and names the padding token. */
  readonly config: unknown;
  /** `chat_template.jinja` */
  readonly template: string | undefined;
}

/** A loaded tokenizer with its chat template. */
export interface Qwen3Tokenizer {
  /** Fills up prompts to the length that the encoder takes. */
  readonly padding: number;
  /**
   * The ids of a chat that holds nothing but the prompt, at most `limit`.
   *
   * @param param The field of the prompt, for errors.
   * @throws {SvcError} `context_length_exceeded` when there are more; a prompt is never cut.
   */
  encode(prompt: string, limit: number, param?: PromptField): Int32Array;
}

const PADDING = "<|endoftext|>";

/** How Qwen3 is asked, for folders without a template. */
function chatText(prompt: string, thinking: boolean): string {
  const answer = thinking ? "" : "<think>\n\n</think>\n\n";
  return `<|im_start|>user\n${prompt}<|im_end|>\n<|im_start|>assistant\n${answer}`;
}

/**
 * Makes a tokenizer from the contents of its files.
 *
 * @param name Name of the folder for error sentences.
 * @param thinking Whether the model may think before it answers.
 * @throws {TokenizerError} when the files are no such tokenizer or the template cannot be rendered.
 */
export function openQwen3Tokenizer(name: string, files: TokenizerFiles, thinking: boolean = false): Qwen3Tokenizer {
  const config = (files.config ?? {}) as { pad_token?: unknown; chat_template?: unknown };
  const type = (files.tokenizer as { model?: { type?: unknown } } | null)?.model?.type;
  if (type !== "BPE") {
    throw new TokenizerError(`Cannot use ${name}/tokenizer.json: its model is ${JSON.stringify(type)}, expected "BPE"`);
  }
  const tokenizer = parseTokenizer(`${name}/tokenizer.json`, files.tokenizer as object, {});
  const pad = textOf(config.pad_token) ?? PADDING;
  const padding = tokenizer.token_to_id(pad);
  if (padding === undefined) throw new TokenizerError(`Cannot use ${name}/tokenizer.json: it has no token "${pad}"`);
  const render = renderer(name, files.template ?? textOf(config.chat_template), thinking);
  const idsOf = (text: string) => tokenizer.encode(render(text), { add_special_tokens: false }).ids;
  return {
    padding,
    encode(prompt, limit, param = "prompt") {
      checkPromptLength(prompt, limit, param);
      const ids = idsOf(prompt);
      if (ids.length > limit) throw tooManyTokens(String(ids.length), limit, param);
      return Int32Array.from(ids);
    },
  };
}

/** A token is written as its text or as an object that holds it. */
function textOf(value: unknown): string | undefined {
  const content = typeof value === "object" ? (value as { content?: unknown } | null)?.content : value;
  return typeof content === "string" ? content : undefined;
}

function renderer(name: string, template: string | undefined, thinking: boolean): (prompt: string) => string {
  if (template === undefined) return (prompt) => chatText(prompt, thinking);
  try {
    const parsed = new Template(template);
    const render = (content: string) =>
      parsed.render({ messages: [{ role: "user", content }], add_generation_prompt: true, enable_thinking: thinking });
    if (!render("message").includes("message")) throw new Error("what it renders lacks the message");
    return render;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new TokenizerError(`Cannot use the chat template of ${name}: ${reason}`, { cause });
  }
}
