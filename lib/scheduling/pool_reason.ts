import { SvcError } from "../errors/svc_error.ts";

const reasons: readonly SvcError["code"][] = [
  "engine_crashed",
  "load_cancelled",
  "memory_pressure",
  "model_in_use",
  "model_unavailable",
  "queue_full",
  "server_stopping",
];

/** Whether an error is the pool's own, and not what an engine has failed with. */
export function isPoolReason(error: unknown): error is SvcError {
  return error instanceof SvcError && reasons.includes(error.code);
}
