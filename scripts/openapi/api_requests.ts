/**
 * Bodies that the model API reads.
 *
 * @module
 */
import { REASONING_EFFORTS } from "../../lib/protocol/chat/chat_request.ts";
import type { JsonObject } from "./both_spellings.ts";
import { described, flag, integer, list, number, record, ref, request, text, words } from "./json_schema.ts";

const MAX_INT = 2 ** 31 - 1;
const object: JsonObject = { type: "object" };
const anyThing: JsonObject = {};
const texts: JsonObject = { anyOf: [text, list(ref("TextPart"), { minItems: 1 })] };

/** How tokens are chosen. */
export const sampling = {
  "temperature?": number(0, 2),
  "top_p?": number(0, 1),
  "min_p?": number(0, 1),
  "top_k?": integer(0, MAX_INT, "0 for no cut"),
  "presence_penalty?": number(-2, 2),
  "frequency_penalty?": number(-2, 2),
  "repetition_penalty?": { type: "number", exclusiveMinimum: 0, description: "1 for no penalty" },
  "logit_bias?": described({ type: "object", additionalProperties: number(-100, 100) }, "By token id"),
  "seed?": integer(0, Number.MAX_SAFE_INTEGER),
};

const length = {
  "max_tokens?": integer(1, MAX_INT, "At most the context of the model"),
  "max_completion_tokens?": integer(1, MAX_INT, "The same as max_tokens; if both are given, they must be equal"),
  "stop?": {
    anyOf: [{ type: "string", maxLength: 1024 }, list({ type: "string", maxLength: 1024 }, { maxItems: 64 })],
  },
};

const thinking = {
  "reasoning_effort?": words(...REASONING_EFFORTS, "none"),
  "enable_thinking?": flag,
  "think?": described(anyThing, "True, false or a level"),
  "thinking?": described(anyThing, "True, false, or an object with type enabled or disabled"),
  "chat_template_kwargs?": described(object, "Further variables of the chat template; enable_thinking is one"),
};

const tools = {
  "tools?": list(ref("Tool")),
  "tool_choice?": {
    anyOf: [
      words("none", "auto", "required"),
      request({ type: { const: "function" }, function: request({ name: text }) }),
    ],
  },
  "parallel_tool_calls?": described(flag, "False for one call at most; true when omitted"),
};

/** Fields without effect. */
export const context = {
  "metadata?": described({ type: "object", additionalProperties: text }, "Without effect"),
  "user?": described(text, "Without effect"),
  "service_tier?": described(text, "Without effect"),
  "safety_identifier?": described(text, "Without effect"),
  "prompt_cache_key?": described(text, "Without effect"),
};

const role = (name: string): JsonObject => ({ const: name });
const messages: Record<string, JsonObject> = {
  TextMessage: request({ role: words("system", "developer"), content: texts, "name?": text }),
  UserMessage: request({
    role: role("user"),
    content: { anyOf: [text, list({ anyOf: [ref("TextPart"), ref("ImagePart")] }, { minItems: 1 })] },
    "name?": text,
  }),
  AssistantMessage: request({
    role: role("assistant"),
    "content?": texts,
    "reasoning_content?": described(text, "Its reasoning before its calls"),
    "tool_calls?": list(ref("ToolCall")),
    "name?": text,
  }),
  ToolMessage: request({ role: role("tool"), content: texts, tool_call_id: text, "name?": text }),
};

/** The schemas of requests and of their parts. */
export const requestSchemas: Record<string, JsonObject> = {
  ChatRequest: request({
    model: described(text, "Id or alias of an installed model; empty for the server's default"),
    messages: list({ anyOf: Object.keys(messages).map(ref) }, { minItems: 1 }),
    ...sampling,
    ...length,
    "stream?": flag,
    "stream_options?": request({ "include_usage?": flag, "include_reasoning?": flag, "include_obfuscation?": flag }),
    "logprobs?": described(flag, "Only without stream and for text answers"),
    "top_logprobs?": integer(0, 20, "With logprobs only"),
    ...tools,
    "response_format?": ref("ResponseFormat"),
    ...thinking,
    "svc_show_unmasking?": described(flag, "Streams the drafts of a diffusion-style model"),
    ...context,
  }),
  ...messages,
  TextPart: { ...request({ "type?": words("text", "input_text", "output_text", "refusal"), "text?": text }) },
  ImagePart: request({
    type: words("image_url", "input_image"),
    image_url: described(
      { anyOf: [text, request({ url: text, "detail?": words("auto", "low", "high") })] },
      "A base64 data URL, a path or a file URL on the server's machine; nothing is downloaded",
    ),
    "detail?": words("auto", "low", "high"),
  }),
  Tool: request({
    type: { const: "function" },
    function: request({
      name: text,
      "description?": text,
      "parameters?": described(object, "JSON Schema of the arguments"),
      "strict?": described(flag, "Whether the arguments must follow the schema"),
    }),
  }),
  ToolCall: request({
    id: text,
    "type?": { const: "function" },
    function: request({
      name: text,
      "arguments?": described({ anyOf: [text, object] }, "An object or its JSON text; any other text is passed on"),
    }),
  }),
  ResponseFormat: {
    anyOf: [
      request({ type: words("text", "json_object") }),
      request({
        type: words("json_schema", "json_object"),
        json_schema: request({ schema: object, "name?": text, "description?": text, "strict?": flag }),
      }),
      request({
        type: words("json_schema", "json_object"),
        schema: object,
        "name?": text,
        "description?": text,
        "strict?": flag,
      }),
    ],
  },
  EmbeddingRequest: request({
    model: described(text, "Id or alias of a model for embeddings, or the path of one"),
    input: described(
      { anyOf: [text, list(text, { minItems: 1, maxItems: 256 })] },
      "At most 256 texts and 2 MiB of UTF-8",
    ),
    "encoding_format?": words("float", ""),
    "input_type?": words(
      "query",
      "document",
      "passage",
      "search_query",
      "search_document",
      "classification",
      "clustering",
    ),
    "prompt_name?": described(text, "A prompt of the model's configuration, instead of input_type"),
    "user?": described(text, "Without effect"),
  }),
  RerankRequest: request({
    model: text,
    query: { type: "string", minLength: 1 },
    documents: described(
      list({ anyOf: [text, request({ text })] }, { minItems: 1, maxItems: 256 }),
      "At most 256 of them and 2 MiB of UTF-8 with the query",
    ),
    "top_n?": { type: "integer", minimum: 1 },
    "return_documents?": flag,
    "user?": described(text, "Without effect"),
  }),
  SpeechRequest: request({
    "model?": described(text, "An id, an alias, a path, or a name of OpenAI, which means the default speech model"),
    input: described({ type: "string", minLength: 1 }, "At most 32 KiB of UTF-8 together with the instructions"),
    "voice?": described({ type: "string", maxLength: 4096 }, "A voice of the model or of OpenAI, or a description"),
    "instructions?": described(text, "Gender, accent and pace are followed"),
    "response_format?": described(words("wav", "mp3", "opus", "aac", "flac", "pcm"), "wav when omitted"),
    "speed?": number(0.25, 4),
    "temperature?": described(number(0, 2), "Without effect"),
    "stream_format?": described(words("sse", "audio"), "Events, or the bytes as they come; audio when omitted"),
    "user?": described(text, "Without effect"),
  }),
  SettingsRequest: {
    ...request({
      "alias?": described(text, "Without spaces and /, different from all other names"),
      "pinned?": flag,
      "ttlSeconds?": integer(1, MAX_INT),
      "maxContextTokens?": integer(1, MAX_INT),
      "maxTokens?": integer(1, MAX_INT),
      "temperature?": number(0, 2),
      "topP?": number(0, 1),
      "minP?": number(0, 1),
      "engineOverride?": text,
      "draftModel?": described(text, "Id of a smaller installed GGUF model of the same vocabulary"),
      "kvCacheMode?": words("default", "affine4", "affine8", "polar2", "auto"),
      "kvCacheModeV2?": words("affine4", "affine8", "default", "polar2", "auto"),
    }),
    additionalProperties: false,
  },
  RuntimeSettings: record({
    "alias?": text,
    pinned: flag,
    "ttlSeconds?": integer(1, MAX_INT),
    "maxContextTokens?": integer(1, MAX_INT),
    "maxTokens?": integer(1, MAX_INT),
    "temperature?": number(0, 2),
    "topP?": number(0, 1),
    "minP?": number(0, 1),
    "engineOverride?": text,
    "draftModel?": text,
    "kvCacheMode?": words("default", "polar2", "auto"),
    "kvCacheModeV2?": words("affine4", "affine8"),
  }),
};
