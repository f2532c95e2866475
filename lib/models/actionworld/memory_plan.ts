/**
 * The memory of an actionworld on the CPU.
 *
 * @module
 */
import { describedWeights } from "../checkpoint/described_weights.ts";
import { planDecoder } from "../video_vae/decoder_graphs.ts";
import { encoderGraph } from "../video_vae/image_encoder.ts";
import { vaeShapes } from "../video_vae/vae_config.ts";
import { planBytes, type PlannedSize, type ProgramMemory } from "../world/memory_plan.ts";
import { canvasFor } from "./canvas.ts";
import { type ActionworldConfig, CAMERA_POSE_DOMAIN } from "./config.ts";
import { usedTransformerShapes } from "./tensor_shapes.ts";
import { needsOneProgram } from "./needs_one_program.ts";
import { takesTurns } from "./takes_turns.ts";
import type { ActionworldWeights } from "./world_plan.ts";
import { elementsOf } from "../world/world_plan.ts";
import { textGraph, velocityGraph } from "./transformer/transformer_graphs.ts";

/** Tokens of a prompt of some length. */
const TEXT_TOKENS = 256;

/** Texts whose keys and values are kept in ordinary memory. */
const TEXTS = 4;

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
  const decoder = planDecoder(config, vae, latent, 1);
  // The second is for the empty prompt, for guidance.
  const sampler = padded ? [velocity] : [text, velocity, velocity];
  const encoder = () => encoderGraph(config, vae, canvas.width, canvas.height);
  const inTurn = takesTurns({ kind: "cpu" }, config, vae, latent);
  const decoders = decoder.alternatives.length > 0 ? decoder.alternatives : [[]];
  const texts = TEXTS * 4 * elementsOf(text().outputs, /./);
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
