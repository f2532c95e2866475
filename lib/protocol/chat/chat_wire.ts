/**
 * Chat answers on the wire. The two public types are whole: what they consist of is named below for use inside.
 *
 * @module
 */

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls";

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
    readonly message: {
      /** Who speaks. */
      readonly role: "assistant";
      /** Empty when the model only calls functions. */
      readonly content: string;
      /** What the model reasoned. */
      readonly reasoning_content?: string;
      /** The calls of tools. */
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly type: "function";
        readonly function: {
          readonly name: string;
          /** JSON text of an object. */
          readonly arguments: string;
        };
      }[];
    };
    readonly finish_reason: FinishReason;
    /** Natural logarithms; entropies in nats. */
    readonly logprobs:
      | {
        /** The tokens of the answer. */
        readonly content: readonly {
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
          /** The most probable tokens here. */
          readonly top_logprobs: readonly {
            readonly token: string;
            readonly bytes: readonly number[];
            readonly logprob: number;
            readonly raw_logprob: number;
            readonly policy_logprob: number;
          }[];
          /** Entropy of the raw distribution. */
          readonly raw_entropy: number;
          /** Entropy of the final distribution. */
          readonly policy_entropy: number;
          /** Difference of the two largest raw log probabilities. */
          readonly raw_top1_top2_margin: number;
          /** Difference of the two largest final log probabilities. */
          readonly policy_top1_top2_margin: number;
          /** Part of the answer that the token belongs to. */
          readonly region: "reasoning" | "visible" | "code" | "tool_name" | "tool_argument" | "markup" | "unknown";
        }[];
        /** Means and minima over the tokens. */
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
      | null;
  }];
  /** Tokens of prompt and answer. */
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    /** Both together. */
    readonly total_tokens: number;
    readonly prompt_tokens_details: {
      /** Prompt tokens taken from the prefix cache. */
      readonly cached_tokens: number;
    };
  };
  /** How a diffusion model wrote it. */
  readonly svc_diffusion?: {
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
  };
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
      /** What the chunk adds to the message. */
      readonly delta: {
        readonly role?: "assistant";
        readonly content?: string;
        readonly reasoning_content?: string;
        readonly tool_calls?: readonly {
          readonly index: number;
          readonly id: string;
          readonly type: "function";
          readonly function: { readonly name: string; readonly arguments: string };
        }[];
        /** A draft of a diffusion model. */
        readonly svc_diffusion_draft?: {
          readonly text: string;
          /** Denoising steps that are done. */
          readonly step: number;
          /** Denoising steps in all. */
          readonly total_steps: number;
          /** Index of the canvas. */
          readonly canvas_index: number;
          /** Whether its text is final. */
          readonly block_complete: boolean;
        };
      };
      readonly finish_reason: FinishReason | null;
    }]
    | readonly [];
  /** On the last chunk, which has no choices; null on the others, if usage is requested. */
  readonly usage?: ChatCompletion["usage"] | null;
  /** How a diffusion model wrote it. */
  readonly svc_diffusion?: ChatCompletion["svc_diffusion"];
}

/** The one answer of a completion. */
type Choice = ChatCompletion["choices"][0];

/** The message of an answer. */
export type WireMessage = Choice["message"];

/** A function call. */
export type WireToolCall = NonNullable<WireMessage["tool_calls"]>[number];

/** Tokens of a request and its answer. */
export type WireUsage = ChatCompletion["usage"];

/** Log probabilities of an answer. */
export type WireLogprobs = NonNullable<Choice["logprobs"]>;

/** A token of an answer. */
export type WireTokenLogprob = WireLogprobs["content"][number];

/** What kind of text a token belongs to. */
export type TokenRegion = WireTokenLogprob["region"];

/** Statistics of a diffusion model's answer. */
export type WireDiffusion = NonNullable<ChatCompletion["svc_diffusion"]>;

/** What a chunk adds to the message. */
export type WireDelta = NonNullable<ChatChunk["choices"][0]>["delta"];

/** A draft of a diffusion model. */
export type WireDraft = NonNullable<WireDelta["svc_diffusion_draft"]>;
