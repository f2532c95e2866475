/**
 * The model of a world in a tab.
 *
 * @module
 */
import type { BlockRequest, GenerateOptions } from "../../lib/models/world/world_model.ts";
import { spawnWorker } from "../../lib/platform/workers/spawn_worker.ts";
import { arworldBackend } from "../../lib/world/backends/arworld_backend.ts";
import {
  type ModelRoots,
  type ModelStart,
  readDefaults,
  readMadeFor,
  readStart,
} from "../../lib/world/protocol/model_files.ts";
import { ModelWorker } from "../../lib/world/backends/model_worker.ts";
import { MAX_GEOMETRY } from "../../lib/world/protocol/requests/move_fields.ts";
import type { Backend } from "../../lib/world/session/backend.ts";
import { fetchedFolder } from "./fetched_folder.ts";
import type { TabDevice } from "./tab_device.ts";

/** What the worker creates the model from. */
export interface TabModelSettings {
  readonly id: string;
  /** URL of a folder with `base/` and `causal/`. */
  readonly folder: string;
  readonly device: TabDevice;
}

/** A model that is not loaded yet. */
export interface TabModel {
  /** A session of its own on the one worker. */
  openBackend(): Backend;
  /** Its defaults, from its configuration. */
  roots(): Promise<ModelRoots>;
  /** What it was made for. */
  madeFor(): Promise<string | undefined>;
  /** The picture and the prompt that come with it. */
  start(): Promise<ModelStart>;
}

/** Describes the model at a URL; nothing is fetched before it is asked for. */
export function tabModel(settings: TabModelSettings, worker: URL): TabModel {
  const { id, folder } = settings;
  const base = `${folder}base`;
  const models = new ModelWorker<TabModelSettings, BlockRequest, GenerateOptions>(
    () => spawnWorker(worker, { name: "world model" }),
    settings,
  );
  // Asked for with every move, but fetched once.
  const files = fetchedFolder(new URL(folder));
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const file = await files.open(path);
    return await file?.read(0, file.size);
  };
  const readText = async (root: string, name: string): Promise<string | undefined> => {
    const bytes = await read(`${root.slice(folder.length)}/${name}`);
    return bytes && new TextDecoder().decode(bytes);
  };
  const exists = async (root: string, name: string): Promise<boolean> => await readText(root, name) !== undefined;
  return {
    openBackend: () => arworldBackend({ model: models.openChain(), early: true }),
    roots: async () => {
      const location = { id, path: `${folder}causal`, remedy: "load the page again", readText, exists };
      const defaults = await readDefaults(location, base, { unit: 32, ...MAX_GEOMETRY });
      return { id, path: location.path, basePath: base, defaults };
    },
    madeFor: () => readMadeFor({ readText }, base),
    start: () => readStart(id, base, (name) => read(`base/${name}`)),
  };
}
