/**
 * What a TripoSR network looks like: its sizes, how they are read from its file, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { PlaneAxes } from "../triplane/triplane.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
import { headsOf } from "../vision/network_sizes.ts";
import { addDinoShapes, type DinoConfig, readDinoConfig } from "../vision_transformer/dino_config.ts";
import { addPair } from "../vision_transformer/dinov2_config.ts";

/** TripoSR (Tochilkin et al. 2024): DINO on one image, a transformer over triplane tokens, a field of density and colour. */
export interface TripoSrConfig {
  readonly encoder: DinoConfig;
  /** Pixels on the side of the image that is looked at. */
  readonly imageSize: number;
  /** Channels of a triplane token. */
  readonly width: number;
  readonly heads: number;
  /** Blocks of the transformer. */
  readonly depth: number;
  /** Tokens on the side of a plane. */
  readonly planeTokens: number;
  /** Channels of a plane. */
  readonly planeChannels: number;
  /** Width of the hidden layers of the field's network. */
  readonly neurons: number;
  /** Hidden layers of the field's network. */
  readonly hiddenLayers: number;
  /** Half of the side of the cube that the field fills. */
  readonly radius: number;
}

/** Which coordinates are looked up on each plane. */
export const TRIPOSR_PLANES: PlaneAxes = [[0, 1], [0, 2], [1, 2]];

/** Added to the network's number before it becomes a density. */
export const DENSITY_BIAS = -1;

const IMAGE_SIZE = 512;
const RADIUS = 0.87;

/** TripoSR. */
export const tripoSrFamily: NetworkFamily<TripoSrConfig> = {
  name: "TripoSR model",
  shapesOf: tripoSrShapes,
  configOf(census, { heads, transformerHeads, imageSize = IMAGE_SIZE }, problems) {
    const encoder = readDinoConfig(census, "image_tokenizer.model.", heads, problems);
    const width = census.size("tokenizer.embeddings", 1);
    // Numbered with the activations between them, the last one being the output.
    let layers = 0;
    while (layers < 64 && census.has(`decoder.layers.${2 * layers}.weight`)) layers++;
    if (imageSize % encoder.patch !== 0) {
      problems.push(`config.json: image_size is ${imageSize}, expected a multiple of the patch of ${encoder.patch}`);
    }
    return {
      encoder,
      imageSize,
      width,
      heads: headsOf("transformer_heads", width, transformerHeads, problems),
      depth: census.layers("backbone.transformer_blocks.{i}.norm1.weight"),
      planeTokens: census.size("tokenizer.embeddings", 2),
      planeChannels: census.size("post_processor.upsample.weight", 1),
      neurons: census.size("decoder.layers.0.weight", 0),
      hiddenLayers: layers - 1,
      radius: RADIUS,
    };
  },
};

/** Weights by the names of the published checkpoint. */
export function tripoSrShapes(c: TripoSrConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) => addPair(shapes, name, [output, input], output);
  const vector = (name: string) => addPair(shapes, name, [c.width], c.width);

  addDinoShapes(shapes, "image_tokenizer.model.", c.encoder);
  shapes.set("tokenizer.embeddings", [3, c.width, c.planeTokens, c.planeTokens]);
  vector("backbone.norm");
  linear("backbone.proj_in", c.width, c.width);
  for (let i = 0; i < c.depth; i++) {
    const block = `backbone.transformer_blocks.${i}`;
    for (const [name, context] of [["attn1", c.width], ["attn2", c.encoder.dim]] as const) {
      shapes.set(`${block}.${name}.to_q.weight`, [c.width, c.width]);
      shapes.set(`${block}.${name}.to_k.weight`, [c.width, context]);
      shapes.set(`${block}.${name}.to_v.weight`, [c.width, context]);
      linear(`${block}.${name}.to_out.0`, c.width, c.width);
    }
    for (const name of ["norm1", "norm2", "norm3"]) vector(`${block}.${name}`);
    linear(`${block}.ff.net.0.proj`, 8 * c.width, c.width);
    linear(`${block}.ff.net.2`, c.width, 4 * c.width);
  }
  linear("backbone.proj_out", c.width, c.width);
  addPair(shapes, "post_processor.upsample", [c.width, c.planeChannels, 2, 2], c.planeChannels);
  linear("decoder.layers.0", c.neurons, 3 * c.planeChannels);
  for (let i = 1; i < c.hiddenLayers; i++) linear(`decoder.layers.${2 * i}`, c.neurons, c.neurons);
  linear(`decoder.layers.${2 * c.hiddenLayers}`, 4, c.neurons);
  return shapes;
}
