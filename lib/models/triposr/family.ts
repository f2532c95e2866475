/**
 * How TripoSR is read from its file.
 *
 * @module
 */
import type { NetworkFamily } from "../vision/load_network.ts";
import { headsOf } from "../vision/vision_settings.ts";
import { readDinoConfig } from "../vision_transformer/dino_config.ts";
import type { TripoSrConfig } from "./config.ts";
import { tripoSrShapes } from "./tensor_shapes.ts";

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
