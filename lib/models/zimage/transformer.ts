/**
 * The Z-Image transformer: rectified flow over one stream of image and text, its blocks, and the positions of its
 * tokens.
 *
 * @module
 */
import {
  add,
  attention,
  broadcastTo,
  concat,
  layerNorm,
  mul,
  reshape,
  rmsNorm,
  rope,
  silu,
  slice,
  split,
  tanh,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import { PATCH_SIZE, type ZImageTransformerConfig } from "./config.ts";

/** What the transformer looks at. */
interface TransformerInputs {
  /** [C,h,w] */
  readonly latents: Value;
  /** Text tokens without padding, [M,T], or with it where there is a mask. */
  readonly text: Value;
  /** 1 for each token of the text and 0 for its padding, [M,1]: so that texts of about one length share a program. */
  readonly textMask?: Value;
  /** Of 1000 times the time, which is 1 - noise level, [1,256]. */
  readonly sinusoid: Value;
  /** Of the image tokens with their padding. */
  readonly imageTables: RotaryValues;
  /** Of the text tokens with their padding. */
  readonly textTables: RotaryValues;
}

/** What the transformer computes on its way. */
interface TransformerValues {
  /** [1,T] */
  readonly time: Value;
  /** Image tokens without padding, [N,D]. */
  readonly image: Value;
  /** Text tokens without padding, [M,D]. */
  readonly text: Value;
  /** Image tokens with padding after each block over the image. */
  readonly imageRefiners: readonly Value[];
  /** Text tokens with padding after each block over the text. */
  readonly textRefiners: readonly Value[];
  /** The stream image, text after each block. */
  readonly blocks: readonly Value[];
  /** Patches of the whole stream. */
  readonly final: Value;
  /** image - noise, [C,h,w]: the negative of a velocity. */
  readonly output: Value;
}

/** Predicts how the image differs from the noise. */
export function transformer(
  inputs: TransformerInputs,
  config: ZImageTransformerConfig,
  weights: Weights,
): TransformerValues {
  const embedder = weights.at("t_embedder.mlp");
  const time = dense(dense(inputs.sinusoid, embedder.at("0"), "silu"), embedder.at("2"));
  const kind = `${PATCH_SIZE}-1`;
  const image = dense(patchesOf(inputs.latents), weights.at(`all_x_embedder.${kind}`));
  const embedded = dense(norm(inputs.text, weights.at("cap_embedder.0"), config), weights.at("cap_embedder.1"));
  const text = inputs.textMask ? masked(embedded, inputs.textMask, weights) : embedded;

  const refine = (start: Value, name: string, tables: RotaryValues, modulation?: Value) => {
    const values = [start];
    for (let i = 0; i < config.numRefiners; i++) {
      values.push(transformerBlock(values[i], tables, config, weights.at(`${name}.${i}`), modulation));
    }
    return values;
  };
  const images = refine(filledUp(image, weights, "x_pad_token"), "noise_refiner", inputs.imageTables, time);
  const texts = refine(filledUp(text, weights, "cap_pad_token"), "context_refiner", inputs.textTables);

  const tables = {
    cos: concat([inputs.imageTables.cos, inputs.textTables.cos], 0),
    sin: concat([inputs.imageTables.sin, inputs.textTables.sin], 0),
  };
  const blocks: Value[] = [];
  let x = concat([images[config.numRefiners], texts[config.numRefiners]], 0);
  for (let i = 0; i < config.numBlocks; i++) {
    x = transformerBlock(x, tables, config, weights.at(`layers.${i}`), time);
    blocks.push(x);
  }
  const last = weights.at(`all_final_layer.${kind}`);
  const scale = add(dense(silu(time), last.at("adaLN_modulation.1")), 1);
  const final = dense(mul(layerNorm(x, undefined, undefined, 1e-6), scale), last.at("linear"));
  const [, h, w] = inputs.latents.shape;
  const output = latentsOf(slice(final, { axis: 0, end: image.shape[0] }), h, w);
  return { time, image, text, imageRefiners: images.slice(1), textRefiners: texts.slice(1), blocks, final, output };
}

/** Tokens [N,D] with the learned padding token where the mask is 0. */
function masked(x: Value, mask: Value, weights: Weights): Value {
  const padding = mul(weights.in(x.graph, "cap_pad_token"), add(mul(mask, -1), 1));
  return add(mul(x, mask), padding);
}

/** Tokens [N,D] with the learned padding token after them. */
function filledUp(x: Value, weights: Weights, token: string): Value {
  const [count, width] = x.shape;
  const missing = paddedTokens(count) - count;
  return missing === 0 ? x : concat([x, broadcastTo(weights.in(x.graph, token), [missing, width])], 0);
}

/** [C,h,w] -> [N, 4C] by rows; inside a token row, column, channel. */
function patchesOf(latents: Value): Value {
  const [c, h, w] = latents.shape;
  const cells = reshape(latents, [c, h / PATCH_SIZE, PATCH_SIZE, w / PATCH_SIZE, PATCH_SIZE]);
  return reshape(transpose(cells, [1, 3, 2, 4, 0]), [h * w / PATCH_SIZE ** 2, c * PATCH_SIZE ** 2]);
}

/** The inverse of {@linkcode patchesOf}. */
function latentsOf(patches: Value, h: number, w: number): Value {
  const cells = reshape(patches, [h / PATCH_SIZE, w / PATCH_SIZE, PATCH_SIZE, PATCH_SIZE, -1]);
  return reshape(transpose(cells, [4, 0, 2, 1, 3]), [-1, h, w]);
}

/** Rotary tables [N, headDim / 2]. */
interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

/**
 * x + gate * norm(attend(norm(x) * scale)), then the same with the feed-forward layer; x [N,D] -> [N,D].
 *
 * @param time The embedded timestep [1,T]; without one nothing is scaled or gated.
 */
function transformerBlock(
  x: Value,
  tables: RotaryValues,
  config: ZImageTransformerConfig,
  weights: Weights,
  time?: Value,
): Value {
  const width = config.hiddenSize;
  const parts = time && split(dense(time, weights.at("adaLN_modulation.0")), [width, width, width, width], 1);
  const branch = (input: Value, index: number, name: string, inner: (y: Value) => Value): Value => {
    const [scale, gate] = parts?.slice(2 * index) ?? [];
    const normed = norm(input, weights.at(`${name}_norm1`), config);
    const output = norm(inner(scale ? mul(normed, add(scale, 1)) : normed), weights.at(`${name}_norm2`), config);
    return add(input, gate ? mul(output, tanh(gate)) : output);
  };
  const middle = branch(x, 0, "attention", (y) => attend(y, tables, config, weights.at("attention")));
  return branch(middle, 1, "ffn", (y) => feedForward(y, weights.at("feed_forward")));
}

/** Root-mean-square norm with its weight. */
function norm(x: Value, weights: Weights, { normEps: eps }: ZImageTransformerConfig): Value {
  return rmsNorm(x, weights.in(x.graph, "weight"), { eps });
}

function attend(x: Value, { cos, sin }: RotaryValues, config: ZImageTransformerConfig, weights: Weights): Value {
  const heads = (name: string) => reshape(dense(x, weights.at(name)), [x.shape[0], config.numHeads, -1]);
  const rotated = (name: string) => rope(norm(heads(`to_${name}`), weights.at(`norm_${name}`), config), cos, sin);
  const mixed = attention(rotated("q"), rotated("k"), heads("to_v"));
  return dense(reshape(mixed, x.shape), weights.at("to_out.0"));
}

/** w2(silu(w1 x) * w3 x) (Shazeer 2020). */
function feedForward(x: Value, weights: Weights): Value {
  return dense(mul(dense(x, weights.at("w1"), "silu"), dense(x, weights.at("w3"))), weights.at("w2"));
}

/** Image and text are each filled up to a multiple of this many tokens with a learned token, which all others see. */
const TOKEN_STEP = 32;

/** Tokens with their padding. */
export function paddedTokens(count: number): number {
  return Math.ceil(count / TOKEN_STEP) * TOKEN_STEP;
}

/** Positions of text tokens with their padding, [N,3]: one after the other in time, from 1 on. */
export function textPositions(count: number): Int32Array {
  return Int32Array.from({ length: 3 * paddedTokens(count) }, (_, i) => i % 3 === 0 ? 1 + i / 3 : 0);
}

/**
 * Positions of image tokens with their padding, [N,3]: at the time after the text (its padding counts), by rows. The
 * padding is at 0.
 *
 * @param size In tokens.
 * @param textTokens Without padding.
 */
export function imagePositions({ width, height }: LatentSize, textTokens: number): Int32Array {
  const positions = new Int32Array(3 * paddedTokens(width * height));
  const time = paddedTokens(textTokens) + 1;
  for (let i = 0; i < width * height; i++) positions.set([time, Math.floor(i / width), i % width], 3 * i);
  return positions;
}
