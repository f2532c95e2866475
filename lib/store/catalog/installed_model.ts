/**
 * Models in the store.
 *
 * @module
 */
import type { KvCacheMode, ModelProfile, ModelTask } from "../../engines/contract/model_profile.ts";

export type { ModelTask };

/** A file of a model. */
export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
}

/** Where a model was pulled from. */
export interface ModelSource {
  /** Such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly repository: string;
  /** The commit. */
  readonly revision: string;
}

/** An installed model; the record is stored as `svc-model.json` in its folder of the store. */
export interface InstalledModel {
  /** Its id. */
  readonly id: string;
  /** What it is for. */
  readonly task: ModelTask;
  /** Absolute path of the folder of its files: in the store, or where the user keeps them. */
  readonly folder: string;
  /** Its files. */
  readonly files: readonly ModelFile[];
  /** Approximate memory that it takes when loaded. */
  readonly bytes: number;
  /** ISO-8601. */
  readonly installedAt: string;
  /** Where it came from. */
  readonly source?: ModelSource;
  /** SPDX identifier, if known. */
  readonly license?: string;
  /** Whether it is for tests, with random or scripted weights: lists and answers say so. */
  readonly test?: boolean;
  /** Undefined for tasks that no engine of this version serves. */
  readonly profile?: ModelProfile;
}

/** Runtime settings of a model: keys and bounds of `PATCH /runtime/models/{id}/settings`. */
export interface RuntimeSettings {
  readonly alias?: string;
  readonly pinned: boolean;
  readonly ttlSeconds?: number;
  readonly maxContextTokens?: number;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly minP?: number;
  readonly engineOverride?: string;
  /** Id of a smaller model that drafts its answers. */
  readonly draftModel?: string;
  readonly kvCacheMode?: KvCacheMode;
}

/** The store as a server reads it: always up to date, since commands may change it while the server runs. */
export interface ModelCatalog {
  /** Absolute path of the settings file. */
  readonly settingsPath: string;
  /** All installed models, by id. */
  list(): Promise<readonly InstalledModel[]>;
  /** Ids in the built-in catalog, installed or not. */
  readonly known: readonly string[];
  /** Settings of all models that have any, by id. */
  settings(): Promise<ReadonlyMap<string, RuntimeSettings>>;
  /**
   * Replaces the settings of a model.
   *
   * @throws {SvcError} `invalid_settings` with the key, `alias_taken`, `model_not_found` for an id that is neither
   * installed nor in the catalog.
   */
  saveSettings(id: string, settings: unknown): Promise<RuntimeSettings>;
}

/** Every task, in display order. */
export const MODEL_TASKS: readonly ModelTask[] = [
  "chat.completions",
  "embeddings",
  "rerank",
  "images.generations",
  "images.edits",
  "audio.speech",
  "audio.transcriptions",
  "vision.geometry",
  "vision.depth",
  "vision.image_to_3d",
];
