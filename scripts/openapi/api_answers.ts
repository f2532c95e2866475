/**
 * Bodies that the model API answers with.
 *
 * @module
 */
import { REASONING_EFFORTS } from "../../lib/protocol/chat/chat_request.ts";
import { MODEL_TASKS } from "../../lib/store/catalog/installed_model.ts";
import type { JsonObject } from "./both_spellings.ts";
import { amount, count, described, flag, list, nullable, number, record, ref, text, words } from "./json_schema.ts";

const levels = words(...REASONING_EFFORTS);
const seconds = described(count, "Unix time in seconds");
const bytes = list({ type: "integer", minimum: 0, maximum: 255 });
const finite: JsonObject = { type: "number" };
const score = { logprob: finite, raw_logprob: finite, policy_logprob: finite };

const modality = words("text", "image", "audio", "video", "embedding", "geometry", "3d");

/** Tokens of a request and its answer. */
export const usage = record({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: record({
    cached_tokens: described(count, "Tokens of the prompt that were not computed again"),
  }),
});

const logprobs = record({
  content: list(record({
    token: text,
    bytes,
    ...score,
    top_logprobs: list(record({ token: text, bytes, ...score })),
    raw_entropy: finite,
    policy_entropy: finite,
    raw_top1_top2_margin: finite,
    policy_top1_top2_margin: finite,
    region: words("reasoning", "visible", "code", "tool_name", "tool_argument", "markup", "unknown"),
  })),
  svc_summary: record({
    tokenCount: count,
    meanRawLogprob: finite,
    minimumRawLogprob: finite,
    meanPolicyLogprob: finite,
    minimumPolicyLogprob: finite,
    meanRawEntropy: finite,
    meanPolicyEntropy: finite,
    meanRawTop1Top2Margin: finite,
    meanPolicyTop1Top2Margin: finite,
  }),
  svc_capture_seconds: amount,
  svc_source: { const: "final_target" },
});

const call = { id: text, type: { const: "function" }, function: record({ name: text, arguments: text }) };
const reason = words("stop", "length", "tool_calls");

/** Schemas of answers about models and of their parts. */
export const answerSchemas: Record<string, JsonObject> = {
  Health: record({ status: { const: "ok" } }),
  ModelList: record({ object: { const: "list" }, data: list(ref("Model")) }),
  Model: record({
    id: described(text, "An id, or an alias"),
    object: { const: "model" },
    created: described(count, "Unix time of this answer in seconds"),
    owned_by: { const: "svc" },
    name: described(text, "Its repository; its id where it has none, shares one with another, or is an alias"),
    task: words(...MODEL_TASKS),
    "test?": described({ const: true }, "Present for a test model: its weights are random or scripted"),
    reasoning: flag,
    "thinking_levels?": list(levels, { minItems: 1 }),
    tool_call: flag,
    structured_output: flag,
    modalities: record({ input: list(modality), output: list(modality) }),
    "limit?": described(record({ context: count, output: count }), "In tokens; chat models only"),
    "sampling?": described(
      record({ temperature: amount, top_p: amount, top_k: count, min_p: amount }),
      "For requests that name none; chat models only",
    ),
    "openai_compat?": record({
      supports_store: flag,
      supports_developer_role: flag,
      supports_reasoning_effort: flag,
      supports_usage_in_streaming: flag,
      supports_finish_reason: flag,
      max_tokens_field: words("max_tokens", "max_completion_tokens"),
      supports_strict_mode: flag,
      "thinking_level_map?": { type: "object", propertyNames: levels, additionalProperties: levels },
      requires_reasoning_content_on_assistant_messages: flag,
    }),
    info: described(
      record({
        meta: record({
          "hidden?": { const: true },
          "capabilities?": record({ vision: flag, builtin_tools: flag }),
        }),
      }),
      "What chat front ends show and send, in the form of Open WebUI; what is not for chats is hidden",
    ),
  }),
  SpeechModelList: record({ models: list(record({ id: text, name: text })) }),
  VoiceList: record({
    voices: list(record({
      id: described(text, "What voice in a request can be"),
      name: described(text, "The id, with the models that have it where there are several of speech"),
      models: described(list(text, { minItems: 1 }), "The ids of the models that have it"),
    })),
  }),
  ChatCompletion: record({
    id: { type: "string", pattern: "^chatcmpl-" },
    object: { const: "chat.completion" },
    created: seconds,
    model: described(text, "The id, an alias resolved"),
    choices: list(
      record({
        index: { const: 0 },
        message: record({
          role: { const: "assistant" },
          content: text,
          "reasoning_content?": described(text, "Its reasoning"),
          "tool_calls?": list(record(call)),
        }),
        finish_reason: reason,
        logprobs: nullable(ref("Logprobs")),
      }),
      { minItems: 1, maxItems: 1 },
    ),
    usage: ref("Usage"),
    "svc_diffusion?": ref("Diffusion"),
  }),
  ChatChunk: record({
    id: { type: "string", pattern: "^chatcmpl-" },
    object: { const: "chat.completion.chunk" },
    created: seconds,
    model: text,
    choices: list(
      record({
        index: { const: 0 },
        delta: record({
          "role?": { const: "assistant" },
          "content?": text,
          "reasoning_content?": text,
          "tool_calls?": list(record({ index: count, ...call })),
          "svc_diffusion_draft?": record({
            text,
            step: count,
            total_steps: count,
            canvas_index: count,
            block_complete: flag,
          }),
        }),
        finish_reason: nullable(reason),
      }),
      { maxItems: 1 },
    ),
    "usage?": nullable(ref("Usage")),
    "svc_diffusion?": ref("Diffusion"),
  }),
  Usage: usage,
  Logprobs: logprobs,
  Diffusion: record({
    seed: count,
    canvasTokens: count,
    denoisingSteps: count,
    workTokens: count,
    canvasTokensPerSecond: amount,
    workTokensPerSecond: amount,
    "firstDraftSeconds?": amount,
  }),
  EmbeddingList: record({
    object: { const: "list" },
    model: text,
    data: described(
      list(record({ object: { const: "embedding" }, index: count, embedding: list(finite) })),
      "In input order",
    ),
    usage: ref("TextUsage"),
  }),
  RerankList: record({
    object: { const: "list" },
    model: text,
    results: described(
      list(record({ index: count, relevance_score: number(0, 1), "document?": record({ text }) })),
      "The best first",
    ),
    usage: ref("TextUsage"),
  }),
  TextUsage: record({ prompt_tokens: count, total_tokens: count }),
  ErrorObject: record({
    message: text,
    type: words(
      "invalid_request_error",
      "authentication_error",
      "permission_error",
      "not_found_error",
      "conflict_error",
      "rate_limit_error",
      "memory_pressure_error",
      "model_unavailable_error",
      "server_error",
    ),
    code: described(text, "A stable error code"),
    "param?": described(text, "Path of the invalid field"),
  }),
  Error: record({ error: ref("ErrorObject") }),
};
