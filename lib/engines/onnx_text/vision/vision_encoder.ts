/**
 * Turns image pieces into vectors.
 *
 * @module
 */
import type { Tensor } from "onnxruntime-node";
import { toFloat32, toHalf } from "../../../compute/tensor/half.ts";
import { f32, tensor } from "../../../compute/tensor/tensor.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { type OpenedSession, openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import type { ImagePiece } from "./prepare_image.ts";
import type { EncoderInput, VisionLayout } from "./vision_layout.ts";

/** Vectors of `width` numbers, concatenated. */
export interface ImageVectors {
  readonly data: Float32Array;
  readonly width: number;
}

/** A vision encoder on ONNX Runtime. */
export class VisionEncoder {
  readonly #opened: OpenedSession;
  readonly #input: EncoderInput;
  readonly #name: string;

  private constructor(opened: OpenedSession, { input, encoder }: VisionLayout) {
    this.#opened = opened;
    this.#input = input;
    this.#name = encoder;
  }

  /** Opens the encoder of a model. */
  static async open(files: ModelFiles, layout: VisionLayout, settings: SessionSettings): Promise<VisionEncoder> {
    return new VisionEncoder(await openSession(files.path(layout.encoder), settings), layout);
  }

  /** @throws {Error} when the graph returns no vectors for a piece. */
  async encode({ data, width, height }: ImagePiece): Promise<ImageVectors> {
    const { runtime: { Tensor }, session } = this.#opened;
    const { type, rank, mask } = this.#input;
    const outer = rank === 5 ? [1, 1] : [1];
    const shape = [...outer, 3, height, width];
    const feeds: Record<string, Tensor> = {
      pixel_values: type === "float32"
        ? new Tensor("float32", data, shape)
        : new Tensor("float16", toHalf(f32(shape, data)).data, shape),
    };
    if (mask) {
      feeds.pixel_attention_mask = new Tensor("bool", new Uint8Array(width * height).fill(1), [
        ...outer,
        height,
        width,
      ]);
    }
    const { image_features: found } = await session.run(feeds, ["image_features"]);
    const { dims } = found;
    if (dims.length < 2) {
      throw new Error(`Cannot use ${this.#name}: its image_features are [${dims}], expected vectors`);
    }
    const floats = found.type === "float16"
      ? toFloat32(tensor("f16", dims, found.data as Uint16Array))
      : found.data as Float32Array;
    return { data: floats, width: dims[dims.length - 1] };
  }

  /** Frees the session. */
  async close(): Promise<void> {
    await this.#opened.session.release();
  }
}
