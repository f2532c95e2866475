/**
 * Encoders on ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxRuntime, type OnnxRuntimeModule } from "../../onnx/load_onnxruntime.ts";
import { toFloat32 } from "../../tensor/half.ts";
import { tensor } from "../../tensor/tensor.ts";
import type { EngineSettings } from "../engine_settings.ts";
import type { ModelFiles } from "../model_files.ts";
import type { JsonObject } from "../model_json.ts";
import { graphFile } from "./graph_file.ts";
import type { TokenRow } from "./token_row.ts";

/** An output of a graph. */
export interface EncoderOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Where and how a graph runs. */
export type GraphOptions = Pick<EngineSettings, "device" | "threads">;

type TensorMetadata = InferenceSession.TensorValueMetadata;

/** A graph from rows of tokens to tensors, with the inputs that Hugging Face's exports have. */
export class EncoderGraph {
  /** Name of its file for error sentences. */
  readonly file: string;
  readonly device: string = "cpu";
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;
  readonly #inputs: readonly TensorMetadata[];
  readonly #pad: number;

  private constructor(file: string, runtime: OnnxRuntimeModule, session: InferenceSession, pad: number) {
    this.file = file;
    this.#runtime = runtime;
    this.#session = session;
    this.#pad = pad;
    this.#inputs = session.inputMetadata.filter((input) => input.isTensor);
    this.outputs = session.outputNames;
  }

  /**
   * Opens the graph of a model.
   *
   * @param config The parsed `config.json`, which names the token that fills rows up.
   * @throws {Error} when the file is missing or damaged, or takes what is not made of tokens.
   */
  static async open(files: ModelFiles, config: JsonObject, { threads }: GraphOptions): Promise<EncoderGraph> {
    const file = graphFile(files);
    const runtime = await loadOnnxRuntime();
    try {
      const session = await runtime.InferenceSession.create(files.path(file), {
        executionProviders: ["cpu"],
        logSeverityLevel: 3,
        ...threads !== undefined && { intraOpNumThreads: threads },
      });
      const graph = new EncoderGraph(
        file,
        runtime,
        session,
        typeof config.pad_token_id === "number" ? config.pad_token_id : 0,
      );
      for (const input of graph.#inputs) graph.#feed(input, [], 0);
      return graph;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`Cannot open ${file}: ${reason}`, { cause });
    }
  }

  /** Runs rows as one batch, shorter rows filled up on the right, and gives one output. */
  async run(rows: readonly TokenRow[], output: string): Promise<EncoderOutput> {
    const width = rows.reduce((most, { ids }) => Math.max(most, ids.length), 0);
    const feeds = Object.fromEntries(this.#inputs.map((input) => [input.name, this.#feed(input, rows, width)]));
    const { [output]: result } = await this.#session.run(feeds, [output]);
    return { data: floats(result), shape: result.dims };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #feed(input: TensorMetadata, rows: readonly TokenRow[], width: number): Tensor {
    const { name, type, shape } = input;
    switch (name) {
      case "input_ids":
        return this.#whole(type, rows, width, ({ ids }, i) => ids[i] ?? this.#pad);
      case "attention_mask":
        return this.#whole(type, rows, width, ({ ids }, i) => i < ids.length ? 1 : 0);
      case "token_type_ids":
        return this.#whole(type, rows, width, ({ types }, i) => types[i] ?? 0);
      case "position_ids":
        return this.#whole(type, rows, width, (_, i) => i);
    }
    if (!/^past_key_values\.|^past\./.test(name)) {
      throw new Error(`its input "${name}" is not known, expected input_ids, attention_mask and the like`);
    }
    // A decoder that nothing was fed to before.
    const dims = shape.map((size, axis) => axis === 0 ? rows.length : typeof size === "number" ? Math.max(size, 0) : 0);
    return type === "float16"
      ? new this.#runtime.Tensor("float16", new Uint16Array(0), dims)
      : new this.#runtime.Tensor("float32", new Float32Array(0), dims);
  }

  #whole(
    type: string,
    rows: readonly TokenRow[],
    width: number,
    value: (row: TokenRow, at: number) => number,
  ): Tensor {
    const values = rows.flatMap((row) => Array.from({ length: width }, (_, i) => value(row, i)));
    const dims = [rows.length, width];
    return type === "int32"
      ? new this.#runtime.Tensor("int32", Int32Array.from(values), dims)
      : new this.#runtime.Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  }
}

function floats({ type, data, dims }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") {
    throw new TypeError(`Cannot read an output: its type is ${type}, expected float32 or float16`);
  }
  // Some runtimes give 16-bit floats as such, others their bits.
  const { buffer, byteOffset, length } = data as Uint16Array;
  return toFloat32(tensor("f16", dims, new Uint16Array(buffer, byteOffset, length)));
}
