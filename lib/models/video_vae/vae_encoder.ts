/**
 * Encoder of the causal video autoencoder (Wan 2.2 VAE): 16x or 32x smaller in space, by its patches, 4x in time.
 *
 * @module
 */
import { add, silu, slice, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv, channelNorm, frameAttention, resBlock } from "./blocks.ts";
import type { FrameHistory } from "./frame_history.ts";
import { patchifyPixels } from "./latents.ts";
import { averageDown, downsampleSpace, downsampleTime } from "./resample.ts";
import { patchSizeOf, type VaeConfig } from "./vae_config.ts";

/** The mean of the latents and what each part of the encoder gave, by the part's weight name. */
export interface VaeEncoding {
  /** [N,z,H/16,W/16], not normalised. */
  readonly mean: Value;
  readonly parts: ReadonlyMap<string, Value>;
}

/**
 * Encodes frames. The first call of a stream takes 1 + 4n frames, each later one 4n.
 *
 * Shapes: video [T,3,H,W] in [-1,1] -> mean [N,z,H/16,W/16].
 */
export function encodeFrames(video: Value, config: VaeConfig, weights: Weights, history: FrameHistory): VaeEncoding {
  const parts = new Map<string, Value>();
  const keep = (name: string, x: Value) => {
    parts.set(name, x);
    return x;
  };
  const encoder = weights.at("encoder");
  let x = keep(
    "conv1",
    causalConv(patchifyPixels(video, patchSizeOf(config)), encoder.at("conv1"), history, "encoder.conv1"),
  );
  config.dimMult.forEach((multiple, i) => {
    const stage: DownStage = {
      channels: config.dim * multiple,
      blocks: config.numResBlocks,
      space: i < config.dimMult.length - 1,
      time: config.temporalDownsample[i] ?? false,
    };
    x = keep(
      `downsamples.${i}`,
      downStage(x, stage, encoder.at(`downsamples.${i}`), history, `encoder.downsamples.${i}`),
    );
  });
  const middle = encoder.at("middle");
  x = keep("middle.0", resBlock(x, middle.at("0"), history, "encoder.middle.0"));
  x = keep("middle.1", frameAttention(x, middle.at("1")));
  x = keep("middle.2", resBlock(x, middle.at("2"), history, "encoder.middle.2"));
  const head = encoder.at("head");
  x = causalConv(silu(channelNorm(x, head.at("0"))), head.at("2"), history, "encoder.head.2");
  const moments = causalConv(x, weights.at("conv1"), history, "conv1");
  return { mean: slice(moments, { axis: 1, end: config.zDim }), parts };
}

interface DownStage {
  readonly channels: number;
  readonly blocks: number;
  readonly space: boolean;
  readonly time: boolean;
}

/** Residual blocks and a change of resolution, around which the mean of the input goes as a shortcut. */
function downStage(input: Value, stage: DownStage, weights: Weights, history: FrameHistory, name: string): Value {
  const layers = weights.at("downsamples");
  let x = input;
  for (let i = 0; i < stage.blocks; i++) x = resBlock(x, layers.at(`${i}`), history, `${name}.downsamples.${i}`);
  const last = `${stage.blocks}`;
  if (stage.space && stage.time) x = downsampleTime(x, layers.at(last), history, `${name}.downsamples.${last}`);
  else if (stage.space) x = downsampleSpace(x, layers.at(last));
  return add(x, averageDown(input, stage.channels, stage.time ? 2 : 1, stage.space ? 2 : 1));
}
