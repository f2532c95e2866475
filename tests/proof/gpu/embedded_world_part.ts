/**
 * `corridor-nano` end to end in both precisions: from the source image and the moves to frames in ordinary memory.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { decodeImage } from "../../../lib/media/mod.ts";
import { ArworldEngine } from "../../../lib/models/arworld/arworld_engine.ts";
import { cameraTensors } from "../../../lib/models/arworld/transformer/window_inputs.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { latentSizeOf } from "../../../lib/models/video_vae/vae_config.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { normalNoise } from "../../../lib/models/noise/philox.ts";
import { resizeImage } from "../../../lib/media/images/resize_image.ts";
import { modelBench } from "../../bench/model_bench.ts";
import { openGpu } from "./open_gpu.ts";
import { log, runPart, SMALL } from "./part.ts";

/** Frames of a block. */
const FRAMES = 12;

await runPart("embedded_world", async (results) => {
  let measured = 0;
  for (const precision of ["f16", "f32"] as const) {
    const opened = await openGpu({ precision });
    if (typeof opened === "string") {
      results.set(precision, { skipped: opened });
      continue;
    }
    const { device, tiles } = opened;
    const times = await (SMALL ? smallBlock : modelBench)(device);
    const row = { tiles, ...times, framesPerSecond: 1000 * FRAMES / times.block };
    results.set(precision, row);
    log(`${precision} ${JSON.stringify(row)}`);
    device.dispose();
    measured++;
  }
  if (measured === 0) throw new Error("no device was opened");
});

/** One block of 128x64, in a rehearsal: files, image and programs are found and work. */
async function smallBlock(device: Device): Promise<Record<"encode" | "sample" | "decode" | "block", number>> {
  const folder = new URL("../../../models/corridor-nano/", import.meta.url);
  const files = await loadArworld(modelRoot(new URL("base/", folder)), modelRoot(new URL("causal/", folder)));
  const engine = await ArworldEngine.start(device, files);
  const size = { width: 128, height: 64 };
  const { encoder, sampler, decoder } = await engine.programs(size);
  const image = await decodeImage(await readFile(new URL("../../../examples/corridor.png", import.meta.url)));
  const start = performance.now();
  const firstFrame = await encoder.encode(resizeImage(image, size.width, size.height));
  const encode = performance.now() - start;
  const views = chunkRelativeViews(
    latentViews({ steps: [stepOfKeys("w")], weights: [1], latentFrames: 3, speed: 1.5 }),
  );
  const latent = latentSizeOf(files.config.vae, size);
  const length = 3 * files.config.transformer.zDim * latent.width * latent.height;
  const { latents } = await sampler.sample({
    context: [],
    text: await engine.prompts.encode(files.config.defaultPrompt ?? ""),
    cameras: cameraTensors(views),
    firstFrame,
    noise: (step) => normalNoise(0n, step, length),
  });
  await latents.read();
  const sample = performance.now() - start - encode;
  const { frames, count } = await decoder.decode(latents, undefined);
  const block = performance.now() - start;
  const mean = frames.reduce((a, b) => a + b, 0) / frames.length;
  log(`${count} frames, ${mean.toFixed(1)} of 255 on the average`);
  if (!(mean > 1 && mean < 254)) throw new Error(`the frames are not images: ${mean} of 255 on the average`);
  await engine.dispose();
  return { encode, sample, decode: block - sample - encode, block };
}
