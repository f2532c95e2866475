/**
 * Worlds that were pulled into the store.
 *
 * @module
 */
import { readFile, rm } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import type { StoreLayout } from "../store_layout.ts";
import { catalogWorld, WORLD_CATALOG } from "./world_catalog.ts";

/** In the folder of a pulled world; written last. */
export const WORLD_RECORD = "svc-world.json";

/** A world in the store. */
export interface PulledWorld {
  readonly id: string;
  readonly kind: "arworld" | "actionworld";
  readonly folder: string;
  readonly bytes: number;
  /** Where its parts came from, such as `nvidia/Cosmos3-Edge@6f58f6b`, and under which licenses. */
  readonly sources: readonly { readonly repository: string; readonly revision: string; readonly license?: string }[];
}

/** The pulled world of this id; undefined when there is none. */
export async function pulledWorld(layout: StoreLayout, id: string): Promise<PulledWorld | undefined> {
  if (!catalogWorld(id)) return undefined;
  const folder = layout.world(id);
  try {
    const record = JSON.parse(new TextDecoder().decode(await readFile(join(folder, WORLD_RECORD))));
    return { ...record, id, folder };
  } catch {
    return undefined;
  }
}

/** All pulled worlds. */
export async function pulledWorlds(layout: StoreLayout): Promise<readonly PulledWorld[]> {
  const found = await Promise.all(WORLD_CATALOG.map(({ id }) => pulledWorld(layout, id)));
  return found.filter((world) => world !== undefined);
}

/** Removes a pulled world. */
export async function removeWorld({ folder }: PulledWorld): Promise<void> {
  await rm(join(folder, WORLD_RECORD), { force: true });
  await rm(folder, { recursive: true, force: true });
}
