/**
 * A parsed chat request, independent of the client's spelling.
 *
 * @module
 */
import type { MaxTokensField } from "./output_budget.ts";

/** The location of an image, which is not fetched or opened here. */
export type ImagePlace =
  | { readonly kind: "data"; readonly mediaType: string; readonly base64: string }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "file_url"; readonly url: string };

/** An image in a message, and the detail to process it with. */
export type ImageReference = ImagePlace & { readonly detail: "auto" | "low" | "high" };

/** A content part with an image; parts keep their order. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: ImageReference };

/** A function call in an assistant message. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object, as it was given; any other text if the call is foreign. */
  readonly arguments: string;
  /** Whether the arguments are not a JSON object: what a model once wrote is passed on as a text. */
  readonly isForeign?: boolean | undefined;
}

/** A message. Text parts are joined with newlines; only a message with an image keeps its parts. */
export type ChatMessage =
  | { readonly role: "system" | "developer"; readonly content: string; readonly name: string | undefined }
  | {
    readonly role: "user";
    readonly content: string | readonly ContentPart[];
    readonly name: string | undefined;
  }
  | {
    readonly role: "assistant";
    readonly content: string;
    readonly reasoning: string | undefined;
    readonly toolCalls: readonly ToolCall[];
    readonly name: string | undefined;
  }
  | {
    readonly role: "tool";
    readonly content: string;
    readonly toolCallId: string;
    /** The called function: as given, else that of the call that it answers. */
    readonly name: string | undefined;
  };

/** A function that the model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, unmodified. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The schema as JSON text with the numbers and the order of the request; undefined if it did not come as a text. */
  readonly parametersText?: string | undefined;
  /** Whether the arguments must follow the schema. */
  readonly strict: boolean;
  /** Its path in the client's request, for errors: `tools[2]`, also when a choice has left only this one. */
  readonly path?: string | undefined;
}

/** Whether calls are left to the model, forced, or forced to one function. */
export type ToolChoice =
  | { readonly mode: "auto" | "required" }
  | { readonly mode: "function"; readonly name: string };

/** The required form of the answer. */
export type ResponseFormat =
  | { readonly type: "text" | "json_object" }
  | {
    readonly type: "json_schema";
    readonly name: string | undefined;
    readonly schema: Readonly<Record<string, unknown>>;
    readonly strict: boolean;
    /** The path of the schema in the client's request, for errors. */
    readonly path: string;
  };

/** Reasoning efforts, in ascending order. */
export const REASONING_EFFORTS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** One of {@linkcode REASONING_EFFORTS}. */
export type ReasoningEffort = typeof REASONING_EFFORTS[number];

/** What the request says about reasoning; undefined leaves it to the model. */
export interface ReasoningChoice {
  readonly enabled: boolean | undefined;
  readonly effort: Exclude<ReasoningEffort, "off"> | undefined;
  /** The field that set it, for errors. */
  readonly param: string;
  /** Tokens that the reasoning may take, or a level: models with levels take the one that fits best, others none. */
  readonly wish?: number | Exclude<ReasoningEffort, "off"> | undefined;
}

/** A prompt that no template renders: a text, which a suffix may follow, or tokens. */
export type RawPrompt =
  | { readonly text: string; readonly suffix?: string | undefined }
  | { readonly tokens: readonly number[] };

/** Sampling fields of the request; each omitted one keeps the model's default. */
export interface SamplingFields {
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly minP: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly repetitionPenalty: number | undefined;
  /** Added to the logits of token ids. */
  readonly logitBias: ReadonlyMap<number, number>;
}

/** A chat request after all validation that needs no model. */
export interface ChatRequest {
  /** Model id or alias; empty for the server's default. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Is continued in place of the messages, which are empty then. */
  readonly rawPrompt?: RawPrompt | undefined;
  readonly sampling: SamplingFields;
  /** Maximum number of tokens to generate; undefined for the model's default. */
  readonly maxTokens: number | undefined;
  /** The field that said so, for errors. */
  readonly maxTokensField?: MaxTokensField;
  readonly stop: readonly string[];
  readonly seed: number | undefined;
  readonly stream: boolean;
  /** Whether a usage chunk ends the stream. */
  readonly includeUsage: boolean;
  /** Whether a stream has the reasoning while it is generated. */
  readonly includeReasoning: boolean;
  /** Number of alternatives for each token's log probabilities; undefined for no log probabilities. */
  readonly topLogprobs: number | undefined;
  /** Functions offered to the model: all, none, or the chosen one. */
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  readonly responseFormat: ResponseFormat;
  readonly reasoning: ReasoningChoice;
  /** Further variables of the chat template. */
  readonly templateArguments: Readonly<Record<string, unknown>>;
  /** Whether a diffusion-style model streams its drafts. */
  readonly showUnmasking: boolean;
  /** What was accepted without effect, one sentence each, in ASCII, for `x-svc-warning`. */
  readonly warnings: readonly string[];
}
