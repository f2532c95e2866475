/**
 * What a realtime session sends: sessions and responses as objects, and the names of events in both versions.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { AnswerConfig, OutputConfig, RealtimeConfig, TurnConfig } from "./realtime_config.ts";
import type { RealtimeVersion } from "./realtime_items.ts";
import { betaFormatOf } from "./session_fields.ts";

type Wire = Readonly<Record<string, unknown>>;

/** An event without its id. */
export interface ServerEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Names of the general version, and those of the beta where they differ. */
const betaNames: Readonly<Record<string, string | undefined>> = {
  "conversation.item.added": "conversation.item.created",
  "conversation.item.done": undefined,
  "response.output_text.delta": "response.text.delta",
  "response.output_text.done": "response.text.done",
  "response.output_audio.delta": "response.audio.delta",
  "response.output_audio.done": "response.audio.done",
  "response.output_audio_transcript.delta": "response.audio_transcript.delta",
  "response.output_audio_transcript.done": "response.audio_transcript.done",
};

/** The event as clients of a version get it; undefined for one that the version does not have. */
export function versionEvent(event: ServerEvent, version: RealtimeVersion): ServerEvent | undefined {
  if (version === "ga" || !Object.hasOwn(betaNames, event.type)) return event;
  const type = betaNames[event.type];
  return type === undefined ? undefined : { ...event, type };
}

/** What does not change in a session. */
export interface SessionHead {
  readonly id: string;
  readonly model: string;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

/** A session as an object. */
export function sessionObject(head: SessionHead, config: RealtimeConfig, version: RealtimeVersion): Wire {
  const { input, output, tools, toolChoice } = config;
  const shared = { object: "realtime.session", id: head.id, model: head.model, expires_at: head.expiresAt };
  const answer = { instructions: config.instructions, tools, tool_choice: toolChoice };
  const turns = input.turns && wireTurns(input.turns);
  if (version === "beta") {
    return {
      ...shared,
      ...answer,
      modalities: config.spoken ? ["text", "audio"] : ["text"],
      voice: output.voice ?? null,
      speed: output.speed,
      input_audio_format: betaFormatOf(input.format),
      output_audio_format: betaFormatOf(output.format),
      input_audio_transcription: input.transcription,
      input_audio_noise_reduction: null,
      turn_detection: turns,
      temperature: config.temperature ?? null,
      max_response_output_tokens: config.maxTokens,
    };
  }
  return {
    type: "realtime",
    ...shared,
    ...answer,
    output_modalities: [config.spoken ? "audio" : "text"],
    max_output_tokens: config.maxTokens,
    ...config.parallelToolCalls === undefined ? {} : { parallel_tool_calls: config.parallelToolCalls },
    ...config.effort === undefined ? {} : { reasoning: { effort: config.effort } },
    truncation: "disabled",
    tracing: null,
    prompt: null,
    include: null,
    audio: {
      input: {
        format: wireFormat(input.format),
        transcription: input.transcription,
        noise_reduction: null,
        turn_detection: turns,
      },
      output: wireOutput(output),
    },
  };
}

function wireFormat(type: OutputConfig["format"]): Wire {
  return type === "audio/pcm" ? { type, rate: 24_000 } : { type };
}

function wireOutput({ format, voice, speed, model }: OutputConfig): Wire {
  return { format: wireFormat(format), voice: voice ?? null, speed, ...model === undefined ? {} : { model } };
}

function wireTurns(turns: TurnConfig): Wire {
  return {
    type: "server_vad",
    threshold: turns.threshold,
    prefix_padding_ms: turns.prefixPadding,
    silence_duration_ms: turns.silence,
    idle_timeout_ms: turns.idleTimeout ?? null,
    create_response: turns.createResponse,
    interrupt_response: turns.interruptResponse,
  };
}

/** How a response is or has ended. */
export type ResponseEnd =
  | { readonly status: "in_progress" | "completed" }
  | { readonly status: "incomplete"; readonly reason: "max_output_tokens" }
  | { readonly status: "cancelled"; readonly reason: "turn_detected" | "client_cancelled" }
  | { readonly status: "failed"; readonly error: ErrorObject };

/** Tokens of a response. */
export interface ResponseTokens {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** A response as an object. */
export function realtimeResponse(
  head: { readonly id: string; readonly conversation: string | null; readonly metadata: unknown },
  config: AnswerConfig,
  output: readonly Wire[],
  { end, tokens, version }: {
    readonly end: ResponseEnd;
    readonly tokens: ResponseTokens | undefined;
    readonly version: RealtimeVersion;
  },
): Wire {
  const { status } = end;
  const details = {
    ...status === "in_progress" ? {} : { type: status },
    ..."reason" in end ? { reason: end.reason } : {},
    ..."error" in end ? { error: { type: end.error.type, code: end.error.code, message: end.error.message } } : {},
  };
  return {
    object: "realtime.response",
    id: head.id,
    status,
    status_details: status === "in_progress" || status === "completed" ? null : details,
    output,
    conversation_id: head.conversation,
    ...version === "ga"
      ? {
        output_modalities: [config.spoken ? "audio" : "text"],
        max_output_tokens: config.maxTokens,
        audio: { output: wireOutput(config.output) },
      }
      : {
        modalities: config.spoken ? ["text", "audio"] : ["text"],
        max_output_tokens: config.maxTokens,
        temperature: config.temperature ?? null,
        voice: config.output.voice ?? null,
        output_audio_format: betaFormatOf(config.output.format),
      },
    usage: tokens === undefined ? null : usageOf(tokens),
    metadata: head.metadata ?? null,
  };
}

/** Sound is heard and made beside the chat, whose tokens are all of text. */
function usageOf({ promptTokens, cachedTokens, completionTokens }: ResponseTokens): Wire {
  return {
    total_tokens: promptTokens + completionTokens,
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    input_token_details: {
      text_tokens: promptTokens,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: cachedTokens,
      cached_tokens_details: { text_tokens: cachedTokens, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: completionTokens, audio_tokens: 0 },
  };
}
