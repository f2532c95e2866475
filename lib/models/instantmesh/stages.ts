/**
 * The parts in which InstantMesh runs.
 *
 * @module
 */
import { concat, reshape, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { tokensToPlanes } from "../triplane/plane_tokens.ts";
import type { Stage } from "../vision/run_stages.ts";
import { dinoBlocks, dinoNorm, dinoTokens } from "../vision_transformer/dino.ts";
import { CAMERA_NUMBERS, type InstantMeshConfig } from "./config.ts";
import {
  embedCameras,
  gridDeformation,
  reconstructionBlock,
  reconstructionNorm,
  signedDistance,
  surfaceColour,
} from "./network.ts";

/** The parts, from views to field. */
export interface InstantMeshStages {
  /** `view` [1,3,S,S] normalised, `camera` [1,16] -> `features` [1+P,E]; for every view. */
  readonly encode: Stage;
  /**
   * Groups of blocks: `features.<view>` and, but for the first, `x` [L,C] -> `x`; the last gives `planes` [3,C,2S,2S]
   * instead.
   */
  readonly transform: readonly Stage[];
  /** Features [N,3C] -> signed distance [N,1] */
  readonly distance: (features: Value) => Value;
  /** Features [N,3C] of nodes -> signed distance, x, y, z of the deformation [N,4] */
  readonly node: (features: Value) => Value;
  /** Features [N,3C] -> colour [N,3] */
  readonly colour: (features: Value) => Value;
}

/** Blocks that run together: between groups an operation can be cancelled. */
const GROUP = 2;

/**
 * Plans the parts; nothing is computed.
 *
 * @param weights Weights without the prefix of the published file.
 * @param cells Cells on the side of the grid.
 */
export function instantMeshStages(
  config: InstantMeshConfig,
  weights: Weights,
  positions: Tensor,
  views: number,
  cells: number,
): InstantMeshStages {
  const { encoder, imageSize, depth, heads, width } = config;
  const patches = (imageSize / encoder.patch) ** 2;
  const length = 3 * config.planeTokens ** 2;
  const transformer = weights.at("transformer");
  const decoder = weights.at("synthesizer.decoder");
  const groups = Math.ceil(depth / GROUP);
  return {
    encode: (graph) => {
      const view = graph.input("view", [1, 3, imageSize, imageSize]);
      const camera = graph.input("camera", [1, CAMERA_NUMBERS]);
      const condition = embedCameras(camera, weights.at("encoder.camera_embedder"));
      const model = weights.at("encoder.model");
      const x = dinoBlocks(dinoTokens(view, model, positions), 0, encoder.depth, encoder, model, condition);
      return { features: reshape(dinoNorm(x, model), [1 + patches, encoder.dim]) };
    },
    transform: Array.from({ length: groups }, (_, group) => (graph) => {
      const features = Array.from(
        { length: views },
        (_, view) => graph.input(`features.${view}`, [1 + patches, encoder.dim]),
      );
      const context = concat(features, 0);
      let x = group === 0
        ? weights.in(graph, "transformer.pos_embed", [length, width])
        : graph.input("x", [length, width]);
      for (let i = group * GROUP; i < Math.min((group + 1) * GROUP, depth); i++) {
        x = reconstructionBlock(x, context, transformer.at(`layers.${i}`), heads).output;
      }
      if (group < groups - 1) return { x };
      return { planes: tokensToPlanes(reconstructionNorm(x, transformer), transformer.at("deconv")) };
    }),
    distance: (features) => signedDistance(features, decoder),
    node: (features) => concat([signedDistance(features, decoder), gridDeformation(features, cells, decoder)], 1),
    colour: (features) => surfaceColour(features, decoder),
  };
}
