/**
 * Engines as a server sees them, each in its own process.
 *
 * @module
 */
import type { TriedDevice } from "./engine_settings.ts";
import type { Engine } from "../../scheduling/mod.ts";
import type {
  ChatRequest,
  FinishedAnswer,
  SamplingSettings,
  WireDiffusion,
  WireDraft,
  WireLogprobs,
} from "../../protocol/mod.ts";
import type { EngineCounters } from "./language_model.ts";
import type { ChatModelProfile, ModelProfile } from "./model_profile.ts";
import type { Operation, OperationListener } from "./operation.ts";

/** Options of a chat besides its request. */
export interface ChatOptions {
  /** Combined token limit of prompt and answer: the minimum over model, settings and server. */
  readonly context: number;
  /** Default number of tokens of an answer. */
  readonly presetMaxTokens: number;
  /** Default sampling: the model's own, overridden by the settings of the store. */
  readonly defaults: SamplingSettings;
  /** Milliseconds since 1970, for templates with a date. */
  readonly now: number;
  /** Bytes of the images of the request in order, read under the server's path policy. */
  readonly images: readonly Uint8Array[];
}

/** Callbacks of a running chat. */
export interface ChatListener {
  /**
   * Called before the messages, tools and schema of a request are turned into a prompt and a grammar, which a hostile
   * request may make long, and awaited. `onPrefill` says that it is done.
   */
  readonly onPreparing?: () => Promise<void>;
  readonly onPrefill: (done: number, total: number) => void;
  /** Reasoning, for requests that include it; what is left comes before the answer. */
  readonly onReasoning?: (text: string) => void;
  /** Text to show; the remainder comes with the answer. */
  readonly onText: (text: string) => void;
  readonly onDraft: (draft: WireDraft) => void;
  /** Number of tokens generated since the last call, shown or not. */
  readonly onTokens: (count: number) => void;
}

/** A completed chat. */
export interface ChatOutcome {
  readonly answer: FinishedAnswer;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly prefillSeconds: number;
  readonly decodeSeconds: number;
  readonly firstTokenSeconds: number;
  readonly logprobs?: WireLogprobs;
  readonly diffusion?: WireDiffusion;
}

/** A text to look at without generating anything. */
export type TextLook =
  /** `marks` for what the model puts before every text, `pieces` for the bytes of each token. */
  | { readonly kind: "encode"; readonly text: string; readonly marks: boolean; readonly pieces: boolean }
  | { readonly kind: "decode"; readonly tokens: readonly number[] }
  /** `images` as in {@linkcode ChatOptions}. */
  | {
    readonly kind: "render";
    readonly request: ChatRequest;
    readonly now: number;
    readonly images: readonly Uint8Array[];
  };

/** A text and its tokens. */
export interface TextSeen {
  readonly text: string;
  readonly tokens: readonly number[];
  /** The bytes of each token; empty unless asked for. */
  readonly pieces: readonly Uint8Array[];
  /** Number of tokens, with those of images. */
  readonly count: number;
}

/** Common to all engines. */
export interface EngineProcess extends Engine {
  /** Id of its process, whose memory counts as the server's. */
  readonly processID: number;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Better devices on which the model failed, and why. */
  readonly tried?: readonly TriedDevice[] | undefined;
  /** Seconds from the start of the process until the model was ready. */
  readonly loadSeconds: number;
}

/** The chat layer of a language model, in its engine's process or before it. */
export interface Chats {
  /**
   * Answers a chat.
   *
   * @throws {SvcError} what the model cannot do, a prompt that is too long, output that broke its schema.
   * @throws the reason of `signal` when it aborts; the slot of the engine is free again by then.
   */
  chat(request: ChatRequest, options: ChatOptions, listener: ChatListener, signal: AbortSignal): Promise<ChatOutcome>;
  /**
   * Compiles the grammar of a request ahead of {@linkcode chat}, so that it takes no slot. Absent where there is none.
   *
   * @param now Milliseconds since 1970, for templates with a date.
   * @throws as {@linkcode chat}, for what is wrong with the request or its schema.
   */
  prepare?(request: ChatRequest, now: number, listener: PrepareListener, signal: AbortSignal): Promise<void>;
  /**
   * Turns a text into tokens, or back, or a request into its prompt. It takes no slot.
   *
   * @throws {SvcError} what the model cannot do, messages that its template refuses, tokens that it does not have, a
   * prompt that is far too long for it.
   */
  look(look: TextLook, listener: PrepareListener, signal: AbortSignal): Promise<TextSeen>;
}

/** Called before and after what only the end of a process can stop. */
export interface PrepareListener {
  readonly onPreparing?: () => Promise<void>;
  readonly onPrepared?: () => Promise<void>;
}

/** A loaded chat model. */
export interface ChatEngine extends EngineProcess, Chats {
  readonly kind: "chat";
  readonly profile: ChatModelProfile;
  /** As last reported by the process: reading them never waits. */
  readonly counters: EngineCounters;
}

/** A loaded model of a lane. */
export interface OperationEngine extends EngineProcess {
  readonly kind: "operations";
  readonly profile: ModelProfile;
  /**
   * Runs an operation to its end.
   *
   * @throws {SvcError} what the model says about the input.
   * @throws the reason of `signal` when it aborts, once the operation has ended.
   */
  perform<Input, Event, Output>(
    operation: Operation<Input, Event, Output>,
    input: Input,
    listener: OperationListener<Event>,
    signal: AbortSignal,
  ): Promise<Output>;
}
