/**
 * Settings of engines, and devices that did not work.
 *
 * @module
 */
import type { KvCacheMode } from "./model_profile.ts";

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

/** A device that failed. */
export interface TriedDevice {
  readonly device: string;
  readonly reason: string;
}
