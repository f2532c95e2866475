/**
 * What a decoder needs of a machine's memory on the CPU, for plans of models.
 *
 * @module
 */
import type { Graph, Shape } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { PlannedProgram } from "../world/memory_plan.ts";
import { elementsOf } from "../world/world_plan.ts";
import { decoderGraph, decoderParts, hasDecoderParts, hasOneDecoder, latentsPerRun } from "./decoder_graphs.ts";
import type { StreamPlace } from "./frame_history.ts";
import type { LatentSize } from "./latent_size.ts";
import type { VideoVae } from "./vae_config.ts";

/** The programs of a decoder, by how long they are loaded. */
export interface PlannedDecoder {
  readonly programs: readonly (() => PlannedProgram)[];
  /** That of the start of a stream and that for the rest, where one of them is there at a time. */
  readonly alternatives: readonly (readonly (() => PlannedProgram)[])[];
}

/** Plans the decoder of `count` latents a call on the CPU. */
export function planDecoder(config: VideoVae, weights: Weights, size: LatentSize, count: number): PlannedDecoder {
  const block = [count, config.vae.zDim, size.height, size.width];
  const { latent, frame } = hasDecoderParts(config, weights, size)
    ? partsBesideOthers(config, weights, size)
    : wholeDecoder(config, weights, [latentsPerRun(config, weights, block, "f32"), ...block.slice(1)]);
  const places = PLACES.map((place) => () => latent(place));
  const single = hasOneDecoder(config, weights, size);
  return {
    programs: [...frame.map((program) => () => program), ...single ? [] : places],
    alternatives: single ? places.map((place) => [place]) : [],
  };
}

const PLACES = ["first", "later"] as const;

interface PlannedParts {
  readonly latent: (place: StreamPlace) => PlannedProgram;
  readonly frame: readonly PlannedProgram[];
}

function wholeDecoder(config: VideoVae, weights: Weights, shape: Shape): PlannedParts {
  return { latent: (place) => decoderGraph(config, weights, shape, place), frame: [] };
}

/** While one part runs, what the others remember is there, and the frames that wait for their turn. */
function partsBesideOthers(config: VideoVae, weights: Weights, size: LatentSize): PlannedParts {
  const { latent, frame } = decoderParts(config, weights, size);
  const history = decoderHistory(config, weights, size);
  const later = latent("later");
  const frames = elementsOf(later.outputs, /^frame\./);
  const beside = (graph: Graph, more: number): PlannedProgram => {
    const own = elementsOf(graph.outputs, /^(?!frame)/);
    return { graph, besideBytes: 4 * (history - own + more) };
  };
  return { latent: (place) => beside(latent(place), 0), frame: frame.map((graph) => beside(graph, frames)) };
}

/** Numbers that a stream remembers from latent to latent. */
export function decoderHistory(config: VideoVae, weights: Weights, size: LatentSize): number {
  const graph = decoderGraph(config, weights, [1, config.vae.zDim, size.height, size.width], "later");
  return elementsOf(graph.outputs, /^(?!frames$)/);
}
