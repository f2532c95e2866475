/**
 * Configurations of the networks of objects in the words of the code.
 *
 * @module
 */
import type { DinoConfig } from "../../../../lib/models/vision_transformer/dino_config.ts";
import type { InstantMeshConfig } from "../../../../lib/models/instantmesh/config.ts";
import type { TripoSrConfig } from "../../../../lib/models/triposr/config.ts";
import type { Golden } from "../../golden.ts";

function dinoConfig(golden: Golden): DinoConfig {
  const dim = golden.number("vit_dim");
  return {
    dim,
    depth: golden.number("vit_layers"),
    heads: golden.number("vit_heads"),
    hidden: 4 * dim,
    patch: 16,
    grid: golden.number("pos_grid"),
  };
}

/** All but the size of the image, which the golden of a field does not have. */
export function tripoSrConfig(golden: Golden): Omit<TripoSrConfig, "imageSize"> {
  return {
    encoder: dinoConfig(golden),
    width: golden.number("width"),
    heads: golden.number("heads"),
    depth: golden.number("layers"),
    planeTokens: golden.number("plane"),
    planeChannels: golden.number("planes_dim"),
    neurons: golden.number("neurons"),
    hiddenLayers: golden.number("mlp_layers"),
    radius: golden.number("radius"),
  };
}

/** @param imageSize Pixels of each side of the golden's views. */
export function instantMeshConfig(golden: Golden, imageSize: number): InstantMeshConfig {
  const encoder = dinoConfig(golden);
  return {
    encoder: { ...encoder, condition: encoder.dim },
    imageSize,
    width: golden.number("width"),
    heads: golden.number("heads"),
    depth: golden.number("layers"),
    planeTokens: golden.number("low"),
    planeChannels: golden.number("triplane_dim"),
    hidden: golden.number("hidden"),
    gridScale: 2.1,
  };
}
