/**
 * A text encoder that is too large to stay anywhere: its layers pass through ordinary memory, a few at a time.
 *
 * @module
 */
import { type Device, f32, Graph, nextTurn, sizeOf } from "../../../compute/tensor/mod.ts";
import { embeddingRows } from "../../checkpoint/stored_weight.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { type TextEncoderConfig, textEncoderShapes } from "../config.ts";
import { textLayers } from "./text_encoder.ts";

/** Text encoders with more parameters than this are streamed. */
const STREAMED_FROM = 2 ** 28;

/** Parameters of the layers that are in memory together. */
const PARAMETERS_AT_ONCE = 2 ** 27;

/** Texts that were encoded before, kept wherever. */
export interface TextStore {
  /** The rows of a text, if they are kept. */
  get(key: string): Promise<Float32Array | undefined>;
  /** Keeps rows. */
  set(key: string, rows: Float32Array): Promise<void>;
}

/** What a {@linkcode TextStream} needs. */
export interface TextStreamOptions {
  readonly config: TextEncoderConfig;
  /** Weights whose elements are still in their file. */
  readonly weights: Weights;
  /**
   * A device of 32-bit floats, opened for each text: the residual stream of UMT5-XXL leaves the range of 16-bit ones.
   */
  readonly openDevice: () => Promise<Device>;
  readonly store?: TextStore | undefined;
}

/** Whether a text encoder is large enough to be streamed. */
export function isStreamed(config: TextEncoderConfig): boolean {
  return parametersOf(config) > STREAMED_FROM;
}

/** Encodes texts, each once. */
export class TextStream {
  readonly #options: TextStreamOptions;
  #fingerprint: Promise<string> | undefined;

  /** Reads and opens nothing yet. */
  constructor(options: TextStreamOptions) {
    this.#options = options;
  }

  /**
   * Rows [L,D] of token ids, including the end of text.
   *
   * @throws the signal's reason when it aborts between two groups of layers.
   */
  async encode(ids: ArrayLike<number>, signal?: AbortSignal): Promise<Float32Array> {
    const { config, store } = this.#options;
    const key = store && await this.#key(ids);
    const kept = key === undefined ? undefined : await store!.get(key);
    if (kept?.length === ids.length * config.dim) return kept;
    const rows = await this.#compute(ids, signal);
    if (key !== undefined) await store!.set(key, rows);
    return rows;
  }

  async #compute(ids: ArrayLike<number>, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { config, weights, openDevice } = this.#options;
    const { length } = ids;
    const { data } = embeddingRows(weights.matrix("token_embedding.weight"), ids, length);
    let rows = data as Float32Array;
    const device = await openDevice();
    try {
      for (let start = 0; start < config.numLayers; start += layersAtOnce(config)) {
        await nextTurn(); // in which an abort may arrive
        signal?.throwIfAborted();
        const end = Math.min(config.numLayers, start + layersAtOnce(config));
        const program = await device.compile(textLayersGraph(config, weights, length, start, end));
        const { rows: next } = await program.run({
          rows: f32([length, config.dim], rows),
          mask: f32([1, 1, length], new Float32Array(length)),
        });
        rows = (await next.read()).data as Float32Array;
        next.release();
        program.dispose();
      }
    } finally {
      device.dispose();
    }
    return rows;
  }

  /** Hash of the text and of the weights, as far as small tensors identify them. */
  async #key(ids: ArrayLike<number>): Promise<string> {
    this.#fingerprint ??= digest(this.#describe());
    return await digest(new TextEncoder().encode(`${await this.#fingerprint} ${Array.from(ids).join()}`));
  }

  #describe(): Uint8Array<ArrayBuffer> {
    const { config, weights } = this.#options;
    const parts: Uint8Array[] = [new TextEncoder().encode(JSON.stringify(config))];
    for (const [name, shape] of textEncoderShapes(config)) {
      const stored = weights.matrix(name);
      parts.push(new TextEncoder().encode("kind" in stored ? `q${stored.bits} ${stored.groupSize}` : stored.dtype));
      if (shape.length > 1 || "kind" in stored) continue;
      const { buffer, byteOffset, byteLength } = stored.data;
      parts.push(new Uint8Array(buffer, byteOffset, byteLength));
    }
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) all.set(part, (at += part.length) - part.length);
    return all;
  }
}

/** Layers `start` to `end`, the last one with the norm after it: `rows` [L,D], `mask` [1,1,L] -> `rows`. */
export function textLayersGraph(
  config: TextEncoderConfig,
  weights: Weights,
  length: number,
  start: number,
  end: number,
): Graph {
  const graph = new Graph({ isWide: true }); // the residual stream of a large T5 passes 65504
  const mask = graph.input("mask", [1, 1, length]);
  graph.output("rows", textLayers(graph.input("rows", [length, config.dim]), config, weights, mask, { start, end }));
  return graph;
}

/** How many layers are in memory together. */
export function layersAtOnce(config: TextEncoderConfig): number {
  const { dim, dimAttn, dimFfn, numLayers } = config;
  const layer = 4 * dim * dimAttn + 3 * dim * dimFfn;
  return Math.max(1, Math.min(numLayers, Math.floor(PARAMETERS_AT_ONCE / layer)));
}

function parametersOf(config: TextEncoderConfig): number {
  return [...textEncoderShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
