/**
 * Names and shapes of the weights of a Qwen3 checkpoint.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { Qwen3Config } from "./config.ts";

/**
 * The token embedding and the first `layers` layers. A text encoder that takes hidden states needs neither the layers
 * behind the last of them nor the last norm; the language head is tied to the embedding and not stored.
 */
export function qwen3Shapes(c: Qwen3Config, layers: number = c.numLayers): TensorShapes {
  const [queries, keys] = [c.numHeads * c.headDim, c.numKeyHeads * c.headDim];
  const shapes = new Map<string, Shape>([["model.embed_tokens.weight", [c.vocab, c.hiddenSize]]]);
  for (let i = 0; i < layers; i++) {
    const layer: Record<string, Shape> = {
      "self_attn.q_proj": [queries, c.hiddenSize],
      "self_attn.k_proj": [keys, c.hiddenSize],
      "self_attn.v_proj": [keys, c.hiddenSize],
      "self_attn.o_proj": [c.hiddenSize, queries],
      "self_attn.q_norm": [c.headDim],
      "self_attn.k_norm": [c.headDim],
      "mlp.gate_proj": [c.intermediateSize, c.hiddenSize],
      "mlp.up_proj": [c.intermediateSize, c.hiddenSize],
      "mlp.down_proj": [c.hiddenSize, c.intermediateSize],
      "input_layernorm": [c.hiddenSize],
      "post_attention_layernorm": [c.hiddenSize],
    };
    for (const [name, shape] of Object.entries(layer)) shapes.set(`model.layers.${i}.${name}.weight`, shape);
  }
  if (layers === c.numLayers) shapes.set("model.norm.weight", [c.hiddenSize]);
  return shapes;
}
