/**
 * What a move counts of a quota.
 *
 * @module
 */
import { plannedFrames } from "../../lib/world/protocol/requests/rollout_request.ts";

/** Pictures that one move may have: those of a rollout that names no length. */
const PICTURES = plannedFrames(21);

/** Bytes of a body that is looked into; a longer one is refused by the worker. */
const MAX_BODY = 2 ** 20;

/** How many moves a request counts as: one for every {@linkcode PICTURES} pictures that it begins. */
export function costOfMove(kind: "transition" | "rollout", body: Uint8Array): number {
  if (body.length > MAX_BODY) return 1;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return 1; // the worker says what is wrong with it
  }
  const field = kind === "rollout" ? "num_output_frames" : "num_frames";
  const given = (value as Record<string, unknown> | null)?.[field];
  if (typeof given !== "number" || !(given > 0) || given > 1e6) return 1;
  return Math.ceil((kind === "rollout" ? plannedFrames(given) : given) / PICTURES);
}
