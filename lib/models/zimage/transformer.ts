/**
 * The Z-Image transformer: rectified flow over one stream of image and text.
 *
 * @module
 */
import {
  add,
  broadcastTo,
  concat,
  layerNorm,
  mul,
  reshape,
  silu,
  slice,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { PATCH_SIZE, type ZImageTransformerConfig } from "./config.ts";
import { paddedTokens } from "./token_layout.ts";
import { norm, type RotaryValues, transformerBlock } from "./transformer_block.ts";

/** What the transformer looks at. */
export interface TransformerInputs {
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
export interface TransformerValues {
  /** [1,T] */
  readonly time: Value;
  /** Image tokens without padding, [N,D]. */
  readonly image: Value;
  /** Text tokens without padding, [M,D]. */
  readonly text: Value;
  /** Image tokens with padding behind each block over the image. */
  readonly imageRefiners: readonly Value[];
  /** Text tokens with padding behind each block over the text. */
  readonly textRefiners: readonly Value[];
  /** The stream image, text behind each block. */
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

/** Tokens [N,D] with the learned padding token behind them. */
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

/** The way back of {@linkcode patchesOf}. */
function latentsOf(patches: Value, h: number, w: number): Value {
  const cells = reshape(patches, [h / PATCH_SIZE, w / PATCH_SIZE, PATCH_SIZE, PATCH_SIZE, -1]);
  return reshape(transpose(cells, [4, 0, 2, 1, 3]), [-1, h, w]);
}
