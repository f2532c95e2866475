/**
 * Puts the model API together without HTTP: store, machine, engines, scheduler.
 *
 * @module
 */
import { checkAdapter } from "../../compute/device/open_device.ts";
import type { ReadImage } from "../../api/service/chat_images.ts";
import { ModelApi } from "../../api/service/model_api.ts";
import { sweepWorkFolders } from "../../platform/files/work_folder.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";
import { systemClock } from "../../platform/machine/system_clock.ts";
import { createLog, type Log } from "../../platform/processes/log.ts";
import { gpuMemory } from "../../platform/machine/gpu_memory.ts";
import { machineState } from "../../platform/machine/machine_state.ts";
import { processTelemetry } from "../../platform/processes/process_telemetry.ts";
import { openLocalModel } from "../../store/local_model.ts";
import { openModelStore } from "../../store/model_store.ts";
import type { RunRecorders } from "../run_records/run_record_folder.ts";
import { DEFAULT_CONTEXT_SIZE } from "./api_defaults.ts";
import type { ENGINE_IDS } from "../../engines/contract/engine_ids.ts";
import { engineStarter } from "./engine/engine_starter.ts";
import { reserveMachine } from "./machine_reservation.ts";
import { openImageFiles } from "./image_files.ts";
import { withEmbeddedModels } from "./embedded_models.ts";
import { chooseStartupModel, type StartupModel } from "./startup_model.ts";
import { openArtifactStore, uploadInspector } from "./vision_files.ts";
import { openFileReader } from "../../platform/files/read_part.ts";

/** Requests that may be queued. */
const MAX_QUEUED_REQUESTS = 1024;

/** How models are served, over HTTP or in this process. */
export interface ModelApiSettings {
  /** The model that answers requests which name none: an id, an alias, a folder or a GGUF file. */
  readonly model?: string | undefined;
  /** The engine that it must run on. */
  readonly engine?: typeof ENGINE_IDS["chat" | "embedding" | "rerank"][number] | undefined;
  /** Path of an adapter in GGUF for it. */
  readonly lora?: string | undefined;
  /** Whether its key-value state is kept in 2 bits. */
  readonly packedKv?: boolean | undefined;
  /** How much memory models may take; `balanced` by default. */
  readonly memoryGuard?: {
    readonly tier: "off" | "safe" | "balanced" | "aggressive" | "custom";
    /** Bytes; `custom` only. */
    readonly customCeilingBytes?: number;
  } | undefined;
  /** Requests that are worked on at a time; 1 by default. */
  readonly maxActiveRequests?: number | undefined;
  /** Tokens of a prompt with its answer, at most; 32,768 by default. */
  readonly contextSize?: number | undefined;
  /** Whether the store of models is shared, and nothing in it is written, locked or deleted. */
  readonly readOnlyStore?: boolean | undefined;
  /** Device of the models, such as `cpu`; the best available by default. */
  readonly device?: string | undefined;
  /** The GPU of images and vision where there are several: a part of its name, or its number as `svc doctor` lists them. */
  readonly adapter?: string | undefined;
  /** Threads per engine. */
  readonly threads?: number | undefined;
  /** Seconds to wait for other processes that hold this machine's permits; 600 by default, 0 not to wait. */
  readonly maxWaitSeconds?: number | undefined;
  /** Whether that includes servers, which run until their user ends them; a server does by default, a program not. */
  readonly waitForServers?: boolean | undefined;
  /** Receives log lines; stderr by default. */
  readonly log?: Log | undefined;
  /** Called with sentences for people about what the start waits for. */
  readonly notify?: ((sentence: string) => void) | undefined;
  /** Called on progress of a model's load, from 0 to 1. */
  readonly onLoad?: ((model: string, fraction: number) => void) | undefined;
}

/** What differs between a server and a program. */
interface ModelApiAccess {
  /** What the machine's permits are held for, such as `api serve`. */
  readonly label: string;
  readonly readImage: ReadImage;
  /** Resolves a model folder that a request names. */
  readonly checkPath: (path: string) => Promise<string>;
  /** What keeps records of operations. */
  readonly records?: RunRecorders;
}

/** A model API that is ready; its first model is not loaded yet. */
export interface OpenedModelApi {
  readonly api: ModelApi;
  readonly startup: StartupModel | undefined;
  /** Loads the startup model. One that was chosen for lack of another may fail without ending the start. */
  preload(signal: AbortSignal): Promise<void>;
  /** Lets requests that run end until `deadline` aborts, then ends all engines. */
  close(deadline: AbortSignal): Promise<void>;
}

/**
 * Waits for this process's share of the machine and opens the installed models.
 *
 * @param signal Gives up.
 * @throws {UsageError} when the options contradict each other or name a missing model.
 * @throws {PermitsRefusedError} when there is too little memory, or another process held the machine for too long.
 */
export async function openModelApi(
  options: ModelApiSettings,
  { label, readImage, checkPath, records }: ModelApiAccess,
  signal: AbortSignal,
): Promise<OpenedModelApi> {
  const { contextSize = DEFAULT_CONTEXT_SIZE, memoryGuard: guard = { tier: "balanced" } } = options;
  const { maxActiveRequests = 1, log = createLog(), notify = () => {} } = options;
  await checkAdapter(options.adapter, options.device);
  await sweepWorkFolders();
  const store = openModelStore(undefined, options.readOnlyStore || undefined);
  const { catalog, startup, hint } = await chooseStartupModel(withEmbeddedModels(store), options);
  if (hint !== undefined) notify(hint);
  const { maxWaitSeconds, waitForServers } = options;
  const reserve = { label, guard, notify, maxWaitSeconds, waitForServers, modelBytes: startup?.model.bytes };
  const permits = await reserveMachine(reserve, signal);
  const engines = engineStarter({
    device: options.device ?? "auto",
    adapter: options.adapter,
    threads: options.threads,
    contextSize,
    concurrency: maxActiveRequests,
    startup,
    log,
    onLoad: options.onLoad ?? (() => {}),
  });
  const images = openImageFiles(systemClock);
  const telemetry = processTelemetry();
  let gpuBytes: number | undefined;
  // The driver's tool takes a moment, which nobody waits for.
  void gpuMemory().then((bytes) => gpuBytes = bytes, () => {});
  const api = new ModelApi({
    catalog,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    guard,
    probe: memoryProbe(engines.processes),
    deviceBytes: () => options.device === "cpu" ? undefined : gpuBytes,
    maxActiveRequests,
    maxQueuedRequests: MAX_QUEUED_REQUESTS,
    contextSize,
    ...startup && { startupModel: startup.model.id },
    ...startup?.model.profile?.kind === "chat" && { defaultModel: startup.model.id },
    startChat: engines.startChat,
    startLaneEngine: engines.startLaneEngine,
    readImage,
    openLocalModel: async (path) => await openLocalModel(await checkPath(path)),
    checkSound,
    ...records && { records },
    vision: {
      files: uploadInspector,
      artifacts: await openArtifactStore(systemClock, () => crypto.randomUUID()),
    },
    images,
    process: () => ({
      ...telemetry(),
      ...machineState(),
      ...gpuBytes === undefined ? {} : { gpuMemoryBytes: gpuBytes },
    }),
  });
  return {
    api,
    startup,
    async preload(signal) {
      if (!startup) return;
      try {
        await api.preload(startup.model, signal);
      } catch (error) {
        signal.throwIfAborted();
        log("error", "model_load_failed", { model: startup.model.id, error });
        if (startup.named) throw error;
        notify(error instanceof Error ? error.message : String(error));
      }
    },
    async close(deadline) {
      await api.close(deadline);
      await images.close();
      await permits.release();
    },
  };
}

/**
 * Looks at the first bytes of a file.
 *
 * @throws {SvcError} `audio_unsupported` when it is not a sound file; the message says what it is.
 */
export async function checkSound(path: string): Promise<void> {
  const { recogniseSound } = await import("../../media/audio/decoding/open_audio.ts");
  const file = await openFileReader(path);
  try {
    await recogniseSound(file);
  } finally {
    await file.close();
  }
}
