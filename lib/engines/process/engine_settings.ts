/**
 * What engines are started with.
 *
 * @module
 */
import type { KvCacheMode } from "../files/model_profile.ts";
import type { TriedDevice } from "../onnx_sessions/open_session.ts";
import type { OpenConstrainer } from "../constrained_decoding/token_constraint.ts";

/** Settings of an engine. Plain data: they go to its process. */
export interface EngineSettings {
  /** Such as `cpu` or `cuda`; undefined for the best that works. */
  readonly device: string | undefined;
  /** Threads to compute with; undefined for as many as suit this machine. */
  readonly threads: number | undefined;
  /** Tokens that prompt and answer can have together. */
  readonly context: number;
  /** Requests that are answered at a time. */
  readonly concurrency: number;
  readonly kvCacheMode: KvCacheMode;
  /** Absolute path of an adapter; undefined for none. */
  readonly lora: string | undefined;
}

/** What opens a model gets all of it. */
export interface EngineOptions extends EngineSettings {
  readonly openConstrainer: OpenConstrainer;
  /** Whether states of earlier prompts are kept to be gone on from. */
  readonly prefixCache: boolean;
  /** Devices that are known not to work on this machine. */
  readonly missing: readonly TriedDevice[];
  /** Hears of the load, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}
