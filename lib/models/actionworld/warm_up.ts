/**
 * Moves the cost of first runs out of the first move.
 *
 * @module
 */
import type { ActionworldEngine } from "./actionworld_engine.ts";
import { CAMERA_POSE_NUMBERS } from "./config.ts";
import { generateClip } from "./generate_clip.ts";
import type { Geometry } from "../world/world_model.ts";

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
