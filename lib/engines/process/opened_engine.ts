/**
 * An open model in its engine's process.
 *
 * @module
 */
import type { ChatModel } from "../text/chat_model.ts";
import type { LanguageModel } from "../text/language_model.ts";
import type { TriedDevice } from "../onnx_sessions/open_session.ts";
import type { ModelProfile } from "../files/model_profile.ts";
import type { EngineModel } from "./engine_messages.ts";
import type { EngineSettings } from "./engine_settings.ts";
import type { OperationHandlers } from "./operation.ts";

/** What all models have in common. */
export interface OpenModel {
  readonly profile: ModelProfile;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Better devices on which it failed, and why; absent for none. */
  readonly tried?: readonly TriedDevice[] | undefined;
  /** Frees everything; no task may be running. */
  close(): Promise<void>;
}

/** A model of any kind: a chat model comes with its chat layer, others with what they can do. */
export type OpenedEngine =
  | { readonly kind: "chat"; readonly model: LanguageModel; readonly chats: ChatModel }
  | { readonly kind: "operations"; readonly model: OpenModel; readonly operations: OperationHandlers };

/**
 * Opens a model.
 *
 * @param onProgress Called on the progress of the load, from 0 to 1.
 */
export type OpenEngine = (
  model: EngineModel,
  settings: EngineSettings,
  onProgress: (fraction: number) => void,
) => Promise<OpenedEngine>;
