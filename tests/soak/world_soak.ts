/**
 * `deno task soak [--quick]`: the published walk of 104 moves, thirteen times back to the origin, in the embedded world
 * of a server process over HTTP. Prints what was counted and measured; ends with status 1 when a figure is missed.
 * `--quick` walks 16 moves, whose memory is not judged.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { JOURNAL_FOLDER } from "../../lib/world/host/journal_files.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { fileSizes } from "../../lib/platform/files/find_files.ts";
import { ORIGIN } from "../../lib/world/protocol/pose.ts";
import { positionDistance, rotationAngle } from "../../lib/world/session/scene/revisit_rule.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { printTable } from "../bench/table.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Comes back to the origin: one move of three latents for each key. */
const LOOP = "wdsajllj";

/** Moves that make as many latents as scene memory holds; from then on the server must not grow much. */
const SETTLED = 32;

/** Bytes of videos and pictures to keep, a few moves' worth. */
const KEEP_FILES = 500_000;

/** Most bytes of the journal: two states of the model, the older one while the newer is written, and the moves. */
const MAX_JOURNAL = 24_000_000;

/** Published: latents, returns; by our own count of the rules: exact returns and latents in memory. */
const EXPECTED = {
  full: { moves: 104, latents: 312, retrievals: 295, exact: 293, stored: 14 },
  quick: { moves: 16, latents: 48, retrievals: 31, exact: 29, stored: 14 },
} as const;

const { values: { quick } } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const expected = quick ? EXPECTED.quick : EXPECTED.full;

/** What was measured along the walk. */
interface Walk {
  /** Milliseconds of each move, from its request to the record of its end. */
  readonly moves: number[];
  /** Milliseconds of each reading of the session while something was generated. */
  readonly snapshots: number[];
  /** Resident bytes of the server after each move; NaN where the system does not report it. */
  readonly resident: number[];
  /** Most bytes of videos and pictures after a move. */
  readonly media: number;
  /** Most bytes of the journal after a move. */
  readonly journal: number;
  readonly session: WorldSnapshot;
}

async function walk(client: WorldClient, pid: number | undefined, folder: string): Promise<Walk> {
  let media = 0;
  let journal = 0;
  const moves: number[] = [];
  const snapshots: number[] = [];
  const resident: number[] = [];
  const { prompt } = await client.start();
  await client.uploadSource(await client.startImage());
  await client.prepare();
  for (let move = 0; move < expected.moves; move++) {
    const start = performance.now();
    const key = LOOP[move % LOOP.length];
    const { jobId } = await client.startRollout({ prompt, actionSeq: [key], numOutputFrames: 3 });
    let isWalking = true;
    const reading = (async () => {
      while (isWalking) {
        const asked = performance.now();
        await client.session();
        snapshots.push(performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    await client.awaitJob(jobId).finally(() => isWalking = false);
    moves.push(performance.now() - start);
    await reading;
    resident.push(await residentMegabytes(pid));
    const kept = await bytesIn(join(folder, JOURNAL_FOLDER));
    journal = Math.max(journal, kept);
    media = Math.max(media, await bytesIn(folder) - kept);
  }
  return { moves, snapshots, resident, media, journal, session: await client.session() };
}

async function bytesIn(folder: string): Promise<number> {
  return [...(await fileSizes(folder)).values()].reduce((a, b) => a + b, 0);
}

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
}

function quantile(values: readonly number[], q: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** Prints the figures; false when one is missed. */
function report({ moves, snapshots, resident, media, journal, session }: Walk): boolean {
  const pose = session.currentWorldPose!.worldToCamera;
  const settled = mean(resident.slice(SETTLED - LOOP.length, SETTLED));
  const last = mean(resident.slice(-LOOP.length));
  const growth = last / settled - 1;
  const rows: readonly (readonly [string, string, string, boolean])[] = [
    count("latents", session.generatedLatentFrameCount!, expected.latents),
    count("returns", session.sceneMemoryRetrievalCount!, expected.retrievals),
    count("exact returns", session.sceneMemoryRecycledFrameCount!, expected.exact),
    count("latents in memory", session.sceneMemoryFrameCount!, expected.stored),
    limit("position from the origin, units", positionDistance(pose, ORIGIN), 1e-4, 7),
    limit("rotation from the origin, degrees", rotationAngle(pose, ORIGIN), 1e-3, 7),
    limit("bytes of videos and pictures, most", media, KEEP_FILES, 0),
    limit("bytes of the journal, most", journal, MAX_JOURNAL, 0),
    ["milliseconds a move, mean", mean(moves).toFixed(0), "", true],
    ["milliseconds a move, p95", quantile(moves, 0.95).toFixed(0), "", true],
    ["milliseconds to read the session meanwhile, p50", quantile(snapshots, 0.5).toFixed(1), "", true],
    ["milliseconds to read the session meanwhile, p99", quantile(snapshots, 0.99).toFixed(1), "", true],
    ["resident MB, last eight moves", last.toFixed(0), "", true],
    ...(quick || Number.isNaN(growth) ? [] : [limit("% more than in moves 25 to 32", 100 * growth, 10, 1)]),
  ];
  printTable(
    ["soak of corridor-nano", "", "expected"],
    rows.map(([name, value, expected, isMet]) => {
      return [name, value, isMet ? expected : `${expected} MISSED`];
    }),
  );
  return rows.every(([, , , isMet]) => isMet);
}

function count(name: string, value: number, expected: number): [string, string, string, boolean] {
  return [name, `${value}`, `${expected}`, value === expected];
}

function limit(name: string, value: number, max: number, digits: number): [string, string, string, boolean] {
  return [name, value.toFixed(digits), `at most ${max}`, value <= max];
}

let isMet = false;
await withFolder(async (folder) => {
  const keep = `--keep-files=${KEEP_FILES}`;
  const server = startServer(["--port=0", "--json", "--device=cpu", `--state-directory=${folder}`, keep]);
  try {
    const failed = server.exit.then(() => Promise.reject(new Error(server.stderr())));
    const { url } = JSON.parse(await Promise.race([server.line, failed]));
    isMet = report(await walk(new WorldClient(url), server.child.pid, folder));
  } finally {
    if (server.child.exitCode === null) end(server, "SIGTERM");
    await server.exit;
  }
});
process.exit(isMet ? 0 : 1);
