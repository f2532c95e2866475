/**
 * A dataset of rollouts as a client sees it.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";

/** The rollouts of a fleet under one name. */
export type RolloutDataset = ReturnType<WorldClient["rollouts"]>;

/** A rollout that has come to its end. */
export type EndedRollout = ReturnType<RolloutDataset["results"]> extends AsyncIterable<infer T> ? T : never;
