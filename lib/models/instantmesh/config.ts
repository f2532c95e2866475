/**
 * What an InstantMesh reconstruction network looks like: its sizes, how they are read from its file, and its weights.
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

/**
 * The reconstruction part of InstantMesh (Xu et al. 2024): DINO on several views with norms conditioned on the camera,
 * a transformer over triplane tokens, a signed distance with colour and a deformed grid.
 */
export interface InstantMeshConfig {
  readonly encoder: DinoConfig;
  /** Pixels on the side of a view. */
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
  /** Width of the hidden layers of the field's networks. */
  readonly hidden: number;
  /** Side of the cube in which the surface is looked for. */
  readonly gridScale: number;
}

/** Which coordinates are looked up on each plane; the third one is turned over. */
export const INSTANTMESH_PLANES: PlaneAxes = [[0, 1], [0, 2], [2, 1]];

/** Numbers of a camera: the first three rows of camera-to-world, then fx, fy, cx, cy in shares of the image. */
export const CAMERA_NUMBERS = 16;

const IMAGE_SIZE = 320;
const GRID_SCALE = 2.1;

/** The reconstruction part of InstantMesh. */
export const instantMeshFamily: NetworkFamily<InstantMeshConfig> = {
  name: "InstantMesh model",
  shapesOf: (config) => instantMeshShapes(config),
  configOf(census, { heads, transformerHeads, imageSize = IMAGE_SIZE }, problems) {
    const p = INSTANTMESH_PREFIX;
    const encoder = readDinoConfig(census, `${p}encoder.model.`, heads, problems);
    const width = census.size(`${p}transformer.pos_embed`, 2);
    const side = Math.round(Math.sqrt(census.size(`${p}transformer.pos_embed`, 1) / 3));
    if (imageSize % encoder.patch !== 0) {
      problems.push(`config.json: image_size is ${imageSize}, expected a multiple of the patch of ${encoder.patch}`);
    }
    return {
      encoder,
      imageSize,
      width,
      heads: headsOf("transformer_heads", width, transformerHeads, problems),
      depth: census.layers(`${p}transformer.layers.{i}.norm1.weight`),
      planeTokens: side,
      planeChannels: census.size(`${p}transformer.deconv.weight`, 1),
      hidden: census.size(`${p}synthesizer.decoder.net_sdf.0.weight`, 0),
      gridScale: GRID_SCALE,
    };
  },
};

/** The prefix of every name in the published file. */
export const INSTANTMESH_PREFIX = "lrm_generator.";

/** Weights by the names of the published checkpoint, behind `prefix`; without those of the upstream iso-surface. */
export function instantMeshShapes(c: InstantMeshConfig, prefix: string = INSTANTMESH_PREFIX): TensorShapes {
  const shapes = new Map<string, Shape>();
  const linear = (name: string, output: number, input: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input], output);
  const vector = (name: string) => addPair(shapes, `${prefix}${name}`, [c.width], c.width);
  const matrix = (name: string, output: number, input: number) => shapes.set(`${prefix}${name}`, [output, input]);

  addDinoShapes(shapes, `${prefix}encoder.model.`, c.encoder);
  linear("encoder.camera_embedder.0", c.encoder.dim, CAMERA_NUMBERS);
  linear("encoder.camera_embedder.2", c.encoder.dim, c.encoder.dim);
  shapes.set(`${prefix}transformer.pos_embed`, [1, 3 * c.planeTokens * c.planeTokens, c.width]);
  for (let i = 0; i < c.depth; i++) {
    const layer = `transformer.layers.${i}`;
    for (const name of ["norm1", "norm2", "norm3"]) vector(`${layer}.${name}`);
    matrix(`${layer}.cross_attn.q_proj_weight`, c.width, c.width);
    matrix(`${layer}.cross_attn.k_proj_weight`, c.width, c.encoder.dim);
    matrix(`${layer}.cross_attn.v_proj_weight`, c.width, c.encoder.dim);
    matrix(`${layer}.cross_attn.out_proj.weight`, c.width, c.width);
    matrix(`${layer}.self_attn.in_proj_weight`, 3 * c.width, c.width);
    matrix(`${layer}.self_attn.out_proj.weight`, c.width, c.width);
    linear(`${layer}.mlp.0`, 4 * c.width, c.width);
    linear(`${layer}.mlp.3`, c.width, 4 * c.width);
  }
  vector("transformer.norm");
  addPair(shapes, `${prefix}transformer.deconv`, [c.width, c.planeChannels, 2, 2], c.planeChannels);
  for (const [name, outputs] of [["net_sdf", 1], ["net_rgb", 3], ["net_deformation", 3]] as const) {
    const net = `synthesizer.decoder.${name}`;
    linear(`${net}.0`, c.hidden, 3 * c.planeChannels);
    linear(`${net}.2`, c.hidden, c.hidden);
    linear(`${net}.4`, c.hidden, c.hidden);
    linear(`${net}.6`, outputs, c.hidden);
  }
  return shapes;
}
