/**
 * Everything about a rollout that can be settled before it is accepted.
 *
 * @module
 */
import type { RgbImage } from "../media/rgb_image.ts";
import { artifactNames } from "./artifact_numbers.ts";
import type { ModelRoots } from "./model_roots.ts";
import { type Place, placeAtSource } from "./place.ts";
import { planRollout, type RolloutPlan } from "./rollout_plan.ts";
import { ROLLOUT_DEFAULTS, type RolloutRequest } from "./rollout_request.ts";
import { invalidRequest, WorldError } from "./world_error.ts";
import type { WorldFiles } from "./world_files.ts";
import type { Geometry } from "../models/world_model.ts";

/** An accepted rollout: where it starts and what it will write. */
export interface RolloutStart {
  readonly request: RolloutRequest;
  /** Where the rollout starts: the session's place, or the origin of a new world when the request has an image. */
  readonly from: Place;
  /** Whether the image of `from` came with the request and is written with the job's files. */
  readonly newSource: boolean;
  readonly geometry: Geometry;
  readonly fps: number;
  readonly plan: RolloutPlan;
  readonly number: number;
  readonly outputPath: string;
}

/** What {@linkcode startRollout} needs of its session. */
export interface RolloutContext {
  readonly place: Place;
  readonly roots: ModelRoots;
  readonly files: WorldFiles;
  readonly nextNumber: () => Promise<number>;
  readonly randomId: () => string;
  readonly readImage: (path: string) => Promise<RgbImage>;
}

/**
 * Settles size, rate, source image, poses and file names of a checked request.
 *
 * @throws {WorldError} `geometry_changed`, `source_required`, `invalid_speed`, and what reading the image and choosing
 * the output throw.
 */
export async function startRollout(request: RolloutRequest, context: RolloutContext): Promise<RolloutStart> {
  const { place, roots: { defaults }, files } = context;
  const goesOn = request.sourceImage === undefined ? place.geometry : undefined;
  const geometry = {
    width: request.width ?? goesOn?.width ?? defaults.width ?? ROLLOUT_DEFAULTS.width,
    height: request.height ?? goesOn?.height ?? defaults.height ?? ROLLOUT_DEFAULTS.height,
  };
  if (goesOn) checkSameSize(goesOn, geometry);
  const image = request.sourceImage === undefined ? undefined : await context.readImage(request.sourceImage);
  if (!image && !place.frame) {
    throw invalidRequest(
      "source_required",
      'Cannot start a rollout: the session has no picture yet, give "source_image" or upload a source first',
      "source_image",
    );
  }
  const output = request.output === undefined ? undefined : await files.clientOutput(request.output);
  const number = await context.nextNumber();
  const names = artifactNames(number);
  const from = image
    ? placeAtSource(context.randomId(), { image, path: files.statePath(names.source) }, place.transitions)
    : place;
  const plan = planRollout(request, from.pose);
  if (!plan.terminalPose.every(Number.isFinite)) {
    throw invalidRequest(
      "invalid_speed",
      `Cannot start a rollout: "speed" is ${request.speed}, too far to go`,
      "speed",
    );
  }
  return {
    request,
    from,
    newSource: image !== undefined,
    geometry,
    fps: request.fps ?? defaults.fps ?? ROLLOUT_DEFAULTS.fps,
    plan,
    number,
    outputPath: output ?? files.statePath(names.output),
  };
}

function checkSameSize(has: Geometry, wants: Geometry): void {
  if (has.width === wants.width && has.height === wants.height) return;
  throw new WorldError(
    "conflict_error",
    "geometry_changed",
    `Cannot start a rollout: the size is ${wants.width}x${wants.height}, but the world that goes on has ` +
      `${has.width}x${has.height}; leave the size out, give a source image or reset the session first`,
    { param: has.width === wants.width ? "height" : "width" },
  );
}
