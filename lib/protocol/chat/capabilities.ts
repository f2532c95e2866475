/**
 * What a text model supports, and requests that ask for more.
 *
 * @module
 */
import type { ChatRequest, ReasoningEffort } from "./chat_request.ts";
import { unsupportedParameter } from "../../errors/svc_error.ts";

/** A feature that not every engine supports. */
export type TextFeature =
  | "tools"
  | "strict_tools"
  | "images"
  | "stop"
  | "seed"
  | "top_k"
  | "min_p"
  | "penalties"
  | "repetition_penalty"
  | "logit_bias"
  | "logprobs"
  | "json_object"
  | "json_schema"
  | "template_arguments"
  | "drafts";

/** How a model reasons. */
export interface ReasoningCapability {
  /** Whether reasoning can be turned off. */
  readonly optional: boolean;
  /** Levels that the model supports; empty if it has none. */
  readonly levels: readonly ReasoningEffort[];
  /** Maps further levels to one of `levels`. */
  readonly levelMap: Readonly<Partial<Record<ReasoningEffort, ReasoningEffort>>>;
}

/** What a text engine with its model supports. */
export interface TextCapabilities {
  readonly features: ReadonlySet<TextFeature>;
  /** Undefined for a model that does not reason. */
  readonly reasoning: ReasoningCapability | undefined;
}

/** The fields that ask for each feature. Neutral values are always accepted. */
const uses: readonly [TextFeature, string, (request: ChatRequest) => boolean][] = [
  ["tools", "tools", (r) => r.tools.length > 0],
  ["stop", "stop", (r) => r.stop.length > 0],
  ["seed", "seed", (r) => r.seed !== undefined],
  ["top_k", "top_k", (r) => (r.sampling.topK ?? 0) > 0],
  ["min_p", "min_p", (r) => (r.sampling.minP ?? 0) > 0],
  ["penalties", "presence_penalty", (r) => (r.sampling.presencePenalty ?? 0) !== 0],
  ["penalties", "frequency_penalty", (r) => (r.sampling.frequencyPenalty ?? 0) !== 0],
  ["repetition_penalty", "repetition_penalty", (r) => (r.sampling.repetitionPenalty ?? 1) !== 1],
  ["logit_bias", "logit_bias", (r) => r.sampling.logitBias.size > 0],
  ["logprobs", "logprobs", (r) => r.topLogprobs !== undefined],
  ["json_object", "response_format", (r) => r.responseFormat.type === "json_object"],
  ["json_schema", "response_format", (r) => r.responseFormat.type === "json_schema"],
  ["template_arguments", "chat_template_kwargs", (r) => Object.keys(r.templateArguments).length > 0],
  ["drafts", "svc_show_unmasking", (r) => r.showUnmasking],
];

/**
 * Refuses what the model cannot honor before anything is generated, and maps reasoning levels to those it supports.
 *
 * @throws {SvcError} `unsupported_parameter`.
 */
export function checkCapabilities(request: ChatRequest, model: TextCapabilities): ChatRequest {
  for (const [feature, param, isUsed] of uses) {
    if (isUsed(request) && !model.features.has(feature)) throw cannot(feature.replaceAll("_", " "), param);
  }
  const strict = request.tools.find((tool) => tool.strict);
  if (strict && !model.features.has("strict_tools")) {
    throw cannot("strict tools", strict.path === undefined ? "tools" : `${strict.path}.function.strict`);
  }
  const seen = request.messages.findIndex((m) => m.role === "user" && typeof m.content !== "string");
  if (seen >= 0 && !model.features.has("images")) throw cannot("images", `messages[${seen}].content`);
  return { ...request, reasoning: { ...request.reasoning, effort: mapEffort(request, model.reasoning) } };
}

function mapEffort(
  { reasoning }: ChatRequest,
  can: ReasoningCapability | undefined,
): ChatRequest["reasoning"]["effort"] {
  const { enabled, effort, param, wish } = reasoning;
  if (enabled === undefined) return wish === undefined || can === undefined ? undefined : fittingLevel(wish, can);
  if (can === undefined) {
    if (enabled) throw cannot("thinking", param);
    return undefined;
  }
  if (!enabled) {
    if (!can.optional) throw cannot("answers without reasoning", param);
    return undefined;
  }
  if (wish !== undefined) return fittingLevel(wish, can);
  if (effort === undefined) return undefined;
  const level = can.levels.includes(effort) ? effort : can.levelMap[effort];
  if (level !== undefined && level !== "off") return level;
  const levels = can.levels.length === 0 ? "expected none" : `expected one of ${can.levels.join(", ")}`;
  const message = `Cannot complete the chat: "${param}" is "${effort}", which the model does not support, ${levels}`;
  throw unsupportedParameter(message, param);
}

/** Tokens that each level may take at most, as clients of budgets mean them. */
const LEVEL_TOKENS = { minimal: 1024, low: 4096, medium: 16384, high: 32768, xhigh: 65536, max: Infinity } as const;

/** The least level of the model that may take as much as is wished, else its highest; undefined if it has none. */
function fittingLevel(
  wish: NonNullable<ChatRequest["reasoning"]["wish"]>,
  { levels }: ReasoningCapability,
): ChatRequest["reasoning"]["effort"] {
  const tokens = typeof wish === "number" ? wish : LEVEL_TOKENS[wish];
  const own = (["minimal", "low", "medium", "high", "xhigh", "max"] as const).filter((level) => levels.includes(level));
  return own.find((level) => tokens <= LEVEL_TOKENS[level]) ?? own.at(-1);
}

function cannot(what: string, param: string): Error {
  const message = `Cannot complete the chat: "${param}" asks for ${what}, which the model does not support, ` +
    "omit it or choose another model";
  return unsupportedParameter(message, param);
}
