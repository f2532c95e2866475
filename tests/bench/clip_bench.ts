/**
 * The embedded world of camera moves without a server: milliseconds of each part.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { embeddedFolder } from "../../lib/app/embedded/embedded_folder.ts";
import { decodeImage } from "../../lib/media/mod.ts";
import { actionMessage, openMessageTokenizer } from "../../lib/models/actionworld/prompt_message.ts";
import { ActionworldEngine } from "../../lib/models/actionworld/actionworld_engine.ts";
import { compileActions } from "../../lib/models/actionworld/action_rows.ts";
import { decodeClip, encodeImage, generateClip } from "../../lib/models/actionworld/generate_clip.ts";
import { flowSchedule } from "../../lib/models/actionworld/uni_pc.ts";
import { loadActionworld } from "../../lib/models/actionworld/loader.ts";
import { normalNoise } from "../../lib/models/noise/philox.ts";
import { cacheTensors, releaseAll } from "../../lib/models/world/device_state.ts";
import { resizeImage } from "../../lib/media/images/resize_image.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { medianMilliseconds } from "./stopwatch.ts";

/** The folder of the world that is measured. */
export function clipWorld(): Promise<string> {
  return embeddedFolder("corridor-nano-actions");
}

/** Milliseconds by part; a clip is everything from the picture to 17 frames, with a prompt that is known already. */
export type ClipTimes = Readonly<Record<"encode" | "text" | "step" | "sample" | "decode" | "clip", number>>;

/** Frames of a move, and the first of them. */
const FRAMES = 17;

/** Times one device with the world's own size and steps. The device is released afterwards. */
export async function clipBench(device: Device): Promise<ClipTimes> {
  const folder = await clipWorld();
  const engine = new ActionworldEngine(device, await loadActionworld(modelRoot(folder)));
  const { config } = engine.files;
  const { defaultWidth: width = 96, defaultHeight: height = 64, defaultFps: fps = 16, defaultSteps = 8 } = config;
  const { canvas, encoder, sampler, decoder } = await engine.programs({ width, height });
  const picture = resizeImage(await decodeImage(await readFile(join(folder, "source.png"))), width, height);
  const forward = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
  const actions = compileActions(forward, FRAMES - 1);
  const prompt = config.defaultPrompt ?? "";
  const message = actionMessage({ prompt, frames: FRAMES, fps, width, height });
  const clean = await encodeImage(encoder, picture, canvas);
  const noise = normalNoise(0n, 0, clean.length * (FRAMES - 1) / config.transformer.framesPerLatent);
  const text = await engine.texts.read(message);
  const ids = openMessageTokenizer("tokenizer.json", engine.files.tokenizer).encode(message);
  const schedule = flowSchedule(defaultSteps, 3);
  const pass = await sampler.bind({ clean, actions, fps }, text);
  const request = { prompt, seed: 0n, frames: FRAMES, actions, fps, steps: defaultSteps, guidanceScale: 1, shift: 3 };
  const times = {
    encode: await medianMilliseconds(() => encodeImage(encoder, picture, canvas)),
    text: await medianMilliseconds(async () => {
      const stream = await engine.texts.readTokens(ids);
      releaseAll(cacheTensors([stream.layers]));
    }),
    step: await medianMilliseconds(() => pass.predict(noise, schedule.timesteps[0])),
    sample: await medianMilliseconds(() => sampler.sample({ clean, actions, fps, text, noise, schedule })),
    decode: await medianMilliseconds(() => decodeClip(decoder, clean, noise, { onFrames: () => {} })),
    clip: await medianMilliseconds(() => generateClip(engine, picture, request, {})),
  };
  pass.release();
  await engine.dispose();
  return times;
}
