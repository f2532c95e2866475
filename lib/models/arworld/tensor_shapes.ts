/**
 * Names and shapes of all weights that a configuration asks for, as the checkpoints call them.
 *
 * @module
 */
import type { Shape } from "../../tensor/mod.ts";
import type { TextEncoderConfig, TransformerConfig, VaeConfig } from "./config.ts";

/** Shape of every tensor by its name. */
export type TensorShapes = ReadonlyMap<string, Shape>;

/** Weights of the causal transformer (`model.safetensors`). */
export function transformerShapes(c: TransformerConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) => {
    shapes.set(`${name}.weight`, [output, input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const camera = c.dim / c.attnCompress;
  shapes.set("patch_embedding.weight", [c.dim, c.zDim, 1, 2, 2]);
  shapes.set("patch_embedding.bias", [c.dim]);
  linear("text_embedding.0", c.dim, c.textDim);
  linear("text_embedding.2", c.dim, c.dim);
  linear("time_embedding.0", c.dim, c.freqDim);
  linear("time_embedding.2", c.dim, c.dim);
  linear("time_projection.1", 6 * c.dim, c.dim);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.modulation`, [1, 6, c.dim]);
    for (const attention of ["self_attn", "cross_attn"]) {
      for (const projection of ["q", "k", "v", "o"]) linear(`${block}.${attention}.${projection}`, c.dim, c.dim);
      shapes.set(`${block}.${attention}.norm_q.weight`, [c.dim]);
      shapes.set(`${block}.${attention}.norm_k.weight`, [c.dim]);
    }
    for (const projection of ["q", "k", "v"]) linear(`${block}.cam_self_attn.${projection}_proj`, camera, c.dim);
    linear(`${block}.cam_self_attn.out_proj`, c.dim, camera);
    shapes.set(`${block}.cam_self_attn.norm_q.weight`, [camera]);
    shapes.set(`${block}.cam_self_attn.norm_k.weight`, [camera]);
    shapes.set(`${block}.norm3.weight`, [c.dim]);
    shapes.set(`${block}.norm3.bias`, [c.dim]);
    linear(`${block}.ffn.0`, c.ffnDim, c.dim);
    linear(`${block}.ffn.2`, c.dim, c.ffnDim);
  }
  shapes.set("head.modulation", [1, 2, c.dim]);
  linear("head.head", 4 * c.zDim, c.dim);
  return shapes;
}

/** Weights of the text encoder (`t5_encoder.safetensors`). */
export function textEncoderShapes(c: TextEncoderConfig): TensorShapes {
  const shapes = new Map<string, Shape>([["token_embedding.weight", [c.vocab, c.dim]]]);
  for (let i = 0; i < c.numLayers; i++) {
    const block = `blocks.${i}`;
    shapes.set(`${block}.norm1.weight`, [c.dim]);
    shapes.set(`${block}.norm2.weight`, [c.dim]);
    for (const projection of ["q", "k", "v"]) shapes.set(`${block}.attn.${projection}.weight`, [c.dimAttn, c.dim]);
    shapes.set(`${block}.attn.o.weight`, [c.dim, c.dimAttn]);
    shapes.set(`${block}.pos_embedding.embedding.weight`, [c.numBuckets, c.numHeads]);
    shapes.set(`${block}.ffn.gate.0.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc1.weight`, [c.dimFfn, c.dim]);
    shapes.set(`${block}.ffn.fc2.weight`, [c.dim, c.dimFfn]);
  }
  return shapes.set("norm.weight", [c.dim]);
}

/** Weights of the video autoencoder (`vae.safetensors`). */
export function vaeShapes(c: VaeConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number, ...kernel: readonly number[]) => {
    shapes.set(`${name}.weight`, [output, input, ...kernel]);
    shapes.set(`${name}.bias`, [output]);
  };
  const resBlock = (name: string, input: number, output: number) => {
    shapes.set(`${name}.residual.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.residual.2`, output, input, 3, 3, 3);
    shapes.set(`${name}.residual.3.gamma`, [output, 1, 1, 1]);
    conv(`${name}.residual.6`, output, output, 3, 3, 3);
    if (input !== output) conv(`${name}.shortcut`, output, input, 1, 1, 1);
  };
  const middle = (name: string, width: number) => {
    resBlock(`${name}.0`, width, width);
    shapes.set(`${name}.1.norm.gamma`, [width, 1, 1]);
    conv(`${name}.1.to_qkv`, 3 * width, width, 1, 1);
    conv(`${name}.1.proj`, width, width, 1, 1);
    resBlock(`${name}.2`, width, width);
  };
  const head = (name: string, input: number, output: number) => {
    shapes.set(`${name}.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.2`, output, input, 3, 3, 3);
  };
  const last = c.dimMult.length - 1;

  conv("encoder.conv1", c.dim, PATCH_CHANNELS, 3, 3, 3);
  c.dimMult.forEach((multiple, i) => {
    const [input, output] = [c.dim * (c.dimMult[i - 1] ?? 1), c.dim * multiple];
    const name = `encoder.downsamples.${i}.downsamples`;
    for (let j = 0; j < c.numResBlocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${c.numResBlocks}.resample.1`, output, output, 3, 3);
    if (i < last && c.temporalDownsample[i]) conv(`${name}.${c.numResBlocks}.time_conv`, output, output, 3, 1, 1);
  });
  const encoded = c.dim * c.dimMult[last];
  middle("encoder.middle", encoded);
  head("encoder.head", encoded, 2 * c.zDim);
  conv("conv1", 2 * c.zDim, 2 * c.zDim, 1, 1, 1);

  conv("conv2", c.zDim, c.zDim, 1, 1, 1);
  const multiples = c.dimMult.toReversed();
  const doublesTime = c.temporalDownsample.toReversed();
  conv("decoder.conv1", c.decDim * multiples[0], c.zDim, 3, 3, 3);
  middle("decoder.middle", c.decDim * multiples[0]);
  multiples.forEach((multiple, i) => {
    const [input, output] = [c.decDim * (multiples[i - 1] ?? multiple), c.decDim * multiple];
    const name = `decoder.upsamples.${i}.upsamples`;
    const blocks = c.numResBlocks + 1;
    for (let j = 0; j < blocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${blocks}.resample.1`, output, output, 3, 3);
    if (i < last && doublesTime[i]) conv(`${name}.${blocks}.time_conv`, 2 * output, output, 3, 1, 1);
  });
  head("decoder.head", c.decDim * multiples[last], PATCH_CHANNELS);
  return shapes;
}

/** Red, green and blue of 2x2 pixels. */
const PATCH_CHANNELS = 12;
