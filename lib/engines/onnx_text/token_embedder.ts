/**
 * Token embeddings, for decoders without an embedding table.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import { toFloat32, toHalf } from "../../compute/tensor/half.ts";
import { tensor } from "../../compute/tensor/tensor.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { type OpenedSession, openSession, type SessionSettings } from "../onnx_sessions/open_session.ts";
import { chooseGraph, readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import type { FloatType } from "./decoder/decoder_graph.ts";

/** Vectors in place of tokens, such as those of an image. */
export interface VectorRows {
  /** Id of the first row; further rows count down. Negative, so that it is not a token. */
  readonly firstId: number;
  readonly rows: Float32Array;
  /** Numbers of a row. */
  readonly width: number;
}

/** Looks up the embeddings of tokens in a graph, and those of negative ids in registered rows. */
export class TokenEmbedder {
  readonly #opened: OpenedSession;
  readonly #type: FloatType;
  readonly #held = new Set<VectorRows>();

  private constructor(opened: OpenedSession, type: FloatType) {
    this.#opened = opened;
    this.#type = type;
  }

  /**
   * Opens `embed_tokens` of a model.
   *
   * @param type Float type of the decoder.
   * @throws {Error} when the file is missing or damaged.
   */
  static async open(files: ModelFiles, type: FloatType, settings: SessionSettings): Promise<TokenEmbedder> {
    const name = chooseGraph(files.names, "embed_tokens");
    if (name === undefined) {
      throw new Error("Cannot open the model: it has no onnx/embed_tokens.onnx, which its decoder needs");
    }
    await readOnnxFile(files, name);
    return new TokenEmbedder(await openSession(files.path(name), settings), type);
  }

  /** Registers rows until the returned function is called. */
  hold(rows: readonly VectorRows[]): () => void {
    // Several sequences may use the same rows: each holds a record of its own.
    const own = rows.map((one) => ({ ...one }));
    for (const one of own) this.#held.add(one);
    return () => own.forEach((one) => this.#held.delete(one));
  }

  /**
   * The inputs of a decoder in place of tokens, with the same number of tokens for each sequence: `inputs_embeds`
   * `[sequences, tokens, width]`, and those of each layer where the graph makes them, in which vectors count as token 0.
   */
  async embed(texts: readonly (readonly number[])[]): Promise<Record<string, Tensor>> {
    const { runtime, session } = this.#opened;
    const dims = [texts.length, texts[0].length];
    const ids = texts.flat();
    const known = BigInt64Array.from(ids, (id) => BigInt(Math.max(id, 0)));
    const results = await session.run({ input_ids: new runtime.Tensor("int64", known, dims) });
    const { inputs_embeds: found, per_layer_inputs: layers } = results;
    const width = found.dims[2];
    const vectors = tensor(
      "f32",
      found.dims,
      found.type === "float16"
        ? toFloat32(tensor("f16", found.dims, found.data as Uint16Array))
        : found.data as Float32Array,
    );
    for (const [at, id] of ids.entries()) if (id < 0) vectors.data.set(this.#row(id, width), at * width);
    const embeds = this.#type === "float32"
      ? new runtime.Tensor("float32", vectors.data, found.dims)
      : new runtime.Tensor("float16", toHalf(vectors).data, found.dims);
    return layers === undefined ? { inputs_embeds: embeds } : { inputs_embeds: embeds, per_layer_inputs: layers };
  }

  /** Frees the session. */
  async close(): Promise<void> {
    await this.#opened.session.release();
  }

  #row(id: number, width: number): Float32Array {
    for (const held of this.#held) {
      const start = (held.firstId - id) * held.width;
      if (start >= 0 && start < held.rows.length && held.width === width) {
        return held.rows.subarray(start, start + width);
      }
    }
    throw new RangeError(`Cannot embed a prompt: the vector ${id} is unknown`);
  }
}
