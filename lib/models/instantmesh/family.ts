/**
 * How InstantMesh is read from its file.
 *
 * @module
 */
import type { NetworkFamily } from "../vision/load_network.ts";
import { headsOf } from "../vision/vision_settings.ts";
import { readDinoConfig } from "../vision_transformer/dino_config.ts";
import type { InstantMeshConfig } from "./config.ts";
import { INSTANTMESH_PREFIX, instantMeshShapes } from "./tensor_shapes.ts";

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
