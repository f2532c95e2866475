/**
 * What a journal may ask of a model when a state is made again: no more than a request may.
 *
 * @module
 */
import { CAMERA_POSE_NUMBERS } from "../../../models/actionworld/config.ts";
import { LATENTS_PER_BLOCK } from "../../../models/arworld/trajectory.ts";
import type { RgbFrames } from "../../../media/images/rgb_image.ts";
import type { ClipRequest } from "../../../models/world/clip_model.ts";
import type { BlockRequest, Geometry } from "../../../models/world/world_model.ts";
import { CLIP_BOUNDS, readClipRequest } from "../../protocol/requests/clip_request.ts";
import { MAX_GEOMETRY } from "../../protocol/requests/move_fields.ts";
import { readTransitionRequest } from "../../protocol/requests/transition_request.ts";
import type { BackendName } from "../../protocol/wire.ts";
import { type ChainNode, stateLost } from "./chain_node.ts";

/** Replays get so many times the seconds that their record declares: the machine may be slower, or busy. */
const FACTOR = 10;

/** Seconds that any replay gets. */
const SHORTEST = 60;

/** Seconds that no replay gets more than: a state that took long has a file of its own. */
const LONGEST = 3600;

/** Bounds of one kind of world. */
interface ReplayLimits {
  readonly size: Geometry;
  readonly accepts: (request: unknown) => boolean;
}

const limits: Readonly<Record<BackendName, ReplayLimits>> = {
  arworld: { size: MAX_GEOMETRY, accepts: isBlock },
  actionworld: { size: CLIP_BOUNDS, accepts: isClip },
};

/** The largest frames of a world of this kind. */
export function largestFrames(kind: BackendName): Geometry {
  return limits[kind].size;
}

/** Whether requests could have led to all these states, in frames of these sizes. */
export function isReplayable(
  kind: BackendName,
  nodes: Iterable<ChainNode>,
  geometries: readonly (Geometry | undefined)[],
): boolean {
  const { size, accepts } = limits[kind];
  const isLarge = (frames: Geometry): boolean => frames.width > size.width || frames.height > size.height;
  if (geometries.some((geometry) => geometry && isLarge(geometry))) return false;
  return [...nodes].every(({ file, request }) => file !== undefined || request !== undefined && accepts(request));
}

/** Most frames that a model of clips makes at a time for these states; undefined where none makes clips. */
export function longestClip(nodes: readonly ChainNode[]): number | undefined {
  const frames = nodes.flatMap(({ request }) => (request as Partial<ClipRequest> | undefined)?.frames ?? []);
  return frames.length === 0 ? undefined : Math.max(...frames);
}

/** Seconds that a state may take, by what its record says of the nodes that are made again. */
export function replayLimit(nodes: readonly ChainNode[]): number {
  const declared = nodes.reduce((sum, { seconds }) => sum + seconds, 0);
  return Math.min(LONGEST, Math.max(SHORTEST, FACTOR * declared));
}

/** What a replay gives to the model. */
export interface ReplayOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: never) => void;
}

/** Stops a replay that takes too long, or that nobody waits for. The wait for its turn before each move is free. */
export class ReplayMeter {
  readonly #now: () => number;
  readonly #signal: AbortSignal;
  readonly #late = new AbortController();
  /** Milliseconds that are left. */
  #left: number;

  constructor(now: () => number, seconds: number, signal: AbortSignal | undefined) {
    this.#now = now;
    this.#left = 1000 * seconds;
    this.#signal = signal ? AbortSignal.any([signal, this.#late.signal]) : this.#late.signal;
  }

  async during(generate: (options: ReplayOptions) => Promise<RgbFrames>): Promise<RgbFrames> {
    this.#signal.throwIfAborted();
    let since: number | undefined;
    const charge = (): void => {
      const now = this.#now();
      this.#left -= now - (since ?? now);
      since = now;
      if (this.#left < 0) this.#late.abort(stateLost("to make it again takes far longer than it took"));
    };
    const frames = await generate({ signal: this.#signal, onProgress: charge });
    charge();
    this.#signal.throwIfAborted();
    return frames;
  }
}

function isClip(request: unknown): boolean {
  const { frames, actions, fps, prompt, seed, steps, guidanceScale, shift } = request as Partial<ClipRequest>;
  if (!(frames && actions && fps && fps > 0 && Number.isFinite(fps))) return false;
  if (actions.length !== (frames - 1) * CAMERA_POSE_NUMBERS || !actions.every(Number.isFinite)) return false;
  const fields = { num_frames: frames, steps, guidance_scale: guidanceScale, shift };
  return isRead(readClipRequest, { prompt, seed: String(seed), ...fields });
}

function isBlock(request: unknown): boolean {
  const { prompt, seed, views, memory } = request as Partial<BlockRequest>;
  if (views?.length !== LATENTS_PER_BLOCK * 16 || !views.every(Number.isFinite)) return false;
  const { recall, store, forget } = memory ?? { recall: [], store: [], forget: [] };
  if ([recall, store, forget].some(({ length }) => length > LATENTS_PER_BLOCK)) return false;
  if ([...recall, ...store].some(({ frame }) => frame >= LATENTS_PER_BLOCK)) return false;
  if (recall.some(({ strength }) => !(strength >= 0 && strength <= 1))) return false;
  return isRead(readTransitionRequest, { prompt, seed: String(seed) });
}

/** Whether the reader of requests takes these fields. */
function isRead(read: (body: unknown) => unknown, fields: Record<string, unknown>): boolean {
  try {
    read({ ...fields, camera: { motion: "hold", translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] } });
    return true;
  } catch {
    return false;
  }
}
