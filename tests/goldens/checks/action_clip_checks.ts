/**
 * Checks of the video autoencoder under its other names, and of a whole clip.
 *
 * @module
 */
import { paintCanvas } from "../../../lib/models/actionworld/canvas.ts";
import { ClipSampler, guide } from "../../../lib/models/actionworld/clip_sampler.ts";
import { decodeClip, encodeImage } from "../../../lib/models/actionworld/generate_clip.ts";
import { TextStreams } from "../../../lib/models/actionworld/text_streams.ts";
import { flowSchedule, UniPcSolver } from "../../../lib/models/actionworld/uni_pc.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { cacheTensors, releaseAll } from "../../../lib/models/world/device_state.ts";
import {
  diffusersVaeName,
  type VaeConfig,
  vaeShapes,
  type VideoVae,
} from "../../../lib/models/video_vae/vae_config.ts";
import { FrameDecoder } from "../../../lib/models/video_vae/frame_decoder.ts";
import { ImageEncoder } from "../../../lib/models/video_vae/image_encoder.ts";
import { denormaliseLatents, normaliseLatents, unpatchifyPixels } from "../../../lib/models/video_vae/latents.ts";
import { decodeLatents } from "../../../lib/models/video_vae/vae_decoder.ts";
import { encodeFrames } from "../../../lib/models/video_vae/vae_encoder.ts";
import { clamp, type Device, f32, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { type Golden, swapFirstAxes } from "../golden.ts";
import { actionTransformerConfig, vaeConfig } from "../golden_configs.ts";
import { chunksOf, joinFrames, StreamPrograms } from "../stream_runner.ts";
import { planesOf } from "./rollout_checks.ts";

export const actionClipChecks: Checks = { aw_vae, aw_chunk };

/** The weights of a golden by the names in our modules. */
function vaeWeights(golden: Golden, config: VaeConfig, prefix = ""): Weights {
  const stored = golden.weights(prefix);
  const names = [...vaeShapes(config).keys()];
  return new Weights(new Map(names.map((name) => [name, stored.get(diffusersVaeName(name))])));
}

function videoVae(golden: Golden, vae: VaeConfig): VideoVae {
  const numbers = (name: string) => [...golden.input(name).data];
  return { vae, latentsMean: numbers("latents_mean"), latentsStd: numbers("latents_std") };
}

async function aw_vae(golden: Golden, device: Device): Promise<void> {
  const { vae, latentsMean, latentsStd } = videoVae(golden, vaeConfig(golden.config));
  const weights = vaeWeights(golden, vae);
  const encoder = new StreamPrograms(device, (video, history) => ({
    latents: normaliseLatents(encodeFrames(video, vae, weights, history).mean, latentsMean, latentsStd),
  }));
  const clip = swapFirstAxes(golden.input("clip"));
  const whole = await encoder.start().run(clip);
  golden.compare("latent_clip", swapFirstAxes(whole.latents).data, 1e-4);
  const [frame] = chunksOf(clip, [1]);
  golden.compare("latent_frame0", swapFirstAxes((await encoder.start().run(frame)).latents).data, 1e-4);
  encoder.dispose();

  const decoder = new StreamPrograms(device, (latents, history) => {
    const { patches } = decodeLatents(denormaliseLatents(latents, latentsMean, latentsStd), vae, weights, history);
    return { frames: clamp(unpatchifyPixels(patches), -1, 1) };
  });
  const latents = swapFirstAxes(golden.input("latents"));
  const all = await decoder.start().run(latents);
  golden.compare("frames", swapFirstAxes(all.frames).data, 1e-4);
  const stream = decoder.start();
  const parts: Tensor<"f32">[] = [];
  for (const one of chunksOf(latents, Array.from({ length: latents.shape[0] }, () => 1))) {
    parts.push((await stream.run(one)).frames);
  }
  golden.check("frames one latent at a time", joinFrames(parts).data, all.frames.data, 1e-4);
  decoder.dispose();
}

async function aw_chunk(golden: Golden, device: Device): Promise<void> {
  const section = (key: string) => golden.config[key] as Record<string, unknown>;
  const model = actionTransformerConfig(section("model"));
  const vae = videoVae(golden, vaeConfig(section("vae")));
  const weights = golden.weights("transformer.");
  const vaes = vaeWeights(golden, vae.vae, "vae.");
  const picture = golden.stored("image");
  const image = { width: picture.shape[1], height: picture.shape[0], data: picture.data as Uint8Array };
  const [canvasHeight, canvasWidth] = golden.config.canvas as number[];
  const canvas = { width: canvasWidth, height: canvasHeight };
  golden.compare("canvas", paintCanvas(image, canvas).planes, 1e-6);
  const encoder = await ImageEncoder.compile(device, vae, vaes, canvas.width, canvas.height);
  const clean = await encodeImage(encoder, image, canvas);
  encoder.dispose();
  golden.compare("image_latent", clean, 1e-4);

  const noise = swapFirstAxes(golden.input("noise"));
  const [frames, channels, height, width] = noise.shape;
  const start = noise.data.slice(noise.data.length / frames);
  const schedule = flowSchedule(golden.number("steps"), golden.number("shift"));
  golden.compare("timesteps", schedule.timesteps, 0);
  golden.compare("sigmas", schedule.sigmas, 1e-6);

  const texts = new TextStreams(device, model, weights, { encode: () => new Int32Array(0) });
  const [text, negative] = [
    await texts.readTokens(golden.stored("ids").data),
    await texts.readTokens(golden.stored("negative_ids").data),
  ];
  const sampler = new ClipSampler(device, model, weights, { height, width }, golden.number("domain"));
  const conditions = { clean, actions: golden.input("actions").data, fps: golden.number("fps") };
  const whole = (noisy: Float32Array, first: Float32Array) => {
    const data = new Float32Array(first.length + noisy.length);
    data.set(first);
    data.set(noisy, first.length);
    return f32([frames, channels, height, width], data);
  };
  const finals = new Map<number, Float32Array>();
  for (const scale of [1, golden.number("guidance")]) {
    const wanted = await sampler.bind(conditions, text);
    const other = await sampler.bind(conditions, negative);
    const solver = new UniPcSolver(schedule, start);
    const traces = { latents: [] as number[], velocity: [] as number[] };
    for (const timestep of schedule.timesteps) {
      const v = await wanted.predict(solver.sample, timestep);
      const velocity = scale === 1 ? v : guide(v, await other.predict(solver.sample, timestep), scale);
      solver.advance(velocity);
      for (const x of swapFirstAxes(whole(velocity, new Float32Array(clean.length))).data) traces.velocity.push(x);
      for (const x of swapFirstAxes(whole(solver.sample, clean)).data) traces.latents.push(x);
    }
    wanted.release();
    other.release();
    for (const [field, trace] of Object.entries(traces)) golden.compare(`g${scale}.${field}`, trace, 5e-4);
    const guidance = scale === 1 ? undefined : { scale, text: negative };
    const sampled = await sampler.sample({ ...conditions, text, noise: start, schedule, guidance });
    golden.check(`g${scale}, the sampler's own`, sampled, solver.sample, 0);
    finals.set(scale, sampled);
  }
  sampler.dispose();
  releaseAll(cacheTensors([text.layers, negative.layers]));
  texts.dispose();

  const decoder = await FrameDecoder.compile(device, vae, vaes, { height, width }, 1);
  const shown: Tensor<"f32">[] = [];
  await decodeClip(decoder, clean, finals.get(1)!, {
    onFrames: (frames) => {
      shown.push(planesOf(frames, frames.length / (3 * 16 * height * 16 * width), 16 * height, 16 * width));
    },
  });
  decoder.dispose();
  const planes = swapFirstAxes(joinFrames(shown)).data;
  golden.compare("g1.frames", planes, 4e-3 + 5e-4);
  const { ours, theirs } = golden.kept("g1.frames", planes);
  const meanSquare = theirs.reduce((sum, x, i) => sum + (ours[i] - x) ** 2, 0) / theirs.length;
  golden.judge("g1.frames, root mean square (50 dB)", Math.sqrt(meanSquare), 2 * 10 ** (-50 / 20));
}
