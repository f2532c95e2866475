/**
 * Generates one move: a clip that starts from an image.
 *
 * @module
 */
import { nextTurn } from "../../compute/tensor/mod.ts";
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import type { ClipOptions, ClipRequest } from "../world/clip_model.ts";
import { normalNoise } from "../noise/philox.ts";
import type { ActionworldEngine } from "./actionworld_engine.ts";
import { CAMERA_POSE_NUMBERS } from "./config.ts";
import { decodeClip } from "./decode_clip.ts";
import { encodePicture } from "./encode_picture.ts";
import { actionMessage } from "./text/prompt_message.ts";
import { flowSchedule } from "./uni_pc.ts";

/** The negative prompt of guidance. */
const NO_PROMPT = "";

/**
 * Generates and decodes the clip that starts with `picture`, which is its first frame.
 * Noise is {@linkcode normalNoise} of the request's seed, step 0, its elements in the order of the unknown latent
 * frames [n,z,h,w].
 *
 * @throws {RangeError} when a number of the request is out of range.
 * @throws the signal's reason when it aborts before the last part of a run.
 */
export async function generateClip(
  engine: ActionworldEngine,
  picture: RgbImage,
  request: ClipRequest,
  { signal, onProgress, onFrames }: ClipOptions,
): Promise<RgbFrames> {
  const { transformer: config } = engine.files.config;
  const latents = latentFrames(request, config.framesPerLatent);
  const schedule = flowSchedule(request.steps, request.shift);
  const { prompt, seed, frames, actions, fps, guidanceScale } = request;
  const { width, height } = picture;
  signal?.throwIfAborted();
  const { canvas, encoder, sampler, decoder, inTurn } = await engine.programs({ width, height });
  const clean = await encodePicture(encoder, picture, canvas);
  const text = await engine.texts.read(actionMessage({ prompt, frames, fps, width, height }), signal);
  const guidance = guidanceScale === 1
    ? undefined
    : { scale: guidanceScale, text: await engine.texts.read(NO_PROMPT, signal) };
  if (inTurn) await release(decoder);
  const noise = normalNoise(seed, 0, (latents - 1) * clean.length);
  const others = await sampler.sample({ clean, actions, fps, text, noise, schedule, guidance }, {
    signal,
    onStep: (step) => onProgress?.({ stage: "denoising", step, steps: request.steps }),
  });
  if (inTurn) await release(sampler);
  signal?.throwIfAborted();
  onProgress?.({ stage: "decoding", step: request.steps, steps: request.steps });
  const size = width * height * 3;
  const data = new Uint8ClampedArray(frames * size);
  let ready = 0;
  await decodeClip(decoder, clean, others, {
    signal,
    onFrames: (decoded) => {
      // A clamped array rounds to the nearest byte.
      if (ready === 0) data.set(picture.data);
      else data.set(decoded.data, ready * size);
      const part = new Uint8Array(data.buffer, ready * size, decoded.count * size);
      ready += decoded.count;
      onFrames?.({ width, height, count: decoded.count, data: part });
    },
  });
  return { width, height, count: frames, data: new Uint8Array(data.buffer) };
}

/** Releases programs, which have gone when this resolves. */
async function release(programs: { dispose(): void }): Promise<void> {
  programs.dispose();
  await nextTurn();
}

/** Latent frames of a clip. */
function latentFrames({ frames, actions, fps, guidanceScale }: ClipRequest, framesPerLatent: number): number {
  const later = (frames - 1) / framesPerLatent;
  if (!Number.isInteger(later) || later < 1) {
    throw new RangeError(`Cannot generate ${frames} frames: expected 4n + 1, at least 5`);
  }
  const numbers = (frames - 1) * CAMERA_POSE_NUMBERS;
  if (actions.length !== numbers || !actions.every(Number.isFinite)) {
    throw new RangeError(
      `Cannot generate ${frames} frames: got ${actions.length} action numbers, expected ${numbers} finite ones`,
    );
  }
  if (!(fps > 0 && Number.isFinite(fps))) {
    throw new RangeError(`Cannot generate at ${fps} frames per second: expected a positive number`);
  }
  if (!Number.isFinite(guidanceScale)) {
    throw new RangeError(`Cannot generate with a guidance scale of ${guidanceScale}: expected a finite number`);
  }
  return later + 1;
}
