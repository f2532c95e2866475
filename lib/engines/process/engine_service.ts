/**
 * What a server asks of an engine's process.
 *
 * @module
 */
import type { ChatRequest, WireDraft } from "../../protocol/mod.ts";
import type { Method } from "../../platform/rpc/rpc_service.ts";
import type { ChatOptions, ChatOutcome, TextLook, TextSeen } from "../contract/chat_engine.ts";
import type { EngineSettings, TriedDevice } from "../contract/engine_settings.ts";
import type { EngineCounters } from "../contract/language_model.ts";
import type { ModelProfile } from "../contract/model_profile.ts";
import type { EngineModel } from "../contract/engine_entry.ts";

/** An engine that is ready. */
export interface ReadyEngine {
  readonly profile: ModelProfile;
  readonly device: string;
  readonly tried?: readonly TriedDevice[] | undefined;
  readonly counters?: EngineCounters;
}

/** What a task says before its answer. Text and the number of tokens since the last message are sent together. */
export type TaskEvent =
  | { readonly kind: "preparing" }
  | { readonly kind: "prepared" }
  | { readonly kind: "prefill"; readonly done: number; readonly total: number }
  | {
    readonly kind: "text";
    readonly text: string;
    /** Comes before the text. */
    readonly reasoning?: string;
    readonly tokens: number;
    readonly counters?: EngineCounters;
  }
  | { readonly kind: "draft"; readonly draft: WireDraft }
  | { readonly kind: "counters"; readonly counters: EngineCounters }
  | { readonly kind: "progress"; readonly fraction: number; readonly stage: string }
  | { readonly kind: "part"; readonly part: unknown };

/** The calls of an engine's process: first the model to open, then tasks, at last the request to stop. */
export type EngineService = {
  /** Its events are the progress of the load, from 0 to 1. */
  readonly open: Method<readonly [EngineModel, EngineSettings], ReadyEngine, number>;
  readonly chat: Method<readonly [ChatRequest, ChatOptions], ChatOutcome, TaskEvent>;
  /** Compiles the grammar of a request; the number is the time. */
  readonly prepare: Method<readonly [ChatRequest, number], void, TaskEvent>;
  /** Turns a text into tokens, or back. */
  readonly look: Method<readonly [TextLook], TextSeen, TaskEvent>;
  /** `folder` is for results that are files. */
  readonly operation: Method<
    readonly [name: string, input: unknown, folder: string | undefined],
    unknown,
    TaskEvent
  >;
  /** Frees what a model keeps to be fast. */
  readonly trim: Method<readonly [], void, TaskEvent>;
  readonly stop: Method<readonly []>;
};

/** The methods that are tasks. */
export type EngineTask = "chat" | "prepare" | "look" | "operation" | "trim";
