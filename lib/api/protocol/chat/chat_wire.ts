/**
 * Chat answers on the wire.
 *
 * @module
 */

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls";

/** A function call. */
export interface WireToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: {
    readonly name: string;
    /** JSON text of an object. */
    readonly arguments: string;
  };
}

/** The message of an answer. */
export interface WireMessage {
  readonly role: "assistant";
  /** Empty when the model only calls functions. */
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly WireToolCall[];
}

/** Tokens of a request and its answer. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: {
    /** Prompt tokens taken from the prefix cache. */
    readonly cached_tokens: number;
  };
}

/** The region of the answer that a token belongs to. */
export type TokenRegion = "reasoning" | "visible" | "code" | "tool_name" | "tool_argument" | "markup" | "unknown";

/** An alternative token. */
export interface WireTopLogprob {
  readonly token: string;
  readonly bytes: readonly number[];
  readonly logprob: number;
  readonly raw_logprob: number;
  readonly policy_logprob: number;
}

/** A token of an answer. Natural logarithms; entropies in nats. */
export interface WireTokenLogprob extends WireTopLogprob {
  readonly top_logprobs: readonly WireTopLogprob[];
  readonly raw_entropy: number;
  readonly policy_entropy: number;
  readonly raw_top1_top2_margin: number;
  readonly policy_top1_top2_margin: number;
  readonly region: TokenRegion;
}

/** Log probabilities of an answer. */
export interface WireLogprobs {
  readonly content: readonly WireTokenLogprob[];
  readonly svc_summary: {
    readonly tokenCount: number;
    readonly meanRawLogprob: number;
    readonly minimumRawLogprob: number;
    readonly meanPolicyLogprob: number;
    readonly minimumPolicyLogprob: number;
    readonly meanRawEntropy: number;
    readonly meanPolicyEntropy: number;
    readonly meanRawTop1Top2Margin: number;
    readonly meanPolicyTop1Top2Margin: number;
  };
  /** Seconds spent on capturing them. */
  readonly svc_capture_seconds: number;
  readonly svc_source: "final_target";
}

/** A draft of a diffusion model. */
export interface WireDraft {
  readonly text: string;
  readonly step: number;
  readonly total_steps: number;
  readonly canvas_index: number;
  readonly block_complete: boolean;
}

/** Statistics of a diffusion model's answer. */
export interface WireDiffusion {
  readonly seed: number;
  readonly canvasTokens: number;
  readonly denoisingSteps: number;
  readonly workTokens: number;
  readonly canvasTokensPerSecond: number;
  readonly workTokensPerSecond: number;
  readonly firstDraftSeconds?: number;
}

/** A whole answer. */
export interface ChatCompletion {
  readonly id: string;
  readonly object: "chat.completion";
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly [{
    readonly index: 0;
    readonly message: WireMessage;
    readonly finish_reason: FinishReason;
    readonly logprobs: WireLogprobs | null;
  }];
  readonly usage: WireUsage;
  readonly svc_diffusion?: WireDiffusion;
}

/** What a chunk adds to the message. */
export interface WireDelta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly (WireToolCall & { readonly index: number })[];
  readonly svc_diffusion_draft?: WireDraft;
}

/** A chunk of a streamed answer. */
export interface ChatChunk {
  readonly id: string;
  readonly object: "chat.completion.chunk";
  readonly created: number;
  readonly model: string;
  readonly choices:
    | readonly [{
      readonly index: 0;
      readonly delta: WireDelta;
      readonly finish_reason: FinishReason | null;
    }]
    | readonly [];
  /** On the last chunk, which has no choices; null on the others, if usage is requested. */
  readonly usage?: WireUsage | null;
  readonly svc_diffusion?: WireDiffusion;
}
