/**
 * What the program has to know of an engine.
 *
 * @module
 */
import type { ModelFiles } from "./model_files.ts";
import type { EngineId, ModelProfile } from "./model_profile.ts";
import type { EngineOptions } from "./engine_settings.ts";
import type { OpenedEngine } from "./opened_engine.ts";

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
