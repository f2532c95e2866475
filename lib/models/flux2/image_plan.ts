/**
 * What an image will take, worked out before a weight is read.
 *
 * @module
 */
import { type Graph, graphCost } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { describeWeight } from "../checkpoint/stored_weight.ts";
import { Weights } from "../checkpoint/weights.ts";
import { qwen3Graph } from "../qwen3/text_encoder.ts";
import type { LatentSize } from "../video_vae/latent_size.ts";
import { decoderGraph, encoderGraph } from "./autoencoder/autoencoder_graphs.ts";
import type { Flux2ComponentName, Flux2Files } from "./loader.ts";
import { transformerGraph } from "./transformer/transformer.ts";

/** The programs of a pipeline, in the order in which they run. */
export type ProgramName = "text_encoder" | "encoder" | "transformer" | "decoder";

/** What one program takes. */
export interface ProgramPlan {
  readonly name: ProgramName;
  /** Floating-point operations of one run. */
  readonly flops: number;
  /** Bytes of weights on the device. */
  readonly weightBytes: number;
  /** Bytes of inputs and results, estimated from the graph. */
  readonly activationBytes: number;
  /** Bytes of weights in the files, which are in ordinary memory while the program is compiled. */
  readonly storedBytes: number;
}

/** What an image takes. */
export interface ImagePlan {
  readonly programs: readonly ProgramPlan[];
  /** Bytes when all programs stay loaded. */
  readonly togetherBytes: number;
  /** Bytes when each program is released before the next is loaded. */
  readonly oneByOneBytes: number;
}

/** Sizes of an image in tokens. */
export interface ImageSizes {
  readonly image: LatentSize;
  readonly references: readonly LatentSize[];
  /** Whether another image is encoded besides the references. */
  readonly start: boolean;
}

/** Bytes that a program takes while it is compiled: on the CPU weights are copied into ONNX Runtime's own memory. */
export function compilingBytes({ weightBytes, activationBytes, storedBytes }: ProgramPlan): number {
  return Math.max(weightBytes + activationBytes, weightBytes + storedBytes);
}

/**
 * Plans all programs of an image.
 *
 * @param bytesPerFloat Bytes of a float on the device.
 */
export function planImage(files: Flux2Files, sizes: ImageSizes, bytesPerFloat: 2 | 4): ImagePlan {
  const { config } = files;
  const plan = (name: ProgramName, component: Flux2ComponentName, build: (weights: Weights) => Graph): ProgramPlan => {
    const { file, shapes, storedBytes } = files.components[component];
    const weights = new Map(Array.from(shapes, ([key, shape]) => [key, describeWeight(file, key, shape)]));
    return { name, storedBytes, ...graphCost(build(new Weights(weights)), bytesPerFloat) };
  };
  const encoded = [...sizes.references, ...(sizes.start ? [sizes.image] : [])];
  const largest = encoded.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const programs = [
    plan(
      "text_encoder",
      "text_encoder",
      (w) => qwen3Graph(config.textEncoder, w, config.textLength, config.textStates),
    ),
    ...(largest ? [plan("encoder", "vae", (w) => encoderGraph(config.vae, w, largest))] : []),
    plan(
      "transformer",
      "transformer",
      (w) => transformerGraph(config.transformer, w, { ...sizes, textLength: config.textLength }),
    ),
    plan("decoder", "vae", (w) => decoderGraph(config.vae, w, sizes.image)),
  ];
  return {
    programs,
    togetherBytes: programs.reduce((sum, p) => sum + p.weightBytes + p.activationBytes, 0),
    oneByOneBytes: Math.max(...programs.map(compilingBytes)),
  };
}

/**
 * Refuses an image that does not fit even one program at a time.
 *
 * @throws {SvcError} `memory_pressure` with both numbers and the program that needs most.
 */
export function admitImage(plan: ImagePlan, memoryBytes: number): void {
  if (plan.oneByOneBytes <= memoryBytes) return;
  const worst = plan.programs.find((p) => compilingBytes(p) === plan.oneByOneBytes)!;
  const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(2)} GiB`;
  throw new SvcError(
    "memory_pressure",
    `Cannot make the image: its ${worst.name.replace("_", " ")} needs ${gib(plan.oneByOneBytes)} of memory, ` +
      `${gib(memoryBytes)} may be used; choose a smaller size or quantised weights`,
  );
}
