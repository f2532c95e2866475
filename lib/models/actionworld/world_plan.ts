/**
 * What an actionworld takes on a GPU, and of a machine's memory on the CPU.
 *
 * @module
 */
import type { Precision } from "../../compute/tensor/mod.ts";
import { describedWeights, type Weights } from "../checkpoint/weights.ts";
import { decoderGraph, planDecoder } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import { planBytes, type PlannedSize, type ProgramMemory } from "../world/memory_plan.ts";
import { elementsOf, type PlanProgram, planWorld, type WorldPlan } from "../world/world_plan.ts";
import { canvasFor } from "./canvas.ts";
import { type ActionworldConfig, CAMERA_POSE_DOMAIN, usedTransformerShapes } from "./config.ts";
import { needsOneProgram, takesTurns } from "./takes_turns.ts";
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
      snapshotBytes: 0, // a state is one image
    }),
  });
}

/** Texts whose keys and values are kept in ordinary memory. */
const HOST_TEXTS = 4;

/** Bytes that a server needs to generate a clip of this size on the CPU. */
export async function planActionworld<Cost>(
  config: ActionworldConfig,
  size: PlannedSize,
  memory: ProgramMemory<Cost>,
  weights?: ActionworldWeights,
): Promise<number> {
  const shapes = [vaeShapes(config.vae), usedTransformerShapes(config.transformer)];
  const { vae, transformer } = weights ??
    { vae: describedWeights(shapes[0]), transformer: describedWeights(shapes[1]) };
  const canvas = canvasFor(size);
  const latent = { width: size.width / 16, height: size.height / 16 };
  const frames = (size.frames - 1) / config.transformer.framesPerLatent + 1;
  const padded = needsOneProgram({ kind: "cpu" }, config.transformer);
  const velocity = () =>
    velocityGraph(
      config.transformer,
      transformer,
      { ...latent, frames },
      { count: TEXT_TOKENS, padded },
      CAMERA_POSE_DOMAIN,
    );
  const text = () => textGraph(config.transformer, transformer, TEXT_TOKENS);
  const decoder = planDecoder(config, vae, latent);
  // The second is for the empty prompt, for guidance.
  const sampler = padded ? [velocity] : [text, velocity, velocity];
  const encoder = () => encoderGraph(config, vae, canvas.width, canvas.height);
  const inTurn = takesTurns({ kind: "cpu" }, config, vae, latent);
  const decoders = decoder.alternatives.length > 0 ? decoder.alternatives : [[]];
  const texts = HOST_TEXTS * 4 * elementsOf(text().outputs, /./);
  return texts + await planBytes(
    {
      weights: shapes,
      programs: inTurn ? [encoder] : [...sampler, encoder, ...decoder.programs],
      alternatives: inTurn ? [sampler, ...decoders.map((group) => [...decoder.programs, ...group])] : decoders,
      transient: padded ? [text] : [],
    },
    size,
    memory,
  );
}
