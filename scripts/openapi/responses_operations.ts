/**
 * OpenAI's Responses.
 *
 * @module
 */
import { inference } from "./api_operations.ts";
import { context, sampling } from "./api_requests.ts";
import type { JsonObject } from "./both_spellings.ts";
import { count, described, flag, integer, list, nullable, record, request, text, words } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

const PATH = "/v1/responses/{response}";
const object: JsonObject = { type: "object" };
const gone = { 404: ["response_not_found"] };
const images = ["image_not_found", "image_too_large", "image_unsupported", "invalid_image", "images_not_placed"];
const MAX_INT = 2 ** 31 - 1;

/** The operations. */
export const responsesOperations: readonly Operation[] = [
  inference(
    "/v1/responses",
    "createResponse",
    "Answers a chat in the words of OpenAI's Responses",
    "Every rule of chats holds. With stream the typed events end with response.completed, incomplete or failed. Up to " +
      "1000 responses of 64 MiB together are kept in memory for 24 hours, unless store is false. Tools are functions.",
    "ResponsesRequest",
    { description: "The response", content: [{ schema: "Response" }, { type: "text/event-stream" }] },
    ["previous_response_not_found", "template_refused", ...images],
  ),
  {
    method: "get",
    path: PATH,
    id: "response",
    tag: "inference",
    summary: "A response that is kept",
    answers: { 200: { description: "The response", content: { schema: "Response" } } },
    errors: gone,
  },
  {
    method: "delete",
    path: PATH,
    id: "deleteResponse",
    tag: "inference",
    summary: "Removes a response",
    answers: { 200: { description: "It is removed", content: { schema: "DeletedResponse" } } },
    errors: gone,
  },
  {
    method: "get",
    path: `${PATH}/input_items`,
    id: "responseInput",
    tag: "inference",
    summary: "The items that a response was asked with",
    description: "The query may have limit (1 to 100), order (asc or desc) and after, the id of an item.",
    answers: { 200: { description: "The items", content: { schema: "ResponseItems" } } },
    errors: { ...gone, 400: ["invalid_limit", "invalid_order", "invalid_after"] },
  },
];

const effort = words("none", "off", "minimal", "low", "medium", "high", "xhigh", "max");

/** Their schemas. */
export const responsesSchemas: Record<string, JsonObject> = {
  ResponsesRequest: request({
    model: described(text, "Id or alias of an installed model; empty for the server's default"),
    input: described(
      { anyOf: [text, list(object, { minItems: 1 })] },
      "A text, or items: message, function_call, function_call_output, reasoning, item_reference",
    ),
    "instructions?": text,
    "previous_response_id?": text,
    "store?": described(flag, "True when omitted"),
    "tools?": list(request({
      type: words("function", "namespace"),
      name: text,
      "description?": text,
      "parameters?": object,
      "strict?": flag,
      "tools?": described(list(object), "The functions of a namespace"),
    })),
    "tool_choice?": { anyOf: [words("none", "auto", "required"), object] },
    "parallel_tool_calls?": flag,
    "text?": request({ "format?": object }),
    "reasoning?": request({ "effort?": effort, "summary?": {}, "generate_summary?": {} }),
    "max_output_tokens?": integer(1, MAX_INT),
    ...Object.fromEntries(
      ["temperature", "top_p", "top_k", "min_p", "seed", "presence_penalty", "frequency_penalty"]
        .map((name) => [`${name}?`, sampling[`${name}?` as keyof typeof sampling] as JsonObject]),
    ),
    "top_logprobs?": integer(0, 20),
    "include?": described(list(text), "message.output_text.logprobs; others have no effect"),
    "truncation?": words("disabled"),
    "stream?": flag,
    "stream_options?": request({ "include_obfuscation?": flag }),
    ...context,
    "prompt_cache_retention?": described(text, "Without effect"),
    "max_tool_calls?": described(count, "Without effect: there are no built-in tools"),
  }),
  Response: {
    ...record({
      id: text,
      object: { const: "response" },
      created_at: count,
      status: words("completed", "incomplete"),
      error: { type: "null" },
      incomplete_details: nullable(record({ reason: { const: "max_output_tokens" } })),
      model: text,
      output: list({
        anyOf: [
          record({
            id: text,
            type: { const: "message" },
            role: { const: "assistant" },
            status: words("completed", "incomplete"),
            content: list(record({
              type: { const: "output_text" },
              text,
              annotations: { type: "array", maxItems: 0 },
              logprobs: list(object),
            })),
          }),
          record({
            id: text,
            type: { const: "function_call" },
            call_id: text,
            name: text,
            "namespace?": text,
            arguments: text,
            status: words("completed", "incomplete"),
          }),
          record({
            id: text,
            type: { const: "reasoning" },
            summary: { type: "array", maxItems: 0 },
            content: list(record({ type: { const: "reasoning_text" }, text })),
            status: words("completed", "incomplete"),
          }),
        ],
      }),
      store: flag,
      usage: record({
        input_tokens: count,
        input_tokens_details: record({ cached_tokens: count, cache_write_tokens: count }),
        output_tokens: count,
        output_tokens_details: record({ reasoning_tokens: count }),
        total_tokens: count,
      }),
    }),
    additionalProperties: described({}, "What the request had"),
  },
  DeletedResponse: record({ id: text, object: { const: "response" }, deleted: { const: true } }),
  ResponseItems: record({
    object: { const: "list" },
    data: list(object),
    first_id: nullable(text),
    last_id: nullable(text),
    has_more: flag,
  }),
};
