/**
 * Runs a decoder on tokens that follow a cached prefix.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import { toFloat32 } from "../../../compute/tensor/half.ts";
import { tensor } from "../../../compute/tensor/tensor.ts";
import type { DecoderGraph } from "./decoder_graph.ts";
import {
  attentionMask,
  IS_SINGLE,
  LOGIT_INDICES,
  POSITIONS,
  SCORE_MASK,
  scoreMask,
  SPLIT,
  tokenPositions,
} from "./decoder_inputs.ts";
import type { KvPlace } from "../kv_places/kv_place.ts";
import type { KvBuffer } from "../kv_places/kv_buffer.ts";
import type { TokenEmbedder } from "../token_embedder.ts";

/** Sequences in the first slots of a buffer; the content of other slots is ignored. */
interface DecoderBatch {
  readonly buffer: KvBuffer;
  /** Cached tokens of each sequence. */
  readonly lengths: readonly number[];
  /** The next tokens, the same number for each sequence. */
  readonly tokens: readonly (readonly number[])[];
  /** Number of last tokens to return logits for. */
  readonly wanted: number;
}

/** What a decoder needs of its session. */
interface DecoderSession {
  readonly runtime: OnnxRuntimeModule;
  readonly session: InferenceSession;
  readonly graph: DecoderGraph;
  /** Where keys and values are between two steps. */
  readonly place: KvPlace;
  readonly choosesLogits: boolean;
  /** As {@linkcode RewrittenDecoder.singles}. */
  readonly singles: boolean;
  /** Makes the embeddings of tokens, for graphs that take them. */
  readonly embedder: TokenEmbedder | undefined;
}

/** A decoder on ONNX Runtime. Calls must not overlap. */
export class Decoder {
  readonly graph: DecoderGraph;
  /** Where keys and values are between two steps. */
  readonly place: KvPlace;
  /** Whether logits are only computed where requested. */
  readonly choosesLogits: boolean;
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;
  readonly #embedder: TokenEmbedder | undefined;
  readonly #singles: boolean;

  constructor({ runtime, session, graph, place, choosesLogits, singles, embedder }: DecoderSession) {
    this.graph = graph;
    this.place = place;
    this.choosesLogits = choosesLogits || graph.logitCountRank !== undefined;
    this.#runtime = runtime;
    this.#session = session;
    this.#embedder = embedder;
    this.#singles = singles;
  }

  /**
   * Whether it supports sequences of different lengths in one batch. Exports of layers with states may apply the mask
   * to them as if all rows had the same tokens.
   */
  get batches(): boolean {
    return this.place.batches;
  }

  /** Whether the last tokens of a sequence can be taken back. */
  get rewinds(): boolean {
    return this.graph.states.length === 0;
  }

  /**
   * Computes the requested logits of each sequence, and appends keys and values of its tokens.
   *
   * @returns For each sequence the logits of its last `wanted` tokens.
   */
  async run(batch: DecoderBatch): Promise<Float32Array[][]> {
    const { buffer, lengths, tokens, wanted } = batch;
    const count = tokens[0].length;
    const longest = Math.max(...lengths);
    if (longest + count > buffer.capacity) await buffer.settle();
    buffer.reserve(longest + count, lengths);
    const step = { buffer, lengths, count };
    const embedded = await this.#embedder?.embed(tokens);
    const feeds = { ...this.#feeds(batch, embedded, longest, this.place.past(step)), ...await this.place.feeds(step) };
    const results = await this.#session.run(feeds, ["logits", ...this.place.outputs]);
    this.place.keep(step, results);
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
    await this.place.close();
    await this.#session.release();
  }

  #feeds(
    { lengths, tokens, wanted }: DecoderBatch,
    embedded: Readonly<Record<string, Tensor>> | undefined,
    longest: number,
    past: number,
  ): Record<string, Tensor> {
    const { takesMask, takesPositions, positionPlanes, logitCountRank } = this.graph;
    const rows = lengths.length;
    const count = tokens[0].length;
    const feeds: Record<string, Tensor> = embedded !== undefined ? { ...embedded } : {
      input_ids: this.#whole([rows, count], BigInt64Array.from(tokens.flat(), BigInt)),
    };
    if (takesMask) {
      const width = (this.graph.grouped ? longest : past) + count;
      const mask = attentionMask(lengths, count, width, this.graph.grouped);
      feeds.attention_mask = this.#whole([rows, width], mask);
    }
    if (takesPositions) {
      const planes = positionPlanes ?? 1;
      const positions = tokenPositions(Array.from({ length: planes }, () => lengths).flat(), count);
      feeds.position_ids = this.#whole(positionPlanes === undefined ? [rows, count] : [planes, rows, count], positions);
    }
    if (this.#singles) Object.assign(feeds, this.#singleFeeds(lengths, count, past));
    if (logitCountRank !== undefined) {
      feeds.num_logits_to_keep = this.#whole(Array(logitCountRank).fill(1), BigInt64Array.of(BigInt(wanted)));
    } else if (this.choosesLogits) {
      const last = Array.from({ length: wanted }, (_, i) => BigInt(count - wanted + i));
      feeds[LOGIT_INDICES] = this.#whole([wanted], BigInt64Array.from(last));
    }
    return feeds;
  }

  /** Inputs of the single-token branch; for several tokens only the number of sequences matters. */
  #singleFeeds(lengths: readonly number[], count: number, past: number): Record<string, Tensor> {
    const { Tensor } = this.#runtime;
    const rows = lengths.length;
    return {
      [IS_SINGLE]: new Tensor("bool", [count === 1], [1]),
      [POSITIONS]: this.#whole([rows, 1], tokenPositions(lengths, 1)),
      [SCORE_MASK]: new Tensor("float32", scoreMask(lengths, past), [rows, 1, 1, past + 1]),
      [SPLIT]: this.#whole([2], BigInt64Array.of(BigInt(past), 1n)),
    };
  }

  #whole(shape: readonly number[], data: BigInt64Array): Tensor {
    return new this.#runtime.Tensor("int64", data, shape);
  }
}

/** Logits in full precision. */
function floats({ type, data, dims }: Tensor): Float32Array {
  return type === "float16" ? toFloat32(tensor("f16", dims, data as Uint16Array)) : data as Float32Array;
}
