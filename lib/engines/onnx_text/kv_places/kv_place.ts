/**
 * Where keys and values are between two steps of a decoder.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { EngineCounters } from "../../contract/language_model.ts";
import type { KvBuffer } from "../packing/kv_buffer.ts";

/** A step, as far as keys and values take part. */
export interface KvStep {
  readonly buffer: KvBuffer;
  /** Tokens of each sequence before the step. */
  readonly lengths: readonly number[];
  /** New tokens of each sequence. */
  readonly count: number;
}

/** The memory of a decoder's keys, values and states. */
export interface KvPlace {
  /** Whether it takes sequences of different lengths in one batch. */
  readonly batches: boolean;
  /** What to fetch besides the logits. */
  readonly outputs: readonly string[];
  /** How many earlier tokens of each sequence the step passes, those without content included. */
  past(step: KvStep): number;
  /** Inputs with what there is before a step. */
  feeds(step: KvStep): Promise<Record<string, Tensor>>;
  /** Keeps what a step has computed. */
  keep(step: KvStep, results: InferenceSession.OnnxValueMapType): void;
  /** What it did; undefined in host memory. */
  counters(): EngineCounters["deviceKVCache"];
  /** Frees what it opened. */
  close(): Promise<void>;
}
