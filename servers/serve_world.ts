/**
 * A world server, from its command line to its exit.
 *
 * @module
 */
import { FolderLockedError } from "../lib/errors/option_error.ts";
import { outliveReaders, print } from "../lib/platform/processes/run_main.ts";
import { shutdownSignal } from "../lib/platform/processes/shutdown.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { startWorldServer, type WorldServer } from "../lib/app/world/start_world_server.ts";
import { readWorldFlags, worldHelp } from "./flags/world_flags.ts";

/**
 * Serves until SIGINT, SIGTERM or SIGHUP; resolves with the exit status.
 *
 * @param command The command's name, for help and errors.
 * @throws {UsageError} when the arguments are wrong, and whatever keeps the server from starting or running.
 */
export async function serveWorld(command: string, args: readonly string[]): Promise<number> {
  const asked = readWorldFlags(command, args);
  if (asked.kind === "help") {
    print(worldHelp(command));
    return 0;
  }
  if (asked.kind === "version") {
    print(`${VERSION}\n`);
    return 0;
  }
  outliveReaders();
  const ended = shutdownSignal();
  const stop = new AbortController();
  void ended.then(() => stop.abort());
  const options = { ...asked.options, signal: stop.signal };
  const start = async (): Promise<WorldServer & { readonly asked?: Promise<void> }> => {
    if (!asked.fleet) return await startWorldServer({ ...options, announce: true });
    const { loadFleet } = await import("./load_fleet.ts");
    return await (await loadFleet("join a fleet")).startFleetWorker(options, asked.fleet);
  };
  const server = await start().catch((error) => {
    if (stop.signal.aborted) return undefined;
    if (!(error instanceof FolderLockedError)) throw error;
    throw new FolderLockedError(`${error.message} with --state-directory`, { cause: error });
  });
  if (!server) return 0;
  const { url, backend, model, lost, close } = server;
  print(
    asked.json
      ? `${JSON.stringify({ event: "listening", url, backend, model, version: VERSION })}\n`
      : `World server with ${model} on ${url}, press Ctrl+C to stop\n`,
  );
  const reason = await Promise.race([ended, lost, ...server.asked ? [server.asked] : []]);
  await close();
  if (reason instanceof Error) throw reason;
  return 0;
}
