/**
 * Everything about a move that is settled before it is accepted.
 *
 * @module
 */
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { artifactNames } from "../artifacts.ts";
import type { MoveDefaults, MoveKind, MoveRequest } from "../../protocol/requests/move_fields.ts";
import { DEFAULT_FRAMES } from "../../protocol/requests/transition_request.ts";
import type { ModelRoots } from "../../protocol/model_files.ts";
import { type SessionState, stateAtSource } from "../graph/session_state.ts";
import type { WorldFiles } from "../world_files.ts";
import type { PlannedSize } from "../../../models/world/memory_plan.ts";
import type { Geometry } from "../../../models/world/world_model.ts";
import { conflict, invalidRequest } from "../../../errors/svc_error.ts";

/** Where a move starts, and the format of its video. */
export interface MoveSite {
  /** The session's state, or the origin of a new world when the request has an image. */
  readonly from: SessionState;
  readonly geometry: Geometry;
  readonly fps: number;
  /** Denoising steps that the model names as its default. */
  readonly defaultSteps?: number | undefined;
}

/** An accepted move that generates: where it starts and what it will write. */
export interface MoveStart<Plan> extends MoveSite {
  readonly kind: MoveKind;
  readonly seed: bigint;
  /** Whether the image of `from` came with the request and is written with the job's files. */
  readonly newSource: boolean;
  readonly plan: Plan;
  readonly number: number;
  readonly outputPath: string;
}

/** What accepting a move needs of its session. */
export interface MoveContext {
  readonly state: SessionState;
  readonly roots: ModelRoots;
  readonly files: WorldFiles;
  readonly nextNumber: () => Promise<number>;
  readonly newId: () => string;
  readonly readImage: (path: string) => Promise<RgbImage>;
  /** Refuses frames for which there is not enough memory. */
  readonly admit: (size: PlannedSize) => Promise<void>;
}

/**
 * Settles size, rate, source image, poses and file names of a validated request.
 *
 * @param planWay Plans the way.
 * @throws {SvcError} `geometry_changed`, `source_required`, `size_exceeds_memory`, `memory_pressure`, and what planning, reading the image and choosing the
 * output throw.
 */
export async function startMove<Plan>(
  request: MoveRequest,
  { kind, ...fallback }: MoveDefaults,
  context: MoveContext,
  planWay: (site: MoveSite) => Plan,
): Promise<MoveStart<Plan>> {
  const { state, roots: { defaults }, files } = context;
  const goesOn = request.sourceImage === undefined ? state.geometry : undefined;
  const geometry = {
    width: request.width ?? goesOn?.width ?? defaults.width ?? fallback.width,
    height: request.height ?? goesOn?.height ?? defaults.height ?? fallback.height,
  };
  if (goesOn) checkSameSize(kind, goesOn, geometry);
  await context.admit({ ...geometry, frames: request.frames ?? DEFAULT_FRAMES });
  const image = request.sourceImage === undefined ? undefined : await context.readImage(request.sourceImage);
  if (!image && !state.frame) {
    throw invalidRequest(
      "source_required",
      `Cannot start a ${kind}: the session has no image yet, give "source_image" or upload a source first`,
      "source_image",
    );
  }
  const output = request.output === undefined ? undefined : await files.clientOutput(request.output);
  const number = await context.nextNumber();
  const names = artifactNames(number);
  const from = image
    ? stateAtSource(context.newId(), { image, path: files.statePath(names.source) }, state.transitions)
    : state;
  const fps = request.fps ?? defaults.fps ?? fallback.fps;
  const site: MoveSite = { from, geometry, fps, defaultSteps: defaults.steps };
  return {
    kind,
    seed: request.seed,
    ...site,
    newSource: image !== undefined,
    plan: planWay(site),
    number,
    outputPath: output ?? files.statePath(names.output(kind)),
  };
}

function checkSameSize(kind: MoveKind, has: Geometry, wants: Geometry): void {
  if (has.width === wants.width && has.height === wants.height) return;
  throw conflict(
    "geometry_changed",
    `Cannot start a ${kind}: the size is ${wants.width}x${wants.height}, but the current world has ` +
      `${has.width}x${has.height}; omit the size, give a source image or reset the session first`,
    has.width === wants.width ? "height" : "width",
  );
}
