/**
 * One layer of the causal transformer.
 *
 * @module
 */
import { add, layerNorm, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../checkpoint/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import { cameraAttention, type CameraValues } from "./camera_attention.ts";
import { crossAttention } from "./cross_attention.ts";
import { addGated, modulatedNorm } from "./modulated_norm.ts";
import type { LayerModulation } from "./time_modulation.ts";
import { type KeysValues, keysValues, windowAttention, type WindowPast, type WindowRope } from "./window_attention.ts";

/** The context of a layer besides its own tokens, and the modulation of its frames. */
export interface BlockInputs {
  readonly modulation: LayerModulation;
  /** The layer's keys and values of the committed blocks in the window. */
  readonly past: WindowPast;
  /** The layer's keys and values of the prompt. */
  readonly text: KeysValues;
  readonly rope: WindowRope;
  /** Hides keys of the window, [1,1,Lk]. */
  readonly windowBias?: Value | undefined;
  readonly cameras: CameraValues;
}

/** The intermediate values of a layer, all [L,D]. */
export interface BlockValues {
  readonly attentionInput: Value;
  readonly selfAttention: Value;
  readonly cameraAttention: Value;
  readonly afterAttention: Value;
  readonly crossAttention: Value;
  readonly afterCross: Value;
  readonly ffnInput: Value;
  readonly ffn: Value;
  readonly output: Value;
  /** Keys and values of this block, kept once its latents are clean. */
  readonly own: KeysValues;
}

/** Keys and values of x [L,D], without the remainder of the layer. */
export function blockKeysValues(x: Value, modulation: LayerModulation, weights: Weights, heads: number): KeysValues {
  const a = modulatedNorm(x, modulation.scaleAttention, modulation.shiftAttention);
  return keysValues(a, weights.at("self_attn"), heads);
}

/**
 * a = LN(x) modulated; x += gate * (self(a) + camera(a)); x += cross(LN(x)); x += gate * ffn(LN(x) modulated).
 *
 * Shapes: x [L,D] -> [L,D].
 */
export function causalBlock(x: Value, inputs: BlockInputs, weights: Weights, heads: number): BlockValues {
  const g = x.graph;
  const m = inputs.modulation;
  const attentionInput = modulatedNorm(x, m.scaleAttention, m.shiftAttention);
  const own = keysValues(attentionInput, weights.at("self_attn"), heads);
  const self = windowAttention(
    attentionInput,
    own,
    inputs.past,
    inputs.rope,
    weights.at("self_attn"),
    inputs.windowBias,
  );
  const camera = cameraAttention(attentionInput, inputs.cameras, weights.at("cam_self_attn"), heads).output;
  const afterAttention = addGated(x, add(self, camera), m.gateAttention);
  const normed = layerNorm(afterAttention, weights.in(g, "norm3.weight"), weights.in(g, "norm3.bias"));
  const cross = crossAttention(normed, inputs.text, weights.at("cross_attn"));
  const afterCross = add(afterAttention, cross);
  const ffnInput = modulatedNorm(afterCross, m.scaleFfn, m.shiftFfn);
  const ffn = dense(dense(ffnInput, weights.at("ffn.0"), "gelu"), weights.at("ffn.2"));
  return {
    attentionInput,
    selfAttention: self,
    cameraAttention: camera,
    afterAttention,
    crossAttention: cross,
    afterCross,
    ffnInput,
    ffn,
    output: addGated(afterCross, ffn, m.gateFfn),
    own,
  };
}
