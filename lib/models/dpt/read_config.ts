/**
 * The sizes of a DPT head from its tensors.
 *
 * @module
 */
import type { TensorCensus } from "../vision/tensor_census.ts";
import type { DptConfig } from "./config.ts";

/** Reads the sizes of the head below `prefix`. */
export function readDptConfig(census: TensorCensus, prefix: string): DptConfig {
  const channels = (level: number) => census.size(`${prefix}projects.${level}.weight`, 0);
  return {
    input: census.size(`${prefix}projects.0.weight`, 1),
    channels: [channels(0), channels(1), channels(2), channels(3)],
    features: census.size(`${prefix}scratch.layer1_rn.weight`, 0),
  };
}
