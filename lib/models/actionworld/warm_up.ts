/**
 * Moves the cost of first runs out of the first move.
 *
 * @module
 */
import type { ActionworldEngine } from "./actionworld_engine.ts";
import { CAMERA_POSE_NUMBERS } from "./config.ts";
import { generateClip } from "./generate_clip.ts";

/** Default frames and rate of a move. */
const FRAMES = 17;
const FPS = 30;

/** Generates a throwaway clip in one step at the model's own size, so that memory and pipelines are allocated. */
export async function warmUp(engine: ActionworldEngine): Promise<void> {
  const { defaultWidth: width, defaultHeight: height, defaultFps, defaultPrompt } = engine.files.config;
  if (!width || !height) return;
  const picture = { width, height, data: new Uint8Array(width * height * 3) };
  await generateClip(engine, picture, {
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
