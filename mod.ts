/**
 * Generated worlds and local models on whatever GPU you own, or on none.
 *
 * {@linkcode openWorld} opens a world in this process and {@linkcode openModels} the installed models;
 * {@linkcode startWorldServer} and {@linkcode startModelServer} serve them over HTTP, {@linkcode pullModel} installs a
 * model. Importing this module loads none of that: each function loads its part when it is called. Other entry points:
 * `./client` (the client of a world server, browsers included), `./world` (sessions of your own), `./http` (handlers),
 * `./media` (images and video), `./compute` (graphs and devices) and `./manifest` (provider manifests).
 *
 * @example Walk through the embedded corridor
 * ```ts
 * import { openWorld } from "@svc/sdk";
 *
 * await using world = await openWorld({ device: "cpu" });
 * for await (const block of world.walk(["w"])) {
 *   console.assert(block.frames.count === 9);
 * }
 * ```
 *
 * @module
 */
import type { PulledModel, PullModelOptions } from "./lib/store/pull_by_name.ts";
import type { Models } from "./lib/app/models/models.ts";
import type { OpenModelsOptions } from "./lib/app/models/open_models.ts";
import type { ModelServer, ModelServerOptions } from "./lib/app/models/start_model_server.ts";
import type { OpenWorldOptions } from "./lib/app/world/open_world.ts";
import type { WorldServer, WorldServerOptions } from "./lib/app/world/start_world_server.ts";
import type { World } from "./lib/world/host/world.ts";

export { errorTable } from "./lib/errors/error_table.ts";
export { type ErrorObject, SvcError } from "./lib/errors/svc_error.ts";
export { FolderLockedError, PermitsRefusedError, UsageError } from "./lib/errors/option_error.ts";
export type { ErrorCode, FieldErrorCode } from "./lib/errors/error_table.ts";
export type { ErrorType } from "./lib/errors/error_row.ts";
export type { EmbeddingList, RerankList } from "./lib/api/service/text/text_services.ts";
export type { ChatChunk, ChatCompletion, FinishReason } from "./lib/protocol/chat/chat_wire.ts";
export type { GeneratedImage } from "./lib/protocol/images/image_answer.ts";
export type {
  ChatBody,
  EmbeddingBody,
  ImageBody,
  RerankBody,
  SpeechBody,
  TranscriptionBody,
  VisionBodies,
} from "./lib/app/models/model_bodies.ts";
export type {
  Speech,
  SpeechChunk,
  Transcription,
  TranscriptionChunk,
  VisionFile,
  VisionResult,
} from "./lib/app/models/model_results.ts";
export type { LocalModel, ModelCallOptions, Models } from "./lib/app/models/models.ts";
export type { ModelApiSettings } from "./lib/app/models/open_model_api.ts";
export type { DeviceChoice } from "./lib/compute/device/open_device.ts";
export type { Log } from "./lib/platform/processes/log.ts";
export type { SessionLimits } from "./lib/world/session/session_options.ts";
export type { SceneMemoryOptions } from "./lib/world/protocol/scene_memory_policy.ts";
export type { MoveOptions, WalkedBlock, WalkOptions, World, WorldMove } from "./lib/world/host/world.ts";
export type {
  ModelServer,
  ModelServerOptions,
  OpenModelsOptions,
  OpenWorldOptions,
  PulledModel,
  PullModelOptions,
  WorldServer,
  WorldServerOptions,
};

/**
 * Opens a world in this process; model and video encoder run in workers of their own. By default it is the embedded
 * corridor, which needs no download.
 *
 * @throws {RangeError} when a size, a rate, the seed or a number of scene memory is out of range
 * @throws {UsageError} when options do not go together or do not fit the model
 * @throws {Error} when the image cannot be read or the model is missing or damaged; the message names what and where
 *
 * @example
 * ```ts
 * import { openWorld } from "@svc/sdk";
 *
 * await using world = await openWorld({ device: "cpu" });
 * await world.move("w", { frames: 9 });
 * const { receipt } = await world.back();
 * console.assert(receipt.replayed);
 * ```
 */
export async function openWorld(options: OpenWorldOptions = {}): Promise<World> {
  return await (await import("./lib/app/world/open_world.ts")).openWorld(options);
}

/**
 * Opens the installed models in this process: chats, embeddings, reranking, images, speech, transcriptions and vision as
 * the model API server has them, each model in a child process.
 *
 * @throws {UsageError} when the options contradict each other, or `model` is not installed or not served.
 * @throws {PermitsRefusedError} when there is too little memory, or another process held the machine for too long.
 * @throws {SvcError} when `model` cannot be loaded.
 *
 * @example
 * ```ts
 * import { openModels } from "@svc/sdk";
 *
 * await using models = await openModels({ memoryGuard: { tier: "off" } });
 * const prompt = "a blue corridor with red doors, bright";
 * const { png } = await models.image({ model: "image-corridor-nano", prompt, size: "192x128", steps: 4 });
 * console.assert(png.length > 0);
 * ```
 */
export async function openModels(options: OpenModelsOptions = {}): Promise<Models> {
  return await (await import("./lib/app/models/open_models.ts")).openModels(options);
}

/**
 * Starts a world server, as `svc world serve` does.
 *
 * @throws {UsageError} when `model` needs a base or `encoder` is unknown.
 * @throws {FolderLockedError} when another server uses the state directory.
 * @throws {Error} when the port is taken, and what preparing throws, if it is asked for.
 *
 * @example
 * ```ts ignore
 * import { startWorldServer } from "@svc/sdk";
 *
 * const server = await startWorldServer({ port: 0 });
 * console.log(server.url);
 * await server.close();
 * ```
 */
export async function startWorldServer(options: WorldServerOptions = {}): Promise<WorldServer> {
  return await (await import("./lib/app/world/start_world_server.ts")).startWorldServer(options);
}

/**
 * Starts a model API server, as `svc api serve` does.
 *
 * @param signal Gives up the start.
 * @throws {UsageError} when the options contradict each other, or `model` is not installed or not served.
 * @throws {PermitsRefusedError} when there is too little memory, or another process held the machine for too long.
 * @throws {Error} when the port is taken, and what loading throws.
 *
 * @example
 * ```ts ignore
 * import { startModelServer } from "@svc/sdk";
 *
 * const server = await startModelServer({ model: "qwen3-0.6b", port: 0 });
 * console.log(`${server.url}/v1`);
 * await server.close();
 * ```
 */
export async function startModelServer(options: ModelServerOptions = {}, signal?: AbortSignal): Promise<ModelServer> {
  return await (await import("./lib/app/models/start_model_server.ts")).startModelServer(options, signal);
}

/**
 * Installs a model: an id of the catalog such as `qwen3-0.6b`, or a repository of the Hugging Face hub; or a published
 * world (`dreamx-5b`, `cosmos3-edge`). An interrupted download resumes; what is installed already is returned as it is.
 *
 * @throws {SvcError} `model_not_found`, `license_not_accepted`, `repository_unavailable`, `disk_full` and others.
 *
 * @example
 * ```ts ignore
 * import { pullModel } from "@svc/sdk";
 * const { id } = await pullModel("qwen3-0.6b");
 * ```
 */
export async function pullModel(name: string, options: PullModelOptions = {}): Promise<PulledModel> {
  return await (await import("./lib/store/pull_by_name.ts")).pullModel(name, options);
}
