/**
 * What the decode loop needs to know of a graph.
 *
 * @module
 */
import type { JsonObject } from "../../files/model_json.ts";
import type { OnnxFile, OnnxValue } from "../onnx_file.ts";
import { attentionSizes } from "../text_config.ts";

/** The keys or values of a layer: `[batch, heads, tokens, dim]`. */
export interface KvTensor {
  /** Input for earlier tokens. */
  readonly past: string;
  /** Output with all tokens. */
  readonly present: string;
  readonly heads: number;
  readonly dim: number;
}

/** Float type of a graph. */
export type FloatType = "float32" | "float16";

/** A decoder with a key-value cache. */
export interface DecoderGraph {
  /**
   * Whether `GroupQueryAttention` computes the attention. It takes past keys and values in a buffer with spare
   * capacity, and puts new ones directly after them. Otherwise new ones follow the whole buffer, and the attention mask
   * hides the gap.
   */
  readonly grouped: boolean;
  readonly kv: readonly KvTensor[];
  readonly kvType: FloatType;
  /** The type of the embeddings that it takes in place of tokens, made by another graph; undefined for tokens. */
  readonly embeddedType: FloatType | undefined;
  /** Whether token positions are an input. */
  readonly takesPositions: boolean;
  readonly takesMask: boolean;
  /**
   * Rank of the input with the number of last tokens to compute logits for; undefined when there is none or it is
   * unknown.
   */
  readonly logitCountRank: number | undefined;
}

const floatTypes = new Map<number, FloatType>([[1, "float32"], [10, "float16"]]);

/**
 * Describes a decoder.
 *
 * @param name Name of its file, for errors.
 * @param config The parsed `config.json`, for sizes that some exporters omit from graphs.
 * @throws {Error} when it is not a decoder, or an unsupported one.
 */
export function describeDecoder(file: OnnxFile, name: string, config: JsonObject): DecoderGraph {
  const inputs = new Map(file.inputs.filter((input) => !file.weights.has(input.name)).map((one) => [one.name, one]));
  const outputs = new Set(file.outputs.map((output) => output.name));
  const fail = (what: string, expected: string) => new Error(`Cannot run ${name}: ${what}, expected ${expected}`);
  const embedded = inputs.get("inputs_embeds");
  const reads = inputs.has("input_ids") || embedded !== undefined;
  for (const [named, found] of [["input_ids", reads], ["logits", outputs.has("logits")]] as const) {
    if (!found) throw fail(`its graph has no "${named}"`, "a decoder exported for text generation");
  }
  const kv: KvTensor[] = [];
  let kvType: FloatType | undefined;
  for (const input of inputs.values()) {
    if (plainInputs.has(input.name)) continue;
    if (!/^past_key_values\.\d+\.(key|value)$/.test(input.name)) {
      throw fail(`its input "${input.name}" is not supported`, "keys and values as its only state");
    }
    const present = input.name.replace("past_key_values", "present");
    if (!outputs.has(present)) throw fail(`its graph has no output "${present}"`, `one for each "past_key_values"`);
    const type = floatTypes.get(input.elementType);
    if (type === undefined || (kvType !== undefined && type !== kvType)) {
      throw fail(`"${input.name}" is of element type ${input.elementType}`, "float32 or float16 for all of them");
    }
    kvType = type;
    kv.push({ past: input.name, present, ...kvSizes(input, config, fail) });
  }
  if (kvType === undefined) throw fail(`its graph has no "past_key_values"`, "a decoder with a cache");
  const positions = inputs.get("position_ids");
  if (positions !== undefined && positions.shape.length !== 2) {
    throw fail(`"position_ids" has ${positions.shape.length} dimensions`, "2");
  }
  return {
    grouped: file.nodes.some((node) => node.type === "GroupQueryAttention"),
    kv,
    kvType,
    embeddedType: embedded && floatTypes.get(embedded.elementType),
    takesPositions: positions !== undefined,
    takesMask: inputs.has("attention_mask"),
    logitCountRank: inputs.get("num_logits_to_keep")?.shape.length,
  };
}

const plainInputs = new Set(["input_ids", "inputs_embeds", "attention_mask", "position_ids", "num_logits_to_keep"]);

function kvSizes(
  { name, shape }: OnnxValue,
  config: JsonObject,
  fail: (what: string, expected: string) => Error,
): { readonly heads: number; readonly dim: number } {
  const told = attentionSizes(config);
  const [, heads, , dim] = shape.map((size) => typeof size === "number" && size > 0 ? size : undefined);
  const sizes = { heads: heads ?? told.heads, dim: dim ?? told.dim };
  if (shape.length === 4 && sizes.heads !== undefined && sizes.dim !== undefined) {
    return { heads: sizes.heads, dim: sizes.dim };
  }
  throw fail(`"${name}" has the shape [${shape.join(", ")}]`, "[batch, heads, tokens, dim] with known heads and dim");
}
