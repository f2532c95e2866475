/**
 * Published worlds in the list of models.
 *
 * @module
 */
import { showBytes } from "../../lib/errors/show.ts";
import type { PulledWorld } from "../../lib/store/worlds/pulled_worlds.ts";
import { WORLD_CATALOG } from "../../lib/store/worlds/world_catalog.ts";

/** A line for every world, pulled or not. */
export function worldLines(pulled: readonly PulledWorld[]): string[] {
  const lines = WORLD_CATALOG.map(({ id, bytes, about }) => {
    const here = pulled.find((world) => world.id === id);
    const state = here ? `pulled, ${showBytes(here.bytes)}` : `svc model pull ${id} (${showBytes(bytes)})`;
    return `${id}  ${about}: ${state}`;
  });
  return ["", "Worlds for svc world serve --model ID", ...lines];
}
