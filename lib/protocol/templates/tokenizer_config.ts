/**
 * The chat settings of a model's `tokenizer_config.json`.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";

/** The templates of a model, and the tokens that they name. */
export interface TemplateSources {
  /** Undefined for a model without chat. */
  readonly chat: string | undefined;
  /** The separate template for requests with tools, if any. */
  readonly toolUse: string | undefined;
  /** `bos_token`, `eos_token` and others. */
  readonly tokens: Readonly<Record<string, string>>;
}

const tokenNames = ["bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token", "mask_token"];

/**
 * Reads templates and special tokens. Malformed values count as missing.
 *
 * @param config The parsed `tokenizer_config.json`.
 * @param template The text of `chat_template.jinja`, which wins; undefined if there is no such file.
 */
export function readTokenizerConfig(config: unknown, template?: string): TemplateSources {
  const fields = isObject(config) ? config : {};
  const named = Array.isArray(fields.chat_template) ? fields.chat_template.filter(isObject) : [];
  const byName = (name: string): string | undefined => text(named.find((one) => one.name === name)?.template);
  const tokens = tokenNames.map((name) => {
    const token = fields[name];
    return [name, text(isObject(token) ? token.content : token)];
  });
  return {
    chat: template ?? text(fields.chat_template) ?? byName("default"),
    toolUse: template === undefined ? byName("tool_use") : undefined,
    tokens: Object.fromEntries(tokens.filter(([, token]) => token !== undefined)),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
