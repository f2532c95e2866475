/**
 * The graphs of a streaming decoder: one for all, or one for each part of it where frames are large; and what they
 * need of a machine's memory on the CPU.
 *
 * @module
 */
import {
  add,
  clamp,
  type Device,
  Graph,
  type GraphCost,
  graphCost,
  mul,
  type Shape,
  slice,
  type Value,
} from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import type { PlannedProgram } from "../world/memory_plan.ts";
import { elementsOf } from "../world/world_plan.ts";
import { FrameHistory, type StreamPlace } from "./frame_history.ts";
import { denormaliseLatents, type LatentSize, unpatchifyToImages } from "./latents.ts";
import { tinyDecoderGraph } from "./tiny_decoder.ts";
import { patchSizeOf, type VideoVae } from "./vae_config.ts";
import { decodeLatents, vaeDecoderSteps } from "./vae_decoder.ts";

/** Where the weights have this part, it decodes in place of the autoencoder's own decoder; see `tiny_decoder.ts`. */
export const TINY = "tiny";

/** The output with images. */
export const FRAMES = "frames";

/** The input and output of a part that makes one frame of one. */
export const FRAME = "frame";

/** Programs whose values take more than this at once decode one latent a call: the values of three take nearly thrice. */
const MAX_ACTIVATIONS = 576 * 2 ** 20;

/** Decoders whose weights take more than this have one program at a time on the CPU, where each has its own copy. */
const SINGLE_FROM = 2 ** 30;

/** Latents [N,z,h,w] and what a stream remembers to `frames` [count,H,W,3], 0 to 255, and what it remembers next. */
export function decoderGraph(config: VideoVae, weights: Weights, shape: Shape, place: StreamPlace): Graph {
  if (isTiny(weights)) return tinyDecoderGraph(weights.at(TINY), shape, place);
  const graph = new Graph();
  const z = inputLatents(graph, config, shape);
  const { patches } = decodeLatents(z, config.vae, weights, new FrameHistory(graph, place));
  graph.output(FRAMES, toImages(patches, config));
  return graph;
}

/** A decoder whose last parts take one frame after another. */
export interface DecoderParts {
  /** A latent [1,z,h,w] to one or four frames [1,C,H,W], each an output `frame.<i>`. */
  readonly latent: (place: StreamPlace) => Graph;
  /**
   * Each takes `frame` and gives `frame` [1,C,H,W], the last one `frames` [1,H,W,3]. The first frame of a stream has
   * zeros in place of what is remembered.
   */
  readonly frame: readonly Graph[];
}

/**
 * The parts of the decoder of one latent. They compute what {@linkcode decoderGraph} does and remember the same under
 * the same names, but have the values of one frame at a time.
 */
export function decoderParts(config: VideoVae, weights: Weights, size: LatentSize): DecoderParts {
  const steps = vaeDecoderSteps(config.vae, weights);
  const from = steps.findIndex(({ byFrame }) => byFrame);
  const latent = (place: StreamPlace): Graph => {
    const graph = new Graph();
    const history = new FrameHistory(graph, place);
    const z = inputLatents(graph, config, [1, config.vae.zDim, size.height, size.width]);
    const x = steps.slice(0, from).reduce((x, { apply }) => apply(x, history), z);
    for (let i = 0; i < x.shape[0]; i++) graph.output(`${FRAME}.${i}`, slice(x, { axis: 0, start: i, end: i + 1 }));
    return graph;
  };
  let { shape } = latent("first").outputs.get(`${FRAME}.0`)!;
  const frame = steps.slice(from).map(({ apply }, i) => {
    const graph = new Graph();
    const x = apply(graph.input(FRAME, shape), new FrameHistory(graph, "later"));
    if (from + i + 1 < steps.length) graph.output(FRAME, x);
    else graph.output(FRAMES, toImages(x, config));
    ({ shape } = x);
    return graph;
  });
  return { latent, frame };
}

/** Whether the CPU decodes in parts: where one latent's values would take much memory. */
export function hasDecoderParts(config: VideoVae, weights: Weights, size: LatentSize): boolean {
  return !isTiny(weights) && latentBytes(config, weights, size) > MAX_ACTIVATIONS;
}

/** Bytes that the values of one latent would take at most on the CPU, in a program for the whole decoder. */
export function latentBytes(config: VideoVae, weights: Weights, size: LatentSize): number {
  return oneLatent(config, weights, size).activationBytes;
}

/** Whether the two programs of a decoder take turns on the CPU. */
export function hasOneDecoder(config: VideoVae, weights: Weights, size: LatentSize): boolean {
  return oneLatent(config, weights, size).weightBytes > SINGLE_FROM;
}

/**
 * How many of the latents [N,z,h,w] of a call a program decodes at once. A GPU takes all, or one where they take much
 * memory. A CPU takes one: its values stay in the cache, and are few enough for the program to keep their memory.
 */
export function latentsPerRun(
  config: VideoVae,
  weights: Weights,
  shape: Shape,
  { kind, precision }: Pick<Device, "kind" | "precision">,
): number {
  if (kind === "cpu") return 1;
  const { activationBytes } = graphCost(decoderGraph(config, weights, shape, "later"), precision === "f16" ? 2 : 4);
  return activationBytes <= MAX_ACTIVATIONS ? shape[0] : 1;
}

function oneLatent(config: VideoVae, weights: Weights, size: LatentSize): GraphCost {
  return graphCost(decoderGraph(config, weights, [1, config.vae.zDim, size.height, size.width], "later"));
}

function isTiny(weights: Weights): boolean {
  return weights.has(`${TINY}.decoder.1.weight`);
}

function inputLatents(graph: Graph, config: VideoVae, shape: Shape): Value {
  return denormaliseLatents(graph.input("latents", shape), config.latentsMean, config.latentsStd);
}

/** Patches of pixels to images of 0 to 255. */
function toImages(patches: Value, { vae }: VideoVae): Value {
  return unpatchifyToImages(clamp(add(mul(patches, 127.5), 127.5), 0, 255), patchSizeOf(vae));
}

/** The programs of a decoder, by how long they are loaded. */
interface PlannedDecoder {
  readonly programs: readonly (() => PlannedProgram)[];
  /** That of the start of a stream and that for the rest, where one of them is there at a time. */
  readonly alternatives: readonly (readonly (() => PlannedProgram)[])[];
}

const PLACES = ["first", "later"] as const;

/** Plans the decoder on the CPU, which decodes one latent after another. */
export function planDecoder(config: VideoVae, weights: Weights, size: LatentSize): PlannedDecoder {
  const { latent, frame } = hasDecoderParts(config, weights, size)
    ? partsBesideOthers(config, weights, size)
    : wholeDecoder(config, weights, [1, config.vae.zDim, size.height, size.width]);
  const places = PLACES.map((place) => () => latent(place));
  const single = hasOneDecoder(config, weights, size);
  return {
    programs: [...frame.map((program) => () => program), ...single ? [] : places],
    alternatives: single ? places.map((place) => [place]) : [],
  };
}

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
