/**
 * The parts in which TripoSR runs.
 *
 * @module
 */
import { reshape, type Tensor, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { tokensToPlanes } from "../triplane/plane_tokens.ts";
import type { Stage } from "../vision/run_stages.ts";
import { dinoBlocks, dinoNorm, dinoTokens } from "../vision_transformer/dino.ts";
import type { TripoSrConfig } from "./config.ts";
import { decodeField, enterTransformer, leaveTransformer, planeTokens, triplaneBlock } from "./network.ts";

/** The parts, from image to field. */
export interface TripoSrStages {
  /** `image` [1,3,S,S] normalised -> `context` [1+P,E] */
  readonly encode: Stage;
  /** Groups of blocks: `context` and, but for the first, `x` [L,C] -> `x`; the last gives `planes` [3,C,2S,2S] instead. */
  readonly transform: readonly Stage[];
  /** Features [N,3C] -> logarithm of the density [N,1] */
  readonly density: (features: Value) => Value;
  /** Features [N,3C] -> colour [N,3] */
  readonly colour: (features: Value) => Value;
}

/** Blocks that run together: between groups an operation can be cancelled. */
const GROUP = 2;

/** Plans the parts; nothing is computed. */
export function tripoSrStages(config: TripoSrConfig, weights: Weights, positions: Tensor): TripoSrStages {
  const { encoder, imageSize, depth, heads, width } = config;
  const grid = imageSize / encoder.patch;
  const length = 3 * config.planeTokens ** 2;
  const backbone = weights.at("backbone");
  const groups = Math.ceil(depth / GROUP);
  return {
    encode: (graph) => {
      const image = graph.input("image", [1, 3, imageSize, imageSize]);
      const model = weights.at("image_tokenizer.model");
      const x = dinoBlocks(dinoTokens(image, model, positions), 0, encoder.depth, encoder, model);
      return { context: reshape(dinoNorm(x, model), [1 + grid * grid, encoder.dim]) };
    },
    transform: Array.from({ length: groups }, (_, group) => (graph) => {
      const context = graph.input("context", [1 + grid * grid, encoder.dim]);
      const tokens = () => planeTokens(weights.in(graph, "tokenizer.embeddings"));
      let x = group === 0 ? enterTransformer(tokens(), backbone).x : graph.input("x", [length, width]);
      for (let i = group * GROUP; i < Math.min((group + 1) * GROUP, depth); i++) {
        x = triplaneBlock(x, context, backbone.at(`transformer_blocks.${i}`), heads).output;
      }
      if (group < groups - 1) return { x };
      return { planes: tokensToPlanes(leaveTransformer(x, tokens(), backbone), weights.at("post_processor.upsample")) };
    }),
    density: (features) => decodeField(features, config, weights.at("decoder")).raw,
    colour: (features) => decodeField(features, config, weights.at("decoder")).colour,
  };
}
