/**
 * The embedded world without a server: milliseconds of each part.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { ArworldEngine } from "../../lib/models/arworld/arworld_engine.ts";
import type { BlockCache, DecoderHistory } from "../../lib/models/world/device_state.ts";
import { cameraTensors } from "../../lib/models/arworld/transformer/window_inputs.ts";
import { chunkRelativeViews, latentViews } from "../../lib/models/arworld/trajectory.ts";
import { stepOfKeys } from "../../lib/world/protocol/move_plan.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { matchColours } from "../../lib/models/arworld/lab_transfer.ts";
import { normalNoise } from "../../lib/models/noise/philox.ts";
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import type { SamplerBlock } from "../../lib/models/arworld/sampling/pass_feeds.ts";
import { decodeImage, type Media, type RgbFrames } from "../../lib/media/mod.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { type Device, type Shape, sizeOf } from "../../lib/compute/tensor/mod.ts";
import { latentSizeOf } from "../../lib/models/video_vae/vae_config.ts";
import { medianMilliseconds } from "./stopwatch.ts";

const folder = new URL("../../models/corridor-nano/", import.meta.url);
const size = { width: 384, height: 256 };

/** Milliseconds by part; the block is five transformer passes and the decoding of twelve frames. */
export type ModelTimes = Readonly<Record<"encode" | "pass" | "sample" | "decode" | "colours" | "block", number>>;

/** Times one device on the embedded world, with a full window. The device is released afterwards. */
export async function modelBench(device: Device): Promise<ModelTimes> {
  const files = await loadArworld(modelRoot(new URL("base/", folder)), modelRoot(new URL("causal/", folder)));
  const engine = await ArworldEngine.start(device, files);
  const { encoder, sampler, decoder } = await engine.programs(size);
  const source = await decodeImage(await readFile(new URL("../../examples/corridor.png", import.meta.url)));
  const image = resizeImage(source, size.width, size.height);
  const firstFrame = await encoder.encode(image);
  const { zDim } = files.config.transformer;
  const latent = latentSizeOf(files.config.vae, size);
  const shape = [3, zDim, latent.height, latent.width];
  const views = chunkRelativeViews(
    latentViews({ steps: [stepOfKeys("w")], weights: [1], latentFrames: 15, speed: 1.5 }),
  );
  const text = await engine.prompts.encode(files.config.defaultPrompt ?? "");
  const at = (block: number, context: readonly BlockCache[]): SamplerBlock => ({
    context,
    text,
    cameras: cameraTensors(views.slice(48 * block, 48 * block + 48)),
    firstFrame: block === 0 ? firstFrame : undefined,
    noise: (step) => normalNoise(BigInt(block), step, sizeOf(shape)),
  });

  // Fills the window, so that what is timed is a block in the middle of a walk.
  const context: BlockCache[] = [];
  let history: DecoderHistory | undefined;
  for (let block = 0; block < 3; block++) {
    const { latents, cache } = await sampler.sample(at(block, context));
    context.push(cache);
    history = (await decoder.decode(latents, history)).history;
  }
  const block = at(3, context);
  const noise = f32Noise(block, shape);
  const { latents } = await sampler.sample(block);
  let frames = new Float32Array();
  let count = 0;
  const sample = async () => {
    const sampled = await sampler.sample(block);
    sampled.latents.release();
    for (const { k, v } of sampled.cache) {
      k.release();
      v.release();
    }
  };
  const decode = async () => {
    for (const t of history?.values() ?? []) t.retain(); // each decoding takes an owner
    const decoded = await decoder.decode(latents, history);
    for (const t of decoded.history.values()) t.release();
    ({ frames, count } = decoded as { frames: Float32Array<ArrayBuffer>; count: number });
  };
  const times = {
    encode: await medianMilliseconds(() => encoder.encode(image)),
    pass: await medianMilliseconds(async () => {
      const next = await sampler.denoise(block, 1, noise);
      await device.idle();
      next.release();
    }),
    sample: await medianMilliseconds(sample),
    decode: await medianMilliseconds(decode),
    colours: await medianMilliseconds(() =>
      Promise.resolve(matchColours({ data: frames, frames: count, strength: 0.3 }))
    ),
    block: await medianMilliseconds(async () => {
      await sample();
      await decode();
    }),
  };
  await engine.dispose();
  return times;
}

function f32Noise(block: SamplerBlock, shape: Shape) {
  return { dtype: "f32", shape, data: block.noise(0) } as const;
}

/** Milliseconds to make an MP4 chunk of twelve frames with the encoder in use. */
export async function chunkBench(media: Media): Promise<number> {
  const frames: RgbFrames = { ...size, count: 12, data: new Uint8Array(size.width * size.height * 36) };
  for (let i = 0; i < frames.data.length; i++) frames.data[i] = (i * 2654435761) >>> 24;
  return await medianMilliseconds(() => media.encodeChunk(frames, { fps: 16, firstFrame: 0, container: "fmp4" }));
}
