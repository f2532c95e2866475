/**
 * Where keys and values are between two steps of a decoder; by default in host memory.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { EngineCounters } from "../../contract/language_model.ts";
import type { KvArray, KvBuffer } from "./kv_buffer.ts";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import { newIndices, newOutput, newTokenIndices } from "../decoder/decoder_inputs.ts";
import type { DecoderGraph } from "../decoder/decoder_graph.ts";

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

/** Every step takes all of them from a buffer, and adds the new ones. */
export class HostKv implements KvPlace {
  readonly batches: boolean;
  readonly outputs: readonly string[];
  readonly #runtime: OnnxRuntimeModule;
  readonly #graph: DecoderGraph;
  readonly #notOnDevice: string | undefined;

  /** @param notOnDevice Why a device that could keep them does not. */
  constructor(runtime: OnnxRuntimeModule, graph: DecoderGraph, notOnDevice?: string) {
    this.#runtime = runtime;
    this.#graph = graph;
    this.#notOnDevice = notOnDevice;
    this.batches = graph.states.length === 0 && (graph.grouped || graph.takesPositions);
    this.outputs = [...graph.kv.map(newOutput), ...graph.states.map((state) => state.present)];
  }

  past({ buffer, lengths }: KvStep): number {
    const longest = Math.max(...lengths);
    // Unused capacity is not passed.
    return longest === 0 ? 0 : this.batches ? buffer.capacity : longest;
  }

  // deno-lint-ignore require-await -- devices have to wait
  async feeds(step: KvStep): Promise<Record<string, Tensor>> {
    const { buffer, lengths, count } = step;
    const { kv, states, grouped } = this.#graph;
    const { Tensor } = this.#runtime;
    const rows = lengths.length;
    const past = this.past(step);
    const feeds: Record<string, Tensor> = {};
    for (const heads of new Set(kv.map((one) => one.heads))) {
      const places = newTokenIndices(grouped ? lengths : lengths.map(() => past), heads, count);
      feeds[newIndices(heads)] = new Tensor("int64", places, [rows, heads, count, 3]);
    }
    for (const [i, tensor] of hostTokens(this.#runtime, this.#graph, step, past).entries()) feeds[kv[i].past] = tensor;
    for (const [i, tensor] of hostStates(this.#runtime, this.#graph, buffer, rows).entries()) {
      feeds[states[i].past] = tensor;
    }
    return feeds;
  }

  keep({ buffer, lengths, count }: KvStep, results: InferenceSession.OnnxValueMapType): void {
    this.#graph.kv.forEach((kv, tensor) => {
      const added = results[newOutput(kv)].data as KvArray;
      const size = kv.heads * count * kv.dim;
      lengths.forEach((length, row) => buffer.write(tensor, row, length, count, added, row * size, count));
    });
    this.#graph.states.forEach((state, i) => buffer.setStates(i, results[state.present].data as KvArray));
  }

  counters(): EngineCounters["deviceKVCache"] {
    if (this.#notOnDevice === undefined) return undefined;
    return { enabled: false, reason: this.#notOnDevice, bytes: 0, steps: 0, uploads: 0, downloads: 0 };
  }

  async close(): Promise<void> {}
}

/** Keys and values of a buffer as tensors, `past` tokens of each sequence. */
export function hostTokens(
  { Tensor }: OnnxRuntimeModule,
  { kv, kvType }: DecoderGraph,
  { buffer, lengths: { length: rows } }: KvStep,
  past: number,
): Tensor[] {
  const whole = past === buffer.capacity || past === 0;
  return kv.map(({ heads, dim }, i) => {
    const data = whole ? buffer.view(i, past === 0 ? 0 : rows) : buffer.compact(i, past);
    return new Tensor(kvType, data, [rows, heads, past, dim]);
  });
}

/** States of a buffer's first sequences as tensors. */
export function hostStates(
  { Tensor }: OnnxRuntimeModule,
  { states }: DecoderGraph,
  buffer: KvBuffer,
  rows: number,
): Tensor[] {
  return states.map(({ type, shape }, i) => new Tensor(type, buffer.states(i, rows), [rows, ...shape]));
}
