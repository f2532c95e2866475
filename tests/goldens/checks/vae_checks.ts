/**
 * Checks of the video autoencoder.
 *
 * @module
 */
import { causalConv, channelNorm, frameAttention, resBlock } from "../../../lib/models/video_vae/blocks.ts";
import {
  denormaliseLatents,
  normaliseLatents,
  patchifyPixels,
  unpatchifyPixels,
} from "../../../lib/models/video_vae/latents.ts";
import {
  averageDown,
  downsampleSpace,
  downsampleTime,
  duplicateUp,
  upsampleSpace,
  upsampleTime,
} from "../../../lib/models/video_vae/resample.ts";
import { decodeLatents } from "../../../lib/models/video_vae/vae_decoder.ts";
import { encodeFrames } from "../../../lib/models/video_vae/vae_encoder.ts";
import type { Device, Tensor } from "../../../lib/compute/tensor/mod.ts";
import type { Checks } from "../check.ts";
import { asNumber, type Golden, swapFirstAxes } from "../golden.ts";
import { vaeConfig } from "../golden_configs.ts";
import { runGraph } from "../run_graph.ts";
import { chunksOf, joinFrames, lastFrames, StreamPrograms } from "../stream_runner.ts";

export const vaeChecks: Checks = {
  vae_patchify,
  vae_shortcuts,
  vae_causal_conv,
  vae_resample,
  vae_blocks,
  vae_encoder,
  vae_decoder,
  latent_norm,
};

async function vae_patchify(golden: Golden, device: Device): Promise<void> {
  const inputs = { pixels: swapFirstAxes(golden.input("pixels")), packed: swapFirstAxes(golden.input("packed")) };
  const got = await runGraph(device, inputs, ({ pixels, packed }) => ({
    patchified: patchifyPixels(pixels),
    unpatchified: unpatchifyPixels(packed),
  }));
  for (const [name, t] of Object.entries(got)) golden.compare(name, swapFirstAxes(t).data, 0);
}

async function vae_shortcuts(golden: Golden, device: Device): Promise<void> {
  const cases = golden.config.cases as Record<string, unknown>[];
  for (const [i, c] of cases.entries()) {
    const [cout, ft, fs] = ["cout", "ft", "fs"].map((key) => asNumber(key, c[key]));
    const { y } = await runGraph(device, { x: swapFirstAxes(golden.input(`${i}`)) }, ({ x }) => ({
      y: c.op === "avg_down" ? averageDown(x, cout, ft, fs) : duplicateUp(x, cout, ft, fs, c.first_chunk === true),
    }));
    const largest = golden.expected(`${i}`).data.reduce((m, value) => Math.max(m, Math.abs(value)), 0);
    golden.compare(`${i}`, swapFirstAxes(y).data, c.op === "avg_down" ? 1e-5 * largest : 0);
  }
}

async function vae_causal_conv(golden: Golden, device: Device): Promise<void> {
  const x = swapFirstAxes(golden.input("x"));
  const weights = golden.weights();
  const programs = new StreamPrograms(device, (v, history) => ({ y: causalConv(v, weights, history, "conv") }));
  const whole = await programs.start().run(x);
  golden.compare("whole", swapFirstAxes(whole.y).data, 1e-5);
  const stream = programs.start();
  const parts: Tensor<"f32">[] = [];
  for (const [i, chunk] of chunksOf(x, golden.config.chunks as number[]).entries()) {
    parts.push((await stream.run(chunk)).y);
    compareCache(golden, `cache_after_${i}`, stream.state!["conv"], 1e-5);
  }
  programs.dispose();
  golden.compare("chunked", swapFirstAxes(joinFrames(parts)).data, 1e-5);
}

async function vae_resample(golden: Golden, device: Device): Promise<void> {
  const flat = await runGraph(device, { x: swapFirstAxes(golden.input("x")) }, ({ x }) => ({
    upsample2d: upsampleSpace(x, golden.weights("upsample2d.")),
    downsample2d: downsampleSpace(x, golden.weights("downsample2d.")),
  }));
  for (const [name, t] of Object.entries(flat)) golden.compare(name, swapFirstAxes(t).data, 1e-5);
  const chunks = golden.config.chunks as Record<string, number[]>;
  for (const [kind, layer] of [["upsample3d", upsampleTime], ["downsample3d", downsampleTime]] as const) {
    const weights = golden.weights(`${kind}.`);
    const programs = new StreamPrograms(device, (x, history) => ({ y: layer(x, weights, history, "layer") }));
    const stream = programs.start();
    for (const [i, chunk] of chunksOf(swapFirstAxes(golden.input(kind)), chunks[kind]).entries()) {
      const { y } = await stream.run(chunk);
      golden.compare(`${kind}.call_${i}`, swapFirstAxes(y).data, 1e-5);
      const cache = `${kind}.cache_after_${i}`;
      if (golden.has(`out.${cache}`)) compareCache(golden, cache, stream.state!["layer.time_conv"], 1e-5);
    }
    programs.dispose();
  }
}

async function vae_blocks(golden: Golden, device: Device): Promise<void> {
  const x = swapFirstAxes(golden.input("x"));
  const flat = await runGraph(device, { x }, (v) => ({
    rms_norm: channelNorm(v.x, golden.weights("norm.")),
    attn: frameAttention(v.x, golden.weights("attn.")),
  }));
  for (const [name, t] of Object.entries(flat)) golden.compare(name, swapFirstAxes(t).data, 2e-5);
  for (const kind of ["res_same", "res_shortcut"]) {
    const weights = golden.weights(`${kind}.`);
    const programs = new StreamPrograms(device, (v, history) => ({ y: resBlock(v, weights, history, "block") }));
    const whole = (await programs.start().run(x)).y;
    golden.compare(kind, swapFirstAxes(whole).data, 2e-5);
    const stream = programs.start();
    const parts: Tensor<"f32">[] = [];
    for (const chunk of chunksOf(x, golden.config.chunks as number[])) parts.push((await stream.run(chunk)).y);
    programs.dispose();
    golden.check(`${kind} in chunks`, joinFrames(parts).data, whole.data, 1e-5);
    compareCache(golden, `${kind}.cache0`, stream.state!["block.residual.2"], 2e-5);
    compareCache(golden, `${kind}.cache1`, stream.state!["block.residual.6"], 2e-5);
  }
}

async function vae_encoder(golden: Golden, device: Device): Promise<void> {
  const config = vaeConfig(golden.config);
  const weights = golden.weights();
  const [mean, std] = [golden.input("latents_mean"), golden.input("latents_std")];
  const programs = new StreamPrograms(device, (video, history) => {
    const { mean: mu, parts } = encodeFrames(video, config, weights, history);
    return { mu, latent: normaliseLatents(mu, mean.data, std.data), ...Object.fromEntries(parts) };
  });
  const frame = await programs.start().run(swapFirstAxes(golden.input("frame")));
  for (const name of golden.outputs(/^frame\./)) {
    golden.compare(name, swapFirstAxes(frame[name.slice("frame.".length)]).data, 5e-5);
  }
  const clip = swapFirstAxes(golden.input("clip"));
  const whole = (await programs.start().run(clip)).latent;
  golden.compare("clip.latent", swapFirstAxes(whole).data, 5e-5);
  const stream = programs.start();
  const parts: Tensor<"f32">[] = [];
  const sizes = [1, ...Array.from({ length: (clip.shape[0] - 1) / 4 }, () => 4)];
  for (const chunk of chunksOf(clip, sizes)) parts.push((await stream.run(chunk)).latent);
  programs.dispose();
  golden.check("clip in chunks", joinFrames(parts).data, whole.data, 5e-5);
}

async function vae_decoder(golden: Golden, device: Device): Promise<void> {
  const config = vaeConfig(golden.config);
  const weights = golden.weights();
  const [mean, std] = [golden.input("latents_mean"), golden.input("latents_std")];
  const latents = swapFirstAxes(golden.input("latents"));
  const programs = new StreamPrograms(device, (value, history) => {
    const z = denormaliseLatents(value, mean.data, std.data);
    const { patches, parts } = decodeLatents(z, config, weights, history);
    return { frames: unpatchifyPixels(patches), ...Object.fromEntries(parts) };
  });
  const count = latents.shape[0];
  for (const group of [1, 3, count]) {
    const stream = programs.start();
    const frames: Tensor<"f32">[] = [];
    const sizes = Array.from({ length: Math.ceil(count / group) }, (_, i) => Math.min(group, count - i * group));
    for (const [i, chunk] of chunksOf(latents, sizes).entries()) {
      const got = await stream.run(chunk);
      frames.push(got.frames);
      if (group > 1) continue;
      for (const name of golden.outputs(new RegExp(`^latent${i}\\.`))) {
        golden.compare(name, swapFirstAxes(got[name.slice(name.indexOf(".") + 1)]).data, 1e-4);
      }
    }
    if (group === 1) golden.compare("frames_per_latent", frames.map((t) => t.shape[0]), 0);
    const all = swapFirstAxes(joinFrames(frames)).data;
    golden.compare("stream", all, 1e-4, group === 1 ? "stream" : `stream in groups of ${group}`);
  }
  // Three old latents and some new ones, begun without a past: shown are one frame of the old and four a new one.
  for (const name of golden.outputs(/^window\d+$/)) {
    const shown = golden.shapeOf(name)[1];
    const { frames } = await programs.start().run(lastFrames(latents, 3 + (shown - 1) / 4));
    golden.compare(name, swapFirstAxes(lastFrames(frames, shown)).data, 1e-4);
  }
  programs.dispose();
}

async function latent_norm(golden: Golden, device: Device): Promise<void> {
  const [mean, std] = [golden.input("latents_mean").data, golden.input("latents_std").data];
  const mu = swapFirstAxes(golden.input("mu"));
  const normalised = swapFirstAxes(golden.expected("normalised"));
  const got = await runGraph(device, { mu, normalised }, (v) => ({
    normalised: normaliseLatents(v.mu, mean, std),
    restored: denormaliseLatents(v.normalised, mean, std),
  }));
  for (const [name, t] of Object.entries(got)) golden.compare(name, swapFirstAxes(t).data, 3e-6);
}

/** Our histories always have their full length, with zeros in front while the stream is younger than that. */
function compareCache(golden: Golden, name: string, ours: Tensor<"f32">, tolerance: number): void {
  const [, frames] = golden.shapeOf(name);
  const older = ours.data.subarray(0, ours.data.length / ours.shape[0] * (ours.shape[0] - frames));
  golden.check(`${name} before the stream`, older, new Float32Array(older.length), 0);
  golden.compare(name, swapFirstAxes(lastFrames(ours, frames)).data, tolerance);
}
