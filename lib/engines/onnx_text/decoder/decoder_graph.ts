/**
 * What the decode loop needs of a graph.
 *
 * @module
 */
import { attentionSizes, type JsonObject, MAX_WIDTH } from "../../files/model_json.ts";
import type { OnnxFile, OnnxValue } from "../../onnx_sessions/onnx_file.ts";

/** The keys or values of a layer: `[batch, heads, tokens, dim]`. */
export interface KvTensor {
  /** Input for earlier tokens. */
  readonly past: string;
  /** Output with all tokens. */
  readonly present: string;
  readonly heads: number;
  readonly dim: number;
}

/** What a layer keeps besides keys and values: a state of fixed size, `[batch, ...]`, that every token replaces. */
interface StateTensor {
  /** Input with the state after earlier tokens. */
  readonly past: string;
  /** Output with the state after all tokens. */
  readonly present: string;
  /** Sizes without the batch. */
  readonly shape: readonly number[];
  readonly type: FloatType;
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
  /**
   * States of convolutions (LFM2), of selective state spaces (Granite 4, Falcon H1) and of linear attention (Qwen 3.5).
   * Sequences of such a graph cannot be rewound.
   */
  readonly states: readonly StateTensor[];
  /** The type of the embeddings that it takes in place of tokens, made by another graph; undefined for tokens. */
  readonly embeddedType: FloatType | undefined;
  /** Whether token positions are an input. */
  readonly takesPositions: boolean;
  /** How many positions each token has: those of time, height and width (M-RoPE, Qwen2-VL); undefined for one. */
  readonly positionPlanes: number | undefined;
  /** Whether each layer takes embeddings of its own beside `inputs_embeds`, as Gemma 3n does. */
  readonly takesLayerInputs: boolean;
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
    if (plainInputs.has(input.name) || stateName.test(input.name)) continue;
    if (!/^past_key_values\.\d+\.(key|value)$/.test(input.name)) {
      throw fail(`its input "${input.name}" is not supported`, "keys, values and states of layers");
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
  const states = [...inputs.values()].filter(({ name }) => stateName.test(name)).map((input) => {
    const present = input.name.replace("past", "present");
    if (!outputs.has(present)) throw fail(`its graph has no output "${present}"`, `one for "${input.name}"`);
    return { past: input.name, present, ...stateSizes(input, fail) };
  });
  if (kvType === undefined && states.length === 0) {
    throw fail(`its graph has no "past_key_values"`, "a decoder with a cache");
  }
  const positions = inputs.get("position_ids");
  const rank = positions?.shape.length ?? 2;
  if (rank !== 2 && rank !== 3) throw fail(`"position_ids" has ${rank} dimensions`, "2, or 3 with height and width");
  const [planes] = positions?.shape ?? [];
  if (rank === 3 && typeof planes === "number" && planes > MAX_PLANES) {
    throw fail(`"position_ids" has ${planes} positions for each token`, `at most ${MAX_PLANES}`);
  }
  return {
    grouped: file.nodes.some((node) => node.type === "GroupQueryAttention"),
    kv,
    kvType: kvType ?? "float32",
    states,
    embeddedType: embedded && floatTypes.get(embedded.elementType),
    takesPositions: positions !== undefined,
    positionPlanes: rank === 2 ? undefined : typeof planes === "number" && planes > 0 ? planes : USUAL_PLANES,
    takesLayerInputs: embedded !== undefined && inputs.has("per_layer_inputs"),
    takesMask: inputs.has("attention_mask"),
    logitCountRank: inputs.get("num_logits_to_keep")?.shape.length,
  };
}

const plainInputs = new Set([
  "input_ids",
  "inputs_embeds",
  "per_layer_inputs",
  "attention_mask",
  "position_ids",
  "num_logits_to_keep",
]);

/** Such as `past_conv.0`. */
const stateName = /^past_(conv|ssm|recurrent)\.\d+$/;

/** Positions of a token in images: time, height and width (Qwen 3.5 adds that of the text). */
const USUAL_PLANES = 3;
const MAX_PLANES = 16;

/** A layer's state is small; a damaged graph may name any size. */
const MAX_STATE = 2 ** 26;

function stateSizes(
  { name, shape, elementType }: OnnxValue,
  fail: (what: string, expected: string) => Error,
): { readonly shape: readonly number[]; readonly type: FloatType } {
  const type = floatTypes.get(elementType);
  if (type === undefined) throw fail(`"${name}" is of element type ${elementType}`, "float32 or float16");
  const sizes = shape.slice(1).map((size) => typeof size === "number" && size > 0 ? size : 0);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (sizes.length === 0 || !(count > 0 && count <= MAX_STATE)) {
    throw fail(`"${name}" has the shape [${shape.join(", ")}]`, "[batch, ...] with known sizes");
  }
  return { shape: sizes, type };
}

function kvSizes(
  { name, shape }: OnnxValue,
  config: JsonObject,
  fail: (what: string, expected: string) => Error,
): { readonly heads: number; readonly dim: number } {
  const configured = attentionSizes(config);
  const [, heads, , dim] = shape.map((size) => typeof size === "number" && size > 0 ? size : undefined);
  const sizes = { heads: heads ?? configured.heads, dim: dim ?? configured.dim };
  if (
    shape.length === 4 && sizes.heads !== undefined && sizes.dim !== undefined && sizes.heads * sizes.dim <= MAX_WIDTH
  ) return { heads: sizes.heads, dim: sizes.dim };
  throw fail(
    `"${name}" has the shape [${shape.join(", ")}], of ${sizes.heads ?? "unknown"} heads with ${
      sizes.dim ?? "unknown"
    } numbers`,
    `[batch, heads, tokens, dim] with known heads and dim, together at most ${MAX_WIDTH}`,
  );
}
