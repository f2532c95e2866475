/**
 * What a Video Depth Anything network looks like: its sizes, how they are read from its file, and its weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { NetworkFamily } from "../vision/load_network.ts";
import {
  addDinoV2Shapes,
  addPair,
  type DinoV2Config,
  fourBlocks,
  readDinoV2Config,
} from "../vision_transformer/dinov2_config.ts";
import { addDptShapes, type DptConfig, readDptConfig } from "../vision_transformer/dpt.ts";

/** Video Depth Anything (Chen et al. 2025): DINOv2 on every frame, a DPT head that looks along time. */
export interface VideoDepthConfig {
  readonly backbone: DinoV2Config;
  /** Blocks of the backbone whose outputs are used, ascending. */
  readonly take: readonly number[];
  readonly head: DptConfig;
}

/** Frames that the network sees at once. */
export const WINDOW_FRAMES = 32;

/** Frames from one window to the next. */
export const WINDOW_STEP = 22;

/** Inputs of a window that become the first inputs of the next one. */
export const KEY_INPUTS: readonly number[] = [0, 12, 24, 25, 26, 27, 28, 29, 30, 31];

/** Heads of attention along time. */
export const TEMPORAL_HEADS = 8;

/** Groups of the norm before attention along time. */
export const TEMPORAL_GROUPS = 32;

/** Video Depth Anything, relative or metric. */
export const videoDepthFamily: NetworkFamily<VideoDepthConfig> = {
  name: "Video Depth Anything model",
  shapesOf: videoDepthShapes,
  configOf(census, { heads }, problems) {
    const backbone = readDinoV2Config(census, "pretrained.", heads, problems);
    return { backbone, take: fourBlocks(backbone.depth, problems), head: readDptConfig(census, "head.") };
  },
};

/** Attention layers of a temporal module. */
const ATTENTION_LAYERS = 2;

/** Weights by the names of the published checkpoints. The tables of sines are worked out. */
export function videoDepthShapes(c: VideoDepthConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  addDinoV2Shapes(shapes, "pretrained.", c.backbone);
  addDptShapes(shapes, "head.", c.head, 1);
  const { channels, features } = c.head;
  [channels[2], channels[3], features, features].forEach((width, i) => {
    addTemporalShapes(shapes, `head.motion_modules.${i}.temporal_transformer.`, width);
  });
  return shapes;
}

function addTemporalShapes(shapes: Map<string, Shape>, prefix: string, width: number): void {
  const vector = (name: string) => addPair(shapes, `${prefix}${name}`, [width], width);
  const linear = (name: string, output: number, input: number) =>
    addPair(shapes, `${prefix}${name}`, [output, input], output);
  vector("norm");
  linear("proj_in", width, width);
  const block = "transformer_blocks.0";
  for (let i = 0; i < ATTENTION_LAYERS; i++) {
    const layer = `${block}.attention_blocks.${i}`;
    for (const name of ["to_q", "to_k", "to_v"]) shapes.set(`${prefix}${layer}.${name}.weight`, [width, width]);
    linear(`${layer}.to_out.0`, width, width);
    vector(`${block}.norms.${i}`);
  }
  linear(`${block}.ff.net.0.proj`, 8 * width, width);
  linear(`${block}.ff.net.2`, width, 4 * width);
  vector(`${block}.ff_norm`);
  linear("proj_out", width, width);
}
