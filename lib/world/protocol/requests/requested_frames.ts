/**
 * How long the move is that a body asks for, whatever kind of world gets it.
 *
 * @module
 */
import { readClipRequest } from "./clip_request.ts";
import { plannedFrames, readRolloutRequest } from "./rollout_request.ts";
import { readTransitionRequest } from "./transition_request.ts";

/** The readers of both kinds of world: they differ in bounds and defaults. */
const READERS: Readonly<Record<"transition" | "rollout", readonly ((body: unknown) => number)[]>> = {
  transition: [(body) => readTransitionRequest(body).frames, (body) => readClipRequest(body).frames],
  rollout: [(body) => plannedFrames(readRolloutRequest(body).latentFrames)],
};

/**
 * The largest number of frames that any kind of world would make for a request body; undefined where every one refuses
 * it. Servers read the same fields, so that nothing can be asked for that this does not see.
 *
 * @example
 * ```ts
 * import { requestedFrames } from "./requested_frames.ts";
 * const camera = { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] };
 * console.assert(requestedFrames("transition", { prompt: "a hall", camera, numFrames: 401 }) === 401);
 * console.assert(requestedFrames("transition", { prompt: "a hall" }) === undefined);
 * ```
 */
export function requestedFrames(kind: "transition" | "rollout", body: unknown): number | undefined {
  const lengths = READERS[kind].flatMap((read) => {
    try {
      return [read(body)];
    } catch {
      return [];
    }
  });
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}
