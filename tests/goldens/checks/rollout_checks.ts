/**
 * Checks of whole rollouts: the sampler over several blocks, and everything from token ids to frames.
 *
 * @module
 */
import type { ArworldConfig } from "../../../lib/models/arworld/config.ts";
import { cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import { resizeImage } from "../../../lib/media/images/resize_image.ts";
import { PromptEncoder } from "../../../lib/models/arworld/text/prompt_encoder.ts";
import { SAMPLER_STEPS } from "../../../lib/models/arworld/sampling/sampler_math.ts";
import { encodeText } from "../../../lib/models/arworld/text/text_encoder.ts";
import { FrameDecoder } from "../../../lib/models/video_vae/frame_decoder.ts";
import { ImageEncoder } from "../../../lib/models/video_vae/image_encoder.ts";
import { type Device, type DeviceTensor, f32, gather, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { TransformerPasses } from "../transformer_passes.ts";
import type { Checks } from "../check.ts";
import { type Golden, swapFirstAxes } from "../golden.ts";
import { textEncoderConfig, transformerConfig, vaeConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { joinFrames } from "../stream_runner.ts";
import { padRows } from "../transformer_inputs.ts";
import { read, readRollout, sampleRollout, textCache, traceBlock, type TracedPass } from "./rollout.ts";

export const rolloutChecks: Checks = { sampler_rollout, nano_e2e };

async function sampler_rollout(golden: Golden, device: Device): Promise<void> {
  const config = transformerConfig(golden.config);
  const weights = golden.weights();
  const prompt = golden.input("prompt");
  const rollout = readRollout(golden, config, weights, { prompt, firstFrame: golden.input("image_latent").data });
  const { blocks } = rollout;

  const transformer = new TransformerPasses(golden, device, config, weights);
  const traced: TracedPass[][] = [];
  for (let block = 0; block < blocks; block++) {
    traced.push((await traceBlock(transformer, rollout, block)).passes);
  }
  for (const field of ["timesteps", "x", "velocity", "x0"] as const) {
    const used = traced.map((passes) => field === "x0" ? passes.slice(0, SAMPLER_STEPS.length) : passes);
    const tolerance = field === "timesteps" ? 1e-3 : 5e-4;
    const ours = used.flatMap((passes) => passes.flatMap((pass) => [...pass[field]]));
    const first = ours.slice(0, ours.length / blocks);
    const expected = golden.expected(field).data;
    if (field === "x0") {
      // The prediction of the known frame is replaced by the frame itself; what it was says nothing.
      const [, , channels, frames] = golden.shapeOf(field);
      const size = first.length / SAMPLER_STEPS.length / channels / frames;
      for (let i = 0; i < first.length; i++) if (Math.floor(i / size) % frames === 0) ours[i] = first[i] = expected[i];
    }
    golden.compare(field, ours, tolerance);
    golden.check(`${field} of block 0`, first, expected.subarray(0, first.length), 1e-4);
  }
  const tokens = 3 * golden.number("S");
  golden.compare("global_end", [blocks * tokens], 0);
  golden.compare("local_end", [transformer.window.blocks * tokens], 0);
  transformer.dispose();

  const sampled = await sampleRollout(golden, device, rollout, await textCache(device, rollout));
  const latents = swapFirstAxes(joinFrames(await Promise.all(sampled.blocks.map((b) => read(b.latents)))));
  golden.compare("latents", latents.data, 5e-4);
  for (let layer = 0; layer < config.numLayers; layer++) {
    for (const half of ["k", "v"] as const) {
      const parts = await Promise.all(sampled.window.map((block) => read(block[layer][half])));
      // The file may hold the rows of the window that are not filled yet as zeros.
      const rows = new Float32Array(golden.expected(`${half}.${layer}`).data.length);
      rows.set(joinFrames(parts).data);
      golden.compare(`${half}.${layer}`, rows, 5e-4);
    }
  }
  releaseAll(sampled.blocks.map((b) => b.latents));
  releaseAll(cacheTensors(sampled.blocks.map((b) => b.cache)));
}

async function nano_e2e(golden: Golden, device: Device): Promise<void> {
  const section = (key: string) => golden.config[key] as Record<string, unknown>;
  const textEncoder = textEncoderConfig(section("t5"));
  const transformer = transformerConfig(section("dit"));
  const config: ArworldConfig = {
    vae: vaeConfig(section("vae")),
    textEncoder,
    transformer,
    latentsMean: [...golden.input("latents_mean").data],
    latentsStd: [...golden.input("latents_std").data],
    colorStrength: 0,
  };
  const [width, height] = [golden.number("width"), golden.number("height")];
  const [textWeights, weights, vae] = ["t5.", "dit.", "vae."].map((prefix) => golden.weights(prefix));

  const [length] = golden.stored("length").data;
  const ids = golden.stored("ids").data.slice(0, length) as Int32Array;
  const { prompt } = await runGraph(device, { ids: { dtype: "i32", shape: [length], data: ids } }, (v, graph) => ({
    prompt: encodeText(gather(textWeights.in(graph, "token_embedding.weight"), v.ids), textEncoder, textWeights),
  }));
  golden.compare("context", padRows(prompt, transformer.textLen).data, 3e-5);

  const picture = golden.stored("image");
  const image = { width: picture.shape[1], height: picture.shape[0], data: picture.data as Uint8Array };
  const encoder = await ImageEncoder.compile(device, config, vae, width, height);
  const firstFrame = await encoder.encode(resizeImage(image, width, height));
  encoder.dispose();
  golden.compare("image_latent", firstFrame, 1e-4);

  const rollout = readRollout(golden, transformer, weights, { prompt, firstFrame });
  const single = new TransformerPasses(golden, device, transformer, weights);
  const { passes } = await traceBlock(single, rollout, 0);
  single.dispose();
  golden.compare("block0_velocity", passes.flatMap((pass) => [...pass.velocity]), 2e-4);

  const tokenizer = { encode: () => ({ ids, length, dropped: 0 }) };
  const prompts = new PromptEncoder(device, { config, textEncoder: textWeights, transformer: weights, tokenizer });
  const { blocks } = await sampleRollout(golden, device, rollout, await prompts.encode(""));
  const decoder = await FrameDecoder.compile(device, config, vae, { height: height / 16, width: width / 16 }, 3);
  const latents: Tensor<"f32">[] = [];
  const frames: Tensor<"f32">[] = [];
  let history: ReadonlyMap<string, DeviceTensor> | undefined;
  for (const block of blocks) {
    latents.push(await read(block.latents));
    const decoded = await decoder.decode(block.latents, history);
    history = decoded.history;
    frames.push(planesOf(decoded.frames, decoded.count, height, width));
    releaseAll([block.latents, ...cacheTensors([block.cache])]);
  }
  releaseAll(history?.values() ?? []);
  decoder.dispose();
  prompts.dispose();
  golden.compare("latents", swapFirstAxes(joinFrames(latents)).data, 1e-3);
  const shown = swapFirstAxes(joinFrames(frames)).data;
  golden.compare("frames", shown, 4e-3 + 5e-4);
  const { ours, theirs } = golden.kept("frames", shown);
  const meanSquare = theirs.reduce((sum, x, i) => sum + (ours[i] - x) ** 2, 0) / theirs.length;
  golden.judge("frames, root mean square (50 dB)", Math.sqrt(meanSquare), 2 * 10 ** (-50 / 20));
}

/** RGB 0 to 255 [T,H,W,3] -> [T,3,H,W] in [-1,1]. */
export function planesOf(frames: ArrayLike<number>, count: number, height: number, width: number): Tensor<"f32"> {
  const data = new Float32Array(frames.length);
  const size = height * width;
  for (let t = 0; t < count; t++) {
    for (let i = 0; i < size; i++) {
      for (let c = 0; c < 3; c++) data[(t * 3 + c) * size + i] = frames[(t * size + i) * 3 + c] / 127.5 - 1;
    }
  }
  return f32([count, 3, height, width], data);
}
