/**
 * Families of models that transformers.js runs here.
 *
 * @module
 */
import type { JsonObject } from "../files/model_json.ts";
import { chooseGraph } from "../onnx_sessions/onnx_file.ts";

/** How a model is opened and fed. */
export interface TransformersFamily {
  /** `images`: text with an image; `encoder-decoder`: a text that becomes another. */
  readonly kind: "images" | "encoder-decoder";
  /** Names of its graphs without their quantization. */
  readonly graphs: readonly string[];
}

/** Graphs of families with images besides their decoder, by `model_type`: Qwen-VL and Qwen 3.5, Gemma 3n. */
const withImages = new Map<unknown, readonly string[]>([
  ["qwen2_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen2_5_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen3_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen3_5", ["embed_tokens", "vision_encoder"]],
  ["gemma3n", ["embed_tokens", "vision_encoder", "audio_encoder"]],
]);

/** Encoder-decoders, by `model_type`. */
const encoderDecoders = new Set<unknown>([
  "t5",
  "mt5",
  "longt5",
  "bart",
  "mbart",
  "marian",
  "m2m_100",
  "blenderbot",
  "blenderbot-small",
]);

/** The family of a model; undefined for others. */
export function transformersFamily(config: JsonObject, names: readonly string[]): TransformersFamily | undefined {
  const { model_type: type } = config;
  const kind = encoderDecoders.has(type) ? "encoder-decoder" : "images";
  const others = kind === "images" ? withImages.get(type) : ["encoder_model"];
  if (others === undefined) return undefined;
  const graphs = [...others, "decoder_model_merged"];
  return graphs.every((graph) => chooseGraph(names, graph) !== undefined) ? { kind, graphs } : undefined;
}
