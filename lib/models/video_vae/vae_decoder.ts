/**
 * Decoder of the causal video autoencoder (Wan 2.2 VAE) as a stream: any number of latents a call, each of four
 * frames, but one frame for the first latent.
 *
 * @module
 */
import { add, silu, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv } from "./causal_conv.ts";
import { channelNorm } from "./channel_norm.ts";
import { frameAttention } from "./frame_attention.ts";
import type { FrameHistory } from "./frame_history.ts";
import { resBlock } from "./res_block.ts";
import { upsampleSpace, upsampleTime } from "./resample.ts";
import { duplicateUp } from "./shortcuts.ts";
import type { VaeConfig } from "./vae_config.ts";

/** Patches of pixels and what each part of the decoder gave, by the part's weight name. */
export interface VaeDecoding {
  /** [T,12,H/2,W/2]: frames in about [-1,1] as 2x2 patches, see `pixel_patches.ts`. */
  readonly patches: Value;
  readonly parts: ReadonlyMap<string, Value>;
}

/**
 * Decodes latents.
 *
 * Shapes: latents [N,z,h,w], not normalised -> patches [4N,12,8h,8w]; [4N-3,...] on the first call of a stream.
 */
export function decodeLatents(latents: Value, config: VaeConfig, weights: Weights, history: FrameHistory): VaeDecoding {
  const parts = new Map<string, Value>();
  const keep = (name: string, x: Value) => {
    parts.set(name, x);
    return x;
  };
  const decoder = weights.at("decoder");
  const z = causalConv(latents, weights.at("conv2"), history, "conv2");
  let x = keep("conv1", causalConv(z, decoder.at("conv1"), history, "decoder.conv1"));
  const middle = decoder.at("middle");
  x = keep("middle.0", resBlock(x, middle.at("0"), history, "decoder.middle.0"));
  x = keep("middle.1", frameAttention(x, middle.at("1")));
  x = keep("middle.2", resBlock(x, middle.at("2"), history, "decoder.middle.2"));
  const multiples = config.dimMult.toReversed();
  const last = multiples.length - 1;
  const doublesTime = config.temporalDownsample.toReversed();
  multiples.forEach((multiple, i) => {
    const stage: UpStage = {
      channels: config.decDim * multiple,
      blocks: config.numResBlocks + 1,
      space: i < last,
      time: doublesTime[i] ?? false,
    };
    x = keep(`upsamples.${i}`, upStage(x, stage, decoder.at(`upsamples.${i}`), history, `decoder.upsamples.${i}`));
  });
  const head = decoder.at("head");
  const patches = causalConv(silu(channelNorm(x, head.at("0"))), head.at("2"), history, "decoder.head.2");
  return { patches, parts };
}

interface UpStage {
  readonly channels: number;
  readonly blocks: number;
  readonly space: boolean;
  readonly time: boolean;
}

/** Residual blocks and, but for the last stage, a change of resolution with the repeated input as a shortcut. */
function upStage(input: Value, stage: UpStage, weights: Weights, history: FrameHistory, name: string): Value {
  const layers = weights.at("upsamples");
  let x = input;
  for (let i = 0; i < stage.blocks; i++) x = resBlock(x, layers.at(`${i}`), history, `${name}.upsamples.${i}`);
  if (!stage.space) return x;
  const last = `${stage.blocks}`;
  x = stage.time
    ? upsampleTime(x, layers.at(last), history, `${name}.upsamples.${last}`)
    : upsampleSpace(x, layers.at(last));
  return add(x, duplicateUp(input, stage.channels, stage.time ? 2 : 1, 2, history.first));
}
