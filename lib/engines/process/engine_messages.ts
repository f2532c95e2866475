/**
 * The messages between a server and an engine's process.
 *
 * @module
 */
import type { ChatRequest, WireDraft } from "../../protocol/mod.ts";
import type { EngineSettings, TriedDevice } from "../contract/engine_settings.ts";
import type { CarriedError } from "../../errors/carried_error.ts";
import type { ChatOptions } from "../contract/chat_engine.ts";
import type { EngineModel } from "../contract/engine_entry.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { ModelProfile } from "../contract/model_profile.ts";

/** The task of an engine. */
export type EngineTask =
  | { readonly task: "chat"; readonly request: ChatRequest; readonly options: ChatOptions }
  | {
    readonly task: "operation";
    readonly name: string;
    readonly input: unknown;
    /** For results that are files. */
    readonly folder: string | undefined;
  }
  | { readonly task: "trim" };

/**
 * What a server sends: first the model to open, then tasks under new ids, that an event of one was taken, the
 * cancellation of one, or the request to stop.
 */
export type EngineRequest =
  | { readonly kind: "open"; readonly model: EngineModel; readonly settings: EngineSettings }
  | { readonly kind: "task"; readonly id: number } & EngineTask
  | { readonly kind: "taken"; readonly id: number }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "stop" };

/**
 * What an engine sends: load progress, ready or failed; then the events of a task, and its result or error. Text and
 * the number of tokens since the last message of a chat are sent together.
 */
export type EngineReply =
  | { readonly kind: "loading"; readonly fraction: number }
  | {
    readonly kind: "ready";
    readonly profile: ModelProfile;
    readonly device: string;
    readonly tried?: readonly TriedDevice[] | undefined;
    readonly counters?: EngineCounters;
  }
  | { readonly kind: "failed"; readonly error: CarriedError }
  | { readonly kind: "preparing"; readonly id: number }
  | { readonly kind: "prepared"; readonly id: number }
  | { readonly kind: "prefill"; readonly id: number; readonly done: number; readonly total: number }
  | {
    readonly kind: "text";
    readonly id: number;
    readonly text: string;
    /** Comes before the text. */
    readonly reasoning?: string;
    readonly tokens: number;
    readonly counters?: EngineCounters;
  }
  | { readonly kind: "draft"; readonly id: number; readonly draft: WireDraft }
  | { readonly kind: "progress"; readonly id: number; readonly fraction: number; readonly stage: string }
  | { readonly kind: "event"; readonly id: number; readonly event: unknown }
  | { readonly kind: "done"; readonly id: number; readonly result: unknown; readonly counters?: EngineCounters }
  | { readonly kind: "error"; readonly id: number; readonly error: CarriedError; readonly counters?: EngineCounters };

/** One end of the channel. */
export interface EnginePort<Send, Receive> {
  /**
   * Resolves when the message has been sent, also when the other end is closed.
   *
   * @throws {RangeError} when values are nested deeper than the channel supports.
   */
  send(message: Send): Promise<void>;
  /** Called on every message, including those that arrived before. One listener per port. */
  onMessage(listener: (message: Receive) => void): void;
}
