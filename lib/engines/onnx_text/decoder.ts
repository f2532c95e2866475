/**
 * Runs a decoder over tokens behind those whose keys and values are there.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../onnx/load_onnxruntime.ts";
import { toFloat32 } from "../../tensor/half.ts";
import { tensor } from "../../tensor/tensor.ts";
import type { DecoderGraph } from "./decoder_graph.ts";
import type { KvArray, KvBuffer } from "./kv_buffer.ts";
import type { TokenEmbedder } from "./token_embedder.ts";
import { LOGIT_INDICES, newIndices, newOutput } from "./tailor_decoder.ts";

/** Texts in the first slots of a buffer; nothing that counts is in the others. */
export interface DecoderBatch {
  readonly buffer: KvBuffer;
  /** Tokens of each text whose keys and values are there. */
  readonly lengths: readonly number[];
  /** The tokens to go on with, as many for each text. */
  readonly tokens: readonly (readonly number[])[];
  /** For how many of the last tokens logits are wanted. */
  readonly wanted: number;
}

/** What a decoder needs of its session. */
export interface DecoderSession {
  readonly runtime: OnnxRuntimeModule;
  readonly session: InferenceSession;
  readonly graph: DecoderGraph;
  readonly choosesLogits: boolean;
  /** Makes the vectors of tokens, for graphs that take them. */
  readonly embedder: TokenEmbedder | undefined;
}

/** A decoder on ONNX Runtime. Calls must not overlap. */
export class Decoder {
  readonly graph: DecoderGraph;
  /** Whether logits cost something only where they are wanted. */
  readonly choosesLogits: boolean;
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;
  readonly #embedder: TokenEmbedder | undefined;
  readonly #outputs: readonly string[];

  constructor({ runtime, session, graph, choosesLogits, embedder }: DecoderSession) {
    this.graph = graph;
    this.choosesLogits = choosesLogits || graph.logitCountRank !== undefined;
    this.#runtime = runtime;
    this.#session = session;
    this.#embedder = embedder;
    this.#outputs = ["logits", ...graph.kv.map(newOutput)];
  }

  /** Whether it can go on with texts of different lengths at a time. */
  get batches(): boolean {
    return this.graph.grouped || this.graph.takesPositions;
  }

  /**
   * Computes the wanted logits of each text, and puts keys and values of its tokens behind those that it has.
   *
   * @returns For each text the logits of its last `wanted` tokens.
   */
  async run(batch: DecoderBatch): Promise<Float32Array[][]> {
    const { buffer, lengths, tokens, wanted } = batch;
    const count = tokens[0].length;
    const longest = Math.max(...lengths);
    buffer.reserve(longest + count, lengths);
    const embedded = await this.#embedder?.embed(tokens);
    const results = await this.#session.run(this.#feeds(batch, embedded, longest, count), this.#outputs);
    this.graph.kv.forEach((kv, tensor) => {
      const added = results[newOutput(kv)].data as KvArray;
      const size = kv.heads * count * kv.dim;
      lengths.forEach((length, row) => buffer.write(tensor, row, length, count, added, row * size, count));
    });
    const logits = results.logits;
    const data = floats(logits);
    const [, given, width] = logits.dims;
    return lengths.map((_, row) =>
      Array.from({ length: wanted }, (_, i) => {
        const start = (row * given + given - wanted + i) * width;
        return data.subarray(start, start + width);
      })
    );
  }

  /** Frees the session. */
  async close(): Promise<void> {
    await this.#embedder?.close();
    await this.#session.release();
  }

  #feeds(
    { buffer, lengths, tokens, wanted }: DecoderBatch,
    embedded: Tensor | undefined,
    longest: number,
    count: number,
  ): Record<string, Tensor> {
    const { grouped, kv, kvType, takesMask, takesPositions, logitCountRank } = this.graph;
    const rows = lengths.length;
    // What is not there need not be looked at.
    const past = longest === 0 ? 0 : this.batches ? buffer.capacity : longest;
    const feeds: Record<string, Tensor> = embedded !== undefined ? { inputs_embeds: embedded } : {
      input_ids: this.#whole([rows, count], (at) => tokens[Math.floor(at / count)][at % count]),
    };
    if (takesMask) {
      const width = grouped ? longest + count : past + count;
      feeds.attention_mask = this.#whole([rows, width], (at) => {
        const [length, column] = [lengths[Math.floor(at / width)], at % width];
        return column < length || (grouped ? column < length + count : column >= past) ? 1 : 0;
      });
    }
    if (takesPositions) {
      feeds.position_ids = this.#whole([rows, count], (at) => lengths[Math.floor(at / count)] + at % count);
    }
    if (logitCountRank !== undefined) {
      feeds.num_logits_to_keep = this.#whole(Array(logitCountRank).fill(1), () => wanted);
    } else if (this.choosesLogits) feeds[LOGIT_INDICES] = this.#whole([wanted], (at) => count - wanted + at);
    for (const heads of new Set(kv.map((one) => one.heads))) {
      feeds[newIndices(heads)] = this.#places(heads, grouped ? lengths : lengths.map(() => past), count);
    }
    kv.forEach((one, tensor) => {
      const whole = past === buffer.capacity || past === 0;
      const data = whole ? buffer.view(tensor, past === 0 ? 0 : rows) : buffer.compact(tensor, longest);
      feeds[one.past] = new this.#runtime.Tensor(kvType, data, [rows, one.heads, past, one.dim]);
    });
    return feeds;
  }

  /** Where the new keys or values are in those of all tokens. */
  #places(heads: number, starts: readonly number[], count: number): Tensor {
    const places = new BigInt64Array(starts.length * heads * count * 3);
    let at = 0;
    starts.forEach((start, row) => {
      for (let head = 0; head < heads; head++) {
        for (let i = 0; i < count; i++) {
          places[at++] = BigInt(row);
          places[at++] = BigInt(head);
          places[at++] = BigInt(start + i);
        }
      }
    });
    return new this.#runtime.Tensor("int64", places, [starts.length, heads, count, 3]);
  }

  #whole(shape: number[], valueAt: (at: number) => number): Tensor {
    const data = new BigInt64Array(shape.reduce((size, n) => size * n, 1));
    for (let at = 0; at < data.length; at++) data[at] = BigInt(valueAt(at));
    return new this.#runtime.Tensor("int64", data, shape);
  }
}

/** Logits in full precision. */
function floats({ type, data, dims }: Tensor): Float32Array {
  return type === "float16" ? toFloat32(tensor("f16", dims, data as Uint16Array)) : data as Float32Array;
}
