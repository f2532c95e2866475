/**
 * The messages between a server and the process of an engine.
 *
 * @module
 */
import type { ChatRequest, TextErrorType, WireDraft } from "../../api/protocol/mod.ts";
import { TextError } from "../../api/protocol/mod.ts";
import type { ChatOptions, ChatOutcome, EmbeddingOutcome, RerankOutcome } from "../text/chat_engine.ts";
import type { EngineSettings } from "./engine_settings.ts";
import type { EngineCounters } from "../text/language_model.ts";
import type { ModelProfile } from "../files/model_profile.ts";

/** Where the files of a model are, and what is known of it. */
export interface EngineModel {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  /** Names of its files, relative to the folder. */
  readonly files: readonly string[];
  readonly profile: ModelProfile;
}

/** What an engine is asked for. */
export type EngineTask =
  | { readonly task: "chat"; readonly request: ChatRequest; readonly options: ChatOptions }
  | { readonly task: "embed"; readonly texts: readonly string[] }
  | { readonly task: "rerank"; readonly query: string; readonly texts: readonly string[] }
  | { readonly task: "trim" };

/** What a server sends: first what to open, then tasks under new ids, the end of one of them, or of all. */
export type EngineRequest =
  | { readonly kind: "open"; readonly model: EngineModel; readonly settings: EngineSettings }
  | { readonly kind: "task"; readonly id: number } & EngineTask
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "stop" };

/** What a task comes to. */
export type TaskResult = ChatOutcome | EmbeddingOutcome | RerankOutcome | undefined;

/** An error on its way out of the process. */
export interface CarriedError {
  readonly message: string;
  readonly stack?: string;
  /** What a client may be told; all else is for the log. */
  readonly told?: { readonly type: TextErrorType; readonly code: string; readonly param?: string };
}

/**
 * What an engine sends: how far it is with loading, that it is ready or has failed; then what a task brings, and its
 * result or error. Text and the number of tokens since the last message of a chat come together.
 */
export type EngineReply =
  | { readonly kind: "loading"; readonly fraction: number }
  | {
    readonly kind: "ready";
    readonly profile: ModelProfile;
    readonly device: string;
    readonly counters?: EngineCounters;
  }
  | { readonly kind: "failed"; readonly error: CarriedError }
  | { readonly kind: "prefill"; readonly id: number; readonly done: number; readonly total: number }
  | {
    readonly kind: "text";
    readonly id: number;
    readonly text: string;
    readonly tokens: number;
    readonly counters?: EngineCounters;
  }
  | { readonly kind: "draft"; readonly id: number; readonly draft: WireDraft }
  | { readonly kind: "done"; readonly id: number; readonly result: TaskResult; readonly counters?: EngineCounters }
  | { readonly kind: "error"; readonly id: number; readonly error: CarriedError; readonly counters?: EngineCounters };

/** One end of the channel. */
export interface EnginePort<Send, Receive> {
  /**
   * Resolves when the message is on its way, without error also when nobody is there any more.
   *
   * @throws {RangeError} when values are nested deeper than the channel can carry them.
   */
  send(message: Send): Promise<void>;
  /** Hears every message, those that arrived before included. One listener a port. */
  onMessage(listener: (message: Receive) => void): void;
}

/** Takes an error apart. */
export function carryError(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  if (!(error instanceof TextError)) return stack === undefined ? { message } : { message, stack };
  const { type, code, param } = error;
  return { message, told: param === undefined ? { type, code } : { type, code, param } };
}

/** Puts an error together again. One that was not meant for clients has the stack that it had in its process. */
export function receiveError({ message, stack, told }: CarriedError): Error {
  if (told !== undefined) return new TextError(told.type, told.code, message, told.param);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
