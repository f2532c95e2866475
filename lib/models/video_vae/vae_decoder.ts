/**
 * Decoder of the causal video autoencoder (Wan 2.2 VAE) as a stream: any number of latents a call, each of four
 * frames, but one frame for the first latent.
 *
 * @module
 */
import { add, silu, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { causalConv, channelNorm, frameAttention, resBlock } from "./blocks.ts";
import type { FrameHistory } from "./frame_history.ts";
import { duplicateUp, upsampleSpace, upsampleTime } from "./resample.ts";
import type { VaeConfig } from "./vae_config.ts";

/** Patches of pixels and what each part of the decoder gave, by the part's weight name. */
export interface VaeDecoding {
  /** Frames in about [-1,1] as patches of p x p pixels, [T,3pp,H/p,W/p]; see `latents.ts`. */
  readonly patches: Value;
  readonly parts: ReadonlyMap<string, Value>;
}

/**
 * Decodes latents.
 *
 * Shapes: latents [N,z,h,w], not normalised -> patches [4N,3pp,8h,8w]; [4N-3,...] on the first call of a stream.
 */
export function decodeLatents(latents: Value, config: VaeConfig, weights: Weights, history: FrameHistory): VaeDecoding {
  const parts = new Map<string, Value>();
  let x = latents;
  for (const { name, apply } of vaeDecoderSteps(config, weights)) parts.set(name, x = apply(x, history));
  return { patches: x, parts };
}

/** A part of the decoder, which the next one follows. */
export interface VaeDecoderStep {
  /** Its weight name; for `conv1` and `head`, that of several layers. */
  readonly name: string;
  /** Whether it and all that follow give one frame for each, with zeros before the first one of a stream. */
  readonly byFrame: boolean;
  /** x [T,C,H,W] -> [T',C',H',W'] */
  readonly apply: (x: Value, history: FrameHistory) => Value;
}

/** The decoder from latents to patches, part by part. */
export function vaeDecoderSteps(config: VaeConfig, weights: Weights): VaeDecoderStep[] {
  const decoder = weights.at("decoder");
  const middle = decoder.at("middle");
  const multiples = config.dimMult.toReversed();
  const doublesTime = config.temporalDownsample.toReversed();
  const framesFrom = doublesTime.lastIndexOf(true) + 1;
  const stages = multiples.flatMap((multiple, i): VaeDecoderStep[] => {
    const stage: UpStage = {
      channels: config.decDim * multiple,
      blocks: config.numResBlocks + 1,
      space: i < multiples.length - 1,
      time: doublesTime[i] ?? false,
    };
    const [name, own, path] = [`upsamples.${i}`, decoder.at(`upsamples.${i}`), `decoder.upsamples.${i}`];
    return upStage(stage, name, own, path).map((step) => ({ ...step, byFrame: i >= framesFrom }));
  });
  const whole = (name: string, apply: VaeDecoderStep["apply"]) => ({ name, byFrame: false, apply });
  return [
    whole("conv1", (x, history) => {
      const z = causalConv(x, weights.at("conv2"), history, "conv2");
      return causalConv(z, decoder.at("conv1"), history, "decoder.conv1");
    }),
    whole("middle.0", (x, history) => resBlock(x, middle.at("0"), history, "decoder.middle.0")),
    whole("middle.1", (x) => frameAttention(x, middle.at("1"))),
    whole("middle.2", (x, history) => resBlock(x, middle.at("2"), history, "decoder.middle.2")),
    ...stages,
    {
      name: "head",
      byFrame: true,
      apply: (x, history) => {
        const head = decoder.at("head");
        return causalConv(silu(channelNorm(x, head.at("0"))), head.at("2"), history, "decoder.head.2");
      },
    },
  ];
}

interface UpStage {
  readonly channels: number;
  readonly blocks: number;
  readonly space: boolean;
  readonly time: boolean;
}

/**
 * Residual blocks and, except for the last stage, a change of resolution with the repeated input as a shortcut, which
 * makes one step of them.
 */
function upStage(stage: UpStage, name: string, weights: Weights, path: string): Omit<VaeDecoderStep, "byFrame">[] {
  const layers = weights.at("upsamples");
  const last = stage.blocks;
  const blocks = Array.from(
    { length: last },
    (_, i) => (x: Value, history: FrameHistory) => resBlock(x, layers.at(`${i}`), history, `${path}.upsamples.${i}`),
  );
  if (!stage.space) return blocks.map((apply, i) => ({ name: i + 1 < last ? `${name}.upsamples.${i}` : name, apply }));
  const apply = (input: Value, history: FrameHistory): Value => {
    const x = blocks.reduce((x, block) => block(x, history), input);
    const larger = stage.time
      ? upsampleTime(x, layers.at(`${last}`), history, `${path}.upsamples.${last}`)
      : upsampleSpace(x, layers.at(`${last}`));
    return add(larger, duplicateUp(input, stage.channels, stage.time ? 2 : 1, 2, history.first));
  };
  return [{ name, apply }];
}
