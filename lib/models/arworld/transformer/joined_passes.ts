/**
 * Passes of several worlds as one program: what weights multiply are the tokens of all of them, so that a GPU reads its
 * weights once; attention looks at one world at a time.
 *
 * @module
 */
import { concat, Graph, type Value } from "../../../compute/tensor/mod.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { LatentSize } from "../../video_vae/latents.ts";
import type { TransformerConfig } from "../config.ts";
import { rowsOfWorld } from "./attention.ts";
import { contextPass, transformer, type TransformerInputs } from "./transformer.ts";
import {
  contextInputs,
  type GraphNames,
  gridOf,
  latentInput,
  outputCache,
  outputDenoised,
  passInputs,
} from "./transformer_graphs.ts";
import { worldsRope } from "./window_inputs.ts";

/** The pass of one world. */
export interface WorldPass {
  /** A step of the sampler, or the pass over clean latents that fills the caches. */
  readonly kind: "denoise" | "context";
  /** Committed blocks in its window. */
  readonly context: number;
}

/** The name of a world's input or output. */
export function worldName(world: number, name: string): string {
  return `world${world}.${name}`;
}

/**
 * Several passes, each of which gets bit for bit what its own program gives: inputs and outputs are those of
 * `denoiseGraph` or `contextGraph` by {@linkcode worldName}, but the committed blocks come one by one
 * (`context<block>.k.<layer>`, `context<block>.v.<layer>`), so that nothing is kept for a window besides the caches.
 */
export function joinedPassesGraph(
  config: TransformerConfig,
  weights: Weights,
  passes: readonly WorldPass[],
  size: LatentSize,
): Graph {
  const worlds = passes.length;
  const graph = new Graph({ entries: worlds });
  const names = passes.map((_, world) => namesOf(graph, world));
  const latents = names.map((own) => latentInput(own, "latents", config, size));
  const inputs = joinedInputs(graph, names, passes, config, size);
  const outputOwn = (world: number, own: ReturnType<typeof contextPass>): void => {
    const rows = (value: Value) => rowsOfWorld(value, world, worlds);
    outputCache(names[world], "own", own.map(({ k, v }) => ({ k: rows(k), v: rows(v) })));
  };
  if (passes.every(({ kind }) => kind === "context")) {
    const own = contextPass(concat(latents, 0), inputs, config, weights);
    for (const world of passes.keys()) outputOwn(world, own);
    return graph;
  }
  const { velocity, own } = transformer(concat(latents, 0), inputs, config, weights);
  for (const [world, { kind }] of passes.entries()) {
    if (kind === "context") outputOwn(world, own);
    else outputDenoised(names[world], latents[world], rowsOfWorld(velocity, world, worlds), config, size);
  }
  return graph;
}

function namesOf(graph: Graph, world: number): GraphNames {
  return {
    input: (name, shape) => graph.input(worldName(world, name), shape),
    output: (name, value) => graph.output(worldName(world, name), value),
  };
}

function joinedInputs(
  graph: Graph,
  names: readonly GraphNames[],
  passes: readonly WorldPass[],
  config: TransformerConfig,
  size: LatentSize,
): TransformerInputs {
  const own = names.map((names) => passInputs(names, config));
  const pasts = passes.map(({ context }, world) => contextInputs(names[world], config, context, size));
  const layers = Array.from({ length: config.numLayers }, (_, layer) => layer);
  const cameras = (name: "p" | "pTransposed" | "pInverseTransposed") =>
    concat(own.map(({ cameras }) => cameras[name]), 0);
  return {
    modulation: {
      layers: layers.map((layer) => concat(own.map(({ modulation }) => modulation.layers[layer]), 1)),
      head: concat(own.map(({ modulation }) => modulation.head), 1),
    },
    past: layers.map((layer) => ({ worlds: pasts.map((blocks) => blocks[layer]) })),
    text: layers.map((layer) => ({ worlds: own.map(({ text }) => text[layer]) })),
    rope: worldsRope(graph, config, passes.map(({ context }) => context), gridOf(size)),
    cameras: {
      p: cameras("p"),
      pTransposed: cameras("pTransposed"),
      pInverseTransposed: cameras("pInverseTransposed"),
    },
  };
}
