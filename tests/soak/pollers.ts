/**
 * `deno run -A tests/soak/pollers.ts [--pollers 50] [--seconds 20]`: clients that poll a server process ten times a
 * second each while its embedded world generates without a pause. Prints how long `/health` and the session took, for
 * the clients and within the server; ends with status 1 when a figure is missed.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { printTable } from "../bench/table.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Milliseconds at the 99th percentile: what a client sees of `/health`, and what the server needs for a snapshot. */
const LIMITS = { health: 50, snapshot: 5 };

/** Milliseconds between two looks of one poller, as polling clients do it. */
const PAUSE = 100;

const { values } = parseArgs({
  options: { pollers: { type: "string", default: "50" }, seconds: { type: "string", default: "20" } },
});
const pollers = Number(values.pollers);

/** Milliseconds that requests took, by path. */
type Times = Record<"/health" | "/v1/world/session", number[]>;

/** Walks until it is stopped; counts the moves. */
async function walk(client: WorldClient, signal: AbortSignal): Promise<number> {
  const { prompt } = await client.start();
  for (let moves = 0;; moves++) {
    if (signal.aborted) return moves;
    const action = ["w", "l", "s", "j"][moves % 4];
    await client.awaitJob((await client.startRollout({ prompt, actionSeq: [action], numOutputFrames: 6 })).jobId);
  }
}

async function poll(url: string, times: Times, first: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, first));
  for (let i = 0; !signal.aborted; i++) {
    const path = i % 2 === 0 ? "/health" : "/v1/world/session";
    const asked = performance.now();
    await (await fetch(url + path)).arrayBuffer();
    times[path].push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** The time within the server, from the lines of its log. */
function handlerTimes(log: string): Times {
  const times: Times = { "/health": [], "/v1/world/session": [] };
  for (const [, path, ms] of log.matchAll(/ request method=GET path=(\S+) status=200 ms=(\S+)/g)) {
    if (path === "/health" || path === "/v1/world/session") times[path].push(Number(ms));
  }
  return times;
}

function quantile(numbers: readonly number[], q: number): number {
  return [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(q * numbers.length))];
}

/** Prints the figures; false when one is missed. */
function report(seen: Times, within: Times, moves: number): boolean {
  const health = quantile(seen["/health"], 0.99);
  const snapshot = quantile(within["/v1/world/session"], 0.99);
  const row = (name: string, times: readonly number[]): string[] => {
    return [name, ...[0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(1)), String(times.length)];
  };
  printTable(["milliseconds", "p50", "p99", "most", "answers"], [
    row("/health, seen by clients", seen["/health"]),
    row("/health, within the server", within["/health"]),
    row("session, seen by clients", seen["/v1/world/session"]),
    row("session, within the server", within["/v1/world/session"]),
  ]);
  // deno-lint-ignore no-console
  console.log(`${pollers} pollers, ${moves} moves of two blocks meanwhile`);
  // deno-lint-ignore no-console
  console.log(
    `/health p99 ${
      health.toFixed(1)
    } ms, at most ${LIMITS.health}; session p99 ${snapshot} ms, at most ${LIMITS.snapshot}`,
  );
  return health <= LIMITS.health && snapshot <= LIMITS.snapshot && moves > 0;
}

let isMet = false;
await withFolder(async (folder) => {
  const server = startServer(["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`]);
  try {
    const failed = server.exit.then(() => Promise.reject(new Error(server.stderr())));
    const { url } = JSON.parse(await Promise.race([server.line, failed]));
    const client = new WorldClient(url);
    await client.uploadSource(await client.startImage());
    await client.prepare();
    const stop = new AbortController();
    const times: Times = { "/health": [], "/v1/world/session": [] };
    const walking = walk(client, stop.signal);
    const polling = Array.from({ length: pollers }, (_, i) => poll(url, times, PAUSE * i / pollers, stop.signal));
    await new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 1000));
    stop.abort();
    const [moves] = await Promise.all([walking, ...polling]);
    isMet = report(times, handlerTimes(server.stderr()), moves);
  } finally {
    if (server.child.exitCode === null) end(server, "SIGTERM");
    await server.exit;
  }
});
process.exit(isMet ? 0 : 1);
