/**
 * Copies tensors between host memory and that of a device.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { modelMessage, nodeMessage, valueInfoMessage } from "../../../compute/onnx/onnx_messages.ts";
import { loadOnnxRuntime, type OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import { openSession } from "../../onnx_sessions/open_session.ts";
import type { FloatType } from "../decoder/decoder_graph.ts";

/** A tensor of a {@linkcode TensorSlicer}. */
export interface SlicedTensor {
  readonly rank: number;
  readonly type: FloatType;
}

/** Where a {@linkcode TensorSlicer} works. */
interface SlicerPlace {
  readonly device: string;
  /** Whether results stay on the device. */
  readonly stays: boolean;
}

/**
 * A graph that takes a part of each of its tensors: outputs of ONNX Runtime that stay on a device are opaque, only
 * graphs can read or cut them.
 */
export class TensorSlicer {
  readonly #runtime: OnnxRuntimeModule;
  /** Undefined where there are no tensors. */
  readonly #session: InferenceSession | undefined;
  readonly #axis: number;

  private constructor(runtime: OnnxRuntimeModule, session: InferenceSession | undefined, axis: number) {
    this.#runtime = runtime;
    this.#session = session;
    this.#axis = axis;
  }

  /**
   * Opens one.
   *
   * @param axis The axis that is cut.
   * @throws {Error} where the device cannot do that.
   */
  static async open(
    tensors: readonly SlicedTensor[],
    axis: number,
    { device, stays }: SlicerPlace,
  ): Promise<TensorSlicer> {
    if (tensors.length === 0) return new TensorSlicer(await loadOnnxRuntime(), undefined, axis);
    const values = (name: string) =>
      tensors.map(({ rank, type }, i) => {
        const sizes = Array.from({ length: rank }, (_, at) => `${name}.${i}.${at}`);
        return valueInfoMessage(`${name}.${i}`, type === "float32" ? "float" : "float16", sizes);
      });
    const bytes = modelMessage({
      nodes: tensors.map((_, i) => nodeMessage("Slice", "", [`in.${i}`, "from", "to", "axis"], [`out.${i}`], {})),
      initializers: [],
      inputs: [...values("in"), ...["from", "to", "axis"].map((name) => valueInfoMessage(name, "int64", [1]))],
      outputs: values("out"),
    });
    const keptOutputs = stays ? tensors.map((_, i) => `out.${i}`) : undefined;
    const { runtime, session } = await openSession({ bytes, folder: "." }, { device, threads: 1, keptOutputs });
    return new TensorSlicer(runtime, session, axis);
  }

  /** The part of each tensor from `from` to before `to`. */
  async slice(tensors: readonly Tensor[], from: number, to: number): Promise<Tensor[]> {
    if (this.#session === undefined) return [];
    const bound = (value: number) => new this.#runtime.Tensor("int64", BigInt64Array.of(BigInt(value)), [1]);
    const feeds = Object.fromEntries(tensors.map((tensor, i) => [`in.${i}`, tensor]));
    const results = await this.#session.run({ ...feeds, from: bound(from), to: bound(to), axis: bound(this.#axis) });
    return tensors.map((_, i) => results[`out.${i}`] as Tensor);
  }

  /** Frees the session. */
  async close(): Promise<void> {
    await this.#session?.release();
  }
}
