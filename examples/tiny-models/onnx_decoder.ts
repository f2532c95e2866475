/**
 * A decoder in the manner of Qwen2 as an ONNX model, with the inputs and outputs that published ones have.
 *
 * @module
 */
import { ModelBuilder, type OnnxModel, type WeightPlace } from "../../lib/onnx/model_builder.ts";
import { decomposedAttention, groupQueryAttention } from "./onnx_attention.ts";
import { linear, type WeightFormat } from "./onnx_linear.ts";
import { layerMatrices, type TransformerWeights } from "./transformer_weights.ts";

/** How a decoder is written down. */
export interface DecoderOptions {
  /** `std`: basic operators and `position_ids`; `gqa`: the operator `GroupQueryAttention`, which needs none. */
  readonly kind: "std" | "gqa";
  readonly weights: WeightFormat;
  readonly place: WeightPlace;
  /** Whether keys and values have 16 bits. */
  readonly halfCache: boolean;
  /** `last_hidden_state` for the state of each token in place of its logits. */
  readonly output: "logits" | "last_hidden_state";
  /** Whether another graph looks up the vectors of tokens: `inputs_embeds` comes in place of `input_ids`. */
  readonly embedded?: boolean;
  /** Whether an input `num_logits_to_keep` says of how many last tokens logits are wanted, 0 for all. */
  readonly logitsToKeep: boolean;
}

/** Builds the model: `input_ids, attention_mask, past_key_values.N.key/value → logits or
 * last_hidden_state, present.N.key/value`. */
export function onnxDecoder({ shape, tensor }: TransformerWeights, options: DecoderOptions): OnnxModel {
  const { hidden, vocabulary, layers, epsilon } = shape;
  const builder = new ModelBuilder(options.place);
  declareInputs(builder, shape, options);
  const attend = options.kind === "gqa" ? groupQueryAttention : decomposedAttention;
  const attention = attend(builder, shape, options.halfCache);
  const matrices = layerMatrices(shape);

  const normalize = (x: string, name: string): string => {
    const weight = builder.constant("float", [hidden], tensor(`${name}.weight`));
    if (options.kind === "gqa") {
      return builder.node("SimplifiedLayerNormalization", [x, weight], {
        axis: -1,
        epsilon: { float: epsilon },
        stash_type: 1,
      });
    }
    const squares = builder.node("ReduceMean", [builder.node("Mul", [x, x]), builder.integers([-1])]);
    const root = builder.node("Sqrt", [builder.node("Add", [squares, builder.scalar(epsilon)])]);
    return builder.node("Mul", [builder.node("Div", [x, root]), weight]);
  };
  const project = (x: string, layer: string, matrix: string): string => {
    const [rows, columns] = matrices[matrix];
    const name = `${layer}.${matrix}`;
    const y = linear(builder, x, { rows, columns, data: tensor(`${name}.weight`) }, options.weights);
    if (!/[qkv]_proj$/.test(matrix)) return y;
    return builder.node("Add", [y, builder.constant("float", [rows], tensor(`${name}.bias`))]);
  };

  let x = options.embedded ? "inputs_embeds" : builder.node("Gather", [
    builder.constant("float", [vocabulary, hidden], tensor("model.embed_tokens.weight")),
    "input_ids",
  ]);
  for (let i = 0; i < layers; i++) {
    const layer = `model.layers.${i}`;
    const before = normalize(x, `${layer}.input_layernorm`);
    const [query, key, value] = ["q", "k", "v"].map((part) => project(before, layer, `self_attn.${part}_proj`));
    x = builder.node("Add", [x, project(attention(i, { query, key, value }), layer, "self_attn.o_proj")]);
    const between = normalize(x, `${layer}.post_attention_layernorm`);
    const gate = project(between, layer, "mlp.gate_proj");
    const opened = builder.node("Mul", [gate, builder.node("Sigmoid", [gate])]);
    const wide = builder.node("Mul", [opened, project(between, layer, "mlp.up_proj")]);
    x = builder.node("Add", [x, project(wide, layer, "mlp.down_proj")]);
  }
  if (options.logitsToKeep) x = lastOf(builder, x);
  const last = normalize(x, "model.norm");
  if (options.output === "last_hidden_state") {
    builder.output("last_hidden_state", "float", ["batch_size", "sequence_length", hidden], last);
  } else {
    const head = { rows: vocabulary, columns: hidden, data: tensor("lm_head.weight") };
    const logits = linear(builder, last, head, options.weights);
    builder.output("logits", "float", ["batch_size", "sequence_length", vocabulary], logits);
  }
  declareCache(options, shape, "present", "total_sequence_length", (name, type, sizes) => {
    builder.output(name, type, sizes, name);
  });
  return builder.finish();
}

function declareInputs(builder: ModelBuilder, shape: TransformerWeights["shape"], options: DecoderOptions): void {
  if (options.embedded) builder.input("inputs_embeds", "float", ["batch_size", "sequence_length", shape.hidden]);
  else builder.input("input_ids", "int64", ["batch_size", "sequence_length"]);
  builder.input("attention_mask", "int64", ["batch_size", "total_sequence_length"]);
  if (options.kind === "std") builder.input("position_ids", "int64", ["batch_size", "sequence_length"]);
  if (options.logitsToKeep) builder.input("num_logits_to_keep", "int64", []);
  declareCache(options, shape, "past_key_values", "past_sequence_length", (name, type, sizes) => {
    builder.input(name, type, sizes);
  });
}

function declareCache(
  { halfCache }: DecoderOptions,
  { layers, kvHeads, headSize }: TransformerWeights["shape"],
  prefix: string,
  length: string,
  declare: (name: string, type: "float" | "float16", sizes: readonly (number | string)[]) => void,
): void {
  for (let layer = 0; layer < layers; layer++) {
    for (const part of ["key", "value"]) {
      const sizes = ["batch_size", kvHeads, length, headSize];
      declare(`${prefix}.${layer}.${part}`, halfCache ? "float16" : "float", sizes);
    }
  }
}

/** The last `num_logits_to_keep` tokens; a start of -0 is that of all. */
function lastOf(builder: ModelBuilder, x: string): string {
  const axis = builder.integers([1]);
  const count = builder.node("Reshape", ["num_logits_to_keep", axis]);
  const start = builder.node("Neg", [count]);
  return builder.node("Slice", [x, start, builder.integers([Number.MAX_SAFE_INTEGER]), axis]);
}
