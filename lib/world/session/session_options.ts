/**
 * What a session depends on.
 *
 * @module
 */
import type { ArtifactKind } from "./artifacts.ts";
import type { SessionMemory } from "./session_memory.ts";
import type { MadeChunk } from "./moves/chunk_publisher.ts";
import type { ModelRoots } from "../protocol/model_files.ts";
import type { SessionKeeper } from "./journal/session_keeper.ts";
import type { Backend } from "./backend.ts";
import type { ModelRecord } from "../protocol/wire.ts";
import type { WorldFiles } from "./world_files.ts";
import type { Media } from "../../media/video/media.ts";

/** How much a session keeps. */
export interface SessionLimits {
  /** Moves that can be undone without generating, over all paths, 0 to 999; 64 by default. */
  readonly maxRetainedEdges?: number | undefined;
  /** Checkpoints at the same time, 0 to 1000; 32 by default. */
  readonly maxCheckpoints?: number | undefined;
  /** Bytes of videos and pictures to keep, the newest; 4 GiB by default. */
  readonly keepFiles?: number | undefined;
}

/** The limits, each with a number. */
export type SettledLimits = { readonly [Limit in keyof SessionLimits]-?: number };

/** What a session keeps by default. */
export const SESSION_LIMITS: SettledLimits = { maxRetainedEdges: 64, maxCheckpoints: 32, keepFiles: 4 * 1024 ** 3 };

/** The limits among other options, with the default of each missing one. */
export function sessionLimits(options: SessionLimits): SettledLimits {
  const names = Object.keys(SESSION_LIMITS) as (keyof SessionLimits)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? SESSION_LIMITS[name]])) as SettledLimits;
}

/** What a session works with; all of it can be replaced by a test. */
export interface WorldSessionOptions extends SessionLimits {
  /** The world model and what it makes of moves. */
  readonly backend: Backend;
  /** Where files are written and read. */
  readonly files: WorldFiles;
  /** The model record of snapshots until the model is loaded. */
  readonly record: ModelRecord;
  /** Checks whether the model can be loaded; rejects with `model_unavailable`. */
  readonly roots: () => Promise<ModelRoots>;
  /**
   * Plans and measures the memory of frames; every size is accepted by default.
   *
   * @internal
   */
  readonly memory?: SessionMemory | undefined;
  /** Encodes and decodes images and video. */
  readonly media: Pick<
    Media,
    "prepare" | "encodeChunk" | "joinChunks" | "encodePng" | "decodeImage" | "close"
  >;
  /**
   * Keeps the session on the disk; by default it ends with its process.
   *
   * @internal
   */
  readonly keeper?: SessionKeeper | undefined;
  /**
   * Whether a hold can be undone, which the contract has no inverse for.
   *
   * @internal
   */
  readonly undoesHolds?: boolean | undefined;
  /**
   * Called before an operation writes its first file, in a session without a keeper.
   *
   * @internal
   */
  readonly onFiles?: ((kind: ArtifactKind, number: number) => Promise<void>) | undefined;
  /**
   * The last number that was given to a file in a session without a keeper; 0 by default.
   *
   * @internal
   */
  readonly lastNumber?: number | undefined;
  /** The current time. */
  readonly clock: () => Date;
  /** Called with each chunk of a job once its file is complete; the job continues when it resolves. */
  readonly onChunk?: (chunk: MadeChunk) => Promise<void>;
  /** A new UUID in lower case. */
  readonly newId: () => string;
  /**
   * The id of the next job; a new one by default.
   *
   * @internal
   */
  readonly newJobId?: (() => string) | undefined;
  /** Called when a job ends. */
  readonly onEvent?: (entry: {
    /** How important it is. */
    readonly level: "info" | "error";
    /** Name of the event. */
    readonly event: string;
    /** Its fields. */
    readonly detail: Readonly<Record<string, unknown>>;
  }) => void;
}
