import { showLoading } from "../../lib/world/protocol/show_loading.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId, setText } from "../ui/dom.ts";

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
  const { bytes_read: read = 0, bytes_total: total } = progress ?? {};
  const fraction = isOver ? 0 : total === undefined ? progress?.fraction ?? 0 : read / total;
  const stage = status === "cancelling" ? "Stopping" : progress ? STAGES[progress.stage] ?? progress.stage : "Waiting";
  byId("progress", HTMLProgressElement).value = fraction;
  byId("job", HTMLElement).classList.toggle("busy", !isOver);
  byId("cancel", HTMLButtonElement).disabled = isOver;
  const done = showLoading(progress) ?? `${Math.round(100 * fraction)} %`;
  setText(byId("job-text", HTMLElement), isOver ? "No move is running" : `${stage}, ${done}`);
}

/** Disables the stop button while no job runs. */
export function showIdle({ active_job }: WorldSnapshot): void {
  if (!active_job) byId("cancel", HTMLButtonElement).disabled = true;
}
