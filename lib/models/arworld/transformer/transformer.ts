/**
 * The causal transformer: predicts the flow velocity of one block of latent frames.
 *
 * @module
 */
import { linear, reshape, slice, transpose, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../layers/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { TransformerConfig } from "../config.ts";
import type { CameraValues, KeysValues, PerWorld, WindowPast, WindowRope, WorldsPast } from "./attention.ts";
import { blockKeysValues, causalBlock, modulatedNorm, splitModulation } from "./causal_block.ts";

/** The conditions of a transformer pass. */
export interface TransformerInputs {
  /** Of every layer [6,F,1,D] and of the head [2,F,1,D], see `timeModulation`. */
  readonly modulation: { readonly layers: readonly Value[]; readonly head: Value };
  /** `[layer]`: keys and values of the committed blocks in the window. */
  readonly past: readonly (WindowPast | WorldsPast)[];
  /** `[layer]`: keys and values of the prompt. */
  readonly text: readonly PerWorld<KeysValues>[];
  readonly rope: WindowRope;
  /** Hides keys of the window, [1,1,Lk]. */
  readonly windowBias?: Value | undefined;
  readonly cameras: CameraValues;
}

/** The prediction and the values of each layer. */
export interface TransformerValues {
  /** noise - clean, [F,z,h,w] */
  readonly velocity: Value;
  /** Tokens before the first layer and after each one, [F*S,D]. */
  readonly tokens: readonly Value[];
  /** `[layer]`: keys and values of this block. */
  readonly own: readonly KeysValues[];
}

/** latents [F,z,h,w] -> velocity [F,z,h,w] */
export function transformer(
  latents: Value,
  inputs: TransformerInputs,
  config: TransformerConfig,
  weights: Weights,
): TransformerValues {
  const [frames, , height, width] = latents.shape;
  const tokens = [embedPatches(latents, weights.at("patch_embedding"))];
  const own: KeysValues[] = [];
  for (let i = 0; i < config.numLayers; i++) {
    const block = causalBlock(tokens[i], layerInputs(inputs, i), weights.at(`blocks.${i}`), config.numHeads);
    tokens.push(block.output);
    own.push(block.own);
  }
  const out = transformerHead(tokens[config.numLayers], inputs.modulation.head, weights.at("head"));
  return { velocity: unpatchifyLatents(out, frames, height, width), tokens, own };
}

/**
 * The keys and values of clean latents [F,z,h,w], `[layer]`: those of {@linkcode transformer}, but the last layer
 * computes only its keys and values.
 */
export function contextPass(
  latents: Value,
  inputs: TransformerInputs,
  config: TransformerConfig,
  weights: Weights,
): readonly KeysValues[] {
  const last = config.numLayers - 1;
  const own: KeysValues[] = [];
  let x = embedPatches(latents, weights.at("patch_embedding"));
  for (let i = 0; i < last; i++) {
    const block = causalBlock(x, layerInputs(inputs, i), weights.at(`blocks.${i}`), config.numHeads);
    x = block.output;
    own.push(block.own);
  }
  const modulation = splitModulation(inputs.modulation.layers[last]);
  own.push(blockKeysValues(x, modulation, weights.at(`blocks.${last}`), config.numHeads));
  return own;
}

/** Tokens [F*S,D] and the head's modulation [2,F,1,D] -> patches [F*S,4z]. */
export function transformerHead(x: Value, modulation: Value, weights: Weights): Value {
  const [, frames, , width] = modulation.shape;
  const row = (i: number) => reshape(slice(modulation, { axis: 0, start: i, end: i + 1 }), [frames, 1, width]);
  return dense(modulatedNorm(x, row(1), row(0)), weights.at("head"));
}

function layerInputs(inputs: TransformerInputs, layer: number) {
  return {
    modulation: splitModulation(inputs.modulation.layers[layer]),
    past: inputs.past[layer],
    text: inputs.text[layer],
    rope: inputs.rope,
    windowBias: inputs.windowBias,
    cameras: inputs.cameras,
  };
}

/** [F,z,h,w] -> [F*(h/2)*(w/2), 4z]: tokens by frame, row, column; inside a token channel, row, column. */
export function patchifyLatents(latents: Value): Value {
  const [f, z, h, w] = latents.shape;
  const cells = reshape(latents, [f, z, h / 2, 2, w / 2, 2]);
  return reshape(transpose(cells, [0, 2, 4, 1, 3, 5]), [f * (h / 2) * (w / 2), z * 4]);
}

/** Projects patches into the model: [F,z,h,w] -> [F*(h/2)*(w/2), D]. */
export function embedPatches(latents: Value, weights: Weights): Value {
  const [d, z] = weights.get("weight").shape;
  return linear(
    patchifyLatents(latents),
    weights.in(latents.graph, "weight", [d, z * 4]),
    weights.in(latents.graph, "bias"),
  );
}

/** [F*(h/2)*(w/2), 4z] -> [F,z,h,w]; inside a token row, column, channel: not the order of {@linkcode patchifyLatents}. */
export function unpatchifyLatents(tokens: Value, frames: number, height: number, width: number): Value {
  const z = tokens.shape[1] / 4;
  const cells = reshape(tokens, [frames, height / 2, width / 2, 2, 2, z]);
  return reshape(transpose(cells, [0, 5, 1, 3, 2, 4]), [frames, z, height, width]);
}
