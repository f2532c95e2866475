/**
 * What an engine is: its entry in the table, what it reads of a model, and what it opens.
 *
 * @module
 */
import type { EngineId } from "./engine_ids.ts";
import type { ModelProfile } from "./model_profile.ts";
import type { EngineSettings, TriedDevice } from "./engine_settings.ts";
import type { Chats } from "./chat_engine.ts";
import type { LanguageModel, OpenConstrainer } from "./language_model.ts";
import type { OperationHandlers } from "./operation.ts";

/** An engine in the table. */
export interface EngineEntry {
  /** The kind of its models. */
  readonly kind: ModelProfile["kind"];
  /**
   * Reads the profile of a model of this engine; undefined for other files.
   *
   * @throws {Error} naming the file of such a model that is missing or cannot be used.
   */
  readonly readProfile: (files: ModelFiles) => Promise<ModelProfile | undefined>;
  /** Opens a model in the engine's process; what it imports is loaded there alone. */
  readonly open: (
    files: ModelFiles,
    options: EngineOptions,
    companion: ModelFiles | undefined,
  ) => Promise<OpenedEngine>;
  /** Bytes that a loaded model keeps; by default those of its files. */
  readonly loadBytes?: (profile: never) => number;
  /** Bytes that a call of an operation takes beside the weights, by its input; operations that are not here take few. */
  readonly memory?: Readonly<Record<string, (input: never, profile: never) => number>>;
  /** An installed model of another engine whose files this one reads. */
  readonly companion?: {
    readonly engine: EngineId;
    /** Whether a model with these files can do without. */
    readonly optional: (names: readonly string[]) => boolean;
    /** What the files are for and how to get them, for error messages. */
    readonly missing: string;
  };
}

/** A model's folder. Names are relative to it, with `/`. */
export interface ModelFiles {
  /** Names of all files of the model; of its weights only those of one quantization. */
  readonly names: readonly string[];
  /** Absolute path, for native libraries. */
  path(name: string): string;
  /** Reads a whole file. */
  read(name: string): Promise<Uint8Array>;
  /** Reads up to `length` bytes from `start`: fewer at the end of the file, none after it. */
  readPart(name: string, start: number, length: number): Promise<Uint8Array>;
}

/** Source of random numbers for chats. */
export interface ChatRandom {
  /** Eight letters or digits. */
  id(): string;
  /** A seed for a request without one. */
  seed(): number;
}

/** Settings for opening a model. */
export interface EngineOptions extends EngineSettings {
  /** Random numbers for chats. */
  readonly random: ChatRandom;
  readonly openConstrainer: OpenConstrainer;
  /** Whether the prefix cache is enabled. */
  readonly prefixCache: boolean;
  /** Devices known to be unavailable on this machine. */
  readonly missing: readonly TriedDevice[];
  /**
   * Whether it is kept in the application folder which native libraries have worked, so that they are not tested before
   * every load; only in a process of an engine. False by default.
   */
  readonly keepTests?: boolean | undefined;
  /** Called on the progress of the load, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

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
