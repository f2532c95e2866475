/**
 * Chat answers on the wire.
 *
 * @module
 */

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls";

/** A function call. */
export interface WireToolCall {
  /** Its id. */
  readonly id: string;
  /** Always a function. */
  readonly type: "function";
  /** The function and its arguments as JSON. */
  readonly function: {
    readonly name: string;
    /** JSON text of an object. */
    readonly arguments: string;
  };
}

/** The message of an answer. */
export interface WireMessage {
  /** Who speaks. */
  readonly role: "assistant";
  /** Empty when the model only calls functions. */
  readonly content: string;
  /** What the model reasoned. */
  readonly reasoning_content?: string;
  /** The calls of tools. */
  readonly tool_calls?: readonly WireToolCall[];
}

/** Tokens of a request and its answer. */
export interface WireUsage {
  /** Tokens of the prompt. */
  readonly prompt_tokens: number;
  /** Tokens of the answer. */
  readonly completion_tokens: number;
  /** Both together. */
  readonly total_tokens: number;
  /** How many of the prompt came from the prefix cache. */
  readonly prompt_tokens_details: {
    /** Prompt tokens taken from the prefix cache. */
    readonly cached_tokens: number;
  };
}

/** What kind of text a token belongs to. */
export type TokenRegion = WireTokenLogprob["region"];

/** An alternative token. */
export interface WireTopLogprob {
  /** Text of the token. */
  readonly token: string;
  /** Its UTF-8 bytes. */
  readonly bytes: readonly number[];
  /** Its log probability under the final distribution. */
  readonly logprob: number;
  /** Its log probability under the raw logits. */
  readonly raw_logprob: number;
  /** Its log probability after temperature and penalties. */
  readonly policy_logprob: number;
}

/** A token of an answer. Natural logarithms; entropies in nats. */
export interface WireTokenLogprob extends WireTopLogprob {
  /** The most probable tokens here. */
  readonly top_logprobs: readonly WireTopLogprob[];
  /** Entropy of the raw distribution, in nats. */
  readonly raw_entropy: number;
  /** Entropy of the final distribution, in nats. */
  readonly policy_entropy: number;
  /** Difference of the two largest raw log probabilities. */
  readonly raw_top1_top2_margin: number;
  /** Difference of the two largest final log probabilities. */
  readonly policy_top1_top2_margin: number;
  /** Part of the answer that the token belongs to. */
  readonly region: "reasoning" | "visible" | "code" | "tool_name" | "tool_argument" | "markup" | "unknown";
}

/** Log probabilities of an answer. */
export interface WireLogprobs {
  /** The text, or the tokens. */
  readonly content: readonly WireTokenLogprob[];
  /** Means over the tokens. */
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
  /** Which model the probabilities are of. */
  readonly svc_source: "final_target";
}

/** A draft of a diffusion model. */
export interface WireDraft {
  /** The draft. */
  readonly text: string;
  /** Denoising steps that are done. */
  readonly step: number;
  /** Denoising steps in all. */
  readonly total_steps: number;
  /** Index of the canvas. */
  readonly canvas_index: number;
  /** Whether its text is final. */
  readonly block_complete: boolean;
}

/** Statistics of a diffusion model's answer. */
export interface WireDiffusion {
  /** Seed that was used. */
  readonly seed: number;
  /** Tokens of the canvases. */
  readonly canvasTokens: number;
  /** Steps that were made. */
  readonly denoisingSteps: number;
  /** Tokens computed over all steps. */
  readonly workTokens: number;
  /** Final tokens per second. */
  readonly canvasTokensPerSecond: number;
  /** Computed tokens per second. */
  readonly workTokensPerSecond: number;
  /** Seconds to the first draft. */
  readonly firstDraftSeconds?: number;
}

/** A whole answer. */
export interface ChatCompletion {
  /** Its id. */
  readonly id: string;
  /** Kind of this record. */
  readonly object: "chat.completion";
  /** Unix time in seconds. */
  readonly created: number;
  /** Id of the model. */
  readonly model: string;
  /** The answers; there is one. */
  readonly choices: readonly [{
    readonly index: 0;
    readonly message: WireMessage;
    readonly finish_reason: FinishReason;
    readonly logprobs: WireLogprobs | null;
  }];
  /** Tokens of prompt and answer. */
  readonly usage: WireUsage;
  /** How a diffusion model wrote it. */
  readonly svc_diffusion?: WireDiffusion;
}

/** What a chunk adds to the message. */
export interface WireDelta {
  /** Who speaks. */
  readonly role?: "assistant";
  /** The text, or the tokens. */
  readonly content?: string;
  /** What the model reasoned. */
  readonly reasoning_content?: string;
  /** The calls of tools. */
  readonly tool_calls?: readonly (WireToolCall & { readonly index: number })[];
  /** A draft of a diffusion model. */
  readonly svc_diffusion_draft?: WireDraft;
}

/** A chunk of a streamed answer. */
export interface ChatChunk {
  /** Its id. */
  readonly id: string;
  /** Kind of this record. */
  readonly object: "chat.completion.chunk";
  /** Unix time in seconds. */
  readonly created: number;
  /** Id of the model. */
  readonly model: string;
  /** The answers; there is one. */
  readonly choices:
    | readonly [{
      readonly index: 0;
      readonly delta: WireDelta;
      readonly finish_reason: FinishReason | null;
    }]
    | readonly [];
  /** On the last chunk, which has no choices; null on the others, if usage is requested. */
  readonly usage?: WireUsage | null;
  /** How a diffusion model wrote it. */
  readonly svc_diffusion?: WireDiffusion;
}
