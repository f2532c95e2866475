/**
 * Completions, tokens and prompts.
 *
 * @module
 */
import { usage } from "./api_answers.ts";
import { inference } from "./api_operations.ts";
import { context, sampling } from "./api_requests.ts";
import type { JsonObject } from "./both_spellings.ts";
import { count, described, flag, integer, list, nullable, record, request, text, words } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

const images = ["image_not_found", "image_too_large", "image_unsupported", "invalid_image", "images_not_placed"];
const tokens = list(count);
const pieces = list(record({ id: count, piece: { anyOf: [text, list(integer(0, 255))] } }));

/** The operations. */
export const textOperations: readonly Operation[] = [
  inference(
    "/v1/completions",
    "completion",
    "Continues a text",
    "No chat template is applied. With stream the answer is chunks of the same form, at last [DONE]. A suffix needs a " +
      "model with tokens for filling in the middle.",
    "CompletionRequest",
    {
      description: "The continuations, one for each prompt",
      content: [{ schema: "Completion" }, { type: "text/event-stream" }],
    },
    [],
  ),
  inference(
    "/tokenize",
    "tokenize",
    "Turns a text into tokens",
    "Takes no slot; the model is loaded if necessary.",
    "TokenizeRequest",
    { description: "The tokens", content: { schema: "Tokens" } },
    [],
  ),
  inference(
    "/detokenize",
    "detokenize",
    "Turns tokens into a text",
    "Takes no slot; the model is loaded if necessary.",
    "DetokenizeRequest",
    { description: "The text", content: { schema: "Detokenized" } },
    [],
  ),
  inference(
    "/apply-template",
    "applyTemplate",
    "The prompt of a chat",
    "Takes no slot; the model is loaded if necessary.",
    "ChatRequest",
    { description: "The prompt", content: { schema: "Prompt" } },
    [...images, "template_refused"],
  ),
];

/** Their schemas. */
export const textSchemas: Record<string, JsonObject> = {
  CompletionRequest: request({
    model: described(text, "Id or alias of an installed model; empty for the server's default"),
    prompt: described(
      { anyOf: [text, { ...tokens, minItems: 1 }, list({ anyOf: [text, tokens] }, { minItems: 1, maxItems: 128 })] },
      "A text, tokens, or several of them",
    ),
    "suffix?": described(text, "Text after what is missing"),
    "max_tokens?": described(integer(1, 2 ** 31 - 1), "16 when omitted"),
    "echo?": described(flag, "Whether the answer begins with the prompt"),
    "logprobs?": integer(0, 5, "Without stream and echo"),
    ...sampling,
    "stop?": described({ anyOf: [text, list(text, { maxItems: 64 })] }, "End the answer"),
    "stream?": flag,
    "stream_options?": request({ "include_usage?": flag }),
    "metadata?": context["metadata?"],
    "user?": context["user?"],
  }),
  Completion: record({
    id: text,
    object: { const: "text_completion" },
    created: count,
    model: text,
    choices: list(record({
      text,
      index: count,
      logprobs: nullable(record({
        tokens: list(text),
        token_logprobs: list({ type: "number" }),
        top_logprobs: list({ type: "object" }),
        text_offset: tokens,
      })),
      finish_reason: nullable(words("stop", "length", "tool_calls")),
    })),
    "usage?": nullable(usage),
  }),
  TokenizeRequest: request({
    "model?": text,
    content: { type: "string", maxLength: 2 * 2 ** 20 },
    "add_special?": described(flag, "Whether to begin as the model's prompts begin"),
    "with_pieces?": described(flag, "Whether each token comes with its text"),
  }),
  Tokens: record({ tokens: { anyOf: [tokens, pieces] } }),
  DetokenizeRequest: request({ "model?": text, tokens }),
  Detokenized: record({ content: text }),
  Prompt: record({ prompt: text }),
};
