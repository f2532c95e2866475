import { makeTemporaryDirectory } from "../lib/runtime/temporary_directory.ts";
import { startWorldServer } from "../servers/start_world_server.ts";

/** Starts a world server that lives as long as one command: on any free port, its files gone with it, without a log. */
export async function startOwnServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const state = await makeTemporaryDirectory();
  try {
    const server = await startWorldServer({ stateDirectory: state.path, port: 0, log: () => {} });
    return { url: server.url, close: () => server.close().finally(state.remove) };
  } catch (error) {
    await state.remove();
    throw error;
  }
}
