/**
 * The client of a world in this tab: it takes the place of `world-page/session/open_client.ts`, which asks a server.
 *
 * @module
 */
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { spawnWorker } from "../../lib/platform/workers/spawn_worker.ts";
import { fetchThrough } from "./request_channel.ts";
import { IN_TAB } from "./tab_address.ts";

/** A connected client, and the first snapshot. */
export interface OpenedClient {
  readonly client: WorldClient;
  readonly snapshot: WorldSnapshot;
}

/** Starts the world and loads its model, which continues while the page is shown. */
export async function openClient(
  onUnreachable: (error: unknown, connection: "ended") => void,
): Promise<OpenedClient> {
  const worker = await spawnWorker(new URL(`world_worker.js${location.search}`, document.baseURI), { name: "world" });
  const ended = worker.ended.then((cause) => {
    const reason = cause?.message ?? "its worker was stopped";
    const error = new Error(`Cannot walk in this browser: ${reason}; load the page again`);
    onUnreachable(error, "ended"); // no connection: nothing starts the worker again
    return error;
  });
  const client = new WorldClient(IN_TAB, { fetch: fetchThrough(worker, { ended }) });
  return { client, snapshot: await client.session() };
}

/** There is no key. */
export function forgetKey(): void {}
