/**
 * The vision encoder of a snapshot.
 *
 * @module
 */
import * as v from "valibot";
import { checkConfig, depth, size } from "../checkpoint/check_config.ts";

/** Widths and depths of the vision encoder and its projector, which a snapshot contains but a world never runs. */
export interface VisionConfig {
  /** Width of the residual stream. */
  readonly hiddenSize: number;
  /** Width inside the feed-forward layers. */
  readonly intermediateSize: number;
  /** Layers. */
  readonly numLayers: number;
  /** Positions of the learned position grid. */
  readonly positions: number;
  /** Numbers of a patch of pixels. */
  readonly patchNumbers: number;
  /** From patches to tokens of the language half. */
  readonly projector: {
    /** Patches that make one token. */
    readonly merged: number;
    readonly normAfterMerge: boolean;
    readonly intermediateSize: number;
    readonly outputSize: number;
  };
}

const schema = v.object({
  vision_config: v.object({
    hidden_size: size,
    intermediate_size: size,
    num_hidden_layers: depth,
    num_channels: v.optional(size, 3),
    num_patches: size,
    patch_size: size,
  }),
  projector_config: v.object({
    input_hidden_size: size,
    merger_intermediate_size: size,
    out_hidden_size: size,
    spatial_merge_size: size,
    use_postshuffle_norm: v.optional(v.boolean(), false),
  }),
});

/** Reads it from a snapshot's `config.json`; adds errors to `problems` and returns undefined then. */
export function parseVisionConfig(root: unknown, problems: string[]): VisionConfig | undefined {
  const fields = checkConfig("config.json", schema, root, problems);
  if (!fields) return undefined;
  const { vision_config: seen, projector_config: projected } = fields;
  if (projected.input_hidden_size !== seen.hidden_size) {
    problems.push(
      `config.json: projector_config.input_hidden_size is ${projected.input_hidden_size}, ` +
        `expected ${seen.hidden_size} the vision_config.hidden_size`,
    );
  }
  return {
    hiddenSize: seen.hidden_size,
    intermediateSize: seen.intermediate_size,
    numLayers: seen.num_hidden_layers,
    positions: seen.num_patches,
    patchNumbers: seen.num_channels * seen.patch_size ** 2,
    projector: {
      merged: projected.spatial_merge_size ** 2,
      normAfterMerge: projected.use_postshuffle_norm,
      intermediateSize: projected.merger_intermediate_size,
      outputSize: projected.out_hidden_size,
    },
  };
}
