/**
 * Encoders on ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../compute/onnx/load_onnxruntime.ts";
import { toFloat32 } from "../../compute/tensor/half.ts";
import { tensor } from "../../compute/tensor/tensor.ts";
import type { EngineOptions, ModelFiles } from "../contract/engine_entry.ts";
import { type JsonObject, tokenIn } from "../files/model_json.ts";
import { type OpenedSession, openSession } from "../onnx_sessions/open_session.ts";
import { readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { graphFile } from "./encoder_files.ts";
import type { TokenSequence } from "./token_sequence.ts";

/** An output of a graph. */
export interface EncoderOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Device and threads of a graph. */
export type GraphSettings = Pick<EngineOptions, "device" | "threads" | "missing">;

type TensorMetadata = InferenceSession.TensorValueMetadata;

/** The value of each input at a position of a sequence; undefined stands for the padding token. */
const tokenInputs: Readonly<Record<string, (sequence: TokenSequence, at: number) => number | undefined>> = {
  input_ids: ({ ids }, at) => ids[at],
  attention_mask: ({ ids }, at) => at < ids.length ? 1 : 0,
  token_type_ids: ({ types }, at) => types[at] ?? 0,
  position_ids: (_, at) => at,
};

/** Past state of a decoder; fed as empty. */
const STATE = /^past/;

/** A graph from token sequences to tensors, with the inputs of Hugging Face exports. */
export class EncoderGraph {
  /** Name of its file, for errors. */
  readonly file: string;
  /** Such as `cpu` or `cuda`. */
  readonly device: string;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;
  readonly #inputs: readonly TensorMetadata[];
  readonly #pad: number;

  private constructor(file: string, { runtime, session, device }: OpenedSession, pad: number) {
    this.file = file;
    this.device = device;
    this.outputs = session.outputNames;
    this.#runtime = runtime;
    this.#session = session;
    this.#pad = pad;
    this.#inputs = session.inputMetadata.filter((input) => input.isTensor);
  }

  /**
   * Opens the graph of a model.
   *
   * @param config The parsed `config.json`, which names the padding token.
   * @throws {Error} when the file is missing or damaged, or has inputs other than tokens.
   */
  static async open(files: ModelFiles, config: JsonObject, settings: GraphSettings): Promise<EncoderGraph> {
    const file = graphFile(files);
    if (file === undefined) throw new Error("Cannot open the model: it has no graph, expected onnx/model.onnx");
    // Describes damaged files better than ONNX Runtime does.
    await readOnnxFile(files, file);
    const pad = tokenIn("config.json", config, "pad_token_id") ?? 0;
    const graph = new EncoderGraph(file, await openSession(files.path(file), settings), pad);
    const strange = graph.#inputs.find(({ name }) => !(name in tokenInputs) && !STATE.test(name));
    if (strange === undefined) return graph;
    await graph.close();
    const known = Object.keys(tokenInputs).join(", ");
    throw new Error(`Cannot use ${file}: it has an input "${strange.name}", expected none but ${known}`);
  }

  /** Runs sequences as one batch, padded on the right, and returns one output. */
  async run(sequences: readonly TokenSequence[], output: string): Promise<EncoderOutput> {
    const width = sequences.reduce((max, { ids }) => Math.max(max, ids.length), 0);
    const feeds = Object.fromEntries(this.#inputs.map((input) => [input.name, this.#feed(input, sequences, width)]));
    const { [output]: result } = await this.#session.run(feeds, [output]);
    return { data: floats(result), shape: result.dims };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #feed({ name, type, shape }: TensorMetadata, sequences: readonly TokenSequence[], width: number): Tensor {
    const { Tensor } = this.#runtime;
    const value = tokenInputs[name];
    if (value === undefined) {
      const dims = shape.map((size, axis) => axis === 0 ? sequences.length : typeof size === "number" ? size : 0);
      return type === "float16"
        ? new Tensor("float16", new Uint16Array(0), dims)
        : new Tensor("float32", new Float32Array(0), dims);
    }
    const values = sequences.flatMap((sequence) =>
      Array.from({ length: width }, (_, at) => value(sequence, at) ?? this.#pad)
    );
    const dims = [sequences.length, width];
    return type === "int32"
      ? new Tensor("int32", Int32Array.from(values), dims)
      : new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  }
}

function floats({ type, data, dims }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") {
    throw new TypeError(`Cannot read an output: its type is ${type}, expected float32 or float16`);
  }
  // Some runtimes return 16-bit floats as such, others their bits.
  const { buffer, byteOffset, length } = data as Uint16Array;
  return toFloat32(tensor("f16", dims, new Uint16Array(buffer, byteOffset, length)));
}
