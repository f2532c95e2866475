/**
 * Settings of engines.
 *
 * @module
 */
import type { KvCacheMode } from "../files/model_profile.ts";
import type { TriedDevice } from "../onnx_sessions/open_session.ts";
import type { ChatRandom } from "../text/chat_model.ts";
import type { OpenConstrainer } from "../constrained_decoding/token_constraint.ts";

/** Settings of an engine. Plain data: they are sent to its process. */
export interface EngineSettings {
  /** Such as `cpu` or `cuda`; undefined for the best available. */
  readonly device: string | undefined;
  /** The GPU of networks of our own (images, vision) where there are several; undefined for the default one. */
  readonly adapter?: string | undefined;
  /** Threads; undefined for a number suited to this machine. */
  readonly threads: number | undefined;
  /** Maximum number of tokens of prompt and answer together. */
  readonly context: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  readonly kvCacheMode: KvCacheMode;
  /** Absolute path of an adapter; undefined for none. */
  readonly lora: string | undefined;
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
  /** Called on the progress of the load, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}
