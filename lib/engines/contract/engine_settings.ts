/**
 * Settings of engines.
 *
 * @module
 */
import type { KvCacheMode } from "./model_profile.ts";
import type { TriedDevice } from "./tried_device.ts";
import type { OpenConstrainer } from "./token_constraint.ts";

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
  /** Called on the progress of the load, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}
