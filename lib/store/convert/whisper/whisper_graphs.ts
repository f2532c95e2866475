/**
 * The networks of Whisper ("Robust Speech Recognition via Large-Scale Weak Supervision", Radford et al. 2022) as ONNX
 * models, with the inputs and outputs that published exports have.
 *
 * @module
 */
import type { OnnxModel } from "../../../compute/onnx/model_builder.ts";
import { WhisperBuilder } from "./whisper_builder.ts";
import type { WhisperVariables } from "./whisper_variables.ts";

/** Score of a place that is not attended to. */
const MASKED = -1e9;

/**
 * `input_features` [batch, mels, frames] to `last_hidden_state` [batch, frames / 2, width].
 *
 * @param variables With the encoder loaded.
 * @param file Name of the file of weights beside the graph.
 */
export function whisperEncoder(variables: WhisperVariables, file: string): OnnxModel {
  const { width, mels, soundPositions, encoder: { heads, layers } } = variables.sizes;
  const builder = new WhisperBuilder(variables, heads, file);
  builder.input("input_features", "float", ["batch_size", mels, 2 * soundPositions]);
  const convolved = builder.convolve(builder.convolve("input_features", "encoder/conv1", 1), "encoder/conv2", 2);
  const sound = builder.node("Transpose", [convolved], { perm: [0, 2, 1] });
  let x = builder.node("Add", [sound, builder.table("encoder/position_encodings/encodings")]);
  for (let i = 0; i < layers; i++) {
    const layer = `encoder/layer_${i}`;
    const name = `${layer}/self_attention`;
    const projected = builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`);
    const [query, keys, values] = builder.split(projected, 3);
    const mixed = builder.node("com.microsoft:MultiHeadAttention", [query, keys, values], { num_heads: heads });
    x = builder.node("Add", [x, builder.dense(mixed, `${name}/linear_1`)]);
    x = builder.feedForward(x, layer);
  }
  const last = builder.normalize(x, "encoder/layer_norm");
  builder.output("last_hidden_state", "float", ["batch_size", soundPositions, width], last);
  return builder.finish();
}

/**
 * Tokens to logits, keys and values, and what each layer attends to: one graph for all steps. With `use_cache_branch`
 * the keys and values of the sound are those of the cache.
 *
 * @param variables With the decoder loaded.
 * @param file Name of the file of weights beside the graph.
 */
export function whisperDecoder(variables: WhisperVariables, file: string): OnnxModel {
  const { width, vocabulary, decoder: { heads, layers } } = variables.sizes;
  const builder = new WhisperBuilder(variables, heads, file);
  const kept = (length: string) => ["batch_size", heads, length, width / heads];
  builder.input("input_ids", "int64", ["batch_size", "decoder_sequence_length"]);
  builder.input("encoder_hidden_states", "float", ["batch_size", "encoder_sequence_length", width]);
  for (let i = 0; i < layers; i++) {
    for (const side of ["decoder", "encoder"]) {
      for (const part of ["key", "value"]) {
        builder.input(`past_key_values.${i}.${side}.${part}`, "float", kept(`past_${side}_sequence_length`));
      }
    }
  }
  builder.input("use_cache_branch", "bool", [1]);
  const { places, mask } = positions(builder);
  let x = builder.node("Add", [
    builder.embed("decoder/embeddings/weight", "input_ids"),
    builder.node("Gather", [builder.table("decoder/position_encodings/encodings"), places]),
  ]);
  const results: (readonly [name: string, dims: readonly (string | number)[], value: string])[] = [];
  for (let i = 0; i < layers; i++) {
    const layer = `decoder/layer_${i}`;
    const own = selfAttention(builder, x, layer, `past_key_values.${i}.decoder`, mask);
    x = builder.node("Add", [x, own.y]);
    const heard = crossAttention(builder, x, layer, `past_key_values.${i}.encoder`);
    x = builder.feedForward(builder.node("Add", [x, heard.y]), layer);
    results.push(
      [`present.${i}.decoder.key`, kept("decoder_length"), own.keys],
      [`present.${i}.decoder.value`, kept("decoder_length"), own.values],
      [`present.${i}.encoder.key`, kept("encoder_length"), heard.keys],
      [`present.${i}.encoder.value`, kept("encoder_length"), heard.values],
      [
        `cross_attentions.${i}`,
        ["batch_size", heads, "decoder_sequence_length", "encoder_sequence_length"],
        heard.weights,
      ],
    );
  }
  const logits = builder.multiply(builder.normalize(x, "decoder/layer_norm"), "decoder/projection/weight");
  builder.output(
    "logits",
    "float",
    ["batch_size", "decoder_sequence_length", vocabulary],
    builder.biased(logits, "decoder/projection/bias"),
  );
  for (const [name, dims, value] of results) builder.output(name, "float", dims, value);
  return builder.finish();
}

/** Places of the new tokens, and scores that keep each from attending to later ones. */
function positions(builder: WhisperBuilder): { readonly places: string; readonly mask: string } {
  const integer = (value: number) => builder.constant("int64", [], BigInt64Array.of(BigInt(value)));
  const size = (value: string, axis: number) => builder.node("Gather", [builder.node("Shape", [value]), integer(axis)]);
  const past = size("past_key_values.0.decoder.key", 2);
  const total = builder.node("Add", [past, size("input_ids", 1)]);
  const places = builder.node("Range", [past, total, integer(1)]);
  const seen = builder.node("LessOrEqual", [
    builder.node("Range", [integer(0), total, integer(1)]),
    builder.node("Unsqueeze", [places, builder.integers([1])]),
  ]);
  return { places, mask: builder.node("Where", [seen, builder.scalar(0), builder.scalar(MASKED)]) };
}

/** Attention to earlier tokens, with their keys and values. */
function selfAttention(builder: WhisperBuilder, x: string, layer: string, past: string, mask: string) {
  const name = `${layer}/self_attention`;
  const projected = builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`);
  const [query, key, value] = builder.split(projected, 3).map((part) => builder.perHead(part));
  const keys = builder.node("Concat", [`${past}.key`, key], { axis: 2 });
  const values = builder.node("Concat", [`${past}.value`, value], { axis: 2 });
  const { mixed } = builder.attend(query, keys, values, mask);
  return { y: builder.dense(mixed, `${name}/linear_1`), keys, values };
}

/** Attention to the sound. With a cache its keys and values are not computed, and none are given. */
function crossAttention(builder: WhisperBuilder, x: string, layer: string, past: string) {
  const name = `${layer}/attention`;
  const query = builder.perHead(builder.dense(builder.normalize(x, `${name}/layer_norm`), `${name}/linear_0`));
  const then_branch = builder.branch("cached", () => {
    const { mixed, weights } = builder.attend(query, `${past}.key`, `${past}.value`);
    const none = builder.emptyHeads();
    return [mixed, weights, none, builder.node("Identity", [none])];
  });
  const else_branch = builder.branch("first", () => {
    const projected = builder.dense("encoder_hidden_states", `${name}/linear_1`);
    const [keys, values] = builder.split(projected, 2).map((part) => builder.perHead(part));
    const { mixed, weights } = builder.attend(query, keys, values);
    return [mixed, weights, keys, values];
  });
  const none = [undefined, undefined, undefined, undefined];
  const [mixed, weights, keys, values] = builder.nodes("If", ["use_cache_branch"], none, { then_branch, else_branch });
  return { y: builder.dense(mixed, `${name}/linear_2`), weights, keys, values };
}
