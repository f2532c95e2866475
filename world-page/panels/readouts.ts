import type { BackendName, SessionPhase, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { cameraWords } from "./camera_words.ts";
import { byId, element, setText } from "../ui/dom.ts";

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
  const { model, current_world_pose: pose, generated_latent_frame_count: made } = snapshot;
  const camera = pose && cameraWords(pose.world_to_camera);
  const rows: readonly (readonly [string, string])[] = [
    ...(camera ? [["Position", camera.position], ["View", camera.view]] as const : []),
    ["Moves", String(snapshot.transition_count)],
    ...(made === undefined
      ? []
      : [["Latents", `${made} generated, ${snapshot.retained_latent_frame_count ?? 0} retained`]] as const),
    ...(snapshot.scene_memory_mode === undefined ? [] : [["Memory", memoryWords(snapshot)]] as const),
    ["Backend", BACKENDS[snapshot.backend]],
    ["Model", model.id],
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
  if (snapshot.scene_memory_mode === "disabled") return "Off";
  const { scene_memory_frame_count: stored = 0, scene_memory_retrieval_count: recalled = 0 } = snapshot;
  return `${stored} stored, ${recalled} recalled, ${snapshot.scene_memory_recycled_frame_count ?? 0} restored`;
}
