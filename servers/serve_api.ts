/**
 * A model API server, from its command line to its exit.
 *
 * @module
 */
import { stderrLog } from "../lib/platform/processes/log.ts";
import { outliveReaders, print } from "../lib/platform/processes/run_main.ts";
import { abortOnShutdown } from "../lib/platform/processes/shutdown.ts";
import { thisTerminal } from "../lib/platform/terminal/terminal.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { apiHelp, readApiFlags } from "./flags/api_flags.ts";
import { loadProgress } from "../lib/app/models/load_progress.ts";
import { startModelServer } from "../lib/app/models/start_model_server.ts";

/**
 * Serves until SIGINT or SIGTERM, which may come before the server listens; resolves with the exit status.
 *
 * @param command The command's name, for help and errors.
 * @throws {UsageError} when the arguments are wrong, and whatever keeps the server from starting.
 */
export async function serveApi(command: string, args: readonly string[]): Promise<number> {
  const asked = readApiFlags(command, args);
  if (asked.kind === "help") {
    print(apiHelp(command));
    return 0;
  }
  if (asked.kind === "version") {
    print(`${VERSION}\n`);
    return 0;
  }
  outliveReaders();
  const { err, interactive } = thisTerminal();
  const notify = (sentence: string): void => err(`svc: ${sentence}`);
  const progress = loadProgress(interactive, stderrLog(asked.log));
  const end = abortOnShutdown();
  try {
    const server = await startModelServer(
      { ...asked.options, announce: true, notify, log: progress.log, onLoad: progress.show },
      end,
    );
    progress.stop();
    const { url, model } = server;
    print(
      asked.json
        ? `${JSON.stringify({ event: "listening", url, model, version: VERSION })}\n`
        : `Model API server ${model === undefined ? "" : `with ${model} `}on ${url}/v1, press Ctrl+C to stop\n`,
    );
    if (!end.aborted) await new Promise((resolve) => end.addEventListener("abort", resolve, { once: true }));
    await server.close();
  } catch (error) {
    progress.stop();
    if (!end.aborted) throw error;
  }
  return 0;
}
