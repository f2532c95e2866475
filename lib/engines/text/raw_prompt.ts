/**
 * Prompts that no chat template renders, and texts as tokens.
 *
 * @module
 */
import type { ChatTemplate, RawPrompt, RenderedPrompt, TemplateRequest } from "../../protocol/mod.ts";
import type { LanguageModel } from "../contract/language_model.ts";
import { invalidField, unsupportedParameter } from "../../errors/svc_error.ts";

/** The marks of models that fill in the middle: before the prefix, before the suffix, before what is missing. */
const FILL_IN_MARKS: readonly (readonly [prefix: string, suffix: string, middle: string])[] = [
  ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"],
  ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"],
  ["<fim-prefix>", "<fim-suffix>", "<fim-middle>"],
  ["<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"],
  ["<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"],
];

/** Nothing in a raw answer marks reasoning. */
const NO_TAGS = { open: "\0", close: "\0" };

/** The text of a raw prompt as it is encoded. */
export function renderRaw(model: LanguageModel, template: ChatTemplate, prompt: RawPrompt): RenderedPrompt {
  const text = "tokens" in prompt
    ? model.decode(prompt.tokens)
    : withStart(model, template, writtenPrompt(model, prompt));
  return { text, reasoningTags: NO_TAGS, startsInReasoning: false, toolCallFormat: "hermes" };
}

function writtenPrompt(model: LanguageModel, { text, suffix = "" }: Extract<RawPrompt, { text: string }>): string {
  if (suffix === "") return text;
  const marks = FILL_IN_MARKS.find((three) => three.every((mark) => isOneToken(model, mark)));
  if (marks === undefined) {
    const message =
      'Cannot complete the prompt: "suffix" asks to fill in the middle, for which the model has no tokens, ' +
      "omit it or choose another model";
    throw unsupportedParameter(message, "suffix");
  }
  return `${marks[0]}${text}${marks[1]}${suffix}${marks[2]}`;
}

function isOneToken(model: LanguageModel, mark: string): boolean {
  return withoutStart(model, model.encode(mark)).length === 1;
}

/**
 * A text with the mark at its start that the model has learned to see there: a model whose chats begin with it. Engines
 * that add it to every text do so themselves.
 */
export function withStart({ template: { tokens } }: LanguageModel, template: ChatTemplate, text: string): string {
  const start = tokens.bos_token ?? "";
  if (start === "" || text.startsWith(start)) return text;
  return chatBeginning(template).startsWith(start) ? start + text : text;
}

/** The prompt of a short chat; empty when the template does not take one. */
function chatBeginning(template: ChatTemplate): string {
  const request: TemplateRequest = {
    messages: [{ role: "user", content: "x", name: undefined }],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    reasoning: { enabled: undefined, effort: undefined, param: "" },
    templateArguments: {},
  };
  try {
    return template.render(request, new Date(0)).text;
  } catch {
    return "";
  }
}

/** Tokens without the mark that an engine adds to every text. */
export function withoutStart(model: LanguageModel, ids: readonly number[]): readonly number[] {
  const start = model.encode("");
  return start.length > 0 && start.every((id, i) => ids[i] === id) ? ids.slice(start.length) : ids;
}

/**
 * Refuses tokens that a model does not have.
 *
 * @param field The field that holds them.
 */
export function checkTokens(model: LanguageModel, tokens: readonly number[], field: string, action: string): void {
  const wrong = tokens.findIndex((id) => !hasToken(model, id));
  if (wrong < 0) return;
  const param = `${field}[${wrong}]`;
  throw invalidField(param, `Cannot ${action}: "${param}" is ${tokens[wrong]}, expected a token of the model`);
}

function hasToken(model: LanguageModel, id: number): boolean {
  try {
    return model.bytesOf(id).length > 0;
  } catch {
    return false;
  }
}
