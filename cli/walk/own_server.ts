import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { createLog, type Log } from "../../lib/platform/processes/log.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";

/**
 * Starts a world server for one command, on any free port; it stops with the command and its files are removed. Only
 * errors of its log are shown.
 */
export async function startOwnServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const state = await makeTemporaryDirectory();
  try {
    const show = createLog();
    const log: Log = (level, ...entry) => level === "error" && show(level, ...entry);
    const encoder = thisPlatform().env["SVC_ENCODER"] || undefined;
    const server = await startWorldServer({ stateDirectory: state.path, port: 0, encoder, log });
    return { url: server.url, close: () => server.close().finally(state.remove) };
  } catch (error) {
    await state.remove();
    throw error;
  }
}
