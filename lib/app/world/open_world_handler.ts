/**
 * Puts a world server together without listening: state directory, model, media, session, routes.
 *
 * @module
 */
import { type AnswerRecord, type Handler, logAnswer } from "../../http/router.ts";
import { AccessPolicy } from "../../http/access_policy.ts";
import { createWorldApp, type WorldAppOptions } from "../../world/http/world_app.ts";
import { ENCODER_NAMES } from "../../media/video/h264.ts";
import { sessionDirectory } from "../../platform/files/app_directory.ts";
import { UsageError } from "../../platform/terminal/flags.ts";
import { rm } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { lockFolder } from "../../platform/locks/lock_file.ts";
import { createLog, type Log } from "../../platform/processes/log.ts";
import { loadLog, ModelTimes, MoveCounts } from "../../world/host/world_metrics.ts";
import { readModelStart } from "../../world/host/models/model_folder.ts";
import { checkAdapter, type DeviceChoice } from "../../compute/device/open_device.ts";
import { VERSION } from "../../platform/processes/version.ts";
import type { SceneMemoryOptions } from "../../world/protocol/scene_memory_policy.ts";
import type { BackendName } from "../../world/protocol/wire.ts";
import type { CallRecord } from "../../world/backends/model_worker.ts";
import type { WorldSession } from "../../world/session/world_session.ts";
import { type SessionLimits, sessionLimits } from "../../world/session/session_options.ts";
import { openWorlds } from "./open_worlds.ts";
import { AnswerFile } from "../../world/session/journal/answer_file.ts";
import { answersFile } from "../../world/host/journal_files.ts";
import { openServedModel, type ServedModel } from "./served_model.ts";
import type { Worlds } from "../../world/session/worlds.ts";
import { pageHtml, pageIcon, pageScript, pageStyle } from "../../../world-page/generated.ts";

/** How long a world is not used until it is parked, in milliseconds. */
const PARK_AFTER = 5 * 60_000;

/** How long the active job may take to end, in milliseconds. */
const GRACE = 5000;

/** Settings of a world server; by default they are those of the command line. */
export interface WorldHandlerOptions extends SessionLimits {
  /** Kind of world model; `arworld` by default. */
  readonly backend?: BackendName | undefined;
  /** Id of an embedded world, or a folder. */
  readonly model?: string | undefined;
  /** Folder of text encoder, autoencoder and tokenizer, when they are not beside the causal weights. */
  readonly baseModel?: string | undefined;
  /** Folder for images and videos; one below the state directory of this user by default. */
  readonly stateDirectory?: string | undefined;
  /** Loads and warms the model first; when that fails, so does the start. */
  readonly prepare?: boolean | undefined;
  /** Where it runs. */
  readonly device?: DeviceChoice | undefined;
  /** The GPU to use where there are several: a part of its name in any case, or its number as `svc doctor` lists them. */
  readonly adapter?: string | undefined;
  /** What turns latents of an arworld into pictures: `full` by default, `tiny` is fast and has less detail. */
  readonly decoder?: "full" | "tiny" | undefined;
  /** CPU threads; all cores by default. */
  readonly threads?: number | undefined;
  /** Key that clients have to send; none by default. */
  readonly apiKey?: string | undefined;
  /** Origins besides loopback that browsers may call from. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Folders besides the working and state directories that requests may name files in. */
  readonly allowPaths?: readonly string[] | undefined;
  /** Name of the only video encoder to use. */
  readonly encoder?: string | undefined;
  /** Rules of an arworld's scene memory: the published ones by default, `false` to disable it. */
  readonly sceneMemory?: false | SceneMemoryOptions | undefined;
  /** Milliseconds after which an unused world is written to the disk and its memory is freed; five minutes by default. */
  readonly parkAfter?: number | undefined;
  /** Whether worlds outlive the process, by a journal in the state directory; true by default. */
  readonly journal?: boolean | undefined;
  /** Worlds at the same time, the one that is always there included, 1 to 1000; 8 by default. */
  readonly maxWorlds?: number | undefined;
  /** Ends the start when it aborts, even while the model is being prepared. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the server may have on the CPU; frames that need more are refused. All of the machine's by default. */
  readonly memoryLimit?: number | undefined;
  /** Receives log lines; stderr by default. */
  readonly log?: Log | undefined;
}

/** A {@linkcode Handler} of a world server. */
export interface WorldHandler extends Handler {
  /** Kind of the model. */
  readonly backend: BackendName;
  /** Id of the model. */
  readonly model: string;
  /** Resolves when another server has taken over the state directory because this process stalled; close it then. */
  readonly lost: Promise<Error>;
}

/**
 * Opens a world server that does not listen: requests are given to {@linkcode Handler.fetch}.
 *
 * @throws {UsageError} when `model` needs a base or there is no such `encoder`.
 * @throws {FolderLockedError} when another server uses the state directory.
 * @throws {SvcError} when preparing fails, if it is asked for.
 */
export async function openWorldHandler(options: WorldHandlerOptions = {}): Promise<WorldHandler> {
  return (await openServing(options)).handler;
}

/** A handler with the world that it serves. */
export interface Serving {
  readonly handler: WorldHandler;
  readonly worlds: Worlds;
  readonly served: ServedModel;
  /** The log of worlds, which counts how their moves end. */
  readonly worldLog: Log;
}

/** What a server that has a role in a fleet says of itself. */
export type ServingRole = Pick<WorldAppOptions, "families" | "isReady">;

/** As {@linkcode openWorldHandler}, for callers that bring worlds of their own. */
export async function openServing(options: WorldHandlerOptions, role: ServingRole = {}): Promise<Serving> {
  const { device = "auto", log = createLog() } = options;
  const moves = new MoveCounts();
  const worldLog = moves.counting(log);
  checkEncoder(options.encoder);
  const times = new ModelTimes();
  const directory = sessionDirectory(options.stateDirectory);
  const parkedStates = join(directory, "parked");
  const listeners = { onCall: (record: CallRecord) => times.record(record), onLoad: loadLog(log) };
  await checkAdapter(options.adapter, device);
  const served = await openServedModel({ ...options, device, parkedStates, listeners });
  let onLost: (error: Error) => void;
  const lost = new Promise<Error>((resolve) => onLost = resolve);
  const onWait = (holder: string): void => log("warn", "state_directory_in_doubt", { directory, holder });
  const lock = await lockFolder(directory, { onWait, onLost: (error) => onLost(error) });
  const removeParked = () => rm(parkedStates, { recursive: true, force: true });
  // Before, of a server that was killed.
  const worlds = await removeParked().then(() =>
    openWorlds({
      served,
      directory,
      allowPaths: options.allowPaths ?? [],
      journal: options.journal ?? true,
      encoder: options.encoder,
      limits: sessionLimits(options),
      maxWorlds: options.maxWorlds,
      log: worldLog,
    })
  ).catch(async (error) => {
    await lock.release();
    throw error;
  });
  const answers = options.journal === false ? undefined : await AnswerFile.open(answersFile(directory, "server"));
  const newId = (): string => crypto.randomUUID();
  const { parkAfter = PARK_AFTER } = options;
  const parking = setInterval(() => void worlds.park(parkAfter), Math.max(1000, parkAfter / 4));
  const closeSession = async (): Promise<void> => {
    // A model that does not stop in time is ended with its worker; the job then fails and cleans up.
    clearInterval(parking);
    const timer = setTimeout(() => void served.terminate(), GRACE - 1000);
    await worlds.close();
    clearTimeout(timer);
    await served.terminate(); // the last native call returns before the process may exit
    await removeParked().catch(() => {});
    await lock.release();
  };
  try {
    if (options.prepare) await preparedUnless(options.signal, worlds.first.session);
    const access = new AccessPolicy({ apiKey: options.apiKey, allowOrigins: options.allowOrigins ?? [] });
    const onError = (error: unknown, request: { id: string; method: string; path: string }) =>
      log("error", "request_failed", { request_id: request.id, method: request.method, path: request.path, error });
    const onAnswer = (answer: AnswerRecord) => logAnswer(log, answer);
    const app = createWorldApp({
      worlds,
      answers,
      access,
      version: VERSION,
      newId,
      now: () => Date.now(),
      start: () => readModelStart(served.location),
      describe: async ({ prompt, seed }, signal, onWarning) => {
        const { startPicture } = await import("./start_picture.ts"); // few worlds need an image model
        return await startPicture(prompt, {
          seed,
          device: options.device,
          adapter: options.adapter,
          threads: options.threads,
          signal,
          onWarning,
        });
      },
      page: { html: pageHtml, script: pageScript, style: pageStyle, icon: pageIcon },
      ...role,
      families: () => [...moves.families(), ...times.families(), ...role.families?.() ?? []],
      onError,
      onAnswer,
    });
    const handler: WorldHandler = {
      backend: served.backend.name,
      model: served.record.id,
      lost,
      fetch: (request, peer = "127.0.0.1") => app(request, peer),
      close: closeSession,
    };
    return { handler, worlds, served, worldLog };
  } catch (error) {
    await closeSession();
    throw error;
  }
}

async function preparedUnless(signal: AbortSignal | undefined, session: WorldSession): Promise<void> {
  signal?.throwIfAborted();
  const close = (): void => void session.close();
  signal?.addEventListener("abort", close);
  await session.prepare().finally(() => signal?.removeEventListener("abort", close));
}

function checkEncoder(name: string | undefined): void {
  if (name === undefined || (ENCODER_NAMES as readonly string[]).includes(name)) return;
  throw new UsageError(`Cannot use SVC_ENCODER ${name}: expected one of ${ENCODER_NAMES.join(", ")}`);
}
