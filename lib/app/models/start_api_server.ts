/**
 * Puts a model API server together: store, machine, engines, pool, HTTP.
 *
 * @module
 */
import { ModelApi } from "../../api/service/model_api.ts";
import { AccessPolicy } from "../../http/access_policy.ts";
import { createApiApp } from "../../api/http/api_app.ts";
import type { AnswerRecord } from "../../http/router.ts";
import type { GuardSettings } from "../../api/scheduler/mod.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import { chatImageFiles } from "./chat_image_files.ts";
import { listen, type Listening } from "../../platform/sockets/listen.ts";
import { createLog, type Log } from "../../platform/processes/log.ts";
import { reserveMachine } from "./machine_reservation.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";
import { openLocalModel } from "../model_store/local_model.ts";
import { openModelStore } from "../model_store/model_store.ts";
import { pathPolicy } from "../../platform/files/path_policy.ts";
import { processTelemetry } from "../../platform/processes/process_telemetry.ts";
import { systemClock } from "../../platform/machine/system_clock.ts";
import { VERSION } from "../../platform/processes/version.ts";
import { DEFAULT_CONTEXT_SIZE } from "./api_defaults.ts";
import { engineStarter } from "./engine_starter.ts";
import { openRunRecords, type RunRecordFolders } from "./run_records.ts";
import { chooseStartupModel, type StartupChoice, type StartupModel } from "./startup_model.ts";

/** How long open responses may take to end, in milliseconds. */
const GRACE = 5000;

/** Requests that may wait for their turn. */
const MAX_QUEUED_REQUESTS = 1024;

/** Settings of a model API server; what is left out is as the command line has it by default. */
export interface ApiServerOptions extends StartupChoice, RunRecordFolders {
  readonly host?: string | undefined;
  /** 0 for any free port. */
  readonly port?: number | undefined;
  readonly apiKey?: string | undefined;
  readonly allowOrigins?: readonly string[] | undefined;
  readonly allowPaths?: readonly string[] | undefined;
  readonly rateLimitPerMinute?: number | undefined;
  readonly memoryGuard?: GuardSettings | undefined;
  /** Requests that are worked on at a time. */
  readonly maxActiveRequests?: number | undefined;
  /** Tokens of a prompt with its answer, at most. */
  readonly contextSize?: number | undefined;
  /** Where models run, such as `cpu`; the best that works by default. */
  readonly device?: string | undefined;
  /** Threads of each engine. */
  readonly threads?: number | undefined;
  readonly log?: Log | undefined;
  /** Hears sentences for people about what the start waits for. */
  readonly tell?: ((sentence: string) => void) | undefined;
  /** Hears of the load of the first model, from 0 to 1. */
  readonly onLoad?: ((model: string, fraction: number) => void) | undefined;
}

/** A model API server that listens. */
export interface ApiServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Id of the model that answers requests which name none. */
  readonly model: string | undefined;
  /** Stops accepting, lets open responses finish for 5 s, ends all engines. */
  close(): Promise<void>;
}

/**
 * Starts a model API server: waits for its share of the machine, listens, loads the first model.
 *
 * @param signal Gives up the start.
 * @throws {UsageError} when the options do not go together or name a model that is not there.
 * @throws {PermitsRefusedError} when there is too little memory, and what loading and listening throw.
 */
export async function startApiServer(
  options: ApiServerOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ApiServer> {
  const { host = "127.0.0.1", port = 8080, log = createLog(), tell = () => {} } = options;
  const { contextSize = DEFAULT_CONTEXT_SIZE, memoryGuard: guard = { tier: "balanced" } } = options;
  const { maxActiveRequests = 1, rateLimitPerMinute = 60 } = options;
  const { catalog, startup, hint } = await chooseStartupModel(openModelStore(), options);
  for (const note of [...await openRunRecords(options), ...hint === undefined ? [] : [hint]]) tell(note);
  const permits = await reserveMachine({ label: "api serve", guard, tell }, signal);
  const engines = engineStarter({
    device: options.device ?? "auto",
    threads: options.threads,
    contextSize,
    concurrency: maxActiveRequests,
    startup,
    log,
    onLoad: options.onLoad ?? (() => {}),
  });
  const newId = (): string => crypto.randomUUID();
  const policy = pathPolicy([".", appDirectory(), ...options.allowPaths ?? []]);
  const api = new ModelApi({
    catalog,
    clock: systemClock,
    newId,
    guard,
    probe: memoryProbe(engines.processes),
    maxActiveRequests,
    maxQueuedRequests: MAX_QUEUED_REQUESTS,
    contextSize,
    ...startup && { defaultModel: startup.model.id },
    startChat: engines.startChat,
    startSidecar: engines.startSidecar,
    readImage: chatImageFiles(policy),
    openLocalModel: async (path) => await openLocalModel(await policy.check(path)),
    process: processTelemetry(),
  });
  const access = new AccessPolicy({ apiKey: options.apiKey, allowOrigins: options.allowOrigins ?? [] });
  const onError = (error: unknown, request: { id: string; method: string; path: string }) =>
    log("error", "request_failed", { request_id: request.id, method: request.method, path: request.path, error });
  const onAnswer = ({ requestId, method, path, status, duration }: AnswerRecord) =>
    log("info", "request", { method, path, status, ms: duration.toFixed(1), request_id: requestId });
  const app = createApiApp({
    api,
    access,
    version: VERSION,
    newId,
    rateLimitPerMinute,
    clock: systemClock,
    onError,
    onAnswer,
  });
  let server: Listening | undefined;
  const close = async (grace: number): Promise<void> => {
    // Requests that are cut off still tell so before their connections are.
    const deadline = AbortSignal.timeout(Math.max(0, grace - 500));
    await Promise.all([server?.close(grace), api.close(deadline)]);
    await permits.release();
  };
  try {
    // It listens first: a port that is taken shows before the load, and requests wait for its end like the start does.
    server = await listen(app, { host, port });
    if (startup) await preload(api, startup, { signal, tell, log });
    return { url: server.url, model: startup?.model.id, close: () => close(GRACE) };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** A model that was chosen for lack of another must not keep the server from serving others. */
async function preload(
  api: ModelApi,
  { model: { id }, named }: StartupModel,
  { signal, tell, log }: {
    readonly signal: AbortSignal;
    readonly tell: (sentence: string) => void;
    readonly log: Log;
  },
): Promise<void> {
  try {
    await api.load(id, signal);
  } catch (error) {
    signal.throwIfAborted();
    log("error", "model_load_failed", { model: id, error });
    if (named) throw error;
    tell(error instanceof Error ? error.message : String(error));
  }
}
