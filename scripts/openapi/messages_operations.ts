/**
 * Anthropic's Messages.
 *
 * @module
 */
import { inference } from "./api_operations.ts";
import { sampling } from "./api_requests.ts";
import type { JsonObject } from "./both_spellings.ts";
import { count, described, flag, list, nullable, record, request, text, words } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

const object: JsonObject = { type: "object" };
const format = request({ type: words("json_schema"), schema: object });
const blocks = described({ anyOf: [text, list(object)] }, "A text, or blocks");

/** The operations. */
export const messagesOperations: readonly Operation[] = [
  {
    ...inference(
      "/v1/messages",
      "message",
      "Answers a chat in the words of Anthropic's Messages",
      "Every rule of chats holds. With stream the events are message_start to message_stop, with ping every 15 s of waiting.",
      "MessagesRequest",
      { description: "The answer", content: [{ schema: "AnswerMessage" }, { type: "text/event-stream" }] },
      [],
    ),
    failure: "MessagesError",
  },
  {
    ...inference(
      "/v1/messages/count_tokens",
      "countTokens",
      "The tokens of a prompt",
      "By the model's template and tokenizer. Takes no slot.",
      "CountTokensRequest",
      { description: "The number", content: { schema: "TokenCount" } },
      [],
    ),
    failure: "MessagesError",
  },
];

const prompt = {
  model: described(text, "Id or alias of an installed model; empty for the server's default"),
  messages: list(request({ role: words("user", "assistant", "system"), content: blocks }), { minItems: 1 }),
  "system?": blocks,
  "tools?": list(request({
    "type?": words("custom"),
    name: text,
    "description?": text,
    input_schema: object,
    "strict?": flag,
  })),
  "tool_choice?": request({
    type: words("auto", "any", "tool", "none"),
    "name?": text,
    "disable_parallel_tool_use?": flag,
  }),
  "thinking?": request({
    type: words("enabled", "adaptive", "disabled"),
    "budget_tokens?": described({ type: "integer", minimum: 1 }, "Mapped to a level where the model has levels"),
    "display?": words("summarized", "omitted"),
  }),
  "output_config?": request({ "effort?": words("low", "medium", "high", "xhigh", "max"), "format?": format }),
  "output_format?": described(format, "The former name of `output_config.format`"),
  "cache_control?": described({}, "Without effect: prefixes are cached on their own"),
};

const whole = { input_tokens: count, cache_creation_input_tokens: count, cache_read_input_tokens: count };

/** Their schemas. */
export const messagesSchemas: Record<string, JsonObject> = {
  MessagesRequest: request({
    ...prompt,
    max_tokens: { type: "integer", minimum: 1 },
    "stop_sequences?": list(text, { maxItems: 64 }),
    "temperature?": sampling["temperature?"],
    "top_p?": sampling["top_p?"],
    "top_k?": sampling["top_k?"],
    "stream?": flag,
    "metadata?": described(object, "Without effect"),
    "service_tier?": described(text, "Without effect"),
  }),
  CountTokensRequest: request(prompt),
  TokenCount: record({ input_tokens: count }),
  AnswerMessage: record({
    id: text,
    type: { const: "message" },
    role: { const: "assistant" },
    model: text,
    content: list({
      anyOf: [
        record({ type: { const: "text" }, text }),
        record({ type: { const: "thinking" }, thinking: text, signature: text }),
        record({ type: { const: "tool_use" }, id: text, name: text, input: object }),
      ],
    }),
    stop_reason: nullable(words("end_turn", "max_tokens", "stop_sequence", "tool_use")),
    stop_sequence: nullable(text),
    usage: record({
      ...whole,
      output_tokens: count,
      output_tokens_details: record({ thinking_tokens: count }),
    }),
  }),
  MessagesError: record({
    type: { const: "error" },
    error: record({
      type: text,
      message: text,
      "details?": record({ error_code: text, "unsupported?": list(text) }),
    }),
    request_id: text,
  }),
};
