/**
 * Memory that an image will need, planned before any weight is read.
 *
 * @module
 */
import { type Device, type Graph, graphCost } from "../../compute/tensor/mod.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { describeWeight, partsOfWeight } from "../checkpoint/stored_weight.ts";
import { Weights } from "../checkpoint/weights.ts";
import { qwen3Graph } from "../qwen3/text_encoder.ts";
import { PIXELS_PER_TOKEN } from "./image_family.ts";
import type { LatentSize } from "../video_vae/latents.ts";
import type { ComponentName, ImageFiles } from "./open_components.ts";

/** Name of the text encoder's token embedding. */
export const TOKEN_EMBEDDING = "model.embed_tokens.weight";

/** The programs of a pipeline, in the order in which they run. */
export type ProgramName = "text_encoder" | "encoder" | "transformer" | "decoder";

/** Memory of one program. */
interface ProgramPlan {
  readonly name: ProgramName;
  /** Floating-point operations of one run. */
  readonly flops: number;
  /** Bytes of weights on the device. */
  readonly weightBytes: number;
  /** Bytes of inputs and results, estimated from the graph. */
  readonly activationBytes: number;
  /** Bytes that count against the device's memory as long as the program is kept. */
  readonly keptBytes: number;
  /** Bytes that count against it while the program is compiled. */
  readonly compilingBytes: number;
}

/** Memory of an image. */
export interface ImagePlan {
  readonly programs: readonly ProgramPlan[];
  /** Bytes when all programs stay loaded. */
  readonly togetherBytes: number;
  /** Bytes when each program is released before the next is loaded. */
  readonly oneByOneBytes: number;
}

/** Sizes of an image in tokens. */
interface ImageSizes {
  readonly image: LatentSize;
  readonly references: readonly LatentSize[];
  /** Whether another image is encoded besides the references. */
  readonly start: boolean;
}

/** An image of pixels in tokens. */
export function tokensOf({ width, height }: { readonly width: number; readonly height: number }): LatentSize {
  return { width: width / PIXELS_PER_TOKEN, height: height / PIXELS_PER_TOKEN };
}

/**
 * Plans all programs of an image.
 *
 * The CPU shares its memory with the weights as they were read, which are there while a program is compiled, and with
 * the text encoder's token embedding, which stays.
 */
export function planImage(
  files: ImageFiles,
  sizes: ImageSizes,
  { kind, precision }: Pick<Device, "kind" | "precision">,
): ImagePlan {
  const { family } = files;
  const plan = (name: ProgramName, component: ComponentName, build: (weights: Weights) => Graph): ProgramPlan => {
    const { file, shapes, storedBytes } = files.components[component];
    const weights = new Map(Array.from(shapes, ([key, shape]) => [key, describeWeight(file, key, shape)]));
    const { flops, weightBytes, activationBytes } = graphCost(build(new Weights(weights)), precision === "f16" ? 2 : 4);
    const table = component === "text_encoder" ? partsOfWeight(file, TOKEN_EMBEDDING) : [];
    const tableBytes = table.reduce((sum, part) => sum + file.tensors.get(part)!.byteLength, 0);
    const shared = kind === "cpu";
    const keptBytes = weightBytes + activationBytes + (shared ? tableBytes : 0);
    const compilingBytes = shared ? Math.max(keptBytes, weightBytes + storedBytes) : keptBytes;
    return { name, flops, weightBytes, activationBytes, keptBytes, compilingBytes };
  };
  const encoded = [...sizes.references, ...(sizes.start ? [sizes.image] : [])];
  const largest = encoded.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  const programs = [
    plan(
      "text_encoder",
      "text_encoder",
      (w) => qwen3Graph(family.textEncoder, w, family.textLength, family.textStates),
    ),
    ...(largest ? [plan("encoder", "vae", (w) => family.encoderGraph(w, largest))] : []),
    plan(
      "transformer",
      "transformer",
      (w) => family.transformerGraph(w, { ...sizes, textLength: family.textLength }),
    ),
    plan("decoder", "vae", (w) => family.decoderGraph(w, sizes.image)),
  ];
  return {
    programs,
    togetherBytes: programs.reduce((sum, p) => sum + p.keptBytes, 0),
    oneByOneBytes: Math.max(...programs.map((p) => p.compilingBytes)),
  };
}

/**
 * Refuses an image that does not fit even one program at a time.
 *
 * @throws {SvcError} `memory_pressure` with both numbers and the program that needs most.
 */
export function admitImage(plan: ImagePlan, memoryBytes: number): void {
  if (plan.oneByOneBytes <= memoryBytes) return;
  const worst = plan.programs.find((p) => p.compilingBytes === plan.oneByOneBytes)!;
  const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(2)} GiB`;
  throw new SvcError(
    "memory_pressure",
    `Cannot make the image: its ${worst.name.replace("_", " ")} needs ${gib(plan.oneByOneBytes)} of memory, ` +
      `${gib(memoryBytes)} may be used; choose a smaller size or quantised weights`,
  );
}
