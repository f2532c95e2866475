/**
 * The decoder of Wan 2.2 at full width with random weights: a block of three latents at 512x320 to 12 frames.
 *
 * @module
 */
import { f32, graphCost, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { decoderGraph } from "../../../lib/models/video_vae/decoder_graphs.ts";
import { FrameDecoder } from "../../../lib/models/video_vae/frame_decoder.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { type DecoderHistory, releaseAll } from "../../../lib/models/world/device_state.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { LATENT, randomWeights } from "./dreamx_weights.ts";
import { numbers } from "./numbers.ts";
import { openBest } from "./open_gpu.ts";
import { log, median, runPart, SMALL } from "./part.ts";

/** Latents of a block. */
const LATENTS = 3;

await runPart("decoder", async (results) => {
  const { vae: full } = dreamx();
  const vae = SMALL ? { ...full, decDim: 16, dim: 16, numResBlocks: 1 } : full;
  const config = { vae, latentsMean: new Array(vae.zDim).fill(0), latentsStd: new Array(vae.zDim).fill(1) };
  const shapes = new Map([...vaeShapes(vae)].filter(([name]) => /^(decoder|conv2)\./.test(name)));
  const weights = randomWeights(shapes);
  const { device, tiles } = await openBest();
  const graph = decoderGraph(config, weights, [1, vae.zDim, LATENT.height, LATENT.width], "later");
  const flops = LATENTS * graphCost(graph).flops;
  const start = performance.now();
  const decoder = await FrameDecoder.compile(device, config, weights, LATENT, LATENTS);
  const loadMs = performance.now() - start;
  const latents = f32(decoder.shape, numbers(sizeOf(decoder.shape)));
  const times: number[] = [];
  let history: DecoderHistory | undefined;
  let finite = true;
  for (let block = 0; block < (SMALL ? 2 : 9); block++) {
    const begin = performance.now();
    const decoded = await decoder.decode(latents, history);
    times.push(performance.now() - begin);
    history = decoded.history;
    finite &&= decoded.frames.every(Number.isFinite);
    const ms = median(times.length > 3 ? times.slice(3) : times.slice(-1));
    results.set("block", {
      ...{ precision: device.precision, tiles, ms, firstMs: times[0], loadMs, frames: decoded.count, finite },
      ...{ tflop: flops / 1e12, tflops: flops / ms / 1e9, peakBytes: device.memory().peak },
    });
    log(`block ${block}: ${times[block].toFixed(1)} ms, ${decoded.count} frames`);
  }
  releaseAll(history!.values());
  decoder.dispose();
  device.dispose();
  if (!finite) throw new Error("the frames have numbers that are not finite");
});
