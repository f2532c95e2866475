/**
 * Chat templates: the settings of a model's `tokenizer_config.json`, and prompts that they render.
 *
 * @module
 */
import {
  parseTemplate,
  type Program,
  renderTemplate,
  TemplateLimitError,
  TemplateRefusal,
  UnsupportedError,
} from "./bounded_interpreter.ts";
import type { ChatRequest } from "../chat/chat_request.ts";
import { endsInReasoning, findReasoningTags, type ReasoningTags } from "../reasoning/reasoning_tags.ts";
import { JsonText } from "./json_values.ts";
import {
  type ForeignArguments,
  templateMessage,
  type TemplateSkills,
  templateSkills,
  toolInstruction,
  toolList,
  withInstruction,
} from "./template_messages.ts";
import { findToolCallFormat, type ToolCallFormat } from "../tools/tool_call_formats.ts";
import { invalidRequest, modelUnavailable, SvcError } from "../../errors/svc_error.ts";
import { isObject } from "../../json/json_text.ts";

/** A prompt, and how to read the answer to it. */
export interface RenderedPrompt {
  readonly text: string;
  readonly reasoningTags: ReasoningTags;
  /** Whether the answer begins within reasoning. */
  readonly startsInReasoning: boolean;
  readonly toolCallFormat: ToolCallFormat;
}

/** What a template renders. */
export type TemplateRequest = Pick<
  ChatRequest,
  "messages" | "tools" | "toolChoice" | "parallelToolCalls" | "reasoning" | "templateArguments"
>;

interface Variant {
  readonly program: Program;
  readonly skills: TemplateSkills;
  readonly toolCallFormat: ToolCallFormat;
}

/**
 * The chat template of a model, in Jinja, with bounds on time and size.
 *
 * @example
 * ```ts
 * import { ChatTemplate, readChatRequest } from "../mod.ts";
 * const chat = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>";
 * const template = new ChatTemplate({ chat, toolUse: undefined, tokens: {} });
 * const request = readChatRequest({ model: "", messages: [{ role: "user", content: "Hi" }] });
 * console.assert(template.render(request, new Date()).text === "<user>Hi<assistant>");
 * ```
 */
export class ChatTemplate {
  readonly #chat: Variant;
  readonly #toolUse: Variant;
  readonly #tokens: TemplateSources["tokens"];

  /** @throws {SvcError} `model_unavailable_error`, `template_invalid`. */
  constructor({ chat, toolUse, tokens }: TemplateSources) {
    if (chat === undefined) throw unusable("the model has none: it is a base model, expected a chat model");
    this.#chat = readVariant(chat);
    this.#toolUse = toolUse === undefined ? this.#chat : readVariant(toolUse);
    this.#tokens = tokens;
  }

  /**
   * Renders a request up to where the answer begins. A developer message becomes a system message where the template
   * does not have the role; tools, earlier calls and earlier reasoning that the template does not handle become text.
   *
   * @param now The current time for templates that print the date.
   * @throws {SvcError} `template_refused` when the template rejects the messages, `template_failed` when it fails.
   */
  render(request: TemplateRequest, now: Date): RenderedPrompt {
    const { program, skills, toolCallFormat } = request.tools.length > 0 ? this.#toolUse : this.#chat;
    const render = (foreign: ForeignArguments): string => {
      const variables = {
        // transformers always gives both, so templates test for `none` and not only whether they are defined.
        tools: null,
        documents: null,
        ...request.templateArguments,
        ...this.#tokens,
        ...reasoningVariables(request, skills),
        ...toolVariables(request, skills),
        messages: instructed(request, skills).map((message) => templateMessage(message, skills, foreign)),
        add_generation_prompt: true,
      };
      return renderTemplate(program, variables, now);
    };
    const hasForeign = request.messages.some((message) =>
      message.role === "assistant" && message.toolCalls.some(({ isForeign }) => isForeign)
    );
    // A template may take objects only.
    const text = hasForeign
      ? renderEither(() => render("text"), () => render("member"))
      : guarded(() => render("text"));
    return {
      text,
      reasoningTags: skills.tags,
      startsInReasoning: endsInReasoning(text, skills.tags),
      toolCallFormat,
    };
  }
}

function readVariant(source: string): Variant {
  const tags = findReasoningTags(source);
  try {
    const program = parseTemplate(source);
    return { program, skills: templateSkills(source, tags), toolCallFormat: findToolCallFormat(source) };
  } catch (error) {
    throw unusable(`${error instanceof Error ? error.message : error}, expected a Jinja template`);
  }
}

/** Families name the switch differently; a template ignores unknown variables. */
function reasoningVariables(
  { reasoning: { enabled, effort } }: TemplateRequest,
  { effortNone }: TemplateSkills,
): Record<string, unknown> {
  return {
    ...enabled === false && effortNone ? { reasoning_effort: "none" } : {},
    ...enabled === undefined ? {} : { enable_thinking: enabled, thinking: enabled },
    ...effort === undefined ? {} : { reasoning_effort: effort },
  };
}

function toolVariables({ tools }: TemplateRequest, skills: TemplateSkills): Record<string, unknown> {
  if (tools.length === 0 || !skills.tools) return {};
  return {
    tools: tools.map(({ name, description, parameters, parametersText }) => ({
      type: "function",
      function: {
        name,
        description,
        parameters: parametersText === undefined ? parameters : new JsonText(parametersText),
      },
    })),
  };
}

function instructed(request: TemplateRequest, skills: TemplateSkills): TemplateRequest["messages"] {
  const texts = [
    request.tools.length > 0 && !skills.tools ? toolList(request.tools) : undefined,
    toolInstruction(request),
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? request.messages : withInstruction(request.messages, texts.join("\n\n"));
}

function renderEither(first: () => string, second: () => string): string {
  try {
    return guarded(first);
  } catch (error) {
    if (error instanceof SvcError) return guarded(second);
    throw error;
  }
}

function guarded(render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateRefusal) {
      const message = `Cannot complete the chat: the model's template rejects the messages, "${error.message}"`;
      throw invalidRequest("template_refused", message, "messages");
    }
    const why = error instanceof TemplateLimitError || error instanceof UnsupportedError
      ? error.message
      : "it fails on these messages";
    const message = `Cannot complete the chat: the model's template failed, ${why}`;
    throw new SvcError("template_failed", message);
  }
}

function unusable(why: string): SvcError {
  return modelUnavailable("template_invalid", `Cannot read the chat template: ${why}`);
}

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
