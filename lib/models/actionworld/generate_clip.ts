/**
 * Generates one move: a clip that starts from an image. The image is encoded as its known first frame, the latents
 * after it are sampled, and decoded one after another.
 *
 * @module
 */
import { f32, nextTurn } from "../../compute/tensor/mod.ts";
import type { RgbFrames, RgbImage } from "../../media/images/rgb_image.ts";
import { normalNoise } from "../noise/philox.ts";
import type { FrameDecoder } from "../video_vae/frame_decoder.ts";
import type { ImageEncoder } from "../video_vae/image_encoder.ts";
import type { ClipOptions, ClipRequest } from "../world/clip_model.ts";
import { type DecoderHistory, releaseAll } from "../world/device_state.ts";
import { offerTurn, type Turn } from "../world/turns.ts";
import type { Geometry } from "../world/world_model.ts";
import type { ActionworldEngine } from "./actionworld_engine.ts";
import { paintCanvas } from "./canvas.ts";
import { StartedClip } from "./clip_sampler.ts";
import { CAMERA_POSE_NUMBERS } from "./config.ts";
import { actionMessage } from "./prompt_message.ts";
import { flowSchedule } from "./uni_pc.ts";

/** The negative prompt of guidance. */
const NO_PROMPT = "";

/**
 * Generates and decodes the clip that starts with `image`, which is its first frame.
 * Noise is {@linkcode normalNoise} of the request's seed, step 0, its elements in the order of the unknown latent
 * frames [n,z,h,w].
 *
 * @param turn Given to others between two passes and two latents, and within them, where they wait for it.
 * @throws {RangeError} when a number of the request is out of range.
 * @throws the signal's reason when it aborts before the last part of a run.
 */
export async function generateClip(
  engine: ActionworldEngine,
  image: RgbImage,
  request: ClipRequest,
  { signal, onProgress, onFrames }: ClipOptions,
  turn?: Turn,
): Promise<RgbFrames> {
  const { transformer: config } = engine.files.config;
  const latents = latentFrames(request, config.framesPerLatent);
  const schedule = flowSchedule(request.steps, request.shift);
  const { prompt, seed, frames, actions, fps, guidanceScale } = request;
  const { width, height } = image;
  signal?.throwIfAborted();
  const { canvas, encoder } = await engine.programs({ width, height });
  const clean = await encodeImage(encoder, image, canvas);
  const noise = normalNoise(seed, 0, (latents - 1) * clean.length);
  const clip = new StartedClip({ noise, schedule });
  const sampled = async (): Promise<boolean> => {
    const { sampler, decoder, inTurn } = await engine.programs({ width, height });
    const text = await engine.texts.read(actionMessage({ prompt, frames, fps, width, height }), signal);
    const guidance = guidanceScale === 1
      ? undefined
      : { scale: guidanceScale, text: await engine.texts.read(NO_PROMPT, signal) };
    if (inTurn) await release(decoder);
    return await sampler.advance(clip, { clean, actions, fps, text, noise, schedule, guidance }, {
      signal,
      onStep: (step) => onProgress?.({ stage: "denoising", step, steps: request.steps }),
      turn,
    });
  };
  while (!await sampled()) await offerTurn(turn); // others may have other programs compiled
  const others = clip.solver.sample;
  const { sampler, decoder, inTurn } = await engine.programs({ width, height });
  if (inTurn) await release(sampler);
  signal?.throwIfAborted();
  onProgress?.({ stage: "decoding", step: request.steps, steps: request.steps });
  const size = width * height * 3;
  const data = new Uint8ClampedArray(frames * size);
  let ready = 0;
  await decodeClip(decoder, clean, others, {
    signal,
    turn: inTurn ? undefined : turn,
    current: async () => (await engine.programs({ width, height })).decoder,
    onFrames: (decoded) => {
      const count = decoded.length / size;
      // A clamped array rounds to the nearest byte.
      if (ready === 0) data.set(image.data);
      else data.set(decoded, ready * size);
      const part = new Uint8Array(data.buffer, ready * size, decoded.length);
      ready += count;
      onFrames?.({ width, height, count, data: part });
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

/** Side of a latent pixel, in pixels. */
const PIXELS = 16;

/**
 * The normalized latents [z,h,w] of an image; `encoder` is one for the canvas. The encoder sees the padding of the
 * canvas, which is then cropped.
 * One frame is enough: the encoder is causal, so that its first latent is the same whatever follows.
 */
export async function encodeImage(encoder: ImageEncoder, image: RgbImage, canvas: Geometry): Promise<Float32Array> {
  const { planes, content } = paintCanvas(image, canvas);
  const latents = await encoder.encodePlanes(planes);
  const [columns, rows] = [canvas.width / PIXELS, canvas.height / PIXELS];
  const [width, height] = [Math.floor(content.width / PIXELS), Math.floor(content.height / PIXELS)];
  const channels = latents.length / (rows * columns);
  const cropped = new Float32Array(channels * height * width);
  for (let row = 0; row < channels * height; row++) {
    const from = (Math.floor(row / height) * rows + row % height) * columns;
    cropped.set(latents.subarray(from, from + width), row * width);
  }
  return cropped;
}

/** Options of {@linkcode decodeClip}. */
interface DecodeClipOptions {
  /** Stops the work between two latents, or inside one where the device can be stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Given to others between two latents, and within one, where they wait for it. */
  readonly turn?: Turn | undefined;
  /** The decoder after others had the turn, who may have replaced it. */
  readonly current?: (() => Promise<FrameDecoder>) | undefined;
  /**
   * Called for the first latent with one frame, then for every other with four: RGB, 0 to 255 and not rounded,
   * [count,H,W,3], which are there until it returns.
   */
  readonly onFrames: (frames: Float32Array) => void;
}

/**
 * Decodes the known first latent [z,h,w] and the others [N,z,h,w], one after another: shown frames never change when
 * more follow. `decoder` takes one latent per call.
 *
 * @throws the signal's reason when it aborts before the last part of a latent's run.
 */
export async function decodeClip(
  decoder: FrameDecoder,
  first: Float32Array,
  others: Float32Array,
  { signal, turn, current = () => Promise.resolve(decoder), onFrames }: DecodeClipOptions,
): Promise<void> {
  let own = decoder;
  let hadTurn = false;
  const between = async (): Promise<void> => {
    if (await offerTurn(turn)) hadTurn = true;
  };
  let history: DecoderHistory | undefined;
  try {
    for (let i = 0; i <= others.length / first.length; i++) {
      signal?.throwIfAborted();
      if (i > 0) await between();
      if (hadTurn) own = await current();
      hadTurn = false;
      const latent = i === 0 ? first : others.subarray((i - 1) * first.length, i * first.length);
      const past = history;
      history = undefined; // which the decoder lets go of as it goes
      history = await own.stream(f32(own.shape, latent), past, { signal, between, onFrames });
    }
  } finally {
    releaseAll(history?.values() ?? []);
  }
}

/** Default frames and rate of a move. */
const FRAMES = 17;
const FPS = 30;

/**
 * Generates a throwaway clip in one step, so that memory and pipelines are allocated and a device that fails is found out.
 * Another size than the model's own may be large: on the CPU, where no other device would take over, it is only compiled.
 *
 * @param geometry The model's own size by default; a model without one is not warmed up.
 */
export async function warmUp(engine: ActionworldEngine, geometry: Geometry | undefined): Promise<void> {
  const { defaultWidth, defaultHeight, defaultFps, defaultPrompt } = engine.files.config;
  if (!defaultWidth || !defaultHeight) return;
  const { width, height } = geometry ?? { width: defaultWidth, height: defaultHeight };
  const isOwn = width === defaultWidth && height === defaultHeight;
  if (!isOwn && engine.device.kind === "cpu") return void await engine.programs({ width, height });
  const image = { width, height, data: new Uint8Array(width * height * 3) };
  await generateClip(engine, image, {
    prompt: defaultPrompt ?? "",
    seed: 0n,
    frames: FRAMES,
    actions: new Float32Array((FRAMES - 1) * CAMERA_POSE_NUMBERS),
    fps: defaultFps ?? FPS,
    steps: 1,
    guidanceScale: 1,
    shift: 3,
  }, {});
}
