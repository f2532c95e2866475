/**
 * Checks of whole image pipelines: from token ids and noise to pixels, through the programs that the pipeline runs.
 *
 * @module
 */
import { decodeImage, decoderGraph, denormaliseLatents, encoderGraph } from "../../../lib/models/flux2/autoencoder.ts";
import type { Flux2Config } from "../../../lib/models/flux2/config.ts";
import { referenceTokenPositions, unpatchifyLatents } from "../../../lib/models/flux2/tokens.ts";
import { encodeIds } from "../../../lib/models/image_pipeline/prompt_texts.ts";
import { prepareReference } from "../../../lib/models/flux2/reference_image.ts";
import {
  eulerStep,
  firstLevel,
  guideVelocity,
  noisedImage,
  noiseLevels,
  scheduleShift,
} from "../../../lib/models/flux2/schedule.ts";
import { qwen3Graph, textPositions } from "../../../lib/models/qwen3/text_encoder.ts";
import { transformerGraph, Velocity } from "../../../lib/models/flux2/transformer.ts";
import { rgbPlanes } from "../../../lib/models/images/planes.ts";
import type { LatentSize } from "../../../lib/models/video_vae/latents.ts";
import { type Device, f32, type Graph, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import type { Checks } from "../check.ts";
import type { Golden } from "../golden.ts";
import { runGraph } from "../run_graph.ts";
import { flux2TransformerConfig, flux2VaeConfig, qwen3Config } from "./image_configs.ts";
import { imageOf } from "./image_math_checks.ts";

export const imagePipelineChecks: Checks = { img_e2e, img_edit_e2e, img_strength };

type Networks = Pick<Flux2Config, "textEncoder" | "transformer" | "vae">;

function networksOf(golden: Golden): Networks {
  return { textEncoder: qwen3Config(golden), transformer: flux2TransformerConfig(golden), vae: flux2VaeConfig(golden) };
}

async function runOnce(device: Device, graph: Graph, feeds: Record<string, Tensor>): Promise<Tensor<"f32">> {
  const program = await device.compile(graph);
  const [output] = Object.values(await program.run(feeds));
  const read = await output.read() as Tensor<"f32">;
  output.release();
  program.dispose();
  return read;
}

async function encodePrompt(golden: Golden, device: Device, prefix = ""): Promise<Tensor<"f32">> {
  const config = qwen3Config(golden);
  const weights = golden.weights("text_encoder.");
  const ids = golden.stored(`${prefix}ids`);
  const [length] = ids.shape;
  const [real] = golden.stored(`${prefix}length`).data;
  const program = await device.compile(qwen3Graph(config, weights, length, golden.config.layers as number[]));
  const table = weights.matrix("model.embed_tokens.weight");
  const text = await encodeIds(program, table, ids.data, textPositions(config, length, real));
  program.dispose();
  return text;
}

function encodeImage(golden: Golden, device: Device, image: RgbImage): Promise<Tensor<"f32">> {
  const size = { width: image.width / 16, height: image.height / 16 };
  const graph = encoderGraph(flux2VaeConfig(golden), golden.weights("vae."), size);
  return runOnce(device, graph, { image: f32([3, image.height, image.width], rgbPlanes(image)) });
}

interface Sampling {
  readonly start: Float32Array;
  readonly levels: Float32Array;
  readonly first?: number;
  readonly size: LatentSize;
  readonly texts: readonly Tensor[];
  readonly guidance?: number;
  readonly references?: readonly Tensor[];
}

interface Sampled {
  readonly latents: Float32Array[];
  readonly velocities: readonly Float32Array[][];
}

/** All steps, with the velocities of each text and the latents after each step. */
async function sample(golden: Golden, device: Device, s: Sampling): Promise<Sampled> {
  const { transformer: config } = networksOf(golden);
  const { references = [], first = 0, guidance = 1, size } = s;
  const textLength = s.texts[0].shape[0];
  const referenceSizes = references.map(({ shape: [, height, width] }) => ({ width, height }));
  const graph = transformerGraph(config, golden.weights("transformer."), {
    image: size,
    references: referenceSizes,
    textLength,
  });
  const program = await device.compile(graph);
  const velocity = new Velocity(device, program, config, { image: size, references, textLength });
  const x = s.start.slice();
  const latents: Float32Array[] = [];
  const velocities: Float32Array[][] = [];
  for (let i = first; i < s.levels.length - 1; i++) {
    const all: Float32Array[] = [];
    for (const text of s.texts) all.push(await velocity.predict(x, s.levels[i], device.upload(text)));
    velocities.push(all.map((v) => v.slice()));
    if (all.length > 1) guideVelocity(all[0], all[1], guidance);
    eulerStep(x, all[0], s.levels[i], s.levels[i + 1]);
    latents.push(x.slice());
  }
  velocity.release();
  program.dispose();
  return { latents, velocities };
}

async function compareImage(golden: Golden, device: Device, prefix: string, latents: Float32Array, size: LatentSize) {
  const config = flux2VaeConfig(golden);
  const shape = [4 * config.latentChannels, size.height, size.width];
  const graph = decoderGraph(config, golden.weights("vae."), size);
  const feeds = { latents: f32(shape, latents) };
  const pixels = await runOnce(device, graph, feeds);
  golden.compare(`${prefix}image`, pixels.data.map(Math.round), 1);
  if (!golden.has(`out.${prefix}decoded`)) return;
  const weights = golden.weights("vae.");
  const { z, decoded } = await runGraph(device, feeds, (v) => {
    const z = unpatchifyLatents(denormaliseLatents(v.latents, weights.at("bn"), config.batchNormEps));
    return { z, decoded: decodeImage(z, config, weights).image };
  });
  golden.compare(`${prefix}z`, z.data, 2e-3);
  golden.compare(`${prefix}decoded`, decoded.data, 2e-3);
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((n, part) => n + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

function compareSchedule(golden: Golden, levels: Float32Array, size: LatentSize): void {
  const tokens = size.width * size.height;
  const steps = levels.length - 1;
  golden.judge("mu", Math.abs(scheduleShift(tokens, steps) / golden.expected("mu").data[0] - 1), 2e-6);
  golden.compare("sigmas", levels, 1e-6);
  golden.compare("timesteps", levels.subarray(0, steps).map((level) => 1000 * level), 1e-3);
}

function sizeOf(t: Tensor): LatentSize {
  const [height, width] = t.shape.slice(-2);
  return { width, height };
}

async function img_e2e(golden: Golden, device: Device): Promise<void> {
  const noise = golden.input("noise");
  const size = sizeOf(noise);
  const levels = noiseLevels(size.width * size.height, golden.number("steps"));
  compareSchedule(golden, levels, size);
  const text = await encodePrompt(golden, device);
  golden.compare("prompt_embeds", text.data, 5e-5);
  const plain = await sample(golden, device, { start: noise.data, levels, size, texts: [text] });
  golden.compare("velocity", joined(plain.velocities.flat()), 2e-3);
  golden.compare("latents", joined(plain.latents), 2e-3);
  await compareImage(golden, device, "", plain.latents.at(-1)!, size);

  const negative = await encodePrompt(golden, device, "negative_");
  const guidance = golden.number("guidance");
  const guided = await sample(golden, device, { start: noise.data, levels, size, texts: [text, negative], guidance });
  golden.compare("cfg.velocity_cond", joined(guided.velocities.map(([conditional]) => conditional)), 2e-3);
  golden.compare("cfg.velocity_uncond", joined(guided.velocities.map(([, unconditional]) => unconditional)), 2e-3);
  golden.compare("cfg.latents", joined(guided.latents), 2e-3);
  await compareImage(golden, device, "cfg.", guided.latents.at(-1)!, size);
}

async function img_edit_e2e(golden: Golden, device: Device): Promise<void> {
  const noise = golden.input("noise");
  const size = sizeOf(noise);
  const levels = noiseLevels(size.width * size.height, golden.number("steps"));
  compareSchedule(golden, levels, size);
  const text = await encodePrompt(golden, device);
  golden.compare("prompt_embeds", text.data, 5e-5);
  const references: Tensor<"f32">[] = [];
  for (let i = 0; i < golden.number("n_refs"); i++) {
    references.push(await encodeImage(golden, device, prepareReference(imageOf(golden, `ref${i}`))));
    golden.compare(`ref${i}.latents`, references[i].data, 1e-4);
  }
  golden.compare("ref_ids", references.flatMap((one, i) => [...referenceTokenPositions(sizeOf(one), i)]), 0);
  const sampling = { start: noise.data, levels, size, texts: [text] };
  const edited = await sample(golden, device, { ...sampling, references });
  golden.compare("velocity", joined(edited.velocities.flat()), 2e-3);
  golden.compare("latents", joined(edited.latents), 2e-3);
  golden.compare("no_ref.latents", joined((await sample(golden, device, sampling)).latents), 2e-3);
  await compareImage(golden, device, "", edited.latents.at(-1)!, size);
}

async function img_strength(golden: Golden, device: Device): Promise<void> {
  const noise = golden.input("noise");
  const size = sizeOf(noise);
  const text = await encodePrompt(golden, device);
  const image = await encodeImage(golden, device, imageOf(golden, "image"));
  golden.compare("image_latents", image.data, 1e-4);
  for (const [i, { strength, steps }] of (golden.config.cases as { strength: number; steps: number }[]).entries()) {
    const levels = noiseLevels(size.width * size.height, steps);
    golden.compare(`${i}.sigmas`, levels, 1e-6);
    const first = firstLevel(levels, strength);
    golden.compare(`${i}.begin`, [first], 0);
    const start = noisedImage(image.data, noise.data, levels[first]);
    golden.compare(`${i}.start`, start, 1e-4);
    const { latents } = await sample(golden, device, { start, levels, first, size, texts: [text] });
    if (latents.length > 0) golden.compare(`${i}.latents`, joined(latents), 2e-3);
    await compareImage(golden, device, `${i}.`, latents.at(-1) ?? start, size);
  }
}
