/**
 * The world of a walk on a server that was there before it: one of its own, so that no other walk is discarded.
 *
 * @module
 */
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { jsonBody, WorldTransport } from "../../lib/world/client/world_transport.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";

/** The name of the world that `svc world walk` opens on a server. */
export const WALK_WORLD = "svc world walk";

/** A server that has no memory or no number left for another world. */
const FULL: readonly string[] = ["too_many_worlds", "memory_pressure", "quota_exceeded"];

/** The end of the address of a world. */
const NAMED = /\/worlds\/[0-9a-z-]+$/i;

/** How a walk chooses its world. */
export interface WalkWorldOptions {
  readonly apiKey?: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Whether the walk continues from the world's current state. */
  readonly continued: boolean;
  /** Whether the walk of another world may be discarded without asking. */
  readonly replace: boolean;
  /** Asks a person; undefined where nobody can answer. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  readonly signal: AbortSignal;
}

/**
 * The world that a walk on a running server takes place in: the one whose address `url` is; else the one of earlier walks
 * of this command, or a new one; else, where the server allows no more worlds, its first one.
 *
 * A continued walk takes the world of earlier walks, or the first one where there is none.
 *
 * @throws {UsageError} when the walk of another world would be discarded and nobody agrees.
 */
export async function findWalkWorld(url: string, options: WalkWorldOptions): Promise<WorldClient> {
  const { apiKey, fetch, continued, signal } = options;
  const clientOptions = { ...(apiKey !== undefined && { apiKey }), ...(fetch && { fetch }) };
  const world = new WorldClient(url, clientOptions);
  if (NAMED.test(world.baseUrl)) {
    return continued ? world : await discardable(world, "the world of this address", options);
  }
  const server = new WorldTransport(url, clientOptions);
  const clientOf = ({ path }: WorldRecord) => new WorldClient(server.baseUrl + path, clientOptions);
  const { data } = await server.json<{ data: readonly WorldRecord[] }>("/v1/worlds", { signal });
  const own = data.filter(({ name, default: isFirst }) => name === WALK_WORLD && !isFirst).map(clientOf).at(-1);
  if (continued) return own ?? world;
  if (own && isIdle(await own.session({ signal }))) return own;
  try {
    const body = jsonBody({ name: WALK_WORLD });
    return clientOf(await server.json<WorldRecord>("/v1/worlds", { method: "POST", body, signal }));
  } catch (error) {
    if (!(error instanceof WorldApiError && FULL.includes(error.code))) throw error;
    return await discardable(world, `the server at ${server.baseUrl} opens no other world, and its first one`, options);
  }
}

/** Whether the walk in a world of this command's may make room for the next: nobody kept anything of it. */
function isIdle({ activeJob, checkpointCount = 0 }: WorldSnapshot): boolean {
  return activeJob === undefined && checkpointCount === 0;
}

/** A world after a person, or `replace`, has agreed to discard the walk in it; one without a walk needs no word. */
async function discardable(world: WorldClient, subject: string, options: WalkWorldOptions): Promise<WorldClient> {
  const { states, checkpointCount = 0, activeJob } = await world.session({ signal: options.signal });
  const moves = states.length - 1;
  if (options.replace || (moves <= 0 && checkpointCount === 0 && activeJob === undefined)) return world;
  const found = `${subject} has a walk of ${moves} ${moves === 1 ? "move" : "moves"}`;
  if (await options.confirm(`svc: ${found}. Discard it?`)) return world;
  throw new UsageError(
    `Cannot walk on ${world.baseUrl}: ${found}, which would be discarded; ` +
      "discard it with --replace, continue it with --continue, or delete a world that is no longer needed",
  );
}
