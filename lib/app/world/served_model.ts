/**
 * The model behind a world server: its location, its kind, its worker.
 *
 * @module
 */
import { locateActionworld, locateModel, type ModelChoice } from "./model_location.ts";
import type { ModelSettings } from "./model_settings.ts";
import { openClipModel } from "./open_clip_model.ts";
import type { DeviceChoice } from "./open_device.ts";
import { openWorldModel } from "./open_world_model.ts";
import { actionworldBackend } from "../../world/backends/actionworld_backend.ts";
import { inspectActionworldRoot } from "../../world/backends/actionworld_root.ts";
import { arworldBackend } from "../../world/backends/arworld_backend.ts";
import type { Backend } from "../../world/session/backend.ts";
import type { ModelFolder, ModelRoots } from "../../world/protocol/model_files.ts";
import { inspectModelRoots } from "../../world/backends/model_roots.ts";
import type { BackendName, ModelRecord, SceneMemoryPolicyRecord } from "../../world/protocol/wire.ts";

/** Which model to serve, and how. */
export interface ServedModelOptions extends ModelChoice {
  readonly backend?: BackendName | undefined;
  readonly device: DeviceChoice;
  readonly threads?: number | undefined;
  readonly sceneMemory?: SceneMemoryPolicyRecord | undefined;
}

/** A model of any kind that is not loaded yet. */
export interface ServedModel {
  readonly backend: Backend;
  readonly record: ModelRecord;
  readonly location: ModelFolder;
  readonly roots: () => Promise<ModelRoots>;
  /** Stops its worker at once. */
  readonly terminate: () => Promise<void>;
}

/**
 * Locates the model and prepares its worker.
 *
 * @throws {UsageError} when the folders do not match the kind of model.
 */
export async function openServedModel(options: ServedModelOptions): Promise<ServedModel> {
  const { backend = "arworld", device, threads, sceneMemory } = options;
  const settings = (id: string): ModelSettings => ({ id, device, ...(threads !== undefined && { threads }) });
  const record = { device, dtype: "auto" };
  if (backend === "actionworld") {
    const location = locateActionworld(options);
    const { id, path } = location;
    const model = openClipModel({ ...settings(id), path });
    return {
      backend: actionworldBackend({ model }),
      record: { id, path, ...record },
      location,
      roots: () => inspectActionworldRoot(location),
      terminate: () => model.terminate(),
    };
  }
  const location = await locateModel(options);
  const { id, path, basePath } = location;
  const model = openWorldModel({ ...settings(id), path, basePath });
  return {
    backend: arworldBackend({ model, sceneMemory }),
    record: { id, path, base_path: basePath, ...record },
    location,
    roots: () => inspectModelRoots(location),
    terminate: () => model.terminate(),
  };
}
