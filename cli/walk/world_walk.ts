import { readVideoFrames } from "../../lib/media/video/read_video_frames.ts";
import { locateModel } from "../../lib/app/world/model_location.ts";
import { readModelStart } from "../../lib/world/host/models/model_folder.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { confirm, type Terminal, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { readUserFile, writeObstacle, writeUserFile } from "../../lib/platform/files/user_files.ts";
import { findWalkServer, type FindWalkServerOptions, runningWorldServers, startOwnServer } from "./walk_server.ts";
import { findWalkWorld, type WalkWorldOptions } from "./walk_world.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { walk, type WalkTools } from "./walk.ts";
import { readWalkCommand, WALK_HELP, type WalkCommand } from "./walk_options.ts";
import { jsonReport, type WalkReport, wordReport } from "./walk_report.ts";

/** `svc world walk`: runs the command in this machine's environment. */
export function worldWalk(args: readonly string[]): Promise<number> {
  return runWalkCommand(args, {
    terminal: thisTerminal(),
    files: { read: readUserFile, obstacle: writeObstacle, write: writeUserFile },
    start: async () => await readModelStart(await locateModel({})),
    makePicture: async (prompt, { rollout }, signal) => {
      const { DEFAULT_SEED, startPicture } = await import("../../lib/app/world/start_picture.ts");
      return await startPicture(prompt, {
        ...rollout,
        seed: BigInt(rollout.seed ?? DEFAULT_SEED),
        signal,
        onWarning: (text) => thisTerminal().err(`svc: ${text}`),
      });
    },
    readFrames: readVideoFrames,
    signal: abortOnShutdown(),
    now: () => performance.now(),
    running: runningWorldServers,
    startServer: startOwnServer,
    confirm,
  });
}

/** The command's environment; tests can replace all of it. */
export interface WalkHost extends Pick<WalkTools, "files" | "start" | "makePicture" | "readFrames" | "signal" | "now"> {
  readonly terminal: Terminal;
  readonly running?: FindWalkServerOptions["running"];
  readonly startServer: FindWalkServerOptions["start"];
  readonly fetch?: FindWalkServerOptions["fetch"];
  readonly confirm: WalkWorldOptions["confirm"];
}

/** Runs `svc world walk` and returns its exit status: 0 done, 1 failed or cancelled, 2 wrong usage. */
export async function runWalkCommand(args: readonly string[], host: WalkHost): Promise<number> {
  const { terminal } = host;
  let command: WalkCommand;
  try {
    command = readWalkCommand(args, terminal.environment("SVC_API_KEY"));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(error.message);
    return 2;
  }
  if (command.request === undefined) {
    terminal.out(WALK_HELP);
    return 0;
  }
  const report = command.json ? jsonReport(terminal) : wordReport(terminal);
  host.signal.addEventListener("abort", () => report.emit({ event: "cancelling" }), { once: true });
  const { url, apiKey, replace, request: { continued } } = command;
  const { signal, confirm } = host;
  const clientOptions = { ...(apiKey !== undefined && { apiKey }), ...(host.fetch && { fetch: host.fetch }) };
  try {
    await walk(command.request, {
      ...host,
      report,
      findServer: async () => {
        const server = await findWalkServer({
          ...{ ...clientOptions, continued, signal, start: host.startServer },
          ...(host.running && { running: host.running }),
          ...(url !== undefined && { url }),
        });
        if (server.started) return server;
        const options = { ...clientOptions, continued, replace, confirm, signal };
        return { ...server, client: await findWalkWorld(server.client.baseUrl, options) };
      },
    });
    return 0;
  } catch (error) {
    return tellFailure(report, error, host.signal);
  }
}

function tellFailure(report: WalkReport, error: unknown, signal: AbortSignal): number {
  if (signal.aborted) {
    report.emit({ event: "failed", message: "Walk cancelled: nothing was saved", code: "cancelled" });
    return 1;
  }
  const message = error instanceof Error ? error.message : String(error);
  report.emit({ event: "failed", message, ...(error instanceof WorldApiError && { code: error.code }) });
  return error instanceof UsageError ? 2 : 1;
}
