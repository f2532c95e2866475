/**
 * What an actionworld takes on a GPU.
 *
 * @module
 */
import type { Precision } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { decoderGraph } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import type { PlannedSize } from "../world/memory_plan.ts";
import { elementsOf, type PlanProgram, planWorld, type WorldPlan } from "../world/world_plan.ts";
import { canvasFor } from "./canvas.ts";
import { type ActionworldConfig, CAMERA_POSE_DOMAIN } from "./config.ts";
import { textGraph, velocityGraph } from "./transformer/transformer_graphs.ts";

/** Tokens of a prompt of some length. */
const TEXT_TOKENS = 256;

/** Denoising steps of a clip, each run twice with guidance. */
const STEPS = 30;

/** Texts whose streams are kept: a prompt and the empty one. */
const TEXTS = 2;

/** The weights of an actionworld; their elements are not needed. */
export interface ActionworldWeights {
  readonly vae: Weights;
  readonly transformer: Weights;
}

/** Plans an actionworld for clips of a size; the work is that of 30 steps with guidance. */
export function planActionworldGpu(
  config: ActionworldConfig,
  { vae, transformer }: ActionworldWeights,
  size: PlannedSize,
  precision: Precision,
  planProgram: PlanProgram,
): Promise<WorldPlan> {
  const canvas = canvasFor(size);
  const latent = { width: size.width / 16, height: size.height / 16 };
  const frames = (size.frames - 1) / config.transformer.framesPerLatent + 1;
  const latents = [1, config.vae.zDim, latent.height, latent.width];
  const text = () => textGraph(config.transformer, transformer, TEXT_TOKENS);
  const decode = (place: "first" | "later") => () => decoderGraph(config, vae, latents, place);
  return planWorld({
    size: { width: size.width, height: size.height },
    precision,
    planProgram,
    programs: [
      {
        ...{ name: "denoise", part: "transformer", runs: 2 * STEPS },
        build: () =>
          velocityGraph(
            config.transformer,
            transformer,
            { ...latent, frames },
            { count: TEXT_TOKENS },
            CAMERA_POSE_DOMAIN,
          ),
      },
      { name: "prompt", part: "transformer", build: text, runs: 0 },
      { name: "decode", part: "autoencoder", build: decode("later"), runs: frames - 1 },
      { name: "decode first", part: "autoencoder", build: decode("first"), runs: 1 },
      {
        ...{ name: "encode", part: "autoencoder", runs: 1 },
        build: () => encoderGraph(config, vae, canvas.width, canvas.height),
      },
    ],
    state: (bytes) => ({
      stateBytes: bytes * (TEXTS * elementsOf(text().outputs, /./) + 2 * elementsOf(decode("later")().outputs, /./)),
      idleBytes: 0,
      snapshotBytes: 0, // a state is one picture
    }),
  });
}
