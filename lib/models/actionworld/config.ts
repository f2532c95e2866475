/**
 * The configuration of an actionworld snapshot, and the names and shapes of its tensors.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { VideoVae } from "../video_vae/vae_config.ts";

/** Parameters of positions and rotary tables. */
export interface PositionConfig {
  /** Channels of a head. */
  readonly headDim: number;
  /** Channel pairs of a head that turn with time, row and column. */
  readonly ropeAxes: readonly [time: number, row: number, column: number];
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
  /** Frame rate at which one latent frame is as far from the next as four text tokens. */
  readonly baseFps: number;
  /** Frames per latent. */
  readonly framesPerLatent: number;
  /** Gap between the position of the last text token and that of the first frame. */
  readonly modalityMargin: number;
}

/** Widths and depths of the two-stream transformer. */
export interface ActionTransformerConfig extends PositionConfig {
  /** Width of both residual streams. */
  readonly hiddenSize: number;
  /** Width inside the feed-forward layers. */
  readonly intermediateSize: number;
  /** Layers. */
  readonly numLayers: number;
  /** Query heads. */
  readonly numHeads: number;
  /** Heads of keys and values, a divisor of the query heads. */
  readonly numKeyHeads: number;
  /** Added to the mean square in every norm. */
  readonly normEps: number;
  /** Rows of the token embedding. */
  readonly vocab: number;
  /** Channels of a latent. */
  readonly latentChannels: number;
  /** Rows and columns of latent pixels of one token. */
  readonly patchSize: number;
  /** Maximum number of numbers of an action; shorter rows are padded with zeros. */
  readonly actionDim: number;
  /** Embodiments with their own action weights. */
  readonly domains: number;
  /** Factor applied to a timestep before its sinusoid. */
  readonly timestepScale: number;
}

/** The whole configuration of a snapshot. */
export interface ActionworldConfig extends VideoVae {
  /** Two-stream transformer. */
  readonly transformer: ActionTransformerConfig;
  /** Default width of frames, in pixels. */
  readonly defaultWidth?: number;
  /** Default height of frames, in pixels. */
  readonly defaultHeight?: number;
  /** Default frame rate. */
  readonly defaultFps?: number;
  /** Default number of denoising steps. */
  readonly defaultSteps?: number;
  /** Prompt for the warm-up. */
  readonly defaultPrompt?: string;
}

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

/** The domain whose actions are camera moves. */
export const CAMERA_POSE_DOMAIN = 2;

/** Numbers of an action in that domain: a translation and two columns of a rotation. */
export const CAMERA_POSE_NUMBERS = 9;

/** Length of the sinusoid of a timestep. */
export const TIME_CHANNELS = 256;

/** Tensors of the transformer that a world transition never reads: language and action outputs. */
const UNUSED = /^(lm_head|action_proj_out|norm)\./;

/** Weights of the transformer folder. */
export function actionTransformerShapes(c: ActionTransformerConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const { hiddenSize: d, headDim, actionDim, domains } = c;
  const linear = (name: string, output: number, input: number) => {
    shapes.set(`${name}.weight`, [output, input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const patch = c.latentChannels * c.patchSize ** 2;
  shapes.set("embed_tokens.weight", [c.vocab, d]).set("lm_head.weight", [c.vocab, d]);
  shapes.set("norm.weight", [d]).set("norm_moe_gen.weight", [d]);
  linear("proj_in", d, patch);
  linear("proj_out", patch, d);
  linear("time_embedder.linear_1", d, TIME_CHANNELS);
  linear("time_embedder.linear_2", d, d);
  shapes.set("action_modality_embed", [d]);
  shapes.set("action_proj_in.fc.weight", [domains, actionDim * d]).set("action_proj_in.bias.weight", [domains, d]);
  shapes.set("action_proj_out.fc.weight", [domains, d * actionDim]);
  shapes.set("action_proj_out.bias.weight", [domains, actionDim]);
  const [queries, keys] = [c.numHeads * headDim, c.numKeyHeads * headDim];
  for (let i = 0; i < c.numLayers; i++) {
    const layer = `layers.${i}`;
    for (const stream of ["", "_moe_gen"]) {
      shapes.set(`${layer}.input_layernorm${stream}.weight`, [d]);
      shapes.set(`${layer}.post_attention_layernorm${stream}.weight`, [d]);
      shapes.set(`${layer}.mlp${stream}.up_proj.weight`, [c.intermediateSize, d]);
      shapes.set(`${layer}.mlp${stream}.down_proj.weight`, [d, c.intermediateSize]);
    }
    const attend = `${layer}.self_attn`;
    for (const name of ["to_q", "add_q_proj"]) shapes.set(`${attend}.${name}.weight`, [queries, d]);
    for (const name of ["to_k", "to_v", "add_k_proj", "add_v_proj"]) shapes.set(`${attend}.${name}.weight`, [keys, d]);
    for (const name of ["to_out", "to_add_out"]) shapes.set(`${attend}.${name}.weight`, [d, queries]);
    for (const name of ["norm_added_q", "norm_added_k", "k_norm_und_for_gen"]) {
      shapes.set(`${attend}.${name}.weight`, [headDim]);
    }
  }
  return shapes;
}

/** Those weights that a world transition reads. */
export function usedTransformerShapes(c: ActionTransformerConfig): TensorShapes {
  return new Map([...actionTransformerShapes(c)].filter(([name]) => !UNUSED.test(name)));
}

/** Weights of the vision encoder (SigLIP 2, Tschannen et al. 2025) and its projector. */
export function visionShapes(c: VisionConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const affine = (name: string, output: number, ...input: readonly number[]) => {
    shapes.set(`${name}.weight`, [output, ...input]);
    shapes.set(`${name}.bias`, [output]);
  };
  const visual = "model.visual";
  affine(`${visual}.embeddings.patch_embedding`, c.hiddenSize, c.patchNumbers);
  shapes.set(`${visual}.embeddings.position_embedding.weight`, [c.positions, c.hiddenSize]);
  for (let i = 0; i < c.numLayers; i++) {
    const layer = `${visual}.encoder.layers.${i}`;
    for (const norm of ["layer_norm1", "layer_norm2"]) affine(`${layer}.${norm}`, c.hiddenSize);
    for (const projection of ["q_proj", "k_proj", "v_proj", "out_proj"]) {
      affine(`${layer}.self_attn.${projection}`, c.hiddenSize, c.hiddenSize);
    }
    affine(`${layer}.mlp.fc1`, c.intermediateSize, c.hiddenSize);
    affine(`${layer}.mlp.fc2`, c.hiddenSize, c.intermediateSize);
  }
  affine(`${visual}.post_layernorm`, c.hiddenSize);
  const { merged, normAfterMerge, intermediateSize, outputSize } = c.projector;
  affine("model.projector.norm", normAfterMerge ? merged * c.hiddenSize : c.hiddenSize);
  affine("model.projector.linear_fc1", intermediateSize, merged * c.hiddenSize);
  affine("model.projector.linear_fc2", outputSize, intermediateSize);
  return shapes;
}
