/**
 * What the session says of itself: camera, counts, model, backend and the progress of its job.
 *
 * @module
 */
import type { BackendName, SessionPhase, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId, element, setText } from "../ui/dom.ts";
import { showLoading } from "../../lib/world/protocol/show_loading.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";

const PHASES: Readonly<Record<SessionPhase, string>> = {
  cold: "Not loaded, loads with the first move",
  preparing: "Loading the model",
  ready: "Ready",
  generating: "Generating",
};

const BACKENDS: Readonly<Record<BackendName, string>> = {
  arworld: "arworld, continues from its latents",
  actionworld: "actionworld, continues from its last frame",
};

/** Shows camera, counts, backend and model, as far as the backend has them. */
export function showReadouts(snapshot: WorldSnapshot): void {
  const { model, currentWorldPose: pose, generatedLatentFrameCount: made } = snapshot;
  const camera = pose && cameraWords(pose.worldToCamera);
  const rows: readonly (readonly [string, string])[] = [
    ...(camera ? [["Position", camera.position], ["View", camera.view]] as const : []),
    ["Moves", String(snapshot.transitionCount)],
    ...(made === undefined
      ? []
      : [["Latents", `${made} generated, ${snapshot.retainedLatentFrameCount ?? 0} retained`]] as const),
    ...(snapshot.sceneMemoryMode === undefined ? [] : [["Memory", memoryWords(snapshot)]] as const),
    ["Backend", BACKENDS[snapshot.backend]],
    ["Model", model.id],
    ...(model.madeFor === undefined ? [] : [["Made for", `${model.madeFor} only`]] as const),
    ["Device", model.dtype === "auto" ? model.device : `${model.device}, ${model.dtype}`],
    ["Phase", PHASES[snapshot.phase]],
  ];
  const list = byId("readouts", HTMLElement);
  const names = [...list.querySelectorAll("dt")].map((dt) => dt.textContent);
  if (names.join() !== rows.map(([name]) => name).join()) {
    list.replaceChildren(...rows.map(([name]) => element("div", {}, element("dt", {}, name), element("dd"))));
  }
  for (const [i, dd] of [...list.querySelectorAll("dd")].entries()) setText(dd, rows[i][1]);
}

function memoryWords(snapshot: WorldSnapshot): string {
  if (snapshot.sceneMemoryMode === "disabled") return "Off";
  const { sceneMemoryFrameCount: stored = 0, sceneMemoryRetrievalCount: recalled = 0 } = snapshot;
  return `${stored} stored, ${recalled} recalled, ${snapshot.sceneMemoryRecycledFrameCount ?? 0} restored`;
}

/** Shows the backend, and only the parts of the page that it supports: see `data-only` in the document. */
export function showBackend({ backend, model }: WorldSnapshot): void {
  setText(byId("model", HTMLElement), `${model.id}, an ${backend}`);
  for (const part of document.querySelectorAll<HTMLElement>("[data-only]")) {
    part.hidden = (part.dataset["only"] as BackendName) !== backend;
  }
}

/** The position and view of a camera as text. */
interface CameraWords {
  readonly position: string;
  readonly view: string;
}

/**
 * Describes a world-to-camera matrix: the camera is at `-Rᵀt` and looks along the third row of `R`; the axes of the
 * world are right, down and forward.
 *
 * @param matrix 16 numbers, row-major
 */
export function cameraWords(matrix: readonly number[]): CameraWords {
  const row = (i: number): readonly number[] => matrix.slice(4 * i, 4 * i + 3);
  const [x, y, z] = [0, 1, 2].map((axis) => -[0, 1, 2].reduce((sum, i) => sum + row(i)[axis] * matrix[4 * i + 3], 0));
  const [right, down, forward] = row(2);
  const yaw = degrees(Math.atan2(right, forward));
  const pitch = degrees(Math.asin(Math.max(-1, Math.min(1, -down))));
  return {
    position: list([
      sided(z, 2, "", "ahead", "behind"),
      sided(x, 2, "", "right", "left"),
      sided(-y, 2, "", "up", "down"),
    ], "At the start"),
    view: list([sided(yaw, 1, "°", "right", "left"), sided(pitch, 1, "°", "up", "down")], "Straight ahead"),
  };
}

function sided(value: number, digits: number, unit: string, positive: string, negative: string): string | undefined {
  const size = Math.abs(value).toFixed(digits);
  return Number(size) === 0 ? undefined : `${size}${unit} ${value > 0 ? positive : negative}`;
}

function list(parts: readonly (string | undefined)[], none: string): string {
  return parts.filter((part) => part !== undefined).join(", ") || none;
}

function degrees(radians: number): number {
  return radians * 180 / Math.PI;
}

const STAGES: Readonly<Record<string, string>> = {
  preparing: "Loading the model",
  denoising: "Imagining",
  decoding: "Painting",
  replaying: "Walking back",
  saving: "Saving",
};

/** Shows the progress of the job. */
export function showJob({ status, progress }: JobRecord): void {
  const isOver = status === "completed" || status === "cancelled" || status === "failed";
  const { bytesRead: read = 0, bytesTotal: total } = progress ?? {};
  const fraction = isOver ? 0 : total === undefined ? progress?.fraction ?? 0 : read / total;
  const stage = status === "cancelling" ? "Stopping" : progress ? STAGES[progress.stage] ?? progress.stage : "Waiting";
  byId("progress", HTMLProgressElement).value = fraction;
  byId("job", HTMLElement).classList.toggle("busy", !isOver);
  byId("cancel", HTMLButtonElement).disabled = isOver;
  const done = showLoading(progress) ?? `${Math.round(100 * fraction)} %`;
  setText(byId("job-text", HTMLElement), isOver ? "No move is running" : `${stage}, ${done}`);
}

/** Disables the stop button while no job runs. */
export function showIdle({ activeJob }: WorldSnapshot): void {
  if (!activeJob) byId("cancel", HTMLButtonElement).disabled = true;
}
