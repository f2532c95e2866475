/**
 * Attention along time.
 *
 * @module
 */
import {
  add,
  attention,
  f32,
  groupNorm,
  reshape,
  type Tensor,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense, gatedGelu, weightedNorm } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { TEMPORAL_GROUPS, TEMPORAL_HEADS } from "./config.ts";

/** What a module gives and what its parts add, [pixels,frames,C] each. */
interface TemporalParts {
  /** [frames,C,H,W] */
  readonly output: Value;
  readonly normalised: Value;
  readonly entered: Value;
  readonly attended: readonly Value[];
  readonly fed: Value;
}

const NORM_EPS = 1e-5;
const GROUP_EPS = 1e-6;
const BASE = 10000;

/**
 * Every pixel's frames as one sequence: group norm of each frame, a linear layer, attention layers with sine positions,
 * GEGLU, a linear layer, all on top of the input (the motion module of Guo et al. 2023).
 *
 * Shapes: x [frames,C,H,W] -> same.
 */
export function temporalModule(x: Value, module: Weights): TemporalParts {
  const g = x.graph;
  const [frames, channels, height, width] = x.shape;
  const weights = module.at("temporal_transformer");
  const block = weights.at("transformer_blocks.0");
  const norm = weights.at("norm");
  const normalised = groupNorm(x, TEMPORAL_GROUPS, norm.in(g, "weight"), norm.in(g, "bias"), GROUP_EPS);
  const pixels = transpose(reshape(normalised, [frames, channels, height * width]), [2, 0, 1]);
  const entered = dense(pixels, weights.at("proj_in"));
  const positions = g.constant(framePositions(frames, channels));
  const attended: Value[] = [];
  let y = entered;
  for (let i = 0; block.has(`norms.${i}.weight`); i++) {
    const placed = add(weightedNorm(y, block.at(`norms.${i}`), NORM_EPS), positions);
    attended.push(frameAttention(placed, block.at(`attention_blocks.${i}`)));
    y = add(y, attended[i]);
  }
  const fed = gatedGelu(weightedNorm(y, block.at("ff_norm"), NORM_EPS), block.at("ff"));
  const left = dense(add(y, fed), weights.at("proj_out"));
  const output = add(x, reshape(transpose(left, [1, 2, 0]), x.shape));
  return { output, normalised, entered, attended, fed };
}

/** Sines at even channels and cosines at odd ones, [frames,C]. */
export function framePositions(frames: number, channels: number): Tensor<"f32"> {
  const data = Float32Array.from({ length: frames * channels }, (_, i) => {
    const [frame, channel] = [Math.floor(i / channels), i % channels];
    const angle = frame / BASE ** ((channel - channel % 2) / channels);
    return channel % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
  return f32([frames, channels], data);
}

/** x [pixels,frames,C] -> same; the pixels do not see each other. */
function frameAttention(x: Value, weights: Weights): Value {
  const [pixels, frames, channels] = x.shape;
  const heads = (name: string) =>
    reshape(dense(x, weights.at(name)), [pixels, frames, TEMPORAL_HEADS, channels / TEMPORAL_HEADS]);
  const mixed = attention(heads("to_q"), heads("to_k"), heads("to_v"));
  return dense(reshape(mixed, x.shape), weights.at("to_out.0"));
}
