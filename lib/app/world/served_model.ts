/**
 * The model behind a world server: its location, its kind, its worker.
 *
 * @module
 */
import { checkTinyDecoder, locateActionworld, locateModel, tinyNeedsArworld } from "./model_location.ts";
import { modelRoot } from "../../world/plan/model_root.ts";
import type { ModelSettings } from "../../world/host/models/model_devices.ts";
import type { DeviceChoice } from "../../compute/device/open_device.ts";
import {
  ACTIONWORLD_UNIT,
  actionworldIn,
  ARWORLD_UNIT,
  arworldIn,
  worldMemory,
} from "../../world/host/world_memory.ts";
import { openClipModels, openWorldModels } from "../../world/host/models/open_world_models.ts";
import type { WorkerListeners } from "../../world/backends/model_worker.ts";
import { actionworldBackend } from "../../world/backends/actionworld_backend.ts";
import { inspectActionworldRoot, inspectModelRoots } from "../../world/backends/model_roots.ts";
import { arworldBackend } from "../../world/backends/arworld_backend.ts";
import type { ClipOptions, ClipRequest } from "../../models/world/clip_model.ts";
import type { BlockRequest, GenerateOptions } from "../../models/world/world_model.ts";
import { largestFrames } from "../../world/session/journal/replay_limits.ts";
import type { StateFiles } from "../../world/session/journal/chain_node.ts";
import { KeptChain } from "../../world/session/journal/kept_chain.ts";
import { modelFingerprint } from "../../world/host/models/model_folder.ts";
import type { Backend } from "../../world/session/backend.ts";
import type { SessionMemory } from "../../world/session/session_memory.ts";
import { type ModelFolder, type ModelRoots, readMadeFor } from "../../world/protocol/model_files.ts";
import { type SceneMemoryOptions, sceneMemoryRules } from "../../world/protocol/scene_memory_policy.ts";
import type { BackendName, ModelRecord } from "../../world/protocol/wire.ts";

/** Which model to serve, and how. */
export interface ServedModelOptions {
  /** Id of an embedded world, or a folder: causal weights, or one with `base/` and `causal/`. */
  readonly model?: string | undefined;
  /** Folder of text encoder, autoencoder and tokenizer, when they are not beside the causal weights. */
  readonly baseModel?: string | undefined;
  /** Kind of the world model. */
  readonly backend?: BackendName | undefined;
  /** Where it runs. */
  readonly device: DeviceChoice;
  /**
   * The GPU to use where there are several: a part of its name in any case, or its number as `svc doctor` lists them.
   */
  readonly adapter?: string | undefined;
  /** CPU threads; all cores by default. */
  readonly threads?: number | undefined;
  /** What turns latents into pictures; of an arworld only. */
  readonly decoder?: "full" | "tiny" | undefined;
  /** Bytes that the process may have; all of the machine's by default. */
  readonly memoryLimit?: number | undefined;
  /**
   * Folder for kept states of an arworld that memory has no room for; the temporary one by default.
   *
   * @internal
   */
  readonly parkedStates?: string | undefined;
  /** Rules of an arworld's scene memory: the published ones by default, `false` to disable it. */
  readonly sceneMemory?: false | SceneMemoryOptions | undefined;
  /**
   * Called on calls of the model, and while it is loaded.
   *
   * @internal
   */
  readonly listeners?: WorkerListeners | undefined;
}

/** A backend, and the chain of its model. */
export interface KeptBackend {
  readonly backend: Backend;
  // deno-lint-ignore no-explicit-any -- a chain of either kind
  readonly chain: KeptChain<any, any>;
}

/** A model of any kind that is not loaded yet. */
export interface ServedModel {
  /** Kind of the world model. */
  readonly backend: Backend;
  /** The same model for one more session: worker, device and weights are shared, blocks are generated in turn. */
  openBackend(): Backend;
  /**
   * The same with a chain that outlives its process.
   *
   * @internal
   */
  openKept(files: StateFiles): KeptBackend;
  /**
   * Version of this program and a fingerprint of the weights.
   *
   * @internal
   */
  fingerprint(): Promise<string>;
  /** What the snapshot says of the model until it is loaded. */
  readonly record: ModelRecord;
  /**
   * Folders of the model.
   * @internal
   */
  readonly location: ModelFolder;
  /**
   * Plans and measures the memory of its frames.
   *
   * @internal
   */
  readonly memory: SessionMemory;
  /** Checks whether the model can be loaded. */
  readonly roots: () => Promise<ModelRoots>;
  /** Stops its worker at once, for all sessions. */
  readonly terminate: () => Promise<void>;
}

/**
 * Locates the model and prepares its worker.
 *
 * @throws {UsageError} when the folders do not match the kind of model.
 */
export async function openServedModel(options: ServedModelOptions): Promise<ServedModel> {
  const { backend = "arworld", device, adapter, threads, memoryLimit: limit, decoder, listeners } = options;
  const sceneMemory = sceneMemoryRules(options.sceneMemory);
  const settings = (id: string): ModelSettings => ({ id, device, adapter, ...(threads !== undefined && { threads }) });
  const record = { device, dtype: "auto" };
  if (backend === "actionworld") {
    if (decoder === "tiny") throw tinyNeedsArworld();
    const location = await locateActionworld(options);
    const { id, path } = location;
    const madeFor = await madeForBy(location, path);
    const models = openClipModels({ ...settings(id), path }, listeners);
    const openBackend = (): Backend => actionworldBackend({ model: models.openChain() });
    return {
      backend: openBackend(),
      openBackend,
      openKept(files) {
        const chain = new KeptChain<ClipRequest, ClipOptions>(models.openChain(), {
          files,
          largest: largestFrames("actionworld"),
        });
        return { backend: actionworldBackend({ model: chain }), chain };
      },
      fingerprint: once(() => modelFingerprint([path])),
      record: { id, path, ...record, ...madeFor },
      location,
      memory: worldMemory({ describe: actionworldIn(modelRoot(path, 0)), unit: ACTIONWORLD_UNIT, limit }),
      roots: () => inspectActionworldRoot(location),
      terminate: () => models.terminate(),
    };
  }
  const location = await locateModel(options);
  const { id, path, basePath } = location;
  const madeFor = await madeForBy(location, basePath);
  if (decoder === "tiny") await checkTinyDecoder(location);
  const { parkedStates } = options;
  const models = openWorldModels({ ...settings(id), path, basePath, decoder, parkedStates }, listeners);
  const openBackend = (): Backend => arworldBackend({ model: models.openChain(), sceneMemory });
  return {
    backend: openBackend(),
    openBackend,
    openKept(files) {
      const chain = new KeptChain<BlockRequest, GenerateOptions>(models.openChain(), {
        files,
        largest: largestFrames("arworld"),
      });
      return { backend: arworldBackend({ model: chain, sceneMemory }), chain };
    },
    fingerprint: once(() => modelFingerprint([path, basePath], decoder)),
    record: { id, path, basePath, ...record, ...madeFor },
    location,
    memory: worldMemory({
      describe: arworldIn(modelRoot(basePath, 0), modelRoot(path, 0), decoder),
      unit: ARWORLD_UNIT,
      limit,
    }),
    roots: () => inspectModelRoots(location),
    terminate: () => models.terminate(),
  };
}

/** What the snapshot says that a model was made for; a configuration that cannot be read is reported when it is loaded. */
async function madeForBy(location: ModelFolder, root: string): Promise<Pick<ModelRecord, "madeFor">> {
  const madeFor = await readMadeFor(location, root).catch(() => undefined);
  return madeFor === undefined ? {} : { madeFor };
}

/** Work that is done at most once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => done ??= work();
}
