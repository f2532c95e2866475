/**
 * Puts a model API server together without listening.
 *
 * @module
 */
import { createApiApp } from "../../api/http/api_app.ts";
import { AccessPolicy } from "../../http/access_policy.ts";
import { type AnswerRecord, type Handler, logAnswer } from "../../http/router.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import { openFile } from "../../platform/files/open_file.ts";
import { pathPolicy } from "../../platform/files/path_policy.ts";
import { openSpool } from "../../platform/files/spool.ts";
import { makeUploadFolder } from "../../platform/files/upload_folder.ts";
import { systemClock } from "../../platform/machine/system_clock.ts";
import { createLog } from "../../platform/processes/log.ts";
import { VERSION } from "../../platform/processes/version.ts";
import { chatImageFiles } from "./chat_image_files.ts";
import { SERVER_LABEL } from "./machine_reservation.ts";
import { type ModelApiSettings, openModelApi } from "./open_model_api.ts";
import { modelPage } from "./model_page.ts";
import { openRunRecords } from "../run_records/run_record_folder.ts";

/** Settings of a model API server; the defaults are those of `svc api serve`. */
export interface ModelHandlerOptions extends ModelApiSettings {
  /** What other processes that wait for the machine see; `api serve` by default. */
  readonly label?: string | undefined;
  /** Folder for records of image requests; none are kept by default. */
  readonly imageRunRecords?: string | undefined;
  /** Folder for records of transcriptions; none are kept by default. */
  readonly transcriptionRunRecords?: string | undefined;
  /** Key that clients have to send; none by default. */
  readonly apiKey?: string | undefined;
  /** Origins besides loopback that browsers may call from. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Folders besides the working and state directories that requests may name files in. */
  readonly allowPaths?: readonly string[] | undefined;
  /** Inference requests per minute and client; 60 where there is a key, else as many as come. */
  readonly rateLimitPerMinute?: number | undefined;
}

/** A {@linkcode Handler} of a model API server. */
export interface ModelHandler extends Handler {
  /** Id of the model that answers requests without one. */
  readonly model: string | undefined;
  /** Loads that model. */
  preload(signal: AbortSignal): Promise<void>;
  /** Lets requests that run end until `deadline` aborts, at once by default, and ends all engines. */
  close(deadline?: AbortSignal): Promise<void>;
}

/**
 * Opens a model API server that does not listen: requests are given to {@linkcode Handler.fetch}.
 *
 * @param signal Gives up waiting for this process's share of the machine.
 * @throws {UsageError} when the options contradict each other or name a missing model.
 * @throws {PermitsRefusedError} when there is too little memory.
 */
export async function openModelHandler(
  options: ModelHandlerOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelHandler> {
  const { log = createLog() } = options;
  const records = await openRunRecords(options);
  const page = await modelPage();
  const policy = pathPolicy([".", appDirectory(), ...options.allowPaths ?? []]);
  const models = await openModelApi({ ...options, log }, {
    label: options.label ?? SERVER_LABEL,
    readImage: chatImageFiles(policy),
    checkPath: (path) => policy.check(path),
    records,
  }, signal);
  let isReady = true;
  const app = createApiApp({
    isReady: () => isReady,
    api: models.api,
    access: new AccessPolicy({ apiKey: options.apiKey, allowOrigins: options.allowOrigins ?? [] }),
    version: VERSION,
    page,
    newId: () => crypto.randomUUID(),
    rateLimitPerMinute: options.rateLimitPerMinute ?? (options.apiKey?.trim() ? 60 : undefined),
    monotonic: () => performance.now(),
    clock: systemClock,
    makeUploadFolder,
    openFile,
    openSpool,
    onError: (error, { id, method, path }) => log("error", "request_failed", { request_id: id, method, path, error }),
    onAnswer: (answer: AnswerRecord) => logAnswer(log, answer),
  });
  return {
    model: models.startup?.model.id,
    fetch: (request, peer = "127.0.0.1") => app(request, peer),
    async preload(signal) {
      isReady = false;
      await models.preload(signal);
      isReady = true;
    },
    close: (deadline = AbortSignal.abort()) => models.close(deadline),
  };
}
