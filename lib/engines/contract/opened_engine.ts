/**
 * An open model in its engine's process.
 *
 * @module
 */
import type { Chats } from "./chat_engine.ts";
import type { LanguageModel } from "./language_model.ts";
import type { TriedDevice } from "./tried_device.ts";
import type { ModelProfile } from "./model_profile.ts";
import type { EngineSettings } from "./engine_settings.ts";
import type { OperationHandlers } from "./operation.ts";

/** The location and profile of a model. */
export interface EngineModel {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  /** Names of its files, relative to the folder. */
  readonly files: readonly string[];
  readonly profile: ModelProfile;
  /** Another model whose files it needs. */
  readonly companion?: Pick<EngineModel, "folder" | "files"> | undefined;
}

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
  | { readonly kind: "chat"; readonly model: LanguageModel; readonly chats: Chats }
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
